import Wording

/// Edits one line after another for a person at a terminal. It reads and writes nothing itself:
/// the terminal's bytes go in, and what it has to show comes out.
///
///     var editor = LineEditor(isDumb: true)
///     editor.begin(prompt: "> ")
///     for byte in typed { if case .line(let line) = editor.take(byte) { … } }
///     terminal.write(editor.takeOutput())
public struct LineEditor: Sendable {
  public enum Event: Sendable, Equatable {
    /// A line is complete. The next one begins with `begin`.
    case line(String)
    /// Ctrl-C: the line is dropped.
    case interrupted
    /// Ctrl-D on an empty line.
    case end
    /// The terminal said where its cursor is, from 1.
    case cursorAt(row: Int, column: Int)
  }

  /// Bytes of a line; a longer one rings the bell.
  public static let longestLine = Words.longest
  private static let bell: UInt8 = 0x07

  /// Whether the terminal understands no sequences at all.
  public var isDumb: Bool { view.isDumb }
  /// The terminal's columns: 20 to 500.
  public var columns: Int {
    get { width }
    set { width = min(max(20, newValue), 500) }
  }
  /// Whether the line is a secret: it is not echoed, kept or completed.
  public var isHidden = false
  /// Whether the history takes it, if it is no secret.
  public var isKept = true

  private var width = 80
  private var decoder = KeyDecoder()
  private var line = EditedLine()
  private var view: LineView
  private var history = LineHistory()
  private var prompt = ""
  private var output: [UInt8] = []

  public init(isDumb: Bool) { view = LineView(isDumb: isDumb) }

  /// The line as typed so far; at most `longestLine` bytes.
  public var text: String { line.text }
  var byteCount: Int { line.byteCount }
  public var isEmpty: Bool { line.scalars.isEmpty }

  /// Begins a line.
  public mutating func begin(prompt: String) {
    self.prompt = Self.shortened(prompt, columns: width)
    line = EditedLine()
    drawAgain()
  }

  /// What the terminal has to receive since the last call.
  public mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  public mutating func take(_ byte: UInt8) -> Event? {
    guard let key = decoder.take(byte) else { return nil }
    switch key {
    case .enter: return finish()
    case .interrupt:
      write("^C\r\n")
      line = EditedLine()
      return .interrupted
    case .endOfInput where isEmpty:
      write("\r\n")
      return .end
    case .cursorAt(let row, let column): return .cursorAt(row: row, column: column)
    case .redraw:
      write(isDumb ? "\r\n" : "\u{1B}[H\u{1B}[2J")
      drawAgain()
    case .tab: complete()
    case .up: recall { history, text in history.older(than: text) }
    case .down: recall { history, _ in history.newer() }
    case .character, .backspace, .delete, .left, .right, .home, .end, .killLine, .killEnd,
      .killWord, .endOfInput:
      edit(key)
    }
    return nil
  }

  /// A terminal's answer to the question for the cursor's place among other bytes.
  public static func cursorReport(in bytes: [UInt8]) -> (row: Int, column: Int)? {
    var decoder = KeyDecoder()
    for byte in bytes {
      if case .cursorAt(let row, let column) = decoder.take(byte) { return (row, column) }
    }
    return nil
  }

  private mutating func finish() -> Event {
    let text = line.text
    if isKept && !isHidden { history.add(text) }
    write("\r\n")
    line = EditedLine()
    return .line(text)
  }

  private mutating func edit(_ key: KeyDecoder.Key) {
    let before = line
    var isRefused = false
    switch key {
    case .character(let scalar): isRefused = !line.insert(scalar, atMost: Self.longestLine)
    case .backspace: line.eraseLeft()
    case .delete, .endOfInput: line.eraseRight()
    case .left: line.moveLeft()
    case .right: line.moveRight()
    case .home: line.moveHome()
    case .end: line.moveEnd()
    case .killLine: line.eraseToStart()
    case .killEnd: line.eraseToEnd()
    case .killWord: line.eraseWord()
    case .enter, .tab, .up, .down, .redraw, .interrupt, .cursorAt: break
    }
    if isRefused { output.append(Self.bell) }
    if line != before { draw() }
  }

  private mutating func recall(_ body: (inout LineHistory, String) -> String?) {
    guard !isHidden, let text = body(&history, line.text) else { return output.append(Self.bell) }
    line = EditedLine(text, atMost: Self.longestLine)
    draw()
  }

  private mutating func complete() {
    let completion = Completion(of: line.beforeCursor)
    guard !isHidden, !completion.candidates.isEmpty else { return output.append(Self.bell) }
    for scalar in completion.addition.unicodeScalars {
      line.insert(scalar, atMost: Self.longestLine)
    }
    if completion.addition.isEmpty {
      write("\r\n" + completion.listing(columns: width).exchanging("\n", for: "\r\n"))
      drawAgain()
    } else {
      draw()
    }
  }

  // MARK: Drawing

  private mutating func write(_ text: String) { output += Array(text.utf8) }

  /// On a fresh line.
  private mutating func drawAgain() {
    view.reset()
    write(prompt)
    draw()
  }

  private mutating func draw() {
    guard !isHidden else { return }
    let used = prompt.unicodeScalars.reduce(0) { $0 + $1.columns }
    // The last column stays free: some terminals wrap there at once, and others later.
    view.show(line, room: max(2, width - used - 1), into: &output)
  }

  /// A prompt of a long name keeps its end, and takes half of the columns at most.
  public static func shortened(_ prompt: String, columns width: Int) -> String {
    let columns = width / 2
    let shown = String(String.UnicodeScalarView(prompt.unicodeScalars.filter(\.isShown)))
    return shown.count > columns ? "…" + shown.suffix(columns - 1) : shown
  }
}
