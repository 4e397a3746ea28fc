import Courses
import FeatureService
import JSONReading
import TrackerCore
import Uplink

/// A capture as a tracker publishes it on `owntracks/USER/DEVICE` (`Publication`). Whose it is says
/// the topic, which the broker's ACL guards, whatever the message says of itself.
struct PublishedCapture: Sendable {
  var capture: ForeignCapture
  /// The newest message of the room that the tracker has.
  var lastMessage: Int64?

  /// - Returns: `nil` for what is no capture: other apps' positions, and all else.
  init?(topic: String, payload: [UInt8]) {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 3, !levels[2].isEmpty,
      case .object(let members)? = try? JSONValue(parsing: payload),
      members["_type"] == .text("location"), case .text(let uuid)? = members["uuid"],
      let id = UniqueID(text: uuid)
    else { return nil }
    // Cut as a tracker cuts them itself for a layer.
    func text(_ name: String) -> String? {
      if case .text(let text)? = members[name] { text.first(Bounds.publishedText) } else { nil }
    }
    func date(_ name: String) -> UTC? { text(name).flatMap { DateText.xmlDate($0) } }
    capture = ForeignCapture(id: id, object: 0)
    capture.position = Coordinate(
      latitude: members["latitude"]?.degrees(90), longitude: members["longitude"]?.degrees(180))
    capture.device = String(levels[2]).first(Bounds.publishedCode)
    capture.team = text("team")
    capture.batteryPercent = members["batteryPercent"]?.wholeNumber
    if members["timeTrusted"] == .boolean(true) { capture.moment = date("time") }
    capture.kind = "trailtracker"
    capture.trigger = text("trigger")
    capture.promise = date("nextContactBy")
    capture.silence = text("silence")
    capture.sequence = members["sequence"]?.wholeNumber
    capture.doneMetres = members["doneMetres"]?.wholeNumber
    capture.toGoMetres = members["toGoMetres"]?.wholeNumber
    capture.place = text("place")
    capture.accuracyMetres = members["accuracyMetres"]?.wholeNumber
    lastMessage = members["lastMessage"]?.wholeNumber
  }
}

extension String {
  /// At most so many scalars of it.
  fileprivate func first(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}

extension Coordinate {
  fileprivate init?(latitude: Int32?, longitude: Int32?) {
    guard let latitude, let longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension JSONValue {
  /// In 1e-7 degrees; `nil` beyond the limit.
  fileprivate func degrees(_ limit: Double) -> Int32? {
    let degrees: Double? =
      switch self {
      case .whole(let number): Double(number)
      case .real(let number): number
      case .object, .list, .text, .boolean, .null: nil
      }
    guard let degrees, abs(degrees) <= limit else { return nil }
    return Int32((degrees * 1e7).rounded())
  }
}
