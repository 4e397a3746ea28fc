import ControlRoom
import Digests
import FeatureService
import Synchronization
import TrackerCore
import Wording

/// Where the apps of enrolled telephones report, and trackers that send OsmAnd requests:
/// `/phone/KEY`. The address is the enrolment, and names whose it is, whatever the app says of
/// itself.
///
/// Nothing that cannot be used is refused for good: an app sends it again and again, and nothing
/// after it.
struct PhoneDoor: Sendable {
  private let store: AccessStore
  private let features: FeatureServer
  private let rates = PhoneRates()

  init(_ store: AccessStore, _ features: FeatureServer) {
    (self.store, self.features) = (store, features)
  }

  /// - Returns: `nil` if the request is about something else.
  func answer(_ request: ServiceRequest, at time: HostTime) -> ServiceReply? {
    guard request.isPhone else { return nil }
    let language = request.language ?? .english
    func text(_ status: Int32, _ phrase: PhonePhrase, _ argument: String = "") -> ServiceReply {
      .answer(
        status: status, type: "text/plain; charset=utf-8",
        body: Array("\(phrase.text(in: language, argument))\n".utf8))
    }
    do {
      guard request.path.count == 2, let phone = try store.phone(request.path[1]) else {
        return text(401, .unknown)
      }
      guard phone.isValid(at: time.utc) else { return text(403, .over) }
      guard let report = PhoneReport(request, at: time.utc) else {
        // Somebody has opened the link. A tracker would take that for its capture's receipt.
        return request.method == "GET" && !phone.isTracker && !PostedCapture.isIn(request)
          ? text(200, .setUp) : text(400, phone.isTracker ? .notTracker : .unreadable)
      }
      if phone.isTracker && report.posted == nil { return text(400, .notTracker) }
      var captures = report.fixes.map { phone.capture($0, report.app) }
      if let posted = report.posted { captures.append(try capture(posted, of: phone)) }
      if !captures.isEmpty {
        if let wait = rates.take(captures.count, of: phone.number, at: time.uptime) {
          return text(429, .tooMany).after(wait)
        }
        _ = try features.take(captures, of: nil, at: time.utc)
        // A tracker takes what is answered otherwise for delivered. The layer refuses the first for
        // good; the second came at the same moment as another's of that identifier.
        if report.posted != nil {
          if try !features.has(captures[0].id) { return text(400, .unreadable) }
          if try features.isAnothers(captures[0]) {
            return text(503, .notNow).after(Bounds.roomRetrySeconds)
          }
        }
      }
      try store.note(report.app.rawValue, report.name, of: phone)
      if report.app == .ownTracks {
        return .answer(type: ServiceReply.jsonType, body: Array("[]".utf8))
      }
      return report.leftOut > 0 ? text(200, .leftOut, "\(report.leftOut)") : text(200, .taken)
    } catch {
      // Where the database is, is the organisers' to know; the room shows it.
      return text(503, .notNow).after(Bounds.roomRetrySeconds)
    }
  }
}

extension PhoneDoor {
  /// Another capture may have its identifier: then it gets another, and none is lost.
  private func capture(_ posted: PostedCapture, of phone: EnrolledPhone) throws -> ForeignCapture {
    var capture = phone.capture(posted)
    if try features.isAnothers(capture) { capture.id = posted.renewedID }
    return capture
  }
}

extension EnrolledPhone {
  /// What a tracker says of itself counts only at a tracker's address: a telephone promises
  /// nothing, and does not call for help.
  fileprivate func capture(_ posted: PostedCapture) -> ForeignCapture {
    var capture = ForeignCapture(id: posted.id, object: 0)
    capture.position = posted.position
    capture.device = tracker
    capture.team = name
    capture.batteryPercent = posted.batteryPercent
    capture.moment = posted.moment
    capture.kind = PhoneReport.App.tracker.rawValue
    capture.accuracyMetres = posted.accuracyMetres
    guard isTracker else {
      capture.trigger = DeliveredCapture.fromPhone
      return capture
    }
    capture.trigger = "\(posted.trigger.name)"
    capture.promise = posted.promise
    capture.silence = posted.silence.name.map { "\($0)" }
    capture.sequence = Int64(posted.sequence)
    return capture
  }

  /// A repeated position has the same identifier, and no other of the same telephone within seven
  /// weeks has it.
  fileprivate func capture(_ fix: PhoneFix, _ app: PhoneReport.App) -> ForeignCapture {
    let number = UInt32(truncatingIfNeeded: fix.taken.milliseconds)
    var capture = ForeignCapture(id: UniqueID(device: device, sequence: number), object: 0)
    capture.position = fix.position
    capture.device = tracker
    capture.team = name
    capture.batteryPercent = fix.batteryPercent
    capture.moment = fix.taken
    capture.kind = app.rawValue
    capture.trigger = DeliveredCapture.fromPhone
    capture.accuracyMetres = fix.accuracyMetres
    return capture
  }

