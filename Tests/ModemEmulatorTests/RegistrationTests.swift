import Testing
import TrackerCore

/// Networks and SIMs that are hard to get, and how long the radio is on for them.
@Suite struct RegistrationTests {
  @Test(arguments: ["line-refused", "lte-only", "unregistered"])
  func `A modem that refuses questions about its registration is asked others`(_ name: String)
    throws
  {
    var desk = try Desk(name, .generic)
    desk.run(seconds: 1800)
    #expect(desk.received.count == 3 && desk.queue.isEmpty, "\(name); \(emulatorAgain)")
    let lines = desk.modem.heard.filter { $0 == "AT+CREG?;+CGREG?;+CEREG?" }
    #expect(lines.count == 1, "it is remembered; \(name); \(emulatorAgain)")
    // 45 s where nothing is known of the registration.
    let limit: Int64 = name == "unregistered" ? 165 : 75
    #expect(desk.radioSeconds <= limit, "\(name): \(desk.radioSeconds) s; \(emulatorAgain)")
  }

  @Test func `A network that refuses costs a minute, then half of that`() throws {
    for name in ["registration-denied", "emergency-only"] {
      var desk = try Desk(name, .sim7600)
      desk.run(seconds: 4500)
      #expect(desk.told(.registrationDenied) && desk.received.isEmpty, "\(name); \(emulatorAgain)")
      // At most ten times in 75 minutes, with the modem's start.
      #expect(desk.radioSeconds <= 10 * 100, "\(name): \(desk.radioSeconds) s; \(emulatorAgain)")
      desk.modem.set("paid", true)
      desk.run(seconds: 1800)
      #expect(desk.queue.isEmpty, "\(name); \(emulatorAgain)")
    }
  }

  @Test(arguments: [(200, 3600), (1200, 7200)])
  func `A network that takes long to find is found, and the time for it is bounded`(
    _ length: Int64, _ within: Int64
  ) throws {
    var desk = try Desk("sim7600", .sim7600, searchTime: .seconds(length)) {
      $0.transmitInterval = .minutes(15)
    }
    desk.run(seconds: within)
    #expect(!desk.received.isEmpty, "\(length) s; \(emulatorAgain)")
    desk.run(seconds: 36_000 - within)
    #expect(
      desk.received.count > (length == 200 ? 55 : 40), "\(desk.received.count); \(emulatorAgain)")
    // 30 minutes, a fifteenth of ten hours, and what is usual: 3 minutes each.
    let usual = 40 * (180 + 60)
    #expect(
      desk.radioSeconds <= 1800 + 2400 + Int64(usual), "\(desk.radioSeconds) s; \(emulatorAgain)")
  }

  @Test func `Without any network the radio is on for a bounded time`() throws {
    var desk = try Desk("sim7600", .sim7600) { $0.transmitInterval = .minutes(15) }
    desk.modem.set("noNetwork", true)
    desk.run(seconds: 6 * 3600)
    // Every quarter of an hour three minutes and what a start takes, at first more often; besides,
    // 30 minutes and a fifteenth of the time.
    let most = Int64(26 * 220 + 1800 + 1440)
    #expect(desk.radioSeconds <= most, "\(desk.radioSeconds) s; \(emulatorAgain)")
    desk.modem.set("noNetwork", false)
    desk.run(seconds: 3600)
    #expect(desk.queue.count <= 1, emulatorAgain)
  }

  @Test(arguments: ["echo-locked", "pin-without-ok"])
  func `A locked SIM is unlocked, whatever else the modem refuses`(_ name: String) throws {
    var desk = try Desk(name, .sim7600, simPIN: .untried)
    desk.pin = "0742"
    desk.run(seconds: 300)
    #expect(desk.received == [1], "\(name); \(emulatorAgain)")
    #expect(!desk.notes.contains(.modemRecovery(.powerCycle)), "\(name); \(emulatorAgain)")
  }

  @Test func `A modem that is locked to an operator is named as that`() throws {
    var desk = try Desk("operator-locked", .sim7600)
    desk.run(seconds: 900)
    #expect(desk.told(.operatorLocked) && !desk.told(.simBlocked), emulatorAgain)
  }

  @Test func `A modem that does not answer is named as that`() throws {
    var desk = try Desk("silent", .sim7600)
    desk.run(seconds: 300)
    #expect(desk.tracker.sendReason == .modemSilent, emulatorAgain)
  }

  @Test func `In a long wait for a server the modem is off, to its end`() throws {
    var desk = try Desk("sim7600", .sim7600) { $0.bearer = .modem }
    desk.serverFailure = .unreachable
    desk.run(seconds: 1200)
    let waits = desk.radioSeconds
    #expect(waits <= 400, "\(waits) s; \(emulatorAgain)")
  }
}
