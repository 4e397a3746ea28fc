import Courses
import Reports
import Simulation
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import Statistics

@Suite struct CourseComparisonTests {
  private let again: Comment = "repeat with: swift test --filter CourseComparisonTests"

  /// 12 km to the east, with two places and a finish.
  private var course: MappedCourse {
    let points = (0...240).map { step in
      CoursePoint(
        position: Coordinate(latitude: 420_000_000, longitude: 25_000_000 + Int32(step) * 6046),
        alongMillimetres: Int32(step) * 50_000)
    }
    func place(_ name: String, _ kind: CoursePlace.Kind, _ index: Int) -> MappedCourse.Place {
      MappedCourse.Place(
        name: name,
        place: CoursePlace(
          kind, at: points[index].position, alongMillimetres: points[index].alongMillimetres))
    }
    return MappedCourse(
      name: "east", points: points, altitudesMillimetres: points.map { _ in 0 },
      places: [
        place("Amer", .checkpoint, 80), place("Girona", .checkpoint, 160),
        place("Mar", .finish, 240),
      ], errorMillimetres: 0, readPoints: 241)
  }

  /// A walk on it: seconds and metres at its corners, a point every so many seconds.
  private func walk(
    _ corners: [(Double, Double)], every: Double = 1, from start: UTC = Fixture.start,
    aside: (Double) -> Double = { _ in 0 }
  ) -> [TrackPoint] {
    var points: [TrackPoint] = []
    var time = 0.0
    for (a, b) in zip(corners, corners.dropFirst()) {
      while time < b.0 {
        let metres = a.1 + (b.1 - a.1) * (time - a.0) / (b.0 - a.0)
        points.append(
          TrackPoint(
            Coordinate(
              latitude: 420_000_000 + Int32(aside(metres) * 90),
              longitude: 25_000_000 + Int32(metres * 120.92)),
            utc: start + Milliseconds(Int64(time * 1000))))
        time += every
      }
    }
    return points
  }

  private func compared(
    _ a: [TrackPoint], _ b: [TrackPoint], every: Int64 = 2000
  ) -> CourseComparison {
    ComparedWalks.comparison(
      [("a.gpx", Walk(team: "Nord", points: a)), ("b.gpx", Walk(team: "Sud", points: b))],
      on: course, every: every)
  }

  /// Nord walks at 1.5 m/s and rests half an hour in Amer; Sud, a year earlier, at 1.25 m/s.
  private var nord: [TrackPoint] {
    walk([(0, 0), (2667, 4000), (4467, 4000), (9800, 12_000), (9900, 12_000)])
  }
  private var sud: [TrackPoint] {
    walk(
      [(0, 0), (9600, 12_000), (9700, 12_000)],
      from: Fixture.start + .hours(-364 * 24))
  }

  @Test func `It says who was ahead where, and by how much`() throws {
    let found = compared(nord, sud)
    #expect(found.rows.map { $0.mark.metres } == [2000, 4000, 6000, 8000, 10_000, 12_000], again)
    #expect(found.rows.map(\.mark.name) == ["", "Amer", "", "Girona", "", "Mar"], again)
    // 2000 m: 1300 s and 1560 s; 6000 m: 5767 s and 4760 s; from 50 m on.
    let leads = try found.rows.map { try #require($0.lead).count / 1000 }
    for (lead, wanted) in zip(leads, [260, 527, -1007, -740, -473, -200]) {
      #expect(abs(lead - Int64(wanted)) < 30, "\(leads); \(again)")
    }
    let change = try #require(found.rows[2].change).count / 1000
    #expect(abs(change + 1534) < 30, "\(change); \(again)")
    #expect(found.conclusionInEnglish.hasPrefix("B is 0:03:"), again)
  }

  @Test func `Captures ten minutes apart give the same within a minute or two`() throws {
    let dense = compared(nord, sud)
    let sparse = compared(
      walk(
        [(0, 0), (2667, 4000), (4467, 4000), (9800, 12_000), (10_500, 12_000)], every: 600), sud)
    for (a, b) in zip(dense.rows, sparse.rows) {
      let (one, other) = (try #require(a.a), try #require(b.a))
      #expect(abs((one.elapsed - other.elapsed).count) < 400_000, "\(a) \(b); \(again)")
    }
  }

  @Test func `A team that has not finished has no time there, and nobody is ahead`() throws {
    let found = compared(nord, walk([(0, 0), (5000, 7000), (5600, 7000)]))
    #expect(found.rows.map { $0.b == nil } == [false, false, false, true, true, true], again)
    #expect(found.last?.mark.metres == 6000 && found.rows[5].lead == nil, again)
  }

  @Test func `A team that left the course has a time that nobody saw`() throws {
    let left = walk([(0, 0), (9600, 12_000), (9700, 12_000)]) { metres in
      (5600..<6400).contains(metres) ? 900 : 0
    }
    let found = compared(nord, left)
    #expect(found.b.excursions == 1, "\(found.b); \(again)")
    #expect(
      found.rows.map { $0.b?.isInferred } == [false, false, true, false, false, false], again)
  }

  @Test func `A team that turns back and comes again passed a place the first time`() throws {
    let back = walk([(0, 0), (3600, 4500), (4200, 3500), (10_800, 11_750)], every: 600)
    let amer = try #require(compared(nord, back).rows[1].b)
    // 4000 m at 1.25 m/s, from 50 m on.
    #expect(abs(amer.elapsed.count - 3_160_000) < 120_000, "\(amer); \(again)")
  }

  @Test func `An export of several trackers is not a walk`() throws {
    func export(_ devices: [UInt64]) -> [UInt8] {
      let captures = devices.enumerated().map { index, device in
        ExportedCapture(
          TestSupport.Walk.capture(UInt32(index + 1)), device: UniqueID(high: device, low: 1),
          state: .acknowledged)
      }
      return ExportFormat.csv.bytes(of: captures, creator: "test")
    }
    let walk = try Reports.Walk(in: export([7, 7]))
    #expect(walk.points.count == 2 && walk.team == "Els Senglars", again)
    let error = #expect(throws: (any Error).self) { try Reports.Walk(in: export([7, 8])) }
    #expect("\(error as Any)".contains("it has several trackers"), "\(error as Any); \(again)")
  }

  @Test func `The picture has the doubt as a band, a thin middle line and a scale`() throws {
    let found = compared(nord, DoubtTests.thinned(nord, phase: 0))
    #expect(found.rows.contains { Doubt.isSaid($0.leadDoubt) }, again)
    let html = CourseComparisonPage(found, in: .english).html(by: "test")
    let picture = try #require(html.firstRange(of: "<svg")).lowerBound
    let band = try #require(html[picture...].firstMatch(of: /class="band" d="M([^Z]*)Z"/)).1
    // There along one edge of the band and back along the other.
    let places = band.split(separator: "L").map { $0.split(separator: " ").map { Double($0) } }
    #expect(places.count == 2 * found.rows.count { $0.lead != nil } + 1, again)
    for (upper, lower) in zip(places.dropFirst(), places.dropFirst().reversed()) {
      #expect(upper[0] == lower[0], "\(band); \(again)")
    }
    #expect(html[picture...].firstMatch(of: />A \+\d+:\d\d</) != nil, again)
    #expect(!html.contains("class=\"hole\""), again)
  }

  @Test func `A team that was never there has no times`() {
    let found = compared(
      nord,
      Fixture.points([(0, 0, nil)]).map {
        TrackPoint(Coordinate(latitude: 100, longitude: 100), utc: $0.utc)
      })
    #expect(found.last == nil && found.b.furthest == nil, again)
    #expect(CourseComparisonText(found, in: .english).conclusion == "no mark is of both", again)
    #expect(
      CourseComparisonText(found, in: .english).text.split(separator: "\n").dropFirst()
        == ["B: Sud (b.gpx) · never on the course", "no mark is of both"], again)
    let html = CourseComparisonPage(found, in: .english).html(by: "test")
    #expect(!html.contains("<table"), again)
    #expect(compared([], []).last == nil, again)
  }

