import Testing

@testable import TrackerCore

/// No answer, late answers, waits and failed contacts.
@Suite struct UploadTroubleTests {
  @Test func `An upload without an answer is reconciled before anything is sent again`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(30, .uploaded(1, .ambiguous, pending: 40), .reconcile(2))
    tape.at(31, .reconciled(2, .failed(status: 500), pending: 40))
    #expect(tape.wait?.reason == .backingOff(status: 500), again(Self.self))
    #expect(tape.resume() == [.reconcile(3)], again(Self.self))
    tape.at(60, .reconciled(3, .settled(confirmed: 40), pending: 0))
    #expect(!tape.uploader.isInContact, again(Self.self))
  }

  @Test func `What is owed a reconciliation is still owed it in the next contact`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(30, .uploaded(1, .ambiguous, pending: 40), .reconcile(2))
    tape.at(31, .contactFails(.searching))
    tape.at(600, .begin, .reconcile(3))
    tape.at(720, .deadline)
    #expect(tape.wait?.reason == .backingOff(status: 0), again(Self.self))
    #expect(tape.resume() == [.reconcile(4)], again(Self.self))
    let settled = UploaderTape.Event.reconciled(4, .settled(confirmed: 30), pending: 10)
    tape.at(800, settled, .upload(5, .freshest(limit: 50)))
  }

  @Test func `A network that goes during an upload leaves its fate open`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(30, .contactFails(.searching))
    #expect(tape.uploader.lastFailure == .searching, again(Self.self))
    tape.at(600, .begin, .reconcile(2))
  }

  @Test func `A server that knows nothing of an upload is given time before the next try`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(30, .uploaded(1, .ambiguous, pending: 40), .reconcile(2))
    tape.at(31, .reconciled(2, .settled(confirmed: 0), pending: 40))
    #expect(tape.wait?.reason == .backingOff(status: 0), again(Self.self))
    #expect(tape.resume() == [.upload(3, .oldest(50))], again(Self.self))
  }

  @Test func `A call for help goes before the witness that a refusal has asked for`() {
    let refusal = UploadOutcome.answered(acknowledged: 0, refused: 100, firstRefused: 0, code: 400)
    for isCalling in [false, true] {
      var tape = UploaderTape(Self.self, pending: 400)
      tape.at(0, .begin, .upload(1, .freshest(100)))
      (tape.uploader.isUrgent, tape.uploader.hasUrgent) = (isCalling, isCalling)
      let next = isCalling ? Selection.freshest(8) : .oldest(1)
      tape.at(5, .uploaded(1, refusal, pending: 401), .upload(2, next))
    }
  }

  /// It was mute for so long that a wait of half an hour would follow.
  @Test func `A server that answers the question again is used at once`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(30, .uploaded(1, .ambiguous, pending: 40), .reconcile(2))
    tape.at(60, .reconciled(2, .failed(status: 0), pending: 40))
    for id in 3...9 as ClosedRange<UInt32> {
      #expect(tape.resume() == [.reconcile(id)], again(Self.self))
      tape.at(100 * Int64(id), .reconciled(id, .failed(status: 0), pending: 40))
    }
    #expect(tape.resume() == [.reconcile(10)], again(Self.self))
    tape.at(9000, .reconciled(10, .settled(confirmed: 0), pending: 40), .upload(11, .oldest(50)))
    // One that takes questions, but no captures, is not asked again and again.
    tape.at(9030, .uploaded(11, .ambiguous, pending: 40), .reconcile(12))
    tape.at(9031, .reconciled(12, .settled(confirmed: 0), pending: 40))
    #expect(tape.wait.map { $0.until >= .at(10_300_000) } == true, again(Self.self))
  }

  @Test func `A host that never reports is not waited for beyond two minutes`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(119, .deadline)
    #expect(tape.uploader.deadline == .at(120_000), again(Self.self))
    tape.at(120, .deadline, .reconcile(2))
    tape.at(121, .uploaded(1, .took(40), pending: 0))
    #expect(tape.uploader.pending == 40, "the late report of request 1 is stale")
  }

  @Test func `Answers to other requests than the one in flight are ignored`() {
    var tape = UploaderTape(Self.self, pending: 40)
    tape.at(0, .uploaded(0, .took(40), pending: 0))
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    let sending = tape.uploader
    for stale: UInt32 in [0, 2, .max] {
      tape.at(1, .uploaded(stale, .took(40), pending: 0))
      tape.at(1, .uploaded(stale, .ambiguous, pending: 0))
    }
    tape.at(1, .reconciled(1, .settled(confirmed: 40), pending: 0))
    #expect(tape.uploader == sending, again(Self.self))

    tape.at(2, .uploaded(1, .ambiguous, pending: 40), .reconcile(2))
    let reconciling = tape.uploader
    tape.at(3, .uploaded(1, .took(40), pending: 0))
    tape.at(3, .uploaded(2, .took(40), pending: 0))
    tape.at(3, .reconciled(1, .settled(confirmed: 40), pending: 0))
    tape.at(3, .reconciled(3, .failed(status: 1), pending: 0))
    #expect(tape.uploader == reconciling, again(Self.self))

    tape.at(4, .reconciled(2, .settled(confirmed: 40), pending: 0))
    let idle = tape.uploader
    tape.at(5, .reconciled(2, .failed(status: 500), pending: 9))
    tape.at(5, .uploaded(2, .unauthorised, pending: 9))
    #expect(tape.uploader == idle, again(Self.self))
  }

  @Test(arguments: [
    (UploadOutcome.busy(status: 503, retryAfter: nil), Reason.backingOff(status: 503), UInt32(50)),
    (.busy(status: 429, retryAfter: 1000), .backingOff(status: 429), 50),
    (.unreachable, .backingOff(status: 0), 100), (.unauthorised, .unauthorised, 100),
  ])
  func `A failure is waited out and named, and costs batch size only where size may matter`(
    _ outcome: UploadOutcome, _ reason: Reason, _ limit: UInt32
  ) {
    var tape = UploaderTape(Self.self, pending: 200)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(1, .uploaded(1, outcome, pending: 200))
    #expect(tape.wait?.reason == reason, again(Self.self))
    #expect(tape.uploader.lastFailure == reason, again(Self.self))
    #expect(tape.resume() == [.upload(2, .oldest(limit))], again(Self.self))
  }

  @Test func `The radio is of use for waits up to a minute, and off to the end of longer ones`() {
    for (seconds, isOn) in [(60, true), (61, false)] as [(Int64, Bool)] {
      var tape = UploaderTape(Self.self, pending: 1)
      tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
      tape.at(0, .uploaded(1, .busy(status: 503, retryAfter: .seconds(seconds)), pending: 1))
      #expect(tape.uploader.wantsModem == isOn, again(Self.self, "\(seconds) s"))
      tape.at(seconds - 1, .deadline)
      #expect(tape.uploader.wantsModem == isOn, again(Self.self, "\(seconds) s"))
      _ = tape.play(.deadline, at: .start + .seconds(seconds))
      #expect(tape.uploader.wantsModem, again(Self.self, "\(seconds) s"))
    }
  }

  @Test func `A contact that is needed now is not followed by another one`() {
    var tape = UploaderTape(Self.self, pending: 1)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.uploader.beginNow(at: .at(1000))
    #expect(tape.uploader.due == .at(600_000), "it is being made")
    tape.at(1, .uploaded(1, .busy(status: 503, retryAfter: .seconds(61)), pending: 1))
    tape.uploader.beginNow(at: .at(2000))
    #expect(tape.uploader.step == .connecting && tape.uploader.due == .at(600_000))
    tape.at(2, .sendNow, .upload(2, .oldest(50)))
    tape.at(3, .uploaded(2, .took(1), pending: 0))
    tape.uploader.beginNow(at: .at(1500))
    #expect(tape.uploader.due == .at(1500), again(Self.self))
  }

  @Test func `An order to send cuts a wait short and brings the next contact forward`() {
    var tape = UploaderTape(Self.self, pending: 5)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(1, .uploaded(1, .unreachable, pending: 5))
    tape.at(2, .sendNow, .upload(2, .oldest(100)))
    tape.at(3, .sendNow)
    tape.at(4, .uploaded(2, .took(5), pending: 0))
    tape.at(5, .stored(pending: 1))
    tape.at(6, .sendNow)
    tape.at(6, .begin, .upload(3, .freshest(limit: 100)))
  }

  @Test func `After failed contacts the next is tried within an interval, never in step`() {
    var tape = UploaderTape(Self.self, pending: 5)
    var beganAt: Int64 = 0
    func fail(_ expected: ClosedRange<Int64>) -> Int64 {
      _ = tape.play(.begin, at: .at(beganAt))
      _ = tape.play(.contactFails(.noBearer), at: .at(beganAt + 5000))
      let wait = tape.uploader.due.milliseconds - beganAt - 5000
      #expect(expected.contains(wait), again(Self.self, "\(wait) ms"))
      beganAt = tape.uploader.due.milliseconds
      return wait
    }
    _ = fail(150_000...300_000)
    _ = fail(300_000...450_000)
    #expect(Set((0..<20).map { _ in fail(450_000...600_000) }).count > 8, again(Self.self))
    #expect(tape.play(.begin, at: .at(beganAt)) == [.reconcile(23)], again(Self.self))
    _ = tape.play(.reconciled(23, .settled(confirmed: 5), pending: 0), at: .at(beganAt + 9000))
    #expect(tape.uploader.due == .at(beganAt + 600_000), "after a good one at the interval")
    beganAt = tape.uploader.due.milliseconds
    _ = tape.play(.stored(pending: 1), at: .at(beganAt - 1))
    _ = fail(150_000...300_000)
  }

  @Test func `A failed contact does not put the next one off beyond its own time`() {
    var tape = UploaderTape(Self.self, pending: 5)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(500, .contactFails(.searching))
    #expect(tape.uploader.due == .at(600_000), again(Self.self))
  }

  @Test func `A contact that fails after its interval is not tried again at once`() {
    var tape = UploaderTape(Self.self, pending: 5)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(900, .contactFails(.searching))
    #expect(tape.uploader.due == .at(960_000), again(Self.self))
  }

  @Test func `A contact whose captures are gone when its wait is over ends as a good one`() {
    var tape = UploaderTape(Self.self, pending: 2)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(1, .uploaded(1, .unreachable, pending: 2))
    tape.at(2, .stored(pending: 0))
    #expect(tape.resume().isEmpty && !tape.uploader.isInContact, again(Self.self))
    #expect(tape.uploader.lastFailure == nil, again(Self.self))
  }

  @Test func `A contact that lasts longer than its interval is not begun again`() {
    var tape = UploaderTape(Self.self, pending: 200)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(599, .uploaded(1, .took(100), pending: 100), .upload(2, .oldest(100)))
    tape.at(600, .begin)
    tape.at(601, .uploaded(2, .took(100), pending: 0))
    #expect(tape.uploader.due == .at(600_000), again(Self.self))
  }

  @Test func `A failure without a contact, and a contact without captures, are nothing`() {
    var tape = UploaderTape(Self.self, pending: 0)
    let before = tape.uploader
    tape.at(0, .contactFails(.searching))
    tape.at(0, .begin)
    tape.at(0, .deadline)
    #expect(tape.uploader == before, again(Self.self))
  }
}

/// Requests that the way to the server does not take.
@Suite struct UploadSizeTests {
  @Test func `What the way to the server does not take is halved until it does, and backs off`() {
    var tape = UploaderTape(Self.self, pending: 7)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    var limit: UInt32 = 100
    for request in UInt32(1)...8 {
      _ = tape.play(.uploaded(request, .stalled, pending: 7), at: .at(Int64(request) * 5_000_000))
      #expect(tape.wait?.reason == .backingOff(status: 0), again(Self.self))
      limit = max(1, limit / 2)
      #expect(tape.resume() == [.upload(request + 1, .oldest(limit))], again(Self.self))
    }
    // It grows again with what passes.
    tape.at(50_000, .uploaded(9, .took(1), pending: 6), .upload(10, .oldest(2)))
  }
}
