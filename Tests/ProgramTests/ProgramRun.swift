import Foundation

/// A run of tracker-sim as a user has it: arguments in, exit code and both outputs out.
struct ProgramRun {
  let code: Int32
  let output: String
  let errors: String
  let command: String

  /// The tests' own program stands beside the one under test.
  static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("tracker-sim")

  init(
    _ arguments: [String], output file: FileHandle? = nil, input: FileHandle? = nil,
    program: URL = Self.program
  ) throws {
    let process = Process()
    let outputs = Pipe()
    let problems = Pipe()
    process.executableURL = program
    process.standardInput = input ?? FileHandle.nullDevice
    process.currentDirectoryURL = Repository.url
    process.arguments = arguments
    process.standardOutput = file ?? outputs
    process.standardError = problems
    try process.run()
    if file != nil { try outputs.fileHandleForWriting.close() }
    let written = file == nil ? outputs.fileHandleForReading.readDataToEndOfFile() : Data()
    let complaints = problems.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    code = process.terminationStatus
    output = String(decoding: written, as: UTF8.self)
    errors = String(decoding: complaints, as: UTF8.self)
    command = "reproduce: swift run tracker-sim " + arguments.joined(separator: " ")
  }

  /// Whether it ended as wrong use does: code 2, nothing on standard output, one line of complaint.
  var isRefusal: Bool {
    code == 2 && output.isEmpty && errors.hasSuffix("\n")
      && errors.filter { $0 == "\n" }.count == 1
  }
}

/// An empty folder that goes away with its last user.
final class ScratchFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("trailtracker-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
