import Testing

@testable import TrackerCore

/// A call for help stands, and each request takes about as long as the time between two questions
/// for its answer, or longer.
@Suite struct SlowQuestionTests {
  /// - Parameter captures: whether one is taken during each question for the answer.
  private func requests(
    queue: QueueCounts, taking time: Milliseconds, captures: Bool = false
  ) -> [String] {
    var uploader = Uploader(pending: 0, seed: 7)
    (uploader.isUrgent, uploader.answerWish) = (true, .soon)
    var now = Instant.start + .minutes(1)
    uploader.take(queue, at: now)
    uploader.beginContact(interval: .minutes(10), isInReserve: false, at: now)
    var names: [String] = []
    while names.count < 6, let request = uploader.nextRequest(at: now) {
      now = now + time
      switch request {
      case .upload(let id, _):
        names.append("upload")
        _ = uploader.finished(
          id, .answered(acknowledged: 1, refused: 0, firstRefused: .none, code: 0), queue: queue,
          at: now)
      case .fetch(let id):
        names.append("fetch")
        _ = uploader.fetched(id, .answered(nil), at: now)
        if captures {
          uploader.take(QueueCounts(pending: queue.pending + 1, held: queue.held), at: now)
          uploader.hasUrgent = true
        }
      case .reconcile(let id):
        names.append("ask")
        _ = uploader.reconciled(id, .settled(confirmed: 1), queue: queue, at: now)
      }
    }
    return names
  }

  @Test func `What may have been delivered is asked about between the questions for an answer`() {
    let held = QueueCounts(pending: 8, held: 8)
    #expect(
      requests(queue: held, taking: .seconds(16)).prefix(4)
        == ["fetch", "ask", "fetch", "ask"])
    #expect(
      requests(queue: held, taking: .seconds(6)).prefix(5)
        == ["fetch", "ask", "ask", "fetch", "ask"])
  }

  @Test func `What may have been delivered is asked about although captures go first`() {
    let held = QueueCounts(pending: 3, held: 3)
    #expect(
      requests(queue: held, taking: .seconds(21), captures: true)
        == ["fetch", "upload", "ask", "fetch", "upload", "ask"])
  }
}
