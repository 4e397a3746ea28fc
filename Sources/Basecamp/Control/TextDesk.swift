import ControlRoom
import ModemDialogues
public import TrackerCore
import Wording

/// A person who may confirm emergencies by text message.
public struct TextPerson: Sendable, Equatable {
  public var number: PhoneNumber
  public var name: String

  /// - Parameter text: `+34600000001 Marta`
  /// - Returns: `nil`: it is no number and a name.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let number = PhoneNumber(dialled: String(parts[0])),
      parts[1].contains(where: { !$0.isWhitespace })
    else { return nil }
    self.number = number
    name = String(parts[1]).visible
  }
}

extension PhoneNumber {
  /// - Parameter text: with or without `+`, and nothing else.
  init?(dialled text: String) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }
}

/// What the control room and telephones tell each other, without I/O.
///
/// A call for help of a known tracker or telephone becomes the emergency of its team, one with what
/// came to the server; any other is an emergency of its telephone. A person of the list takes an
/// emergency by `OK`; who takes one that came by text message is named to the tracker by `OK NAME`,
/// who ends it by `OVER NAME: REASON`. Whatever else came in stays in the modem.
struct TextDesk {
  struct Outgoing: Equatable {
    var number: PhoneNumber
    var text: String
    var tries = 0
  }

  private let desk: ControlDesk
  private let persons: [TextPerson]
  private let language: Language
  private let say: @Sendable (String) -> Void
  /// The oldest first.
  private(set) var outgoing: [Outgoing] = []
  /// What a tracker was answered last, and to which call.
  private var answered: [String: (call: UTC, isEnd: Bool)] = [:]
  /// When a message of a telephone was taken last.
  private var heard: [String: UTC] = [:]
  /// Places in the modem's store whose messages are none of ours.
  private var others: Set<Int> = []
  /// What was taken and is still in the modem: deleting may fail, and nothing is to count twice.
  private var taken: Set<Taken> = []
  private struct Taken: Hashable {
    var sender: String?
    var text: String
    var sentMilliseconds: Int64
  }
  /// How many messages cannot be deleted.
  private var stuck = 0
  /// Whether there was anything new: then more may wait for room in the modem.
  private(set) var tookNew = false
  /// Telephones that share one row, as too many others have called.
  private var further: Set<String> = []

  init(
    _ desk: ControlDesk, _ persons: [TextPerson], language: Language,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.desk = desk
    self.persons = persons
    self.language = language
    self.say = say
  }

  /// Takes what a modem has stored.
  ///
  /// - Returns: the places of what has been taken into account.
  /// - Throws: why something could not be written down; it is to be read again.
  mutating func take(_ reading: InboxReading, at now: UTC) throws -> [Int] {
    var places: [Int] = []
    var present: Set<Taken> = []
    var again = 0
    tookNew = false
    for (message, its) in reading.wholes {
      guard let text = message.text else { continue }
      let mark = message.sent.map {
        Taken(
          sender: message.sender?.string, text: text, sentMilliseconds: $0.milliseconds)
      }
      if let mark, taken.contains(mark) {
        again += 1
      } else if try !take(text, message, at: now) {
        continue
      } else {
        tookNew = true
      }
      if let mark {
        taken.insert(mark)
        present.insert(mark)
      }
      places += its
    }
    taken = present
    if again > stuck { say("text messages: \(again) cannot be deleted; delete them on the SIM") }
    stuck = again
    let strange = Set(reading.texts.map(\.place)).subtracting(places)
    let new = strange.subtracting(others).count
    if new > 0 {
      say("text messages: \(new) are neither calls nor answers; they stay in the modem")
    }
    others = strange
    return places
  }

  /// - Parameter message: without a sender a call cannot be answered, and an answer is of nobody.
  private mutating func take(
    _ text: String, _ message: IncomingText, at now: UTC
  ) throws -> Bool {
    let (call, sender) = (CallText(text), message.sender)
    guard call != nil || sender != nil && AnswerText.name(in: text) != nil else { return false }
    // What somebody sends in the name of a telephone takes no place of a device's.
    let kind = call.map { "\($0.isOver ? "over" : "SOS") \($0.code?.device ?? "")" } ?? "OK"
    let key = "\(sender?.string ?? "?") \(kind)"
    if call != nil, let last = heard[key], now >= last, now - last < Bounds.textPause {
      return true
    }
    if let call {
      try take(call, text, message, at: now)
    } else if let sender {
      try confirm(text, from: sender, sent: message.sent, key, at: now)
    }
    heard = heard.filter { now - $0.value < Bounds.textPause }
    heard[key] = now
    return true
  }

