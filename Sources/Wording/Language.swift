/// The languages of the race.
public enum Language: UInt8, Sendable, Equatable {
  case catalan
  case spanish
  case english
  case french

  /// Before an explanation; French has a space before it.
  public var colon: String { self == .french ? " : " : ": " }
  /// Between two remarks.
  public var semicolon: String { self == .french ? " ; " : "; " }
  /// At the end of a line's name, without the space after it.
  public var labelColon: String { self == .french ? " :" : ":" }
}

extension Language {
  /// By ISO 639-1 code; what follows it, as in `ca_ES.UTF-8`, is ignored.
  public init?(code: some StringProtocol) {
    switch code.prefix(2).lowercased() {
    case "ca": self = .catalan
    case "es": self = .spanish
    case "en": self = .english
    case "fr": self = .french
    default: return nil
    }
    let after = code.dropFirst(2).first
    guard after == nil || after.map({ !$0.isLetter }) == true else { return nil }
  }

  public var code: String {
    switch self {
    case .catalan: "ca"
    case .spanish: "es"
    case .english: "en"
    case .french: "fr"
    }
  }

  public static let all: [Language] = [.catalan, .spanish, .english, .french]

  /// The language of an environment: the first of LC_ALL, LC_MESSAGES and LANG that is set decides
  /// (POSIX, Environment Variables). `nil`: none of ours.
  public static func of(environment: (String) -> String?) -> Language? {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = environment(name), !value.isEmpty { return Language(code: value) }
    }
    return nil
  }
}

extension Language {
  /// The language of ours that a browser prefers, by its header Accept-Language (RFC 9110 §12.5.4):
  /// `ca, en-GB;q=0.8`. Of several with the same weight it is the first. An entry whose weight
  /// cannot be read does not count.
  ///
  /// - Returns: `nil` if none is ours.
  public init?(acceptLanguage header: String) {
    var best: (language: Language, weight: Double)?
    for entry in header.split(separator: ",") {
      let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let code = parts.first, let language = Language(code: code),
        let weight = Self.weight(parts.dropFirst().first), weight > best?.weight ?? 0
      else { continue }
      best = (language, weight)
    }
    guard let best else { return nil }
    self = best.language
  }

  /// From 0, which is a refusal, to 1.
  private static func weight(_ parameter: String?) -> Double? {
    guard let parameter else { return 1 }
    guard parameter.lowercased().hasPrefix("q="), let weight = Double(parameter.dropFirst(2)),
      (0...1).contains(weight)
    else { return nil }
    return weight
  }
}
