import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// Files that earlier versions of the program made.
@Suite struct MigrationTests {
  private let note = again("MigrationTests")

  @Test(arguments: SchemaVersions.all.indices)
  func `A store of any version is read without writing`(_ index: Int) throws {
    let version = SchemaVersions.all[index]
    let scratch = try Scratch()
    // As it was left by a clean stop, by a kill, and while it is in use.
    let database = try SQLiteDatabase.store(path: scratch.path)
    try database.execute("PRAGMA journal_mode = WAL; BEGIN; \(version); COMMIT")
    let device = UniqueID(high: 0x0011_AABB_CCDD_4EEF, low: 0x8011_2233_4455_6677)
    func expectRead(_ scratch: Scratch, _ place: SourceLocation = #_sourceLocation) throws {
      let before = scratch.files
      let store = try CaptureStore.openForReading(scratch.path)
      #expect(store.device == device && store.damage == nil, note, sourceLocation: place)
      let rows = try store.page(limit: 9)
      #expect(rows.map(\.capture.sequence) == [1, 2, 3], note, sourceLocation: place)
      #expect(rows.map(\.state) == [.acknowledged, .inFlight, .setAside], note)
      #expect(rows[0].capture.position == Coordinate(latitude: 10, longitude: 20), note)
      #expect(scratch.files == before, "it left a trace; \(note)", sourceLocation: place)
      // What is damaged is read too.
      var bytes = scratch.bytes()
      if bytes.count > 100 { bytes[8] ^= 0xFF }
      let copy = try Scratch()
      try copy.put(before)
      try copy.write(bytes)
      let damaged = try CaptureStore.openForReading(copy.path)
      // The log has the first page too, where there is one.
      let isHealed = before["race.store-wal"]?.isEmpty == false
      #expect((damaged.damage != nil) != isHealed, note, sourceLocation: place)
      #expect(damaged.device == device, note, sourceLocation: place)
      #expect(try damaged.numbers() == [1, 2, 3], note, sourceLocation: place)
    }
    try expectRead(scratch)
    let killed = try Scratch()
    try killed.put(scratch.files.filter { !$0.key.hasSuffix("-shm") })
    #expect(killed.names.contains("race.store-wal"), note)
    try expectRead(killed)
    _ = consume database
    #expect(scratch.names == ["race.store"], "\(scratch.names); \(note)")
    try expectRead(scratch)
  }

  @Test func `A store of version 1 keeps its identity and captures`() throws {
    let scratch = try Scratch()
    try SQLiteDatabase(path: scratch.path).execute(SchemaVersions.versionOne)
    let old = scratch.bytes()
    let device = UniqueID(high: 0x0011_AABB_CCDD_4EEF, low: 0x8011_2233_4455_6677)
    do {
      let store = try CaptureStore.open(
        .file(scratch.path), for: .board(BoardSerials(deviceTree: "10000000abc")), at: start)
      #expect(store.opening == .migrated(from: 1), note)
      #expect(store.device == device, "no board was known; \(note)")
      #expect(store.nextSequence == 4, note)
      #expect(store.counts == QueueCounts(pending: 1, setAside: 1), note)
      let rows = try store.page(limit: 9)
      let copy = try CaptureStore.open(.copy(of: old), for: .device(device), at: start)
      #expect(copy.opening == .migrated(from: 1) && copy.device == device, note)
      #expect(try copy.page(limit: 9) == rows, note)
      #expect(rows.map(\.state) == [.acknowledged, .inFlight, .setAside], note)
      #expect(rows.map(\.code) == [nil, nil, 1003] && rows.allSatisfy { $0.attempts == 0 }, note)
      try store.fill(1)
    }
    let store = try scratch.open()
    #expect(store.opening == .opened && store.device == device, note)
    #expect(try store.numbers() == [1, 2, 3, 4], note)
  }

  @Test func `A damaged store of version 1 is salvaged into one of today`() throws {
    let scratch = try Scratch()
    try SQLiteDatabase(path: scratch.path).execute(SchemaVersions.versionOne)
    var bytes = scratch.bytes()
    // The first page: nothing of the tables' names is left.
    for index in 16..<4096 { bytes[index] = 0xEE }
    try scratch.write(bytes)
    try scratch.write([], ".lock")
    let store = try scratch.open()
    guard case .salvaged(let salvage) = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(salvage.isIdentityKept && salvage.recovered == 3 && salvage.missing == 0, note)
    #expect(salvage.continuesAt == 4097, note)
    #expect(try store.page(limit: 9).map(\.state) == [.acknowledged, .inFlight, .setAside], note)
  }