  // MARK: Calls

  private mutating func take(
    _ call: CallText, _ text: String, _ message: IncomingText, at now: UTC
  ) throws {
    let phone = message.sender?.string ?? "?"
    let known = message.sender.flatMap { knownTracker(of: call, $0) }
    let own = DeliveredCapture.telephone + phone
    let tracker = known ?? (hasRoom(for: own) ? own : DeliveredCapture.telephone + "…")
    say("text message from \(phone): \(text.visible)")
    let note = "✉ \(text)".visible
    var team = call.team.visible
    if known == nil, tracker != own {
      if further.count < Bounds.furtherTelephones { further.insert(phone) }
      team = "☎ × \(further.count)"
      // What all of them say is written down, but they fill the row no faster than one.
      let key = "\(tracker) \(call.isOver)"
      if let last = heard[key], now >= last, now - last < Bounds.textPause {
        return try desk.act(.note(tracker: tracker, text: note), by: phone, at: now)
      }
      heard[key] = now
    }
    let hash = "\(phone) \(text)".utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    // The same after a restart before it was deleted.
    let stamp = message.sent ?? now
    var capture = DeliveredCapture(
      at: now, tracker: tracker, team: team,
      id: UniqueID(high: hash, low: UInt64(bitPattern: stamp.milliseconds)),
      // Its minute: it comes after what was taken in that minute before.
      taken: call.position == nil ? nil : call.taken.map { min($0 + .seconds(59), now) },
      position: call.position ?? Coordinate(latitude: 0, longitude: 0))
    capture.batteryPercent = call.batteryPercent.map { Double($0) }
    capture.trigger = call.isOver ? .emergencyOver : .emergency
    capture.isEmergency = !call.isOver
    (capture.phone, capture.call) = (phone, call.code?.emergency)
    try desk.take(capture, text: note, at: now)
  }

  /// The tracker that calls, as its device's code shows, or the team whose telephone it is by the
  /// organisers' table; `nil`: anybody may have written that. A device has the telephone from which
  /// it called first.
  private func knownTracker(of call: CallText, _ sender: PhoneNumber) -> String? {
    let room = desk.room
    func isSender(_ phone: String) -> Bool {
      let digits = phone.filter { $0.isNumber || $0 == "+" }
      return PhoneNumber(dialled: digits)?.isSame(as: sender) ?? false
    }
    if let code = call.code {
      let senders = room.trackers { CallCode.device(of: $0) == code.device }
      if senders.count == 1 {
        let phones = room.phones(of: senders[0])
        if phones.isEmpty || phones.contains(where: isSender) { return senders[0] }
      }
    }
    let teams = room.plan.teams
    let named = teams.filter { !call.team.isEmpty && PositionText.isName(call.team, of: $0.name) }
    let reached = (named.isEmpty ? teams : named).filter { $0.phone.map(isSender) ?? false }
    return reached.count == 1 ? reached[0].number : nil
  }

  /// Whether a telephone has a row, or may have one.
  private func hasRoom(for telephone: String) -> Bool {
    let rows = desk.view.board.rows.map(\.tracker).filter {
      $0.hasPrefix(DeliveredCapture.telephone)
    }
    return rows.contains(telephone) || rows.count < Bounds.telephones
  }

  // MARK: Confirmations