  @Test func `A team that was there without times is not said to have been elsewhere`() {
    let found = compared(nord, nord.map { TrackPoint($0.position) })
    let lines = CourseComparisonText(found, in: .english).lines
    #expect(lines[1] == "B: Sud (b.gpx) · the points have no times", "\(lines); \(again)")
  }

  @Test func `A timetable is compared by the time of the day`() throws {
    let plan = try Timetable(
      Array("place,time\nstart,0:00\nAmer,0:44\nGirona,2:00\nfinish,2:30\n".utf8))
    let found = try ComparedWalks.comparison(
      "a.gpx", Walk(team: "Nord", points: nord), with: plan, on: course)
    // The row "finish" is the course's place of that kind.
    #expect(found.rows.map(\.mark.name) == ["start", "Amer", "Girona", "Mar"], again)
    let leads = try found.rows.map { try #require($0.lead).count / 1000 }
    // Due after 2640, 7200 and 9000 s; there after 2633, 7100 and 9733, and in the places' circles,
    // 100 m before, 75 s earlier.
    for (lead, wanted) in zip(leads, [0, 82, 175, -658]) {
      #expect(abs(lead - Int64(wanted)) < 60, "\(leads); \(again)")
    }
    #expect(throws: PlanError.self) {
      try ComparedWalks.comparison(
        "a", Walk(team: "", points: []), with: Timetable(Array("place,time\nRoma,1:00\n".utf8)),
        on: course)
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `A receiver's errors make a difference of less than a minute`(_ seed: UInt64) throws {
    let built = Course.olotToTheSea
    let course = try MappedCourse(geoJSON(built))
    var options = SynthOptions()
    options.checkpointRestMinutes = 0...0
    (options.seed, options.interval, options.toKilometres) = (seed, .seconds(5), 20)
    let noisy = try Fixture.synthesised(options, on: built)
    options.noiseMetres = 0
    let quiet = try Fixture.synthesised(options, on: built)
    let found = ComparedWalks.comparison(
      [("a", Walk(team: "", points: noisy)), ("b", Walk(team: "", points: quiet))], on: course,
      every: 2000)
    let leads = found.rows.compactMap(\.lead)
    #expect(leads.count >= 9, "\(found.rows); \(again)")
    // Where they stop, 50 m before the twentieth kilometre or after it is chance.
    for lead in leads.prefix(9) { #expect(abs(lead.count) < 60_000, "\(leads); \(again)") }
  }

  private func geoJSON(_ course: Course) -> [UInt8] {
    let points = course.points.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
    return Array("{\"type\":\"LineString\",\"coordinates\":[\(points)]}".utf8)
  }

  @Test(arguments: Language.all)
  func `No line is wider than a terminal`(_ language: Language) {
    for line in CourseComparisonText(compared(nord, sud), in: language).text.split(separator: "\n")
    {
      #expect(line.count <= 79, "\(line); \(again)")
    }
  }

  @Test func `No text lacks a translation or an argument`() {
    #expect(problems(of: CourseComparisonPhrase.self) == [], again)
  }
}

extension CourseComparison {
  fileprivate var conclusionInEnglish: String {
    CourseComparisonText(self, in: .english).conclusion
  }
}
