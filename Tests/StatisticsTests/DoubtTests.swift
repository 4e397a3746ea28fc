import Courses
import Foundation
import Testing
import TrackerCore

@testable import Simulation
@testable import Statistics

/// Times from captures ten minutes apart, beside those of a point every few seconds.
@Suite struct DoubtTests {
  private let again: Comment = "repeat with: swift test --filter DoubtTests"

  /// Errors of times at marks, and the doubts that were stated, seconds.
  struct Tally {
    var errors: [(name: String, error: Double, doubt: Double, said: Bool)] = []

    mutating func add(_ name: String, _ sparse: CourseTimes, _ dense: CourseTimes) {
      for (index, (one, other)) in zip(sparse.passed, dense.passed).enumerated() {
        guard let one, let other, !other.isInferred else { continue }
        errors.append(
          (
            "\(name) \(sparse.marks[index].name) \(Int(sparse.marks[index].metres))",
            Double((one.utc - other.utc).count) / 1000, Double(one.doubt.count) / 1000,
            one.isInferred || Doubt.isSaid(one.doubt)
          ))
      }
    }

    /// Off by more than a minute without a word.
    var unsaid: [String] {
      errors.filter { abs($0.error) > 60 && !$0.said }.map { "\($0.name) \($0.error) s" }
    }
    var coveredPercent: Int {
      errors.isEmpty ? 0 : errors.count { abs($0.error) <= $0.doubt + 1 } * 100 / errors.count
    }

    func text(_ title: String) -> String {
      let sizes = errors.map { abs($0.error) }.sorted()
      func part(_ share: Double) -> Double {
        sizes.isEmpty ? 0 : sizes[min(sizes.count - 1, Int(Double(sizes.count) * share))]
      }
      let beyond = errors.filter { abs($0.error) > 60 }
      let doubts = errors.map(\.doubt).sorted()
      return "\(title): \(errors.count) marks, error median \(part(0.5)) 90% \(part(0.9)) worst"
        + " \(sizes.last ?? 0) s; off by > 60 s: \(beyond.count), of these not said"
        + " \(beyond.count { !$0.said }); covered"
        + " \(errors.count { abs($0.error) <= $0.doubt + 1 });"
        + " doubt median \(doubts.isEmpty ? 0 : doubts[doubts.count / 2])"
        + " 90% \(doubts.isEmpty ? 0 : doubts[doubts.count * 9 / 10]);"
        + " not said at all \(errors.count { !$0.said })"
    }
  }

  static func thinned(_ points: [TrackPoint], phase: Int64) -> [TrackPoint] {
    var next: Int64?
    var kept: [TrackPoint] = []
    for point in points {
      guard let utc = point.utc?.milliseconds else { continue }
      guard let due = next else {
        kept.append(point)
        next = utc + phase
        continue
      }
      if utc >= due {
        kept.append(point)
        next = utc + 600_000
      }
    }
    return kept
  }

