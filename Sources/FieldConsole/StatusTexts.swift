import TrackerCore
import Wording

/// The battery's line: what was measured, or why nothing is.
enum BatteryText {
  enum Phrase: String, Catalogue {
    case byGauge, byVoltage, charging, noSensor, notYet, modemNotYet, modemOld, lost, lostAfter
    case ofModem, implausible, noTemperature

    var texts: Texts {
      switch self {
      case .byGauge:
        Texts(
          ca: "{1} mV, {2} % segons el seu mesurador", es: "{1} mV, {2} % según su medidor",
          en: "{1} mV, {2} % by its fuel gauge", fr: "{1} mV, {2} % selon sa jauge")
      case .byVoltage:
        Texts(
          ca: "{1} mV, {2} % segons la tensió", es: "{1} mV, {2} % según la tensión",
          en: "{1} mV, {2} % by its voltage", fr: "{1} mV, {2} % selon la tension")
      case .charging:
        Texts(
          ca: "carregant amb {1} mA", es: "cargando con {1} mA", en: "charging with {1} mA",
          fr: "en charge à {1} mA")
      case .noSensor:
        Texts(
          ca: "no mesurada: la placa no té sensor", es: "no medida: la placa no tiene sensor",
          en: "not measured: the board names no sensor",
          fr: "non mesurée : la carte n'a pas de capteur")
      case .notYet:
        Texts(
          ca: "encara no mesurada", es: "aún no medida", en: "not measured yet",
          fr: "pas encore mesurée")
      case .modemNotYet:
        Texts(
          ca: "encara no mesurada: el mòdem la diu en cada contacte",
          es: "aún no medida: el módem la dice en cada contacto",
          en: "not measured yet: the modem reports it at contacts",
          fr: "pas encore mesurée : le modem la donne aux contacts")
      case .modemOld:
        Texts(
          ca: "no mesurada: el mòdem la va dir fa {1}", es: "no medida: el módem la dijo hace {1}",
          en: "not measured: the modem last reported it {1} ago",
          fr: "non mesurée : le modem l'a donnée il y a {1}")
      case .lost:
        Texts(
          ca: "no mesurada: {1}", es: "no medida: {1}", en: "not measured: {1}",
          fr: "non mesurée : {1}")
      case .lostAfter:
        Texts(
          ca: "no mesurada: {1}; fa {2} {3} mV", es: "no medida: {1}; hace {2} {3} mV",
          en: "not measured: {1}; {2} ago {3} mV", fr: "non mesurée : {1} ; {3} mV il y a {2}")
      case .ofModem:
        Texts(
          ca: "pel mòdem fa {1}", es: "por el módem hace {1}", en: "by the modem {1} ago",
          fr: "par le modem il y a {1}")
      case .noTemperature:
        Texts(
          ca: "temperatura no mesurada: {1}", es: "temperatura no medida: {1}",
          en: "temperature not measured: {1}", fr: "température non mesurée : {1}")
      case .implausible:
        Texts(
          ca: "lectures impossibles no usades: {1}", es: "lecturas imposibles no usadas: {1}",
          en: "implausible readings not used: {1}", fr: "lectures impossibles ignorées : {1}")
      }
    }
  }

  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    let text = state(facts, in: language)
    guard facts.battery.implausible > 0 else { return text }
    return text + language.semicolon
      + Phrase.implausible.text(in: language, "\(facts.battery.implausible)")
  }

  private static func state(_ facts: TrackerFacts, in language: Language) -> String {
    let age = facts.battery.age.map { Quantity.span($0, in: language) }
    let problem = facts.battery.problem?[language] ?? ""
    switch facts.battery.state {
    case .noSensor: return Phrase.noSensor.text(in: language)
    case .notYet: return Phrase.notYet.text(in: language)
    case .modemNotYet: return Phrase.modemNotYet.text(in: language)
    case .modemOld: return Phrase.modemOld.text(in: language, age ?? "")
    case .lost:
      guard let age, let millivolts = facts.battery.millivolts else {
        return Phrase.lost.text(in: language, problem)
      }
      return Phrase.lostAfter.text(in: language, problem, age, "\(millivolts)")
    case .measured:
      let figures = figures(facts, in: language)
      return age.map { figures + ", " + Phrase.ofModem.text(in: language, $0) } ?? figures
    }
  }

  /// `7411 mV, 46 % by its voltage, 310 mA, 8 °C`
  private static func figures(_ facts: TrackerFacts, in language: Language) -> String {
    let phrase = facts.battery.isFuelGauge ? Phrase.byGauge : .byVoltage
    let text = phrase.text(
      in: language, "\(facts.battery.millivolts ?? 0)", "\(facts.battery.percent ?? 0)")
    return text + current(facts, in: language) + temperature(facts, in: language)
  }

  private static func current(_ facts: TrackerFacts, in language: Language) -> String {
    guard let current = facts.battery.milliamps else { return "" }
    if current >= 0 { return ", \(current) mA" }
    return ", " + Phrase.charging.text(in: language, "\(current.magnitude)")
  }

  private static func temperature(_ facts: TrackerFacts, in language: Language) -> String {
    if let celsius = facts.battery.celsius { return ", \(celsius) °C" }
    guard let problem = facts.battery.thermometerProblem else { return "" }
    return language.semicolon + Phrase.noTemperature.text(in: language, problem[language])
  }

  /// `46 % ± 4 %, estimated`, or `46 % (42 to 58), estimated` where the deviations differ; `nil`:
  /// not measured.
  static func charge(_ facts: TrackerFacts, in language: Language) -> String? {
    guard facts.battery.isMeasured, let charge = facts.battery.charge else { return nil }
    let below = facts.battery.chargeDeviation ?? 0
    let above = facts.battery.chargeDeviationAbove ?? below
    let text =
      above == below
      ? StatusValue.charge.text(in: language, "\(charge)", "\(below)")
      : StatusValue.chargeRange.text(
        in: language, "\(charge)", "\(max(0, charge - below))", "\(min(100, charge + above))")
    guard let tenths = facts.battery.drainTenths else { return text }
    let factor = Quantity.decimal(Double(tenths) / 10, 1, in: language)
    return text + language.semicolon + StatusValue.drainFactor.text(in: language, factor)
  }

  /// `21 h at 95 % confidence, reaches the finish`; `nil`: not known.
  static func outlook(_ facts: TrackerFacts, in language: Language) -> String? {
    guard let lasts = facts.battery.lasts, let confidence = facts.battery.confidence else {
      return nil
    }
    let text = StatusValue.lasts.text(
      in: language, Quantity.span(lasts, in: language), "\(confidence)")
    guard let reaches = facts.battery.reachesFinish else { return text }
    if let confidence = facts.battery.reachesAt {
      return text + ", " + StatusValue.reachesAt.text(in: language, "\(confidence)")
    }
    let end: StatusValue = reaches ? .reaches : .falls
    return text + ", " + end.text(in: language)
  }
}

