import Testing

@testable import TrackerCore

/// One short message when nothing else gets through.
@Suite struct LastResortTests {
  private func registered(after: Milliseconds? = .seconds(30)) -> ModemTape {
    .registered(Self.self) { $0.textAfter = after }
  }

  @Test func `Without a bearer a message is sent before the modem is given up`() {
    var tape = registered()
    tape.at(60_300, .deadline, .sendText(RequestID(1)))
    #expect(tape.modem.reason(at: .at(60_300)) == .noBearer, again(Self.self))
    #expect(tape.modem.takeFailure() == .noBearer, "whoever wanted it need not wait")
    tape.at(60_300, .release)
    tape.at(61_000, .hears("> \r\n+CMGS: 5\r\n\r\nOK\r\nPB DONE\r\n"))
    tape.at(
      64_000, .textEnds(1, wasSent: true), .note(.textFinished(wasSent: true)),
      .setLink(isUp: false), .says(.powerOff))
  }

  @Test func `A modem that restarts while it sends a message begins at the SIM, and tries later`() {
    var tape = registered()
    tape.at(60_300, .deadline, .sendText(RequestID(1)))
    tape.at(
      61_000, .hears("RDY\r\n"), .note(.modemRestarted), .setLink(isUp: false),
      .says(.attention))
    tape.at(61_000, .textEnds(1, wasSent: false))
    #expect(tape.modem.phase == .starting, again(Self.self))
    let retry = Instant.at(61_000) + min(.seconds(30), Bounds.textRetry)
    #expect(tape.modem.lastResort.begin(at: retry - 1) == nil, again(Self.self))
    #expect(tape.modem.lastResort.begin(at: retry) != nil, again(Self.self))
  }

  @Test func `A message whose port is lost is not sent again in the next contact`() {
    var tape = ModemTape.attached(Self.self) { $0.textAfter = .hours(1) }
    tape.at(3_600_000, .wantsText, .sendText(RequestID(1)))
    tape.play(.line(false), at: .at(3_601_000))
    #expect(!tape.modem.lastResort.isDue(at: .at(4_000_000)), again(Self.self))
  }

  @Test func `A SIM that is removed during a message is checked again`() {
    var tape = registered()
    tape.at(60_300, .deadline, .sendText(RequestID(1)))
    tape.play(.hears("+CPIN: NOT READY\r\n"), at: .at(61_000))
    #expect(tape.modem.phase == .checkingSIM, again(Self.self))
  }

  @Test func `A report about another message is ignored`() {
    var tape = registered()
    tape.at(60_300, .deadline, .sendText(RequestID(1)))
    let before = tape.modem
    for id: UInt32 in [0, 2, .max] { tape.at(60_400, .textEnds(id, wasSent: true)) }
    #expect(tape.modem == before, again(Self.self))
    tape.play(.textEnds(1, wasSent: true), at: .at(60_500))
    let after = tape.modem
    tape.at(60_600, .textEnds(1, wasSent: false))
    #expect(tape.modem == after, again(Self.self))
  }

  @Test func `A message that nobody reports about counts as not sent after a minute and a half`() {
    var tape = registered()
    tape.wait(until: 60_300)
    tape.at(150_299, .deadline)
    tape.at(
      150_300, .deadline, .note(.textFinished(wasSent: false)), .setLink(isUp: false),
      .says(.powerOff))
    tape.at(150_400, .textEnds(1, wasSent: true))
  }

  @Test func `Nobody who did not ask for it gets one, nor before its time`() {
    var tape = registered(after: nil)
    tape.at(60_300, .deadline, .setLink(isUp: false), .says(.powerOff))
    tape = registered(after: .seconds(61))
    tape.at(60_300, .deadline, .setLink(isUp: false), .says(.powerOff))
  }

