import CaptureStore
import CommandLineWords
import Glibc
import TrackerCore

/// Sends what waits in a store to a server.
struct Push {
  private let path: String
  private let server: ServerLine

  /// - Throws: what on the command line can never work, before anything is opened.
  init(_ options: Options) throws {
    server = try ServerLine(options)
    path = try options.storePath()
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    guard let report = try server.deliver(try StoreToChange.open(path)) else { return 2 }
    try Program.say(
      "pushed \(report.pushed), \(report.left) left, \(report.setAside) set aside\n")
    return report.left == 0 && report.setAside == 0 ? 0 : 1
  }
}

/// A store that a command changes while no tracker uses it.
enum StoreToChange {
  /// - Throws: it is not there, is none, or a tracker uses it.
  static func open(_ path: String) throws -> CaptureStore {
    // Opening makes a store that is not there; an empty one is not what was meant.
    guard access(path, F_OK) == 0 else {
      throw UsageError("\(path): there is no store; check the path")
    }
    do throws(StoreError) {
      _ = try CaptureStore.openForReading(path)
    } catch {
      // Opening would make a store of an empty file too. What is damaged it can salvage.
      if error.kind == .notAStore { throw error }
    }
    let store = try CaptureStore.open(.file(path), at: .now)
    if case .salvaged(let salvage) = store.opening { Program.complain("\(salvage)") }
    return store
  }
}