  private mutating func confirm(
    _ text: String, from sender: PhoneNumber, sent: UTC?, _ key: String, at now: UTC
  ) throws {
    guard let person = persons.first(where: { $0.number.isSame(as: sender) }) else {
      if let last = heard[key], now >= last, now - last < Bounds.textPause { return }
      say("text message from \(sender.string), which is not on the list: \(text.visible)")
      return try desk.act(
        .note(tracker: nil, text: "✉ \(text)".visible), by: sender.string, at: now)
    }
    let open = desk.alarms.filter { alarm in
      switch alarm.state {
      case .raised, .seen: alarm.need == .emergency
      case .taken, .cleared, .resolved: false
      }
    }
    // What the network has held back, or a modem not deleted, is no answer to what came later.
    let asked = open.filter { alarm in
      sent.map { alarm.raisedAt < $0 + Bounds.stampSlack } ?? true
    }
    let board = desk.view.board
    let named = asked.filter { Self.names(text, $0, board) }
    let meant = named.isEmpty ? asked : named
    if asked.isEmpty && !open.isEmpty { send(TextPhrase.late.text(in: language), to: sender) }
    if meant.count > 1 {
      // The end may be cut: teams come first.
      let names = (meant.filter { !$0.isOfTelephone } + meant.filter(\.isOfTelephone)).map {
        alarm in
        alarm.trackers.map { tracker in
          board.rows.first { $0.tracker == tracker }.map { "\(tracker) \($0.name)" } ?? tracker
        }.joined()
      }
      send(TextPhrase.which.text(in: language, names.joined(separator: ", ")), to: sender)
    }
    try desk.act(.note(tracker: nil, text: "✉ \(text)".visible), by: person.name, at: now)
    guard meant.count == 1 else { return }
    say("alarm \(meant[0].number): taken by \(person.name), by text message")
    try desk.act(.take(alarm: meant[0].number), by: person.name, at: now)
  }

  /// Whether a message names an alarm's team, or the code of its tracker.
  private static func names(_ text: String, _ alarm: Alarm, _ board: RaceBoard) -> Bool {
    let said = words(text)
    func isSaid(_ name: String) -> Bool {
      let name = words(name)
      return !name.isEmpty && said.indices.contains { said[$0...].starts(with: name) }
    }
    return alarm.trackers.contains { tracker in
      let name = board.rows.first { $0.tracker == tracker }?.name ?? ""
      return isSaid(tracker) || isSaid(name) || isSaid(PositionText.name(name))
    }
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  // MARK: Answers

  /// Answers the calls that somebody has taken or ended since.
  mutating func answerCalls(at now: UTC) {
    var seen: Set<String> = []
    for alarm in desk.alarms.reversed() where alarm.need == .emergency {
      guard case .tracker(let tracker) = alarm.subject, seen.insert(tracker).inserted,
        let caller = desk.room.caller(of: tracker),
        let number = caller.phone.flatMap({ PhoneNumber(dialled: $0) }),
        let answer = answer(to: caller, alarm, at: now)
      else { continue }
      if let last = answered[tracker], last == (caller.at, answer.isEnd) { continue }
      guard outgoing.count < Bounds.textsOut else { return }
      answered[tracker] = (caller.at, answer.isEnd)
      send(answer.text, to: number)
    }
  }

  /// - Returns: `nil`: nobody has taken it, or all that is long ago.
  private func answer(
    to call: DeliveredCapture, _ alarm: Alarm, at now: UTC
  ) -> (text: String, isEnd: Bool)? {
    let isRecent = now - call.at < Bounds.textAnswered
    switch alarm.state {
    case .taken(let person):
      return isRecent ? (AnswerText.text(by: person, to: call.call), false) : nil
    case .resolved(let person, let reason):
      // Only a tracker takes that; to a person it is confirmed.
      guard let code = call.call else {
        return isRecent ? (AnswerText.text(by: person), false) : nil
      }
      let isNew = alarm.resolvedAt.map { now - $0 < Bounds.textAnswered } ?? false
      guard isRecent || isNew else { return nil }
      return (AnswerText.text(endedBy: person, because: reason, to: code), true)
    case .raised, .seen, .cleared: return nil
    }
  }

  private mutating func send(_ text: String, to number: PhoneNumber) {
    guard outgoing.count < Bounds.textsOut else { return }
    outgoing.append(Outgoing(number: number, text: text))
  }

  /// The first one has gone out, or not.
  mutating func ended(wasSent: Bool) {
    guard var first = outgoing.first else { return }
    outgoing.removeFirst()
    first.tries += 1
    if wasSent {
      say("text message to \(first.number.string): \(first.text)")
    } else if first.tries < Bounds.textTries {
      outgoing.append(first)
    } else {
      say("the text message to \(first.number.string) does not go out; call: \(first.text)")
    }
  }
}

extension Alarm {
  /// Whether it is of a telephone that anybody may have.
  fileprivate var isOfTelephone: Bool {
    trackers.contains { $0.hasPrefix(DeliveredCapture.telephone) }
  }
}
