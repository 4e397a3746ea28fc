public import Wording

/// What people read for the members of a group of figures: why sentences, fixes and captures were
/// not used, and the parts that take energy.
public enum FigureName: Catalogue {
  case checksumMismatch, checksumMissing, malformed, truncated, tooLong, garbage
  case noFix, poorAccuracy, impossibleSpeed
  case clockUntrusted, atRest, storeFailed
  case board, receiver, modem, conversion

  /// - Parameter key: a member's name in JSON.
  /// - Returns: `nil` for a figure that has no name here.
  public init?(key: String) {
    switch key {
    case "checksum_mismatch": self = .checksumMismatch
    case "checksum_missing": self = .checksumMissing
    case "malformed": self = .malformed
    case "truncated": self = .truncated
    case "too_long": self = .tooLong
    case "garbage": self = .garbage
    case "no_fix", "noFix": self = .noFix
    case "poor_accuracy", "poorAccuracy": self = .poorAccuracy
    case "impossible_speed": self = .impossibleSpeed
    case "clockUntrusted": self = .clockUntrusted
    case "atRest": self = .atRest
    case "storeFailed": self = .storeFailed
    case "board": self = .board
    case "receiver": self = .receiver
    case "modem": self = .modem
    case "conversion": self = .conversion
    default: return nil
    }
  }

  public var texts: Texts {
    switch self {
    case .checksumMismatch:
      Texts(
        ca: "suma de control errònia", es: "suma de control errónea", en: "wrong checksum",
        fr: "somme de contrôle fausse")
    case .checksumMissing:
      Texts(
        ca: "sense suma de control", es: "sin suma de control", en: "no checksum",
        fr: "sans somme de contrôle")
    case .malformed:
      Texts(ca: "mal formades", es: "mal formadas", en: "malformed", fr: "mal formées")
    case .truncated: Texts(ca: "tallades", es: "cortadas", en: "cut short", fr: "tronquées")
    case .tooLong:
      Texts(ca: "massa llargues", es: "demasiado largas", en: "too long", fr: "trop longues")
    case .garbage: Texts(ca: "brossa", es: "basura", en: "garbage", fr: "parasites")
    case .noFix: Texts(ca: "sense posició", es: "sin posición", en: "no fix", fr: "sans position")
    case .poorAccuracy:
      Texts(
        ca: "posició imprecisa", es: "posición imprecisa", en: "poor accuracy",
        fr: "position imprécise")
    case .impossibleSpeed:
      Texts(
        ca: "velocitat impossible", es: "velocidad imposible", en: "impossible speed",
        fr: "vitesse impossible")
    case .clockUntrusted:
      Texts(
        ca: "hora no fiable", es: "hora no fiable", en: "date not trusted", fr: "date pas fiable")
    case .atRest: Texts(ca: "equip parat", es: "equipo parado", en: "at rest", fr: "à l'arrêt")
    case .storeFailed:
      Texts(ca: "error de disc", es: "error de disco", en: "disk failed", fr: "erreur de disque")
    case .board: Texts(ca: "placa", es: "placa", en: "board", fr: "carte")
    case .receiver: Texts(ca: "receptor", es: "receptor", en: "receiver", fr: "récepteur")
    case .modem: Texts(ca: "mòdem", es: "módem", en: "modem", fr: "modem")
    case .conversion:
      Texts(ca: "conversió", es: "conversión", en: "conversion", fr: "conversion")
    }
  }
}
