import CaptureStore
import TestSupport
import Testing
import TrackerCore

@testable import FieldConsole

/// Recent events, across restarts of the program and of the machine.
@Suite struct EventKeepingTests {
  private let again: Comment = "repeat with: swift test --filter EventKeepingTests"
  private let device = UniqueID(high: 1, low: 2)
  private let date = UTC(milliseconds: 1_776_500_000_000)

  private func time(
    _ boot: String = "b1", run: Milliseconds, sinceBoot: Milliseconds
  ) -> MachineTime {
    // The machine's own date is not asked: it may be anything.
    MachineTime(
      boot: boot, now: .start + run, sinceBoot: sinceBoot, date: UTC(milliseconds: 0))
  }

  /// A run of an hour: 10 minutes without a fix, then captures every ten minutes.
  private var hour: EventMemory {
    var memory = EventMemory()
    memory.capturing(.noFix, at: .start)
    memory.sending(.nothingPending, at: .start)
    memory.capturing(.notDue, at: .start + .minutes(10))
    for number in 1...5 {
      memory.add(.captured, "\(number)", at: .start + .minutes(Int64(number) * 10))
    }
    return memory
  }

  /// As kept at the end of that hour, two hours after the machine's start.
  private func kept(_ memory: EventMemory? = nil, date: UTC? = nil, isOrderly: Bool = true)
    -> String
  {
    (memory ?? hour).kept(
      for: device, date: date, isOrderly: isOrderly,
      at: time(run: .hours(1), sinceBoot: .hours(2)))
  }

  private func taken(_ text: String, at time: MachineTime) throws -> EventMemory {
    var memory = EventMemory()
    try memory.take(text, of: device, at: time)
    return memory
  }

  private let moment = Instant.start + .minutes(5)

