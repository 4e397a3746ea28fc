public import TrackerCore

/// The line of a GPX file as it was recorded, without a receiver in between.
public struct GPXTrack: Sendable {
  public struct Point: Sendable, Equatable {
    public var position: Coordinate
    public var altitudeMillimetres: Int32?
    public var utc: UTC?
    /// Whether it begins a segment, and is not the first of all.
    public var isAfterBreak = false
  }

  /// In the order of their times; without times, in that of the file.
  public let points: [Point]

  public static func isGPX(_ beginning: [UInt8]) -> Bool { GPXFile.isGPX(beginning) }

  /// - Throws: with the line of the first mistake, and what to do.
  public init(_ bytes: [UInt8]) throws(SynthProblem) {
    let file = try GPXFile(bytes)
    var segments = file.segments.filter { !$0.isEmpty }
    // Some programs write the latest track first.
    if segments.allSatisfy({ $0.first?.utc != nil }) {
      segments.sort { ($0.first?.utc?.milliseconds ?? 0) < ($1.first?.utc?.milliseconds ?? 0) }
    }
    var points: [Point] = []
    for segment in segments {
      for (index, point) in segment.enumerated() {
        points.append(
          Point(
            position: Coordinate(
              latitude: Int32((point.place.latitude * 1e7).rounded()),
              longitude: Int32((point.place.longitude * 1e7).rounded())),
            altitudeMillimetres: point.hasAltitude
              ? Int32(clamping: Int64((point.place.altitude * 1000).rounded())) : nil,
            utc: point.utc, isAfterBreak: index == 0 && !points.isEmpty))
      }
    }
    self.points = points
  }
}
