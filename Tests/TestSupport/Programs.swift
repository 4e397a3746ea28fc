import Foundation

/// Programs of ours that stand beside the tests' own, as a user has them.
public enum Built {
  public static func program(_ name: String) -> URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Tests that compare a program's text do not depend on the environment's language.
  public static let english = ["LC_ALL": "C"]

  /// The folder of Package.swift.
  public static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

/// Programs of others, which a machine may lack.
public enum Tool {
  /// Where a program lies, if it is there.
  public static func url(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

extension Process {
  /// A program of others that runs beside a test; its output is discarded.
  public static func running(_ words: String...) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}

/// A run of a program of ours: arguments in, exit code and both outputs out.
public struct ProgramResult: Sendable {
  public let code: Int32
  public let output: String
  public let errors: String
  /// How to repeat it.
  public let command: String

  /// In English, unless the environment says otherwise.
  ///
  /// - Parameter environment: what is added to that of the tests.
  public init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    try self.init(
      executable: Built.program(program), arguments, environment: environment)
  }

  /// Of any program.
  ///
  /// - Parameter folder: where it runs; `nil`: where the tests do.
  public init(
    executable: URL, _ arguments: [String], environment: [String: String] = [:],
    folder: URL? = nil
  ) throws {
    let process = Process()
    let outputs = Pipe()
    let problems = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(Built.english) { $1 }
      .merging(environment) { $1 }
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
      "repeat with: swift run \(executable.lastPathComponent) "
      + arguments.map { "'\($0)'" }.joined(separator: " ")
  }

  /// Whether it complained in one line and said nothing else.
  public var isOneLineOfComplaint: Bool {
    output.isEmpty && errors.hasSuffix("\n") && errors.filter { $0 == "\n" }.count == 1
  }
}
