public import TrackerCore

/// A capture as the query of an address: Traccar, "OsmAnd" protocol.
///
/// Speed is in knots, the timestamp in seconds; every name that Traccar does not know becomes an
/// attribute. Without a timestamp it takes the time of arrival; `timeTrusted` is false then.
/// Without a place it takes the last that it has heard.
public struct OsmAnd: Sendable {
  public var nextContactBy: UTC?
  public var silence = PlannedSilence.none

  public init(nextContactBy: UTC? = nil, silence: PlannedSilence = .none) {
    (self.nextContactBy, self.silence) = (nextContactBy, silence)
  }

  /// - Parameters:
  ///   - id: the capture's identifier.
  ///   - name: the device's on the server.
  @inline(never) public func write(
    _ capture: borrowing Capture, id: UniqueID, of name: Span<UInt8>,
    into query: inout some ByteSink & ~Copyable
  ) {
    query.append("id=")
    for index in name.indices { query.append(formByte: name[index]) }
    if let utc = capture.utc {
      query.append("&timestamp=")
      query.append(decimal: utc.milliseconds / 1000, places: 0)
    }
    field("&lat=", capture.position?.latitude, 7, into: &query)
    field("&lon=", capture.position?.longitude, 7, into: &query)
    if let speed = capture.speedMillimetresPerSecond {
      // A knot is 1852 m in 3600 s.
      query.append("&speed=")
      query.append(decimal: nearest(Int64(speed) * 3600, by: 1852), places: 3)
    }
    field("&bearing=", capture.courseMillidegrees, 3, into: &query)
    field("&altitude=", capture.altitudeMillimetres, 3, into: &query)
    field("&accuracy=", capture.accuracyMetres, 0, into: &query)
    field("&batt=", capture.batteryPercent.map { Int32($0) }, 0, into: &query)
    query.append("&uuid=")
    let text = id.text()
    for index in text.indices { query.append(text[index]) }
    query.append("&sequence=")
    query.append(decimal: Int64(capture.sequence), places: 0)
    query.append("&team=")
    for index in 0..<capture.team.count { query.append(formByte: capture.team[index]) }
    query.append("&trigger=")
    query.append(capture.trigger.name)
    query.append(capture.isTimeTrusted ? "&timeTrusted=true" : "&timeTrusted=false")
    field("&sat=", capture.satellites.map { Int32($0) }, 0, into: &query)
    field("&batteryMillivolts=", capture.batteryMillivolts, 0, into: &query)
    if let nextContactBy, nextContactBy.milliseconds >= 0 {
      query.append("&nextContactBy=")
      query.append(date: nextContactBy, isInForm: true)
    }
    if let name = silence.name {
      query.append("&silence=")
      query.append(name)
    }
  }

  @inline(never) private func field(
    _ name: StaticString, _ value: Int32?, _ places: Int,
    into query: inout some ByteSink & ~Copyable
  ) {
    guard let value else { return }
    query.append(name)
    query.append(decimal: Int64(value), places: places)
  }

  /// The nearest whole quotient, halves away from zero.
  private func nearest(_ value: Int64, by divisor: Int64) -> Int64 {
    (value + (value < 0 ? -divisor / 2 : divisor / 2)) / divisor
  }
}
