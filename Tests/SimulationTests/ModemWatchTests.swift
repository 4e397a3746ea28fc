import Testing
import TrackerCore

@testable import Simulation

/// What a modem must be spared is noticed when it is not.
@Suite struct ModemWatchTests {
  private let minute = Instant.start + .minutes(30)

  private func watch(floor: Milliseconds = .minutes(10)) -> InvariantWatch {
    var configuration = Configuration()
    configuration.reconnectFloor = floor
    return InvariantWatch(Scenario(), configuration)
  }

  /// The tracker tells of phases, a second each.
  private func tell(
    _ phases: [ModemPhase], _ watch: InvariantWatch, at now: Instant
  ) {
    for (number, phase) in phases.enumerated() {
      watch.pushed(.note(.modem(phase)), at: now + .seconds(Int64(number)))
    }
  }

  @Test(arguments: [599, 600] as [Int64])
  func `Who joins the network before the floor has ended is noticed`(seconds: Int64) {
    let watch = watch()
    tell([.starting, .checkingSIM, .searching, .stopping, .off], watch, at: minute)
    tell([.starting, .checkingSIM], watch, at: minute + .seconds(seconds))
    #expect(watch.broken.map(\.invariant) == (seconds < 600 ? [.floorKept] : []))
    #expect(watch.probes.contains(.joinedAgain))
  }

  @Test func `Who restarts the radio before that is noticed`() {
    let watch = watch()
    tell([.starting, .checkingSIM, .searching, .registered], watch, at: minute)
    watch.pushed(.note(.modemRecovery(.radioCycle)), at: minute + .minutes(1))
    #expect(watch.broken.map(\.invariant) == [.floorKept])
  }

  @Test func `What the radio joins after its restart counts, and the restart alone does not`() {
    for isOn in [false, true] {
      let watch = watch()
      tell([.starting, .checkingSIM, .searching, .registered], watch, at: minute)
      let restart = minute + .minutes(11)
      watch.pushed(.note(.modemRecovery(.radioCycle)), at: restart)
      if isOn { watch.pushed(.sendToModem(.radioOn), at: restart) }
      tell([.stopping, .off, .starting, .checkingSIM], watch, at: restart + .minutes(1))
      #expect(watch.broken.map(\.invariant) == (isOn ? [.floorKept] : []))
    }
  }

  @Test func `A modem that restarts by itself, and one that has not answered, join nothing`() {
    let watch = watch()
    tell([.starting, .stopping, .off], watch, at: minute)
    let restarts: [ModemPhase] = [.starting, .checkingSIM, .searching, .starting, .checkingSIM]
    tell(restarts, watch, at: minute + .seconds(10))
    #expect(watch.broken == [])
  }

  @Test func `Nobody who calls for help waits for the floor, but the joining counts`() {
    let watch = watch()
    tell([.starting, .checkingSIM, .stopping, .off], watch, at: minute)
    watch.arrived(.event(.commandGiven(.raiseEmergency, from: .button)), at: minute + .minutes(1))
    tell([.starting, .checkingSIM, .stopping, .off], watch, at: minute + .seconds(61))
    #expect(watch.broken == [])
    let over = minute + .minutes(2)
    watch.arrived(.event(.commandGiven(.withdrawEmergency, from: .button)), at: over)
    tell([.starting, .checkingSIM], watch, at: minute + .minutes(10))
    #expect(watch.broken.map(\.invariant) == [.floorKept])
  }

  @Test(arguments: [Trigger.emergencyOver, .interval])
  func `The end of a call that is captured again after a restart waits for no floor either`(
    _ trigger: Trigger
  ) {
    let watch = watch()
    tell([.starting, .checkingSIM, .stopping, .off], watch, at: minute)
    let capture = Capture(
      sequence: 4, utc: nil, isTimeTrusted: false, position: nil, team: InlineText("Test"),
      trigger: trigger)
    watch.pushed(.store(capture), at: minute + .seconds(10))
    tell([.starting, .checkingSIM], watch, at: minute + .seconds(46))
    #expect(watch.broken.map(\.invariant) == (trigger == .interval ? [.floorKept] : []))
  }

  /// The modem is mute, and its power is cycled.
  private func cycle(_ watch: InvariantWatch, at now: Instant) {
    watch.pushed(.note(.modemRecovery(.powerCycle)), at: now)
    tell([.stopping, .off, .starting], watch, at: now)
  }

  @Test func `Who cycles a modem's power a third time in one contact is noticed`() {
    let watch = watch()
    tell([.starting], watch, at: minute)
    cycle(watch, at: minute + .minutes(1))
    cycle(watch, at: minute + .minutes(2))
    #expect(watch.broken == [] && watch.probes.contains(.secondCycle))
    cycle(watch, at: minute + .minutes(3))
    #expect(watch.broken.map(\.invariant) == [.modemSpared])
  }

  @Test func `With the next contact, and once in the network, the cycles count anew`() {
    let watch = watch(floor: 0)
    for number in 0..<4 as Range<Int64> {
      let contact = minute + .minutes(number * 5)
      tell([.starting], watch, at: contact)
      cycle(watch, at: contact + .minutes(1))
      cycle(watch, at: contact + .minutes(2))
      let then: [ModemPhase] = number % 2 == 0 ? [.stopping, .off] : [.checkingSIM, .registered]
      tell(then, watch, at: contact + .minutes(3))
    }
    #expect(watch.broken == [])
  }

  @Test func `A modem that is not left alone twice in a row is noticed`() {
    let watch = watch()
    for number in 0..<3 {
      #expect(watch.broken == [])
      tell([.starting, .faulted, .off], watch, at: minute + .minutes(Int64(number) * 9))
    }
    #expect(watch.broken.map(\.invariant) == [.modemSpared])
  }

  @Test func `A modem that is left alone for ever is noticed`() {
    let watch = watch()
    tell([.faulted], watch, at: minute)
    watch.checkFault(at: minute + .minutes(11))
    #expect(watch.broken == [])
    watch.checkFault(at: minute + .minutes(12))
    #expect(watch.broken.map(\.invariant) == [.modemSpared])
  }
}
