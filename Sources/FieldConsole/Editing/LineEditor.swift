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

  private static let bell: UInt8 = 0x07

  /// Whether the terminal understands no sequences at all.
  public var isDumb: Bool { view.isDumb }
  /// The terminal's columns, within `FieldBounds.columns`.
  public var columns: Int {
    get { width }
    set {
      width = min(max(FieldBounds.columns.lowerBound, newValue), FieldBounds.columns.upperBound)
    }
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

  /// The line as typed so far; at most `FieldBounds.commandBytes` bytes.
  var text: String { line.text }
  var isEmpty: Bool { line.scalars.isEmpty }

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

  /// Finds a terminal's cursor report among other bytes.
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
    case .character(let scalar): isRefused = !line.insert(scalar, atMost: FieldBounds.commandBytes)
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
    line = EditedLine(text, atMost: FieldBounds.commandBytes)
    draw()
  }

  private mutating func complete() {
    let completion = Completion(of: line.beforeCursor)
    guard !isHidden, !completion.candidates.isEmpty else { return output.append(Self.bell) }
    for scalar in completion.addition.unicodeScalars {
      line.insert(scalar, atMost: FieldBounds.commandBytes)
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

/// The line being edited, and the cursor in it.
///
/// It consists of Unicode scalars, so that a terminal's columns can be counted without a table of
/// all grapheme clusters; a mark that combines with a letter goes with it.
struct EditedLine: Equatable, Sendable {
  private(set) var scalars: [Unicode.Scalar] = []
  /// 0 to `scalars.count`
  private(set) var cursor = 0
  private(set) var byteCount = 0

  init() {}

  /// Omits what does not fit or is not text. The cursor is at the end.
  init(_ text: String, atMost limit: Int) {
    for scalar in text.unicodeScalars where scalar.isShown { insert(scalar, atMost: limit) }
  }

  var text: String { String(String.UnicodeScalarView(scalars)) }
  var beforeCursor: String { String(String.UnicodeScalarView(scalars[..<cursor])) }

  /// - Returns: whether there was room for it, in bytes of UTF-8.
  @discardableResult
  mutating func insert(_ scalar: Unicode.Scalar, atMost limit: Int) -> Bool {
    let size = UTF8.width(scalar)
    guard byteCount + size <= limit else { return false }
    scalars.insert(scalar, at: cursor)
    cursor += 1
    byteCount += size
    return true
  }

  // MARK: Moving

  mutating func moveLeft() { cursor = left }
  mutating func moveRight() { cursor = right }
  mutating func moveHome() { cursor = 0 }
  mutating func moveEnd() { cursor = scalars.count }

  private var left: Int {
    var index = cursor
    while index > 0 {
      index -= 1
      if scalars[index].columns > 0 { break }
    }
    return index
  }

  private var right: Int {
    var index = min(cursor + 1, scalars.count)
    while index < scalars.count, scalars[index].columns == 0 { index += 1 }
    return index
  }

  // MARK: Erasing

  mutating func eraseLeft() { erase(left..<cursor) }
  mutating func eraseRight() { erase(cursor..<right) }
  mutating func eraseToStart() { erase(0..<cursor) }
  mutating func eraseToEnd() { erase(cursor..<scalars.count) }

  /// The word before the cursor, with the spaces after it.
  mutating func eraseWord() {
    var start = cursor
    while start > 0, scalars[start - 1] == " " { start -= 1 }
    while start > 0, scalars[start - 1] != " " { start -= 1 }
    erase(start..<cursor)
  }

  private mutating func erase(_ range: Range<Int>) {
    for scalar in scalars[range] { byteCount -= UTF8.width(scalar) }
    scalars.removeSubrange(range)
    cursor = range.lowerBound
  }
}

extension Unicode.Scalar {
  /// Whether it is text: no control character, which would reach the terminal.
  public var isShown: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
    default: true
    }
  }

  /// How many columns of a terminal it takes: 0 to 2. The wide ones are the blocks of East Asian
  /// scripts and of pictures (Unicode Standard Annex 11, W and F).
  var columns: Int {
    guard value >= 0x300 else { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

/// What a terminal shows of a line: as many columns as fit after the prompt. It is changed by
/// printing, spaces and backspaces, which every terminal understands.
struct LineView: Sendable {
  var isDumb: Bool
  private var shown: [Unicode.Scalar] = []
  /// Scalars before the cursor.
  private var cursor = 0
  /// The first scalar of the line that is shown.
  private var start = 0

  init(isDumb: Bool) { self.isDumb = isDumb }

  /// The next line begins after a prompt.
  mutating func reset() {
    shown = []
    cursor = 0
    start = 0
  }

  /// Changes what is shown.
  ///
  /// - Parameters:
  ///   - room: columns, at least 2.
  ///   - output: what the terminal has to receive.
  mutating func show(_ line: EditedLine, room: Int, into output: inout [UInt8]) {
    let (window, place) = window(of: line, room)
    let same = zip(shown, window).prefix { $0 == $1 }.count
    if same < max(shown.count, window.count) {
      if cursor > same {
        back(over: shown[same..<cursor], &output)
      } else {
        Self.print(shown[cursor..<same], &output)
      }
      Self.print(window[same...], &output)
      let excess = Self.columns(shown[same...]) - Self.columns(window[same...])
      erase(excess, &output)
      shown = window
      cursor = window.count
    }
    if cursor > place {
      back(over: shown[place..<cursor], &output)
    } else {
      Self.print(shown[cursor..<place], &output)
    }
    cursor = place
  }

  /// The part of the line around its cursor, and the cursor in it.
  private mutating func window(
    of line: EditedLine, _ room: Int
  ) -> (scalars: [Unicode.Scalar], cursor: Int) {
    let all = line.scalars
    start = min(start, all.count)
    // Half of the columns at once, so that not every key shifts the line.
    if line.cursor < start { start = Self.start(all, before: line.cursor, columns: room / 2) }
    if Self.columns(all[start..<line.cursor]) > room {
      start = Self.start(all, before: line.cursor, columns: room / 2)
    }
    var end = start
    var used = 0
    while end < all.count, used + all[end].columns <= room {
      used += all[end].columns
      end += 1
    }
    return (Array(all[start..<end]), line.cursor - start)
  }

  private static func start(_ all: [Unicode.Scalar], before end: Int, columns: Int) -> Int {
    var start = end
    var used = 0
    while start > 0, used + all[start - 1].columns <= columns {
      start -= 1
      used += all[start].columns
    }
    return start
  }

  private static func columns(_ scalars: ArraySlice<Unicode.Scalar>) -> Int {
    scalars.reduce(0) { $0 + $1.columns }
  }

  private static func print(_ scalars: ArraySlice<Unicode.Scalar>, _ output: inout [UInt8]) {
    for scalar in scalars { output += Array(UTF8.encode(scalar)!) }
  }

  private func back(over scalars: ArraySlice<Unicode.Scalar>, _ output: inout [UInt8]) {
    let count = Self.columns(scalars)
    if isDumb || count < 5 {
      output += [UInt8](repeating: 0x08, count: count)
    } else {
      output += Array("\u{1B}[\(count)D".utf8)
    }
  }

  private func erase(_ count: Int, _ output: inout [UInt8]) {
    guard count > 0 else { return }
    if isDumb {
      output += [UInt8](repeating: 0x20, count: count) + [UInt8](repeating: 0x08, count: count)
    } else {
      output += Array("\u{1B}[K".utf8)
    }
  }
}

/// The lines that were entered last.
struct LineHistory: Sendable {

  private(set) var lines: [String] = []
  /// The line that is shown; `lines.count`: the new one.
  private var index = 0
  /// The new line, while an older one is shown.
  private var draft = ""

  /// - Parameter line: one that repeats the last is not kept twice.
  mutating func add(_ line: String) {
    if !line.isEmpty && line != lines.last { lines.append(line) }
    if lines.count > FieldBounds.historyLines {
      lines.removeFirst(lines.count - FieldBounds.historyLines)
    }
    index = lines.count
    draft = ""
  }

  /// - Returns: the line before the one that is shown; `nil`: there is none.
  mutating func older(than shown: String) -> String? {
    guard index > 0 else { return nil }
    if index == lines.count { draft = shown }
    index -= 1
    return lines[index]
  }

  mutating func newer() -> String? {
    guard index < lines.count else { return nil }
    index += 1
    return index < lines.count ? lines[index] : draft
  }
}
