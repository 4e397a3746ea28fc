import CaptureStore
import TrackerCore

/// Saves orders before they are answered, and retries if saving fails.
struct OrderProcessor {
  /// Questions whose commands are queued for the tracker, oldest first.
  private var waiting: [ControlSocket.Question] = []
  /// The question whose command the tracker is handling.
  private var current: ControlSocket.Question?
  /// Other orders that the last command ended.
  private var ended: [OrderKey] = []
  private(set) var unkept: Memory?
  private var problem: StoreError?
  /// Whether saving what the last command changed has failed.
  private var isCurrentUnkept = false
  private(set) var retryAt: Instant?

  mutating func wait(_ question: ControlSocket.Question) { waiting.append(question) }

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
    guard let question = current else { return nil }
    current = nil
    if let problem, isCurrentUnkept {
      return (question, "error done, but a restart would forget it: \(problem)\n")
    }
    let news = ended.map { "the order about the \($0) no longer applies\n" }
    return (question, "ok\n" + news.joined())
  }
}
