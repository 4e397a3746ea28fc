import Foundation
import TestSupport
import Testing

/// What happens to a window while a line is being edited.
@Suite(.serialized, .blocking) struct WindowTroubleTests {
  private let command: Comment = "repeat with: swift test --filter WindowTroubleTests"
  /// Half a line, a search, half a sequence, a quotation, a completion.
  private static let moments = ["", "half a line", "\u{12}abc", "x\u{1B}[", "x\u{16}", "st\t"]

  @Test(arguments: moments) func `It ends with its terminal`(_ keys: String) throws {
    let window = try Window()
    try window.cable.type(keys)
    window.cable.read(within: 0.1)
    window.cable.pull()
    #expect(window.cable.ends(within: 2), command)
  }

  @Test(arguments: moments, [SIGTERM, SIGHUP])
  func `A signal ends it, and the terminal is as before`(
    _ keys: String, _ signal: Int32
  ) throws {
    let before = try Cable(columns: 80).settings
    let window = try Window()
    try window.cable.type(keys)
    window.cable.read(within: 0.1)
    #expect(window.cable.settings != before, command)
    kill(window.cable.id, signal)
    #expect(window.cable.ends(within: 2), command)
    #expect(window.cable.settings == before, command)
  }

  @Test(arguments: moments) func `Without a key it ends and says so`(_ keys: String) throws {
    let window = try Window(["--idle", "1s"])
    try window.cable.type(keys)
    try window.cable.wait("no key for 1 s", seconds: 10)
    #expect(window.cable.ends(within: 2) && window.cable.code == 0, command)
  }

  @Test func `A line that is too long is refused, and one much longer is dropped`() throws {
    let window = try Window()
    try window.cable.type(String(repeating: "x", count: 2049) + "\r")
    try window.cable.wait("line too long")
    try window.cable.type(String(repeating: "y", count: 3000) + "\u{3}")
    #expect(try window.refused("abc\r", as: "abc"), "\(window.cable.screen); \(command)")
    // Erased and inserted, over and over.
    let doubling = String(repeating: "z", count: 400) + "\u{B}\u{15}"
    try window.cable.type(doubling + String(repeating: "\u{19}", count: 50) + "\u{3}")
    #expect(try window.refused("def\r", as: "def"), "\(window.cable.screen); \(command)")
  }

  @Test func `Noise neither ends nor fills it`() throws {
    let window = try Window()
    var generator = Noise(state: 14)
    for round in 0..<20 {
      window.cable.clear()
      if round % 8 == 0 { window.cable.resize(columns: UInt16(20 + generator.next() % 120)) }
      try window.cable.send((0..<1000).map { _ in generator.byte() })
    }
    guard window.cable.isRunning else {
      Issue.record("exit code \(window.cable.code); \(command)")
      return
    }
    // Until it has answered all of that.
    try eventually("the last line, got \(window.cable.screen.debugDescription); \(command)") {
      try window.refused("\u{3}\u{3}\u{3}abc\r", as: "abc")
    }
    let status = try String(
      contentsOfFile: "/proc/\(window.cable.id)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let peak = try #require(
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first)
    #expect(try #require(Int(peak)) < 100_000, "\(line); \(command)")
  }

  @Test func `A PIN is in no history`() throws {
    let run = try DaemonRun()
    run.settings["console"] = "'pin'"
    run.settings["secrets"] = "'\(run.path("secrets"))'"
    try Data("consolePin = 7351\n".utf8).write(to: URL(fileURLWithPath: run.path("secrets")))
    chmod(run.path("secrets"), 0o600)
    try run.startAndWait()
    let cable = try Cable(columns: 80)
    try cable.run(["console", "--socket", run.path("control"), "--store", run.path("queue.db")])
    try cable.wait("> ")
    try cable.type("set interval 5min\r")
    try cable.wait("PIN: ")
    try cable.type("7351\r")
    try cable.wait("interval: 5 min; it was 1 s")
    cable.clear()
    try cable.type("\u{1B}[A")
    try cable.wait("set interval 5min")
    try cable.type("\u{15}\u{12}735\r\u{3}version\r")
    try cable.wait("trackerd 0")
    #expect(!cable.screen.contains("7351"), "\(cable.screen.debugDescription); \(command)")
  }
}

/// SplitMix64; half of its bytes are those that mean something to an editor. None ends the console
/// (Ctrl-D) or stops the terminal's output (Ctrl-S).
private struct Noise {
  var state: UInt64
  private static let special =
    Array("\u{1B}\u{1B}[[OABCDHF~3\u{1}\u{2}\u{5}\u{6}\u{8}\t\u{B}\u{C}\u{E}\u{10}".utf8)
    + Array("\u{12}\u{14}\u{15}\u{16}\u{17}\u{19}\u{1F}\u{7F}/?nN0123ddywcbBeEfFtTr".utf8)
    + Array("RiIaAoOpPuUxX%^$|~.;,@_#vV:é山".utf8)

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func byte() -> UInt8 {
    let number = next()
    let byte =
      switch number & 3 {
      case 0, 1: Self.special[Int(number >> 8) % Self.special.count]
      case 2: UInt8(0x20 + (number >> 8) % 0x5F)
      default: UInt8(truncatingIfNeeded: number >> 8)
      }
    return [0x04, 0x11, 0x13].contains(byte) ? 0x20 : byte
  }
}
