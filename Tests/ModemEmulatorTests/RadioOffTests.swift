import Testing
import TrackerCore
import Uplink

/// A modem that rests with its radio off, as every one does that trackerd has, and whatever keeps
/// its radio on. It counts as off only when it is; how long the radio is on is bounded.
@Suite struct RadioOffTests {
  private func desk(
    bearer: Bearer = .modem, baud: Int64? = nil
  ) throws -> Desk {
    var board = Board.desk(.sim7600)
    board.modem.rest = .radioOff
    board.modem.hasPowerKey = false
    // The network is there at once: what counts is the time that the tracker leaves the radio on.
    var desk = try Desk(
      "answers-lost", .sim7600, baud: baud, board: board, isOn: true, searchTime: 0
    ) {
      $0.bearer = bearer
      $0.reconnectFloor = .minutes(10)
      $0.transmitInterval = .minutes(10)
    }
    desk.checksRadio = true
    return desk
  }

  private func offs(_ desk: Desk) -> Int {
    desk.modem.heard.count { $0 == "AT+CFUN=4" || $0 == "AT+CFUN=0" }
  }

  @Test func `At rest from the start on its radio is off, and each contact ends so`() throws {
    var desk = try desk()
    desk.run(seconds: 3600)
    #expect(desk.received == [1, 2, 3, 4, 5, 6] && !desk.modem.isRadioOn, emulatorAgain)
    // Some 2 s for each contact.
    #expect(desk.radioSeconds <= 20, "\(desk.radioSeconds) s; \(emulatorAgain)")
  }

  @Test func `Where the answer to the question before it gets lost, it is told nevertheless`()
    throws
  {
    var desk = try desk(baud: 115_200)
    desk.run(seconds: 300) { $0.received == [1] }
    desk.modem.set("noisy", true)
    let before = desk.radioSeconds
    desk.run(seconds: 60)
    #expect(!desk.modem.isRadioOn, emulatorAgain)
    #expect(desk.radioSeconds - before <= 2, "\(desk.radioSeconds) s; \(emulatorAgain)")
    // The OK may be another command's: that it is off is said once that is certain, after three
    // questions without an answer.
    #expect(desk.notes.contains(.modem(.stillOn)), emulatorAgain)
    #expect(desk.tracker.modemPhase == .off, emulatorAgain)
  }

  @Test func `One that refuses is told again and again, and is not off before it is`() throws {
    var desk = try desk(baud: 115_200)
    desk.run(seconds: 300) { $0.received == [1] }
    desk.modem.set("refusing", true)
    desk.run(seconds: 200)
    #expect(desk.received == [1] && desk.modem.isRadioOn, emulatorAgain)
    #expect(desk.tracker.modemPhase == .stillOn, emulatorAgain)
    #expect(desk.notes.contains(.modem(.stillOn)), emulatorAgain)
    #expect(offs(desk) > 15, "\(offs(desk)); \(emulatorAgain)")
    let before = desk.radioSeconds
    desk.modem.set("refusing", false)
    desk.run(seconds: 30)
    #expect(desk.tracker.modemPhase == .off && !desk.modem.isRadioOn, emulatorAgain)
    #expect(desk.radioSeconds - before <= 10, "\(desk.radioSeconds - before) s; \(emulatorAgain)")
  }

  @Test func `A modem that is to be started anew after the floor is quiet until then`() throws {
    var desk = try desk()
    desk.run(seconds: 300) { $0.tracker.modemPhase == .checkingSIM }
    desk.modem.set("noisy", true)
    desk.run(seconds: 500)
    #expect(desk.notes.contains(.modemRecovery(.powerCycle)), emulatorAgain)
    #expect(!desk.modem.isRadioOn && offs(desk) >= 2, emulatorAgain)
    // Three answers of 5 s each are waited for.
    #expect(desk.radioSeconds <= 25, "\(desk.radioSeconds) s; \(emulatorAgain)")
    desk.modem.set("noisy", false)
    desk.run(seconds: 900)
    #expect(!desk.received.isEmpty && !desk.modem.isRadioOn, emulatorAgain)
  }

  @Test(arguments: [HTTPReply.lost, .unreachable])
  func `In a server's outage of 25 minutes each contact ends with the radio off`(
    _ failure: HTTPReply
  ) throws {
    var desk = try desk()
    desk.serverFailure = failure
    desk.run(seconds: 1500)
    #expect(!desk.modem.isRadioOn, emulatorAgain)
    #expect(offs(desk) >= 3, "\(offs(desk)); \(emulatorAgain)")
    // Two contacts, each with waits of 15 and 30 s between its attempts.
    #expect(desk.radioSeconds <= 130, "\(desk.radioSeconds) s; \(emulatorAgain)")
    desk.serverFailure = nil
    desk.run(seconds: 1800)
    #expect(desk.queue.count <= 1 && !desk.modem.isRadioOn, emulatorAgain)
    #expect(Set(desk.received).count == desk.received.count, "twice; \(emulatorAgain)")
  }

  @Test func `Of one that is plugged in anew in each contact the radio is off in between`() throws {
    var desk = try desk(bearer: .interface)
    var times = 0
    for _ in 0..<40 {
      desk.run(seconds: 60) { $0.tracker.modemPhase == .registered }
      guard desk.tracker.modemPhase == .registered else { continue }
      times += 1
      desk.handle(.lineChanged(.modem, isPresent: false))
      desk.modem.reboot(at: desk.now)
      desk.run(seconds: 3)
      desk.handle(.lineChanged(.modem, isPresent: true))
    }
    #expect(times >= 4, "\(times); \(emulatorAgain)")
    #expect(offs(desk) >= times / 2, "\(offs(desk)) of \(times); \(emulatorAgain)")
    desk.run(seconds: 60)
    // Each time it starts (20 s) and searches, three times at the most before the floor.
    let limit = Int64(times) * 45
    #expect(desk.radioSeconds <= limit, "\(desk.radioSeconds) of \(limit) s; \(emulatorAgain)")
  }

  @Test func `One that starts by itself at rest is told to be quiet`() throws {
    var desk = try desk()
    desk.run(seconds: 300) { $0.received == [1] && $0.tracker.modemPhase == .off }
    let before = desk.radioSeconds
    desk.modem.reboot(at: desk.now)
    desk.run(seconds: 60)
    #expect(!desk.modem.isRadioOn && desk.tracker.modemPhase == .off, emulatorAgain)
    // It hears nothing before its words, 11 s after its start.
    #expect(desk.radioSeconds - before <= 14, "\(desk.radioSeconds - before) s; \(emulatorAgain)")
  }
}
