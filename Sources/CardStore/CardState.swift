import TrackerCore

/// What a card says beside its captures: which wait, and what the tracker remembers. The newest
/// state that is whole counts.
///
/// Its first block, after the seal: serial number (4), number of the block (4), the device (16),
/// captures that there is room for (4), the last key (4), the next sequence number (4), whether a
/// PIN is being tried (4), bytes of memory (4), ranges that wait, ranges set aside. The others:
/// serial number, number of the block, memory.
struct CardState: Sendable {
  static let mark: UInt32 = 0x3153_5454  // "TTS1"

  var log: UInt64
  var serial: UInt32 = 0
  var device: UniqueID
  var capacity: UInt32
  var lastKey: UInt32 = 0
  var nextSequence: UInt32 = 1
  var isPINTried = false
  var pending = KeyRanges()
  var setAside = KeyRanges()
  var memory = CardMemory()

  init(log: UInt64, device: UniqueID, capacity: UInt32) {
    self.log = log
    self.device = device
    self.capacity = capacity
  }

  private static let places = (pending: 60, setAside: 60 + KeyRanges.room)

  /// - Parameter part: 0..<`Bounds.stateBlocks`
  func write(to block: inout Block, part: UInt32) {
    block = Block()
    block.put(serial, at: 16)
    block.put(part, at: 20)
    if part == 0 {
      block.put(device.high, 8, at: 24)
      block.put(device.low, 8, at: 32)
      block.put(capacity, at: 40)
      block.put(lastKey, at: 44)
      block.put(nextSequence, at: 48)
      block.put(isPINTried ? 1 : UInt32(0), at: 52)
      block.put(UInt32(memory.count), at: 56)
      pending.write(to: &block, at: Self.places.pending)
      setAside.write(to: &block, at: Self.places.setAside)
    } else {
      let indices = memory.indices(ofPart: part)
      for index in indices { block.bytes[24 + index - indices.lowerBound] = memory[index] }
    }
    block.seal(Self.mark, of: log)
  }

  /// - Returns: `nil` unless the block is the first one of a state.
  static func serial(of block: borrowing Block) -> UInt32? {
    guard block.isSealed(mark), block.number(at: 20) == 0,
      block.number(at: 16) < Bounds.largestNumber
    else { return nil }
    return block.number(at: 16)
  }

  /// Whether a card of so many blocks for captures can have written it.
  func isPossible(onCardOf room: UInt32) -> Bool {
    capacity > 0 && capacity <= room && lastKey < Bounds.largestNumber
  }

  /// Takes in the first block of a state.
  mutating func readFirst(_ block: borrowing Block) {
    log = block.log
    serial = block.number(at: 16)
    device = UniqueID(high: block.number(8, at: 24), low: block.number(8, at: 32))
    capacity = block.number(at: 40)
    lastKey = block.number(at: 44)
    nextSequence = block.number(at: 48)
    isPINTried = block.number(at: 52) != 0
    memory.setCount(Int(block.number(at: 56)))
    pending = KeyRanges(block, at: Self.places.pending)
    setAside = KeyRanges(block, at: Self.places.setAside)
  }

  /// Takes in another block of it.
  ///
  /// - Returns: `false` unless it is that block.
  mutating func read(_ block: borrowing Block, part: UInt32) -> Bool {
    guard block.isSealed(Self.mark), block.log == log, block.number(at: 16) == serial,
      block.number(at: 20) == part
    else { return false }
    let indices = memory.indices(ofPart: part)
    for index in indices { memory[index] = block.bytes[24 + index - indices.lowerBound] }
    return true
  }
}

/// What the tracker remembers, as its host has written it.
public struct CardMemory: Sendable, Equatable {
  public static let capacity = 1464
  private static let perPart = Block.size - 24

  private var bytes = InlineArray<1464, UInt8>(repeating: 0)
  public private(set) var count = 0

  public init() {}

  /// 0..<`count`
  public internal(set) subscript(index: Int) -> UInt8 {
    get { bytes[index] }
    set { bytes[index] = newValue }
  }

  mutating func set(_ new: Span<UInt8>) {
    setCount(new.count)
    for index in 0..<count { bytes[index] = new[index] }
  }

  mutating func setCount(_ count: Int) { self.count = min(max(0, count), Self.capacity) }

  func indices(ofPart part: UInt32) -> Range<Int> {
    let first = min((Int(part) - 1) * Self.perPart, count)
    return first..<min(first + Self.perPart, count)
  }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a.bytes[index] != b.bytes[index] { return false }
    return true
  }
}
