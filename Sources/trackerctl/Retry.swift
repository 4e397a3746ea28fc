import CaptureStore
import CommandLineSupport
import LinuxHost
import Wording

/// Puts back captures that were set aside: through a running tracker, or in the store of one that
/// is not running.
struct Retry {
  private var selection = CaptureSelection.all
  private var what: String?
  private var store: String?
  private var socket: String?

  /// - Throws: an error of one line for the first mistake.
  init(_ words: [String]) throws {
    var reader = ArgumentReader(words)
    while let word = reader.next() {
      switch word {
      case "--help", "-h": throw HelpRequested()
      case "--store": store = try reader.value(UsagePhrase.store.texts)
      case "--socket": socket = try reader.value(UsagePhrase.socket.texts)
      case "--config":
        let path = try reader.value(UsagePhrase.configuration.texts)
        socket = try TrackerPlace(ConsoleOptions(["--config", path])).socket
      case _ where word.hasPrefix("-"):
        throw UsageError(UsagePhrase.unknownOption.texts(word, "trackerctl"))
      default:
        guard what == nil, let selection = CaptureSelection(word) else {
          throw UsageError("'\(word)'".texts.colon(CaptureSelection.wanted))
        }
        self.selection = selection
        what = word
      }
    }
    guard store == nil || socket == nil else {
      throw UsageError(
        "--store is for a tracker that is not running, --socket for one that is; give one")
    }
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    let count = try put()
    if count == 0, case .one = selection {
      throw UsageError(CommandPhrase.notAside.texts(what ?? ""))
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
      "retry \(what ?? "all")", at: socket ?? ConsoleOptions.defaultSocket)
    guard let count = Int(answer.filter { !$0.isNewline }) else {
      throw UsageError(CommandPhrase.notANumber.texts(answer))
    }
    return count
  }
}
