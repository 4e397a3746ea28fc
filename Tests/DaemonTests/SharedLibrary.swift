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
    guard let compiler else { throw Problem("there is no C compiler") }
    try Data(source.utf8).write(to: URL(fileURLWithPath: run.path("\(name).c")))
    let library = run.path("\(name).so")
    let made = try ProgramResult(
      executable: compiler, ["-shared", "-fPIC", "-o", library, run.path("\(name).c"), "-ldl"])
    guard made.code == 0 else { throw Problem(made.errors) }
    return library
  }
}
