import BoardSupport
import CaptureStore
import Courses
import Foundation
import Testing
import Traces
import TrackerCore

@testable import Simulation

/// Days on which everything goes wrong, recorded and replayed.
///
/// CI runs a share of the seeds; more: `FAULT_SEEDS=500 swift test --filter RecordedWorldTests`.
@Suite struct RecordedWorldTests {
  @Test func `A replay decides as the recorded tracker did, whatever went wrong`() throws {
    let first = RandomDay.setting("FAULT_FIRST", 1)
    for seed in first..<first + RandomDay.setting("FAULT_SEEDS", 12) {
      try check(seed: UInt64(seed))
    }
  }

  private func check(seed: UInt64) throws {
    let again: Comment =
      "repeat with: FAULT_FIRST=\(seed) FAULT_SEEDS=1 swift test --filter RecordedWorldTests"
    var generator = SeededGenerator(seed: seed, stream: 77)
    let scenario = RandomDay.scenario(&generator)
    var race = Race(scenario: scenario, seed: seed)
    let policies = RandomDay.policies
    race.configuration.capture = policies[Int(seed) % policies.count]
    race.configuration.transmitInterval = .minutes(3)
    race.configuration.betweenUploads = generator.once(in: 3) ? .attached : .off
    race.configuration.receiverUse = generator.once(in: 3) ? .dutyCycle : .always
    if seed % 4 == 0 { race.trace = "garbage" }

    let (recorded, parts) = try race.record()
    var header = PartsSource(parts)
    _ = try header.next()
    var replayed = try #require(header.reader.beginning).tracker
    var replay = ReplayHost(PartsSource(parts), at: .start)
    TrackerCore.run(&replayed, in: &replay)
    #expect(replay.ending == .whole, "\(String(describing: replay.ending)); \(again)")
    #expect(replay.effects > 30 && replay.arrivals > 300, again)
    #expect(replayed == recorded, again)
  }

  @Test func `A recording carries the course, and replays exactly without its file`() throws {
    let course = try Self.course()
    var race = Race()
    race.course = course
    race.trace = "race"
    let (recorded, parts) = try race.record()
    var header = PartsSource(parts)
    _ = try header.next()
    let beginning = try #require(header.reader.beginning)
    var expected = course
    // Remarks about the file are not part of it.
    expected.doubts = []
    #expect(beginning.course == expected)
    var replayed = beginning.tracker
    var replay = ReplayHost(PartsSource(parts), at: .start, course: beginning.course)
    TrackerCore.run(&replayed, in: &replay)
    #expect(replay.ending == .whole, "\(String(describing: replay.ending))")
    #expect(replayed == recorded && recorded.memory.course?.next ?? 0 > 2)
    // Without it the tracker decides otherwise.
    var other = beginning.tracker
    var without = ReplayHost(PartsSource(parts), at: .start)
    TrackerCore.run(&other, in: &without)
    #expect(without.ending != .whole)
  }

  /// The built-in course, which the traces walk on, with its checkpoints.
  static func course() throws -> MappedCourse {
    let line = Course.olotToTheSea
    let points = line.points.map { "[\($0.longitude),\($0.latitude),\($0.altitude)]" }
    var segment = 0
    let places = line.checkpoints.map { checkpoint in
      let place = line.point(at: checkpoint.distance, segment: &segment)
      return #"{"type":"Feature","properties":{"name":"\#(checkpoint.name)"},"geometry":"#
        + #"{"type":"Point","coordinates":[\#(place.longitude),\#(place.latitude)]}}"#
    }
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":"#
      + #"{"type":"LineString","coordinates":[\#(points.joined(separator: ","))]}},"#
      + places.joined(separator: ",") + "]}"
    return try MappedCourse(Array(text.utf8))
  }

  @Test(arguments: [Int32.max, -1, Int32.min])
  func `A recording with an impossible course is refused, and does not trap`(error: Int32) throws {
    var race = Race()
    race.course = try Self.course()
    race.course?.errorMillimetres = error
    let (_, parts) = try race.record()
    #expect(throws: RecordingError.self) {
      var source = PartsSource(parts)
      while try source.next() != nil {}
    }
  }

  @Test func `A tracker that decides otherwise is told from the recorded one`() throws {
    let (_, parts) = try Race().record()
    var source = PartsSource(parts)
    _ = try source.next()
    var beginning = try #require(source.reader.beginning)
    beginning.configuration.capture = .standard(
      interval: .minutes(9), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    var tracker = beginning.tracker
    var replay = ReplayHost(PartsSource(parts), at: .start)
    TrackerCore.run(&tracker, in: &replay)
    guard case .different(let difference) = replay.ending else {
      Issue.record("\(String(describing: replay.ending))")
      return
    }
    #expect(difference.line > 60 && difference.recorded != difference.got)
    #expect(difference.at > .start && !difference.cause.isEmpty)
  }
}

extension Race {
  /// Runs with a recorder looking on.
  func record() throws -> (Tracker, [[UInt8]]) {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let description = try BoardDescription.load(
      named: folder.appendingPathComponent("boards/\(board)").path)
    var beginning = RecordingHeader(
      board: description.board, configuration: configuration,
      identity: Identity(device: UniqueID(high: 0, low: 1), team: InlineText("Test"), seed: seed),
      at: .start, program: "tests")
    beginning.course = course
    let player = try TracePlayer(path: folder.appendingPathComponent("traces/\(trace).nmea").path)
    var tracker = beginning.tracker
    let sink = PartsSink()
    let store = try CaptureStore.open(
      .memory, for: .device(beginning.identity.device), at: UTC(milliseconds: 0))
    var world = try World(
      trace: player, board: description.board, sensor: sensor ?? description.batterySensor,
      scenario: scenario, store: store, seed: seed)
    world.use(configuration)
    world.courseTable = course.map { CourseTable($0) }
    var host = Observed(world, by: Recorder(beginning, into: sink))
    TrackerCore.run(&tracker, in: &host)
    return (tracker, sink.parts)
  }
}

/// Keeps the parts of a recording in memory.
private final class PartsSink: TraceSink {
  var parts: [[UInt8]] = [[]]
  var isPartFull: Bool { (parts.last?.count ?? 0) > 100_000 }
  func write(_ lines: [UInt8], at now: Instant) -> Bool {
    parts[parts.count - 1] += lines
    return true
  }
  func beginPart() { parts.append([]) }
  func finish() {}
}

private struct PartsSource: RecordingSource {
  private(set) var reader = RecordingReader(.strict)
  private var parts: ArraySlice<[UInt8]>
  private var position = 0

  init(_ parts: [[UInt8]]) { self.parts = parts[...] }

  mutating func next() throws(RecordingError) -> Recorded? {
    while let part = parts.first {
      if let recorded = try reader.next(in: part, from: &position) { return recorded }
      try reader.endPart()
      parts.removeFirst()
      position = 0
    }
    return nil
  }
}
