import Foundation
import SQLite
import TestSupport
import Testing

/// What somebody may ask for: everything about a team, or that it is gone.
@Suite(.blocking) struct TeamDataTests {
  private let folder: ScratchFolder

  private var database: String { folder.path("camp") }

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: String...) throws -> ProgramResult {
    try ProgramResult("basecamp", words + ["--database", database])
  }

  /// A room with three teams, an act, a note, a refused capture and a link; it has ended.
  private func race() throws {
    let camp = try CampServer(folder)
    try Sent.send(
      [
        Sent(minutesAgo: 60, promise: 20), Sent(number: 2, minutesAgo: 59, promise: 20),
        Sent(device: "8", team: "Fagedes", promise: 20),
        Sent(device: "9", team: "Fagedes", promise: 20),
      ], to: camp)
    let long = "Els Senglars " + String(repeating: "x", count: 100)
    _ = try camp.post(
      "\(OpenCamp.layer)/addFeatures", ["features": "[\(Sent(team: long, number: 3).feature)]"])
    _ = try camp.get("/room/state")
    _ = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    _ = try camp.post("/room/act", ["text": "met els senglars at km 7", "by": "Marta"])
    _ = try camp.post("/room/act", ["text": "it rains at km 7", "by": "Marta"])
    camp.end()
  }

  private func bytes() throws -> String {
    return try FileManager.default.contentsOfDirectory(atPath: database).map {
      String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: "\(database)/\($0)")), as: UTF8.self)
    }.joined().lowercased()
  }

  @Test func `All about a team is given in one file`() throws {
    try race()
    let result = try run("export", "els senglars")
    #expect(result.code == 0, "\(result)")
    let all = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(all["tracker"] as? String == "7")
    let captures = all["captures"] as? [String: Any]
    #expect((captures?["features"] as? [Any])?.count == 2)
    #expect((all["refused"] as? [[String: Any]])?.first?["latitude"] is Double)
    let diary = all["diary"] as? [[String: Any]] ?? []
    // Three captures, the alarm, the act and the note.
    #expect(diary.count == 6, "\(diary)")
    #expect(diary.contains { $0["text"] as? String == "met els senglars at km 7" })
  }

  @Test func `A file of the database is not written over`() throws {
    try race()
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(database)/control.db")
    let before = try bytes()
    for path in ["\(database)/basecamp.db", "\(database)/../camp/new.json", link] {
      let result = try run("export", "els senglars", "--output", path)
      #expect(result.code == 2 && result.errors.contains("give another --output"), "\(result)")
    }
    #expect(try bytes() == before)
    let file = folder.path("team.json")
    for _ in 0..<2 {
      #expect(try run("export", "els senglars", "--output", file).code == 0)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("met els senglars"))
  }

  @Test func `Nobody has the key of a device by calling a team so`() throws {
    let camp = try CampServer(folder)
    try Sent.send(
      [
        Sent(device: "", team: "X", promise: 20),
        Sent(device: "team X", team: "Y", number: 2, promise: 20),
        Sent(device: "device 7", team: "Z", number: 3, promise: 20),
      ], to: camp)
    _ = try camp.get("/room/state")
    camp.end()
    func names(_ key: String) throws -> [String] {
      let result = try run("export", key)
      let all = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let captures = all["captures"] as? [String: Any]
      #expect((all["diary"] as? [Any])?.count == 1)
      return (captures?["features"] as? [[String: Any]] ?? []).compactMap {
        ($0["attributes"] as? [String: Any])?["Equip"] as? String
      }
    }
    #expect(try names("team X") == ["X"])
    #expect(try names("device team X") == ["Y"])
    #expect(try names("device device 7") == ["Z"])
    #expect(try run("erase", "team X").output.contains("erased 1 captures"))
    #expect(try names("Y") == ["Y"])
  }

  @Test func `What is erased is in no file, and all others are as they were`() throws {
    try race()
    #expect(try bytes().contains("senglars"))
    let result = try run("erase", "Els Senglars")
    #expect(
      result.output
        == "7 (Els Senglars): erased 3 captures, 6 entries of the diary and 0 labels of "
        + "links\n")
    #expect(result.code == 0)
    #expect(try !bytes().contains("senglars"))
    #expect(try run("erase", "Els Senglars").code == 2)
    let camp = try CampServer(folder)
    #expect(teams(try camp.get("/room/state")).map { $0["tracker"] as? String } == ["8", "9"])
    let kinds = try camp.get("/room/records")["records"] as? [[String: Any]] ?? []
    #expect(kinds.contains { $0["text"] as? String == "it rains at km 7" })
    #expect(kinds.count { $0["kind"] as? String == "gone" } == 6)
    #expect(
      !FileManager.default.fileExists(
        atPath: database + "/control-1.db"))
    // A tracker with captures of the same numbers is heard again.
    try Sent.send([Sent(number: 4)], to: camp)
    #expect(teams(try camp.get("/room/state")).count == 3)
  }

  @Test func `A name that anybody sends under a team's number erases no other's words`() throws {
    try race()
    var camp = try CampServer(folder)
    try Sent.send([Sent(team: "rains", number: 9)], to: camp)
    _ = try camp.post(
      "/room/roster", ["tracker": "12", "name": "Porc Fer", "phone": "600 1", "by": "Marta"])
    camp.end()
    #expect(try run("erase", "7").code == 0)
    camp = try CampServer(folder)
    let found = try camp.get("/room/records", ["text": "it rains at km 7"])
    #expect(found["count"] as? Int == 1)
    // Alarms have other numbers now, and what is over is about nobody else.
    let records = try camp.get("/room/records")["records"] as? [[String: Any]] ?? []
    #expect(records.filter { $0["kind"] as? String == "raised" }.isEmpty, "\(records)")
    camp.end()
    // A team that was only ever on the page.
    let given = try run("export", "porc fer")
    #expect(given.output.contains("600 1"), "\(given)")
    #expect(try run("erase", "Porc Fer").code == 0)
    #expect(try !bytes().contains("porc fer"))
  }

  @Test func `A name of two trackers, or of none, erases nothing`() throws {
    try race()
    let two = try run("erase", "Fagedes")
    #expect(two.code == 2 && two.errors.contains("give one of 8, 9"), "\(two)")
    let none = try run("erase", "Fagedas")
    #expect(none.errors.contains("nothing of 'Fagedas' is here"), "\(none)")
    #expect(try run("export", "9").code == 0)
  }

  @Test func `Nothing is erased under a server, and a second one does not start`() throws {
    try race()
    let camp = try CampServer(folder)
    for words in [["erase", "7"], ["--listen", "127.0.0.1:0"]] {
      let result = try ProgramResult("basecamp", words + ["--database", database])
      #expect(result.code == 2 && result.errors.contains("at work in it; stop that one first"))
    }
    #expect(teams(try camp.get("/room/state")).count == 3)
    #expect(try run("export", "7").code == 0, "\(camp.command)")
  }

  @Test func `What is older than it is to be kept is erased at the start`() throws {
    try race()
    do {
      let file = try SQLiteDatabase(path: database + "/basecamp.db")
      try file.execute(
        "UPDATE capture SET arrived = arrived - 30 * 86400000 WHERE CodiEquip = '7'")
    }
    for name in ["control.db", "control.db-wal", "control.db-shm"] {
      try? FileManager.default.removeItem(atPath: "\(database)/\(name)")
    }
    let camp = try CampServer(folder, ["--keep-days", "20"])
    #expect(try camp.count() == 2)
    // The refused one has come today.
    #expect(teams(try camp.get("/room/state")).count == 3)
  }
}
