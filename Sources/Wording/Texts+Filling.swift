import TrackerCore

/// What can stand in a text: another text, in each language, or a name, a number or a foreign
/// message, which are the same in all.
public protocol TextArgument {
  var texts: Texts { get }
}

extension Texts: TextArgument, ScriptText {
  public var texts: Texts { self }
  public var scriptText: String { english }
}

extension String: TextArgument {
  /// As it is: for what belongs to no language, or was written by others.
  public var texts: Texts { Texts(verbatim: self) }
}

/// An error, or other news, that people read in their language and logs have in English.
public protocol Worded: TextArgument, CustomStringConvertible {}

extension Worded {
  public var description: String { texts.english }
}

extension Texts {
  /// The same in each language.
  public init(verbatim text: String) { self.init(ca: text, es: text, en: text, fr: text) }

  /// Each text as a function makes it of this one.
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
  /// What an error says: in each language if it can, else as it is.
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
