import Foundation
import Simulation
import Testing
import TrackerCore

@testable import Traces

func again(_ suite: String) -> Comment { "repeat with: swift test --filter \(suite)" }

/// Keeps a recording in memory; may refuse for a while, as a full disk does.
final class MemorySink: TraceSink {
  var parts: [[UInt8]] = [[]]
  var isFull = false
  var partBytes = Int.max
  var isFinished = false

  var bytes: [UInt8] { parts.flatMap { $0 } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var lines: [String] { text.components(separatedBy: "\r\n").dropLast() }

  var isPartFull: Bool { (parts.last?.count ?? 0) >= partBytes }
  func write(_ lines: [UInt8], at now: Instant) -> Bool {
    if isFull { return false }
    parts[parts.count - 1] += lines
    return true
  }
  func beginPart() { parts.append([]) }
  func finish() { isFinished = true }
}

/// The parts of a recording in memory, read strictly.
struct MemorySource: RecordingSource {
  private(set) var reader: RecordingReader
  private var parts: ArraySlice<[UInt8]>
  private var position = 0

  init(_ parts: [[UInt8]], _ manner: RecordingReader.Manner = .strict) {
    reader = RecordingReader(manner)
    self.parts = parts[...]
  }

  mutating func next() throws(RecordingError) -> Recorded? {
    while let part = parts.first {
      if let recorded = try reader.next(in: part, from: &position) { return recorded }
      try reader.endPart()
      parts.removeFirst()
      position = 0
    }
    return try reader.next(in: [], from: &position)
  }

  /// Everything up to the end.
  static func all(
    _ parts: [[UInt8]], _ manner: RecordingReader.Manner = .strict
  ) throws(RecordingError) -> [Recorded] {
    var source = MemorySource(parts, manner)
    var all: [Recorded] = []
    while let recorded = try source.next() { all.append(recorded) }
    return all
  }
}

/// One thing that passes, for tests: what the recorder is shown.
enum Passing: Equatable {
  case bytes([UInt8], SerialRole, Int64)
  case event(Event, Int64)
  case settings(NewSettings, Int64)
  case effect(Effect)
  case end(Int64)
}

extension HostObserver {
  mutating func show(_ passing: [Passing]) {
    var now = Instant.start
    for one in passing {
      switch one {
      case .bytes(let bytes, let role, let at):
        now = Instant(milliseconds: at)
        received(bytes.span, from: role, at: now)
        arrived(.bytes(count: bytes.count, from: role), at: now)
      case .event(let event, let at):
        now = Instant(milliseconds: at)
        arrived(.event(event), at: now)
      case .settings(let new, let at):
        now = Instant(milliseconds: at)
        received(new, at: now)
        arrived(.newSettings, at: now)
      case .effect(let effect): pushed(effect, at: now)
      case .end(let at):
        now = Instant(milliseconds: at)
        arrived(.end, at: now)
      }
    }
  }
}

/// What a reader must make of what was shown.
func expected(_ passing: [Passing]) -> [Recorded] {
  var now = Instant.start
  return passing.map { one in
    let content: Recorded.Content
    switch one {
    case .bytes(let bytes, let role, let at):
      now = Instant(milliseconds: at)
      content = .bytes(bytes, from: role)
    case .event(let event, let at):
      now = Instant(milliseconds: at)
      content = .event(event)
    case .settings(let new, let at):
      now = Instant(milliseconds: at)
      content = .settings(new)
    case .effect(let effect):
      var fields = FieldWriter()
      fields.add(effect)
      content = .effect(fields.bytes.kept)
    case .end(let at):
      now = Instant(milliseconds: at)
      content = .end
    }
    return Recorded(content: content, at: now, part: 0, line: 0)
  }
}

/// Without the places, which a test seldom means.
func unplaced(_ recorded: [Recorded]) -> [Recorded] {
  recorded.map { Recorded(content: $0.content, at: $0.at, part: 0, line: 0) }
}

func record(_ passing: [Passing], into sink: MemorySink = MemorySink()) -> MemorySink {
  var recorder = Recorder(.bench, into: sink)
  recorder.show(passing)
  return sink
}

func sentence(_ body: String) -> String { "$" + checked(body) + "\r\n" }

/// A body with its checksum behind it.
func checked(_ body: some StringProtocol) -> String {
  let sum = body.utf8.reduce(0, ^)
  return body + "*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
}

extension RecordingHeader {
  static var bench: RecordingHeader {
    var configuration = Configuration()
    configuration.capture = .standard(
      interval: .minutes(1), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    let team = Array("Els Fal·lers, 4*".utf8)
    return RecordingHeader(
      board: Board(
        supplyMillivolts: 5000,
        loads: Loads(
          boardMicroamps: 75_000, receiverStandbyMicroamps: 20,
          receiverAcquiringMicroamps: 47_000, receiverTrackingMicroamps: 39_000,
          modemOffMicroamps: 20, modemStartingMicroamps: 100_000,
          modemSearchingMicroamps: 150_000, modemIdleMicroamps: 17_500,
          modemTransmittingMicroamps: 539_000),
        battery: Battery(
          cellsInSeries: 6, cellsInParallel: 1, cellCapacityMilliampHours: 2600,
          cellMillivolts: [1000, 1100, 1150, 1190, 1230, 1250, 1280, 1300, 1350, 1400, 1580],
          cutOffMillivolts: 6600, capacityAtFreezingPercent: 50,
          regulator: .switching(efficiencyPercent: 85)),
        modem: ModemBoard(
          powerOnPulse: 200, powerOffPulse: 1000, bootLimit: .seconds(15),
          powerOffTime: .seconds(8), offOnGap: .seconds(2)),
        receiver: ReceiverBoard(canSleep: true, coldStart: .seconds(27), hotStart: .seconds(2))),
      configuration: configuration,
      identity: Identity(
        device: UniqueID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210),
        team: InlineText(team.span), nextSequence: 17, pending: 3, seed: .max),
      at: .start, program: "test 1.0, with a comma")
  }
}
