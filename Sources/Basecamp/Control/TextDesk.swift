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
/// A call for help of a tracker becomes the emergency of its team, one with what came to the
/// server. A person of the list takes an emergency by `OK`; who takes one that came by text message
/// is named to the tracker by `OK NAME`. Whatever else came in stays in the modem.
struct TextDesk {
  struct Outgoing: Equatable {
    var number: PhoneNumber
    var text: String
    var tries = 0
  }

  /// Before a number in place of a tracker's code: nobody knows whose tracker it is.
  static let telephone = "text "

  private let desk: ControlDesk
  private let persons: [TextPerson]
  private let language: Language
  private let say: @Sendable (String) -> Void
  /// The oldest first.
  private(set) var outgoing: [Outgoing] = []
  /// The last call of a tracker that was answered.
  private var answered: [String: UTC] = [:]
  /// When a message of a telephone was taken last.
  private var heard: [String: UTC] = [:]
  /// Places in the modem's store whose messages are none of ours.
  private var others: Set<Int> = []

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
    var strange: Set<Int> = []
    for message in reading.texts {
      guard let sender = message.sender, let text = message.text,
        try take(text, from: sender, at: now)
      else {
        strange.insert(message.place)
        continue
      }
      places.append(message.place)
    }
    let new = strange.subtracting(others).count
    if new > 0 {
      say("text messages: \(new) are neither calls nor answers; they stay in the modem")
    }
    others = strange
    return places
  }

  private mutating func take(
    _ text: String, from sender: PhoneNumber, at now: UTC
  ) throws -> Bool {
    let call = CallText(text)
    guard call != nil || AnswerText.name(in: text) != nil else { return false }
    let key = "\(sender.string) \(call.map { $0.isOver ? "over" : "SOS" } ?? "OK")"
    if call != nil, let last = heard[key], now >= last, now - last < Bounds.textPause {
      return true
    }
    if let call {
      try take(call, text, from: sender, at: now)
    } else {
      try confirm(text, from: sender, at: now)
    }
    heard = heard.filter { now - $0.value < Bounds.textPause }
    heard[key] = now
    return true
  }

  // MARK: Calls

  private func take(
    _ call: CallText, _ text: String, from sender: PhoneNumber, at now: UTC
  ) throws {
    let digits = sender.string.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    var capture = DeliveredCapture(
      at: now, tracker: tracker(of: call, sender), team: call.team.visible,
      id: UniqueID(high: digits, low: UInt64(bitPattern: now.milliseconds)),
      // Its minute: it comes after what was taken in that minute before.
      taken: call.position == nil ? nil : call.taken.map { min($0 + .seconds(59), now) },
      position: call.position ?? Coordinate(latitude: 0, longitude: 0))
    capture.batteryPercent = call.batteryPercent.map { Double($0) }
    capture.trigger = call.isOver ? .emergencyOver : .emergency
    capture.isEmergency = !call.isOver
    capture.phone = sender.string
    say("text message from \(sender.string): \(text.visible)")
    try desk.take(capture, text: "✉ \(text)".visible, at: now)
  }

  /// The team that has this name, or this telephone; else the telephone itself: nobody else's
  /// emergency may become this one.
  private func tracker(of call: CallText, _ sender: PhoneNumber) -> String {
    let rows = desk.view.board.rows.filter { !$0.tracker.hasPrefix(Self.telephone) }
    let named = rows.filter { !call.team.isEmpty && PositionText.isName(call.team, of: $0.name) }
    if named.count == 1 { return named[0].tracker }
    let reached = (named.isEmpty ? rows : named).filter { row in
      let digits = row.phone?.filter { $0.isNumber || $0 == "+" } ?? ""
      return PhoneNumber(dialled: digits)?.isSame(as: sender) ?? false
    }
    return reached.count == 1 ? reached[0].tracker : Self.telephone + sender.string
  }

  // MARK: Confirmations

  private mutating func confirm(_ text: String, from sender: PhoneNumber, at now: UTC) throws {
    guard let person = persons.first(where: { $0.number.isSame(as: sender) }) else {
      let key = "\(sender.string) OK"
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
    let board = desk.view.board
    let named = open.filter { Self.names(text, $0, board) }
    let meant = named.isEmpty ? open : named
    if meant.count > 1 {
      let names = meant.map { alarm in
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
        let person = alarm.person, let caller = desk.caller(of: tracker),
        now - caller.at < Bounds.textAnswered, answered[tracker] != caller.at,
        let number = PhoneNumber(dialled: caller.phone)
      else { continue }
      answered[tracker] = caller.at
      send(AnswerText.text(by: person), to: number)
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
  /// Who has taken it or ended it; `nil`: nobody.
  fileprivate var person: String? {
    switch state {
    case .taken(let person), .resolved(let person, _): person
    case .raised, .seen, .cleared: nil
    }
  }
}

/// What is said by and about text messages.
enum TextPhrase: Catalogue {
  case which, noPort, used, mute, pin, noSIM, unreadable, full

  var texts: Texts {
    switch self {
    case .which:
      Texts(
        ca: "Quina? Responeu OK i el codi: {1}", es: "Cual? Responda OK y el codigo: {1}",
        en: "Which? Answer OK and the code: {1}", fr: "Laquelle ? Repondez OK et le code : {1}")
    case .noPort:
      Texts(
        ca: "{1}: no es pot obrir el mòdem dels missatges de text ({2}); connecteu-lo",
        es: "{1}: no se puede abrir el módem de los mensajes de texto ({2}); conéctelo",
        en: "{1}: the modem for text messages cannot be opened ({2}); plug it in",
        fr: "{1} : impossible d'ouvrir le modem des SMS ({2}) ; branchez-le")
    case .used:
      Texts(
        ca: "{1}: un altre programa fa servir el mòdem; atureu-lo",
        es: "{1}: otro programa usa el módem; deténgalo",
        en: "{1}: another program uses the modem; stop it",
        fr: "{1} : un autre programme utilise le modem ; arrêtez-le")
    case .mute:
      Texts(
        ca: "{1}: el mòdem dels missatges de text no respon; comproveu-ne el port i l'alimentació",
        es: "{1}: el módem de los mensajes de texto no responde; compruebe su puerto y su "
          + "alimentación",
        en: "{1}: the modem for text messages does not answer; check its port and its supply",
        fr: "{1} : le modem des SMS ne répond pas ; vérifiez son port et son alimentation")
    case .pin:
      Texts(
        ca: "{1}: la SIM demana un codi; traieu-li el PIN en un telèfon",
        es: "{1}: la SIM pide un código; quítele el PIN en un teléfono",
        en: "{1}: the SIM asks for a code; take its PIN off in a telephone",
        fr: "{1} : la SIM demande un code ; ôtez son PIN dans un téléphone")
    case .noSIM:
      Texts(
        ca: "{1}: el mòdem no té cap SIM que es pugui llegir; poseu-n'hi una",
        es: "{1}: el módem no tiene ninguna SIM legible; ponga una",
        en: "{1}: the modem has no SIM that can be read; put one in",
        fr: "{1} : le modem n'a pas de SIM lisible ; mettez-en une")
    case .unreadable:
      Texts(
        ca: "{1}: el mòdem no llegeix els missatges de text que arriben; reinicieu-lo",
        es: "{1}: el módem no lee los mensajes de texto que llegan; reinícielo",
        en: "{1}: the modem does not read the text messages that come in; restart it",
        fr: "{1} : le modem ne lit pas les SMS reçus ; redémarrez-le")
    case .full:
      Texts(
        ca: "{1}: la SIM no té lloc per a més missatges de text; esborreu-ne",
        es: "{1}: la SIM no tiene sitio para más mensajes de texto; borre algunos",
        en: "{1}: the SIM has no room for further text messages; delete some",
        fr: "{1} : la SIM n'a plus de place pour d'autres SMS ; effacez-en")
    }
  }
}
