import Courses
import Foundation
import Testing
import TrackerCore

@testable import Simulation

/// `traces/race.geojson`, the course of `traces/race.nmea`, for the README's commands.
@Suite struct ExampleCourseTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../traces/race.geojson").standardized

  @Test func `The example is the course that the traces walk on`() throws {
    if ProcessInfo.processInfo.environment["WRITE_COURSE"] != nil {
      try Data(text().utf8).write(to: Self.file)
    }
    let kept = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(
      kept == (try text()), "to change it: WRITE_COURSE=1 swift test --filter ExampleCourseTests")
    let course = try MappedCourse(Array(kept.utf8))
    #expect(course.doubts.isEmpty && course.places.count == 10, "\(course.doubts)")
    // Of the points kept.
    #expect(abs(course.lengthMetres - 100_000) < 500, "\(course.lengthMetres)")
  }

  private func text() throws -> String {
    let line = RaceFixture.course
    let positions = zip(line.points, line.altitudesMillimetres).map { point, altitude in
      "[\(coordinates(point.position)),\(altitude / 1000)]"
    }
    let rows = stride(from: 0, to: positions.count, by: 4).map {
      positions[$0..<min($0 + 4, positions.count)].joined(separator: ",")
    }
    let places = line.places.map { named in
      let place = named.place
      var properties = #""name":"\#(named.name)","kind":"\#(place.kind)""#
      if place.kind != .start {
        properties += #","opens":"\#(time(place, at: 6))","closes":"\#(time(place, at: 3.2))""#
      }
      return #"{"type":"Feature","properties":{\#(properties)},"#
        + #""geometry":{"type":"Point","coordinates":[\#(coordinates(place.position))]}}"#
    }
    return """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"Olot - Sant Feliu de Guíxols (synthetic)"},
      "geometry":{"type":"LineString","coordinates":[
      \(rows.joined(separator: ",\n"))]}},
      \(places.joined(separator: ",\n"))
      ]}

      """
  }

  private func coordinates(_ place: Coordinate) -> String {
    String(format: "%.6f,%.6f", Double(place.longitude) / 1e7, Double(place.latitude) / 1e7)
  }

  /// When a team is there that walks so many kilometres an hour, to ten minutes.
  private func time(_ place: CoursePlace, at speed: Double) -> String {
    let hours = Double(place.alongMillimetres) / 1e6 / speed
    let after = Milliseconds.minutes(Int64((hours * 6).rounded()) * 10)
    let seconds = Double((RaceFixture.start + after).milliseconds) / 1000
    return ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: seconds))
  }
}
