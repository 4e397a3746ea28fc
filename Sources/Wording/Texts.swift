/// What one entry of a catalogue says in each language.
///
/// `{1}`, `{2}` … are replaced by arguments; each language has the same ones, in its own order. A
/// text with ` | ` has a form for one and a form for any other count.
public struct Texts: Sendable, Equatable, Codable {
  public var catalan: String
  var spanish: String
  public var english: String
  var french: String

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
      // A missing argument is our own mistake, which a test finds; people would see a gap.
      if arguments.indices.contains(index - 1) { result += arguments[index - 1] }
      rest = close.dropFirst()
    }
    return result + rest
  }
}

/// An argument of a text: another text, in each language, or a name, a number or somebody else's
/// message, which are the same in all.
public protocol TextArgument {
  var texts: Texts { get }
}

extension Texts: TextArgument, ScriptText {
  public var texts: Texts { self }
  public var scriptText: String { english }
}

extension String: TextArgument {
  /// The same in each language: names, numbers, what others have written.
  public var texts: Texts { Texts(verbatim: self) }
}

/// An error or a notice that people read in their language and that logs have in English.
public protocol Worded: TextArgument, CustomStringConvertible {}

extension Worded {
  public var description: String { texts.english }
}

extension Texts {
  /// The same in each language.
  init(verbatim text: String) { self.init(ca: text, es: text, en: text, fr: text) }

  /// Applies a function to the text in each language.
  public func map(_ transform: (String) -> String) -> Texts {
    Texts(
      ca: transform(catalan), es: transform(spanish), en: transform(english),
      fr: transform(french))
  }

  /// `the layer: no connection`
  public func colon(_ rest: some TextArgument) -> Texts { joined(rest) { $0.colon } }

  /// `no connection; try again`
  public func semicolon(_ rest: some TextArgument) -> Texts { joined(rest) { $0.semicolon } }

  public static func + (first: Texts, second: some TextArgument) -> Texts {
    first.joined(second) { _ in "" }
  }

  private func joined(_ rest: some TextArgument, _ mark: (Language) -> String) -> Texts {
    let rest = rest.texts
    func text(_ language: Language) -> String { self[language] + mark(language) + rest[language] }
    return Texts(
      ca: text(.catalan), es: text(.spanish), en: text(.english), fr: text(.french))
  }
}

extension Catalogue {
  /// The text in each language, with its arguments.
  public func texts(_ arguments: any TextArgument...) -> Texts {
    let arguments = arguments.map(\.texts)
    func text(_ language: Language) -> String {
      self.text(in: language, filling: arguments.map { $0[language] })
    }
    return Texts(
      ca: text(.catalan), es: text(.spanish), en: text(.english), fr: text(.french))
  }
}

extension Catalogue {
  /// The form for a count in each language.
  public func texts(count: Int64) -> Texts {
    func text(_ language: Language) -> String { self.text(in: language, count: count) }
    return Texts(
      ca: text(.catalan), es: text(.spanish), en: text(.english), fr: text(.french))
  }
}

extension Texts {
  /// An error's text, in each language if it has them.
  public init(of error: any Error) {
    self = (error as? any Worded)?.texts ?? "\(error)".texts
  }
}

/// `a`, `b` and `c`, as they are.
public func listed(plain words: [String], or: Bool = false) -> Texts {
  guard let last = words.last else { return ListPhrase.nothing.texts }
  guard words.count > 1 else { return last.texts }
  let first = words.dropLast().joined(separator: ", ")
  return (or ? ListPhrase.or : .and).texts(first, last)
}

/// `"a", "b" and "c"`, in each language.
public func listedTexts(_ words: [String], or: Bool = false) -> Texts {
  listed(plain: words.map { "\"\($0)\"" }, or: or)
}

/// How words are listed.
public enum ListPhrase: String, Catalogue {
  case nothing, and, or

  public var texts: Texts {
    switch self {
    case .nothing: Texts(ca: "res", es: "nada", en: "nothing", fr: "rien")
    case .and: Texts(ca: "{1} i {2}", es: "{1} y {2}", en: "{1} and {2}", fr: "{1} et {2}")
    case .or: Texts(ca: "{1} o {2}", es: "{1} o {2}", en: "{1} or {2}", fr: "{1} ou {2}")
    }
  }
}