/// What the console says of the plan of the policy `adaptive`.
enum PlanText {
  /// `31 % left in 12 h; position 12 min old on average`; `nil`: there is no plan.
  static func plan(_ facts: TrackerFacts, in language: Language) -> String? {
    let battery = facts.battery
    guard let time = battery.planTime, let left = battery.planLeft, let age = battery.planAge
    else { return nil }
    let position = Quantity.span(age, in: language)
    if let empty = battery.planEmptyIn {
      return StatusValue.planEmpty.text(
        in: language, Quantity.span(empty, in: language), position)
    }
    return StatusValue.planLeft.text(
      in: language, "\(left)", Quantity.span(time, in: language), position)
  }

  /// `more contacts from 46 %, fewer contacts below 33 %`; `nil`: no charge would change it.
  static func changes(_ facts: TrackerFacts, in language: Language) -> String? {
    let parts = [
      facts.battery.planMoreFrom.map { StatusValue.planMore.text(in: language, "\($0)") },
      facts.battery.planLessBelow.map { StatusValue.planLess.text(in: language, "\($0)") },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// What the console says of the modem.
enum ModemStatusText {
  /// What it is doing.
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    facts.modem.phase?.text(in: language) ?? ""
  }

  /// `Movistar, signal -83 dBm`, as it last reported them; `nil`: neither.
  static func network(_ facts: TrackerFacts, in language: Language) -> String? {
    let signal = facts.modem.signal.map { StatusValue.signal.text(in: language, "\($0)") }
    let parts = [facts.modem.network?.plain, signal].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The same with its age, `…, 46 min ago`, unless it is current.
  static func datedNetwork(_ facts: TrackerFacts, in language: Language) -> String? {
    guard let network = network(facts, in: language), let age = facts.modem.registered,
      age >= .seconds(1)
    else { return network(facts, in: language) }
    return network + ", "
      + StatusValue.ago.text(in: language, Quantity.span(age, in: language))
  }
}

/// The time between contacts, and which setting determines it.
public enum ContactText {
  /// `10 min apart, by reconnectFloor: transmit.interval is shorter`
  public static func text(
    of configuration: Configuration, in language: Language = .english
  ) -> String {
    text(
      interval: configuration.contactInterval, rule: rule(of: configuration), in: language)
  }

  static func rule(of configuration: Configuration) -> TrackerFacts.ContactRule {
    if case .adaptive = configuration.capture { return .budget }
    return switch configuration.contactRule {
    case .transmitInterval: .transmitInterval
    case .reconnectFloor: .reconnectFloor
    }
  }

  static func text(
    interval: Milliseconds, rule: TrackerFacts.ContactRule?, in language: Language
  ) -> String {
    let phrase: StatusValue =
      switch rule {
      case .budget: .byBudget
      case .reconnectFloor: .byFloor
      case .transmitInterval, nil: .byInterval
      }
    return StatusValue.apart.text(
      in: language, Quantity.span(interval, in: language), phrase.text(in: language))
  }
}

/// The configured finish, for people.
public enum FinishText {
  enum Phrase: String, Catalogue {
    case afterStart, sessionContinues, sessionEnds

    var texts: Texts {
      switch self {
      case .afterStart:
        Texts(
          ca: "{1} després del primer inici de la sessió",
          es: "{1} después del primer inicio de la sesión",
          en: "{1} after the session's first start", fr: "{1} après le premier début de la session")
      case .sessionContinues:
        Texts(
          ca: "la sessió continua", es: "la sesión continúa", en: "the session continues",
          fr: "la session continue")
      case .sessionEnds:
        Texts(
          ca: "la sessió s'acaba {1} després", es: "la sesión termina {1} después",
          en: "the session ends {1} later", fr: "la session finit {1} plus tard")
      }
    }
  }

  public static func text(
    of configuration: Configuration, in language: Language = .english
  ) -> String {
    var session = TrackerFacts.Session()
    session.take(configuration)
    return text(session, in: language)
  }

  /// - Parameter left: the time left; then a finish counted from the start is not repeated.
  static func text(
    _ session: TrackerFacts.Session, left: String? = nil, in language: Language
  ) -> String {
    var text: String
    if let utc = session.finishAt {
      text = CalendarText.text(utc) + " UTC"
      if let left { text = left + language.colon + text }
    } else if let left {
      text = left
    } else if let after = session.finishAfter {
      text = Phrase.afterStart.text(
        in: language, Quantity.span(after, in: language))
    } else {
      return StatusValue.finishNone.text(in: language)
    }
    if session.state == .finished { return text }
    guard let grace = session.endAfterFinish else {
      return text + language.semicolon + Phrase.sessionContinues.text(in: language)
    }
    return text + language.semicolon
      + Phrase.sessionEnds.text(in: language, Quantity.span(grace, in: language))
  }
}

/// The session, and who ordered what.
enum SessionText {
  static func text(_ facts: TrackerFacts, in language: Language) -> String {
    let age = ago(facts.session.age, facts, in: language)
    let order = facts.session.order.map { origin($0, facts, in: language) }
    switch facts.session.state {
    case .running:
      var text = StatusValue.running.text(in: language, "\(facts.session.number ?? 0)")
      text += ", " + StatusValue.begun.text(in: language, age)
      if let order { text += language.semicolon + StatusValue.ordered.text(in: language, order) }
      return text
    case .finished: return StatusValue.finished.text(in: language, age)
    case .stopped:
      if let order { return StatusValue.stopped.text(in: language, order) }
      guard facts.session.number != nil else { return StatusValue.stoppedNever.text(in: language) }
      return StatusValue.stopped.text(in: language, age)
    }
  }

  /// `"Els Tardans", set 2 h ago (socket)`
  static func team(_ facts: TrackerFacts, _ order: TrackerFacts.Origin, in language: Language)
    -> String
  {
    StatusValue.setTeam.text(in: language, facts.identity.team, origin(order, facts, in: language))
  }

  /// `interval 5 min, 2 h ago (anna)`
  static func setting(
    _ order: TrackerFacts.SettingInForce, _ facts: TrackerFacts, in language: Language
  ) -> String {
    "\(order.key.rawValue) \(order.value), " + origin(order.origin, facts, in: language)
  }

  /// `2 h ago (socket)`
  private static func origin(
    _ order: TrackerFacts.Origin, _ facts: TrackerFacts, in language: Language
  ) -> String {
    ago(order.age, facts, in: language) + " (\(order.who))"
  }

  private static func ago(
    _ age: Milliseconds?, _ facts: TrackerFacts, in language: Language
  ) -> String {
    age.map {
      facts.date(ago: $0)
        ?? StatusValue.ago.text(in: language, Quantity.span($0, in: language))
    } ?? StatusValue.beforeStart.text(in: language)
  }
}

/// The levels of the satellites on one line, dB-Hz, those that are used with a star:
/// `GPS 47* 44* 31  GLO 39*  (* used)`.
enum LevelsText {
  /// - Parameters:
  ///   - satellites: by system and strength.
  ///   - width: columns; of each system as many of the strongest as there is room for.
  /// - Returns: `nil` if none is received.
  static func text(
    _ satellites: [SatelliteLevel], atMost width: Int, in language: Language
  ) -> String? {
    let systems = SatelliteSystem.allCases.map { system in
      satellites.filter { $0.system == system && $0.level != nil }
    }.filter { !$0.isEmpty }
    guard !systems.isEmpty else { return nil }
    let legend = "  (\(StatusValue.levelsUsed.text(in: language)))"
    var counts = systems.map { _ in 1 }
    // Seven systems at once: the last ones have no room.
    while counts.count > 1, line(systems, counts).count + legend.count > width {
      counts.removeLast()
    }
    var hasAdded = true
    while hasAdded {
      hasAdded = false
      for index in counts.indices where counts[index] < systems[index].count {
        counts[index] += 1
        if line(systems, counts).count + legend.count > width {
          counts[index] -= 1
        } else {
          hasAdded = true
        }
      }
    }
    return line(systems, counts) + legend
  }

  private static func line(_ systems: [[SatelliteLevel]], _ counts: [Int]) -> String {
    zip(systems, counts).map { system, count in
      let levels = system.prefix(count).map { "\($0.level ?? 0)" + ($0.isUsed ? "*" : "") }
      return ([system[0].system.name] + levels).joined(separator: " ")
    }.joined(separator: "  ")
  }
}

/// How long a queue takes to be sent.
enum DrainEstimate {
  /// From switching the modem on to the first request: contacts in the race took 20 to 40 s.
  private static let connection = Milliseconds.seconds(40)
  /// A request with a full batch and its answer over 3G.
  private static let request = Milliseconds.seconds(5)
  /// Captures in a full batch (`Bounds.batchLimit`).
  private static let batch: Int64 = 100

  /// The length of the contact.
  static func time(_ facts: TrackerFacts) -> Milliseconds {
    let requests = (max(0, facts.queue.pending) + batch - 1) / batch
    return (facts.modem.isPresent ? connection : 0) + Milliseconds(requests * request.count)
  }
}
