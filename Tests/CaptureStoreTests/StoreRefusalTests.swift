import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What cannot be a store, or cannot be one now: one line that says what, where and what to do.
@Suite struct StoreRefusalTests {
  private let note = again("StoreRefusalTests")
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func check(_ error: StoreError?, _ kind: StoreError.Kind, _ words: String) {
    #expect(error?.kind == kind, "\(String(describing: error)); \(note)")
    let line = error?.description ?? ""
    #expect(line.contains(words), "\(line); \(note)")
    let end = String(error?.path.suffix(100) ?? "?")
    #expect(end.isEmpty || line.contains(end), "\(line); \(note)")
    #expect(!line.contains("\n") && line.utf8.count < 400, "\(line); \(note)")
  }

  @Test(arguments: [false, true])
  func `Beside another program's file a lock file that was there stays, and no other does`(
    _ wasThere: Bool
  ) throws {
    try SQLiteDatabase(path: scratch.path).execute("CREATE TABLE songs (name TEXT)")
    if wasThere { try scratch.write([], ".lock") }
    let before = scratch.names
    #expect(refusal { () throws(StoreError) in try scratch.open() }?.kind == .notAStore, note)
    #expect(scratch.names == before && before.count == (wasThere ? 2 : 1), "\(before); \(note)")
  }

  @Test func `A second tracker on the same store is refused, a technician's reading is not`() throws
  {
    let store = try scratch.open()
    try store.fill(3)
    check(refusal { () throws(StoreError) in try scratch.open() }, .inUse, "another tracker")
    let other = try SQLiteDatabase(path: scratch.path, access: .readOnly)
    #expect(try other.integer("SELECT count(*) FROM captures") == 3, note)
    #expect(try other.text("SELECT team FROM overview LIMIT 1") == "Els Senglars", note)
    try store.fill(1)
    #expect(try other.integer("SELECT count(*) FROM captures") == 4, note)
  }

  @Test func `A reader beside the tracker sees what was there and can change none`() throws {
    let store = try scratch.open()
    try store.fill(3)
    _ = try store.select(.oldest(limit: 1), at: start)
    let reader = try CaptureStore.openForReading(scratch.path)
    #expect(reader.device == store.device && reader.counts == store.counts, note)
    try store.fill(1)
    #expect(try reader.numbers() == [1, 2, 3], "as of its opening; \(note)")
    #expect(try CaptureStore.openForReading(scratch.path).numbers() == [1, 2, 3, 4], note)
    #expect(try reader.numbers(.inFlight) == [1], "it releases nothing; \(note)")
    let error = #expect(throws: StoreError.self, note) {
      try reader.acknowledge([1], at: start)
    }
    #expect(error?.kind == .readOnly, note)
    let absent = refusal { () throws(StoreError) in
      try CaptureStore.openForReading(scratch.path + "x")
    }
    check(absent, .missing, "check the path")
    #expect(!scratch.names.contains { $0.hasPrefix("race.storex") }, "\(scratch.names)")
  }

  @Test func `A store that is let go can be had again`() throws {
    var store: CaptureStore? = try scratch.open()
    #expect(store?.opening == .created, note)
    store = nil
    #expect(try scratch.open().opening == .opened, note)
  }

  @Test func `A file of a later version is refused and left as it is`() throws {
    do {
      let store = try scratch.open()
      try store.fill(1)
    }
    try SQLiteDatabase(path: scratch.path).execute(
      "CREATE TABLE later (a); PRAGMA user_version = 99")
    let before = scratch.bytes()
    check(
      refusal { () throws(StoreError) in try scratch.open() }, .newer(version: 99, known: 18),
      "install the newer program")
    #expect(scratch.bytes() == before, note)
  }

  @Test(arguments: ["$GPRMC,093000,A*00\r\n", "SQLite format 2", "\u{0}\u{0}\u{0}"])
  func `A file that is something else is refused and left as it is`(_ text: String) throws {
    try scratch.write(Array(text.utf8))
    check(refusal { () throws(StoreError) in try scratch.open() }, .notAStore, "left as it is")
    #expect(scratch.bytes() == Array(text.utf8), note)
    #expect(scratch.names == ["race.store"], "\(scratch.names)")
  }

  @Test func `Another program's database is refused and left as it is`() throws {
    try SQLiteDatabase(path: scratch.path).execute(
      "CREATE TABLE captures (a); CREATE TABLE identity (b); INSERT INTO captures VALUES (1)")
    let before = scratch.bytes()
    check(refusal { () throws(StoreError) in try scratch.open() }, .notAStore, "left as it is")
    #expect(scratch.bytes() == before && scratch.names == ["race.store"], "\(scratch.names)")
  }

  @Test func `A directory, a missing parent and a file for a parent are refused`() throws {
    func refused(_ path: String) -> StoreError? {
      refusal { () throws(StoreError) in try CaptureStore.open(.file(path), at: start) }
    }
    check(refused(scratch.folder), .notAStore, "not a regular file")
    check(refused("/dev/full"), .notAStore, "not a regular file")
    check(refused(scratch.folder + "/gone/race.store"), .cannotOpen, "its directory exists")
    try scratch.write([1])
    check(refused(scratch.path + "/race.store"), .cannotOpen, "its directory exists")
    check(refused(""), .notAStore, "(no path)")
    check(refused(":memory:"), .notAStore, "choose another path")
    check(refused(String(repeating: "a", count: 5000)), .cannotOpen, "cannot be opened")
  }

  @Test func `A row that was written by hand is set aside when it is met`() throws {
    let store = try scratch.open()
    try store.fill(2)
    try SQLiteDatabase(path: scratch.path).execute(
      "UPDATE captures SET latitude = 99999999999 WHERE key = 2")
    #expect(try store.numbers() == [1] && store.damagedRows == 1, note)
  }

  @Test func `Another program's lock is waited for, then stated; nothing is lost`() throws {
    let store = try scratch.open()
    let other = try SQLiteDatabase(path: scratch.path)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: StoreError.self, note) { try store.fill(1) }
    check(error, .busy, "another program")
    try other.execute("ROLLBACK")
    try store.fill(1)
    #expect(try store.numbers() == [1], note)
  }

  @Test func `Two changes that wait for a lock take less time than an answer may`() throws {
    // A console waits two seconds for the facts.
    let store = try scratch.open()
    let wait = try #require(try store.database.integer("PRAGMA busy_timeout"))
    #expect(wait > 0 && 3 * wait <= 2000, note)
  }
}
