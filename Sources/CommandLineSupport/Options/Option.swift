public import Wording

/// One option: all that the parser, the help, the manual page and the completion know of it.
///
/// Other options are named, not referred to, so that two can exclude each other.
public struct Option: Sendable {
  /// `--board`
  public let name: String
  /// Other spellings, which only the parser knows.
  let aliases: [String]
  /// `nil`: a switch.
  let value: OptionValue?
  /// What holds without it, if that is the same in all languages; the text says anything else.
  private(set) var usual: String?
  let isRepeatable: Bool
  /// Whether nothing else is needed with it.
  let isAlone: Bool
  /// What cannot be given together with it.
  private(set) var excludes: [String]
  /// One of these has to be given with it.
  private(set) var needs: [String]
  private(set) var text = "".texts

  public init(
    _ name: String, _ value: OptionValue? = nil, usual: String? = nil, isRepeatable: Bool = false,
    isAlone: Bool = false, excludes: [String] = [], needs: [String] = [], aliases: [String] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.value = value
    self.usual = usual
    self.isRepeatable = isRepeatable
    self.isAlone = isAlone
    self.excludes = excludes
    self.needs = needs
  }

  /// With the text that explains it.
  public func says(_ text: Texts) -> Option {
    var option = self
    option.text = text
    return option
  }

  public func says(ca: String, es: String, en: String, fr: String) -> Option {
    says(Texts(ca: ca, es: es, en: en, fr: fr))
  }

  /// The same in a command in which it goes only with, or only without, other options, or in which
  /// something else holds without it.
  public func with(
    needs: [String] = [], excludes: [String] = [], usual: String? = nil
  ) -> Option {
    var option = self
    option.usual = usual ?? option.usual
    option.needs += needs
    option.excludes += excludes
    return option
  }

  /// `--board NAME`
  var usage: Texts { value.map { "\(name) ".texts + $0.name } ?? name.texts }

  func isCalled(_ word: String) -> Bool { name == word || aliases.contains(word) }

  func refusal(of text: String, _ wanted: Texts) -> UsageError {
    UsageError(UsagePhrase.give.texts(name, text.plain, wanted))
  }
}

/// What follows an option, or a command: its kind, its bounds and how it is shown.
public struct OptionValue: Sendable {
  enum Rule: Sendable {
    case any
    case number(ClosedRange<Int64>)
    case decimal(ClosedRange<Double>)
    case oneOf([String])
    /// What the program reads by itself.
    case like(String)
  }

  /// What a shell can complete.
  enum Completion: Sendable, Equatable {
    case nothing, files, boards
    case words([String])
  }

  /// `FILE`
  let name: Texts
  let rule: Rule
  let completion: Completion

  public static let file = OptionValue(name: ValueName.file.texts, completion: .files)
  public static let folder = OptionValue(name: ValueName.folder.texts, completion: .files)
  public static let name = OptionValue(name: ValueName.name.texts)
  public static let board = OptionValue(name: ValueName.name.texts, completion: .boards)

  private init(name: Texts, rule: Rule = .any, completion: Completion = .nothing) {
    self.name = name
    self.rule = rule
    self.completion = completion
  }

  public static func number(_ range: ClosedRange<Int64>, _ name: String = "N") -> OptionValue {
    OptionValue(name: name.texts, rule: .number(range))
  }

  /// A number without sign and exponent.
  public static func decimal(_ range: ClosedRange<Double>, _ name: String) -> OptionValue {
    OptionValue(name: name.texts, rule: .decimal(range))
  }

  public static func oneOf(_ words: [String]) -> OptionValue {
    OptionValue(
      name: words.joined(separator: "|").texts, rule: .oneOf(words), completion: .words(words))
  }

  /// Any text.
  ///
  /// - Parameter suggestions: for the completion.
  public static func text(
    _ name: some TextArgument, suggestions: [String] = []
  ) -> OptionValue {
    OptionValue(
      name: name.texts, completion: suggestions.isEmpty ? .nothing : .words(suggestions))
  }

  /// A text that the program reads with `Arguments.value`.
  ///
  /// - Parameter example: of what to give.
  public static func like(_ example: String, _ name: some TextArgument) -> OptionValue {
    OptionValue(name: name.texts, rule: .like(example))
  }

  /// The same with an own name, `RACE.csv`.
  public func named(_ name: some TextArgument) -> OptionValue {
    OptionValue(name: name.texts, rule: rule, completion: completion)
  }

  /// What to give, where not everything will do.
  var wanted: Texts? {
    switch rule {
    case .any: nil
    case .number(let range):
      UsagePhrase.wholeNumber.texts("\(range.lowerBound)", "\(range.upperBound)")
    case .decimal(let range):
      UsagePhrase.decimal.texts("\(Int(range.lowerBound))", "\(Int(range.upperBound))")
    case .oneOf(let words): listed(plain: words, or: true)
    case .like(let example): UsagePhrase.example.texts(example)
    }
  }

  func takes(_ text: String) -> Bool {
    switch rule {
    case .any, .like: true
    case .number(let range): Int64(text).map(range.contains) ?? false
    case .decimal(let range):
      text.allSatisfy { $0 == "." || "0"..."9" ~= $0 } && Double(text).map(range.contains) ?? false
    case .oneOf(let words): words.contains(text)
    }
  }
}

/// How values are called in a help.
public enum ValueName: String, Catalogue {
  case file, folder, name, time

  public var texts: Texts {
    switch self {
    case .file: Texts(ca: "FITXER", es: "FICHERO", en: "FILE", fr: "FICHIER")
    case .folder: Texts(ca: "CARPETA", es: "CARPETA", en: "FOLDER", fr: "DOSSIER")
    case .name: Texts(ca: "NOM", es: "NOMBRE", en: "NAME", fr: "NOM")
    case .time: Texts(ca: "TEMPS", es: "TIEMPO", en: "TIME", fr: "TEMPS")
    }
  }
}
