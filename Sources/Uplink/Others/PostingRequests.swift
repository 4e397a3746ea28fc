import LeanUplink
import TrackerCore
import Wording

/// Requests in the formats without a dialogue.
struct PostingRequests {
  var configuration: PostingConfiguration
  var nextContactBy: UTC?
  var silence: PlannedSilence
  var lastMessage: UInt32?

  func request(for captures: [OutgoingCapture]) -> HTTPRequest {
    var request = plainRequest(for: captures)
    request.answerBytes = UplinkBounds.postedAnswerBytes
    return request
  }

  private func plainRequest(for captures: [OutgoingCapture]) -> HTTPRequest {
    switch configuration.format {
    case .osmAnd:
      let mark = configuration.url.contains("?") ? "&" : "?"
      let query = captures.first.map { osmAnd($0) } ?? ""
      return HTTPRequest(
        method: .post, url: configuration.url + mark + query, headers: authorization)
    case .ownTracks(let user):
      var text = JSONText()
      for capture in captures { ownTracks(capture, into: &text) }
      // The recorder takes user and device from here (OwnTracks booklet, "HTTP").
      let names = [
        HTTPHeader("X-Limit-U", headerText(user)),
        HTTPHeader("X-Limit-D", headerText(captures.first.map { code(of: $0) } ?? "")),
      ]
      return post(text.bytes, names)
    case .json:
      return post(CaptureJSON.bytes(of: captures, nextContactBy: nextContactBy, silence), [])
    case .mqtt(let user, let acknowledger): return publish(captures, user, acknowledger)
    }
  }

  /// Any two trackers have different identifiers, of 23 characters at most, which each broker
  /// takes (MQTT 5 §3.1.3.1).
  private func publish(
    _ captures: [OutgoingCapture], _ user: String, _ acknowledger: Publication.Acknowledger
  ) -> HTTPRequest {
    var request = HTTPRequest(method: .post, url: configuration.url, headers: [])
    // Without captures it only connects.
    let device = captures.first?.device.lowercaseText ?? "check"
    let digits = device.filter { $0 != "-" }.suffix(20)
    request.publication = Publication(
      client: "tt-\(digits)", topic: "owntracks/\(user)/\(configuration.deviceCode ?? device)",
      acknowledger: acknowledger,
      messages: captures.map { Publication.Message(id: $0.id, payload: location($0)) })
    if case .basic(let user, let password) = configuration.credentials {
      request.publication?.user = user
      request.publication?.password = password
    }
    return request
  }

  private func location(_ outgoing: OutgoingCapture) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      location(outgoing, into: &text)
      CaptureJSON.members(outgoing, nextContactBy, silence, into: &text)
      if let mark = outgoing.capture.mark {
        text.add("doneMetres", Int64(mark.doneMetres))
        text.add("toGoMetres", Int64(mark.toGoMetres))
      }
      if let place = outgoing.placeName { text.add("place", place) }
      if let lastMessage { text.add("lastMessage", Int64(lastMessage)) }
    }
    return text.bytes
  }

  private func post(_ body: [UInt8], _ headers: [HTTPHeader]) -> HTTPRequest {
    HTTPRequest(
      method: .post, url: configuration.url,
      headers: [HTTPHeader("Content-Type", "application/json")] + headers + authorization,
      body: body)
  }

  private var authorization: [HTTPHeader] {
    switch configuration.credentials {
    case .none: return []
    case .bearer(let token):
      return [HTTPHeader("Authorization", "Bearer " + headerText(token.text))]
    case .basic(let user, let password):
      let pair = Base64.text(of: Array("\(user):\(password.text)".utf8))
      return [HTTPHeader("Authorization", "Basic \(pair)")]
    }
  }

  /// Removes control characters: a line end in a header's value would begin another header.
  private func headerText(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
  }

  private func code(of capture: OutgoingCapture) -> String {
    configuration.deviceCode ?? capture.device.lowercaseText
  }

  private func osmAnd(_ outgoing: OutgoingCapture) -> String {
    var query: [UInt8] = []
    let name = Array(code(of: outgoing).utf8)
    OsmAnd(nextContactBy: nextContactBy, silence: silence)
      .write(outgoing.capture, id: outgoing.id, of: name.span, into: &query)
    return String(decoding: query, as: UTF8.self)
  }

  /// OwnTracks booklet, "JSON": `_type` location; altitude and accuracy in whole metres, speed in
  /// whole km/h, course in whole degrees. `tst` is required: an unknown date is 0.
  private func ownTracks(_ outgoing: OutgoingCapture, into text: inout JSONText) {
    let capture = outgoing.capture
    text.object { text in
      location(outgoing, into: &text)
      text.add("team", capture.team.text)
      text.add("sequence", Int64(capture.sequence))
      text.key("timeTrusted")
      text.boolean(capture.isTimeTrusted)
      if let date = nextContactBy.flatMap({ HTTPDate.iso8601($0) }) {
        text.add("nextContactBy", date)
      }
      if let name = silence.name { text.add("silence", "\(name)") }
    }
  }

  private func location(_ outgoing: OutgoingCapture, into text: inout JSONText) {
    let capture = outgoing.capture
    text.add("_type", "location")
    text.add("_id", outgoing.id.lowercaseText)
    text.add("tid", String(code(of: outgoing).suffix(2)))
    if let position = capture.position {
      text.key("lat")
      text.decimal(Int64(position.latitude), places: 7)
      text.key("lon")
      text.decimal(Int64(position.longitude), places: 7)
    }
    text.add("tst", capture.utc?.seconds ?? 0)
    if let accuracy = capture.accuracyMetres { text.add("acc", Int64(accuracy)) }
    if let altitude = capture.altitudeMillimetres {
      text.add("alt", rounded(Int64(altitude), by: 1000))
    }
    if let speed = capture.speedMillimetresPerSecond {
      text.add("vel", rounded(Int64(speed) * 36, by: 10_000))
    }
    if let course = capture.courseMillidegrees {
      text.add("cog", rounded(Int64(course), by: 1000) % 360)
    }
    if let battery = capture.batteryPercent { text.add("batt", Int64(battery)) }
  }

  /// The nearest whole quotient, halves away from zero.
  private func rounded(_ value: Int64, by divisor: Int64) -> Int64 {
    (value + (value < 0 ? -divisor / 2 : divisor / 2)) / divisor
  }
}

