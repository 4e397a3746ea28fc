import Testing

@testable import TrackerCore

/// `standard` and `adaptive`: captures on a grid of slots.
@Suite struct StandardPolicyTests {
  static let tenMinutes = CapturePolicy.standard(
    interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .minutes(30))

  @Test func `The first fix with a trusted clock is taken at once`() {
    var tape = ScheduleTape(Self.tenMinutes)
    tape.look(at: 5000)
    #expect(tape.reason == .noFix, again(Self.self))
    tape.hear(.at(7000))
    tape.look(at: 7000, isClockTrusted: false)
    #expect(tape.reason == .clockUntrusted, again(Self.self))
    tape.look(at: 8000)
    #expect(tape.taken == [.init(at: 8000, trigger: .start)], again(Self.self))
    #expect(tape.schedule.slot == .at(608_000), again(Self.self))
  }

  @Test func `The first capture waits two minutes for a trusted clock, to the millisecond`() {
    var tape = ScheduleTape(Self.tenMinutes, at: 1000)
    tape.hear(.at(115_000))
    tape.look(at: 120_999, isClockTrusted: false)
    #expect(tape.taken.isEmpty, again(Self.self))
    tape.look(at: 121_000, isClockTrusted: false)
    #expect(tape.taken.map(\.trigger) == [.start], again(Self.self))
  }

  @Test func `The grid does not drift in 24 hours although the disk is slow`() {
    var tape = ScheduleTape(Self.tenMinutes)
    for slot in Int64(0)..<145 {
      let due = slot * 600_000
      tape.hear(.at(due - 1))
      if slot > 0 {
        tape.look(at: due - 1)
        #expect(tape.reason == .notDue, again(Self.self, "slot \(slot);"))
      }
      tape.look(at: due, diskDelay: slot == 0 ? 0 : 1700)
    }
    let expected = (Int64(0)..<145).map { $0 * 600_000 + ($0 == 0 ? 0 : 1700) }
    #expect(tape.taken.map(\.at) == expected, again(Self.self))
  }

  @Test func `A capture late by more than the tolerance begins a new grid`() {
    for (late, next) in [(Int64(30_000), Int64(1_200_000)), (30_001, 1_230_001)] {
      var tape = ScheduleTape(Self.tenMinutes)
      tape.hear(.at(0))
      tape.look(at: 0)
      tape.hear(.at(600_000 + late))
      tape.look(at: 600_000 + late)
      #expect(tape.schedule.slot == .at(next), again(Self.self, "late by \(late) ms;"))
    }
  }

  @Test func `A slot takes the best fix of the last ten seconds, whatever came after it`() {
    var tape = ScheduleTape(Self.tenMinutes)
    tape.hear(.at(0))
    tape.look(at: 0)
    tape.hear(.at(589_000, accuracy: 3))
    for second in Int64(590)...600 {
      tape.hear(.at(second * 1000, accuracy: second == 593 ? 4 : 20))
    }
    tape.look(at: 600_000)
    #expect(tape.fix?.accuracyMetres == 20, "the stale best is not used, though fixes are there")
    #expect(tape.reason == nil, again(Self.self))

    tape.hear(.at(1_193_000, accuracy: 4))
    for second in Int64(1194)...1199 { tape.hear(.at(second * 1000, accuracy: 20)) }
    tape.hear(.at(1_199_500, accuracy: nil))
    tape.look(at: 1_200_000)
    #expect(tape.fix?.at == .at(1_193_000), again(Self.self))
  }

  @Test func `A fix serves for ten seconds and no longer`() {
    var tape = ScheduleTape(Self.tenMinutes)
    tape.hear(.at(0))
    tape.look(at: 10_001)
    #expect(tape.reason == .noFix, again(Self.self))
    tape.look(at: 10_000)
    #expect(tape.taken.count == 1, again(Self.self))
  }

