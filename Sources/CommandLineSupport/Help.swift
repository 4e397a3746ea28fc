import TrackerCore
public import Wording

/// A piece of a help or a manual page.
public enum HelpBlock: Sendable {
  case heading(Texts)
  case paragraph(Texts)
  /// Each with what it means: options, commands, values.
  case terms([(term: Texts, meaning: Texts)])
  /// Lines that are not wrapped.
  case lines([Texts])

  public static func paragraph(ca: String, es: String, en: String, fr: String) -> HelpBlock {
    .paragraph(Texts(ca: ca, es: es, en: en, fr: fr))
  }

  /// What the program's exit codes mean.
  ///
  /// - Parameter ca: all but 0 and 2, `1 an expectation failed`.
  public static func exitCodes(
    ca: String = "", es: String = "", en: String = "", fr: String = ""
  ) -> HelpBlock {
    let others = Texts(ca: ca, es: es, en: en, fr: fr)
    let isEmpty = en.isEmpty
    return .paragraph(UsagePhrase.exitCode.texts(isEmpty ? others : others.semicolon("")))
  }

  public static func heading(ca: String, es: String, en: String, fr: String) -> HelpBlock {
    .heading(Texts(ca: ca, es: es, en: en, fr: fr))
  }
}

extension CommandTable {
  /// Its text in four languages.
  public init(
    _ name: String = "", ca: String, es: String, en: String, fr: String,
    operands: Operands? = nil, options: [Option] = [], required: [[String]] = [],
    notes: [HelpBlock] = []
  ) {
    self.init(
      name, Texts(ca: ca, es: es, en: en, fr: fr), operands: operands, options: options,
      required: required, notes: notes)
  }
}

extension ProgramTable {
  /// What `--help` prints, at most 80 columns wide.
  ///
  /// - Parameter command: one of the program's; `main` for all of it.
  func help(_ command: CommandTable, in language: Language) -> String {
    var blocks: [HelpBlock] = [.paragraph(path(of: command).texts.colon(command.text))]
    blocks += synopsis(command)
    if command.name.isEmpty { blocks += summaries }
    blocks += details(command)
    return HelpPage(language, width: 80).text(of: blocks)
  }

  private func synopsis(_ command: CommandTable) -> [HelpBlock] {
    var lines = ["\(name) ".texts + command.usage]
    if command.name.isEmpty && !commands.isEmpty {
      let other = "\(name) ".texts + UsagePhrase.commandWord.texts + " ..."
      lines = needsCommand ? [other] : lines + [other]
    }
    return [.heading(UsagePhrase.usage.texts), .lines(lines)]
  }

  private var summaries: [HelpBlock] {
    let shown = commands.filter { !$0.isHidden }
    guard !shown.isEmpty else { return [] }
    return [
      .heading(UsagePhrase.commands.texts),
      .terms(shown.map { (term: $0.hasOwnWords ? $0.words : $0.name.texts, meaning: $0.text) }),
      .paragraph(UsagePhrase.helpOfCommand.texts(name)),
    ]
  }

  /// The options, below their heading, and the notes.
  ///
  /// - Parameter said: options already explained.
  private func details(_ command: CommandTable, without said: [Option] = []) -> [HelpBlock] {
    let options = (command.options + (command.name.isEmpty ? Self.common : [])).filter { option in
      !said.contains { $0.name == option.name && $0.text == option.text }
    }
    let terms = options.map { (term: $0.usage, meaning: $0.meaning) }
    return (terms.isEmpty ? [] : [.heading(UsagePhrase.options.texts), .terms(terms)])
      + command.notes
  }

  /// The first part of the manual page, as man(7) has it; the program's README is the rest.
  func manual(in language: Language) -> String {
    var page = ManualPage(language)
    page.title(name, section)
    page.add([
      .heading(UsagePhrase.manualName.texts), .lines([name.texts + " - " + main.text]),
    ])
    page.add(synopsis(main) + details(main))
    let shown = commands.filter { !$0.isHidden }
    if !shown.isEmpty { page.add([.heading(UsagePhrase.commands.texts)]) }
    for command in shown {
      page.add(
        [.heading("\(name) ".texts + command.usage), .paragraph(command.text)]
          + details(command, without: needsCommand ? main.options : []).filter { !$0.isHeading },
        isBelow: true)
    }
    return page.text
  }
}

extension Option {
  fileprivate var meaning: Texts { usual.map { text + " [\($0)]" } ?? text }
}

extension HelpBlock {
  fileprivate var isHeading: Bool { if case .heading = self { true } else { false } }
}

/// Text for a terminal.
private struct HelpPage {
  private let language: Language
  private let width: Int
  /// The column where a term's meaning begins.
  private static let column = 24

  init(_ language: Language, width: Int) {
    self.language = language
    self.width = width
  }

  func text(of blocks: [HelpBlock]) -> String {
    var text = ""
    var isBelowHeading = true
    for block in blocks {
      let isText = if case .paragraph = block { true } else { block.isHeading }
      if isText && !isBelowHeading { text += "\n" }
      text += lines(of: block).map { $0 + "\n" }.joined()
      isBelowHeading = block.isHeading
    }
    return text
  }

  private func lines(of block: HelpBlock) -> [String] {
    switch block {
    case .heading(let texts): [texts[language] + language.labelColon]
    case .paragraph(let texts): wrapped(texts[language], "")
    case .lines(let lines): lines.flatMap { wrapped($0[language], "  ", indent: 6) }
    case .terms(let terms): terms.flatMap { lines(of: $0[language], $1[language]) }
    }
  }

  private func lines(of term: String, _ meaning: String) -> [String] {
    guard term.count + 3 < Self.column else {
      return wrapped(term, "  ", indent: 6)
        + wrapped(meaning, String(repeating: " ", count: Self.column), indent: Self.column)
    }
    return wrapped(meaning, "  \(term)".leftAligned(in: Self.column), indent: Self.column)
  }

  private func wrapped(_ text: String, _ start: String, indent: Int = 0) -> [String] {
    var lines = [start]
    var isEmpty = true
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if isEmpty {
        lines[lines.count - 1] = last + word
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
      isEmpty = false
    }
    return lines
  }
}

/// roff, for man(1).
private struct ManualPage {
  private(set) var text = ""
  private let language: Language

  init(_ language: Language) { self.language = language }

  mutating func title(_ name: String, _ section: Int) {
    text = ".TH \(name.uppercased()) \(section) \"\" \"trailtracker \(version)\"\n"
  }

  /// - Parameter isBelow: whether the headings are within a section.
  mutating func add(_ blocks: [HelpBlock], isBelow: Bool = false) {
    for block in blocks {
      switch block {
      case .heading(let texts):
        let words = isBelow ? texts[language] : texts[language].uppercased()
        text += "\(isBelow ? ".SS" : ".SH") \"\(Self.escaped(words))\"\n"
      case .paragraph(let texts): text += ".PP\n\(Self.escaped(texts[language]))\n"
      case .lines(let lines):
        text += lines.map { Self.escaped($0[language]) }.joined(separator: "\n.br\n") + "\n"
      case .terms(let terms):
        for (term, meaning) in terms {
          text += ".TP\n\(Self.escaped(term[language]))\n\(Self.escaped(meaning[language]))\n"
        }
      }
    }
  }

  private static func escaped(_ text: String) -> String {
    let plain = text.exchanging("\\", for: "\\e").exchanging("-", for: "\\-")
      .exchanging("\"", for: "\\(dq")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}

extension String {
  /// The text at the left of a column, `width` characters wide unless it is longer.
  public func leftAligned(in width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The same at the right.
  public func rightAligned(in width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