extension UTC {
  /// Whole seconds since 1970.
  var seconds: Int64 { milliseconds / 1000 }
}

extension JSONText {
  mutating func add(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  mutating func add(_ name: String, _ value: Int64) {
    key(name)
    integer(value)
  }
}

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
///       "nextContactBy": "…" | null,      latest time of the next contact
///       "silence": "reserve" | null }     why none comes for long: reserve, finished,
///                                         stoppedByPerson
///
/// Members are always in this order. Any success status acknowledges the whole array.
enum CaptureJSON {
  static func bytes(
    of captures: [OutgoingCapture], nextContactBy: UTC?, _ silence: PlannedSilence
  ) -> [UInt8] {
    var text = JSONText()
    text.array { text in
      for capture in captures {
        text.object { members(capture, nextContactBy, silence, into: &$0) }
      }
    }
    return text.bytes
  }

  /// Into an object that may have others.
  static func members(
    _ outgoing: OutgoingCapture, _ nextContactBy: UTC?, _ silence: PlannedSilence,
    into text: inout JSONText
  ) {
    let capture = outgoing.capture
    text.add("uuid", outgoing.id.lowercaseText)
    text.add("device", outgoing.device.lowercaseText)
    text.add("sequence", Int64(capture.sequence))
    text.add("team", capture.team.text)
    text.add("trigger", "\(capture.trigger.name)")
    text.add("time", date: capture.utc)
    text.key("timeTrusted")
    text.boolean(capture.isTimeTrusted)
    text.add("latitude", capture.position.map { Int64($0.latitude) }, places: 7)
    text.add("longitude", capture.position.map { Int64($0.longitude) }, places: 7)
    text.add("altitudeMetres", capture.altitudeMillimetres.map { Int64($0) }, places: 3)
    text.add(
      "speedMetresPerSecond", capture.speedMillimetresPerSecond.map { Int64($0) }, places: 3)
    text.add("courseDegrees", capture.courseMillidegrees.map { Int64($0) }, places: 3)
    text.add("accuracyMetres", capture.accuracyMetres.map { Int64($0) }, places: 0)
    text.add("satellites", capture.satellites.map { Int64($0) }, places: 0)
    text.add("batteryPercent", capture.batteryPercent.map { Int64($0) }, places: 0)
    text.add("batteryMillivolts", capture.batteryMillivolts.map { Int64($0) }, places: 0)
    text.add("nextContactBy", date: nextContactBy)
    text.key("silence")
    if let name = silence.name { text.string("\(name)") } else { text.null() }
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
