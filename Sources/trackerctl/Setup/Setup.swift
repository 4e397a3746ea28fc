import BoardSupport
import CommandLineSupport
import FieldConsole
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
    guard !root.isLive || effectiveUser == 0 || options.isRehearsal else {
      throw UsageError(SetupPhrase.needsRoot.texts)
    }
    var setup = Setup(options: options, root: root, language: .chosen(nil))
    do { return try setup.run() } catch is SetupCancelledError {
      try printOut("\n")
      Program.complain(SetupPhrase.cancelled.texts)
      return 1
    }
  }

  private mutating func run() throws -> Int32 {
    var draft = try SetupDraft(root)
    for (question, option, text) in options.answers {
      // Answers that others depend on come first, whatever the order of the options.
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
      guard let typed = try SetupTerminal.secret(after: prompt) else { throw SetupCancelledError() }
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

  /// With nobody to ask, missing answers must be in the old files.
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
        throw SetupCancelledError()
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

/// Tells the running system what has changed, and starts the tracker.
struct SetupServices {
  private let plan: SetupPlan
  private let language: Language
  private let isStarted: Bool

  init(_ plan: SetupPlan, _ language: Language, isStarted: Bool) {
    self.plan = plan
    self.language = language
    self.isStarted = isStarted
  }

  /// - Returns: the exit code: 1 if the tracker could not be started.
  func run() throws -> Int32 {
    var isGood = true
    if kind(ofPath: "/run/systemd/system") != nil {
      freePorts()
      if plan.changesRules { renewRules() }
      if plan.console != nil { _ = does(["systemctl", "daemon-reload"]) }
      isGood = does(["systemctl", "enable", "--quiet", "trackerd.service"], isNeeded: true)
      // A port that a login still uses, or that only exists after the reboot, would only fail.
      if isStarted, !plan.needsReboot { isGood = startTracker() && isGood }
      if let console = plan.console, !plan.needsReboot {
        _ = does(["systemctl", "restart", "serial-getty@\(console).service"])
      }
    }
    let next = plan.needsReboot ? SetupPhrase.reboot : SetupPhrase.next
    try printOut(next.text(in: language) + "\n")
    return isGood ? 0 : 1
  }

  /// After an earlier run that may have been interrupted: starts a tracker that does not run.
  ///
  /// - Returns: the exit code.
  func resume() throws -> Int32 {
    guard isStarted, kind(ofPath: "/run/systemd/system") != nil,
      !does(["systemctl", "is-active", "--quiet", "trackerd.service"])
    else { return 0 }
    _ = does(["systemctl", "enable", "--quiet", "trackerd.service"], isNeeded: true)
    return startTracker() ? 0 : 1
  }

  /// Ends the logins on the receiver's port, but not the one at which this is typed.
  private func freePorts() {
    let own = Terminal.name(of: StandardStream.input)
    for port in plan.freed where own != "/dev/\(port)" {
      let unit = "serial-getty@\(port).service"
      // The unit may not be one that can be disabled: stock systems generate it at each start.
      _ = does(["systemctl", "disable", "--quiet", unit])
      _ = does(["systemctl", "stop", unit])
    }
  }

  private func renewRules() {
    _ = does(["udevadm", "control", "--reload"])
    _ = does(["udevadm", "trigger"])
    _ = does(["systemctl", "try-restart", "ModemManager.service"])
  }

  private func startTracker() -> Bool {
    guard does(["systemctl", "restart", "trackerd.service"], isNeeded: true) else { return false }
    let deadline = KernelTimer.monotonic.milliseconds + ControlBounds.setupStart.count
    while kind(ofPath: ConsoleOptions.defaultSocket) == nil {
      guard KernelTimer.monotonic.milliseconds < deadline else {
        Program.complain(SetupPhrase.silentService.texts)
        return false
      }
      pause(milliseconds: 200)
    }
    // Its exit code says what to repair, not that the set-up has failed.
    _ = Program.run(["self-test", "--language", language.code])
    return true
  }

  /// - Parameter isNeeded: whether a failure is reported.
  /// - Returns: whether it worked.
  private func does(_ words: [String], isNeeded: Bool = false) -> Bool {
    let deadline = KernelTimer.monotonic.milliseconds + ControlBounds.setupStop.count
    let isDone = BriefProgram(words)?.text(until: deadline) != nil
    if !isDone, isNeeded {
      Program.complain(SetupPhrase.failed.texts(words.joined(separator: " ")))
    }
    return isDone
  }
}
