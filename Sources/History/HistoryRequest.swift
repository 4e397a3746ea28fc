import Courses
public import TrackerCore
public import Wording

/// What the control room asks for: positions of a span of time, one for each slot of it.
public struct HistoryRequest: Sendable, Equatable {
  public let from: UTC
  public let until: UTC
  /// Between two slots; whole seconds.
  public let step: Milliseconds

  /// 1...`HistoryBounds.positions`: the first at `from`, the last not after `until`.
  public var slots: Int { Int((until - from).count / step.count) + 1 }

  /// Whether an order is one of these, well formed or not.
  public static func isOne(_ order: String) -> Bool {
    order.split(separator: " ", maxSplits: 1).first == "history"
  }

  /// - Parameters:
  ///   - order: `history 2026-04-18T10:00:00Z 2026-04-18T11:00:00Z 30 s`; the step in s, min or h.
  ///   - now: it ends before; `nil`: nobody knows.
  public init(_ order: String, at now: UTC?) throws(HistoryError) {
    let words = order.split(separator: " ").map(String.init)
    guard words.count == 5, words[0] == "history", let from = DateText.xmlDate(words[1]),
      let until = DateText.xmlDate(words[2]), let count = Int64(words[3]), count > 0,
      let unit: Int64 = ["s": 1, "min": 60, "h": 3600][words[4]]
    else { throw HistoryError(.form) }
    let step = Milliseconds.seconds(min(count, 1_000_000) * unit)
    guard step >= HistoryBounds.finest, step <= HistoryBounds.coarsest else {
      throw HistoryError(.form)
    }
    guard from <= until else { throw HistoryError(.backward) }
    guard now.map({ until <= $0 }) ?? true else { throw HistoryError(.future) }
    (self.from, self.until, self.step) = (from, until, step)
    guard slots <= HistoryBounds.positions else {
      throw HistoryError(.tooMany, "\(slots)", "\(HistoryBounds.positions)")
    }
  }

  /// What it takes to send, at most, in the words that the server keeps.
  ///
  /// - Parameter milliwatts: what the modem takes while it sends; 0: not known.
  public func cost(milliwatts: Int) -> String {
    let parts = (slots + HistoryBounds.slotsOfPart - 1) / HistoryBounds.slotsOfPart
    let bytes = slots * HistoryBounds.positionBytes + parts * HistoryBounds.requestBytes
    let seconds =
      (parts + 2) * HistoryBounds.exchangeSeconds + bytes / HistoryBounds.bytesPerSecond
    let energy = milliwatts * seconds * 10 / 3600
    let time = "\(seconds / 60).\(seconds % 60 * 10 / 60) min"
    let charge = milliwatts > 0 ? ", \(energy / 10).\(energy % 10) mWh" : ""
    return "at most \(slots) positions, \(time)\(charge)"
  }
}

/// Why there is no history: one line.
public struct HistoryError: Error, Sendable, Equatable, Worded {
  public let texts: Texts

  public init(_ phrase: HistoryPhrase, _ arguments: String...) {
    texts =
      switch arguments.count {
      case 0: phrase.texts
      case 1: phrase.texts(arguments[0])
      default: phrase.texts(arguments[0], arguments[1])
      }
  }
}

public enum HistoryPhrase: Catalogue {
  case form, backward, future, tooMany, reserve, open, notAllowed, noTable, notTaken

  public var texts: Texts {
    switch self {
    case .form:
      Texts(
        ca: "s'escriu així: history 2026-04-18T10:00:00Z 2026-04-18T11:00:00Z 30 s",
        es: "se escribe así: history 2026-04-18T10:00:00Z 2026-04-18T11:00:00Z 30 s",
        en: "write it like this: history 2026-04-18T10:00:00Z 2026-04-18T11:00:00Z 30 s",
        fr: "écrivez ainsi : history 2026-04-18T10:00:00Z 2026-04-18T11:00:00Z 30 s")
    case .backward:
      Texts(
        ca: "acaba abans de començar; intercanvieu les hores",
        es: "acaba antes de empezar; intercambie las horas",
        en: "it ends before it begins; swap the times",
        fr: "la fin précède le début ; échangez les heures")
    case .future:
      Texts(
        ca: "encara no ha passat; demaneu fins ara com a molt",
        es: "todavía no ha pasado; pida hasta ahora como mucho",
        en: "that is still to come; ask up to now at most",
        fr: "ce n'est pas encore passé ; demandez jusqu'à maintenant au plus")
    case .tooMany:
      Texts(
        ca: "són {1} posicions, màxim {2}; demaneu menys temps o un pas més llarg",
        es: "son {1} posiciones, máximo {2}; pida menos tiempo o un paso más largo",
        en: "{1} positions, at most {2}; ask for less time or a longer step",
        fr: "{1} positions, au plus {2} ; demandez moins de temps ou un pas plus long")
    case .reserve:
      Texts(
        ca: "la bateria és a la reserva", es: "la batería está en reserva",
        en: "the battery is in its reserve", fr: "la batterie est sur sa réserve")
    case .open:
      Texts(
        ca: "ja n'hi ha {1} de pendents; espereu-les", es: "ya hay {1} pendientes; espérelas",
        en: "{1} others are not done yet; wait for them",
        fr: "{1} autres sont en attente ; attendez-les")
    case .notAllowed:
      Texts(
        ca: "la configuració del rastrejador no permet history; afegiu-ho a remote",
        es: "la configuración del rastreador no permite history; añádalo a remote",
        en: "the tracker's configuration does not allow history; add it to remote",
        fr: "la configuration de la balise ne permet pas history ; ajoutez-le à remote")
    case .noTable:
      Texts(
        ca: "el servidor no té la taula Historia; feu-la (README de basecamp)",
        es: "el servidor no tiene la tabla Historia; créela (README de basecamp)",
        en: "the server has no table Historia; make it (basecamp's README)",
        fr: "le serveur n'a pas de table Historia ; créez-la (README de basecamp)")
    case .notTaken:
      Texts(
        ca: "el servidor en rebutja parts; comproveu la taula Historia (README de basecamp)",
        es: "el servidor rechaza partes; compruebe la tabla Historia (README de basecamp)",
        en: "the server refuses parts of it; check its table Historia (basecamp's README)",
        fr: "le serveur en refuse des parties ; vérifiez la table Historia (README de basecamp)")
    }
  }
}
