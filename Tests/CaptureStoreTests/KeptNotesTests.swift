import Notes
import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// Notes on disk.
@Suite struct KeptNotesTests {
  private let note = again("KeptNotesTests")
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func add(_ text: String, to store: CaptureStore) throws {
    try store.write(.add(text: text, category: "equipment"), by: "anna", at: start)
  }

  private func room(_ number: Int, _ text: String) throws -> NoteVersion {
    try #require(
      NoteVersion(
        id: "room \(number)", note: "room \(number)", seen: "", text: text, category: "general",
        author: "Pau", written: start))
  }

  @Test func `A note, its edits and its deletion are there after a restart`() throws {
    let book: Notebook
    do {
      let store = try scratch.open()
      for text in ["one", "two"] { try add(text, to: store) }
      let first = try store.notebook().find("1", for: store.device.lowercaseText)
      let edit = NoteChange.edit(first, text: "one, edited", category: nil)
      try store.write(edit, by: "ben", at: start + .minutes(1))
      let second = try store.notebook().find("2", for: store.device.lowercaseText)
      try store.write(.delete(second), by: "ben", at: nil)
      book = try store.notebook()
    }
    let store = try scratch.open()
    let notes = try store.notebook().notes
    #expect(try store.notebook() == book && notes.map(\.isDeleted) == [false, true], note)
    #expect(
      notes.map { $0.history.compactMap(\.text) } == [["one", "one, edited"], ["two"]], note)
    #expect(notes[0].current.map(\.author) == ["ben"], note)
    #expect(try store.unsentNotes(atMost: 9).map(\.id.number) == [1, 2, 3, 4], note)
    #expect(try store.unsentNotes(atMost: 2).map(\.id.number) == [1, 2], note)
  }

  @Test func `What a server has is not sent again, and its last row is known`() throws {
    let store = try scratch.open()
    try add("own", to: store)
    let own = try store.unsentNotes(atMost: 9)
    try store.keep(own) { _ in 0 }
    #expect(try store.unsentNotes(atMost: 9).isEmpty, note)
    #expect(try store.lastServedNote() == nil, note)
    let theirs = [try room(1, "bus at 5"), try room(2, "bus at 6")]
    for _ in 1...2 { try store.keep(theirs) { $0 == theirs[0] ? 4 : 5 } }
    // Its own comes back in a row; nothing is ever less known again.
    try store.keep(own) { _ in 3 }
    try store.keep(own) { _ in 0 }
    let last = try #require(try store.lastServedNote())
    #expect(last == (theirs[1], 5), note)
    #expect(try store.notebook().notes.count == 3, note)
    let rows = try SQLiteDatabase(path: scratch.path).text("SELECT group_concat(object) FROM notes")
    #expect(rows == "3,4,5", note)
  }

  @Test func `Of two versions that differ only in their text, both stay`() throws {
    let store = try scratch.open()
    try store.keep([try room(1, "a"), try room(1, "b"), try room(1, "a")])
    #expect(try store.notebook().notes[0].current.map(\.text) == ["a", "b"], note)
  }

  @Test func `A damaged row is left out, and the others stay`() throws {
    do {
      let store = try scratch.open()
      for text in ["one", "two"] { try add(text, to: store) }
    }
    try SQLiteDatabase(path: scratch.path).execute("UPDATE notes SET text = 'won' WHERE id = 1")
    let store = try scratch.open()
    #expect(try store.notebook().notes.map { $0.current.map(\.text) } == [["two"]], note)
    #expect(try store.unsentNotes(atMost: 9).count == 1, note)
  }

  @Test func `A bad text changes nothing`() throws {
    let store = try scratch.open()
    let error = #expect(throws: NoteError.self) { try add("", to: store) }
    #expect(error?.texts.english == "a note has 1 to 500 characters; shorten it", note)
    #expect(try store.notebook().versions.isEmpty, note)
  }
}
