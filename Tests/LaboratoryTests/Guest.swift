import Foundation
import TestSupport

/// A machine that runs one script of the folder Guest and halts.
///
///     let guest = try Guest("race.sh", limit: 120)
///     try guest.run()
///     guest.text("log")
///
/// In the guest, `/run/out` is the folder of results; the root is this machine's, read only.
final class Guest {
  let folder: ScratchFolder
  /// Kernel parameters beside the usual ones.
  var parameters: [String] = []
  /// What its /dev/ttyS1 is connected with; `nil`: nothing.
  private var line: FileHandle?
  private let script: String
  private let arguments: [String]
  private let limit: Int
  private var program: RunningProgram?
  private var startedAt = Date()

  /// - Parameters:
  ///   - limit: in seconds; then the machine is killed.
  ///   - folder: of an earlier guest, whose results this one continues.
  init(
    _ script: String, _ arguments: [String] = [], limit: Int, folder: ScratchFolder? = nil
  ) throws {
    self.folder = try folder ?? ScratchFolder()
    self.script = script
    self.arguments = arguments
    self.limit = limit
    if folder == nil {
      try Laboratory.makeTools(in: self.folder.url.appendingPathComponent("tools"))
    }
  }

  deinit { kill() }

  /// Time passes only while all programs wait, as fast as that is computed: hours in seconds, and
  /// the same in every run.
  func useVirtualTime(from date: String) throws {
    guard let date = ISO8601DateFormatter().date(from: date) else { throw Problem("\(date)?") }
    useVirtualTime(fromSeconds: Int(date.timeIntervalSince1970))
  }

  /// - Parameter seconds: since 1970.
  func useVirtualTime(fromSeconds seconds: Int) {
    parameters += ["time-travel=inf-cpu", "time-travel-start=\(seconds)000000000"]
  }

  /// Connects its serial line /dev/ttyS1 with a device on a pseudo-terminal of this machine.
  func connect(_ path: String) throws {
    let terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw Problem("\(path): \(String(cString: strerror(errno)))") }
    line = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
    parameters.append("ssl1=fd:0")
  }

  func start() throws {
    guard let kernel = Laboratory.folder else { throw Problem("\(Laboratory.reason)") }
    let console = folder.path("console")
    _ = FileManager.default.createFile(atPath: console, contents: nil)
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: console))
    startedAt = Date()
    // The machine's memory is a file in TMPDIR; without it, in /dev/shm.
    program = try RunningProgram(
      ["env", "-u", "TMPDIR", "\(kernel)/linux"]
        + ["mem=512M", "root=/dev/root", "rootfstype=hostfs", "rootflags=\(Laboratory.root)"]
        + ["ro", "quiet", "ssl=null", "con=null", "con0=null,fd:1"]
        + ["REPOSITORY=\(Built.repository.path)", "KERNEL=\(kernel)"] + parameters
        + ["init=\(Laboratory.scripts.path)/init.sh", "--", folder.url.path]
        + [Laboratory.programs]
        + ["\(Laboratory.scripts.path)/\(script)"] + arguments,
      input: line.map { .file($0) } ?? .none, output: .file(output), errors: .asOutput)
  }

  var isRunning: Bool { program?.isRunning ?? false }

  /// Of the seconds that it may take.
  private var timeLeft: Double { Double(limit) + startedAt.timeIntervalSinceNow }

  /// Waits until the console shows a text.
  func wait(_ text: String) throws {
    try wait(for: "'\(text)'") { self.text("console").contains(text) }
  }

  /// Waits for an event while it runs.
  func wait(for event: String, _ isSo: () throws -> Bool) throws {
    func said() -> String { "\(event)\n\(text("console"))\n\(text("log"))" }
    try eventually(said(), within: timeLeft) {
      if try isSo() { return true }
      guard isRunning else { throw Problem("it ended before \(said())") }
      return false
    }
  }

  /// The power is cut: all processes of the machine are killed, which are a group of their own.
  func kill() {
    guard let program, isRunning else { return }
    Foundation.kill(-program.id, SIGKILL)
    program.wait()
  }

  /// Runs the script to its end.
  func run() throws {
    try start()
    try finish()
  }

  /// Waits for the script's end.
  ///
  /// - Throws: if it fails or takes too long, with everything that it said.
  func finish() throws {
    // What it says tells more than that it did not end.
    try? eventually("its end", within: timeLeft) { !isRunning }
    kill()
    let code = text("code").trimmingCharacters(in: .whitespacesAndNewlines)
    guard code == "0" else {
      let why = code.isEmpty ? "\(script) did not end within \(limit) s" : "\(script): code \(code)"
      throw Problem("\(why)\n\(text("console"))\n\(text("log"))")
    }
  }

  /// A file of results; empty if it is not there.
  func text(_ name: String) -> String {
    (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
  }
}
