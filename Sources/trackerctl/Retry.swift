import CaptureStore
import CommandLineSupport
import LinuxHost
import Wording

/// Puts back captures that were set aside: through a running tracker, or in the store of one that
/// is not running.
struct Retry {
  private let selection: CaptureSelection
  private let what: String
  private let store: String?
  private let socket: String

  /// - Throws: an error of one line for the first mistake.
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
    return try say("\(count) put back\n")
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
