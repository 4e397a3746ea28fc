import CEdit
import FieldConsole
import Glibc
import SystemCalls
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
    /// No key was pressed for too long.
    case idle
    /// The other side hung up, or a signal came.
    case gone
  }

  /// What a line is for.
  enum Kind {
    case command
    case answer
    case secret
  }

  /// Whether the terminal was asked for its size; otherwise the window's size is followed.
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
  ///   - idle: a line ends after so long without a key; 0: never.
  ///   - isLine: whether it is a serial line.
  init(_ wire: Wire, _ settings: termios, idle: Milliseconds, isLine: Bool) {
    let terminal = environmentValue("TERM") ?? ""
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
    // Echo pasted text at once, not key by key.
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
    if let size = Terminal.size(of: StandardStream.input) { columns = size.columns }
  }
}

/// Edits a person's lines with libedit: its usual keys, a search through the history, lines
/// longer than the window.
///
/// libedit neither reads nor writes the terminal, at which it would wait for ever once nobody takes
/// its output: it sets a pseudo-terminal of its own, gets each character from a `Wire`, and writes
/// to memory. It keeps no file.
final class WindowEditor {

  private let wire: Wire
  private let idle: Milliseconds
  private let handle: OpaquePointer
  private let history: OpaquePointer
  private let paper: EditorPaper
  private let terminal: EditorTerminal
  private var prompt: UnsafeMutablePointer<CChar>?
  private var decoder = ScalarDecoder()
  private var wasReturn = false
  /// Why the line has to end.
  private var ending: LineReader.Input?
  private var enters = 0

  /// - Parameters:
  ///   - name: `TERM`
  ///   - settings: those of the person's terminal, for its keys.
  ///   - idle: a line ends after so long without a key; 0: never.
  /// - Returns: `nil` if it cannot edit: terminfo does not know the terminal, or there is no locale
  ///   with UTF-8.
  init?(_ wire: Wire, terminal name: String, _ settings: termios, idle: Milliseconds) {
    guard Self.speaksUTF8, let terminal = EditorTerminal(settings), let paper = EditorPaper(),
      let history = history_init()
    else { return nil }
    guard let handle = cedit_init("trackerctl", paper.stream, terminal.number) else {
      history_end(history)
      return nil
    }
    (self.wire, self.idle, self.terminal, self.paper) = (wire, idle, terminal, paper)
    (self.handle, self.history) = (handle, history)
    guard cedit_set_terminal(handle, name) == 0 else { return nil }
    // Its complaints about an unknown terminal must not reach the screen.
    _ = paper.take()
    cedit_set_user(handle, Unmanaged.passUnretained(self).toOpaque())
    cedit_set_read(handle) { WindowEditor.of($0)?.next(into: $1) ?? -1 }
    cedit_set_prompt(handle) { WindowEditor.of($0)?.prompt }
    cedit_set_history(handle, history, Int32(FieldBounds.historyLines))
    setKeys()
    guard cedit_is_editing(handle) != 0 else { return nil }
  }

  deinit {
    el_end(handle)
    history_end(history)
    free(prompt)
  }

  /// Names and answers are in UTF-8, whatever the environment's locale.
  private static var speaksUTF8: Bool {
    for locale in ["C.UTF-8", ""] where setlocale(LC_CTYPE, locale) != nil {
      if String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8" { return true }
    }
    return false
  }

  private static func of(_ handle: OpaquePointer?) -> WindowEditor? {
    guard let user = cedit_user(handle) else { return nil }
    return Unmanaged<WindowEditor>.fromOpaque(user).takeUnretainedValue()
  }

  private func setKeys() {
    cedit_set_emacs_keys(handle)
    cedit_add_function(handle, "trackerctl-complete", "Complete a word of a command") { handle, _ in
      WindowEditor.of(handle)?.complete() ?? UInt8(CC_ERROR)
    }
    cedit_bind(handle, "^I", "trackerctl-complete")
    // `~/.editrc` is not read: it could name an editor, from which a shell, and whoever may use
    // this console need not have one. With vi's keys, which libedit's own commands would bring, `$`
    // in an empty line writes before its memory (ed_move_to_end in 3.1-20221030, and more). A count
    // before a key makes a line of any length, for which it has no room.
    for key in ["x", "X"] + (0...9).map(String.init) {
      cedit_bind(handle, "^[" + key, "ed-unassigned")
    }
  }

  // MARK: A line

  /// - Parameter isKept: whether the history takes it.
  func line(after prompt: String, isKept: Bool) -> LineReader.Input {
    free(self.prompt)
    (ending, enters) = (nil, 0)
    terminal.follow(StandardStream.input)
    self.prompt = strdup(LineEditor.shortened(prompt, columns: terminal.columns))
    var count: Int32 = 0
    let bytes = el_gets(handle, &count)
    let line = count > 0 ? bytes.map { String(cString: $0) } : nil
    flush()
    if let ending { return ending }
    guard let line else {
      wire.write("\n")
      return .end
    }
    let text = String(String.UnicodeScalarView(line.unicodeScalars.filter(\.isShown)))
    if isKept, !text.isEmpty, text.utf8.count <= FieldBounds.commandBytes {
      cedit_enter(history, text)
    }
    return .line(text)
  }

