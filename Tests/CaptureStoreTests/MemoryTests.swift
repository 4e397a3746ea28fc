import Foundation
import Notes
import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// Orders and sessions on disk.
@Suite struct MemoryTests {
  private let note = again("MemoryTests")
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// An hour after the machine's start, half an hour after the tracker's.
  private func time(
    boot: String = "b1", after: Milliseconds = 0, date: UTC = start, speed: Int64 = 1
  ) -> MachineTime {
    MachineTime(
      boot: boot, now: .start + .minutes(30) + after, sinceBoot: .hours(1) + after,
      date: date + after, speed: speed)
  }

  private var memory: Memory {
    let begun = Moment(at: .start + .minutes(1), utc: start + .minutes(-29))
    return Memory(
      session: SessionRecord(number: 7, begun: begun, isOrdered: true),
      sessionOrder: Order(
        true, from: .button, given: Moment(at: .start + .minutes(1)), session: 7,
        configured: false),
      teamOrder: Order(
        InlineText(Array("Els Tardans, \"7\"".utf8).span), from: .socket,
        given: Moment(utc: start), session: 7, configured: InlineText()),
      charge: ChargeRecord(
        charge: 463_210, deviation: 31_000, drain: 1_400_000, drainDeviation: 90_000,
        at: Moment(at: .start + .minutes(2), utc: nil), covarianceBillionths: -123_456_789,
        bias: 23_456, contradictions: -2, held: 34_567, finalContact: 45_678,
        unmeasuredMilliseconds: 17_000),
      sleep: SleepRecord(
        at: Moment(at: .start + .minutes(3), utc: start + .minutes(-27)), alarm: .minutes(8),
        capture: .minutes(9), contact: .minutes(19), floor: .minutes(7), captured: .seconds(50),
        position: Coordinate(latitude: 421_800_000, longitude: -24_900_000), failedContacts: 2,
        capturePercent: 50, contactPercent: 600, spent: 56_789, planned: 67_890),
      emergency: EmergencyRecord(
        stage: .read, raised: Moment(at: .start + .minutes(4), utc: nil), origin: .button,
        firstSequence: 4_000_000_001, person: InlineText("Marta \"X\""), answered: start))
  }

  private var stopped: Memory {
    var memory = memory
    memory.session?.ending = .stopped
    memory.session?.ended = Moment(at: .start + .minutes(9), utc: nil)
    memory.sessionOrder?.value = false
    memory.teamOrder = nil
    return memory
  }

  @Test func `What is remembered comes back, by the clocks of the next start`() throws {
    #expect(try scratch.open().memory(at: time()) == Memory(), note)
    for memory in [memory, stopped, Memory(), memory] {
      try scratch.open().remember(memory, at: time())
      #expect(try scratch.open().memory(at: time()) == memory, note)
    }
    // The tracker is restarted ten minutes later, and its clock begins at 0.
    var later = time(after: .minutes(10))
    later.now = .start
    let again = try scratch.open().memory(at: later)
    #expect(again.session?.begun.at == .start + .minutes(-39), note)
    #expect(again.session?.begun.utc == start + .minutes(-29), note)
    #expect(again.teamOrder?.given == Moment(utc: start), note)
    // Another boot of the machine: only dates are left.
    let rebooted = try scratch.open().memory(at: time(boot: "b2"))
    #expect(rebooted.session?.begun == Moment(utc: start + .minutes(-29)), note)
    #expect(rebooted.sessionOrder?.given == Moment(), note)
    #expect(rebooted.sessionOrder?.value == true && rebooted.session?.number == 7, note)
  }

  @Test func `Across a halt the machine's own clock says how long it was`() throws {
    let store = try scratch.open()
    try store.remember(memory, at: time())
    // Eight minutes after the halt, in another boot.
    var woken = time(boot: "b2", date: start + .minutes(-27) + .minutes(8))
    woken.now = .start
    #expect(try store.memory(at: woken).sleep?.at.at == .start - .minutes(8), note)
    // Its clock stood still, ran backwards, or was never set.
    for date in [start + .minutes(-28), UTC(milliseconds: 0), start + .hours(40)] {
      woken.date = date
      let sleep = try store.memory(at: woken).sleep
      #expect(sleep != nil && sleep?.at.at == nil, "\(date); \(note)")
    }
    try store.database.execute("UPDATE sleep SET alarmMilliseconds = 1")
    #expect(try store.memory(at: woken).sleep == nil, "a damaged row; \(note)")
  }

