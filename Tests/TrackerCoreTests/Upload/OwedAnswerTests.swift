import Testing

@testable import TrackerCore

/// Something that the server is owed: a history that people have asked for.
@Suite struct OwedAnswerTests {
  /// What the second contact requests, with more captures than one request takes.
  private func requests(owing: Bool) -> [String] {
    var uploader = Uploader(pending: 0, seed: 7)
    uploader.answerWish = .withContacts
    var names: [String] = []
    for contact in 0..<2 {
      let now = Instant.start + .minutes(Int64(contact) * 20)
      var pending: UInt32 = 150
      uploader.take(QueueCounts(pending: pending), at: now)
      uploader.beginContact(interval: .minutes(10), isInReserve: false, at: now)
      names = []
      while let request = uploader.nextRequest(at: now) {
        switch request {
        case .upload(let id, _):
          names.append("upload")
          let taken = min(pending, 100)
          pending -= taken
          _ = uploader.finished(
            id, .answered(acknowledged: taken, refused: 0, firstRefused: .none, code: 0),
            queue: QueueCounts(pending: pending), at: now)
        case .fetch(let id):
          names.append("fetch")
          _ = uploader.fetched(id, owing ? .owing(nil) : .answered(nil), at: now)
        case .reconcile: names.append("reconcile")
        }
      }
    }
    return names
  }

  @Test func `It goes when all captures of the contact have gone`() {
    #expect(requests(owing: true) == ["upload", "upload", "fetch"])
    #expect(requests(owing: false) == ["upload", "fetch", "upload"])
  }

  @Test func `It is owed until an answer says that it is not`() {
    var uploader = Uploader(pending: 0, seed: 7)
    uploader.answerWish = .withContacts
    for (outcome, owes) in [
      (FetchOutcome.owing(nil), true), (.failed(status: 0), true), (.answered(nil), false),
      (.owing(nil), true), (.unsupported, false),
    ] {
      uploader.take(QueueCounts(pending: 1), at: .start)
      uploader.sendNow(at: .start)
      uploader.beginContact(interval: .minutes(10), isInReserve: false, at: .start)
      while let request = uploader.nextRequest(at: .start) {
        switch request {
        case .upload(let id, _):
          _ = uploader.finished(
            id, .answered(acknowledged: 1, refused: 0, firstRefused: .none, code: 0),
            queue: QueueCounts(pending: 0), at: .start)
        case .fetch(let id): _ = uploader.fetched(id, outcome, at: .start)
        case .reconcile: break
        }
      }
      #expect(uploader.owes == owes, "\(outcome)")
    }
  }
}
