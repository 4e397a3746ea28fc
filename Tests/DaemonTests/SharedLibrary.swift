import Foundation
import TestSupport

/// A library that a test puts between a program and the C library.
enum SharedLibrary {
  private static let compiler = Tool.url("cc") ?? Tool.url("clang")
  static var isPossible: Bool { compiler != nil }

  /// Compiles it in a run's folder.
  ///
  /// - Returns: its path, for LD_PRELOAD.
  static func make(_ source: String, _ name: String, in run: DaemonRun) throws -> String {
    try make(source, at: run.path(name))
  }

  /// - Parameter path: without an ending.
  static func make(_ source: String, at path: String) throws -> String {
    guard let compiler else { throw Problem("there is no C compiler") }
    try Data(source.utf8).write(to: URL(fileURLWithPath: "\(path).c"))
    let library = "\(path).so"
    let made = try ProgramResult(
      executable: compiler, ["-shared", "-fPIC", "-o", library, "\(path).c", "-ldl"])
    guard made.code == 0 else { throw Problem(made.errors) }
    return library
  }
}
