import BoardSupport
import CaptureStore
import CommandLineSupport
import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// Sends a store's waiting captures to a server.
struct Push {
  private let path: String
  private let server: ServerConnection

  /// - Throws: if the command line is wrong, before anything is opened.
  init(_ arguments: Arguments) throws {
    server = try ServerConnection(arguments)
    if let store = arguments.text(.stoppedStore) {
      path = store
    } else {
      let config = arguments.text(.serverConfiguration) ?? ""
      path = try DaemonSettings(FileNode.load(path: config)).store.path()
    }
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    let (store, isAll) = try StoreToChange.open(path)
    Program.complainOfDamage(store)
    guard let report = try server.deliver(store) else { return 2 }
    let counts = ["\(report.pushed)", "\(report.left)", "\(report.setAside)"]
    let language = Language.chosen(nil)
    let line =
      report.found > 0
      ? DeliveryPhrase.pushedSome.text(in: language, filling: counts + ["\(report.found)"])
      : DeliveryPhrase.pushed.text(in: language, filling: counts)
    try printOut(line + "\n")
    // Includes those of earlier deliveries: they are still undelivered.
    let refused = store.tally.setAside
    if refused > 0 {
      Program.complain(DeliveryPhrase.refused.text(in: language, count: Int64(refused), path))
    }
    return report.left == 0 && refused == 0 && store.damagedRows == 0 && isAll ? 0 : 1
  }
}

/// Opens a store for changes while no tracker uses it.
enum StoreToChange {
  /// - Returns: the store, and whether it has all captures. If there is no room to salvage a
  ///   damaged store, it is the second store.
  /// - Throws: if it does not exist, is not a store, or a tracker uses it.
  static func open(_ path: String) throws -> (store: CaptureStore, isAll: Bool) {
    // Opening would create a missing store.
    guard may(.exist, path) else {
      throw UsageError(CommandPhrase.noSuchStore.texts(path))
    }
    do throws(StoreError) {
      _ = try CaptureStore.openForReading(path)
    } catch {
      // Opening would turn an empty file into a store, too. A damaged store is salvaged below.
      if error.kind == .notAStore { throw error }
    }
    let store: CaptureStore
    do throws(StoreError) {
      store = try CaptureStore.open(.file(path), mayStandIn: false, at: BootClock.date)
    } catch {
      let second = CaptureStore.second(of: path)
      guard error.kind == .diskFull, may(.exist, second) else { throw error }
      Program.complain(DeliveryPhrase.usesSecond.texts(error, second))
      return (try CaptureStore.open(.file(second), mayStandIn: false, at: BootClock.date), false)
    }
    if case .salvaged(let salvage) = store.opening { Program.complain("\(salvage)") }
    if let damage = store.secondDamage { Program.complain("\(damage)") }
    if let leftover = store.leftover { Program.complain("\(leftover)") }
    return (store, store.leftover == nil)
  }
}

/// Puts back captures that were set aside: through a running tracker, or in the store of one that
/// is not running.
struct Retry {
  private let selection: CaptureSelection
  private let what: String
  private let store: String?
  private let socket: String

  /// - Throws: a one-line error for the first mistake.
  init(_ arguments: Arguments) throws {
    what = arguments.operands.first ?? "all"
    guard let selection = CaptureSelection(what) else {
      throw UsageError("'\(what)'".texts.colon(CaptureSelection.wanted))
    }
    self.selection = selection
    store = arguments.text(.stoppedStore)
    socket =
      arguments.has(.configuration)
      ? try TrackerPlace(ConsoleOptions(arguments)).socket
      : arguments.text(.socket) ?? ConsoleOptions.defaultSocket
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    let count = try put()
    if count == 0, case .one = selection {
      throw UsageError(CommandPhrase.notAside.texts(what))
    }
    return try say(DeliveryPhrase.putBack.text(in: .chosen(nil), "\(count)") + "\n")
  }

  private func put() throws -> Int {
    if let store {
      do {
        return try StoreToChange.open(store).store.requeue(selection, at: BootClock.date)
      } catch let error as StoreError where error.kind == .inUse {
        throw UsageError(CommandPhrase.orAskTracker.texts(error))
      }
    }
    let answer = try ControlAnswer.of(
      "retry \(what)", at: socket)
    guard let count = Int(answer.filter { !$0.isNewline }) else {
      throw UsageError(CommandPhrase.notANumber.texts(answer))
    }
    return count
  }
}
