import Foundation
import TestSupport

/// A run of tracker-sim as a user has it: arguments in, exit code and both outputs out.
typealias ProgramRun = ProgramResult

extension ProgramResult {
  static let program = Built.program("tracker-sim")

  init(
    _ arguments: [String], output file: FileHandle? = nil, input: FileHandle? = nil,
    program: URL = Self.program, environment: [String: String] = [:]
  ) throws {
    try self.init(
      running: [program.path] + arguments, environment: environment, folder: Repository.url,
      input: input.map { .file($0) } ?? .none, output: file.map { .file($0) } ?? .pipe)
  }

  /// Whether it ended as wrong use does: code 2, nothing on standard output, one line of complaint.
  var isRefusal: Bool { code == 2 && isOneLineOfComplaint }
}

// So that no other file has to import it.
typealias ScratchFolder = TestSupport.ScratchFolder