  /// For the identifiers of its captures, which tell nothing of its address.
  private var device: UniqueID {
    let digits = sha256("phone \(keyHash)")
    func part(_ from: Int) -> UInt64 { UInt64(digits.dropFirst(from).prefix(16), radix: 16) ?? 0 }
    return UniqueID(high: part(0), low: part(16))
  }
}

/// How many positions each telephone may send now.
final class PhoneRates: Sendable {
  private struct Credit {
    var fixes = Bounds.phoneFixesAtOnce
    var at: Milliseconds
  }

  private let credits = Mutex<[Int64: Credit]>([:])

  /// - Parameter number: of the telephone; there are `Bounds.phones` at most.
  /// - Returns: `nil` if it may; else in how many seconds.
  func take(_ count: Int, of number: Int64, at now: Milliseconds) -> Int64? {
    credits.withLock { credits in
      var credit = credits[number] ?? Credit(at: now)
      let seconds = Double(max(0, (now - credit.at).count)) / 1000
      credit.fixes = min(
        Bounds.phoneFixesAtOnce, credit.fixes + seconds * Bounds.phoneFixesPerSecond)
      credit.at = now
      defer { credits[number] = credit }
      guard credit.fixes >= Double(count) else {
        let missing = Double(count) - credit.fixes
        return Int64((missing / Bounds.phoneFixesPerSecond).rounded(.up))
      }
      credit.fixes -= Double(count)
      return nil
    }
  }
}

/// What a telephone's app is answered, for people who look into it.
enum PhonePhrase: String, Catalogue {
  case unknown, over, unreadable, notTracker, tooMany, notNow, taken, leftOut, setUp

  var texts: Texts {
    switch self {
    case .unknown:
      Texts(
        ca: "cap telèfon no té aquesta adreça; demaneu un enllaç a la sala de control",
        es: "ningún teléfono tiene esta dirección; pida un enlace a la sala de control",
        en: "no phone has this address; ask the control room for a link",
        fr: "aucun téléphone n'a cette adresse ; demandez un lien à la salle de contrôle")
    case .over:
      Texts(
        ca: "l'enllaç d'aquest telèfon ja no val; demaneu-ne un altre a la sala de control",
        es: "el enlace de este teléfono ya no vale; pida otro a la sala de control",
        en: "this phone's link is not valid any more; ask the control room for another",
        fr: "le lien de ce téléphone n'est plus valable ; demandez-en un autre")
    case .unreadable:
      Texts(
        ca: "això no és cap posició d'OsmAnd, Traccar Client ni OwnTracks",
        es: "esto no es ninguna posición de OsmAnd, Traccar Client ni OwnTracks",
        en: "this is no position of OsmAnd, Traccar Client or OwnTracks",
        fr: "ce n'est pas une position d'OsmAnd, de Traccar Client ou d'OwnTracks")
    case .notTracker:
      Texts(
        ca: "aquesta adreça és d'un rastrejador; demaneu-ne una per a un telèfon",
        es: "esta dirección es de un rastreador; pida una para un teléfono",
        en: "this address is a tracker's; ask the control room for a phone's",
        fr: "cette adresse est celle d'un traceur ; demandez-en une pour un téléphone")
    case .tooMany:
      Texts(
        ca: "massa posicions alhora; torneu-hi d'aquí a una estona",
        es: "demasiadas posiciones a la vez; vuelva dentro de un rato",
        en: "too many positions at once; send them later",
        fr: "trop de positions à la fois ; envoyez-les plus tard")
    case .notNow:
      Texts(
        ca: "ara no es pot desar; torneu-ho a enviar",
        es: "ahora no se puede guardar; vuelva a enviarlo",
        en: "cannot be stored now; send it again",
        fr: "ne peut être enregistré maintenant ; renvoyez-le")
    case .taken: Texts(ca: "desat", es: "guardado", en: "stored", fr: "enregistré")
    case .leftOut:
      Texts(
        ca: "no serveixen, i no es desen (lloc o hora impossibles): {1}",
        es: "no sirven, y no se guardan (lugar u hora imposibles): {1}",
        en: "cannot be used, and are not stored (impossible place or time): {1}",
        fr: "inutilisables, non enregistrées (lieu ou heure impossibles) : {1}")
    case .setUp:
      Texts(
        ca: "Aquesta és l'adreça secreta del vostre telèfon. Poseu-la com a URL del servidor a "
          + "Traccar Client, o com a URL a OwnTracks (mode HTTP).",
        es: "Esta es la dirección secreta de su teléfono. Póngala como URL del servidor en Traccar "
          + "Client, o como URL en OwnTracks (modo HTTP).",
        en: "This is your phone's secret address. Enter it as the server URL in Traccar Client, or "
          + "as the URL in OwnTracks (mode HTTP).",
        fr: "Ceci est l'adresse secrète de votre téléphone. Entrez-la comme URL du serveur dans "
          + "Traccar Client, ou comme URL dans OwnTracks (mode HTTP).")
    }
  }
}