  @Test func `A machine whose boot has no name knows dates only`() throws {
    let store = try scratch.open()
    try store.remember(memory, at: time(boot: ""))
    #expect(try store.memory(at: time(boot: "")).session?.begun.at == nil, note)
  }

  @Test func `A tracker whose time runs faster keeps the machine's`() throws {
    let store = try scratch.open()
    var memory = stopped
    memory.session?.ended = Moment(at: .start + .minutes(10), utc: nil)
    try store.remember(memory, at: time(speed: 20))
    // Twenty minutes of the tracker's ago, one of the machine's.
    let row = try #require(try store.memory(at: time()).session?.ended.at)
    #expect(row == .start + .minutes(29), note)
    #expect(try store.memory(at: time(speed: 20)) == memory, note)
  }

  @Test func `What was not dated has the machine's time, marked as such`() throws {
    let store = try scratch.open()
    let early = UTC(milliseconds: 90_000)
    try store.remember(memory, at: time(date: early))
    let database = try SQLiteDatabase(path: scratch.path, access: .readOnly)
    #expect(try database.integer("SELECT time FROM orders WHERE key = 'session'") == -1_650_000)
    #expect(
      try database.integer("SELECT isTimeTrusted FROM orders WHERE key = 'session'") == 0, note)
    #expect(
      try database.integer("SELECT isTimeTrusted FROM orders WHERE key = 'team'") == 1, note)
    #expect(try store.memory(at: time()).sessionOrder?.given.utc == nil, note)
  }

  @Test func `A person reads key, value, origin and time`() throws {
    try scratch.open().remember(memory, at: time())
    let database = try SQLiteDatabase(path: scratch.path, access: .readOnly)
    let rows = try #require(
      try database.text(
        """
        SELECT group_concat(key || '|' || value || '|' || origin || '|' || configured, '\n')
        FROM (SELECT * FROM orders ORDER BY key)
        """))
    #expect(
      rows == "session|start|button|false\nteam|Els Tardans, \"7\"|socket|", "\(rows); \(note)")
  }

  @Test func `The words in the file are those that every version has written`() throws {
    let store = try scratch.open()
    let other = try SQLiteDatabase(path: scratch.path)
    let origins: [(Origin, String)] = [
      (.socket, "socket"), (.console, "console"), (.button, "button"), (.script, "script"),
    ]
    for (origin, word) in origins {
      var memory = memory
      memory.sessionOrder?.origin = origin
      memory.teamOrder?.origin = origin
      try store.remember(memory, at: time())
      #expect(try store.memory(at: time()) == memory, "\(word); \(note)")
      #expect(
        try other.text("SELECT group_concat(origin) FROM orders") == "\(word),\(word)", note)
    }
    let keys =
      "SELECT group_concat(key || ' ' || configured) FROM (SELECT * FROM orders ORDER BY 1)"
    #expect(try other.text(keys) == "session false,team ", note)
    for (ending, word) in [(.stopped, "stopped"), (.finished, "finished")]
      as [(SessionRecord.Ending, String)]
    {
      var memory = stopped
      memory.session?.ending = ending
      try store.remember(memory, at: time())
      #expect(try store.memory(at: time()) == memory, "\(word); \(note)")
      #expect(try other.text("SELECT ending FROM sessions") == word, note)
    }
    let value = "SELECT value FROM orders WHERE key = 'session'"
    #expect(try other.text(value) == "stop", note)
    try store.remember(memory, at: time())
    #expect(try other.text(value) == "start", note)
  }

  @Test func `All of it is kept or nothing`() throws {
    let store = try scratch.open()
    try store.remember(memory, at: time())
    // A disk that fails in the middle: the session's row is not taken any more.
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute(
      """
      CREATE TRIGGER broken BEFORE INSERT ON sessions
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    #expect(throws: StoreError.self, note) { try store.remember(stopped, at: time()) }
    #expect(try store.memory(at: time()) == memory, note)
    try other.execute("DROP TRIGGER broken")
    try store.remember(stopped, at: time())
    #expect(try store.memory(at: time()) == stopped, note)
  }

  @Test func `Rows that make no sense are left out, and the others are read`() throws {
    try scratch.open().remember(memory, at: time())
    let spoilings = ["origin = 'moon'", "value = 'dance'", "session = -1"]
    for spoiling in spoilings {
      try scratch.open().remember(memory, at: time())
      // The checksum fits: as a later program might have written it.
      try scratch.change("orders", spoiling, where: "key = 'session'", OrderRow.Column.list)
      let read = try scratch.open().memory(at: time())
      #expect(read.sessionOrder == nil, "\(spoiling); \(note)")
      #expect(read.teamOrder == memory.teamOrder && read.session == memory.session, note)
    }
  }

  @Test func `A session that never ended has no end, whatever its row says of one`() throws {
    try scratch.open().remember(stopped, at: time())
    try scratch.change("sessions", "ending = NULL", where: "number = 7", SessionRow.Column.list)
    let session = try #require(try scratch.open().memory(at: time()).session)
    #expect(session.ending == nil && session.ended == Moment(), note)
  }

  @Test func `A time too far away for the tracker's clock leaves the date`() throws {
    let fast = time(speed: 1000)
    let kept = StoredMoment(
      time: start, isTrusted: true, boot: "b1", sinceBoot: Milliseconds(.min / 2))
    #expect(fast.moment(kept) == Moment(utc: start), note)
    #expect(time(speed: 0).speed == 1, note)
    // Half an hour of the tracker's clock, at twice the machine's pace.
    let moment = Moment(at: .start, utc: nil)
    let twice = time(speed: 2).kept(moment)
    #expect(twice.sinceBoot == .minutes(45) && twice.time == start + .minutes(-15), note)
    #expect(time(speed: 2).moment(twice) == moment, note)
    // What has a date only is of no boot.
    #expect(time().kept(Moment(utc: start)).boot == "", note)
    #expect(time().kept(Moment(utc: start)).sinceBoot == .hours(1), note)
  }

  @Test func `A flipped bit in an order or a session is not believed`() throws {
    let spoilings = [
      "UPDATE orders SET value = 'Els Tardanz' WHERE key = 'team'",
      "UPDATE sessions SET startedAt = startedAt + 1048576 WHERE number = 7",
    ]
    for (index, spoiling) in spoilings.enumerated() {
      let store = try scratch.open()
      var earlier = stopped
      earlier.session?.number = 6
      try store.remember(earlier, at: time())
      try store.remember(memory, at: time())
      try SQLiteDatabase(path: scratch.path).execute(spoiling)
      #expect((try store.memory(at: time()).teamOrder == nil) == (index == 0), note)
      #expect((try store.memory(at: time()).session == nil) == (index == 1), note)
      _ = consume store
      let again = try scratch.open()
      #expect(again.damagedRows == 1, "\(spoiling); \(note)")
      let read = try again.memory(at: time())
      #expect((read.teamOrder == nil) == (index == 0), "\(spoiling); \(note)")
      // The session before the damaged one does not take its place.
      #expect((read.session == nil) == (index == 1), "\(spoiling); \(note)")
      #expect(read.sessionOrder == memory.sessionOrder, note)
    }
  }

  @Test func `Old sessions go, the last hundred stay`() throws {
    let store = try scratch.open()
    var memory = memory
    for number: UInt32 in 1...250 {
      memory.session?.number = number
      try store.remember(memory, at: time())
    }
    let database = try SQLiteDatabase(path: scratch.path, access: .readOnly)
    #expect(try database.integer("SELECT count(*) FROM sessions") == 100, note)
    #expect(try store.memory(at: time()).session?.number == 250, note)
  }

  @Test func `A store from before orders has none, and takes them`() throws {
    try SQLiteDatabase(path: scratch.path).execute(SchemaVersions.versionTwo)
    let store = try scratch.open()
    #expect(store.opening == .migrated(from: 2), note)
    #expect(try store.memory(at: time()) == Memory(), note)
    try store.remember(memory, at: time())
    #expect(try store.memory(at: time()) == memory, note)
    #expect(try store.numbers() == [1, 2, 3], note)
  }

  @Test func `Charge and sleep of a store from before what was learned are taken over`() throws {
    for damage in ["", "battery SET drainMillionths = 1", "sleep SET alarmMilliseconds = 1"] {
      let scratch = try Scratch()
      let old = try SQLiteDatabase.store(path: scratch.path)
      try old.execute(SchemaVersions.versionTwelve)
      if !damage.isEmpty { try old.execute("UPDATE \(damage)") }
      _ = consume old
      let moment = Moment(utc: UTC(milliseconds: 77_000))
      var expected = Memory(
        charge: ChargeRecord(
          charge: 463_210, deviation: 31_000, drain: 1_400_000, drainDeviation: 90_000, at: moment),
        sleep: SleepRecord(
          at: moment, alarm: .minutes(8), capture: .minutes(9), contact: .minutes(19),
          floor: .minutes(7), captured: .seconds(50),
          position: Coordinate(latitude: 421_800_000, longitude: -24_900_000), failedContacts: 2,
          capturePercent: 50, contactPercent: 600))
      if damage.hasPrefix("battery") { expected.charge = nil }
      if damage.hasPrefix("sleep") { expected.sleep = nil }
      func expectKept(_ store: CaptureStore, _ place: SourceLocation = #_sourceLocation) throws {
        let memory = try store.memory(at: time(boot: "b2"))
        #expect(
          memory.charge == expected.charge && memory.sleep == expected.sleep,
          "\(damage); \(note)", sourceLocation: place)
      }
      try expectKept(try CaptureStore.openForReading(scratch.path))
      let store = try scratch.open()
      #expect(store.opening == .migrated(from: 12), note)
      try expectKept(store)
      try store.remember(self.memory, at: time())
      #expect(try store.memory(at: time()) == self.memory, note)
    }
  }

  @Test func `Any number in charge and sleep comes back as one that fits`() throws {
    let store = try scratch.open()
    for number in [Int64.min, -1, 0, .max] {
      let part = Int32(clamping: number)
      var memory = memory
      memory.charge = ChargeRecord(
        charge: part, deviation: part, drain: part, drainDeviation: part,
        at: Moment(at: .start + .minutes(2)), covarianceBillionths: part, bias: part,
        contradictions: Int8(clamping: number), held: part, finalContact: part,
        unmeasuredMilliseconds: part)
      memory.sleep?.spent = part
      memory.sleep?.planned = part
      try store.remember(memory, at: time())
      #expect(try store.memory(at: time()) == memory, "\(number); \(note)")
    }
  }

  @Test(arguments: [SchemaVersions.versionFour, SchemaVersions.versionSix])
  func `Orders of a store without checksums for them are taken over`(_ version: String) throws {
    for isDamaged in [false, true] {
      let scratch = try Scratch()
      try SQLiteDatabase.store(path: scratch.path).execute(version)
      if isDamaged {
        var bytes = scratch.bytes()
        // The mark of SQLite; the number of the version stands.
        bytes[8] ^= 0xFF
        try scratch.write(bytes)
      }
      let memory = try scratch.open().memory(at: time())
      #expect(
        memory.teamOrder?.value == InlineText(Array("Els Tardans".utf8).span),
        "damaged: \(isDamaged); \(note)")
      #expect(memory.session?.number == 1, "damaged: \(isDamaged); \(note)")
      #expect(try scratch.open().memory(at: time()) == memory, note)
    }
  }

  @Test func `A salvaged store keeps orders, session, emergency, messages and notes`() throws {
    let messages = [
      KeptMessage(
        number: 1, kind: .read, text: "", author: "Marta", created: start, sequence: 4_000_000_002),
      KeptMessage(number: 2, kind: .message, text: "Coratge!", author: "Pau", created: nil),
    ]
    var notes = Notebook()
    // A row with as many columns as that of an emergency.
    let setting = SettingOrder(
      path: "capture.interval", value: "5 min", who: "anna", given: Moment(utc: start), session: 7,
      configured: "")
    do {
      let store = try scratch.open()
      try store.fill(900)
      var earlier = stopped
      earlier.emergency?.stage = .stored
      earlier.emergency?.person = InlineText()
      try store.remember(earlier, at: time())
      try store.remember(memory, at: time())
      try store.remember([setting], at: time())
      try store.keep(messages)
      try store.write(.add(text: "at CP4", category: "route"), by: "anna", at: start)
      notes = try store.notebook()
      try store.keep(Array(notes.versions)) { _ in 7 }
    }
    var bytes = scratch.bytes()
    // A page in the middle, which captures fill.
    let middle = bytes.count / 4096 / 2 * 4096
    for index in middle..<middle + 4096 { bytes[index] = 0xA5 }
    try scratch.write(bytes)
    let store = try scratch.open()
    guard case .salvaged = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    var expected = memory
    // The first measurement replaces it.
    expected.charge = nil
    // The next start is one as after a power cut.
    expected.sleep = nil
    #expect(try store.memory(at: time()) == expected, note)
    #expect(try store.settingOrders(at: time()) == [setting], note)
    #expect(try store.messages() == messages, note)
    #expect(try store.notebook() == notes && notes.versions.count == 1, note)
    #expect(try store.lastServedNote()?.object == 7, note)
  }
}