  static func geoJSON(_ points: [(Double, Double)], places: [(String, Double, Double)]) -> [UInt8] {
    let line = points.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    let features = places.map {
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"\($0.0)\"},\"geometry\":"
        + "{\"type\":\"Point\",\"coordinates\":[\($0.1),\($0.2)]}}"
    }
    return Array(
      ("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},"
        + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(line)]}}"
        + features.map { "," + $0 }.joined() + "]}").utf8)
  }

  /// `WALKS` is a folder of GPX files with times; each is its own course.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["WALKS"] != nil, "WALKS=FOLDER of GPX"))
  func `Real walks are off by what is said, too`() throws {
    var tally = Tally()
    let folder = try #require(ProcessInfo.processInfo.environment["WALKS"])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
      let points = try TrackPoint.points(inGPX: bytes)
      let line = points.map {
        (Double($0.position.longitude) / 1e7, Double($0.position.latitude) / 1e7)
      }
      let course = try MappedCourse(Self.geoJSON(line, places: []))
      let marks = TimingMark.all(of: course, every: 1000)
      let dense = CourseTimes(points, on: course, at: marks)
      for phase in 0..<5 as Range<Int64> {
        let sparse = Self.thinned(points, phase: phase * 120_000 + 1)
        tally.add(name, CourseTimes(sparse, on: course, at: marks), dense)
      }
    }
    print(tally.text("real walks"))
    #expect(tally.unsaid.isEmpty && tally.coveredPercent >= 90, "\(tally.unsaid); \(again)")
  }

  private static let built = Course.olotToTheSea
  private static let course: MappedCourse = {
    let places = built.checkpoints.map { checkpoint in
      var segment = 0
      let point = built.point(at: checkpoint.distance, segment: &segment)
      return (checkpoint.name, point.longitude, point.latitude)
    }
    return try! MappedCourse(
      geoJSON(built.points.map { ($0.longitude, $0.latitude) }, places: places))
  }()
  /// `RACES` walks to the finish: 26 of them gave README's figures.
  private static let races = ProcessInfo.processInfo.environment["RACES"].flatMap(UInt64.init)
  private static let seeds: ClosedRange<UInt64> = 1...(races ?? 3)

  private static func walk(_ seed: UInt64) throws -> [TrackPoint] {
    var options = SynthOptions()
    (options.seed, options.interval) = (seed, .seconds(10))
    if races == nil { options.toKilometres = 50 }
    return try Fixture.synthesised(options, on: built)
  }

  @Test func `What is interpolated says by how much it may be off, and is`() throws {
    var tally = Tally()
    for seed in Self.seeds {
      let points = try Self.walk(seed)
      let marks = TimingMark.all(of: Self.course, every: 5000)
      let sparse = Self.thinned(points, phase: Int64(seed) * 46_000)
      tally.add(
        "\(seed)", CourseTimes(sparse, on: Self.course, at: marks),
        CourseTimes(points, on: Self.course, at: marks))
    }
    print(tally.text("synthetic walks"))
    #expect(tally.errors.count > 30 && tally.errors.contains { abs($0.error) > 60 }, again)
    #expect(tally.unsaid.isEmpty && tally.coveredPercent >= 90, "\(tally.unsaid); \(again)")
  }

  @Test func `The capture that a tracker took entering a place is the time there`() throws {
    let points = try Self.walk(1)
    let marks = TimingMark.all(of: Self.course, every: 100_000).filter { !$0.name.isEmpty }
    let dense = CourseTimes(points, on: Self.course, at: marks)
    var captures = Self.thinned(points, phase: 46_000)
    var progress = CourseProgress()
    for point in points {
      var passages = Passages()
      let at = Instant(milliseconds: point.utc?.milliseconds ?? 0)
      progress.move(
        to: point.position, accuracyMetres: point.accuracyMetres, at: at, on: Self.course,
        into: &passages)
      guard (0..<passages.count).contains(where: { passages[$0].kind == .entered }) else {
        continue
      }
      var entry = point
      entry.isEntry = true
      captures.append(entry)
    }
    captures.sort { ($0.utc?.milliseconds ?? 0) < ($1.utc?.milliseconds ?? 0) }
    let times = CourseTimes(captures, on: Self.course, at: marks)
    var tally = Tally()
    tally.add("", times, dense)
    print(tally.text("places"))
    let checkpoints = tally.errors.dropLast()
    #expect(checkpoints.count > 2 && checkpoints.allSatisfy { !$0.said }, "\(tally); \(again)")
    #expect(checkpoints.allSatisfy { abs($0.error) < 60 }, "\(tally); \(again)")
  }

  @Test func `A point every second has no doubt worth saying`() {
    let walk = SessionStatistics(Fixture.walk(seconds: 3000), every: 500)
    #expect(walk.marks.allSatisfy { !Doubt.isSaid($0.doubt) }, "\(walk.marks); \(again)")
    let sparse = SessionStatistics(
      Fixture.points([(0, 0, nil), (700, 600, nil), (1400, 1200, nil)]), every: 500)
    #expect(sparse.marks.first.map { $0.doubt > .minutes(1) } == true, again)
    #expect(StatisticsText(sparse, in: .english).text.contains(" ~08:07 ±"), again)
    #expect(sparse.figures.json.contains("\"doubt_s\":"), again)
  }

  @Test func `A mark beside a place is shown, too`() {
    let near = Self.course.places.map { Double($0.place.alongMillimetres) / 1000 }
    let marks = TimingMark.all(of: Self.course, every: 1000).filter(\.name.isEmpty)
    let beside = marks.filter { mark in near.contains { abs($0 - mark.metres) < 100 } }
    #expect(!beside.isEmpty && marks.count >= 100, "\(marks.count); \(again)")
  }
}
