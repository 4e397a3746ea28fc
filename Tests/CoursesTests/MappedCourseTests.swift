import Courses
import Foundation
import Testing
import TrackerCore

/// Courses as files.
@Suite struct MappedCourseTests {
  private let note: Comment = "repeat with: swift test --filter MappedCourseTests"

  /// Metres by GeographicLib 2.0:
  ///
  ///     python3 -c "from geographiclib.geodesic import Geodesic as G; \
  ///       print(G.WGS84.Inverse(42, 2.5, 42.01, 2.51)['s12'])"
  static let vectors: [(from: (Double, Double), to: (Double, Double), metres: Double)] = [
    ((42, 2.5), (42.01, 2.51), 1385.6576),
    ((42, 2.5), (42.0005, 2.4995), 69.2847),
    ((41.7806, 3.0281), (41.8175, 3.0261), 4101.8296),
    ((0, 0), (0.05, 0.05), 7845.1731),
    ((60, 10), (60.001, 10), 111.4123),
    ((-33, 151), (-33.02, 151.02), 2900.4393),
    ((70, 25), (70.03, 25.05), 3852.5062),
    ((42, 179.999), (42, -179.999), 165.7015),
    ((45, 7), (45, 7.1), 7884.6830),
  ]

  @Test(arguments: vectors.indices)
  func `Distances are those of GeographicLib`(_ index: Int) {
    let vector = Self.vectors[index]
    let from = GroundPoint(latitude: vector.from.0, longitude: vector.from.1, altitude: 0)
    let to = GroundPoint(latitude: vector.to.0, longitude: vector.to.1, altitude: 0)
    let off = abs(from.distance(to: to) - vector.metres)
    // What `GroundPoint.distance` states, and the tracker's own distances on a sphere.
    #expect(off < max(0.001, vector.metres * 1e-4), "\(vector): off by \(off) m; \(note)")
    let sphere = Double(from.coordinate.distanceMillimetres(to: to.coordinate)) / 1000
    #expect(abs(sphere - vector.metres) < 0.02 + vector.metres * 0.0056, "\(vector): \(sphere)")
  }

  @Test func `A course of 20 000 points is kept in 1024 without losing length`() throws {
    var random = SplitMix64(seed: 17)
    var line: [GroundPoint] = []
    var (east, north, angle) = (0.0, 0.0, 0.0)
    for _ in 0..<20_000 {
      line.append(Ground.point(east, north))
      angle += Double.random(in: -0.25...0.25, using: &random) - angle * 0.02
      east += 5 * cosine(angle)
      north += 5 * sine(angle)
    }
    let course = try MappedCourse(Ground.geoJSON(line))
    #expect(course.readPoints == 20_000 && course.points.count <= 1024, "\(course.summary)")
    let full = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    #expect(abs(course.lengthMetres - full) < 0.01, "\(course.summary)")
    #expect(course.errorMillimetres < 15_000, "\(course.summary)")
    // The stated error holds for each point, and its distance is found again.
    var worst = (metres: 0.0, along: 0.0)
    var done = 0.0
    for (index, point) in line.enumerated() {
      if index > 0 { done += line[index - 1].distance(to: point) }
      var best = (away: Int64.max, along: 0.0)
      var segment = CourseLine(around: point.coordinate)
      segment.begin(at: course.points[0])
      for next in course.points.dropFirst() {
        let foot = segment.advance(to: next)
        if abs(Double(foot.along) / 1000 - done) < 200, foot.away < best.away {
          best = (foot.away, Double(foot.along) / 1000)
        }
      }
      worst.metres = max(worst.metres, Double(best.away).squareRoot() / 100)
      worst.along = max(worst.along, abs(best.along - done))
    }
    #expect(worst.metres <= Double(course.errorMillimetres) / 1000 + 0.1, "\(worst)")
    #expect(worst.along < 30, "\(worst); \(course.summary); \(note)")
  }

  @Test func `A course of 780 km is simplified, too`() throws {
    let line = (0..<8000).map { index in
      Ground.point(Double(index) * 97.5, index % 2 == 0 ? 0 : 20)
    }
    let course = try MappedCourse(CourseFile(Ground.geoJSON(line)))
    #expect(course.points.count <= 1024 && course.errorMillimetres < 2_000_000)
    #expect(course.lengthMetres > 780_000)
  }

