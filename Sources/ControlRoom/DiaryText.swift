import JSONReading
import TrackerCore
import Wording

/// Entries as lines of JSON.
enum DiaryText {
  static func line(_ content: DiaryEntry.Content, number: Int, at utc: UTC) -> String {
    var members: [Figure.Member] = [
      .init("n", .integer(number)), .init("at", .whole(utc.milliseconds)),
    ]
    func add(_ name: String, _ figure: Figure?) {
      if let figure { members.append(.init(name, figure)) }
    }
    switch content {
    case .arrived(let arrival):
      add("kind", .text("arrived"))
      add("stored", .whole(arrival.at.milliseconds))
      add("tracker", .text(arrival.tracker))
      add("team", .text(arrival.team))
      add("id", .text(arrival.id.lowercaseText))
      add("taken", arrival.taken.map { .whole($0.milliseconds) })
      add("latitude", .integer(arrival.position.latitude))
      add("longitude", .integer(arrival.position.longitude))
      add("accuracy", arrival.accuracyMetres.map { .integer($0) })
      add("battery", arrival.batteryPercent.map { .whole(Int64(($0 * 1000).rounded())) })
      let trigger = arrival.trigger.map { "\($0.name)" }
      add(
        "trigger",
        (arrival.isFromPhone ? DeliveredCapture.fromPhone : trigger).map { .text($0) })
      if arrival.isEmergency { add("emergency", .boolean(true)) }
      add("sequence", arrival.sequence.map { .integer($0) })
      add("promise", arrival.promise.map { .whole($0.milliseconds) })
      add("silence", arrival.silence.text.map { .text($0) })
      add("refused", arrival.refusal.map { .text($0) })
      add("phone", arrival.phone.map { .text($0) })
      add("call", arrival.call.map { .text($0) })
      if arrival.revision > 0 { add("revision", .whole(arrival.revision)) }
      if arrival.isGone { add("gone", .boolean(true)) }
    case .acted(let act, let person, let topic):
      add("kind", .text("acted"))
      add("by", .text(person))
      switch act {
      case .see(let alarm): add("see", .integer(alarm))
      case .take(let alarm): add("take", .integer(alarm))
      case .resolve(let alarm, let reason):
        add("resolve", .integer(alarm))
        add("text", .text(reason))
      case .note(let tracker, let text):
        add("tracker", tracker.map { .text($0) })
        add("text", .text(text))
      }
      if let topic { addTopic(topic, add) }
    case .raised(let alarm):
      add("kind", .text("raised"))
      add("alarm", .integer(alarm.number))
      let topic = alarm.topic
      addTopic(topic, add)
      add("evidence", .text(alarm.evidence.text(in: .english)))
    case .cleared(let alarm):
      add("kind", .text("cleared"))
      add("alarm", .integer(alarm))
    case .replanned(let plan):
      add("kind", .text("replanned"))
      add("plan", .text(plan))
    case .erased(let entries):
      add("kind", .text("erased"))
      add("entries", .list(entries.map { .integer($0) }))
    case .gone: add("kind", .text("gone"))
    }
    return Figure.object(members).line
  }

  private static func addTopic(_ topic: AlarmTopic, _ add: (String, Figure?) -> Void) {
    add("need", .text(topic.need.name))
    add("since", .whole(topic.since.milliseconds))
    switch topic.subject {
    case .tracker(let tracker): add("tracker", .text(tracker))
    case .stretch(let trackers): add("trackers", .list(trackers.map { .text($0) }))
    case .everyone: break
    }
  }

  private struct Line: Decodable {
    var n: Int
    var at: Int64
    var kind: String
    var stored: Int64?
    var tracker: String?
    var team: String?
    var id: String?
    var taken: Int64?
    var latitude: Int32?
    var longitude: Int32?
    var accuracy: Int32?
    var battery: Int64?
    var trigger: String?
    var emergency: Bool?
    var sequence: UInt32?
    var promise: Int64?
    var silence: String?
    var refused: String?
    var phone: String?
    var call: String?
    var revision: Int64?
    var gone: Bool?
    var by: String?
    var see: Int?
    var take: Int?
    var resolve: Int?
    var text: String?
    var alarm: Int?
    var need: String?
    var since: Int64?
    var trackers: [String]?
    var evidence: String?
    var plan: String?
    var entries: [Int]?

    var topic: AlarmTopic? {
      guard let need = Need.allCases.first(where: { $0.name == need }), let since else {
        return nil
      }
      let subject: Subject =
        tracker.map { .tracker($0) } ?? trackers.map { .stretch($0) } ?? .everyone
      return AlarmTopic(need: need, subject: subject, since: UTC(milliseconds: since))
    }
  }

  /// - Returns: `nil` if it is not a line that this program writes. Of an alarm's evidence there is
  ///   the text only: it follows from the rest.
  static func content(of text: String, number: Int) -> (UTC, DiaryEntry.Content)? {
    guard let line = try? JSONDecoder().decode(Line.self, from: Array(text.utf8)), line.n == number
    else { return nil }
    let at = UTC(milliseconds: line.at)
    switch line.kind {
    case "arrived": return arrival(line).map { (at, .arrived($0)) }
    case "acted":
      guard let by = line.by, let act = act(line) else { return nil }
      if case .note = act { return (at, .acted(act, by: by)) }
      return (at, .acted(act, by: by, about: line.topic))
    case "raised":
      guard let number = line.alarm, let topic = line.topic else { return nil }
      let alarm = Alarm(
        number: number, subject: topic.subject, need: topic.need, since: topic.since, raisedAt: at,
        evidence: .written(line.evidence ?? ""))
      return (at, .raised(alarm))
    case "cleared": return line.alarm.map { (at, .cleared(alarm: $0)) }
    case "replanned": return line.plan.map { (at, .replanned(plan: $0)) }
    case "erased": return line.entries.map { (at, .erased(entries: $0)) }
    case "gone": return (at, .gone)
    default: return nil
    }
  }

  private static func arrival(_ line: Line) -> DeliveredCapture? {
    guard let stored = line.stored, let tracker = line.tracker,
      let id = line.id.flatMap({ UniqueID(text: $0) }), let latitude = line.latitude,
      let longitude = line.longitude
    else { return nil }
    var arrival = DeliveredCapture(
      at: UTC(milliseconds: stored), tracker: tracker, team: line.team ?? "", id: id,
      taken: line.taken.map { UTC(milliseconds: $0) },
      position: Coordinate(latitude: latitude, longitude: longitude))
    arrival.accuracyMetres = line.accuracy
    arrival.batteryPercent = line.battery.map { Double($0) / 1000 }
    arrival.trigger = line.trigger.flatMap { Trigger(name: Array($0.utf8).span) }
    arrival.isFromPhone = line.trigger == DeliveredCapture.fromPhone
    arrival.isEmergency = line.emergency ?? false
    arrival.sequence = line.sequence
    arrival.promise = line.promise.map { UTC(milliseconds: $0) }
    arrival.silence = PlannedSilence(named: line.silence)
    arrival.refusal = line.refused
    arrival.phone = line.phone
    arrival.call = line.call
    arrival.revision = line.revision ?? 0
    arrival.isGone = line.gone ?? false
    return arrival
  }

  private static func act(_ line: Line) -> Act? {
    if let alarm = line.see { return .see(alarm: alarm) }
    if let alarm = line.take { return .take(alarm: alarm) }
    if let alarm = line.resolve { return .resolve(alarm: alarm, reason: line.text ?? "") }
    return line.text.map { .note(tracker: line.tracker, text: $0) }
  }
}
