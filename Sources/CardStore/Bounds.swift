/// The store's bounds, with their reasons.
enum Bounds {
  /// Ranges of keys that wait. Each contact that sends the newest while older ones wait makes one
  /// more, and each that sends the oldest ends one.
  static let ranges = 24
  /// States on a card before the first is overwritten: a card's blocks last for some 10 000 writes,
  /// and 64 of them for a state each ten minutes over ten years.
  static let states: UInt32 = 64
  /// Blocks of a state: the queue, and what the tracker remembers.
  static let stateBlocks: UInt32 = 4
  /// Captures between two states: so many are looked for at a start. A card on SPI reads some 1000
  /// blocks a second.
  static let capturesPerState: UInt32 = 256
  /// Captures that there is room for before half of the card is for recordings: two and a half
  /// years of one each ten minutes.
  static let captureRoom: UInt32 = 131_072
  /// Blocks without which a recording is not begun: some minutes of a receiver's lines.
  static let recordingRoom: UInt32 = 1024
  /// Of a state and of a key: no card lives to write as many, and whoever counts on does not
  /// overflow.
  static let largestNumber: UInt32 = 1 << 31
  /// Blocks in a row that cannot be written, or not be read, without a card being given up.
  static let badBlocks: UInt32 = 4
  /// Blocks that cannot be read at a start, without a capture between them, before it is taken for
  /// the whole card.
  static let unreadBlocks: UInt32 = 16
  /// Times that a block is read before it counts as one that cannot be read: a bus without
  /// checksums may have garbled it on its way.
  static let readTries = 5
}
