import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// A file on a stick is a way to the server: the store knows what took it.
@Suite struct HandedOutTests {
  private let note = again("HandedOutTests")

  @Test func `What waits and was exported counts as sent before, also in a tracker's hands`() throws
  {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(1203)
    try store.acknowledge([1], at: start)
    try store.setAside([2], code: 7, at: start)
    try CaptureStore.noteHandedOut(scratch.path, through: 1201)
    let rows = try store.page(limit: 2000)
    #expect(rows.map(\.attempts) == [0] + Array(repeating: 1, count: 1200) + [0, 0], note)
    #expect(store.tally.pending == 1201 && store.tally.setAside == 1, note)
    // The tracker goes on, and each of its selections is one more attempt.
    try store.append(capture(1204), at: start)
    #expect(try store.select(.oldest(limit: 2), at: start).map(\.attempts) == [2, 2], note)
    #expect(try store.select(.freshest(limit: 2), at: start).map(\.attempts) == [1, 1], note)
  }

  @Test(arguments: SchemaVersions.all.indices)
  func `A store of any version is marked, or refused with what to do`(_ index: Int) throws {
    let scratch = try Scratch()
    let version = SchemaVersions.all[index]
    try SQLiteDatabase.store(path: scratch.path).execute("BEGIN; \(version); COMMIT")
    let before = scratch.files
    guard index > 0 else {
      let error = #expect(throws: StoreError.self, note) {
        try CaptureStore.noteHandedOut(scratch.path, through: 3)
      }
      #expect(error?.kind == .older(version: 1), note)
      #expect("\(error.map { "\($0)" } ?? "")".contains("start the tracker once on it"), note)
      #expect(scratch.files == before, note)
      return
    }
    // One that waits, and one behind what was handed out.
    try CaptureStore.noteHandedOut(scratch.path, through: 2)
    let attempts = { try CaptureStore.openForReading(scratch.path).page(limit: 9).map(\.attempts) }
    #expect(try attempts() == [0, 3, 0], "version \(index + 1); \(note)")
    try CaptureStore.noteHandedOut(scratch.path, through: 3)
    #expect(try attempts() == [0, 3, 1], "version \(index + 1); \(note)")
    #expect(try scratch.open().damagedRows == 0, "version \(index + 1); \(note)")
    #expect(try attempts() == [0, 3, 1], "version \(index + 1); \(note)")
  }

  @Test func `A second export changes nothing more`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(3)
    for _ in 0..<3 { try CaptureStore.noteHandedOut(scratch.path, through: 3) }
    #expect(try store.page(limit: 9).map(\.attempts) == [1, 1, 1], note)
  }

  @Test func `A store that is not there is not made`() throws {
    let scratch = try Scratch()
    #expect(throws: StoreError.self) {
      try CaptureStore.noteHandedOut(scratch.path, through: 3)
    }
    #expect(scratch.names.isEmpty, note)
  }
}
