import FieldConsole
import Glibc
import TrackerCore

/// Reads a person's lines: with libedit in a window whose terminal it knows; with the console's own
/// editor on a serial line, at any other terminal, and for what must not be shown or kept.
struct LineReader {
  enum Input: Equatable {
    case line(String)
    /// Ctrl-C: the line is dropped.
    case interrupted
    /// Ctrl-D on an empty line.
    case end
    /// No key came for too long.
    case idle
    /// The other side has hung up, or a signal has come.
    case gone
  }

  /// What a line is for.
  enum Kind {
    case command
    case answer
    case secret
  }

  /// The terminal itself has been asked for its size; otherwise it is followed.
  var isSizeAsked = false

  private let wire: Wire
  private let idle: Milliseconds
  private var editor: LineEditor
  private let window: WindowEditor?

  /// Whether the terminal understands no sequences at all.
  var isDumb: Bool { editor.isDumb }
  var columns: Int {
    get { editor.columns }
    set { editor.columns = newValue }
  }

  /// - Parameters:
  ///   - settings: the terminal's, before the console changed them.
  ///   - idle: a line without a key for so long ends; 0: never.
  ///   - isLine: whether it is a serial line.
  init(_ wire: Wire, _ settings: termios, idle: Milliseconds, isLine: Bool) {
    let terminal = getenv("TERM").map { String(cString: $0) } ?? ""
    let isDumb = ["", "dumb", "unknown"].contains(terminal)
    (self.wire, self.idle) = (wire, idle)
    editor = LineEditor(isDumb: isDumb)
    window =
      isLine || isDumb ? nil : WindowEditor(wire, terminal: terminal, settings, idle: idle)
    if !isLine { followSize() }
  }

  mutating func next(after prompt: String, _ kind: Kind) -> Input {
    if !isSizeAsked { followSize() }
    if kind != .secret, let window {
      return window.line(after: prompt, isKept: kind == .command)
    }
    editor.isHidden = kind == .secret
    editor.isKept = kind == .command
    editor.begin(prompt: prompt)
    flush()
    while true {
      switch wire.next(within: wire.timeLeft(of: idle)) {
      case .gone: return .gone
      case .nothing: return .idle
      case .byte(let byte):
        if let input = take(byte) { return input }
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Input? {
    let event = editor.take(byte)
    // What was pasted is echoed at once, and not key by key.
    if event != nil || !wire.hasMore { flush() }
    switch event {
    case .none: return nil
    case .cursorAt(_, let column):
      columns = column
      return nil
    case .line(let line): return .line(line)
    case .interrupted: return .interrupted
    case .end: return .end
    }
  }

  private mutating func flush() {
    // The terminal itself adds the carriage return to a line end, as for complaints of the system.
    let output = editor.takeOutput().filter { $0 != 0x0D }
    if !output.isEmpty { wire.write(output) }
  }

  private mutating func followSize() {
    if let size = Terminal.size(of: STDIN_FILENO) { columns = size.columns }
  }
}
