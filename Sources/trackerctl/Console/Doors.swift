import CommandLineSupport
import FieldConsole
import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// `trackerctl WORD…`: one command of the console's language in a shell.
enum ShellDoor {
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try ConsoleOptions(arguments)
    let fallback = Language.ofEnvironment ?? .english
    var console = Console(
      LinuxBackend(try TrackerPlace(options)), language: options.language, fallback: fallback)
    console.course = try arguments.text(.course).map { try CompareWalks.course(in: $0) }
    let command: ConsoleCommand
    do throws(CommandError) { command = try ConsoleCommand(options.words) } catch {
      return try show(console.answer(words: options.words), options)
    }
    let isAsking = isTerminal(StandardStream.input) && !options.isConfirmed && !options.isJSON
    var answer = console.answer(command, isConfirmed: !isAsking)
    if case .confirm(let dangerous) = answer.sequel {
      try printOut(text(of: answer, options).exchanging("\n", for: " "))
      let isYes = ConsoleCommand.isYes(readLine() ?? "")
      answer = isYes ? console.answer(dangerous) : console.cancellation()
    }
    switch answer.sequel {
    case .nothing, .confirm, .leave: return try show(answer, options)
    case .watch: try watch(&console, options)
    case .save(let path): return try show(FileDoor.save(answer.page, as: path, console), options)
    case .exportToStick: return try show(FileDoor.exportToStick(&console), options)
    case .follow(let start):
      _ = try show(answer, options)
      return try follow(start, &console, options)
    }
  }

  /// Until a signal.
  private static func watch(
    _ console: inout Console<LinuxBackend>, _ options: ConsoleOptions
  ) throws -> Never {
    let isWindow = isTerminal(StandardStream.output) && !options.isJSON
    while true {
      let answer = console.answer(.status)
      try printOut(isWindow ? "\u{1B}[H\u{1B}[2J" : "\n")
      _ = try show(answer, options)
      pause(milliseconds: 2000)
    }
  }

  private static func follow(
    _ start: TrackerFacts, _ console: inout Console<LinuxBackend>, _ options: ConsoleOptions
  ) throws -> Int32 {
    var progress = Progress(since: start, in: console.languageInUse)
    while true {
      var answer = Answer()
      answer.page = progress.take(try console.facts())
      if !answer.page.isEmpty && !options.isJSON { _ = try show(answer, options) }
      if let outcome = progress.outcome { return outcome.exitCode }
      pause(milliseconds: 500)
    }
  }

  private static func show(_ answer: Answer, _ options: ConsoleOptions) throws -> Int32 {
    if answer.isRefusal && !options.isJSON {
      throw UsageError(String(answer.page.text(width: .max).prefix { !$0.isNewline }))
    }
    try printOut(options.isJSON ? answer.figure.json : text(of: answer, options))
    return answer.exitCode
  }

  private static func text(of answer: Answer, _ options: ConsoleOptions) -> String {
    let isColoured =
      options.isColoured
      ?? (isTerminal(StandardStream.output) && environmentValue("NO_COLOR") == nil)
    // In a pipe a value stays on its line.
    return answer.page.text(
      width: isTerminal(StandardStream.output) ? 80 : .max, isColoured: isColoured)
  }
}

/// `trackerctl console`: at a terminal, or reading a pipe.
enum ConsoleDoor {
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = try ConsoleOptions(arguments)
    var console = Console(
      LinuxBackend(try TrackerPlace(options)), language: options.language,
      fallback: Language.ofEnvironment ?? .english)
    console.isReadOnly = options.isReadOnly
    console.who = who
    let signals = try SignalWatch()
    guard isTerminal(StandardStream.input) && isTerminal(StandardStream.output) else {
      var door = PipeDoor(console, options, signals)
      return door.run()
    }
    let terminal: Terminal
    do throws(SystemError) { terminal = try Terminal(StandardStream.input) } catch {
      throw HostError("the terminal cannot be used: \(error.reason); try another one")
    }
    let number = terminal.descriptor.number
    let wire = Wire(input: number, output: number, isTerminal: true, signals: signals)
    var door = TerminalDoor(console, options, wire, terminal.saved)
    door.run()
    if wire.isStuck { terminal.dropOutput() }
    return 0
  }

  /// `anna@pts/3`, for the tracker's memory of who gave an order.
  private static var who: String? {
    let user = userName(realUser)
    let tty = Terminal.name(of: StandardStream.input).map { $0.exchanging("/dev/", for: "") }
    let name = [user, tty].compactMap { $0 }.joined(separator: "@")
    return PeerName.isName(name) ? name : nil
  }
}

/// Reads lines and answers each: no prompt, no echo.
struct PipeDoor {
  private var console: Console<LinuxBackend>
  private let options: ConsoleOptions
  private let wire: Wire
  private var code: Int32 = 0
  private var gate = OrderGate()

  /// A longer line is refused; this much of it shows that it is too long.
  private static let lineBytes = FieldBounds.commandBytes + 1

