import Testing

@testable import TrackerCore

/// Captures that a server may still act on, although their upload failed.
@Suite struct UploadHoldTests {
  private func held(
    _ pending: UInt32, _ held: UInt32, for time: Milliseconds = .minutes(10)
  ) -> QueueCounts {
    QueueCounts(pending: pending, held: held, heldFor: time)
  }

  @Test func `What is held is left alone, the others go on, and it is asked about in its time`() {
    var tape = UploaderTape(Self.self, pending: 250)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    // No question at once: "not there" would prove nothing.
    tape.at(60, .ended(1, .ambiguous, held(250, 100)))
    #expect(tape.wait?.reason == .backingOff(status: 0))
    #expect(tape.resume() == [.upload(2, .oldest(50))])
    tape.at(90, .ended(2, .took(50), held(200, 100, for: .seconds(570))), .upload(3, .oldest(100)))
    // Only what is held is left: the contact is over.
    tape.at(95, .ended(3, .took(100), held(100, 100, for: .seconds(565))))
    #expect(!tape.uploader.isInContact)
    #expect(tape.uploader.deadline == .at(660_000))
    tape.at(600, .begin)
    tape.at(660, .begin, .reconcile(4))
    tape.at(661, .asked(4, .settled(confirmed: 100), held(0, 0)))
    #expect(!tape.uploader.isInContact && tape.uploader.pending == 0)
  }

  @Test func `The freshest go before the question, and the question before the oldest`() {
    var tape = UploaderTape(Self.self, pending: 3)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(60, .ended(1, .busy(status: 500, retryAfter: nil), held(3, 3)))
    #expect(!tape.uploader.isInContact && tape.uploader.lastFailure == .backingOff(status: 500))
    tape.at(700, .queue(held(5, 3, for: 0)))
    tape.at(700, .begin, .upload(2, .freshest(50)))
    tape.at(702, .ended(2, .took(2), held(3, 3, for: 0)), .reconcile(3))
    // Two of them are there; the third may be sent now.
    tape.at(703, .asked(3, .settled(confirmed: 2), held(1, 0)), .upload(4, .oldest(100)))
    tape.at(704, .ended(4, .took(1), held(0, 0)))
    #expect(!tape.uploader.isInContact)
  }

  @Test func `A question without an answer does not keep the others from being sent`() {
    var tape = UploaderTape(Self.self, pending: 400)
    tape.at(0, .queue(held(400, 100, for: 0)))
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(1, .ended(1, .took(100), held(300, 100, for: 0)), .reconcile(2))
    tape.at(2, .asked(2, .failed(status: 500), held(300, 100, for: 0)))
    #expect(tape.resume() == [.upload(3, .oldest(100))])
    tape.at(30, .ended(3, .took(100), held(200, 100, for: 0)), .upload(4, .oldest(100)))
    // With nothing else left it asks again.
    tape.at(31, .ended(4, .took(100), held(100, 100, for: 0)), .reconcile(5))
    tape.at(32, .asked(5, .settled(confirmed: 0), held(100, 0)), .upload(6, .oldest(100)))
  }

  @Test func `An upload that the host says nothing about is asked about by the host's rules`() {
    var tape = UploaderTape(Self.self, pending: 2)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(120, .deadline, .reconcile(2))
    // The host did not ask the server: it holds them.
    tape.at(120, .asked(2, .settled(confirmed: 0), held(2, 2)))
    #expect(!tape.uploader.isInContact && tape.uploader.deadline == .at(720_000))
  }

  @Test func `What is captured while others are held is sent with the next contact`() {
    var tape = UploaderTape(Self.self, pending: 1)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(10, .ended(1, .ambiguous, held(1, 1, for: .minutes(30))))
    #expect(tape.uploader.deadline == .at(1_810_000), again(Self.self))
    tape.at(500, .queue(held(2, 1, for: .minutes(20))))
    #expect(tape.uploader.deadline == .at(600_000), again(Self.self))
    tape.at(600, .begin, .upload(2, .freshest(50)))
  }

  @Test func `A contact that has only held captures left keeps its failure`() {
    var tape = UploaderTape(Self.self, pending: 2)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(1, .ended(1, .unreachable, held(2, 0)))
    tape.at(2, .queue(held(2, 2)))
    #expect(tape.resume().isEmpty && !tape.uploader.isInContact, again(Self.self))
    #expect(tape.uploader.lastFailure == .backingOff(status: 0), again(Self.self))
  }

  @Test func `An order to send now does not shorten what is held`() {
    var tape = UploaderTape(Self.self, pending: 1)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(10, .ended(1, .ambiguous, held(1, 1)))
    tape.at(20, .sendNow)
    tape.at(20, .begin)
    #expect(!tape.uploader.isInContact && tape.uploader.deadline == .at(610_000))
  }
}
