public import TrackerCore
import Wording

/// Captures as plain JSON, with everything that is known about them. The body of a request is an
/// array of
///
///     { "uuid": "…",                      the capture's own, in lower case
///       "device": "…",                    the device's UUID
///       "sequence": 17,                   without gaps for each device
///       "team": "Els Senglars",
///       "trigger": "interval",            start, interval, distance, heartbeat, command
///       "time": "2026-11-21T08:05:09.120Z" | null,
///       "timeTrusted": true,
///       "latitude": 41.9794, "longitude": 2.8214,   WGS 84 degrees, up to 7 decimals
///       "altitudeMetres": 75.5 | null,    above mean sea level
///       "speedMetresPerSecond": 1.389 | null,
///       "courseDegrees": 120.25 | null,   true
///       "accuracyMetres": 5 | null,
///       "satellites": 9 | null,
///       "batteryPercent": 80 | null,
///       "batteryMillivolts": 3810 | null,
///       "nextContactBy": "…" | null }     latest time of the next contact
///
/// Members are always in this order. Any success status acknowledges the whole array.
public enum CaptureJSON {
  public static func bytes(of captures: [OutgoingCapture], nextContactBy: UTC?) -> [UInt8] {
    var text = JSONText()
    text.array { text in
      for capture in captures { write(capture, nextContactBy, into: &text) }
    }
    return text.bytes
  }

  private static func write(
    _ outgoing: OutgoingCapture, _ nextContactBy: UTC?, into text: inout JSONText
  ) {
    let capture = outgoing.capture
    text.object { text in
      text.add("uuid", outgoing.id.lowercaseText)
      text.add("device", outgoing.device.lowercaseText)
      text.add("sequence", Int64(capture.sequence))
      text.add("team", capture.team.text)
      text.add("trigger", "\(capture.trigger.name)")
      text.add("time", date: capture.utc)
      text.key("timeTrusted")
      text.boolean(capture.isTimeTrusted)
      text.add("latitude", Int64(capture.position.latitude), places: 7)
      text.add("longitude", Int64(capture.position.longitude), places: 7)
      text.add("altitudeMetres", capture.altitudeMillimetres.map { Int64($0) }, places: 3)
      text.add(
        "speedMetresPerSecond", capture.speedMillimetresPerSecond.map { Int64($0) }, places: 3)
      text.add("courseDegrees", capture.courseMillidegrees.map { Int64($0) }, places: 3)
      text.add("accuracyMetres", capture.accuracyMetres.map { Int64($0) }, places: 0)
      text.add("satellites", capture.satellites.map { Int64($0) }, places: 0)
      text.add("batteryPercent", capture.batteryPercent.map { Int64($0) }, places: 0)
      text.add("batteryMillivolts", capture.batteryMillivolts.map { Int64($0) }, places: 0)
      text.add("nextContactBy", date: nextContactBy)
    }
  }
}

extension JSONText {
  fileprivate mutating func add(_ name: String, date: UTC?) {
    key(name)
    if let text = date.flatMap({ HTTPDate.iso8601($0) }) { string(text) } else { null() }
  }

  fileprivate mutating func add(_ name: String, _ value: Int64?, places: Int) {
    key(name)
    if let value { decimal(value, places: places) } else { null() }
  }
}
