import CommandLineSupport
import FieldConsole
import Glibc
import LinuxHost
import SystemCalls
import TrackerCore
import Wording

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
    guard isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
      var door = PipeDoor(console, options, signals)
      return door.run()
    }
    let terminal: Terminal
    do throws(SystemError) { terminal = try Terminal(STDIN_FILENO) } catch {
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
    let user = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
    let tty = Terminal.name(of: STDIN_FILENO).map { $0.exchanging("/dev/", for: "") }
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
  private static let lineBytes = LineEditor.longestLine + 1

  init(_ console: Console<LinuxBackend>, _ options: ConsoleOptions, _ signals: SignalWatch) {
    self.console = console
    self.options = options
    wire = Wire(
      input: STDIN_FILENO, output: STDOUT_FILENO, isTerminal: false, signals: signals)
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
      show(FileDoor.save(answer.page, as: path, console, isConfined: geteuid() == 0))
    case .exportToStick: show(FileDoor.exportToStick(&console))
    case .leave: return false
    }
    return true
  }

  private mutating func answer(_ line: String) -> Answer {
    // Without a person, nobody can be asked for a PIN.
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
