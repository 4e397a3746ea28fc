import FieldConsole
import Glibc
import SystemCalls
import TrackerCore
import Wording

/// A person at a terminal: over a serial line, ssh or in a window.
struct TerminalDoor {
  private var console: Console<LinuxBackend>
  private let options: ConsoleOptions
  private let wire: Wire
  private var reader: LineReader
  private let isLine: Bool
  private let isColoured: Bool
  private var gate = OrderGate()
  private var question = Question.none

  /// What the next line answers.
  private enum Question {
    case none
    /// Yes or no.
    case confirmation(ConsoleCommand)
    case pin(for: ConsoleCommand)
  }

  private enum Step { case goOn, leave }

  /// - Parameter settings: the terminal's, before the console changed them.
  init(
    _ console: Console<LinuxBackend>, _ options: ConsoleOptions, _ wire: Wire, _ settings: termios
  ) {
    self.console = console
    self.options = options
    self.wire = wire
    isLine = options.isSerial || Terminal.isLine(StandardStream.input)
    reader = LineReader(wire, settings, idle: options.idle, isLine: isLine)
    isColoured = options.isColoured ?? (!reader.isDumb && environmentValue("NO_COLOR") == nil)
  }

  mutating func run() {
    guard begin() else { return }
    while true {
      let (prompt, kind) = prompt
      switch reader.next(after: prompt, kind) {
      case .line(let line): if answer(line) == .leave { return }
      case .interrupted: question = .none
      case .idle: return sayIdle()
      case .end, .gone: return
      }
    }
  }

  // MARK: The beginning

  /// - Returns: `false` if the console is off or nobody is there.
  private mutating func begin() -> Bool {
    if isLine {
      guard waitForKey() else { return false }
      findSize()
    }
    // Asked only once, because a tracker that hangs takes seconds.
    let status = console.answer(.status)
    let language = console.languageInUse
    guard console.lastFacts.identity.consoleAccess != .off else {
      wire.write(DoorPhrase.off.text(in: language) + "\n")
      return false
    }
    wire.write("\n" + DoorPhrase.greeting.text(in: language, Self.host) + "\n")
    show(status)
    return true
  }

  /// A serial line stays silent until somebody presses a key: a modem or a receiver could react to
  /// the text. Noise is not a key.
  private func waitForKey() -> Bool {
    while true {
      switch wire.next(within: nil) {
      case .gone, .nothing: return false
      case .byte(0x03), .byte(0x0A), .byte(0x0D): return true
      case .byte(let byte) where byte == 0x1B || byte == 0x09 || (0x20...0x7F).contains(byte):
        wire.pushBack([byte])
        return true
      case .byte: break
      }
    }
  }

  /// Asks the terminal where its cursor stops in the far corner, if nobody knows its size. agetty
  /// writes 24 by 80 then.
  private mutating func findSize() {
    if let size = Terminal.size(of: StandardStream.input), size != (24, 80) {
      reader.columns = size.columns
      return
    }
    guard !reader.isDumb else { return }
    reader.isSizeAsked = true
    wire.write("\u{1B}7\u{1B}[999;999H\u{1B}[6n\u{1B}8")
    let end = wire.now + ControlBounds.terminalSize
    var bytes: [UInt8] = []
    while wire.now < end, bytes.count < 1024,
      case .byte(let byte) = wire.next(within: end - wire.now)
    {
      bytes.append(byte)
      if let report = LineEditor.cursorReport(in: bytes) {
        reader.columns = report.column
        break
      }
    }
    // There may be keys among them; the editor drops the report itself.
    wire.pushBack(bytes)
  }

  private static var host: String { hostName ?? "?" }

  // MARK: Lines

  private func sayIdle() {
    let language = console.languageInUse
    let text = DoorPhrase.idle.text(in: language, Quantity.span(options.idle, in: language))
    wire.write("\n" + text + "\n")
  }

  private var prompt: (text: String, kind: LineReader.Kind) {
    switch question {
    case .none: (console.prompt, .command)
    case .confirmation: ("> ", .answer)
    case .pin: (DoorPhrase.askPIN.text(in: console.languageInUse) + " ", .secret)
    }
  }

  private mutating func answer(_ line: String) -> Step {
    switch question {
    case .none:
      guard let command = try? ConsoleCommand(line: line) else {
        show(console.answer(line: line))
        return .goOn
      }
      return carryOut(command)
    case .confirmation(let command):
      question = .none
      let isYes = ConsoleCommand.isYes(line)
      return finish(isYes ? console.answer(command) : console.cancellation())
    case .pin(let command):
      question = .none
      return unlock(line, for: command)
    }
  }

  private mutating func unlock(_ pin: String, for command: ConsoleCommand) -> Step {
    let language = console.languageInUse
    guard let problem = gate.unlock(pin, &console.backend, in: language) else {
      wire.write(DoorPhrase.unlocked.text(in: language) + "\n")
      return carryOut(command)
    }
    wire.write("\(problem); \(DoorPhrase.notGiven.text(in: language))\n")
    return .goOn
  }