  private func flush() {
    let output = paper.take()
    if !output.isEmpty { wire.write(output) }
  }

  /// - Returns: what libedit expects of a reader: 1, or -1 for the end.
  private func next(into place: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    guard let place else { return -1 }
    if ending == nil, isTooLong {
      ending = .interrupted
      el_beep(handle)
    }
    while ending == nil {
      if !wire.hasMore { flush() }
      switch wire.next(within: wire.timeLeft(of: idle)) {
      case .gone: ending = .gone
      case .nothing: ending = .idle
      // Ctrl-C is a key, as the terminal has no ISIG.
      case .byte(0x03): ending = .interrupted
      case .byte(let byte):
        guard let scalar = character(byte) else { continue }
        followSize()
        place.pointee = wchar_t(scalar.value)
        return 1
      }
    }
    // Enter leaves the screen's cursor below the line.
    enters += 1
    guard ending != .gone, enters <= ControlBounds.enters else { return -1 }
    place.pointee = 0x0D
    return 1
  }

  /// - Returns: `nil` if there is none yet, or only noise.
  private func character(_ byte: UInt8) -> Unicode.Scalar? {
    guard let scalar = decoder.take(byte), scalar.value != 0 else { return nil }
    let isSecond = wasReturn && scalar == "\n"
    wasReturn = scalar == "\r"
    return isSecond || !(scalar.isASCII || scalar.isShown) ? nil : scalar
  }

  /// In a window of another width the line is drawn again, below.
  private func followSize() {
    guard terminal.follow(StandardStream.input) else { return }
    el_resize(handle)
    paper.write("\n")
    cedit_refresh(handle)
  }

  private var isTooLong: Bool {
    guard let line = el_wline(handle)?.pointee else { return false }
    return line.lastchar - line.buffer > ControlBounds.lineCharacters
  }

  private func complete() -> UInt8 {
    guard let line = el_line(handle)?.pointee else { return UInt8(CC_ERROR) }
    let before = UnsafeRawBufferPointer(start: line.buffer, count: line.cursor - line.buffer)
    let completion = Completion(of: String(decoding: before, as: UTF8.self))
    guard !completion.candidates.isEmpty else { return UInt8(CC_ERROR) }
    if !completion.addition.isEmpty {
      return UInt8(el_insertstr(handle, completion.addition) == 0 ? CC_REFRESH : CC_ERROR)
    }
    flush()
    wire.write("\n" + completion.listing(columns: terminal.columns))
    return UInt8(CC_REDISPLAY)
  }
}

/// A pseudo-terminal with nothing at its other end, for what libedit asks of a terminal: modes,
/// keys, size. Nobody writes to it, so setting its modes never waits.
final class EditorTerminal {
  private let descriptor: Descriptor
  private(set) var columns = 0

  var number: Int32 { descriptor.number }

  /// - Parameter settings: of the person's terminal, with the keys that it erases by.
  init?(_ settings: termios) {
    // As posix_openpt does, which is to be used as soon as Swift's Glibc module imports it (it
    // needs _XOPEN_SOURCE).
    let options: OpenOptions = [.readWrite, .notControlling]
    guard let descriptor = try? Descriptor(opening: "/dev/ptmx", options) else { return nil }
    self.descriptor = descriptor
    var settings = settings
    guard tcsetattr(number, TCSANOW, &settings) == 0 else { return nil }
    follow(StandardStream.input)
  }

  /// Takes the width of a terminal, within what lines can be drawn in.
  ///
  /// - Returns: whether it is another.
  @discardableResult
  func follow(_ terminal: Int32) -> Bool {
    let (least, most) = (FieldBounds.columns.lowerBound, FieldBounds.columns.upperBound)
    let wanted = min(max(least, Terminal.size(of: terminal)?.columns ?? 80), most)
    guard wanted != columns else { return false }
    columns = wanted
    var words = winsize()
    (words.ws_row, words.ws_col) = (UInt16(ControlBounds.editorPlaces / wanted), UInt16(wanted))
    // TIOCSWINSZ (asm-generic/ioctls.h)
    return ioctl(number, 0x5414, &words) == 0
  }
}

/// A stream into memory, for what libedit has to write.
final class EditorPaper {
  let stream: UnsafeMutablePointer<FILE>
  private let bytes = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
  private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init?() {
    bytes.initialize(to: nil)
    count.initialize(to: 0)
    guard let stream = open_memstream(bytes, count) else { return nil }
    self.stream = stream
  }

  deinit {
    fclose(stream)
    free(bytes.pointee)
    bytes.deallocate()
    count.deallocate()
  }

  func write(_ text: String) { fputs(text, stream) }

  /// What has been written since the last call, without the NULs by which a VT100 of 1978 won time.
  func take() -> [UInt8] {
    guard fflush(stream) == 0, let start = bytes.pointee else { return [] }
    let written = UnsafeRawBufferPointer(start: start, count: count.pointee).filter { $0 != 0 }
    fseek(stream, 0, SEEK_SET)
    return written
  }
}
