import CardStore
import FirmwareHost
import MachineAccess
import Reports
import Simulation
import SystemCalls
import Traces
import TrackerCore

/// A recording on a controller's card, as a replay reads it. It has blocks in place of lines, each
/// with a digest of the effects in place of these.
struct CardTape: ReplaySource, ~Copyable {
  static let unit = ReplayPhrase.block
  let path: String
  let trouble: TraceError? = nil
  /// What the tracker was made from.
  private(set) var beginning: RecordingHeader

  private var card: CardStore<CardDevice>
  private let blocks: RecordingBlocks
  private var block = RecordedBlock()
  /// Of the block.
  private var serial: UInt32
  private var part: UInt32 = 0
  /// In the block.
  private var position = 0
  private var now = Instant.start
  /// What was read and not given: the digests of blocks that ended within an arrival, then that.
  private var waiting: [Recorded] = []
  private var isAtEnd = false

  /// The recordings on a card, from the oldest; `nil`: the path is no controller's card.
  static func recordings(on path: String) -> [RecordingBlocks]? {
    guard var card = card(path) else { return nil }
    var found: [RecordingBlocks] = []
    var next = card.recording()
    while let blocks = next {
      found.append(blocks)
      next = blocks.first > 1 ? card.recording(endingAt: blocks.first - 1) : nil
    }
    return found.reversed()
  }

  private static func card(_ path: String) -> CardStore<CardDevice>? {
    // A pipe would lose what is read of it.
    guard let kind = try? FileStatus(path).kind, kind == .file || kind == .blockDevice,
      let device = CardDevice(path)
    else { return nil }
    let card = CardStore(device)
    if card.finding == .mounted { return card }
    return nil
  }

  private init(_ card: consuming CardStore<CardDevice>, _ path: String, _ blocks: RecordingBlocks) {
    self.card = card
    self.path = path
    self.blocks = blocks
    serial = blocks.first - 1
    beginning = RecordingHeader(
      board: .none, configuration: Configuration(),
      identity: Identity(device: UniqueID(high: 0, low: 0), team: InlineText(), seed: 0),
      at: .start, program: "")
  }

  /// Why a recording cannot be repeated at all.
  enum Trouble: Error {
    case noCard
    /// Later recordings have taken its place.
    case beginningOverwritten
    /// The controller stopped at once, or a block cannot be read.
    case endsInBeginning
    /// What the tracker is made from lies otherwise in its memory.
    case otherFirmware(core: UInt64)

    var isOfFirmware: Bool { if case .otherFirmware = self { true } else { false } }

    var message: String {
      switch self {
      case .noCard: "the card cannot be read any more"
      case .beginningOverwritten: "its beginning was lost to later recordings"
      case .endsInBeginning: "it ends within its beginning"
      case .otherFirmware(let core):
        "it is of firmware with core \(core), which this program does not read; replay it with "
          + "the program of that version"
      }
    }
  }

  static func open(_ path: String, _ blocks: RecordingBlocks) throws(Trouble) -> CardTape {
    guard let card = card(path) else { throw .noCard }
    var tape = CardTape(card, path, blocks)
    try tape.begin()
    return tape
  }

  func complaint(_ error: RecordingError) -> String {
    "\(path) block \(error.line) or the next is damaged: from there on nothing can be replayed"
  }

  private mutating func begin() throws(Trouble) {
    guard readNextBlock() else { throw .beginningOverwritten }
    beginning = try readBeginning()
  }

  private mutating func readBeginning() throws(Trouble) -> RecordingHeader {
    guard let layout = fixed(4), let core = fixed(4), let start = fixed(4) else {
      throw .endsInBeginning
    }
    guard layout == UInt64(FirmwareSettings.layout) else { throw .otherFirmware(core: core) }
    guard var settings: FirmwareSettings.Core = raw(), let identity: Identity = raw() else {
      throw .endsInBeginning
    }
    settings.identity = identity
    now = Instant(milliseconds: Int64(start))
    // A block that ended within this has a digest of no effects.
    waiting.removeAll()
    return RecordingHeader(
      board: settings.board, configuration: settings.configuration, identity: identity, at: now,
      program: "firmware with core \(core)")
  }

  /// A value as it lies in a controller's memory, and in this computer's.
  private mutating func raw<Value>() -> Value? {
    var bytes: [UInt8] = []
    while bytes.count < MemoryLayout<Value>.size {
      guard let byte = byte() else { return nil }
      bytes.append(byte)
    }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
  }

  private var damaged: RecordingError { RecordingError(problem: .damaged, line: Int(serial)) }

  // MARK: Arrivals

  mutating func next() throws(RecordingError) -> Recorded? {
    if waiting.isEmpty {
      // In this order: it may be within a later block than what was read before.
      if let content = try arrival() { waiting.append(recorded(content)) }
    }
    if !waiting.isEmpty { return waiting.removeFirst() }
    // A block in the middle that cannot be read ends it, too.
    if part < blocks.parts { throw damaged }
    return nil
  }

  private func recorded(_ content: Recorded.Content) -> Recorded {
    Recorded(content: content, at: now, line: Int(serial))
  }

  /// - Returns: `nil`: the recording ends before it, or within.
  private mutating func arrival() throws(RecordingError) -> Recorded.Content? {
    guard let head = byte(), let kind = RecordedKind(rawValue: head & 3) else { return nil }
    var time = UInt64(head >> 4)
    if time == 15 {
      guard let more = number() else { return nil }
      time = more
    }
    let content: Recorded.Content
    switch kind {
    case .receiver, .modem:
      guard let count = head >> 2 & 3 == 0 ? number() : UInt64(head >> 2 & 3) else { return nil }
      guard count <= 1024 else { throw damaged }
      guard let bytes = bytes(Int(count)) else { return nil }
      content = .bytes(bytes, from: kind == .receiver ? .receiver : .modem)
    case .deadline: content = .event(.deadlineReached)
    case .event:
      guard var event = byte().map({ RecordedEvent(kind: $0) }) else { return nil }
      for index in event.numbers.indices {
        guard let value = number() else { return nil }
        event.numbers[index] = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
      }
      guard let event = event.event else { throw damaged }
      content = .event(event)
    }
    // A card that lies does not overflow the clock.
    guard time < 1 << 40 else { throw damaged }
    now = now + Milliseconds(Int64(time))
    return content
  }

  private mutating func bytes(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let byte = byte() else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private mutating func number() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
    }
    return value
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    bytes(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The next byte; `nil` at the end.
  private mutating func byte() -> UInt8? {
    while !isAtEnd, position == block.count {
      waiting.append(recorded(.digest(block.digest)))
      (part, position) = (part + 1, 0)
      isAtEnd = !readNextBlock()
    }
    if isAtEnd { return nil }
    position += 1
    return block.bytes[position - 1]
  }

  /// Some blocks before it may be such as could not be written.
  private mutating func readNextBlock() -> Bool {
    var next = serial
    while next < blocks.last {
      next += 1
      if card.readRecorded(next, of: blocks, part: part, into: &block) {
        serial = next
        return true
      }
    }
    return false
  }
}
