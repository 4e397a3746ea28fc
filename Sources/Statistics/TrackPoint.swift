public import TrackerCore

/// Where somebody was: a capture, a fix, or a point of a track.
public struct TrackPoint: Sendable, Equatable {
  public var position: Coordinate
  /// `nil`: not known, or not trusted.
  public var utc: UTC?
  /// Above mean sea level.
  public var altitudeMillimetres: Int32?
  /// As the receiver measured it.
  public var speedMillimetresPerSecond: Int32?
  public var accuracyMetres: Int32?
  /// Whether the file says that the way from the point before is not known.
  public var isAfterBreak = false
  /// Whether it was taken because a place of a course had been entered.
  public var isEntry = false

  public init(_ position: Coordinate, utc: UTC? = nil, altitudeMillimetres: Int32? = nil) {
    self.position = position
    self.utc = utc
    self.altitudeMillimetres = altitudeMillimetres
  }

  public init(_ capture: Capture) {
    self.init(
      capture.position, utc: capture.isTimeTrusted ? capture.utc : nil,
      altitudeMillimetres: capture.altitudeMillimetres)
    speedMillimetresPerSecond = capture.speedMillimetresPerSecond
    accuracyMetres = capture.accuracyMetres
    isEntry = capture.trigger == .entered
  }
}
