public import Courses
import TrackerCore

extension TrackPoint {
  /// The line of a GPX file as it was recorded, in the order of its times; without times, in that
  /// of the file. Between two segments is a break.
  ///
  /// - Throws: with the line of the first mistake, and what to do.
  public static func points(inGPX bytes: [UInt8]) throws(CourseProblem) -> [TrackPoint] {
    var segments = try GPXFile(bytes).segments.filter { !$0.isEmpty }
    // Some programs write the latest track first.
    if segments.allSatisfy({ $0.first?.utc != nil }) {
      segments.sort { ($0.first?.utc?.milliseconds ?? 0) < ($1.first?.utc?.milliseconds ?? 0) }
    }
    var points: [TrackPoint] = []
    for segment in segments {
      for (index, read) in segment.enumerated() {
        var point = TrackPoint(read.place.coordinate, utc: read.utc)
        if read.hasAltitude {
          point.altitudeMillimetres = Int32(
            clamping: Int64((read.place.altitude * 1000).rounded()))
        }
        point.speedMillimetresPerSecond = read.speedMillimetresPerSecond
        point.accuracyMetres = read.accuracyMetres
        point.isAfterBreak = index == 0 && !points.isEmpty
        points.append(point)
      }
    }
    return points
  }
}
