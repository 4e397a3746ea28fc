import TestSupport
import Testing

@testable import FieldConsole

@Suite struct LineEditorTests {
  private let command: Comment = "repeat with: swift test --filter LineEditorTests"

  /// Types, and returns the complete lines and what the terminal received.
  private func typed(
    _ text: String, isDumb: Bool = true, into editor: inout LineEditor
  ) -> (lines: [String], output: String) {
    var lines: [String] = []
    for byte in text.utf8 {
      if case .line(let line) = editor.take(byte) {
        lines.append(line)
        editor.begin(prompt: "> ")
      }
    }
    return (lines, String(decoding: editor.takeOutput(), as: UTF8.self))
  }

  private func lines(_ text: String, isDumb: Bool = true) -> [String] {
    var editor = LineEditor(isDumb: isDumb)
    editor.begin(prompt: "> ")
    return typed(text, into: &editor).lines
  }

  @Test(arguments: ["a\rb\r", "a\nb\n", "a\r\nb\r\n", "a\r\0\nb\r\0\n"])
  func `CR, LF and CRLF each end a line once`(_ text: String) {
    #expect(lines(text) == ["a", "b"], command)
  }

  @Test(arguments: [
    ("statux\u{7F}s\r", "status"), ("statux\u{8}s\r", "status"), ("x\u{15}get\r", "get"),
    ("set team a b\u{17}c\r", "set team a c"), ("get\u{1}\u{4}s\r", "set"),
    ("ge\u{1B}[D\u{1B}[Ct\r", "get"), ("et\u{1B}[Hg\u{1B}[F!\r", "get!"),
    ("et\u{1B}OHg\u{1B}OF!\r", "get!"), ("abc\u{1B}[D\u{1B}[3~\r", "ab"),
    ("abc\u{2}\u{2}\u{B}\r", "a"), ("set team é\u{7F}e\r", "set team e"),
    ("set team 山\u{7F}\u{7F}\r", "set team"), ("e\u{301}\u{7F}a\r", "a"),
  ])
  func `A line is edited by the usual keys`(_ text: String, _ line: String) {
    #expect(lines(text) == [line], command)
    #expect(lines(text, isDumb: false) == [line], command)
  }

  @Test(arguments: [
    "get\0\u{1B}[200~\r", "g\u{1B}[5;2;3ze\u{1B}xt\r", "get\u{1B}[12;40R\r",
    "\u{1B}]0;title\u{7}get\r", "get\u{1B}\r", "ge\u{1B}[\u{1B}Oat\r", "get\u{84}\u{F}\u{1C}\r",
  ])
  func `What is not a key is dropped`(_ text: String) {
    #expect(lines(text) == ["get"], command)
  }