  @Test func `A network that lets nobody in takes no message, one that refuses data may`() {
    var tape = ModemTape.searching(Self.self) { $0.textAfter = .seconds(30) }
    tape.play(.hears("+CREG: 0,3\r\n+CGREG: 0,3\r\nOK\r\n"), at: .at(300))
    tape.live(until: 60_299, [.registration: "+CREG: 0,3\r\n+CGREG: 0,3\r\nOK\r\n"])
    tape.at(60_300, .deadline, .says(.powerOff))
    tape = ModemTape.searching(Self.self) { $0.textAfter = .seconds(30) }
    tape.play(.hears("+CREG: 0,1\r\n+CGREG: 0,3\r\nOK\r\n"), at: .at(300))
    tape.live(until: 60_299, [.registration: "+CREG: 0,1\r\n+CGREG: 0,3\r\nOK\r\n"])
    tape.at(60_300, .deadline, .sendText(RequestID(1)))
    #expect(tape.modem.contact.failure == .registrationDenied, again(Self.self))
  }

  @Test func `A question that is open when a message goes out is not waited for`() {
    let answer = "+CREG: 0,1\r\n+CGREG: 0,2\r\nOK\r\n"
    var tape = ModemTape.searching(Self.self) { $0.textAfter = .seconds(30) }
    tape.play(.hears(answer), at: .at(300))
    tape.live(until: 178_000, [.registration: answer])
    #expect(tape.wait(until: 180_199) == [.says(.registration)], again(Self.self))
    tape.at(180_200, .deadline, .sendText(RequestID(1)))
    #expect(tape.modem.deadline == .at(270_200), again(Self.self))
  }

  @Test func `While uploads fail a message goes out beside them, and they go on`() {
    var tape = ModemTape.attached(Self.self) { $0.textAfter = .seconds(30) }
    tape.at(29_999, .wantsText)
    tape.at(30_000, .wantsText, .sendText(RequestID(1)))
    #expect(!tape.modem.isReady && tape.modem.phase == .registered, again(Self.self))
    tape.at(30_500, .link(true))
    tape.at(33_000, .textEnds(1, wasSent: true), .note(.textFinished(wasSent: true)))
    #expect(tape.modem.isReady, again(Self.self))
    tape.at(62_999, .wantsText)
    tape.at(63_000, .wantsText, .sendText(RequestID(2)))
    tape.at(63_100, .link(false))
    tape.at(
      64_000, .textEnds(2, wasSent: false), .setLink(isUp: false),
      .note(.textFinished(wasSent: false)), .says(.registration))
  }

  @Test func `A release during a message ends with the message, or with the modem's restart`() {
    var tape = ModemTape.attached(Self.self) {
      $0.textAfter = .seconds(30)
      $0.floor = 0
    }
    tape.at(30_000, .wantsText, .sendText(RequestID(1)))
    tape.at(30_100, .release)
    var other = tape
    other.at(
      33_000, .textEnds(1, wasSent: true), .note(.textFinished(wasSent: true)),
      .setLink(isUp: false), .says(.powerOff))
    // It has to be released again: nobody knows what it has been doing.
    tape.at(33_000, .line(true), .setLink(isUp: false), .says(.attention))
    let effects = tape.wait(until: 70_000)
    #expect(effects.filter { $0.isPress }.count == 2, again(Self.self))
    #expect(!effects.contains(.says(.powerOff)), again(Self.self))
  }

  @Test func `One that was not sent is tried again after an hour at the latest`() {
    var resort = LastResort(after: .hours(6), at: .at(0))
    #expect(resort.begin(at: .start + .hours(6)) == .send(RequestID(1)), again(Self.self))
    resort.ended(wasSent: false, at: .start + .hours(6))
    #expect(resort.begin(at: .start + .minutes(419)) == nil, again(Self.self))
    #expect(resort.begin(at: .start + .hours(7)) == .send(RequestID(2)), again(Self.self))
    resort.ended(wasSent: true, at: .start + .hours(7))
    #expect(resort.begin(at: .start + .minutes(779)) == nil, again(Self.self))
    resort.delivered(at: .start + .hours(8))
    #expect(resort.begin(at: .start + .minutes(839)) == nil, again(Self.self))
    #expect(resort.begin(at: .start + .hours(14)) == .send(RequestID(3)), again(Self.self))
  }

