import CaptureStore
import TrackerCore

/// Between what people order and the disk: nobody is answered before the order is kept, and what
/// the disk does not take is tried again.
struct OrderProcessor {
  /// Questions whose commands are on their way to the tracker, oldest first.
  private var waiting: [ControlSocket.Question] = []
  /// The one whose command the tracker is carrying out.
  private var current: ControlSocket.Question?
  /// What ended with the last command, beside what was ordered.
  private var ended: [OrderKey] = []
  private(set) var unkept: Memory?
  private var problem: StoreError?
  /// The disk did not take what the last command changed.
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

  /// - Returns: whether this is news.
  mutating func failed(_ memory: Memory, _ error: StoreError, at now: Instant) -> Bool {
    let isNew = problem != error
    unkept = memory
    problem = error
    isCurrentUnkept = true
    retryAt = now + Bounds.storeRetry
    return isNew
  }

  /// Whom to answer, now that the tracker has done what it was told, and what.
  mutating func takeAnswer() -> (ControlSocket.Question, String)? {
    guard let question = current else { return nil }
    current = nil
    if let problem, isCurrentUnkept {
      return (question, "error done, but a restart would forget it: \(problem)\n")
    }
    let news = ended.map { "the order about the \($0) does not hold any more\n" }
    return (question, "ok\n" + news.joined())
  }
}