  @Test func `Bytes that are not UTF-8 are dropped`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "")
    let bytes: [UInt8] = [0xFF, 0x67, 0xC3, 0x65, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xE2, 0x82, 0x74]
    for byte in bytes { _ = editor.take(byte) }
    #expect(editor.text == "get", command)
  }

  @Test func `A dumb terminal gets backspaces, spaces and text only`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "> ")
    let output = typed("ab\u{7F}\u{1B}[Dxy\u{1B}[A\u{15}", into: &editor).output
    let wanted = "> ab\u{8} \u{8}\u{8}xa\u{8}ya\u{8}\u{7}"
    #expect(output.hasPrefix(wanted), "\(output.debugDescription); \(command)")
    #expect(!output.contains("\u{1B}"), command)
  }

  @Test func `A VT100 erases by its own means`() {
    var editor = LineEditor(isDumb: false)
    editor.begin(prompt: "> ")
    let output = typed("abcdefgh\u{15}", into: &editor).output
    #expect(output == "> abcdefgh\u{1B}[8D\u{1B}[K", "\(output.debugDescription)")
  }

  @Test func `A character of two columns takes two columns`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "")
    let output = typed("山\u{7F}", into: &editor).output
    #expect(output == "山\u{8}\u{8}  \u{8}\u{8}", command)
  }

  @Test func `A line that is longer than the terminal moves within one row`() {
    var editor = LineEditor(isDumb: true)
    editor.columns = 20
    editor.begin(prompt: "> ")
    var column = 0
    var widest = 0
    let text = String(repeating: "abcdefghij", count: 6) + String(repeating: "\u{1B}[D", count: 60)
    for scalar in typed(text, into: &editor).output.unicodeScalars {
      column += scalar == "\u{8}" ? -1 : 1
      widest = max(widest, column)
    }
    #expect(widest == 19 && column == 2, "\(widest) \(column); \(command)")
  }

  @Test func `A line has at most 2048 bytes, and the bell rings`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "")
    let output = typed(String(repeating: "é", count: 1068), into: &editor).output
    #expect(editor.text.utf8.count == 2048, command)
    #expect(output.filter { $0 == "\u{7}" }.count == 44, command)
  }

  @Test func `Ctrl-C drops the line, and Ctrl-D leaves only on an empty one`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "")
    #expect(editor.take(0x61) == nil && editor.take(0x04) == nil, command)
    #expect(editor.take(0x03) == .interrupted && editor.isEmpty, command)
    #expect(editor.take(0x04) == .end, command)
  }

  @Test func `Fifty lines can be called back, and the new one is not lost`() {
    var editor = LineEditor(isDumb: true)
    editor.begin(prompt: "")
    let many = (0..<60).map { "\($0)\r" }.joined()
    _ = typed(many + "59\r", into: &editor)
    _ = typed("new\u{1B}[A", into: &editor)
    #expect(editor.text == "59", command)
    _ = typed("\u{10}", into: &editor)
    #expect(editor.text == "58", command)
    _ = typed("\u{1B}[B\u{1B}[B", into: &editor)
    #expect(editor.text == "new", command)
    _ = typed(String(repeating: "\u{1B}[A", count: 99), into: &editor)
    #expect(editor.text == "10", command)
  }

  @Test func `A secret is neither shown nor kept`() {
    var editor = LineEditor(isDumb: true)
    editor.isHidden = true
    editor.begin(prompt: "PIN: ")
    let (lines, output) = typed("12\u{7F}34\t\r", into: &editor)
    #expect(lines == ["134"], command)
    #expect(output == "PIN: \u{7}\r\n> ", "\(output.debugDescription); \(command)")
    editor.isHidden = false
    _ = typed("\u{1B}[A", into: &editor)
    #expect(editor.isEmpty, command)
  }

  @Test func `Nothing that a line delivers can trap it or make it grow`() {
    var generator = Seeded(state: 14)
    for isDumb in [true, false] {
      var editor = LineEditor(isDumb: isDumb)
      editor.begin(prompt: "Els Caminants 6f1c> ")
      for _ in 0..<100_000 {
        if generator.next() % 64 == 0 { editor.columns = Int(generator.next() % 200) }
        var most = 0
        let count = generator.next() % 16
        for _ in 0..<count {
          let event = editor.take(generator.byte())
          switch event {
          case .line(let line):
            if line.utf8.count > FieldBounds.commandBytes { Issue.record("too long; \(command)") }
            editor.begin(prompt: "> ")
          case .interrupted, .end: editor.begin(prompt: "> ")
          case .cursorAt, nil: break
          }
          most = max(most, editor.takeOutput().count)
        }
        guard editor.text.utf8.count <= FieldBounds.commandBytes, most < 4096 else {
          Issue.record("\(most) bytes; \(command)")
          return
        }
      }
    }
  }
}

/// SplitMix64; half of its bytes are those that mean something.
private struct Seeded {
  var state: UInt64
  private static let special = Array("\u{1B}\u{1B}[[O]PABCDHFR~;0123456789\r\n\t\u{7F}\u{8}".utf8)

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func byte() -> UInt8 {
    let number = next()
    return switch number & 3 {
    case 0: Self.special[Int(number >> 8) % Self.special.count]
    case 1: UInt8(0x20 + (number >> 8) % 0x5F)
    default: UInt8(truncatingIfNeeded: number >> 8)
    }
  }
}
