import TrackerCore

@testable import CardStore

/// The blocks of a card, which outlive the store that uses them.
final class Medium {
  typealias Write = (number: UInt32, bytes: [UInt8])

  private var bytes: [UInt8]
  /// All that was ever written, in its order.
  private(set) var writes: [Write] = []
  /// What becomes of the next writes: whether each is carried out, and whether it is said to have
  /// been; then all are.
  var trouble: [(isWritten: Bool, isReported: Bool)] = []
  var isReadable = true
  /// What becomes of the next reads of captures: whether each is answered, and whether with what is
  /// there; then all are.
  var readTrouble: [(isAnswered: Bool, isRight: Bool)] = []
  /// Every other block that is read comes with a bit changed, each time another one.
  var garbles = false
  private(set) var reads = 0

  let blockCount: UInt32

  init(captures: UInt32) {
    blockCount = 256 + captures
    bytes = [UInt8](repeating: 0xFF, count: Int(blockCount) * Block.size)
  }

  /// Another card with the same blocks.
  init(copying other: Medium) {
    blockCount = other.blockCount
    bytes = other.bytes
  }

  func block(_ number: UInt32) -> [UInt8] { Array(bytes[range(number)]) }

  func put(_ write: Write) { bytes.replaceSubrange(range(write.number), with: write.bytes) }

  private func range(_ number: UInt32) -> Range<Int> {
    Int(number) * Block.size..<(Int(number) + 1) * Block.size
  }

  fileprivate func read(_ number: UInt32, into block: inout Block) -> Bool {
    reads += 1
    guard isReadable, number < blockCount else { return false }
    let fate =
      readTrouble.isEmpty || number < 256
      ? (isAnswered: true, isRight: true) : readTrouble.removeFirst()
    let range = range(number)
    withUnsafeMutableBytes(of: &block.bytes) { $0.copyBytes(from: bytes[range]) }
    if !fate.isRight { block.bytes[40] ^= 4 }
    if garbles, reads % 2 == 1 { block.bytes[reads % 512] ^= 8 }
    return fate.isAnswered
  }

  fileprivate func write(_ block: inout Block, to number: UInt32) -> Bool {
    guard number < blockCount else { return false }
    let fate = trouble.isEmpty ? (isWritten: true, isReported: true) : trouble.removeFirst()
    if fate.isWritten {
      let write = (number, withUnsafeBytes(of: block.bytes) { Array($0) })
      put(write)
      writes.append(write)
    }
    return fate.isReported
  }
}

struct TestCard: BlockDevice {
  let medium: Medium

  var blockCount: UInt32 { medium.blockCount }
  func read(_ number: UInt32, into block: inout Block) -> Bool {
    medium.read(number, into: &block)
  }
  func write(_ block: inout Block, to number: UInt32) -> Bool {
    medium.write(&block, to: number)
  }
}

let device = UniqueID(high: 0x0123_4567_89AB_8DEF, low: 0x8123_4567_89AB_CDEF)

extension Medium {
  func mount() -> TestStore { TestStore(CardStore(TestCard(medium: self))) }

  func format(log: UInt64 = 1) -> TestStore {
    let store = mount()
    precondition(store.format(log: log, of: device))
    return store
  }
}

/// A store that `#expect` can ask: what cannot be copied it cannot take apart.
final class TestStore {
  private var card: CardStore<TestCard>

  init(_ card: consuming CardStore<TestCard>) { self.card = card }

  var finding: CardFinding { card.finding }
  var tracker: UniqueID { card.tracker }
  var counts: QueueCounts { card.counts }
  var nextSequence: UInt32 { card.nextSequence }
  var oldestKey: CaptureKey { card.oldestKey }
  var lastKey: CaptureKey { card.lastKey }
  var memory: [UInt8] { (0..<card.memoryCount).map { card.memory(at: $0) } }
  var isPINTried: Bool { card.isPINTried }
  func format(log: UInt64, of tracker: UniqueID) -> Bool { card.format(log: log, of: tracker) }
  func store(_ capture: Capture) -> Bool { card.store(capture) }
  func commit() -> Bool { card.commit() }
  func mount(owing orders: OwedOrders = OwedOrders()) -> Bool { card.mount(owing: orders) }
  func isPresent() -> Bool { card.isPresent() }
  var owed: OwedOrders {
    get { card.owed }
    set { card.owed = newValue }
  }
  var hasReadFailed: Bool { card.hasReadFailed }
  func capture(_ key: CaptureKey) -> Capture? { card.capture(key) }
  func key(_ index: UInt32, of selection: Selection) -> CaptureKey? {
    card.key(index, of: selection)
  }
  func standing(of key: CaptureKey) -> CaptureStanding { card.standing(of: key) }
  func remove(_ key: CaptureKey) { card.remove(key) }
  func setAside(_ key: CaptureKey) { card.setAside(key) }
  func remember(_ bytes: [UInt8]) { card.remember(bytes.span, version: UInt32(bytes.count)) }
  func rememberPIN(isTried: Bool) { card.rememberPIN(isTried: isTried) }
}

/// All that a store says of itself.
struct Account: Equatable {
  var pending: [UInt32] = []
  var setAside: [UInt32] = []
  /// Those above, by their keys.
  var captures: [UInt32: Capture] = [:]
  var nextSequence: UInt32 = 1
  var memory: [UInt8] = []
  var isPINTried = false

  init() {}

  init(_ store: TestStore) {
    var index: UInt32 = 0
    while let key = store.key(index, of: .oldest(limit: .max)) {
      pending.append(key.number)
      index += 1
    }
    for key in 0...store.lastKey.number where store.standing(of: CaptureKey(key)) == .setAside {
      setAside.append(key)
    }
    for key in pending + setAside { captures[key] = store.capture(CaptureKey(key)) }
    nextSequence = store.nextSequence
    memory = store.memory
    isPINTried = store.isPINTried
  }
}

/// Each value is there in some, and missing in others.
func capture(_ sequence: UInt32) -> Capture {
  func some<Value>(_ bit: UInt32, _ value: Value) -> Value? {
    sequence >> bit & 1 == 0 ? value : nil
  }
  let number = Int32(truncatingIfNeeded: sequence)
  var capture = Capture(
    sequence: sequence, utc: some(0, UTC(milliseconds: 1_776_499_242_000 + Int64(number) * 1000)),
    isTimeTrusted: sequence % 3 != 0,
    position: some(1, Coordinate(latitude: -418_000_000 - number, longitude: 21_000_000)),
    team: InlineText("Els Senglars"),
    trigger: Trigger(rawValue: UInt8(sequence % 13)) ?? .interval)
  capture.altitudeMillimetres = some(2, -712_300)
  capture.speedMillimetresPerSecond = some(3, 1400)
  capture.courseMillidegrees = some(4, 271_500)
  capture.accuracyMetres = some(5, 5)
  capture.satellites = some(6, 9)
  capture.batteryPercent = some(0, 77)
  capture.batteryMillivolts = some(1, 3812)
  capture.mark = some(
    2, CourseMark(doneMetres: 1200, toGoMetres: 98_000, place: some(3, sequence % 2 == 0 ? -1 : 7)))
  return capture
}
