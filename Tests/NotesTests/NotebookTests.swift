import Testing
import TrackerCore

@testable import Notes

/// A side of an exchange, and what it was told to do.
private struct Side {
  var writer: String
  var book = Notebook()
}

/// Numbers from a seed (SplitMix64), the same everywhere.
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

@Suite struct NotebookTests {
  private static let device = "6f1c0000-0000-4000-8000-000000000001"
  private static let other = "a2b30000-0000-4000-8000-000000000002"
  private static let day = UTC(milliseconds: 1_349_517_600_000)

  private func day(_ minutes: Int64) -> UTC { Self.day + .minutes(minutes) }

  /// Both sides know the note "1" of the tracker.
  private func pair() throws -> (tracker: Side, room: Side, note: VersionID) {
    var (tracker, room) = (Side(writer: Self.device), Side(writer: VersionID.room))
    let first = try tracker.book.change(
      .add(text: "battery changed", category: "equipment"), by: tracker.writer, author: "anna",
      at: Self.day)
    room.book.merge(tracker.book.versions)
    return (tracker, room, first.id)
  }

  private func edit(_ side: inout Side, _ note: VersionID, _ text: String) throws {
    _ = try side.book.change(
      .edit(note, text: text, category: nil), by: side.writer, author: side.writer, at: day(5))
  }

  private func delete(_ side: inout Side, _ note: VersionID) throws {
    _ = try side.book.change(.delete(note), by: side.writer, author: "", at: day(6))
  }

  private func exchange(_ a: inout Side, _ b: inout Side) {
    let before = a.book.versions
    a.book.merge(b.book.versions)
    b.book.merge(before)
  }

  private func texts(_ side: Side) -> [[String?]] {
    side.book.notes.map { $0.current.map(\.text) }
  }

  @Test func `The last edit counts, whoever wrote the note`() throws {
    var (tracker, room, note) = try pair()
    try edit(&room, note, "battery changed at CP4")
    exchange(&tracker, &room)
    try edit(&tracker, note, "battery changed at CP5")
    try edit(&tracker, note, "battery changed at CP6")
    exchange(&tracker, &room)
    #expect(texts(room) == [["battery changed at CP6"]] && tracker.book == room.book)
    #expect(room.book.notes[0].history.count == 4)
    #expect(room.book.notes[0].current[0].category == "equipment")
  }

  @Test func `Two edits unseen by each other are a pair until somebody edits them`() throws {
    var (tracker, room, note) = try pair()
    try edit(&tracker, note, "at CP4")
    try edit(&room, note, "at CP5")
    try edit(&room, note, "at CP6")
    exchange(&tracker, &room)
    #expect(texts(tracker) == [["at CP4", "at CP6"]] && tracker.book.notes == room.book.notes)
    try edit(&tracker, note, "at CP6, twice")
    exchange(&tracker, &room)
    #expect(texts(room) == [["at CP6, twice"]])
  }

  @Test func `A deletion wins over an edit that it did not see, which stays in the history`() throws
  {
    var (tracker, room, note) = try pair()
    try delete(&room, note)
    try edit(&tracker, note, "at CP4")
    try edit(&tracker, note, "at CP5")
    exchange(&tracker, &room)
    #expect(texts(tracker) == [[]] && texts(room) == [[]] && room.book.notes[0].isDeleted)
    #expect(room.book.notes[0].history.compactMap(\.text).contains("at CP5"))
    let error = #expect(throws: NoteError.self) { try edit(&tracker, note, "again") }
    #expect(error?.texts.english == "the note is deleted; write another one")
  }

  @Test func `A version that comes before those that it follows covers them`() throws {
    var (tracker, room, note) = try pair()
    try edit(&tracker, note, "two")
    exchange(&tracker, &room)
    try edit(&room, note, "three")
    var late = Side(writer: Self.other)
    let versions = room.book.notes[0].history
    late.book.merge([versions[2], versions[0]])
    #expect(texts(late) == [["three"]], "the one between is still missing")
    late.book.merge([versions[1], versions[2]])
    #expect(late.book == room.book)
  }

