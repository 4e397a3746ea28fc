import Testing

@testable import TrackerCore

/// A bad capture or a bad server: who is to blame for a refusal.
@Suite struct UploadTrialTests {
  /// The whole request is refused, and it held one capture.
  static func alone(_ key: CaptureKey) -> UploadOutcome {
    .refused(code: 9, first: key, count: 1)
  }

  /// The server judged each capture, and refused all of them.
  static func each(_ count: UInt32) -> UploadOutcome {
    .answered(acknowledged: 0, refused: count, firstRefused: 1, code: 1016)
  }

  @Test func `A bad capture is isolated by halving, and set aside after three refusals alone`() {
    var tape = UploaderTape(Self.self, pending: 4)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(
      1, .uploaded(1, .refused(code: 9, first: 1, count: 4), pending: 4), .upload(2, .oldest(2)))
    tape.at(
      2, .uploaded(2, .refused(code: 9, first: 1, count: 2), pending: 4), .upload(3, .oldest(1)))
    // Nothing was accepted yet: the newest is the witness.
    tape.at(3, .uploaded(3, Self.alone(1), pending: 4), .upload(4, .freshest(1)))
    tape.at(4, .uploaded(4, .took(1), pending: 3), .upload(5, .oldest(2)))
    tape.at(
      5, .uploaded(5, .refused(code: 9, first: 1, count: 2), pending: 3), .upload(6, .oldest(1)))
    tape.at(6, .uploaded(6, Self.alone(1), pending: 3), .upload(7, .oldest(1)))
    tape.at(7, .uploaded(7, Self.alone(1), pending: 3), .upload(8, .oldest(1)))
    tape.at(
      8, .uploaded(8, Self.alone(1), pending: 3), .setAside(.capture(1, code: 9)),
      .upload(9, .oldest(1)))
    #expect(tape.uploader.pending == 2, again(Self.self))
    tape.at(9, .stored(pending: 2))
    tape.at(10, .uploaded(9, .took(1), pending: 1), .upload(10, .oldest(2)))
    tape.at(11, .uploaded(10, .took(1), pending: 0))
    #expect(!tape.uploader.isInContact, again(Self.self))
  }

  @Test func `A server that refuses every second request costs no capture`() {
    var tape = UploaderTape(Self.self, pending: 3)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(
      1, .uploaded(1, .refused(code: 9, first: 1, count: 3), pending: 3), .upload(2, .oldest(1)))
    tape.at(2, .uploaded(2, .took(1), pending: 2), .upload(3, .oldest(2)))
    tape.at(
      3, .uploaded(3, .refused(code: 9, first: 2, count: 2), pending: 2), .upload(4, .oldest(1)))
    tape.at(4, .uploaded(4, .took(1), pending: 1), .upload(5, .oldest(2)))
    tape.at(5, .uploaded(5, Self.alone(3), pending: 1), .upload(6, .oldest(1)))
    tape.at(6, .uploaded(6, .took(1), pending: 0))
  }

  @Test func `A server that refuses everything sets nothing aside`() {
    var tape = UploaderTape(Self.self, pending: 2)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(
      1, .uploaded(1, .refused(code: 9, first: 1, count: 2), pending: 2), .upload(2, .oldest(1)))
    tape.at(2, .uploaded(2, Self.alone(1), pending: 2), .upload(3, .freshest(1)))
    tape.at(3, .uploaded(3, Self.alone(2), pending: 2))
    #expect(tape.wait?.reason == .serverRejected(code: 9), again(Self.self))
    #expect(tape.resume() == [.upload(4, .oldest(1))], again(Self.self))
  }

  @Test func `A server that accepted once and refuses from then on costs one capture at most`() {
    var tape = UploaderTape(Self.self, pending: 5)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(1, .uploaded(1, .took(1), pending: 4), .upload(2, .oldest(100)))
    tape.at(
      2, .uploaded(2, .refused(code: 9, first: 1, count: 4), pending: 4), .upload(3, .oldest(2)))
    tape.at(
      3, .uploaded(3, .refused(code: 9, first: 1, count: 2), pending: 4), .upload(4, .oldest(1)))
    tape.at(4, .uploaded(4, Self.alone(1), pending: 4), .upload(5, .oldest(1)))
    tape.at(5, .uploaded(5, Self.alone(1), pending: 4), .upload(6, .oldest(1)))
    tape.at(
      6, .uploaded(6, Self.alone(1), pending: 4), .setAside(.capture(1, code: 9)),
      .upload(7, .oldest(1)))
    // The acceptance is used up: the next refusal needs a witness of its own.
    tape.at(7, .uploaded(7, Self.alone(2), pending: 3), .upload(8, .freshest(1)))
    tape.at(8, .uploaded(8, Self.alone(4), pending: 3))
    #expect(tape.wait?.reason == .serverRejected(code: 9), again(Self.self))
  }

  @Test func `A bad capture that is alone waits for another one`() {
    var tape = UploaderTape(Self.self, pending: 1)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(1, .uploaded(1, Self.each(1), pending: 1))
    #expect(tape.wait?.reason == .serverRejected(code: 1016), again(Self.self))
    #expect(tape.resume() == [.upload(2, .oldest(100))], again(Self.self))
  }

  @Test func `What is refused by name, by a server that accepts others, is set aside at once`() {
    var tape = UploaderTape(Self.self, pending: 3)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(1, .uploaded(1, .took(1), pending: 2), .upload(2, .oldest(100)))
    tape.at(2, .uploaded(2, Self.each(2), pending: 2), .setAside(.refusedOfLastUpload))
    #expect(!tape.uploader.isInContact, again(Self.self))
  }

  @Test func `The oldest are refused by name: the newest is asked before they are blamed`() {
    var tape = UploaderTape(Self.self, pending: 300)
    tape.at(0, .begin, .upload(1, .freshest(100)))
    tape.at(1, .uploaded(1, .badGateway, pending: 300))
    #expect(tape.resume() == [.upload(2, .oldest(50))], again(Self.self))
    tape.at(100, .uploaded(2, Self.each(50), pending: 300), .upload(3, .freshest(1)))
    tape.at(101, .uploaded(3, .took(1), pending: 299), .upload(4, .oldest(100)))
    tape.at(
      102, .uploaded(4, Self.each(100), pending: 299), .setAside(.refusedOfLastUpload),
      .upload(5, .oldest(100)))
    // The acceptance is used up: the next refusal needs a witness of its own.
    tape.at(103, .uploaded(5, Self.each(100), pending: 199), .upload(6, .freshest(1)))
  }
}
