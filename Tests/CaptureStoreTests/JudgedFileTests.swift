import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What a file is taken for before it is opened as a store.
@Suite struct JudgedFileTests {
  private let note = again("JudgedFileTests")
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [4, 5, 6, 7] as [Int32])
  func `From the fifth version on an identity has to have the right checksum`(
    _ version: Int32
  ) throws {
    do {
      let database = try SQLiteDatabase.store(path: scratch.path)
      try Schema.migrate(database, from: 0, to: version)
      try database.execute(
        """
        INSERT INTO identities (device, madeAt, firstSequence, reservedBelow)
        VALUES ('00000000-0000-4000-8000-000000000000', 1, 1, 1)
        """)
    }
    let damage = try StoreFile(path: scratch.path, wasOurs: true).damage()
    #expect(damage == (version < 5 ? nil : "an identity is damaged"), note)
  }

  @Test func `A wrong number of the version is damage, also where somebody has analysed the file`()
    throws
  {
    for more in ["", "; ANALYZE"] {
      let scratch = try Scratch()
      try scratch.open().fill(30)
      try SQLiteDatabase(path: scratch.path).execute("PRAGMA user_version = 99" + more)
      let store = try scratch.open()
      guard case .salvaged(let salvage) = store.opening else {
        Issue.record("\(store.opening); \(note)")
        continue
      }
      #expect(salvage.damage == "its mark or version is damaged", note)
      #expect(salvage.recovered == 30, note)
    }
  }

  @Test func `A reader does not take another program's damaged file for ours either`() throws {
    try SQLiteDatabase(path: scratch.path).execute(
      "CREATE TABLE other (a); INSERT INTO other VALUES (1)")
    var bytes = scratch.bytes()
    bytes[4096] = 0xEE
    try scratch.write(bytes)
    let error = refusal { () throws(StoreError) in try CaptureStore.openForReading(scratch.path) }
    #expect(error?.kind == .notAStore, "\(String(describing: error)); \(note)")
  }

  @Test func `A store whose mark is damaged is read`() throws {
    try scratch.open().fill(2)
    var bytes = scratch.bytes()
    bytes[68] ^= 1
    try scratch.write(bytes)
    let reader = try CaptureStore.openForReading(scratch.path)
    #expect(reader.damage == "its mark or version is damaged", note)
    #expect(try reader.numbers() == [1, 2], note)
  }

  /// Free pages hold older states of a row. A table of the same form stands for them here.
  @Test(
    arguments: [
      ("pending", 0, "acknowledged", 0, "acknowledged"),
      ("acknowledged", 0, "pending", 0, "acknowledged"),
      ("pending", 0, "setAside", 0, "setAside"), ("setAside", 0, "inFlight", 0, "setAside"),
      ("setAside", 0, "pending", 1, "pending"), ("pending", 1, "setAside", 0, "pending"),
    ] as [(String, Int, String, Int, String)])
  func `Of several states of a row the last counts, and at one time the one further on its way`(
    _ state: String, _ time: Int, _ other: String, _ otherTime: Int, _ expected: String
  ) throws {
    try scratch.open().fill(1)
    do {
      let database = try SQLiteDatabase(path: scratch.path)
      let form = try #require(
        try database.text("SELECT sql FROM sqlite_schema WHERE name = 'captures'"))
      let name = try #require(form.range(of: "captures"))
      try database.execute(
        form.replacingCharacters(in: name, with: "others")
          + "; INSERT INTO others SELECT * FROM captures")
    }
    for (table, state, time) in [("captures", state, time), ("others", other, otherTime)] {
      try scratch.change(
        table, "state = '\(state)', stateChangedAt = \(time)", where: "key = 1", CaptureColumn.list)
    }
    var bytes = scratch.bytes()
    bytes[3] ^= 0xFF
    try scratch.write(bytes)
    let store = try scratch.open()
    guard case .salvaged = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(try store.page(limit: 9).map(\.state.rawValue) == [expected], note)
  }

  @Test func `A damaged store without captures is still a store to a reader`() throws {
    _ = try scratch.open()
    var bytes = scratch.bytes()
    // In the middle of the schema, which is on several pages.
    let text = Array("CREATE TABLE captures".utf8)
    var spoilt = 0
    for place in bytes.indices.dropLast(600) where bytes[place...].starts(with: text) {
      for index in place..<place + 600 { bytes[index] = 0xEE }
      spoilt += 1
    }
    #expect(spoilt > 0, note)
    try scratch.write(bytes)
    let reader = try CaptureStore.openForReading(scratch.path)
    #expect(reader.damage != nil && reader.tally.rows == 0, note)
  }

  @Test func `What an earlier version's salvage had written and not yet renamed takes its place`()
    throws
  {
    let device: UniqueID
    do {
      let store = try scratch.open()
      device = store.device
      try store.fill(3)
      try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try store.fill(2)
      let files = scratch.files
      let other = try Scratch()
      try other.put([
        "race.store.salvage": files["race.store"] ?? [],
        "race.store.salvage-wal": files["race.store-wal"] ?? [],
        "race.store-wal": [1, 2, 3], "race.store.lock": [],
      ])
      let found = try other.open()
      #expect(found.device == device && found.opening == .opened, note)
      #expect(try found.numbers() == [1, 2, 3, 4, 5], note)
      #expect(!other.names.contains { $0.contains(".salvage") }, "\(other.names); \(note)")
    }
  }
}
