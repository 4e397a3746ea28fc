/// The languages of the race.
public enum Language: UInt8, Sendable, Equatable {
  case catalan
  case spanish
  case english
  case french

  /// Before what explains: French sets a space before it.
  public var colon: String { self == .french ? " : " : ": " }
  /// Between two remarks.
  public var semicolon: String { self == .french ? " ; " : "; " }
  /// At the end of a line's name, without the gap behind it.
  public var labelColon: String { self == .french ? " :" : ":" }
}

extension Language {
  /// The one of ours that a browser prefers, by its header Accept-Language (RFC 9110 §12.5.4):
  /// `ca, en-GB;q=0.8`. Of several with the same weight it is the first. An entry whose weight
  /// cannot be read does not count.
  ///
  /// - Returns: `nil` if there is none of ours.
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
