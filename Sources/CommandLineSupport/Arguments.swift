import TrackerCore
public import Wording

/// What a command line says, checked against the table.
public struct Arguments: Sendable {
  public let command: CommandTable
  /// The words that are not options.
  public private(set) var operands: [String] = []
  /// In the order of the command line.
  public private(set) var given: [(name: String, value: String)] = []

  /// The same as words that can be parsed again, in their order.
  ///
  /// - Parameter options: to leave out.
  public func words(without options: [Option]) -> [String] {
    let left = given.filter { given in !options.contains { $0.name == given.name } }
    let words = left.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }
    return (command.name.isEmpty ? [] : [command.name]) + words + operands
  }

  public func has(_ option: Option) -> Bool { given.contains { $0.name == option.name } }

  public func texts(_ option: Option) -> [String] {
    given.filter { $0.name == option.name }.map(\.value)
  }

  public func text(_ option: Option) -> String? { texts(option).last }

  /// The parser has checked it.
  public func number(_ option: Option) -> Int64? { text(option).flatMap { Int64($0) } }

  public func decimal(_ option: Option) -> Double? { text(option).flatMap { Double($0) } }

  public var language: Language? { text(.language).flatMap { Language(code: $0) } }

  /// Values as the program reads them.
  ///
  /// - Parameter read: `nil` if the value is not valid.
  /// - Throws: what to give instead.
  public func values<Value>(
    _ option: Option, _ read: (String) -> Value?
  ) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for text in texts(option) {
      guard let value = read(text) else {
        throw option.refusal(of: text, option.value?.wanted ?? "".texts)
      }
      values.append(value)
    }
    return values
  }

  public func value<Value>(
    _ option: Option, _ read: (String) -> Value?
  ) throws(UsageError) -> Value? {
    try values(option, read).last
  }

  // MARK: Parsing

  fileprivate enum Word {
    case operand
    case option(name: String, value: String?)
  }

  fileprivate init(_ command: CommandTable) { self.command = command }

  /// `--name=value` is split; a dash alone is a file.
  fileprivate func kind(of word: String) -> Word {
    let isLong = word.hasPrefix("--") && word != "--"
    if command.hasOwnWords && !isLong && word != "-h" { return .operand }
    guard word.hasPrefix("-"), word != "-" else { return .operand }
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
      return .option(name: word, value: nil)
    }
    return .option(
      name: String(word[..<equals]), value: String(word[word.index(after: equals)...]))
  }

  fileprivate mutating func add(operand: String) { operands.append(operand) }

  fileprivate mutating func add(
    _ option: Option, _ attached: String?, _ words: inout ArraySlice<String>
  ) throws(UsageError) {
    guard option.isRepeatable || !has(option) else {
      throw UsageError(UsagePhrase.twice.texts(option.name))
    }
    guard let kind = option.value else {
      if let attached {
        throw UsageError(UsagePhrase.takesNoValue.texts(option.name, attached.plain))
      }
      given.append((option.name, ""))
      return
    }
    guard let value = attached ?? words.popFirst(), !value.isEmpty else {
      throw UsageError(UsagePhrase.needsValue.texts(option.name, kind.wanted ?? kind.name))
    }
    if let wanted = kind.wanted, !kind.takes(value) { throw option.refusal(of: value, wanted) }
    given.append((option.name, value))
  }

  /// - Parameter usage: of the command, for what is missing.
  fileprivate func check(_ usage: Texts) throws(UsageError) {
    let names = given.map(\.name)
    let isAlone = command.options.contains { $0.isAlone && names.contains($0.name) }
    for option in command.options where names.contains(option.name) {
      if let other = option.excludes.first(where: names.contains) {
        throw UsageError(UsagePhrase.excludes.texts(option.name, other))
      }
      if !option.needs.isEmpty, !option.needs.contains(where: names.contains) {
        throw UsageError(
          UsagePhrase.needs.texts(option.name, listed(plain: option.needs, or: true)))
      }
    }
    for group in command.required where !isAlone && !group.contains(where: names.contains) {
      throw UsageError(UsagePhrase.missing.texts(listed(plain: group, or: true), usage))
    }
    if command.hasOwnWords { return }
    let count = command.operands?.count ?? 0...0
    if operands.count > count.upperBound {
      throw UsageError(UsagePhrase.tooMuch.texts(operands[count.upperBound].plain, usage))
    }
    if operands.count < count.lowerBound, let value = command.operands?.value {
      throw UsageError(UsagePhrase.missing.texts(value.name, usage))
    }
  }
}

