import CaptureStore
import FieldConsole
import TrackerCore
import Wording

/// Saves orders before they are answered, and retries if saving fails.
struct OrderProcessor {
  /// Questions whose commands are queued for the tracker, oldest first.
  private var waiting: [Asked] = []
  /// The question whose command the tracker is handling.
  private var current: Asked?
  /// Other orders that the last command ended.
  private var ended: [OrderKey] = []
  private(set) var unkept: Memory?
  private var problem: StoreError?
  /// Whether saving what the last command changed has failed.
  private var isCurrentUnkept = false
  private(set) var retryAt: Instant?

  private struct Asked {
    var question: ControlSocket.Question
    /// The answer's lines after `ok`.
    var lines: String
  }

  /// - Parameter lines: what the answer says if all is well.
  mutating func wait(_ question: ControlSocket.Question, saying lines: String = "") {
    waiting.append(Asked(question: question, lines: lines))
  }

  /// An event goes to the tracker.
  mutating func arrived(_ event: Event) {
    ended = []
    isCurrentUnkept = false
    guard case .commandGiven(_, from: .socket) = event, !waiting.isEmpty else { return }
    current = waiting.removeFirst()
  }

  mutating func heard(_ note: Note) {
    if case .orderEnded(let key) = note { ended.append(key) }
  }

  mutating func kept() {
    unkept = nil
    problem = nil
    retryAt = nil
  }

  /// - Returns: whether the error is a new one.
  mutating func failed(_ memory: Memory, _ error: StoreError, at now: Instant) -> Bool {
    let isNew = problem != error
    unkept = memory
    problem = error
    isCurrentUnkept = true
    retryAt = now + Bounds.storeRetry
    return isNew
  }

  /// The question to answer, now that the tracker has handled its command, and the answer.
  mutating func takeAnswer() -> (ControlSocket.Question, String)? {
    guard let current else { return nil }
    let question = current.question
    self.current = nil
    if let problem, isCurrentUnkept {
      return (question, ConsoleProblem(ProblemPhrase.doneNotKept.texts(problem)).lines)
    }
    let news = ended.map { "the order about the \($0) no longer applies\n" }
    return (question, "ok\n" + current.lines + news.joined())
  }
}
