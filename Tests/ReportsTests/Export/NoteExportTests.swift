import Notes
import Testing
import TrackerCore

@testable import Reports

/// Notes of a team beside its captures.
@Suite struct NoteExportTests {
  private static let again: Comment = "repeat with: swift test --filter NoteExportTests"

  /// One that both sides have changed, a deleted one, and one from before the first capture.
  private func notes() throws -> [TeamNote] {
    let first = UTC(milliseconds: 1_776_502_800_000)
    let (device, room) = (ExportFixture.device.lowercaseText, VersionID.room)
    var book = Notebook()
    let note = try book.change(
      .add(text: "=1 <battery>, \"changed\"", category: "equipment"), by: device, author: "anna",
      at: first + .minutes(25)
    ).note
    var other = book
    _ = try book.change(
      .edit(note, text: "at CP4", category: nil), by: device, author: "anna",
      at: first + .minutes(31))
    _ = try other.change(
      .edit(note, text: "at CP5 & 6", category: nil), by: room, author: "Pau",
      at: first + .minutes(45))
    let gone = try other.change(
      .add(text: "wrong", category: "route"), by: room, author: "Pau", at: first + .minutes(46))
    _ = try other.change(.delete(gone.note), by: room, author: "Pau", at: first + .minutes(47))
    _ = try other.change(
      .add(text: "early", category: "route"), by: room, author: "Pau", at: first)
    book.merge(other.versions)
    return book.notes
  }

  @Test func `The table has every version, and which of them count`() throws {
    let table = String(decoding: ExportFormat.table(of: try notes()), as: UTF8.self)
    let id = ExportFixture.device.lowercaseText
    let expected = """
      note,version,written,author,category,state,text
      room 4,room 4,2026-04-18T09:00:00Z,Pau,route,current,early
      \(id) 1,\(id) 1,2026-04-18T09:25:00Z,anna,equipment,earlier,"'=1 <battery>, ""changed""\u{22}
      \(id) 1,\(id) 2,2026-04-18T09:31:00Z,anna,equipment,current,at CP4
      \(id) 1,room 1,2026-04-18T09:45:00Z,Pau,equipment,current,at CP5 & 6
      room 2,room 2,2026-04-18T09:46:00Z,Pau,route,earlier,wrong
      room 2,room 3,2026-04-18T09:47:00Z,Pau,route,deleted,

      """
    #expect(
      table.replacing(".000Z", with: "Z") == expected, "\(table); \(Self.again)")
  }

  @Test func `A map has those that count where the team was last seen before them`() throws {
    let captures = (UInt32(1)...4).map { ExportFixture.capture($0) }
    let bytes = ExportFormat.gpx.bytes(of: captures, notes: try notes(), creator: "test")
    let points = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("<wpt") }
    #expect(points.count == 2, "\(points); \(Self.again)")
    // Of the captures of 9:30 and 9:40.
    #expect(points.first?.contains("2026-04-18T09:30:00.250Z</time><name>at CP4") == true)
    #expect(points.last?.contains("2026-04-18T09:40:00.250Z</time><name>at CP5 &amp; 6") == true)
    #expect(points.last?.hasSuffix("Pau (equipment)</desc><type>note</type></wpt>") == true)
    let plain = ExportFormat.gpx.bytes(of: captures, creator: "test")
    #expect(!String(decoding: plain, as: UTF8.self).contains("<wpt"), Self.again)
  }
}
