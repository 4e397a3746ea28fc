import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

// So that no other file has to import them.
typealias Problem = TestSupport.Problem
typealias Built = TestSupport.Built
typealias ScratchFolder = TestSupport.ScratchFolder
typealias Tool = TestSupport.Tool

/// The real trackerd on a folder of its own, with a receiver on a pseudo-terminal.
final class DaemonRun {
  let folder: URL
  let line: ReceiverLine
  private var program: RunningProgram?
  private let log: URL
  var arguments: [String]
  /// The usual board without its sensor, which no test's machine has.
  var board = "pi-zero-2w+waveshare-sim7600+neo-6m+li-ion-3p+usb-console"
  /// The words before the program's own name: another program that starts it.
  var wrapper: [String] = []
  /// Where standard error goes instead of the log.
  var errors: FileHandle?
  /// What is added to the environment.
  var environment: [String: String] = [:]
  /// Members of the settings file beside store, control, ports and server.
  var settings: [String: String] = [
    "team": "'Els Caminants'", "capture": "{ policy: 'standard', interval: '1 s' }",
  ]
  var server = "http://127.0.0.1:9/rest/services/Walk/FeatureServer/0"

  init(_ arguments: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("daemon-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    line = try ReceiverLine(link: folder.appendingPathComponent("gps").path)
    log = folder.appendingPathComponent("log")
    self.arguments = arguments
  }

  deinit {
    end()
    line.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  var command: String { "repeat with: swift test --filter DaemonTests" }

  /// Writes the settings file; a daemon that runs learns of it by SIGHUP.
  func writeSettings() throws {
    var members = settings
    members["store"] = members["store"] ?? "'\(path("queue.db"))'"
    members["control"] = members["control"] ?? "'\(path("control"))'"
    members["receiverPort"] = members["receiverPort"] ?? "'\(line.link)'"
    members["server"] = members["server"] ?? "{ address: '\(server)' }"
    let text = members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    try Data("{ \(text.joined(separator: ",\n")) }".utf8)
      .write(to: folder.appendingPathComponent("settings.json5"))
  }

  func start() throws {
    try writeSettings()
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    program = try RunningProgram(
      wrapper + [Built.program("trackerd").path, "--board", board]
        + ["--config", path("settings.json5")] + arguments,
      environment: environment, folder: Built.repository,
      errors: .file(errors ?? FileHandle(forWritingTo: log)))
  }

  var id: Int32 { program?.id ?? 0 }
  var isRunning: Bool { program?.isRunning ?? false }
  /// The exit code.
  var code: Int32 { program?.code ?? -1 }

  /// Starts, and waits until it has opened its line.
  func startAndWait() throws {
    try start()
    try wait("line opened")
  }

  var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Waits until the log has that text so often.
  func wait(_ text: String, times: Int = 1, seconds: Double = 60) throws {
    try eventually("'\(text)'; \(command)\n\(logText)", within: seconds) {
      if logText.components(separatedBy: text).count > times { return true }
      guard isRunning else { throw Problem("it ended; \(command)\n\(logText)") }
      return false
    }
  }

  func signal(_ number: Int32) { program?.signal(number) }

  /// Ends it for good, and waits for that.
  func end(_ number: Int32 = SIGKILL) { program?.end(number) }

  /// Waits for a daemon that ends by itself.
  func waitUntilExit(seconds: Double = 60) throws {
    try eventually("its end; \(command)\n\(logText)", within: seconds) { !isRunning }
  }

  /// The numbers that the log has announced.
  var announced: [UInt32] {
    logText.components(separatedBy: "captured sequence=").dropFirst().compactMap {
      UInt32($0.prefix { $0.isNumber })
    }
  }

  /// A figure of memory in `/proc/PID/status`, as VmHWM, the most that it ever took.
  func kibibytes(_ name: String) throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// The numbers in the store.
  func stored() throws -> [UInt32] {
    let store = try CaptureStore.openForReading(path("queue.db"))
    return try store.page(after: 0, limit: 100_000).map(\.capture.sequence)
  }

  /// The identifier of the store's device, in lowercase.
  func device() throws -> String {
    try CaptureStore.openForReading(path("queue.db")).device.lowercaseText
  }

  /// Fails the test unless something has arrived, each of it once, and nothing that is not stored.
  func expectOnce(_ arrived: [UniqueID], location: SourceLocation = #_sourceLocation) throws {
    let device = try CaptureStore.openForReading(path("queue.db")).device
    let known = try stored().map { UniqueID(device: device, sequence: $0) }
    #expect(
      !arrived.isEmpty && Set(arrived).isSubset(of: known), "\(command)",
      sourceLocation: location)
    #expect(Set(arrived).count == arrived.count, "twice; \(command)", sourceLocation: location)
  }

  /// The status, each line in one piece.
  func status() throws -> String { try ask("status").output.replacing(/\n {2,}/, with: " ") }

  func ask(_ words: String...) throws -> ProgramResult {
    try ProgramResult(
      running: [Built.program("trackerctl").path] + words + ["--socket", path("control")],
      errors: .asOutput)
  }
}
