import TrackerCore
import Wording

/// Tests each part of a tracker: ok, failed with the cure, or not tested.
enum SelfTest {
  enum Part: String, Catalogue {
    case receiver, antenna, position, battery, pins, modem, sim, registration, server, layer, disk
    case clock, sleep, recording

    var texts: Texts {
      switch self {
      case .receiver: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "récepteur")
      case .antenna: Texts(ca: "antena GPS", es: "antena GPS", en: "GPS antenna", fr: "antenne GPS")
      case .position: Texts(ca: "posició", es: "posición", en: "position", fr: "position")
      case .battery: Texts(ca: "bateria", es: "batería", en: "battery", fr: "batterie")
      case .pins: Texts(ca: "pins", es: "pines", en: "pins", fr: "broches")
      case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
      case .sim: Texts(ca: "SIM", es: "SIM", en: "SIM", fr: "SIM")
      case .registration: Texts(ca: "xarxa", es: "red", en: "network", fr: "réseau")
      case .server: Texts(ca: "servidor", es: "servidor", en: "server", fr: "serveur")
      case .layer: Texts(ca: "capa", es: "capa", en: "layer", fr: "couche")
      case .disk: Texts(ca: "disc", es: "disco", en: "disk", fr: "disque")
      case .clock: Texts(ca: "hora", es: "hora", en: "clock", fr: "heure")
      case .sleep:
        Texts(
          ca: "despertador", es: "despertador", en: "wake-up alarm", fr: "réveil")
      case .recording: Texts(ca: "gravació", es: "grabación", en: "recording", fr: "enregistrement")
      }
    }
  }

  enum Outcome: Sendable, Equatable {
    case ok(String)
    /// It works, but this is to be seen to.
    case warned(Texts)
    case failed(Texts, detail: Texts?)
    case skipped(Texts)
  }

  static func answer(
    of facts: TrackerFacts, server: ServerFit = .unknown(nil), in language: Language
  ) -> Answer {
    var page = Page()
    var members: [Figure.Member] = []
    var isFit = true
    guard facts.identity.presence == .running else {
      let verdict = FitnessVerdict(of: facts)
      page.line(verdict.text(of: facts, in: language), .bad)
      if let action = verdict.action(for: facts, in: language) { page.line("  -> " + action) }
      return Answer(
        page, [Figure.Member("tracker", .text(facts.identity.presence.rawValue))], exitCode: 1)
    }
    for part in Part.allCases where part != .sleep || facts.machine.sleep != nil {
      let outcome = outcome(of: part, facts, server, in: language)
      let name = part.text(in: language)
      let head = name + String(repeating: " ", count: max(1, 16 - name.count))
      switch outcome {
      case .ok(let detail):
        page.line([
          Page.Span(text: head, ink: .plain),
          Page.Span(text: ConsolePhrase.testOK.text(in: language), ink: .good),
          Page.Span(text: detail.isEmpty ? "" : "  " + detail, ink: .plain),
        ])
        members.append(Figure.Member(part.rawValue, .text("ok")))
      case .warned(let what):
        page.line([
          Page.Span(text: head, ink: .plain),
          Page.Span(text: ConsolePhrase.testOK.text(in: language), ink: .good),
          Page.Span(text: "  " + what[language], ink: .plain),
        ])
        members.append(Figure.Member(part.rawValue, .text("warned")))
      case .failed(let cure, let detail):
        isFit = false
        let detail = detail?[language] ?? ""
        page.line([
          Page.Span(text: head, ink: .plain),
          Page.Span(text: ConsolePhrase.testFailed.text(in: language), ink: .bad),
          Page.Span(text: detail.isEmpty ? "" : "  " + detail, ink: .plain),
        ])
        page.line("  -> " + cure[language])
        members.append(Figure.Member(part.rawValue, .text("failed")))
      case .skipped(let why):
        page.line(head + ConsolePhrase.testSkipped.text(in: language) + "  " + why[language])
        members.append(Figure.Member(part.rawValue, .text("skipped")))
      }
    }
    return Answer(page, members, exitCode: isFit ? 0 : 1)
  }

  private static func outcome(
    of part: Part, _ facts: TrackerFacts, _ server: ServerFit, in language: Language
  ) -> Outcome {
    switch part {
    case .receiver: receiver(facts)
    case .antenna: antenna(facts)
    case .position: position(facts)
    case .battery: battery(facts)
    case .pins: facts.machine.pinsProblem.map { .failed(Cure.pins.texts, detail: $0) } ?? .ok("")
    case .modem: modem(facts)
    case .sim: sim(facts, in: language)
    case .registration: registration(facts, in: language)
    case .server: self.server(facts, in: language)
    case .layer: layer(facts, server, in: language)
    case .disk: disk(facts)
    case .clock:
      facts.clock.isTrusted
        ? .ok(facts.clock.utc.map { CalendarText.text($0) + " UTC" } ?? "")
        : .failed(Cause.noFix.action, detail: nil)
    case .sleep:
      facts.machine.sleepProblem.map { .failed(Cure.alarm.texts, detail: $0) } ?? .ok("")
    case .recording:
      if let problem = facts.machine.recordingProblem {
        .failed(Cause.diskFull.action, detail: problem)
      } else if let path = facts.machine.recording {
        .ok(path)
      } else {
        .skipped(Cure.notConfigured.texts)
      }
    }
  }

  private static func receiver(_ facts: TrackerFacts) -> Outcome {
    if facts.receiver.port != .connected || facts.receiver.isSilent {
      return .failed(Cause.receiverSilent.action, detail: facts.receiver.problem)
    }
    guard facts.receiver.isAwake else { return .skipped(Cure.asleep.texts) }
    if facts.receiver.bytesPerMinute == 0 {
      return .failed(Cause.receiverSilent.action, detail: nil)
    }
    if facts.receiver.rejectedPerMinute > facts.receiver.sentencesPerMinute {
      return .failed(
        Cause.receiverNoise.action, detail: "\(facts.receiver.rejectedPerMinute)".texts)
    }
    return .ok("\(facts.receiver.sentencesPerMinute)/min")
  }

  private static func antenna(_ facts: TrackerFacts) -> Outcome {
    guard facts.receiver.isAwake, let signal = facts.receiver.bestSignal else {
      return .skipped(Cure.noLevels.texts)
    }
    let level = "\(signal) dB-Hz"
    return signal >= VerdictBounds.goodSignal
      ? .ok(level) : .failed(Cause.noFix.action, detail: level.texts)
  }

  private static func position(_ facts: TrackerFacts) -> Outcome {
    guard facts.receiver.isAwake else { return .skipped(Cure.asleep.texts) }
    guard let age = facts.receiver.fixAge, age < VerdictBounds.usualGap else {
      return .failed(Cause.noFix.action, detail: nil)
    }
    return .ok(
      Quantity.position(
        Int32(clamping: facts.receiver.latitude ?? 0),
        Int32(clamping: facts.receiver.longitude ?? 0)))
  }

  private static func battery(_ facts: TrackerFacts) -> Outcome {
    switch facts.battery.state {
    case .measured:
      let detail = facts.battery.millivolts.map { "\($0) mV" } ?? ""
      if facts.battery.reachesFinish == false && !facts.battery.isCharging {
        return .failed(Cause.batteryShort.action(for: facts), detail: detail.texts)
      }
      if facts.isBatteryLow {
        return .failed(Cause.batteryLow.action, detail: detail.texts)
      }
      return .ok(detail)
    case .noSensor: return .skipped(Cure.noSensor.texts)
    case .notYet, .modemNotYet: return .skipped(Cure.notYet.texts)
    case .modemOld, .lost: return .failed(Cure.sensor.texts, detail: facts.battery.problem)
    }
  }

  private static func modem(_ facts: TrackerFacts) -> Outcome {
    guard facts.modem.isPresent else { return .skipped(Cure.noModem.texts) }
    if facts.modem.isPortTaken {
      return .failed(Cause.modemPortTaken.action, detail: facts.modem.problem)
    }
    if facts.modem.port != .connected || facts.modem.problem != nil {
      return .failed(Cause.modemUnplugged.action, detail: facts.modem.problem)
    }
    if facts.blockingReason == .modemSilent || facts.modem.phase == .faulted {
      return .failed(Cause.modemSilent.action, detail: facts.modem.phase?.texts)
    }
    return .ok("")
  }

  private static func sim(_ facts: TrackerFacts, in language: Language) -> Outcome {
    guard facts.modem.isPresent else { return .skipped(Cure.noModem.texts) }
    if let reason = facts.blockingReason, reason == .noSIM || reason.isOfLockedSIM,
      let cause = reason.row
    {
      return .failed(cause.action, detail: cause.title)
    }
    guard let age = facts.modem.simReady else { return .skipped(Cure.tryFirst.texts) }
    return .ok(ago(age, in: language) ?? "")
  }

  private static func registration(_ facts: TrackerFacts, in language: Language) -> Outcome {
    guard facts.modem.isPresent else { return .skipped(Cure.noModem.texts) }
    if facts.blockingReason == .registrationDenied {
      return .failed(Cause.networkDenies.action, detail: nil)
    }
    guard let age = facts.modem.registered else { return .skipped(Cure.tryFirst.texts) }
    let parts = [ModemStatusText.network(facts, in: language), ago(age, in: language)]
    return .ok(parts.compactMap(\.self).joined(separator: ", "))
  }

  private static func server(_ facts: TrackerFacts, in language: Language) -> Outcome {
    if facts.sending.contactsFailed > 0 || facts.sending.failing != nil {
      let cause = facts.sending.failing?.row ?? .serverSilent
      return .failed(cause.action, detail: facts.sending.lastProblem)
    }
    guard let age = facts.sending.lastContact else { return .skipped(Cure.tryFirst.texts) }
    return .ok(ago(age, in: language) ?? "")
  }

  /// What the server has told the tracker, or else what the layer says about itself now.
  private static func layer(
    _ facts: TrackerFacts, _ server: ServerFit, in language: Language
  ) -> Outcome {
    if facts.blockingReason == .unauthorised {
      return .failed(Cause.unauthorised.action, detail: nil)
    }
    if case .serverRejected(let code) = facts.blockingReason {
      return .failed(Cause.serverRefuses.action, detail: "\(code)".texts)
    }
    if facts.queue.setAside > 0 {
      return .failed(Cause.setAside.action, detail: "\(facts.queue.setAside)".texts)
    }
    switch server {
    case .fit: return .ok(ConsolePhrase.testAsked.text(in: language))
    case .lacking(let what): return .warned(what)
    case .unauthorised: return .failed(Cause.unauthorised.action, detail: nil)
    case .unfit(let why): return .failed(Cause.serverRefuses.action, detail: why)
    case .unknown(let why):
      guard let age = facts.sending.lastDelivery else { return .skipped(Cure.tryFirst.texts) }
      let asked = why.map { ConsolePhrase.testNotAsked.text(in: language, $0[language]) }
      return .ok([ago(age, in: language), asked].compactMap(\.self).joined(separator: "; "))
    }
  }

  /// `nil` if it is current.
  private static func ago(_ age: Milliseconds, in language: Language) -> String? {
    guard age >= .seconds(1) else { return nil }
    return StatusValue.ago.text(in: language, Quantity.span(age, in: language))
  }

  private static func disk(_ facts: TrackerFacts) -> Outcome {
    if let problem = facts.store.problem {
      return .failed(Cause.storeFailed.action, detail: problem)
    }
    guard let free = facts.store.diskFree else { return .skipped(Cure.notConfigured.texts) }
    let text = "\(free >> 20) MB"
    return free < VerdictBounds.diskFree || facts.store.second != nil
      ? .failed(Cause.diskFull.action, detail: text.texts) : .ok(text)
  }

  /// What only the self-test says.
  enum Cure: String, Catalogue {
    case pins, alarm, asleep, noLevels, noSensor, notYet, sensor, noModem, tryFirst, notConfigured

    var texts: Texts {
      switch self {
      case .pins:
        Texts(
          ca: "comproveu el grup gpio i el fitxer de la placa",
          es: "compruebe el grupo gpio y el fichero de la placa",
          en: "check the group gpio and the board's file",
          fr: "vérifiez le groupe gpio et le fichier de la carte")
      case .alarm:
        Texts(
          ca: "comproveu el rellotge i el seu dtoverlay, o escriviu set sleep never",
          es: "compruebe el reloj y su dtoverlay, o escriba set sleep never",
          en: "check the clock and its dtoverlay, or type set sleep never",
          fr: "vérifiez l'horloge et son dtoverlay, ou tapez set sleep never")
      case .asleep:
        Texts(
          ca: "el receptor dorm; escriviu capture now",
          es: "el receptor duerme; escriba capture now",
          en: "the receiver sleeps; type capture now",
          fr: "le récepteur est en veille ; tapez capture now")
      case .noLevels:
        Texts(
          ca: "el receptor no diu cap nivell (GSV)", es: "el receptor no da niveles (GSV)",
          en: "the receiver reports no signal levels (GSV)",
          fr: "le récepteur ne donne pas de niveaux (GSV)"
        )
      case .noSensor:
        Texts(
          ca: "la placa no té sensor", es: "la placa no tiene sensor",
          en: "the board names no sensor", fr: "la carte n'a pas de capteur")
      case .notYet:
        Texts(
          ca: "encara no s'ha mesurat", es: "aún no se ha medido", en: "not measured yet",
          fr: "pas encore mesurée")
      case .sensor:
        Texts(
          ca: "comproveu el sensor i el seu dtoverlay", es: "compruebe el sensor y su dtoverlay",
          en: "check the sensor and its dtoverlay", fr: "vérifiez le capteur et son dtoverlay")
      case .noModem:
        Texts(
          ca: "sense mòdem (bearer: \"none\")", es: "sin módem (bearer: \"none\")",
          en: "no modem (bearer: \"none\")", fr: "sans modem (bearer: \"none\")")
      case .tryFirst:
        Texts(
          ca: "encara cap contacte; escriviu try", es: "aún ningún contacto; escriba try",
          en: "no contact yet; type try", fr: "aucun contact encore ; tapez try")
      case .notConfigured:
        Texts(
          ca: "no configurat", es: "no configurado", en: "not configured", fr: "non configuré")
      }
    }
  }
}
