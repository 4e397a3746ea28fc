import CaptureStore
import Foundation
import LinuxHost
import TrackerCore
import Uplink

/// Something that the tests' own machinery could not do.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// An empty folder that goes away with its last user.
final class ScratchFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("delivery-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func write(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    return path(name)
  }

  /// A store with captures that wait, closed again.
  func store(_ count: UInt32) throws -> String {
    try Walk.fill(CaptureStore.open(.file(path("race.store")), at: Walk.start), count)
    return path("race.store")
  }
}

/// A made-up walk.
enum Walk {
  static let start = UTC(milliseconds: 1_349_517_600_000)

  static func capture(_ sequence: UInt32) -> Capture {
    var capture = Capture(
      sequence: sequence, utc: start + Milliseconds(Int64(sequence) * 10_000),
      isTimeTrusted: true,
      position: Coordinate(
        latitude: 418_000_000 + Int32(sequence % 5000), longitude: 21_000_000),
      team: InlineText("Els Senglars"), trigger: .interval)
    capture.batteryPercent = UInt8(100 - sequence % 60)
    return capture
  }

  static func fill(_ store: CaptureStore, _ count: UInt32) throws {
    for sequence in 1...count { try store.append(capture(sequence), at: start) }
  }
}

/// A program that stands beside the tests' own, as a user has it.
enum Built {
  static func program(_ name: String) -> URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }
}

/// A run of trackerctl: arguments in, exit code and both outputs out.
struct ControlRun {
  let code: Int32
  let output: String
  let errors: String
  let command: String

  init(_ arguments: [String]) throws {
    let process = Process()
    let outputs = Pipe()
    let problems = Pipe()
    process.executableURL = Built.program("trackerctl")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputs
    process.standardError = problems
    try process.run()
    output = String(
      decoding: outputs.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    errors = String(
      decoding: problems.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    code = process.terminationStatus
    command =
      "repeat with: swift run trackerctl "
      + arguments.map { "'\($0)'" }.joined(separator: " ")
  }

  /// Whether it complained in one line and said nothing else.
  var isOneLineOfComplaint: Bool {
    output.isEmpty && errors.hasSuffix("\n") && errors.filter { $0 == "\n" }.count == 1
  }
}
