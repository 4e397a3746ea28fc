import CEdit
import FieldConsole
import Glibc
import TrackerCore

/// Edits a person's lines with libedit: its usual keys, a search through the history, lines
/// longer than the window.
///
/// libedit neither reads nor writes the terminal, at which it would wait for ever once nobody takes
/// its output: it sets a pseudo-terminal of its own, gets each character from a `Wire`, and writes
/// to memory. It keeps no file.
final class WindowEditor {
  /// A longer line is dropped. One key may double a line, when it inserts what was erased.
  static let mostCharacters = 2 * LineEditor.longestLine
  /// Enter ends a line, a search and a sequence half typed; so often at the same time at most.
  private static let mostEnters = 8

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
  ///   - idle: it ends a line without a key for so long; 0: never.
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
    // What it says of a terminal that it does not know is not for the screen.
    _ = paper.take()
    cedit_set_user(handle, Unmanaged.passUnretained(self).toOpaque())
    cedit_set_read(handle) { WindowEditor.of($0)?.next(into: $1) ?? -1 }
    cedit_set_prompt(handle) { WindowEditor.of($0)?.prompt }
    cedit_set_history(handle, history, Int32(LineHistory.longest))
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
    terminal.follow(STDIN_FILENO)
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
    if isKept, !text.isEmpty, text.utf8.count <= LineEditor.longestLine {
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
    guard ending != .gone, enters <= Self.mostEnters else { return -1 }
    place.pointee = 0x0D
    return 1
  }

  /// - Returns: `nil`: none yet, or noise.
  private func character(_ byte: UInt8) -> Unicode.Scalar? {
    guard let scalar = decoder.take(byte), scalar.value != 0 else { return nil }
    let isSecond = wasReturn && scalar == "\n"
    wasReturn = scalar == "\r"
    return isSecond || !(scalar.isASCII || scalar.isShown) ? nil : scalar
  }

  /// In a window of another width the line is drawn again, below.
  private func followSize() {
    guard terminal.follow(STDIN_FILENO) else { return }
    el_resize(handle)
    paper.write("\n")
    cedit_refresh(handle)
  }

  private var isTooLong: Bool {
    guard let line = el_wline(handle)?.pointee else { return false }
    return line.lastchar - line.buffer > Self.mostCharacters
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
