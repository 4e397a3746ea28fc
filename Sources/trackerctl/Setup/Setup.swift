import BoardSupport
import CommandLineSupport
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

/// `trackerctl setup`: makes a tracker of a computer with the package installed.
struct Setup {
  private let options: SetupOptions
  private let root: SystemRoot
  private var language: Language

  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try SetupOptions(arguments)
    let root = SystemRoot(folder: options.root)
    guard root.isLive || kind(ofPath: options.root) == .folder else {
      throw UsageError(SetupPhrase.notAFolder.texts(options.root))
    }
    guard !root.isLive || geteuid() == 0 || options.isRehearsal else {
      throw UsageError(SetupPhrase.needsRoot.texts)
    }
    var setup = Setup(options: options, root: root, language: .chosen(nil))
    do { return try setup.run() } catch is SetupCancelled {
      try printOut("\n")
      Program.complain(SetupPhrase.cancelled.texts)
      return 1
    }
  }

  private mutating func run() throws -> Int32 {
    var draft = try SetupDraft(root)
    for (question, option, text) in options.answers {
      // What it depends on comes first, in whatever order the options were given.
      if question == .finish || question == .server { continue }
      try take(question, option, text, &draft)
    }
    // A finish without an offset is in this computer's zone, unless another is given.
    if draft.configured(.timeZone) == nil, draft.choices.timeZone == .kept,
      options.answers.contains(where: { $0.question == .finish && $0.text.has("-") }),
      let zone = root.timeZone
    {
      try take(.timeZone, "/etc/timezone", zone, &draft)
    }
    for (question, option, text) in options.answers
    where question == .finish || question == .server {
      try take(question, option, text, &draft)
    }
    if let file = options.secretFile { try takeSecret(file, &draft) }
    draft = try SetupTerminal.isThere && !options.isConfirmed ? asked(draft) : complete(draft)
    return try carryOut(SetupPlan(draft))
  }

  // MARK: Answers

  private func take(
    _ question: SetupQuestion, _ option: String, _ text: String, _ draft: inout SetupDraft
  ) throws {
    var text = text
    if question == .receiver, text == "auto" {
      guard let board = draft.board ?? oldBoard(draft) else {
        throw UsageError(SetupPhrase.missing.texts("--board"))
      }
      var interview = SetupInterview(draft, answered: [])
      text = try interview.findReceiver(board) ?? "board"
    }
    do { try draft.accept(question, text) } catch {
      throw UsageError("\(option) '\(text)'".texts.colon(Texts(of: error)))
    }
  }

  private func oldBoard(_ draft: SetupDraft) -> BoardDescription? {
    draft.configured(.board).flatMap { try? BoardDescription.load(named: $0) }
  }

  private func takeSecret(_ file: String, _ draft: inout SetupDraft) throws {
    if file == "-", SetupTerminal.isThere {
      SetupTerminal.holdSignals()
      let prompt = SetupQuestion.secret.text(in: language) + " "
      guard let typed = try SetupTerminal.secret(after: prompt) else { throw SetupCancelled() }
      do { return try draft.accept(.secret, typed) } catch {
        throw UsageError("--secret -".texts.colon(Texts(of: error)))
      }
    }
    let path = file == "-" ? "/dev/stdin" : file
    var bytes = try InputFile.bytes(of: path, atMost: 1 << 16)
    while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError(SetupPhrase.notText.texts(file))
    }
    do { try draft.accept(.secret, text) } catch {
      throw UsageError("--secret-file \(file)".texts.colon(Texts(of: error)))
    }
  }

  private mutating func asked(_ draft: SetupDraft) throws -> SetupDraft {
    SetupTerminal.holdSignals()
    var answered = Set(options.answers.map(\.question))
    if options.secretFile != nil { answered.insert(.secret) }
    var interview = SetupInterview(draft, answered: answered)
    try interview.run()
    language = interview.language
    return interview.draft
  }

  /// Without anybody to ask: what is missing must be in the old files.
  private func complete(_ draft: SetupDraft) throws -> SetupDraft {
    var draft = draft
    let given = Set(options.answers.map(\.question))
    if !given.contains(.finish), let error = draft.pastFinish { throw error }
    var missing = [SetupQuestion.board, .team, .server, .finish].filter {
      !given.contains($0) && draft.configured($0) == nil
    }
    if draft.lacksSecret { missing.append(.secret) }
    guard missing.isEmpty else {
      let names = missing.map { SetupOptions.name(of: $0) }
      throw UsageError(SetupPhrase.missing.texts(names.joined(separator: ", ")))
    }
    if !given.contains(.board), let board = draft.configured(.board) {
      try take(.board, "BOARD", board, &draft)
    }
    return draft
  }

  // MARK: Doing it

  private func say(_ text: some TextArgument) throws { try printOut(text.texts[language] + "\n") }

  private func carryOut(_ plan: SetupPlan) throws -> Int32 {
    for note in plan.notes { try say(note) }
    guard !plan.isEmpty else {
      try say(SetupPhrase.unchanged.texts)
      return root.isLive && !options.isRehearsal ? try services(of: plan).resume() : 0
    }
    try printOut(plan.text(in: language))
    if options.isRehearsal {
      try say(SetupPhrase.rehearsed.texts)
      return 0
    }
    if SetupTerminal.isThere, !options.isConfirmed {
      try printOut(SetupQuestion.goOn.text(in: language) + " ")
      guard let line = try SetupTerminal.line(), ConsoleCommand.isYes(line) else {
        throw SetupCancelled()
      }
    }
    try plan.apply(to: root)
    try say(SetupPhrase.done.texts)
    guard root.isLive else {
      try say(SetupPhrase.image.texts)
      return 0
    }
    return try services(of: plan).run()
  }

  private func services(of plan: SetupPlan) -> SetupServices {
    SetupServices(plan, language, isStarted: options.isStarted)
  }
}