  // MARK: The whole tracker

  @Test func `A message that falls due has a contact of its own`() {
    var bench = bench { $0.textAfter = .hours(1) }
    bench.hasBearer = false
    bench.run(seconds: 3600)
    #expect(bench.texts.isEmpty, again(Self.self))
    // As long as it takes to find that there is no bearer.
    bench.run(seconds: 120)
    #expect(bench.texts.count == 1, again(Self.self, "\(bench.texts)"))
  }

  @Test func `In a long wait for a server a message falls due as well`() {
    var bench = bench { $0.textAfter = .hours(1) }
    bench.server = .ends(.busy(status: 503, retryAfter: .minutes(50)))
    bench.run(seconds: 3600)
    #expect(bench.texts.isEmpty, again(Self.self))
    bench.run(seconds: 60)
    #expect(bench.texts.count == 1, again(Self.self, "\(bench.texts)"))
  }

  @Test func `A message asks for one contact, not for one after the other`() {
    var resort = LastResort(after: .hours(1), at: .start)
    #expect(resort.deadline == .start + .hours(1), again(Self.self))
    #expect(calls(&resort, minute: 59) == false, again(Self.self))
    #expect(calls(&resort, minute: 60), again(Self.self))
    #expect(calls(&resort, minute: 120) == false, again(Self.self))
    #expect(resort.deadline == nil, again(Self.self))
    resort.ended(wasSent: false, at: .start + .hours(2))
    #expect(calls(&resort, minute: 180), again(Self.self))
    resort.delivered(at: .start + .hours(4))
    #expect(resort.deadline == .start + .hours(5), again(Self.self))
    resort = LastResort(after: nil, at: .start)
    #expect(resort.deadline == nil, again(Self.self))
    #expect(calls(&resort, minute: 0) == false, again(Self.self))
  }

  private func calls(_ resort: inout LastResort, minute: Int64) -> Bool {
    resort.callsForContact(at: .start + .minutes(minute))
  }

  private func bench(_ adjust: (inout Configuration) -> Void = { _ in }) -> Bench {
    Bench {
      $0.textAfter = .hours(2)
      $0.textTo = PhoneNumber(Array("+34600000000".utf8).span)
      adjust(&$0)
    }
  }

  @Test func `Hours without a bearer bring one message each time, and a delivery starts anew`() {
    var bench = bench()
    bench.run(seconds: 100)
    #expect(bench.received == [1], again(Self.self))
    bench.hasBearer = false
    bench.run(seconds: 2 * 3600 - 200)
    #expect(bench.texts.isEmpty, again(Self.self))
    bench.run(seconds: 1800)
    #expect(bench.texts.count == 1, again(Self.self))
    bench.run(seconds: 2 * 3600 + 1800)
    #expect(bench.texts.count == 2, again(Self.self))
    bench.hasBearer = true
    bench.run(seconds: 3 * 3600)
    #expect(bench.texts.count == 2 && bench.queue.count <= 1, again(Self.self))
  }

  @Test(arguments: [Bearer.interface, .modem])
  func `Hours of a server that fails bring messages too`(_ bearer: Bearer) {
    var bench = bench { $0.bearer = bearer }
    bench.server = .ends(.busy(status: 503, retryAfter: nil))
    bench.run(seconds: 3 * 3600)
    #expect(bench.texts.count == 1, again(Self.self, "\(bench.texts)"))
    bench.server = .accepts
    bench.run(seconds: 3 * 3600)
    #expect(bench.texts.count == 1 && bench.queue.count <= 1, again(Self.self))
  }

  @Test func `Without a number there are none, and with nothing to send neither`() {
    var bench = bench { $0.textTo = nil }
    bench.hasBearer = false
    bench.run(seconds: 4 * 3600)
    #expect(bench.texts.isEmpty, again(Self.self))
    bench = self.bench { $0.startsBySelf = false }
    bench.hasBearer = false
    bench.run(seconds: 4 * 3600)
    #expect(bench.texts.isEmpty, again(Self.self))
  }
}
