import Foundation
import TestSupport
import Testing

/// Notes of teams on the page, in the diary and in what is given of a team.
@Suite(.blocking) struct TeamNoteTests {
  private let folder: ScratchFolder
  private static let table = "/arcgis/rest/services/TrailWalker/FeatureServer/2"

  init() throws { folder = try ScratchFolder() }

  private func camp() throws -> CampServer {
    let camp = try CampServer(folder)
    try Sent.send([Sent(promise: 20)], to: camp)
    return camp
  }

  private func notes(_ camp: CampServer) throws -> [[String: Any]] {
    try camp.get("/room/notes", ["tracker": "7"])["notes"] as? [[String: Any]] ?? []
  }

  /// The texts that count.
  private func texts(_ note: [String: Any]?, _ key: String = "versions") -> [String?] {
    (note?[key] as? [[String: Any]] ?? []).map { $0["text"] as? String }
  }

  @discardableResult
  private func write(_ camp: CampServer, _ form: [String: String]) throws -> [String: Any] {
    try camp.post("/room/notes", form.merging(["tracker": "7", "by": "Marta"]) { mine, _ in mine })
  }

  /// The tracker's version of the room's first note, which has not seen any edit.
  private func sendEdit(to camp: CampServer) throws {
    let row = """
      [{"attributes": {"Desti": "7", "Versio": "6f1c 1", "Nota": "room 1", "Vist": "room 1",
      "Text": "bus at 6", "Categoria": "route", "Autor": "anna@ttyS0", "Creat": 1776499200000}}]
      """
    let answer = try camp.post("\(Self.table)/addFeatures", ["features": row])
    #expect("\(answer)".contains("success"), "\(answer)")
  }

  @Test func `The room writes, edits and deletes notes, and sees both sides of a pair`() throws {
    let camp = try camp()
    try write(camp, ["text": "bus at 5", "category": "route"])
    let note = try #require(try notes(camp).first)
    #expect(note["name"] as? String == "r1" && texts(note) == ["bus at 5"], "\(note)")
    let id = try #require(note["id"] as? String)
    try write(camp, ["note": id, "text": "bus at 5:30"])
    try sendEdit(to: camp)
    #expect(Set(texts(try notes(camp).first)) == ["bus at 5:30", "bus at 6"], "\(camp.command)")
    let team = try #require(teams(try camp.get("/room/state")).first)
    #expect((team["notes"] as? [String: Any])?["pairs"] as? Int == 1, "\(team)")
    try write(camp, ["note": id, "text": "bus at 6, sure"])
    #expect(texts(try notes(camp).first) == ["bus at 6, sure"], "\(camp.command)")
    try write(camp, ["note": id, "delete": "yes"])
    let gone = try notes(camp).first
    #expect(gone?["deleted"] as? Bool == true && texts(gone) == [], "\(camp.command)")
    #expect(
      texts(gone, "history") == ["bus at 5", "bus at 5:30", "bus at 6", "bus at 6, sure", nil]
        || texts(gone, "history") == ["bus at 5", "bus at 6", "bus at 5:30", "bus at 6, sure", nil])
    let again = try write(camp, ["note": id, "text": "more"])
    #expect((again["error"] as? String)?.contains("is deleted") == true, "\(again)")
  }

  @Test func `The diary tells each version once, with its author, and keeps it after a restart`()
    throws
  {
    let first = try camp()
    try write(first, ["text": "bus at 5", "category": "route"])
    try sendEdit(to: first)
    try write(first, ["note": "room 1", "delete": "yes"])
    _ = try first.get("/room/state")
    first.end()
    let camp = try CampServer(folder)
    let records = try camp.get("/room/records", ["tracker": "7", "kind": "acted"])
    let told = (records["records"] as? [[String: Any]] ?? []).reversed().map {
      "\($0["text"] as? String ?? "-") (\($0["by"] as? String ?? "-"))"
    }
    #expect(
      told == [
        "✎ r1 bus at 5 (Marta)", "↻ r1 bus at 6 (anna@ttyS0)", "✗ r1 bus at 6 (Marta)",
      ], "\(records)")
    #expect(try notes(camp).count == 1, "\(camp.command)")
    camp.end()
    let export = try ProgramResult("basecamp", ["export", "7", "--database", folder.path("camp")])
    let all = try JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: Any]
    #expect((all?["notes"] as? [[String: Any]])?.count == 1, "\(export)")
    let erased = try ProgramResult("basecamp", ["erase", "7", "--database", folder.path("camp")])
    #expect(erased.code == 0, "\(erased)")
    #expect(try notes(try CampServer(folder)).isEmpty, "\(erased)")
  }

  @Test func `What is no note of a known team is refused in one line`() throws {
    let camp = try camp()
    for form in [
      ["text": ""], ["text": "a\nb"], ["text": "\u{1B}[2J"], ["text": "x", "by": ""],
      ["text": String(repeating: "x", count: 501)], ["text": "x", "tracker": "9"],
      ["text": "x", "note": "room 7"], ["note": "room 7", "delete": "yes"],
      ["text": "x", "note": "'; DROP TABLE note"],
    ] {
      let answer = try write(camp, form)
      let error = answer["error"] as? String
      #expect(error?.isEmpty == false && error?.contains("\n") == false, "\(form) \(answer)")
    }
    #expect(try notes(camp).isEmpty, "\(camp.command)")
  }
}

/// The same by a person at the page.
@Suite(.blocking, .enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
struct TeamNotePageTests {
  @Test func `A note is written, edited, seen as a pair, settled and deleted on a team's page`()
    throws
  {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--language", "en"])
    try Sent.send([Sent(promise: 20)], to: camp)
    let browser = try DrivenBrowser(folder)
    try browser.open("http://127.0.0.1:\(camp.port)/room")
    try eventually("a live page") { try browser.text("#live").hasPrefix("live, ") }
    try browser.type("Marta", into: "#me")
    _ = try browser.value("choose('7')")
    func expect(_ words: String...) throws {
      try eventually("\(words)") {
        let text = try browser.text("#team-notes")
        return words.allSatisfy { text.contains($0) }
      }
    }
    func save(_ text: String) throws {
      _ = try browser.value("$('team-note-text').value = ''")
      try browser.type(text, into: "#team-note-text")
      try browser.click("#team-note button[data-word=save]")
    }
    let edit = "#team-notes li button:nth-of-type(1)"
    try save("bus at 5 <b>sharp</b>")
    try expect("r1", "Marta (general): bus at 5 <b>sharp</b>")
    try browser.click(edit)
    #expect(try browser.text("#team-note-label") == "Edit note r1")
    try save("bus at 5:30")
    try expect("bus at 5:30", "2 versions")
    // A tracker's edit comes that has not seen this one, and the page shows it by itself.
    let row = """
      [{"attributes": {"Desti": "7", "Versio": "6f1c 1", "Nota": "room 1", "Vist": "room 1",
      "Text": "bus at 6", "Categoria": "route", "Autor": "anna@ttyS0", "Creat": 1776499200000}}]
      """
    _ = try camp.post(
      "/arcgis/rest/services/TrailWalker/FeatureServer/2/addFeatures", ["features": row])
    try expect("Written unseen by each other", "bus at 5:30", "anna@ttyS0 (route): bus at 6")
    try browser.click(edit)
    try save("bus at 6, sure")
    try expect("bus at 6, sure", "4 versions")
    #expect(try !browser.text("#team-notes").contains("unseen"))
    try browser.click("#team-notes li button:nth-of-type(2)")
    try expect("r1 deleted", "5 versions")
  }
}
