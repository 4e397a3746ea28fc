import NMEA
import Simulation
import Statistics
import Testing
import TrackerCore

/// Made-up ways.
enum Fixture {
  static let start = UTC(milliseconds: 1_776_499_200_000)
  static let again: Comment = "repeat with: swift test --filter StatisticsTests"

  /// Points to the east from 42° N 2.5° E: metres, seconds since the start, altitude in metres.
  static func points(_ places: [(Double, Double, Double?)]) -> [TrackPoint] {
    places.map { metres, seconds, altitude in
      TrackPoint(
        Coordinate(latitude: 420_000_000, longitude: 25_000_000 + Int32(metres * 120.7)),
        utc: start + Milliseconds(Int64(seconds * 1000)),
        altitudeMillimetres: altitude.map { Int32($0 * 1000) })
    }
  }

  /// A walk of a steady speed, a point a second.
  static func walk(seconds: Int, metresPerSecond: Double = 1.4) -> [TrackPoint] {
    points((0...seconds).map { second in (Double(second) * metresPerSecond, Double(second), 100) })
  }

  /// What a synthetic receiver reports on a course.
  static func synthesised(_ options: SynthOptions, on course: Course) throws -> [TrackPoint] {
    var synthesizer = try Synthesizer(options: options, course: course, command: "test")
    var bytes: [UInt8] = []
    while let chunk = synthesizer.nextChunk() { bytes += chunk }
    return points(inNMEA: bytes)
  }

  /// What a receiver's log has.
  static func points(inNMEA bytes: [UInt8]) -> [TrackPoint] {
    var decoder = Decoder()
    var points: [TrackPoint] = []
    func add(_ epoch: Epoch) {
      guard epoch.hasPosition, let latitude = epoch.latitude, let longitude = epoch.longitude
      else { return }
      var point = TrackPoint(
        Coordinate(latitude: latitude, longitude: longitude),
        utc: epoch.utcMilliseconds.map { UTC(milliseconds: $0) },
        altitudeMillimetres: epoch.altitudeMillimetres)
      point.speedMillimetresPerSecond = epoch.speedMillimetresPerSecond
      point.accuracyMetres = FixFilter.accuracyMetres(hdopHundredths: epoch.hdopHundredths)
      points.append(point)
    }
    var position = 0
    while let epoch = decoder.next(in: bytes.span, from: &position) { add(epoch) }
    while let epoch = decoder.finish() { add(epoch) }
    return points
  }
}