  @Test func `After a restart of the program all ages are exact, and the pause is its own share`()
    throws
  {
    // Twenty minutes later; the machine has run on.
    var memory = try taken(kept(), at: time(run: 0, sinceBoot: .minutes(140)))
    memory.capturing(.notDue, at: .start)
    let lines = memory.lines(newest: 3, at: moment)
    #expect(
      lines == "2700000 captured 4\n2100000 captured 5\n300000 restarted \n",
      "\(lines); \(again)")
    let shares = memory.shares(at: moment)
    #expect(
      shares.hasPrefix(
        "capturing 3600000 2400000 notDue\ncapturing 3600000 1200000 off\n"),
      "\(shares); \(again)")
    #expect(shares.contains("capturing 5100000 600000 noFix\n"), "\(shares); \(again)")
    #expect(shares.contains("sending 5100000 1500000 off\n"), "\(shares); \(again)")
    #expect(!shares.contains("before"), "\(shares); \(again)")
  }

  @Test func `A run that was cut off is shown as such`() throws {
    let memory = try taken(
      kept(isOrderly: false), at: time(run: 0, sinceBoot: .minutes(140)))
    let lines = memory.lines(newest: 2, at: moment)
    #expect(lines == "1500000 cutOff \n300000 restarted \n", "\(lines); \(again)")
  }

  @Test func `After a reboot nothing has an age until a date is trusted`() throws {
    var memory = try taken(kept(date: date), at: time("b2", run: 0, sinceBoot: .seconds(20)))
    memory.capturing(.clockUntrusted, at: .start)
    let lines = memory.lines(newest: 2, at: moment)
    #expect(lines == "- captured 5\n300000 restarted \n", "\(lines); \(again)")
    let shares = memory.shares(at: moment)
    #expect(shares.contains("capturing 300000 300000 clockUntrusted\n"), "\(shares); \(again)")
    #expect(shares.contains("capturing 3600000 3000000 notDue before\n"), "\(shares); \(again)")
    #expect(!shares.contains("off"), "\(shares); \(again)")
    // Half an hour after the end of the earlier run.
    memory.dated(date + .minutes(30), at: moment)
    let dated = memory.lines(newest: 2, at: moment)
    #expect(dated == "2400000 captured 5\n300000 restarted \n", "\(dated); \(again)")
    let off = memory.shares(at: moment)
    #expect(off.contains("capturing 3600000 1500000 off\n"), "\(off); \(again)")
    #expect(!off.contains("before"), "\(off); \(again)")
  }

  @Test func `A halted machine was asleep, not off, and its end is no event of its own`() throws {
    var asleep = hour
    asleep.sleep(for: .minutes(9), at: .start + .minutes(58))
    asleep.end(at: .start + .minutes(59))
    var memory = try taken(
      kept(asleep, date: date), at: time("b2", run: 0, sinceBoot: .seconds(20)))
    memory.dated(date + .minutes(8), at: .start + .seconds(30))
    memory.capturing(.notDue, at: .start + .seconds(30))
    let shares = memory.shares(at: .start + .minutes(2))
    #expect(!shares.contains(" off"), "\(shares); \(again)")
    // From two minutes before the end of the hour until the first word of the next run.
    #expect(shares.contains("capturing 3600000 600000 asleep"), "\(shares); \(again)")
    let events = memory.lines(newest: 9, at: .start + .minutes(2))
    #expect(events.contains("halted 9") && events.contains("wokenUp"), "\(events); \(again)")
    #expect(!events.contains(" ended") && !events.contains("restarted"), "\(events); \(again)")
  }

  @Test func `A capture that is overdue for want of a fix stays so while the machine is halted`()
    throws
  {
    var asleep = hour
    asleep.capturing(.noFix, at: .start + .minutes(55))
    asleep.sleep(for: .minutes(9), at: .start + .minutes(58))
    asleep.end(at: .start + .minutes(59))
    var memory = try taken(
      kept(asleep, date: date), at: time("b2", run: 0, sinceBoot: .seconds(20)))
    memory.dated(date + .minutes(8), at: .start + .seconds(30))
    memory.capturing(.noFix, at: .start + .seconds(30))
    let shares = memory.shares(at: .start + .minutes(2))
    #expect(!shares.contains(" off"), "\(shares); \(again)")
    #expect(shares.contains("capturing 3600000 900000 noFix"), "\(shares); \(again)")
    #expect(shares.contains("sending 3600000") && shares.contains("asleep"), "\(shares); \(again)")
    let events = memory.lines(newest: 9, at: .start + .minutes(2))
    #expect(events.contains("halted 9") && events.contains("wokenUp"), "\(events); \(again)")
    asleep.stayAwake(at: .start + .minutes(60))
    #expect(
      asleep.shares(at: .start + .minutes(60)).contains("capturing 3600000 900000 noFix"), again)
  }

  @Test func `A machine that was not halted after all goes on as before`() {
    var memory = hour
    memory.sleep(for: .minutes(9), at: .start + .minutes(58))
    memory.stayAwake(at: .start + .minutes(59))
    let shares = memory.shares(at: .start + .minutes(60))
    #expect(
      shares.contains("capturing 3600000 60000 asleep")
        && shares.contains("capturing 3600000 2940000 notDue"), "\(shares); \(again)")
    #expect(shares.contains("sending 3600000 3540000 nothingPending"), "\(shares); \(again)")
  }

  @Test func `A run without a date stays before the restart`() throws {
    var memory = try taken(kept(date: nil), at: time("b2", run: 0, sinceBoot: .seconds(20)))
    memory.dated(date, at: moment)
    #expect(memory.lines(newest: 2, at: moment).hasPrefix("- captured 5\n"), again)
  }

  @Test(arguments: [Milliseconds.hours(-1), .minutes(4), .hours(24 * 400)])
  func `A date that was stepped places nothing`(_ step: Milliseconds) throws {
    // Before the end of the earlier run, during this run, and more than a year later.
    var memory = try taken(kept(date: date), at: time("b2", run: 0, sinceBoot: .seconds(20)))
    memory.dated(date + step, at: moment)
    #expect(memory.lines(newest: 2, at: moment).hasPrefix("- captured 5\n"), "\(step); \(again)")
    // Nor does the next date: one of them was wrong.
    memory.dated(date + .minutes(30), at: moment)
    #expect(memory.lines(newest: 2, at: moment).hasPrefix("- captured 5\n"), "\(step); \(again)")
  }

  @Test func `A clock that ran backwards within a boot places nothing`() throws {
    let memory = try taken(kept(), at: time(run: 0, sinceBoot: .minutes(1)))
    #expect(memory.lines(newest: 2, at: moment).hasPrefix("- captured 5\n"), again)
  }

  @Test func `A machine whose boot has no name relies on the date`() throws {
    var old = time("", run: .hours(1), sinceBoot: .hours(2))
    let text = hour.kept(for: device, date: date, isOrderly: true, at: old)
    old.now = .start
    var memory = try taken(text, at: old)
    #expect(memory.lines(newest: 2, at: moment).hasPrefix("- captured 5\n"), again)
    memory.dated(date + .minutes(6), at: moment)
    #expect(memory.lines(newest: 2, at: moment).hasPrefix("960000 captured 5\n"), again)
  }

  @Test func `Three runs follow on each other, also where a middle one has no date`() throws {
    var second = try taken(kept(date: date), at: time("b2", run: 0, sinceBoot: .seconds(20)))
    second.add(.captured, "6", at: .start + .minutes(1))
    let text = second.kept(
      for: device, date: nil, isOrderly: false,
      at: time("b2", run: .minutes(2), sinceBoot: .seconds(140)))
    let third = try taken(text, at: time("b2", run: 0, sinceBoot: .seconds(200)))
    let lines = third.lines(newest: 5, at: .start)
    #expect(
      lines == """
        - captured 5
        180000 restarted \n120000 captured 6
        60000 cutOff \n0 restarted \n
        """, "\(lines); \(again)")
  }

  @Test func `In a rehearsal the pause counts as fast as the clock runs`() throws {
    var later = time(run: 0, sinceBoot: .minutes(121))
    later.speed = 20
    let memory = try taken(kept(), at: later)
    #expect(memory.lines(newest: 2, at: .start).hasPrefix("1800000 captured 5\n"), again)
  }

  // MARK: What is not this tracker's memory

  private func problem(_ text: String, _ boot: String = "b2") -> EventMemory.KeptEventsError? {
    var memory = EventMemory()
    do throws(EventMemory.KeptEventsError) {
      try memory.take(text, of: device, at: time(boot, run: 0, sinceBoot: .hours(3)))
      return nil
    } catch {
      #expect(memory == EventMemory(), "it is left as it was; \(again)")
      return error
    }
  }

  @Test func `A cloned card's memory is another device's, a second store's is not`() {
    let text = hour.kept(
      for: UniqueID(high: 9, low: 9), date: date, isOrderly: true,
      at: time(run: .hours(1), sinceBoot: .hours(2)))
    #expect(problem(text) == .otherDevice, again)
    #expect(problem(text, "b1") == nil, "the same machine without a restart; \(again)")
  }

  @Test func `A flipped bit, a cut end, another file or none of it is damage`() {
    let good = Array(kept(date: date).utf8)
    #expect(problem(String(decoding: good, as: UTF8.self)) == nil, again)
    for place in stride(from: 0, to: good.count, by: 7) {
      var bytes = good
      bytes[place] ^= 1
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(problem(text) != nil, "\(place); \(again)")
      #expect(problem(String(decoding: good[..<place], as: UTF8.self)) == .damaged, again)
    }
    for text in [
      "", "\n", "\0\0\0\0", "sum 0\n", "trackerd events 1\n", "# a note",
      String(repeating: "e 1 captured 1\n", count: 10_000),
    ] {
      #expect(problem(text) == .damaged, "\(text.prefix(40)); \(again)")
    }
    #expect(problem("trackerd events 2\nsum 0\n") == .otherVersion, again)
  }

  @Test func `It stays within its bound, and is read again`() throws {
    var memory = EventMemory()
    for number in 0..<2000 {
      let now = Instant.start + .seconds(Int64(number))
      memory.add(.ordered, String(repeating: "ñ", count: 300), at: now)
      memory.capturing(.registrationDenied, at: now)
      memory.sending(.serverRejected(code: 1), at: now)
    }
    let now = time(run: .hours(1), sinceBoot: .hours(2))
    let text = memory.kept(for: device, date: date, isOrderly: false, at: now)
    #expect(text.utf8.count <= FieldBounds.eventsBytes, "\(text.utf8.count); \(again)")
    let read = try taken(text, at: time(run: 0, sinceBoot: .hours(2)))
    let lines = read.lines(newest: .max, at: .start).split(separator: "\n")
    #expect(lines.count == FieldBounds.events, again)
    // What a socket answers is bounded, too, however much is before the restart.
    var pending = try taken(text, at: time("b2", run: 0, sinceBoot: .hours(2)))
    for _ in 0..<500 { pending.add(.captured, "1", at: .start) }
    #expect(
      pending.lines(newest: .max, at: .start).split(separator: "\n").count
        == FieldBounds.events, again)
    let kept = pending.kept(for: device, date: nil, isOrderly: true, at: now)
    #expect(kept.utf8.count <= FieldBounds.eventsBytes, again)
  }

  @Test func `A host is told that there is news`() throws {
    var memory = EventMemory()
    let before = memory.revision
    memory.sending(nil, at: .start)
    #expect(memory.revision != before, again)
  }
}