  init(_ console: Console<LinuxBackend>, _ options: ConsoleOptions, _ signals: SignalWatch) {
    self.console = console
    self.options = options
    wire = Wire(
      input: StandardStream.input, output: StandardStream.output, isTerminal: false,
      signals: signals)
  }

  mutating func run() -> Int32 {
    var line: [UInt8] = []
    while true {
      switch wire.next(within: options.idle == 0 ? nil : options.idle) {
      case .byte(0x0A):
        guard answer(line) else { return code }
        line = []
      case .byte(let byte):
        if byte != 0x0D && line.count < Self.lineBytes { line.append(byte) }
      case .nothing:
        Program.complain(
          DoorPhrase.idle.text(
            in: console.languageInUse, Quantity.span(options.idle, in: console.languageInUse)))
        return code
      case .gone:
        if !line.isEmpty { _ = answer(line) }
        return code
      }
    }
  }

  /// - Returns: whether to go on.
  private mutating func answer(_ bytes: [UInt8]) -> Bool {
    let line = String(decoding: bytes, as: UTF8.self)
    let answer = answer(line)
    guard console.lastFacts.identity.consoleAccess != .off else {
      Program.complain(DoorPhrase.off.text(in: console.languageInUse))
      code = 2
      return false
    }
    code = answer.isRefusal ? 2 : 0
    show(answer)
    switch answer.sequel {
    case .nothing, .confirm: return true
    case .watch: show(console.answer(.status))
    case .follow(let start): follow(start)
    case .save(let path):
      show(FileDoor.save(answer.page, as: path, console, isConfined: effectiveUser == 0))
    case .exportToStick: show(FileDoor.exportToStick(&console))
    case .leave: return false
    }
    return true
  }

  private mutating func answer(_ line: String) -> Answer {
    // Without a person there is nobody to ask for a PIN.
    if let command = try? ConsoleCommand(line: line), command.isOrder,
      gate.standing(of: console.factsForDoor()) != .open
    {
      var readOnly = console
      readOnly.isReadOnly = true
      return readOnly.answer(command)
    }
    return console.answer(line: line)
  }

  private func show(_ answer: Answer) {
    if options.isJSON {
      wire.write(answer.figure.json)
    } else {
      wire.write(answer.page.text(isColoured: options.isColoured ?? false))
    }
  }

  private mutating func follow(_ start: TrackerFacts) {
    var progress = Progress(since: start, in: console.languageInUse)
    while progress.outcome == nil && !wire.isGone {
      wire.write(progress.take(console.factsForDoor()).text())
      if progress.outcome == nil { wire.pause(Milliseconds(500)) }
    }
  }
}

/// Whether a console may give orders, by the tracker's settings. The tracker checks the PIN.
struct OrderGate {
  enum Standing {
    case open
    case needsPIN
    case readOnly
  }

  private(set) var isUnlocked = false

  func standing(of facts: TrackerFacts) -> Standing {
    switch facts.identity.consoleAccess {
    case .full: .open
    case .readOnly, .off: .readOnly
    case .pin: isUnlocked ? .open : .needsPIN
    }
  }

  /// - Returns: what is wrong; `nil`: the PIN is right.
  mutating func unlock(
    _ pin: String, _ backend: inout some ConsoleBackend, in language: Language
  ) -> String? {
    do throws(ConsoleError) {
      _ = try backend.ask("unlock \(pin)")
      isUnlocked = true
      return nil
    } catch {
      let words = error.texts.english.split(separator: " ")
      if words.count == 2, words[0] == "wait", let wait = Int64(words[1]) {
        return DoorPhrase.pinWait.text(in: language, Quantity.clock(Milliseconds(wait)))
      }
      return words == ["wrong"] ? DoorPhrase.wrongPIN.text(in: language) : error.texts[language]
    }
  }
}

/// What a console writes to files, for each of its doors.
enum FileDoor {
  /// Where a console that runs as root writes, as under agetty, where nobody has logged in.
  static let folder = "/var/lib/trailtracker/reports"

  /// - Parameter isConfined: whether only names in `folder` are allowed.
  static func save(
    _ page: Page, as name: String, _ console: Console<LinuxBackend>, isConfined: Bool = false
  ) -> Answer {
    var path = name
    if isConfined {
      guard !name.contains("/"), !name.hasPrefix(".") else {
        return console.notSaved(name, "only a name, as in report tonight.txt", exists: false)
      }
      try? makeFolder(folder, mode: 0o750)
      path = folder + "/" + name
    }
    let text = page.text(width: .max)
    do throws(SystemError) {
      try writeNewFile(text, to: path)
      return console.saved(path, bytes: text.utf8.count)
    } catch {
      return console.notSaved(path, error.reason, exists: error.code == Errno.exists)
    }
  }

  static func exportToStick(_ console: inout Console<LinuxBackend>) -> Answer {
    do {
      return try StickExport().export(&console)
    } catch {
      return console.notExported("\(error)")
    }
  }
}
