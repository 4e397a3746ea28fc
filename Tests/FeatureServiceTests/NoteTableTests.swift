import FeatureService
import Foundation
import Notes
import TestSupport
import Testing
import TrackerCore

/// The table of notes of teams.
@Suite(.blocking, .onEachStorage) struct NoteTableTests {
  private static let table = "/arcgis/rest/services/TrailWalker/FeatureServer/2"
  private let note: Comment = "repeat with: swift test --filter NoteTableTests"
  private let service: Service

  init() throws { service = try Service { $0.owner = Credentials(user: "gis", password: "b") } }

  private static func row(
    _ number: Int = 1, writer: String = "6f1c", desti: String = "7", seen: String = "",
    text: String? = "battery changed"
  ) -> [String: Any] {
    [
      "Desti": desti, "Versio": "\(writer) \(number)", "Nota": "\(writer) 1", "Vist": seen,
      "Text": text ?? NSNull(), "Categoria": "equipment", "Autor": "anna",
      "Creat": 1_349_517_600_000,
    ]
  }

  /// Codes of refusals; 0: taken.
  private func add(_ rows: [String: Any]...) throws -> [Int] { try add(rows) }

  private func add(_ rows: [[String: Any]]) throws -> [Int] {
    let list = rows.map { ["attributes": $0] }
    let json = String(decoding: try JSONSerialization.data(withJSONObject: list), as: UTF8.self)
    let answer = service.ask(
      "addFeatures", ["features": json, "rollbackOnFailure": "false"], layer: Self.table)
    return (answer["addResults"] as? [[String: Any]] ?? [answer]).map { Service.errorCode($0) }
  }

  private var book: Notebook { get throws { try service.server.notebook(of: "7") } }

  @Test func `Versions of a tracker and of the room make the same notes on both sides`() throws {
    #expect(try add(Self.row()) == [0], note)
    let id = try #require(try book.notes.first?.id)
    try service.server.write(
      .edit(id, text: "at CP5", category: nil), of: "7", by: "Marta", at: service.now.utc)
    // Unseen by that.
    #expect(try add(Self.row(2, text: "at CP4")) == [0], note)
    #expect(Set(try book.notes[0].current.map(\.text)) == ["at CP4", "at CP5"], note)
    let all = service.ask(
      ["where": "Desti = '7' AND OBJECTID > 1", "outFields": "*"],
      layer: Self.table)
    let rows = (all["features"] as? [[String: Any]] ?? []).compactMap {
      $0["attributes"] as? [String: Any]
    }
    #expect(rows.map { $0["Versio"] as? String } == ["room 1", "6f1c 2"], note)
    #expect(rows.map { $0["Vist"] as? String } == ["6f1c 1", ""], note)
    #expect(try service.server.notebook(of: "8").notes.isEmpty, note)
  }

  @Test func `One that comes again is stored once, and a deletion has no text`() throws {
    #expect(try add(Self.row(), Self.row()) == [0, 0], note)
    #expect(try add(Self.row(), Self.row(2, text: nil)) == [0, 0], note)
    #expect(try book.versions.count == 2 && book.notes[0].isDeleted, note)
    #expect(try service.server.notes(after: 1, atMost: 9).map(\.device) == ["7"], note)
  }

  @Test func `What is no version, or is signed as the room, is refused`() throws {
    var unnamed = Self.row()
    unnamed["Nota"] = NSNull()
    var homeless = Self.row()
    homeless["Desti"] = ""
    var long = Self.row()
    long["Text"] = String(repeating: "x", count: 501)
    #expect(try add(Self.row(writer: "room")) == [1018], note)
    #expect(try add(unnamed, homeless, long, Self.row()) == [1020, 1011, 1016, 0], note)
    #expect(try add(Self.row(2, text: "red \u{1B}[31m")) == [0], note)
    #expect(try book.notes[0].current.map(\.text) == ["red  [31m"], note)
  }

  @Test func `Nobody changes or deletes a row`() throws {
    _ = try add(Self.row())
    for (operation, form) in [
      ("updateFeatures", ["features": "[{\"attributes\":{\"OBJECTID\":1,\"Text\":\"x\"}}]"]),
      ("deleteFeatures", ["where": "1=1"]), ("applyEdits", ["deletes": "1"]),
    ] {
      let answer = service.ask(operation, form, layer: Self.table)
      #expect(Service.errorCode(answer) == 400, "\(operation); \(note)")
    }
    let table = service.send(service.request("GET", "\(Self.table)?f=json")).json ?? [:]
    #expect(table["capabilities"] as? String == "Create,Query", note)
    #expect(try book.versions.count == 1, note)
  }

  @Test func `A team's notes are bounded, and go with its captures`() throws {
    for first in stride(from: 1, through: NoteBounds.versionsKept, by: 200) {
      let taken = try add((first..<first + 200).map { Self.row($0) })
      #expect(taken.allSatisfy { $0 == 0 }, note)
    }
    let more = Self.row(NoteBounds.versionsKept + 1)
    #expect(try add(more, Self.row(), Self.row(desti: "8")) == [1021, 0, 0], note)
    _ = try service.server.erase(tracker: "7")
    #expect(try book.versions.isEmpty && service.server.notebook(of: "8").notes.count == 1, note)
    _ = try service.server.erase(before: service.now.utc + .hours(1))
    #expect(try service.server.notebook(of: "8").notes.isEmpty, note)
  }
}