  @Test func `Whoever follows a version follows what that had followed, seen or not`() throws {
    var (tracker, room, note) = try pair()
    try edit(&tracker, note, "two")
    exchange(&tracker, &room)
    try edit(&room, note, "three")
    let (first, second, third) = (
      room.book.notes[0].history[0], room.book.notes[0].history[1], room.book.notes[0].history[2]
    )
    var other = Side(writer: Self.other)
    other.book.merge([third])
    try edit(&other, note, "four")
    let fourth = try #require(other.book.notes[0].current.first)
    let late = Notebook([fourth, second, first])
    #expect(late.notes[0].current == [fourth], "the third is still missing")
  }

  @Test func `What somebody orders fits one line to the tracker, and comes back from it`() {
    let orders: [NoteOrder] = [
      .add(text: "battery  changed at \"CP4\", -", .equipment), .add(text: "delete", .general),
      .edit(name: "r3", text: "at CP5", nil), .edit(name: "6f1c-3", text: "3 hurt", .health),
      .delete(name: "1"),
    ]
    for order in orders { #expect(NoteOrder(line: order.line) == order, "\(order.line)") }
    #expect(orders[2].line == "edit r3 - at CP5")
    for line in ["", "add", "add health", "add x y", "edit 1 -", "edit 1 x y", "delete", "drop 1"] {
      #expect(NoteOrder(line: line) == nil, "\(line)")
    }
  }

  @Test func `Versions that claim to have seen each other leave the note there`() throws {
    func forged(_ id: String, _ seen: String) -> NoteVersion? {
      NoteVersion(
        id: id, note: "room 1", seen: seen, text: id, category: "", author: "", written: nil)
    }
    let versions = [forged("room 1", "a 1"), forged("a 1", "room 1")].compactMap { $0 }
    #expect(Notebook(versions).notes[0].current.map(\.text) == ["room 1"])
  }

  @Test func `Two boards with one identity lose nothing of each other`() throws {
    var (tracker, room, _) = try pair()
    var clone = Side(writer: Self.device)
    _ = try clone.book.change(
      .add(text: "other card", category: "general"), by: clone.writer, author: "", at: nil)
    exchange(&clone, &room)
    exchange(&tracker, &room)
    #expect(texts(room) == [["other card", "battery changed"]] && tracker.book == room.book)
  }

  @Test func `Names tell whose a note is, and lead back to it`() throws {
    var (tracker, room, note) = try pair()
    let own = try room.book.change(
      .add(text: "bus at 5", category: "route"), by: room.writer, author: "Pau", at: day(9))
    exchange(&tracker, &room)
    #expect(Notebook.name(note, for: Self.device) == "1")
    #expect(Notebook.name(own.id, for: Self.device) == "r1")
    #expect(Notebook.name(note, for: Self.other) == "6f1c-1")
    for (name, id) in [("1", note), ("r1", own.id)] {
      #expect(try tracker.book.find(name, for: Self.device) == id && Notebook.isName(name))
    }
    #expect(try room.book.find("6f1c-1", for: VersionID.room) == note)
    let error = #expect(throws: NoteError.self) { try tracker.book.find("7", for: Self.device) }
    #expect(error?.texts.english == "there is no note '7'; see notes")
    for word in ["CP4", "r", "", "-", "1-2-3", "delete"] { #expect(!Notebook.isName(word)) }
  }

  @Test func `A text has 1 to 500 characters and nothing that a terminal acts on`() throws {
    var (tracker, _, _) = try pair()
    func add(_ text: String) throws -> String? {
      try tracker.book.change(
        .add(text: text, category: "general"), by: tracker.writer, author: "", at: nil
      ).text
    }
    #expect(try add("a\u{1B}[2Jb") == "a [2Jb")
    let longest = String(repeating: "山", count: 500)
    #expect(try add(longest) == longest)
    for text in ["", "  ", longest + "!"] {
      let error = #expect(throws: NoteError.self) { _ = try add(text) }
      #expect(error?.texts.english == "a note has 1 to 500 characters; shorten it")
    }
  }

  @Test func `What is no version of a note is not taken for one`() {
    func version(_ id: String, _ note: String, _ seen: String = "") -> NoteVersion? {
      NoteVersion(
        id: id, note: note, seen: seen, text: "", category: "", author: "", written: nil)
    }
    #expect(version("room 1", "room 1", "a 1,b 2")?.seenText == "a 1,b 2")
    for (id, note, seen) in [
      ("room", "room 1", ""), ("room 0", "room 1", ""), ("room 4294967295", "room 1", ""),
      ("Room 1", "room 1", ""), ("room 1", "", ""), ("room 1", "room 1", "a"),
      ("room 1 2", "room 1", ""),
      ("room 1", "room 1", (1...9).map { "w\($0) 1" }.joined(separator: ",")),
    ] { #expect(version(id, note, seen) == nil, "\(id), \(note), \(seen)") }
  }

  @Test func `At the bound a line says so, and nothing of the notes is lost`() throws {
    var book = Notebook()
    for number in 1...NoteBounds.versionsKept {
      _ = try book.change(
        .add(text: "\(number)", category: ""), by: VersionID.room, author: "", at: nil)
    }
    let error = #expect(throws: NoteError.self) {
      try book.change(.add(text: "more", category: ""), by: Self.device, author: "", at: nil)
    }
    #expect(error?.texts.english.hasPrefix("there are 2000 versions of notes") == true)
    #expect(book.versions.count == NoteBounds.versionsKept)
  }
}

/// Random interleavings: people write on three sides, and parts of what a side has go to another,
/// in any order, again and again, or not at all.
@Suite struct NoteInterleavingTests {
  private static let writers = ["room", "6f1c0000-0000-4000-8000-000000000001", "a2b3"]

  /// - Returns: why it is wrong; `nil`: it is not.
  private func problem(seed: UInt64) throws -> String? {
    var random = SeededNumbers(state: seed)
    var sides = Self.writers.map { Side(writer: $0) }
    var written: [NoteVersion] = []
    var deleted: Set<VersionID> = []
    // What each author had before them, and what that followed.
    var known: [NoteVersion: Set<NoteVersion>] = [:]
    for step in 0..<Int.random(in: 4...24, using: &random) {
      let index = Int.random(in: 0..<sides.count, using: &random)
      let open = sides[index].book.notes.filter { !$0.isDeleted }.map(\.id)
      let change: NoteChange
      switch (Int.random(in: 0..<10, using: &random), open.randomElement(using: &random)) {
      case (0...1, _), (2...4, nil): change = .add(text: "\(step)", category: "general")
      case (2...3, let note?): change = .edit(note, text: "\(step)", category: nil)
      case (4, let note?):
        change = .delete(note)
        deleted.insert(note)
      default:
        // Of what another side has, some arrives, in any order.
        let from = sides.randomElement(using: &random) ?? sides[index]
        let sent = from.book.versions.shuffled(using: &random)
        sides[index].book.merge(sent.prefix(Int.random(in: 0...sent.count, using: &random)))
        continue
      }
      let clock = UTC(milliseconds: Int64.random(in: 0...9, using: &random) * 1000)
      let before = sides[index].book
      let version = try sides[index].book.change(
        change, by: sides[index].writer, author: sides[index].writer, at: clock)
      written.append(version)
      let had = before.versions.filter { $0.note == version.note }
      known[version] = had.union(had.flatMap { known[$0] ?? [] })
    }
    let pieces = sides.map(\.book.versions)
    let all = pieces.shuffled(using: &random).reduce(into: Notebook()) { $0.merge($1) }
    for index in sides.indices {
      for piece in (pieces + pieces).shuffled(using: &random) {
        sides[index].book.merge(piece.shuffled(using: &random))
      }
      guard sides[index].book.notes == all.notes else { return "the sides differ" }
    }
    guard Set(all.notes.flatMap(\.history)) == Set(written) else { return "an edit is lost" }
    for note in all.notes {
      guard note.isDeleted == deleted.contains(note.id) else { return "a deletion did not win" }
      if note.isDeleted { continue }
      let overtaken = Set(note.history.flatMap { known[$0] ?? [] })
      guard Set(note.current) == Set(note.history).subtracting(overtaken) else {
        return "what counts is not what nobody has overtaken"
      }
    }
    return nil
  }

  @Test func `In ten thousand interleavings no edit is lost and all sides end equal`() throws {
    for seed in UInt64(1)...10_000 {
      let problem = try problem(seed: seed)
      #expect(problem == nil, "seed \(seed)")
      if problem != nil { return }
    }
  }
}