  private mutating func carryOut(_ command: ConsoleCommand) -> Step {
    if command.isOrder && !console.isReadOnly {
      switch gate.standing(of: console.factsForDoor()) {
      case .open: break
      case .needsPIN:
        question = .pin(for: command)
        return .goOn
      case .readOnly:
        var readOnly = console
        readOnly.isReadOnly = true
        return finish(readOnly.answer(command))
      }
    }
    return finish(console.answer(command, isConfirmed: options.isConfirmed))
  }

  private mutating func finish(_ answer: Answer) -> Step {
    show(answer)
    switch answer.sequel {
    case .nothing: return .goOn
    case .confirm(let command):
      question = .confirmation(command)
      return .goOn
    case .follow(let start): return follow(start)
    case .watch: return watch()
    case .save(let path):
      show(FileDoor.save(answer.page, as: path, console, isConfined: effectiveUser == 0))
      return .goOn
    case .exportToStick:
      show(FileDoor.exportToStick(&console))
      return .goOn
    case .leave: return .leave
    }
  }

  private func show(_ answer: Answer) {
    if options.isJSON { wire.write(answer.figure.json) } else { show(answer.page) }
  }

  private func show(_ page: Page) {
    wire.write(page.text(width: reader.columns, isColoured: isColoured))
  }

  // MARK: Until a key

  private enum Pause { case over, key, leave }

  /// - Returns: whether a key has ended it. What follows that key stays to be read.
  private func pause(_ time: Milliseconds) -> Pause {
    let end = wire.now + time
    while true {
      switch wire.next(within: max(0, end - wire.now)) {
      case .gone: return .leave
      case .nothing:
        guard wire.timeLeft(of: options.idle) == 0 else { return .over }
        sayIdle()
        return .leave
      // The second byte of a line end, BREAK, noise.
      case .byte(let byte) where byte == 0x0A || byte == 0 || byte >= 0x80: break
      case .byte: return .key
      }
    }
  }

  private mutating func follow(_ start: TrackerFacts) -> Step {
    var progress = Progress(since: start, in: console.languageInUse)
    wire.write(DoorPhrase.anyKey.text(in: console.languageInUse) + "\n")
    while true {
      show(progress.take(console.factsForDoor()))
      guard progress.outcome == nil else { return .goOn }
      switch pause(ControlBounds.followPause) {
      case .over: break
      case .key: return .goOn
      case .leave: return .leave
      }
    }
  }

  private mutating func watch() -> Step {
    while true {
      let answer = console.answer(.status)
      wire.write(reader.isDumb ? "\n" : "\u{1B}[H\u{1B}[2J")
      show(answer)
      wire.write(DoorPhrase.anyKey.text(in: console.languageInUse) + "\n")
      switch pause(ControlBounds.watchPause) {
      case .over: break
      case .key: return .goOn
      case .leave: return .leave
      }
    }
  }
}

/// A terminal that delivers each key at once, unechoed, as long as this value lives.
///
/// Speed, modem lines, character size and flow control stay as they are: they belong to whoever
/// opened the port.
struct Terminal: ~Copyable {
  /// Its own opening of the terminal, not to wait in it: the flag O_NONBLOCK of standard input
  /// would be the shell's too.
  let descriptor: Descriptor
  /// The settings before this program changed them.
  let saved: termios

  /// - Throws: if it cannot be opened or set.
  init(_ terminal: Int32) throws(SystemError) {
    let path = "/proc/self/fd/\(terminal)"
    let descriptor = try Descriptor(opening: path, [.readWrite, .notControlling, .nonBlocking])
    var settings = termios()
    guard tcgetattr(descriptor.number, &settings) == 0 else { throw .last("tcgetattr") }
    let saved = settings
    // Ignore BREAK and bytes with errors.
    settings.c_iflag |= tcflag_t(IGNBRK)
    settings.c_iflag &= ~tcflag_t(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL)
    settings.c_oflag = tcflag_t(OPOST | ONLCR)
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    guard tcsetattr(descriptor.number, TCSANOW, &settings) == 0 else { throw .last("tcsetattr") }
    self.descriptor = descriptor
    self.saved = saved
  }

  deinit {
    var saved = saved
    // Not TCSADRAIN, which would wait for a terminal that is stopped.
    tcsetattr(descriptor.number, TCSANOW, &saved)
  }

  /// Drops what the terminal has not taken, for which closing it would wait.
  func dropOutput() { tcflush(descriptor.number, TCOFLUSH) }

  /// Rows and columns; `nil`: it does not know, as on a serial line.
  static func size(of terminal: Int32) -> (rows: Int, columns: Int)? {
    var size = winsize()
    // TIOCGWINSZ (asm-generic/ioctls.h)
    guard ioctl(terminal, 0x5413, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// `/dev/ttyS0`
  static func name(of terminal: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 128)
    guard ttyname_r(terminal, &name, name.count) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether it is a serial line, at whose other end somebody may come later, and not a window.
  static func isLine(_ terminal: Int32) -> Bool {
    guard let name = name(of: terminal), size(of: terminal) != nil else { return true }
    let rest = name.hasPrefix("/dev/tty") ? name.dropFirst(8) : ""
    return !name.hasPrefix("/dev/pts/") && rest.first?.isNumber != true
  }
}
