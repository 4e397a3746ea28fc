import FeatureService
import Reports
import Testing
import TrackerCore

@testable import Simulation

/// Each thing that can go wrong in a scenario has its own reason.
@Suite struct StatedReasonTests {
  struct Trouble: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let subject: Silence.Subject
    let reason: Reason
    let make: @Sendable (inout Scenario) -> Void
  }

  /// From minute 20 to minute 50 of an hour on foot.
  static func window<Content>(_ content: Content) -> [Window<Content>] {
    [Window(from: .minutes(20), to: .minutes(50), content: content)]
  }

  static let troubles: [Trouble] = [
    Trouble(testDescription: "no service", subject: .sending, reason: .searching) {
      $0.coverage = window(.noService)
    },
    Trouble(testDescription: "no bearer", subject: .sending, reason: .noBearer) {
      $0.coverage = window(.noBearer)
    },
    Trouble(testDescription: "denied", subject: .sending, reason: .registrationDenied) {
      $0.coverage = window(.denied)
    },
    Trouble(testDescription: "no SIM", subject: .sending, reason: .noSIM) {
      $0.modem = window(.noSIM)
    },
    Trouble(testDescription: "locked SIM", subject: .sending, reason: .simLocked) {
      $0.modem = window(.simLocked)
    },
    Trouble(testDescription: "mute modem", subject: .sending, reason: .modemSilent) {
      $0.modem = window(.mute)
    },
    Trouble(testDescription: "503", subject: .sending, reason: .backingOff(status: 503)) {
      $0.server = window(Fault(.http(status: 503, retryAfter: nil)))
    },
    Trouble(testDescription: "no connection", subject: .sending, reason: .backingOff(status: 0)) {
      $0.server = window(Fault(.refuse))
    },
    Trouble(testDescription: "no answer", subject: .sending, reason: .backingOff(status: 0)) {
      $0.server = window(Fault(.timeout))
    },
    Trouble(testDescription: "unauthorised", subject: .sending, reason: .unauthorised) {
      $0.server = window(Fault(.unauthorised))
    },
    Trouble(
      testDescription: "all refused", subject: .sending, reason: .serverRejected(code: 400)
    ) {
      $0.server = window(Fault(.rejectRequest(code: 400)))
    },
    Trouble(testDescription: "full disk", subject: .capturing, reason: .storeFailed) {
      $0.store = window(.full)
    },
    Trouble(testDescription: "silent receiver", subject: .capturing, reason: .noFix) {
      $0.receiver = window(.silent)
    },
    Trouble(testDescription: "stopped by hand", subject: .capturing, reason: .sessionStopped) {
      $0.commands = [
        TimedCommand(at: .minutes(20), command: .stop),
        TimedCommand(at: .minutes(50), command: .start),
      ]
    },
  ]

  @Test(arguments: troubles)
  func `A trouble is a silence with its own reason, and it ends with the trouble`(
    _ trouble: Trouble
  ) throws {
    var race = Race()
    trouble.make(&race.scenario)
    let result = try race.run()
    let again: Comment = "repeat with: swift test --filter StatedReasonTests"
    let told = result.tally.silences.filter {
      $0.subject == trouble.subject && $0.reason == trouble.reason
    }
    #expect(!told.isEmpty, "told instead: \(result.tally.silences.map(\.reason)); \(again)")
    #expect(result.ending == .finished && result.pending == 0, again)
    #expect(result.setAside == 0 && result.duplicates == 0, again)
    for silence in told {
      #expect(silence.from - .start >= .minutes(19) && silence.to - .start <= .minutes(71), again)
    }
  }

  @Test func `Nothing wrong, no silence but the missing fixes of the trace itself`() throws {
    let result = try Race().run()
    #expect(result.tally.silences.allSatisfy { $0.reason == .noFix })
  }

  @Test func `The reference system of the race lasts to its end on cells of a good brand`() throws {
    var race = Race(trace: "race", board: "arduino-uno-3g")
    // The board's default.
    race.configuration.receiverUse = .dutyCycle
    // With the signals of a usual day: at full power in each contact it would end before.
    race.variation = Variation(seed: 1)
    race.adjust = { $0.battery.cellCapacityMilliampHours = ReferenceLifetimeTests.goodBrand }
    let result = try race.run()
    #expect(result.ending == .finished, "after \(result.hours) h, \(result.batteryPercent) % left")
  }

  @Test func `A capture that waited for the disk is as late as it is`() throws {
    var race = Race()
    race.scenario.store = Self.window(.full)
    // Taken in the first slot of the half hour, and on disk after it.
    #expect(try race.run().longestLatency > .minutes(20))
    #expect(try Race().run().longestLatency < .minutes(2))
  }

  @Test func `A receiver on a duty cycle sleeps at rest too`() throws {
    var race = Race()
    race.configuration.capture = .standard(
      interval: .minutes(5), minimumDistanceMetres: 50, heartbeat: .hours(2))
    let awake = try race.run()
    race.configuration.receiverUse = .dutyCycle
    let asleep = try race.run()
    #expect(asleep.tally.notCaptured.contains { $0.reason == .atRest && $0.count >= 5 })
    #expect(asleep.tracker.fixes.epochs * 4 < awake.tracker.fixes.epochs)
  }

  @Test func `A battery that is too small ends the race, and the report says so`() throws {
    var race = Race(trace: "race")
    race.scenario.batteryStartPercent = 20
    let result = try race.run()
    #expect(result.ending == .batteryEmpty)
    #expect(result.sequences.count == Int(result.acknowledged + result.pending))
  }
}