extension ProgramTable {
  /// What a command line says that is not for people: of one that another run has kept.
  ///
  /// - Throws: also for `--help` and its like.
  public func arguments(_ words: [String]) throws(UsageError) -> Arguments {
    let (command, rest) = try command(in: words)
    guard case .run(let arguments) = try request(rest, for: command) else {
      throw UsageError(UsagePhrase.unknownOption.texts(Option.help.name, path(of: command)))
    }
    return arguments
  }

  enum Request {
    case run(Arguments)
    case help, version, manual, completion
  }

  /// The command that the words call, and the words without its name.
  func command(in words: [String]) throws(UsageError) -> (CommandTable, [String]) {
    var place = 0
    // Options of all commands may come before the command.
    while needsCommand, place < words.count, words[place].hasPrefix("-") {
      let option = (main.options + Self.common).first { $0.isCalled(words[place]) }
      place += option?.value == nil ? 1 : 2
    }
    guard !commands.isEmpty, place < words.count, !words[place].hasPrefix("-") else {
      return (main, words)
    }
    var rest = words
    let word = rest.remove(at: place)
    if let command = commands.first(where: { $0.name == word.lowercased() }) {
      return (command, rest)
    }
    if let near = nearest(to: word, in: commands.filter({ !$0.isHidden }).map(\.name)) {
      throw UsageError(UsagePhrase.nearCommand.texts(word.plain, near))
    }
    // What may have been meant, where exactly one is needed.
    if main.required.count == 1, let option = main.required[0].first {
      throw UsageError(UsagePhrase.commandOrValue.texts(word.plain, name, option))
    }
    throw UsageError(UsagePhrase.noSuchCommand.texts(word.plain, name))
  }

  func request(
    _ words: [String], for command: CommandTable
  ) throws(UsageError) -> Request {
    let general = command.name.isEmpty ? Self.common : [.help]
    let usage = "\(name) ".texts + command.usage
    var arguments = Arguments(command)
    var rest = words[...]
    while let word = rest.popFirst() {
      guard case .option(let name, let value) = arguments.kind(of: word) else {
        arguments.add(operand: word)
        continue
      }
      guard let option = command.option(name) ?? general.first(where: { $0.isCalled(name) }) else {
        throw unknown(name, command)
      }
      try arguments.add(option, value, &rest)
      switch option.name {
      case Option.help.name: return .help
      case Option.version.name: return .version
      case Option.print.name:
        return arguments.text(.print) == "completion" ? .completion : .manual
      default: break
      }
    }
    if needsCommand, command.name.isEmpty {
      throw UsageError(UsagePhrase.noCommand.texts(name))
    }
    try arguments.check(usage)
    return .run(arguments)
  }

  private func unknown(_ word: String, _ command: CommandTable) -> UsageError {
    let names = command.options.map(\.name) + [Option.help.name]
    let near = names.first { word.count > 3 && $0.hasPrefix(word) } ?? nearest(to: word, in: names)
    return UsageError(
      near.map { UsagePhrase.nearOption.texts(word.plain, $0) }
        ?? UsagePhrase.unknownOption.texts(word.plain, path(of: command)))
  }
}

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
  /// Its default, if that is the same in all languages; otherwise the text has it.
  private(set) var usual: String?
  let isRepeatable: Bool
  /// Whether it replaces what is otherwise required.
  let isAlone: Bool
  /// Options that cannot be combined with it.
  private(set) var excludes: [String]
  /// Options of which one has to be given with it.
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

  /// The same option for a command in which it needs or excludes other options, or has another
  /// default.
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
    /// The program parses it itself.
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

  /// A text that the program parses with `Arguments.value`.
  ///
  /// - Parameter example: of what to give.
  public static func like(_ example: String, _ name: some TextArgument) -> OptionValue {
    OptionValue(name: name.texts, rule: .like(example))
  }

  /// The same under another name, `RACE.csv`.
  public func named(_ name: some TextArgument) -> OptionValue {
    OptionValue(name: name.texts, rule: rule, completion: completion)
  }

  /// What to give instead of a value that is not valid.
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
