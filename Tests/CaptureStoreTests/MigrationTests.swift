import SQLite
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
    let device = UniqueID(high: 0x0011_AABB_CCDD_4EEF, low: 0x8011_2233_4455_6677)
    do {
      let store = try CaptureStore.open(
        .file(scratch.path), for: .board(BoardSerials(deviceTree: "10000000abc")), at: start)
      #expect(store.opening == .migrated(from: 1), note)
      #expect(store.device == device, "no board was known; \(note)")
      #expect(store.nextSequence == 4, note)
      #expect(store.counts == QueueCounts(pending: 1, setAside: 1), note)
      let rows = try store.page(limit: 9)
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
}
