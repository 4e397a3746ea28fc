import TrackerCore
import Wording

/// Follows one attempt to send: what changes from one look at the tracker to the next, in words.
///
/// Times are the tracker's own, so that they are right in a rehearsal that runs faster.
public struct Progress: Sendable {
  public enum Outcome: Sendable, Equatable {
    case delivered
    /// The contact has ended without a delivery, or cannot begin.
    case failed
    /// There is nothing to send.
    case idle
    case timedOut
    /// The tracker no longer answers, or was started again.
    case lost

    public var exitCode: Int32 { self == .delivered ? 0 : 1 }
  }

  public private(set) var outcome: Outcome?
  private let start: TrackerFacts
  private let language: Language
  private var last: TrackerFacts
  /// Whether something has been tried since the start.
  private var isContact = false
  /// The tracker's time since the start.
  private var elapsed: Milliseconds = 0
  private var page = Page()
  private var lastShown: (modem: String?, sending: Reason??)

  /// - Parameter start: from before the order.
  public init(since start: TrackerFacts, in language: Language) {
    self.start = start
    self.language = language
    last = start
  }

  /// What is new.
  public mutating func take(_ facts: TrackerFacts) -> Page {
    page = Page()
    guard outcome == nil else { return page }
    guard facts.identity.presence == .running, let now = facts.identity.runningFor,
      let began = start.identity.runningFor,
      now >= began
    else {
      finish(.lost, .lost)
      return page
    }
    elapsed = now - began
    capture(facts)
    modem(facts)
    sending(facts)
    problem(facts)
    judge(facts)
    last = facts
    return page
  }

  // MARK: Steps

  private mutating func capture(_ facts: TrackerFacts) {
    guard let number = facts.captures.last, number != last.captures.last else { return }
    line(.captured, "\(number)")
  }

  private mutating func modem(_ facts: TrackerFacts) {
    guard facts.modem.isPresent else { return }
    var text = ModemStatusText.text(facts, in: language)
    if facts.modem.phase != .off, let network = ModemStatusText.network(facts, in: language) {
      text += ", " + network
    }
    guard text != lastShown.modem else { return }
    lastShown.modem = text
    line(.modem, text)
  }

  private mutating func sending(_ facts: TrackerFacts) {
    guard lastShown.sending != .some(facts.sending.reason) else { return }
    lastShown.sending = .some(facts.sending.reason)
    guard let reason = facts.sending.reason else {
      isContact = true
      return line(.now)
    }
    if reason == .reconnectFloor, let wait = facts.sending.nextContact, wait > 0 {
      return line(.floor, Quantity.clock(wait))
    }
    // Between two contacts; the modem's line says more.
    guard reason != .notDue else { return }
    line(.waits, reason.text(in: language))
    if case .backingOff = reason, let wait = facts.sending.nextContact, wait > 0 {
      line(.retry, Quantity.clock(wait))
    }
  }

  private mutating func problem(_ facts: TrackerFacts) {
    guard let problem = facts.sending.lastProblem, let age = facts.sending.lastProblemAge,
      age < elapsed,
      problem != last.sending.lastProblem || last.sending.lastProblemAge.map({ age < $0 }) ?? true
    else { return }
    line(.problem, problem[language])
  }

  // MARK: The end

  private mutating func judge(_ facts: TrackerFacts) {
    if let age = facts.sending.lastDelivery, age < elapsed {
      let count = facts.sending.lastDelivered ?? 1
      let text = StatusValue.captures.text(in: language, count: count)
      return finish(.delivered, .delivered, text, "\(facts.queue.pending)", ink: .good)
    }
    if facts.sending.contactsFailed > start.sending.contactsFailed || isHopeless(facts) {
      return finish(.failed, .failed)
    }
    if facts.queue.pending == 0 && facts.session.state != .running && facts.sending.reason != nil {
      return finish(.idle, .idle, ink: .waiting)
    }
    if elapsed >= FieldBounds.progress { finish(.timedOut, .timedOut, ink: .waiting) }
  }

