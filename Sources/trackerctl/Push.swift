import CaptureStore
import CommandLineSupport
import Glibc
import LinuxHost
import TrackerCore

/// Sends what waits in a store to a server.
struct Push {
  private let path: String
  private let server: ServerConnection

  /// - Throws: what on the command line can never work, before anything is opened.
  init(_ options: Options) throws {
    server = try ServerConnection(options)
    path = try options.storePath()
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    let (store, isAll) = try StoreToChange.open(path)
    Program.complainOfDamage(store)
    guard let report = try server.deliver(store) else { return 2 }
    let there = report.found > 0 ? " (\(report.found) already there)" : ""
    try Program.say(
      "pushed \(report.pushed)\(there), \(report.left) left, \(report.setAside) set aside\n")
    // Those of earlier deliveries count too: a card with one of them is not done with.
    let refused = store.tally.setAside
    if refused > 0 {
      Program.complain(
        "\(path): \(counted(refused, "capture")) set aside, refused by the server; see trackerctl "
          + "captures, and put them back with trackerctl retry all --store \(path)")
    }
    return report.left == 0 && refused == 0 && store.damagedRows == 0 && isAll ? 0 : 1
  }
}

/// A store that a command changes while no tracker uses it.
enum StoreToChange {
  /// - Returns: the store, and whether it is all: where there is no room to salvage it, the second
  ///   one can be used all the same.
  /// - Throws: it is not there, is none, or a tracker uses it.
  static func open(_ path: String) throws -> (store: CaptureStore, isAll: Bool) {
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
    let store: CaptureStore
    do throws(StoreError) {
      store = try CaptureStore.open(.file(path), mayStandIn: false, at: BootClock.date)
    } catch {
      let second = CaptureStore.second(of: path)
      guard error.kind == .diskFull, access(second, F_OK) == 0 else { throw error }
      Program.complain("\(error); the second store, \(second), is sent")
      return (try CaptureStore.open(.file(second), mayStandIn: false, at: BootClock.date), false)
    }
    if case .salvaged(let salvage) = store.opening { Program.complain("\(salvage)") }
    if let damage = store.secondDamage { Program.complain("\(damage)") }
    if let leftover = store.leftover { Program.complain("\(leftover)") }
    return (store, store.leftover == nil)
  }
}
