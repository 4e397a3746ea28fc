import Foundation
import TestSupport

/// A run of tracker-sim as a user has it: arguments in, exit code and both outputs out.
struct ProgramRun {
  let code: Int32
  let output: String
  let errors: String
  let command: String

  static let program = Built.program("tracker-sim")

  init(
    _ arguments: [String], output file: FileHandle? = nil, input: FileHandle? = nil,
    program: URL = Self.program, environment: [String: String] = [:]
  ) throws {
    let process = Process()
    let outputs = Pipe()
    let problems = Pipe()
    process.executableURL = program
    process.environment = ProcessInfo.processInfo.environment.merging(Built.english) { $1 }
      .merging(environment) { $1 }
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

// So that no other file has to import it.
typealias ScratchFolder = TestSupport.ScratchFolder
