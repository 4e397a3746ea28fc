/// What one entry of a catalogue says in each language.
///
/// `{1}`, `{2}` … are replaced by arguments; each language has the same ones, in its own order. A
/// text with ` | ` has a form for one and a form for any other count.
public struct Texts: Sendable, Equatable, Codable {
  public var catalan: String
  public var spanish: String
  public var english: String
  public var french: String

  private enum CodingKeys: String, CodingKey {
    case catalan = "ca"
    case spanish = "es"
    case english = "en"
    case french = "fr"
  }

  public init(ca: String, es: String, en: String, fr: String) {
    catalan = ca
    spanish = es
    english = en
    french = fr
  }

  public subscript(language: Language) -> String {
    switch language {
    case .catalan: catalan
    case .spanish: spanish
    case .english: english
    case .french: french
    }
  }
}

/// All that a module says to people: an enumeration with a case for each entry, so that the
/// compiler finds a missing one, and a test can look at all.
public protocol Catalogue: CaseIterable, Sendable {
  var texts: Texts { get }
}

extension Catalogue {
  /// The text with its arguments.
  public func text(in language: Language, _ arguments: String...) -> String {
    Self.filled(texts[language], arguments)
  }

  /// The text with a list of arguments.
  public func text(in language: Language, filling arguments: [String]) -> String {
    Self.filled(texts[language], arguments)
  }

  /// The form of the text for a count, which is its first argument.
  ///
  /// One is singular; in French zero is, too.
  public func text(in language: Language, count: Int64, _ more: String...) -> String {
    let forms = texts[language].pieces(between: " | ").map(String.init)
    let isOne = count == 1 || count == 0 && language == .french
    let form = isOne ? forms.first : forms.last
    return Self.filled(form ?? "", [Quantity.integer(count, in: language)] + more)
  }

  private static func filled(_ text: String, _ arguments: [String]) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      let number = rest[open...].dropFirst().prefix { $0.isNumber }
      let close = rest[open...].dropFirst(number.count + 1)
      guard let index = Int(number), close.first == "}" else {
        result += "{"
        rest = rest[rest.index(after: open)...]
        continue
      }
      // An argument that is missing is our own mistake, which a test would show; people see a gap.
      if arguments.indices.contains(index - 1) { result += arguments[index - 1] }
      rest = close.dropFirst()
    }
    return result + rest
  }
}

extension Language {
  /// By ISO 639-1 code; whatever follows it, as in `ca_ES.UTF-8`, does not matter.
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
