import Testing
import TrackerCore

@testable import CaptureStore

/// Where on the course captures were taken, and what was told of places.
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
    try store.database.execute("UPDATE history SET steps = 'm1:2:Elsewhere' WHERE key = 1")
    #expect(try store.marks(of: page).count == 3, note)
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

  @Test func `What was told of places is remembered, and forgotten with the session`() throws {
    let now = UTC(milliseconds: 1_776_499_242_000)
    let store = try CaptureStore.open(.memory, at: now)
    let time = MachineTime(now: .start, date: now)
    var memory = Memory()
    for record in [
      CourseRecord(done: 12_000, next: 3, inside: -1, isFinished: false),
      CourseRecord(done: 100_000, next: 9, inside: 8, isFinished: true), nil,
    ] {
      memory.course = record
      try store.remember(memory, at: time)
      #expect(try store.memory(at: time).course == record, note)
    }
  }
}