  @Test func `Marks and the record of the course come out of the words of version 10`() throws {
    let scratch = try Scratch()
    try SQLiteDatabase.store(path: scratch.path).execute(SchemaVersions.versionTen)
    func expectKept(_ store: CaptureStore, _ place: SourceLocation = #_sourceLocation) throws {
      let rows = try store.page(limit: 9)
      let marks = try rows.map { try store.mark(of: $0) }
      #expect(
        marks == [
          StoredMark(doneMetres: 5, toGoMetres: 6, place: "Coll de Nargó"), nil,
          StoredMark(doneMetres: 7, toGoMetres: 8, place: nil),
        ], note, sourceLocation: place)
      let steps = try rows.map { try store.history(of: $0).steps.count }
      #expect(steps == [0, 1, 2], note, sourceLocation: place)
      let time = MachineTime(now: .start, date: start)
      #expect(
        try store.memory(at: time).course
          == CourseRecord(done: 12_000, next: 3, inside: -1, isFinished: false), note,
        sourceLocation: place)
      #expect(
        try store.database.text("SELECT group_concat(steps, ',') FROM history")
          == "n610,n610 a1210:400", note, sourceLocation: place)
    }
    try expectKept(try CaptureStore.openForReading(scratch.path))
    // Salvaged without SQLite, too.
    var bytes = scratch.bytes()
    bytes[8] ^= 0xFF
    let damaged = try Scratch()
    try damaged.write(bytes)
    try damaged.write([], ".lock")
    let salvaged = try damaged.open()
    guard case .salvaged = salvaged.opening else {
      Issue.record("\(salvaged.opening); \(note)")
      return
    }
    try expectKept(salvaged)
    let store = try scratch.open()
    #expect(store.opening == .migrated(from: 10), note)
    try expectKept(store)
  }

  /// Of a simulated walk with a server that loses answers, by the program of that version.
  @Test func `A store that version 10 wrote opens with all that it had`() throws {
    let file = Built.repository
      .appendingPathComponent("Tests/CaptureStoreTests/Stores/version-10.store")
    let bytes = [UInt8](try Data(contentsOf: file))
    let scratch = try Scratch()
    try scratch.write(bytes)
    for store in [try CaptureStore.openForReading(scratch.path), try scratch.open()] {
      #expect(store.tally == StoreTally(pending: 0, setAside: 3, acknowledged: 32), note)
      #expect(try store.numbers() == Array(1...35) && store.damagedRows == 0, note)
      #expect(store.damage == nil && store.nextSequence == 36, note)
      let rows = try store.page(limit: 99)
      let marks = try store.marks(of: rows)
      #expect(marks.count == 35, note)
      #expect(
        marks[28]
          == StoredMark(
            doneMetres: 16_727, toGoMetres: 82_955, place: "Sant Feliu de Pallerols"), note)
      #expect(try store.history(of: rows[11]).steps.count == 12, note)
      let memory = try store.memory(at: MachineTime(now: .start, date: start))
      #expect(memory.course?.position != nil && memory.session != nil, note)
    }
    // What is read without SQLite is the same.
    let damaged = try Scratch()
    try damaged.write([bytes[0] ^ 0xFF] + bytes.dropFirst())
    try damaged.write([], ".lock")
    let store = try damaged.open()
    #expect(try store.numbers() == Array(1...35), note)
    #expect(try store.marks(of: store.page(limit: 99)).count == 35, note)
  }

  /// Of a simulated walk whose machine was halted then, by the program of that version.
  @Test func `A store that version 12 wrote opens with its charge and its sleep`() throws {
    let file = Built.repository
      .appendingPathComponent("Tests/CaptureStoreTests/Stores/version-12.store")
    let scratch = try Scratch()
    try scratch.write([UInt8](try Data(contentsOf: file)))
    let moment = Moment(utc: UTC(milliseconds: 1_776_502_915_292))
    for store in [try CaptureStore.openForReading(scratch.path), try scratch.open()] {
      #expect(store.tally == StoreTally(pending: 0, setAside: 0, acknowledged: 13), note)
      #expect(try store.numbers() == Array(1...13) && store.damage == nil, note)
      let memory = try store.memory(at: MachineTime(now: .start, date: start))
      #expect(
        memory.charge
          == ChargeRecord(
            charge: 967_667, deviation: 33_988, drain: 999_547, drainDeviation: 400_000,
            at: moment), note)
      #expect(
        memory.sleep
          == SleepRecord(
            at: moment, alarm: Milliseconds(207_728), capture: Milliseconds(226_728),
            contact: Milliseconds(226_728), floor: Milliseconds(526_728),
            captured: Milliseconds(67_272),
            position: Coordinate(latitude: 421_596_272, longitude: 24_645_930)), note)
      #expect(memory.session?.number == 1, note)
    }
  }

  /// Its text takes more than the file's first page.
  @Test func `Any page of the schema may be lost: captures, marks and orders are salvaged`() throws
  {
    let scratch = try Scratch()
    let time = MachineTime(now: .start, date: start)
    do {
      let store = try scratch.open()
      for sequence in UInt32(1)...40 {
        var marked = capture(sequence)
        marked.mark = CourseMark(doneMetres: Int32(sequence), toGoMetres: 6)
        try store.append(marked, at: start)
      }
      var memory = Memory()
      memory.course = CourseRecord(done: 12_000, next: 3, inside: -1, isFinished: false)
      try store.remember(memory, at: time)
    }
    let bytes = scratch.bytes()
    let pages = stride(from: 0, to: bytes.count, by: 4096).filter { begin in
      begin == 0
        || String(decoding: bytes[begin..<begin + 4096], as: UTF8.self).contains("CREATE T")
    }
    #expect(pages.count > 1, note)
    for page in pages {
      let damaged = try Scratch()
      try damaged.write(
        bytes[..<page] + [UInt8](repeating: 0xA5, count: 4096) + bytes[(page + 4096)...])
      try damaged.write([], ".lock")
      let store = try damaged.open()
      guard case .salvaged(let salvage) = store.opening else {
        Issue.record("page at \(page): \(store.opening); \(note)")
        continue
      }
      #expect(salvage.recovered == 40 && salvage.isIdentityKept, "page at \(page); \(note)")
      #expect(try store.marks(of: store.page(limit: 99)).count == 40, "page at \(page); \(note)")
      #expect(try store.memory(at: time).course?.done == 12_000, "page at \(page); \(note)")
    }
  }
}
