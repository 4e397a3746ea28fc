import Testing

@testable import TrackerCore

/// What is sent, and how much of it at once.
@Suite struct UploadOrderTests {
  @Test func `The freshest go first, then the rest from the oldest on, until nothing is left`() {
    var tape = UploaderTape(Self.self, pending: 250)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(2, .uploaded(1, .took(100), pending: 150), .upload(2, .oldest(100)))
    tape.at(4, .uploaded(2, .took(100), pending: 50), .upload(3, .oldest(100)))
    tape.at(6, .uploaded(3, .took(50), pending: 0))
    #expect(!tape.uploader.isInContact && tape.uploader.lastFailure == nil, again(Self.self))
    #expect(tape.uploader.deadline == nil, again(Self.self))
    tape.at(7, .begin)
    tape.at(500, .stored(pending: 1))
    #expect(tape.uploader.deadline == .at(600_000), again(Self.self))
    tape.at(599, .begin)
    tape.at(600, .begin, .upload(4, .freshest(limit: 100)))
  }

  @Test func `A batch halves with each failure down to one, and doubles up to the bound`() {
    var tape = UploaderTape(Self.self, pending: 1000)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    var id: UInt32 = 1
    for limit: UInt32 in [50, 25, 12, 6, 3, 1, 1, 1] {
      _ = tape.play(.uploaded(id, .badGateway, pending: 1000), at: .at(1000))
      id += 1
      #expect(tape.resume() == [.upload(id, .oldest(limit))], again(Self.self))
    }
    for limit: UInt32 in [2, 4, 8, 16, 32, 64, 100, 100] {
      let effects = tape.play(.uploaded(id, .took(1), pending: 1000), at: .at(9_000_000))
      id += 1
      #expect(effects == [.upload(id, .oldest(limit))], again(Self.self))
    }
  }

  @Test func `A refusal of all halves what was really sent`() {
    var tape = UploaderTape(Self.self, pending: 10)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    let refusal = UploadOutcome.refused(code: 400, first: 1, count: 10)
    tape.at(1, .uploaded(1, refusal, pending: 10), .upload(2, .oldest(5)))
  }

  @Test func `What a server refuses among others that it takes is set aside at once`() {
    var tape = UploaderTape(Self.self, pending: 10)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    let partly = UploadOutcome.answered(acknowledged: 7, refused: 3, firstRefused: 2, code: 1016)
    tape.at(1, .uploaded(1, partly, pending: 3), .setAside(.refusedOfLastUpload))
    #expect(tape.uploader.pending == 0 && !tape.uploader.isInContact, again(Self.self))
  }

  @Test func `An answer about no capture at all accuses none`() {
    var tape = UploaderTape(Self.self, pending: 10)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    let nothing = UploadOutcome.answered(acknowledged: 0, refused: 0, firstRefused: 0, code: 5)
    tape.at(1, .uploaded(1, nothing, pending: 10))
    #expect(tape.wait?.reason == .serverRejected(code: 5), again(Self.self))
    #expect(tape.resume() == [.upload(2, .oldest(100))], again(Self.self))
    let whole = UploadOutcome.refused(code: 6, first: 0, count: 0)
    tape.at(100, .uploaded(2, whole, pending: 10))
    #expect(tape.wait?.reason == .serverRejected(code: 6), again(Self.self))
  }

  @Test func `An empty selection ends the contact`() {
    var tape = UploaderTape(Self.self, pending: 1)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(1, .uploaded(1, .empty, pending: 0))
    #expect(!tape.uploader.isInContact && tape.uploader.deadline == nil, again(Self.self))
  }

  @Test func `What is captured during a contact waits for the next, so that a contact ends`() {
    var tape = UploaderTape(Self.self, pending: 2)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(1, .stored(pending: 3))
    tape.at(2, .uploaded(1, .took(2), pending: 1))
    #expect(!tape.uploader.isInContact && tape.uploader.pending == 1, again(Self.self))
    #expect(tape.uploader.deadline == .at(600_000), again(Self.self))
  }

  @Test func `A contact of many batches does not take in what is captured meanwhile either`() {
    var tape = UploaderTape(Self.self, pending: 150)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(2, .uploaded(1, .took(100), pending: 50), .upload(2, .oldest(100)))
    tape.at(3, .stored(pending: 80))
    tape.at(4, .uploaded(2, .took(50), pending: 30))
    #expect(!tape.uploader.isInContact && tape.uploader.pending == 30, again(Self.self))
  }
}