  @Test func `A simple course keeps its points`() throws {
    let course = try Ground.course([(0, 0), (1000, 0), (1000, 1000)])
    #expect(
      course.points.count == 3 && course.summary.hasSuffix("length 2.0 km (of those kept 2.0)"))
  }

  private let places = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Way"},"geometry":
    {"type":"LineString","coordinates":[[2.5,42],[2.5,42.1]]}},
    {"type":"Feature","properties":{"name":"End","kind":"finish"},"geometry":
    {"type":"Point","coordinates":[2.5,42.1]}},
    {"type":"Feature","properties":{"name":"Inn","radius":150,"opens":"2026-04-18T10:00:00+02:00",
    "closes":"2026-04-18T20:00:00Z"},"geometry":{"type":"Point","coordinates":[2.501,42.05]}},
    {"type":"Feature","properties":{"name":"Far"},"geometry":
    {"type":"Point","coordinates":[2.6,42.05]}},
    {"type":"Feature","properties":{"name":"Odd","radius":"wide","kind":"bar"},"geometry":
    {"type":"Point","coordinates":[2.5,42.07]}}]}
    """

  @Test func `Places have a kind, a radius and opening hours`() throws {
    let course = try MappedCourse(Array(places.utf8))
    #expect(course.name == "Way" && course.places.map(\.name) == ["Inn", "Odd", "End"])
    let inn = course.places[0].place
    #expect(inn.radiusMetres == 150 && inn.kind == .checkpoint)
    #expect(inn.opens == DateText.date("2026-04-18T08:00:00Z"), note)
    #expect(inn.closes == DateText.date("2026-04-18T20:00:00Z"), note)
    #expect(abs(Int(inn.alongMillimetres) - 5_553_000) < 5000, "\(inn.alongMillimetres)")
    #expect(course.places[2].place.kind == .finish && course.places[1].place.radiusMetres == 100)
    #expect(
      course.doubts == [
        "Odd: kind 'bar' is not taken: give start, checkpoint or finish",
        "Odd: radius 'wide' is not taken: give metres from 10 to 1000",
        "Far: further than 500 m from the line: left out",
      ], "\(course.doubts)")
  }

  /// A course of 11 km with places after so many kilometres, and their hours.
  private func hours(_ places: [(name: String, km: Double, more: String)]) -> [UInt8] {
    let features = places.map { name, km, more in
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\",\(more)},\"geometry\":"
        + "{\"type\":\"Point\",\"coordinates\":[2.5,\(42 + km / 111.1)]}}"
    }
    return Array(
      ("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},"
        + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[2.5,42],[2.5,42.1]]}},"
        + features.joined(separator: ",") + "]}").utf8)
  }

  @Test(arguments: ["2026-04-18T07:00:00Z", "2026-04-18T08:00:00Z"])
  func `A place that closes before it opens is refused by its name`(closes: String) {
    let file = hours([
      ("Amer", 5, "\"opens\":\"2026-04-18T08:00:00Z\",\"closes\":\"\(closes)\"")
    ])
    let problem = #expect(throws: CourseError.self) { try MappedCourse(file) }
    #expect(
      problem?.description == "Amer: closes before it opens: fix one of the two times", note)
  }

  @Test func `A place that closes before an earlier one opens is doubtful, whatever their order`()
    throws
  {
    let amer = ("Amer", 5.0, "\"opens\":\"2026-04-18T12:00:00Z\"")
    let between = ("Inn", 6.0, "\"opens\":\"2026-04-18T09:00:00Z\"")
    let girona = ("Girona", 8.0, "\"closes\":\"2026-04-18T11:00:00Z\"")
    for places in [[amer, between, girona], [girona, between, amer]] {
      let doubts = try MappedCourse(hours(places)).doubts
      #expect(
        doubts == ["Girona: closes before Amer, which comes first, opens: fix one"],
        "\(doubts); \(note)")
    }
    let fine = ("Girona", 8.0, "\"closes\":\"2026-04-18T12:00:00Z\"")
    #expect(try MappedCourse(hours([amer, fine])).doubts == [], note)
  }

  @Test func `Hours that cannot be read are told with the place and the accepted form`() throws {
    let file = hours([("Amer", 5, "\"opens\":\"8 h\",\"closes\":20")])
    #expect(
      try MappedCourse(file).doubts == [
        "Amer: opens '8 h' is not taken: give a time such as 2026-04-18T08:00:00Z",
        "Amer: closes '20.0' is not taken: give a time such as 2026-04-18T08:00:00Z",
      ], note)
  }

  @Test(arguments: [
    ("", "the file is empty: "), (" \r\n\t", "the file is empty: "),
    (
      "<gpx><wpt lat=\"42\" lon=\"2\"><name>A</name></wpt></gpx>",
      "no track with two points in it: "
    ),
    ("<kml></kml>", "this is neither GPX nor GeoJSON"), ("{}", "this is neither GPX nor GeoJSON"),
  ])
  func `What is wrong with a file is told`(file: String, wanted: String) {
    let problem = #expect(throws: CourseError.self) { try MappedCourse(Array(file.utf8)) }
    #expect(problem?.description.hasPrefix(wanted) == true, "\(problem as Any); \(note)")
  }

  @Test func `A name of a file is cut, and nothing in it acts on a terminal`() throws {
    let name = "\u{1B}[2J\u{9B}1m\u{202E}\r\n" + String(repeating: "山", count: 20_000)
    let quoted = try JSONEncoder().encode([name])
    let text = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    let file =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":\#(text)},"#
      + #""geometry":{"type":"Point","coordinates":[2.5,42.02]}},{"type":"Feature","properties":"#
      + #"{"name":\#(text)},"geometry":{"type":"LineString","#
      + #""coordinates":[[2.5,42],[2.5,42.1]]}}]}"#
    let course = try MappedCourse(Array(file.utf8))
    let wanted = "?[2J?1m???" + String(repeating: "山", count: 50)
    #expect(course.places.map(\.name) == [wanted] && course.name == wanted, "\(course); \(note)")
  }

  @Test func `Many named points are refused or counted, and not looked for one by one`() throws {
    func file(_ count: Int) -> [UInt8] {
      let far = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[3,43]}},"#
      return Array(
        (#"{"type":"FeatureCollection","features":["# + String(repeating: far, count: count)
          + #"{"type":"Feature","geometry":{"type":"LineString","#
          + #""coordinates":[[2.5,42],[2.5,42.1]]}}]}"#).utf8)
    }
    let problem = #expect(throws: CourseError.self) { try MappedCourse(file(1001)) }
    #expect(problem?.description.hasPrefix("1001 named points: ") == true, "\(note)")
    let course = try MappedCourse(file(1000))
    #expect(course.doubts.count == 21 && course.doubts.last == "980 more like these", note)
  }

  @Test func `GPX says the same in extensions, types and descriptions`() throws {
    let file = """
      <gpx><wpt lat="42.02" lon="2.5"><name>A</name><desc>Bar. radius=200; opens=soon</desc></wpt>
      <wpt lat="42.05" lon="2.5"><name>B</name><extensions><t:radius>60</t:radius>
      <opens>2026-04-18T08:00:00Z</opens></extensions></wpt>
      <wpt lat="42.1" lon="2.5"><name>C</name><type>finish</type></wpt>
      <trk><name>Way</name><trkseg><trkpt lat="42" lon="2.5"/><trkpt lat="42.1" lon="2.5"/>
      </trkseg></trk></gpx>
      """
    let course = try MappedCourse(Array(file.utf8))
    #expect(course.places.map(\.place.radiusMetres) == [200, 60, 100], note)
    #expect(course.places[1].place.opens == DateText.date("2026-04-18T08:00:00Z"))
    #expect(course.places.map(\.place.kind) == [.checkpoint, .checkpoint, .finish])
    #expect(course.doubts.count == 1 && course.name == "Way")
  }

  static let invalid = [
    "", "{}", "<gpx>", #"{"type":"Point","coordinates":[2,42]}"#,
    #"{"type":"LineString","coordinates":[[2.5,42],[2.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[2.5,42],[9.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[2.5,1e99],[9.5,42]]}"#,
    #"{"type":"MultiLineString","coordinates":[[[2.5,42],[2.5,42.1]],[[2.5,42.2],[2.5,42.3]]]}"#,
  ]

  @Test(arguments: invalid)
  func `What is no course is refused in one line`(_ file: String) {
    let problem = #expect(throws: CourseError.self) { try MappedCourse(Array(file.utf8)) }
    #expect(problem?.description.contains("\n") == false && problem?.description.isEmpty == false)
  }

  @Test func `No file traps, and what is read can be walked`() throws {
    let whole = Array(places.utf8)
    var random = SplitMix64(seed: 4)
    var read = 0
    for round in 0..<3000 {
      var file = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<file.count, using: &random)
        switch round % 3 {
        case 0: file[place] = UInt8.random(in: 32...126, using: &random)
        case 1: file[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
        default: file.removeSubrange(place..<min(file.count, place + 3))
        }
      }
      guard let course = try? MappedCourse(file) else { continue }
      read += 1
      var progress = CourseProgress()
      for step in Int64(0)..<20 {
        var passages = Passages()
        let position = Coordinate(
          latitude: Int32.random(in: 419_000_000...422_000_000, using: &random),
          longitude: Int32.random(in: 20_000_000...30_000_000, using: &random))
        progress.move(
          to: position, accuracyMetres: Int32.random(in: Int32.min...Int32.max, using: &random),
          at: Instant(milliseconds: step * Int64.random(in: -9...900_000, using: &random)),
          on: course, into: &passages)
      }
    }
    #expect(read > 300, "\(read)")
  }

  @Test func `Whatever the positions and times are, nothing traps`() throws {
    var course = try Ground.course([(0, 0), (5000, 0), (0, 0)], places: [(0, 0), (5000, 0)])
    course.limits = CourseLimits(offCourseMetres: .max, backwardsMetres: .min)
    var random = SplitMix64(seed: 5)
    var progress = CourseProgress()
    for _ in 0..<5000 {
      var passages = Passages()
      progress.move(
        to: Coordinate(
          latitude: Int32.random(in: -900_000_000...900_000_000, using: &random),
          longitude: Int32.random(in: -1_800_000_000...1_800_000_000, using: &random)),
        accuracyMetres: Int32.random(in: .min ... .max, using: &random),
        at: Instant(milliseconds: Int64.random(in: .min ... .max, using: &random)), on: course,
        into: &passages)
      #expect((progress.toGoMetres(on: course) ?? 0) >= 0, note)
    }
  }
}
