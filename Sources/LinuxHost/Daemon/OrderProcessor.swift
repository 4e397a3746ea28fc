import CaptureStore
import FieldConsole
import TrackerCore

/// Answers a question at the socket when its order is durable: which question the tracker is
/// handling, what came of it, and whether its memory could be saved.
///
/// It saves nothing itself. The world does, when the tracker says that its memory has changed, and
/// reports `kept` or `failed`; after a failure this asks for another attempt (`memoryUnsaved`).
final class OrderProcessor: PollSource {
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
  func wait(_ question: ControlSocket.Question, saying lines: String = "") {
    waiting.append(Asked(question: question, lines: lines))
  }

  /// Something goes to the tracker.
  func arrived(_ arrival: Arrival) {
    ended = []
    isCurrentUnkept = false
    guard case .event(.commandGiven(_, from: .socket)) = arrival, !waiting.isEmpty else { return }
    current = waiting.removeFirst()
  }

  func heard(_ note: Note) {
    if case .orderEnded(let key) = note { ended.append(key) }
  }

  func kept() {
    unkept = nil
    problem = nil
    retryAt = nil
  }

  /// - Returns: whether the error is a new one.
  func failed(_ memory: Memory, _ error: StoreError, at now: Instant) -> Bool {
    let isNew = problem != error
    unkept = memory
    problem = error
    isCurrentUnkept = true
    retryAt = now + Bounds.storeRetry
    return isNew
  }

  func tend(_ pass: inout Pass) {
    if let unkept, let retryAt, pass.now >= retryAt { pass.news.append(.memoryUnsaved(unkept)) }
  }

  func register(in wait: inout LoopWait, at now: Instant) { wait.wake(at: retryAt) }

  /// The question to answer, now that the tracker has handled its command, and the answer.
  func takeAnswer() -> (ControlSocket.Question, String)? {
    guard let current else { return nil }
    let question = current.question
    self.current = nil
    if let problem, isCurrentUnkept {
      return (question, ConsoleError(ProblemPhrase.doneNotKept.texts(problem)).lines)
    }
    let news = ended.map { "the order about the \($0) no longer applies\n" }
    return (question, "ok\n" + current.lines + news.joined())
  }
}
