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
