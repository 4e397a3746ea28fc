import TrackerCore
public import Wording

/// What a command line says, checked against the table.
public struct Arguments: Sendable {
  public let command: CommandTable
  /// The words that are no options.
  public private(set) var operands: [String] = []
  /// In the order of the command line.
  public private(set) var given: [(name: String, value: String)] = []

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
  /// - Parameter read: `nil`: it is none.
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
  enum Request {
    case run(Arguments)
    case help, version, manual, completion
  }

  /// The command that the words call, and the words without its name.
  func command(in words: [String]) throws(UsageError) -> (CommandTable, [String]) {
    var place = 0
    // Options that all commands have may stand before the command.
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
    // What somebody may have meant by it, where one thing is needed.
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