  @Test func `A steady receiver is never called lacking because its best fix grew old`() {
    var tape = ScheduleTape(Self.tenMinutes)
    tape.hear(.at(0))
    tape.look(at: 0)
    tape.hear(.at(590_100, accuracy: 2))
    for second in Int64(591)...600 { tape.hear(.at(second * 1000 + 100, accuracy: 9)) }
    tape.look(at: 600_200)
    #expect(tape.taken.count == 2 && tape.reason == nil, again(Self.self))
  }

  @Test func `Closer than the minimum distance there is no capture until the heartbeat`() {
    var tape = ScheduleTape(
      .standard(interval: .minutes(10), minimumDistanceMetres: 50, heartbeat: .minutes(30)))
    tape.walk(seconds: 0, metresPerSecond: 0)
    tape.walk(from: 1000, seconds: 1799, metresPerSecond: 0, from: .olot.north(40))
    let expected: [ScheduleTape.Taken] = [
      .init(at: 0, trigger: .start), .init(at: 1_800_000, trigger: .heartbeat),
    ]
    #expect(tape.taken == expected, again(Self.self))
    tape.walk(from: 1_801_000, seconds: 599, metresPerSecond: 1)
    #expect(tape.taken.last == .init(at: 2_400_000, trigger: .interval), again(Self.self))
  }

  @Test func `A capture that somebody asks for takes nothing from the next slot`() {
    var tape = ScheduleTape(Self.tenMinutes)
    tape.hear(.at(0))
    tape.look(at: 0)
    tape.take(.at(60_000), .command, at: 60_000)
    #expect(tape.schedule.slot == .at(600_000), again(Self.self))
    tape.hear(.at(600_000))
    tape.look(at: 600_000)
    #expect(tape.times == [0, 60, 600] && tape.schedule.slot == .at(1_200_000), again(Self.self))
  }

  @Test func `An interval below a second counts as a second`() {
    for interval: Milliseconds in [0, -5, Milliseconds(.min)] {
      let policy = CapturePolicy.standard(
        interval: interval, minimumDistanceMetres: 0, heartbeat: 0)
      #expect(
        CaptureSchedule(policy, at: .start).opportunity(budget: nil) == .seconds(1),
        again(Self.self))
    }
    // The adaptive one halves its interval while the battery lasts: not below a second either.
    let budget = EnergyBudget(Plan(capturePercent: 50, contactPercent: 50))
    for (interval, expected) in [(Int64.min, 1000), (0, 1000), (1998, 1000), (2002, 1001)] {
      let schedule = CaptureSchedule(.adaptive(interval: Milliseconds(interval)), at: .start)
      #expect(
        schedule.opportunity(budget: budget).count == expected, again(Self.self, "\(interval);"))
    }
    let unpaced = CaptureSchedule(.adaptive(interval: 999), at: .start)
    #expect(unpaced.opportunity(budget: nil) == .seconds(1), again(Self.self))
  }

  private typealias Plan = EnergyBudget.Plan

  @Test func `The adaptive policy stretches its slots by plan`() {
    var tape = ScheduleTape(.adaptive(interval: .minutes(10)))
    tape.hear(.at(0))
    tape.look(at: 0)
    #expect(tape.schedule.slot == .at(600_000), again(Self.self))
    tape.budget = EnergyBudget(Plan(capturePercent: 150, contactPercent: 600))
    tape.hear(.at(600_000))
    tape.look(at: 600_000)
    #expect(tape.taken.map(\.trigger) == [.start, .interval], again(Self.self))
    #expect(tape.schedule.slot == .at(600_000 + 900_000), again(Self.self))
    #expect(tape.schedule.latestNext(at: .at(600_000)) == tape.schedule.slot, again(Self.self))
  }

  @Test func `One report of the receiver does not serve two captures`() {
    var tape = ScheduleTape(
      .standard(interval: .seconds(2), minimumDistanceMetres: 0, heartbeat: .minutes(30)))
    tape.hear(.at(0))
    for second in Int64(0)...5 { tape.look(at: second * 1000) }
    #expect(tape.taken.count == 1, again(Self.self, "\(tape.times)"))
    tape.hear(.at(6000))
    tape.look(at: 6000)
    #expect(tape.taken.count == 2, again(Self.self, "\(tape.times)"))
  }
}