  /// Whether the contact is over: there is a new reason, and waiting does not help.
  private func isHopeless(_ facts: TrackerFacts) -> Bool {
    guard let reason = facts.sending.reason,
      isContact || facts.sending.reason != start.sending.reason
    else {
      return false
    }
    let properties = reason.properties
    return properties.needsPerson || [.battery, .server].contains(properties.subject)
  }

  private mutating func finish(
    _ outcome: Outcome, _ phrase: ProgressPhrase, _ first: String = "", _ second: String = "",
    ink: Page.Ink = .bad
  ) {
    self.outcome = outcome
    line(phrase, first, second, ink: ink)
  }

  private mutating func line(
    _ phrase: ProgressPhrase, _ first: String = "", _ second: String = "",
    ink: Page.Ink = .plain
  ) {
    let time = Quantity.clock(elapsed)
    let gap = String(repeating: " ", count: max(0, 6 - time.count))
    page.line(gap + time + "  " + phrase.text(in: language, first.plain, second), ink)
  }
}

/// What `try` says on its way.
enum ProgressPhrase: String, Catalogue {
  case captured, modem, now, floor, waits, retry, problem, delivered, failed, idle, timedOut, lost

  var texts: Texts {
    switch self {
    case .captured:
      Texts(
        ca: "posició presa, número {1}", es: "posición tomada, número {1}",
        en: "position taken, number {1}", fr: "position prise, numéro {1}")
    case .modem:
      Texts(ca: "mòdem: {1}", es: "módem: {1}", en: "modem: {1}", fr: "modem : {1}")
    case .now:
      Texts(
        ca: "comença l'enviament", es: "empieza el envío", en: "sending begins",
        fr: "l'envoi commence")
    case .floor:
      Texts(
        ca: "es podrà tornar a la xarxa d'aquí a {1}; si és urgent: try now",
        es: "se podrá volver a la red dentro de {1}; si urge: try now",
        en: "the network may be joined again in {1}; if it is urgent: try now",
        fr: "le réseau pourra être rejoint dans {1} ; si c'est urgent : try now")
    case .waits: Texts(ca: "espera: {1}", es: "espera: {1}", en: "waits: {1}", fr: "attend : {1}")
    case .retry:
      Texts(
        ca: "torna a provar d'aquí a {1}", es: "reintenta dentro de {1}", en: "tries again in {1}",
        fr: "nouvel essai dans {1}")
    case .problem:
      Texts(ca: "problema: {1}", es: "problema: {1}", en: "problem: {1}", fr: "problème : {1}")
    case .delivered:
      Texts(
        ca: "lliurat: {1}; en espera: {2}", es: "entregado: {1}; en espera: {2}",
        en: "delivered: {1}; still waiting: {2}", fr: "livré : {1} ; en attente : {2}")
    case .failed:
      Texts(
        ca: "no s'ha lliurat; escriviu status per saber què cal fer",
        es: "no se ha entregado; escriba status para saber qué hacer",
        en: "not delivered; type status for what to do",
        fr: "rien n'est livré ; tapez status pour savoir quoi faire")
    case .idle:
      Texts(
        ca: "no hi ha res per enviar; inicieu una sessió amb start",
        es: "no hay nada que enviar; empiece una sesión con start",
        en: "nothing waits to be sent; begin a session with start",
        fr: "rien à envoyer ; commencez une session avec start")
    case .timedOut:
      Texts(
        ca: "res lliurat fins ara; l'equip continua provant-ho; escriviu why",
        es: "nada entregado hasta ahora; el equipo sigue intentándolo; escriba why",
        en: "nothing delivered so far; the tracker goes on trying; type why",
        fr: "rien livré jusqu'ici ; la balise continue d'essayer ; tapez why")
    case .lost:
      Texts(
        ca: "trackerd ja no respon; escriviu status",
        es: "trackerd ya no responde; escriba status",
        en: "trackerd no longer answers; type status",
        fr: "trackerd ne répond plus ; tapez status")
    }
  }
}
