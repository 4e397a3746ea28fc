import Testing

@testable import Simulation

@Suite struct BuiltInCourseTests {
  @Test func `The built-in course is 100 km long and goes from Olot to the sea`() throws {
    let course = Course.olotToTheSea
    #expect((course.length - 100_000).magnitude < 0.01)
    let first = try #require(course.points.first)
    let last = try #require(course.points.last)
    #expect(first == Course.Point(latitude: 42.1822, longitude: 2.4890, altitude: 443))
    #expect((last.latitude - 41.7806).magnitude < 1e-9 && (last.altitude - 4).magnitude < 1e-9)
    #expect(course.points.allSatisfy { (-5...520).contains($0.altitude) })
  }

  @Test func `Checkpoints of the built-in course are 5 to 17 km apart`() {
    let distances = [0] + Course.olotToTheSea.checkpoints.map(\.distance) + [100_000]
    for (before, after) in zip(distances, distances.dropFirst()) {
      #expect((5000...17_000).contains(after - before), "from \(before) m to \(after) m")
    }
  }

  /// geographiclib, by geopy: 1385.66 m.
  @Test func `A degree has its length on the ellipsoid`() {
    let a = Course.Point(latitude: 42, longitude: 2.5, altitude: 0)
    let b = Course.Point(latitude: 42.01, longitude: 2.51, altitude: 0)
    #expect((a.distance(to: b) - 1385.66).magnitude < 0.05, "\(a.distance(to: b))")
  }

  static let valid: [(json: String, metres: Double, checkpoints: Int)] = [
    (#"{"type":"LineString","coordinates":[[2.5,42],[2.5,42.01]]}"#, 1110.7, 0),
    (#"{"type":"LineString","coordinates":[[2.5,42,100],[2.5,42.5,9]]}"#, 55_539, 4),
    (
      #"{"type":"Feature","properties":{"name":"x"},"geometry":"#
        + #"{"type":"LineString","coordinates":[[2.5,42],[2.5,42.01]]}}"#, 1110.7, 0
    ),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":"#
        + #"{"type":"Point","coordinates":[2.5,42.005]}},{"type":"Feature","geometry":"#
        + #"{"type":"LineString","coordinates":[[2.5,42],[2.5,42],[2.5,42.01]]}}]}"#, 1110.7, 1
    ),
  ]

  @Test(arguments: valid)
  func `A course is read from GeoJSON`(
    _ vector: (json: String, metres: Double, checkpoints: Int)
  ) throws {
    let course = try Course(file: Array(vector.json.utf8), path: "course.geojson")
    #expect((course.length - vector.metres).magnitude < 1, "\(course.length): \(vector.json)")
    #expect(course.checkpoints.count == vector.checkpoints)
  }

  static let invalid = [
    "", "{}", "[]", "\u{0}\u{1}", #"{"type":"Point","coordinates":[2,42]}"#,
    #"{"type":"LineString","coordinates":[]}"#,
    #"{"type":"LineString","coordinates":[[2.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[2.5],[2.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[42,2.5,"a"],[2.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[2.5,142],[2.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[2.5,42],[2.5,42.0000001]]}"#,
    #"{"type":"LineString","coordinates":[[2.5,42],[9.5,42]]}"#,
    #"{"type":"LineString","coordinates":[[2.5,42,1e300],[2.5,42.1]]}"#,
    #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null}]}"#,
  ]

  @Test(arguments: invalid)
  func `What is no course is refused in one line that names the file`(_ json: String) {
    let problem = #expect(throws: SynthError.self) {
      try Course(file: Array(json.utf8), path: "course.geojson")
    }
    let text = problem?.description ?? ""
    #expect(text.hasPrefix("--course course.geojson: ") && !text.contains("\n"), "\(json)")
  }
}
