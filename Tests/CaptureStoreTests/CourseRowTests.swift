import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// Where on the course captures were taken, and what was reported of places.
@Suite struct CourseRowTests {
  private let note: Comment = "repeat with: swift test --filter CourseRowTests"

  private func capture(_ sequence: UInt32, _ mark: CourseMark?) -> Capture {
    var capture = Capture(
      sequence: sequence, utc: UTC(milliseconds: 5), isTimeTrusted: true,
      position: Coordinate(latitude: 1, longitude: 2), team: InlineText(), trigger: .entered)
    capture.mark = mark
    return capture
  }

  @Test func `A capture keeps its distance and its place, through its history`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    store.placeNames = ["Olot", "Sant Feliu: de Pallerols"]
    try store.append(
      capture(1, CourseMark(doneMetres: 38_600, toGoMetres: 62_800, place: 1)), at: now)
    try store.append(capture(2, CourseMark(doneMetres: 39_000, toGoMetres: 62_400)), at: now)
    try store.append(capture(3, nil), at: now)
    let rows = try store.newest(3).sorted { $0.capture.sequence < $1.capture.sequence }
    #expect(rows.map(\.capture.trigger) == [.entered, .entered, .entered], note)
    #expect(
      try store.mark(of: rows[0])
        == StoredMark(doneMetres: 38_600, toGoMetres: 62_800, place: "Sant Feliu  de Pallerols"))
    #expect(
      try store.mark(of: rows[1])
        == StoredMark(doneMetres: 39_000, toGoMetres: 62_400, place: nil))
    #expect(try store.mark(of: rows[2]) == nil)
    #expect(try store.history(of: rows[0]).steps.isEmpty, note)
  }

  private func record(date: Int, sinceBoot: Int, boot: String, entered: Int) -> String {
    "c12000:3:-1:0:-1:0:7:1:2:0:-1:\(entered):0:0:\(date):1:\(sinceBoot):\(boot)"
  }

  /// What a store has of the course after records were found in that order.
  private func kept(_ words: [String]) throws -> String? {
    let store = try CaptureStore.open(.memory, at: UTC(milliseconds: 5))
    for words in words { try HistoryWords.move(words, key: 0, to: store.database) }
    return try store.database.text(
      """
      SELECT printf('%d %d %s %d', time, sinceBootMilliseconds, boot, entered) FROM course
      WHERE \(CourseRow.Column.isWhole)
      """)
  }

  @Test func `Without a name of the boot the date says which record of the course is later`() throws
  {
    let old = record(date: 9000, sinceBoot: 100, boot: "", entered: 4)
    for (new, wanted) in [
      (record(date: 9001, sinceBoot: 50, boot: "", entered: 4), "9001 50  4"),
      (record(date: 8000, sinceBoot: 101, boot: "", entered: 4), "9000 100  4"),
    ] {
      #expect(try kept([old, new]) == wanted, "\(new); \(note)")
      #expect(try kept([new, old]) == wanted, "\(new); \(note)")
    }
  }

  @Test func `A damaged record of version 10 is not kept`() throws {
    let store = try CaptureStore.open(.memory, at: UTC(milliseconds: 5))
    try store.database.execute("INSERT INTO history VALUES (0, 'c1:2:3:0', 1)")
    try HistoryWords.move(in: store.database)
    #expect(try store.database.text("SELECT count(*) FROM history") == "0", note)
    #expect(try store.database.text("SELECT count(*) FROM course") == "0", note)
  }

  @Test func `Of two records of the course the one written later is taken`() throws {
    let old = record(date: 9000, sinceBoot: 100, boot: "a", entered: 4)
    for (new, wanted) in [
      (record(date: 9001, sinceBoot: 50, boot: "b", entered: 4), "9001 50 b 4"),
      // Once the passage has its capture; and after the date was put back.
      (record(date: 9000, sinceBoot: 100, boot: "a", entered: 0), "9000 100 a 0"),
      (record(date: 8000, sinceBoot: 101, boot: "a", entered: 4), "8000 101 a 4"),
      ("c1:2:3", "9000 100 a 4"), ("c12000:3:-1:0", "9000 100 a 4"),
    ] {
      #expect(try kept([old, new]) == wanted, "\(new); \(note)")
      #expect(try kept([new, old]) == wanted, "\(new); \(note)")
    }
  }

  @Test func `The marks of a page are read in one go, and a damaged one is not believed`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    store.placeNames = ["Olot"]
    for sequence in UInt32(1)...6 {
      let isMarked = sequence % 3 != 0
      let mark = CourseMark(doneMetres: Int32(sequence) * 100, toGoMetres: 7, place: 0)
      try store.append(capture(sequence, isMarked ? mark : nil), at: now)
    }
    // One that has a history, too, and one that has nothing else.
    let keys = try store.newest(6).map(\.key)
    try store.setAside([keys[0], keys[2]], code: 400, at: now)
    try store.requeue(at: now)
    let page = try store.page(after: .none, limit: 5)
    let marks = try store.marks(of: page)
    #expect(marks.count == 4, note)
    for capture in page { #expect(try marks[capture.key] == store.mark(of: capture), note) }
    #expect(try store.marks(of: []).isEmpty, note)
    try store.database.execute("UPDATE marks SET place = 'Elsewhere' WHERE key = 1")
    #expect(try store.marks(of: page).count == 3, note)
  }

  @Test func `A capture that is removed takes its mark with it`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    for sequence in UInt32(1)...4 {
      let mark = CourseMark(doneMetres: Int32(sequence), toGoMetres: 7)
      try store.append(capture(sequence, mark), at: now)
    }
    try store.acknowledge([1, 2, 4], at: now)
    #expect(try store.makeRoom() == 2, note)
    #expect(try store.database.text("SELECT group_concat(key) FROM marks") == "3,4", note)
  }

  @Test func `A capture from a file has its place, and is sent with it`() throws {
    let marked = capture(1, CourseMark(doneMetres: 100, toGoMetres: 7))
    let device = UniqueID(high: 1, low: 2)
    let store = try CaptureStore.holding(
      [
        .init(marked, device: device, id: UniqueID(high: 3, low: 4), placeName: "Amer"),
        .init(capture(2, nil), device: device, id: UniqueID(high: 3, low: 5)),
      ], at: UTC(milliseconds: 9))
    let page = try store.page(limit: 10)
    #expect(
      try page.map { try store.mark(of: $0) }
        == [StoredMark(doneMetres: 100, toGoMetres: 7, place: "Amer"), nil], note)
  }

  @Test(arguments: [
    (String(repeating: "山", count: 50), 40), (String(repeating: "👨‍👩‍👧‍👦", count: 50), 4),
    ("e" + String(repeating: "\u{301}", count: 500), 0),
  ])
  func `A place's name is kept as far as a request has room for it`(
    _ name: String, _ characters: Int
  ) throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    store.placeNames = [name]
    try store.append(capture(1, CourseMark(doneMetres: 1, toGoMetres: 2, place: 0)), at: now)
    let mark = try #require(try store.mark(of: try store.newest(1)[0]))
    #expect(mark.place ?? "" == String(name.prefix(characters)), note)
  }

  /// With a value of its own in each field.
  private var record: CourseRecord {
    var record = CourseRecord(done: 12_000, next: 3, inside: -1, isFinished: false)
    (record.course, record.unseen, record.knownFrom) = (4_000_000_001, 2, 1_234_567)
    record.position = Coordinate(latitude: -421_234_567, longitude: 23_456_789)
    (record.away, record.offSeconds) = (321, 77)
    record.wanted = WantedPassages(entered: 1 << 39, inferred: 6, left: 1)
    record.forecast.walked(
      to: 0, checkpoints: 0, at: UTC(milliseconds: 1_776_499_000_000), isNight: false)
    record.coverage = CourseCoverage([1 << 63, 2, 4, .max])
    return record
  }

  @Test func `What is known of the course is remembered, and forgotten with the session`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    let time = MachineTime(boot: "b-1", now: .start, sinceBoot: 5000, date: now)
    var memory = Memory()
    var dated = record
    dated.at = Moment(utc: now)
    var running = record
    running.at = Moment(at: Instant(milliseconds: -1000))
    for record in [
      record, dated, running, CourseRecord(done: 100_000, next: 9, inside: 8, isFinished: true),
      nil,
    ] {
      memory.course = record
      try store.remember(memory, at: time)
      var expected = record
      // A moment of this boot is known by its clock, too.
      if record == dated { expected?.at = Moment(utc: now) }
      #expect(try store.memory(at: time).course == expected, note)
    }
    // After another boot only a trusted date counts.
    memory.course = running
    try store.remember(memory, at: time)
    let later = MachineTime(boot: "b-2", now: .start, sinceBoot: 5000, date: now)
    #expect(try store.memory(at: later).course?.at == Moment(), note)
  }

  @Test func `A damaged row of the coverage is none, and what contradicts itself is reached`()
    throws
  {
    let time = MachineTime(now: .start, date: UTC(milliseconds: 1_776_499_242_000))
    let store = try CaptureStore.open(.memory, at: UTC(milliseconds: 5))
    var memory = Memory()
    memory.course = record
    try store.remember(memory, at: time)
    try store.database.execute(
      """
      UPDATE coverage SET silentLow = -1, reachedLow = 1,
        checksum = row_checksum(1, 1, reachedHigh, -1, silentHigh)
      """)
    let both = try #require(try store.memory(at: time).course)
    #expect(both.coverage[0] == .reached && both.coverage[1] == .silent, note)
    try store.database.execute("UPDATE coverage SET silentLow = 7")
    let damaged = try #require(try store.memory(at: time).course)
    #expect(damaged.coverage.isEmpty && damaged.done == 12_000, note)
  }

  @Test func `A record of an earlier program is read, and nonsense is not`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let time = MachineTime(now: .start, date: now)
    let store = try CaptureStore.open(.memory, at: now)
    func move(_ words: String) throws {
      try store.database.execute("DELETE FROM course")
      try HistoryWords.move(words, key: 0, to: store.database)
    }
    try move("c12000:3:-1:0")
    #expect(
      try store.memory(at: time).course
        == CourseRecord(done: 12_000, next: 3, inside: -1, isFinished: false), note)
    let whole =
      "c32640:3:-1:0:-1:0:2871759841:419936265:26176538:1:-1:0:0:0:1776525636000:1:-540800::"
      + "1776499242000:26280:32478:0:26400:32640:26400:32640:2:0:30018:342:32478:185475:27097:"
      + "39549:22785:-29912:1329:135774:-4537:89382:1943:31:1074:1267:2"
    try move(whole)
    #expect(try store.memory(at: time).course?.forecast != ArrivalForecast(), note)
    let parts = whole.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices {
      for hostile in ["", "x", "-1", "\(Int64.max)", "\(Int64.min)", "99999999999999999999"] {
        var changed = parts
        changed[index] = (index == 0 ? "c" : "") + hostile
        try move(changed.joined(separator: ":"))
        _ = try store.memory(at: time)
      }
      try move(parts[...index].joined(separator: ":"))
      _ = try store.memory(at: time)
    }
    for words in ["", "c", "c:::", "c:::::::::::::::::", "m1:2:", "x"] {
      try move(words)
      #expect(try store.memory(at: time).course == nil, "\(words); \(note)")
    }
  }

  @Test func `A row of the course with a right checksum may hold anything`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let time = MachineTime(now: .start, date: now)
    let store = try CaptureStore.open(.memory, at: now)
    var memory = Memory()
    memory.course = record
    for column in CourseRow.Column.allCases.dropFirst() {
      for hostile in ["NULL", "'x'", "-1", "\(Int64.max)", "\(Int64.min)", "1.5", "x'00'"] {
        try store.remember(memory, at: time)
        try? store.database.execute("UPDATE course SET \(column.name) = \(hostile)")
        try store.database.execute(
          "UPDATE course SET checksum = row_checksum(\(CourseRow.Column.list))")
        _ = try store.memory(at: time)
        try CourseRow.settle(WantedPassages.One(.entered, place: 39), in: store.database)
      }
    }
  }

  @Test func `A stored capture of a passage is not wanted after a power cut`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let time = MachineTime(now: .start, date: now)
    let store = try CaptureStore.open(.memory, at: now)
    var memory = Memory()
    memory.course = record
    memory.course?.wanted = WantedPassages(entered: 0b110, inferred: 0, left: 0b010)
    try store.remember(memory, at: time)
    try store.append(
      capture(1, CourseMark(doneMetres: 38_600, toGoMetres: 62_800, place: 1)), at: now)
    // No record is written after it.
    memory.course?.wanted = WantedPassages(entered: 0b100, inferred: 0, left: 0b010)
    var read = try store.memory(at: time).course
    read?.at = Moment()
    #expect(read == memory.course, note)
  }

  @Test func `A mark stays through any number of steps`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    let name = String(repeating: "Sant Feliu ", count: 4)
    store.placeNames = [name]
    try store.append(capture(1, CourseMark(doneMetres: 5, toGoMetres: 6, place: 0)), at: now)
    try store.append(capture(2, nil), at: now)
    for turn in 1...60 {
      try store.database.execute(
        HistoryRow.adding("'n' || \(turn * 1000)", where: "c.sequence < 3"))
    }
    let rows = try store.newest(2).sorted { $0.capture.sequence < $1.capture.sequence }
    #expect(try store.mark(of: rows[0])?.doneMetres == 5, note)
    #expect(try store.mark(of: rows[0])?.place?.hasPrefix("Sant Feliu ") == true, note)
    let (marked, plain) = (try store.history(of: rows[0]), try store.history(of: rows[1]))
    #expect(marked == plain && marked.isCut && marked.steps.count > 10, note)
    #expect(marked.steps.last == .unanswered(now + .seconds(60_000)), note)
  }

  @Test(arguments: ["", "m5:6:Coll\u{A0}de\u{A0}Nargó "])
  func `A history that was cut between two steps is known to be cut`(_ mark: String) throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    try store.append(capture(1, CourseMark(doneMetres: 5, toGoMetres: 6)), at: now)
    let row = try store.newest(1)[0]
    // 24 steps of five bytes each, and with the space before them or the first one's end.
    let steps = Array(repeating: "n100", count: 24).joined(separator: " ")
    for (text, whole, isCut) in [
      (" " + steps, 24, true), ("7 " + String(steps.dropFirst(1)), 23, true), (steps, 24, false),
    ] {
      try store.database.execute("DELETE FROM history")
      if mark.isEmpty {
        try store.database.execute(
          "INSERT INTO history VALUES (1, '\(text)', row_checksum(1, '\(text)'))")
      } else {
        try HistoryWords.move(mark + text, key: 1, to: store.database)
        #expect(try store.mark(of: row)?.place == "Coll de Nargó", note)
      }
      let history = try store.history(of: row)
      #expect(history.steps.count == whole && history.isCut == isCut, "\(history); \(note)")
    }
  }

  @Test func `Record and marks are salvaged, and go to a second store`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let time = MachineTime(now: .start, date: now)
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.append(capture(1, CourseMark(doneMetres: 5, toGoMetres: 6, place: 1)), at: now)
    var memory = Memory()
    for turn in Int32(1)...3 {
      memory.course = record
      memory.course?.done = turn
      try store.remember(memory, at: time)
    }
    let salvaged = try SQLiteDatabase.store(path: scratch.path + ".new")
    _ = try Salvager.copy(
      try StoreImage(path: scratch.path), to: salvaged, damage: "none", at: now)
    // The network is found again; the way is not.
    var expected = memory.course
    expected?.coverage = CourseCoverage()
    #expect(try CourseRow.record(salvaged, time) == expected, note)
    let key = try #require(try salvaged.integer("SELECT key FROM captures"))
    #expect(try MarkRow.marks(key...key, salvaged).first?.value.doneMetres == 5, note)
    let second = try CaptureStore.open(.memory, at: now)
    try StoredMemory.copy(store.database, to: second.database)
    #expect(try second.memory(at: time).course == memory.course, note)
  }

  @Test(arguments: 1...9)
  func `After a torn page a capture has its own mark or none, and so the record`(
    _ tenth: Int
  ) throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let time = MachineTime(now: .start, date: now)
    let scratch = try Scratch()
    func fill() throws {
      let store = try scratch.open()
      for sequence in UInt32(1)...600 {
        try store.append(
          capture(sequence, CourseMark(doneMetres: Int32(sequence) * 10, toGoMetres: 6)), at: now)
      }
      var memory = Memory()
      memory.course = record
      try store.remember(memory, at: time)
    }
    try fill()
    var bytes = scratch.bytes()
    let page = bytes.count / 4096 * tenth / 10
    for index in page * 4096..<(page + 1) * 4096 { bytes[index] = 0xA5 }
    try scratch.write(bytes)
    let store = try scratch.open(at: now)
    let rows = try store.page(limit: .max)
    #expect(rows.count > 400, "\(store.opening); \(note)")
    let marks = try store.marks(of: rows)
    #expect(marks.count > 300, "\(store.opening); \(note)")
    for row in rows {
      let done = marks[row.key]?.doneMetres
      #expect(done == nil || done == Int32(row.capture.sequence) * 10, "\(row.key); \(note)")
    }
    var kept = try store.memory(at: time).course
    // Of the network's coverage nothing is salvaged.
    if kept?.coverage.isEmpty == true { kept?.coverage = record.coverage }
    #expect(kept == nil || kept == record, "\(kept as Any); \(note)")
  }
}
