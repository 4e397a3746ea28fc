import TrackerCore

/// What a card says beside its captures: which wait, and what the tracker remembers. The newest
/// state that is whole counts.
///
/// Its first block, after the seal: serial number (4), number of the block (4), the device (16),
/// captures that there is room for (4), the last key (4), the next sequence number (4), whether a
/// PIN is being tried (1) and orders that are owed (1), bytes of memory (4), ranges that wait,
/// ranges set aside, version of the memory (4), blocks for recordings (4; none on cards of earlier
/// firmware). The others: serial number, number of the block, memory.
struct CardState: ~Copyable, Sendable {
  static let mark: UInt32 = 0x3153_5454  // "TTS1"

  var log: UInt64
  var serial: UInt32 = 0
  var device: UniqueID
  var capacity: UInt32
  var recordingsRoom: UInt32 = 0
  var lastKey: UInt32 = 0
  var nextSequence: UInt32 = 1
  var isPINTried = false
  var owed = OwedOrders()
  var pending = KeyRanges()
  var setAside = KeyRanges()
  var memory = CardMemory()

  init(log: UInt64, device: UniqueID, capacity: UInt32) {
    self.log = log
    self.device = device
    self.capacity = capacity
  }

  private static let places = (
    pending: 60, setAside: 60 + KeyRanges.room, version: 60 + 2 * KeyRanges.room,
    recordingsRoom: 64 + 2 * KeyRanges.room
  )

  /// - Parameter part: 0..<`Bounds.stateBlocks`
  @inline(never) mutating func write(to block: inout Block, part: UInt32) {
    block.clear()
    block.put(serial, at: 16)
    block.put(part, at: 20)
    if part == 0 {
      block.put(device.high, 8, at: 24)
      block.put(device.low, 8, at: 32)
      block.put(capacity, at: 40)
      block.put(lastKey, at: 44)
      block.put(nextSequence, at: 48)
      block.put((isPINTried ? 1 : 0) | UInt32(owed.byte) << 8, at: 52)
      block.put(UInt32(memory.count), at: 56)
      block.put(memory.version, at: Self.places.version)
      block.put(recordingsRoom, at: Self.places.recordingsRoom)
      pending.write(to: &block, at: Self.places.pending)
      setAside.write(to: &block, at: Self.places.setAside)
    } else {
      memory.write(to: &block, part: part)
    }
    block.seal(Self.mark, of: log)
  }

  /// - Returns: `nil` unless the block is the first one of a state.
  static func serial(of block: inout Block) -> UInt32? {
    guard block.isSealed(mark), block.number(at: 20) == 0,
      block.number(at: 16) < Bounds.largestNumber
    else { return nil }
    return block.number(at: 16)
  }

  /// Whether a card of so many blocks for captures can have written it.
  mutating func isPossible(onCardOf room: UInt32) -> Bool {
    capacity > 0 && capacity <= room && lastKey < Bounds.largestNumber
  }

  /// Takes in the first block of a state.
  @inline(never) mutating func readFirst(_ block: inout Block) {
    log = block.log()
    serial = block.number(at: 16)
    device = UniqueID(high: block.number(8, at: 24), low: block.number(8, at: 32))
    capacity = block.number(at: 40)
    lastKey = block.number(at: 44)
    nextSequence = block.number(at: 48)
    isPINTried = block.bytes[52] != 0
    owed = OwedOrders(byte: block.bytes[53])
    memory.setCount(Int(block.number(at: 56)))
    memory.version = block.number(at: Self.places.version)
    recordingsRoom = block.number(at: Self.places.recordingsRoom)
    pending = KeyRanges(&block, at: Self.places.pending)
    setAside = KeyRanges(&block, at: Self.places.setAside)
  }

  /// Takes in another block of it.
  ///
  /// - Returns: `false` unless it is that block.
  @inline(never) mutating func read(_ block: inout Block, part: UInt32) -> Bool {
    guard isIn(&block, part: part) else { return false }
    memory.read(&block, part: part)
    return true
  }

  /// Whether a block is that part of it, whole.
  @inline(never) func isIn(_ block: inout Block, part: UInt32) -> Bool {
    block.isSealed(Self.mark) && block.log() == log && block.number(at: 16) == serial
      && block.number(at: 20) == part
  }
}

/// What the tracker remembers, as its host has written it.
struct CardMemory: ~Copyable, Sendable {
  static let capacity = 1464
  private static let perPart = Block.size - 24

  private var bytes = InlineArray<1464, UInt8>(repeating: 0)
  private(set) var count = 0
  /// Of the program that can read it.
  var version: UInt32 = 0

  /// - Parameter index: 0..<`count`
  mutating func byte(_ index: Int) -> UInt8 { bytes[index] }

  /// What is more than `capacity` is left out.
  mutating func set(_ new: Span<UInt8>) {
    setCount(new.count)
    for index in 0..<count { bytes[index] = new[index] }
  }

  mutating func setCount(_ count: Int) { self.count = min(max(0, count), Self.capacity) }

  mutating func write(to block: inout Block, part: UInt32) {
    let indices = indices(ofPart: part)
    for index in indices { block.bytes[24 + index - indices.lowerBound] = bytes[index] }
  }

  mutating func read(_ block: inout Block, part: UInt32) {
    let indices = indices(ofPart: part)
    for index in indices { bytes[index] = block.bytes[24 + index - indices.lowerBound] }
  }

  private mutating func indices(ofPart part: UInt32) -> Range<Int> {
    let first = min((Int(part) - 1) * Self.perPart, count)
    return first..<min(first + Self.perPart, count)
  }
}
