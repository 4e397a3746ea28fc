import FeatureService
import Foundation
import TestSupport
import Testing
import TrackerCore

/// The table of messages to trackers.
@Suite(.blocking, .onEachStorage) struct MailboxTests {
  private static let mailbox = "/arcgis/rest/services/TrailWalker/FeatureServer/1"
  private let note: Comment = "repeat with: swift test --filter MailboxTests"
  private let service: Service

  init() throws {
    service = try Service { $0.owner = Credentials(user: "gis", password: "b") }
    for (device, text) in [("7", "wait there"), ("8", "go on"), ("7", "help comes")] {
      try service.server.send(text, to: device, by: "Marta", at: service.now.utc)
    }
  }

  private func rows(_ clause: String) -> [[String: Any]] {
    let answer = service.ask(
      ["where": clause, "outFields": "*", "orderByFields": "Numero DESC"], layer: Self.mailbox)
    return (answer["features"] as? [[String: Any]] ?? []).compactMap {
      $0["attributes"] as? [String: Any]
    }
  }

  private func update(_ attributes: String, _ operation: String = "updateFeatures") -> [Int] {
    let name = operation == "updateFeatures" ? "features" : "updates"
    let answer = service.ask(
      operation, [name: "[{\"attributes\":{\(attributes)}}]"], layer: Self.mailbox)
    return (answer["updateResults"] as? [[String: Any]] ?? [answer]).map { Service.errorCode($0) }
  }

  @Test func `A tracker finds its own messages, numbered from 1, without geometry`() {
    let mine = rows("Desti = '7' AND (Numero > 0 OR Rebut IS NULL)")
    #expect(mine.map { $0["Text"] as? String } == ["help comes", "wait there"], note)
    #expect(mine.map { $0["Numero"] as? Int } == [2, 1], note)
    #expect(mine.map { $0["Classe"] as? String } == ["message", "message"], note)
    #expect(rows("Desti = '8'").map { $0["Numero"] as? Int } == [1], note)
    let whole = service.ask(["where": "1=1", "outFields": "*"], layer: Self.mailbox)
    #expect(whole["geometryType"] == nil && (whole["features"] as? [Any])?.count == 3, note)
    let near = ["geometry": "0,0,9,9", "returnExtentOnly": "true"]
    #expect(Service.errorCode(service.ask(near, layer: Self.mailbox)) == 0, note)
    #expect(service.count(["geometry": "0,0,9,9"], layer: Self.mailbox) == 0, note)
  }

  @Test func `The service lists it as a table beside the layer`() {
    let root = "/arcgis/rest/services/TrailWalker/FeatureServer"
    let whole = service.send(service.request("GET", "\(root)?f=json")).json ?? [:]
    let tables = whole["tables"] as? [[String: Any]] ?? []
    #expect(tables.map { $0["name"] as? String } == ["Missatges", "Notes", "Historia"], note)
    #expect(tables.map { $0["id"] as? Int } == [1, 2, 3], note)
    let table = service.send(service.request("GET", "\(Self.mailbox)?f=json")).json ?? [:]
    #expect(table["type"] as? String == "Table" && table["geometryType"] == nil, note)
    #expect(table["capabilities"] as? String == "Query,Update,Editing", note)
    let layer = service.send(service.request("GET", "\(Service.layer)?f=json")).json ?? [:]
    #expect(layer["type"] as? String == "Feature Layer", note)
    let all = service.send(service.request("GET", "\(root)/layers?f=json")).json ?? [:]
    #expect((all["tables"] as? [[String: Any]])?.first?["type"] as? String == "Table", note)
  }

  @Test(arguments: ["updateFeatures", "applyEdits"])
  func `A tracker confirms its own messages, and the first time counts`(_ operation: String) {
    #expect(update("\"OBJECTID\":1,\"Desti\":\"7\",\"Rebut\":1000", operation) == [0], note)
    #expect(update("\"objectid\":1,\"desti\":\"7\",\"rebut\":2000", operation) == [0], note)
    #expect(rows("Desti = '7' AND Rebut IS NOT NULL").map { $0["Rebut"] as? Int } == [1000], note)
    #expect(rows("Desti = '7' AND Rebut IS NULL").count == 1, note)
    #expect(service.server.messageVersion >= 4, note)
  }

  @Test func `It can change nothing else, and nobody adds or deletes`() {
    // Of another device, without a device, another field, no date, a date beside a text.
    #expect(update("\"OBJECTID\":2,\"Desti\":\"7\",\"Rebut\":1000") == [1011], note)
    #expect(update("\"OBJECTID\":1,\"Rebut\":1000") == [1011], note)
    #expect(update("\"OBJECTID\":1,\"Desti\":\"7\",\"Text\":\"x\"") == [1019], note)
    #expect(update("\"OBJECTID\":1,\"Desti\":\"7\",\"Rebut\":null") == [1019], note)
    #expect(update("\"OBJECTID\":1,\"Desti\":\"7\",\"Rebut\":1,\"Text\":\"x\"") == [1019], note)
    #expect(update("\"OBJECTID\":1,\"Desti\":\"7\",\"Rebut\":\"now\"") == [1016], note)
    let read = "[{\"attributes\":{\"Desti\":\"7\",\"Classe\":\"read\",\"Ordre\":9}}]"
    let form = ["f": "json", "features": read]
    #expect(Service.errorCode(service.ask("addFeatures", form, layer: Self.mailbox)) == 400, note)
    let edit = service.ask("applyEdits", ["adds": read, "deletes": "1"], layer: Self.mailbox)
    for results in ["addResults", "deleteResults"] {
      let codes = (edit[results] as? [[String: Any]] ?? []).map { Service.errorCode($0) }
      #expect(codes == [1018], "\(edit); \(note)")
    }
    #expect(
      Service.errorCode(service.ask("deleteFeatures", ["where": "1=1"], layer: Self.mailbox))
        == 400, note)
    #expect(rows("1=1").count == 3 && rows("Rebut IS NOT NULL").isEmpty, note)
  }

  @Test func `Nothing that a terminal acts on is stored, and no more than fits`() throws {
    let evil = "\u{1B}]0;x\u{7}\u{9B}31m\nred \u{202E}" + String(repeating: "é", count: 600)
    try service.server.send(evil, to: "9", by: "\u{1B}[2J", at: service.now.utc)
    let row = rows("Desti = '9'").first ?? [:]
    let text = row["Text"] as? String ?? ""
    #expect(text.unicodeScalars.count == 500 && text.hasPrefix(" ]0;x  31m red  éé"), note)
    #expect(row["Autor"] as? String == " [2J", note)
  }

  @Test func `Of a thousand and more messages the oldest go, and the numbers go on`() throws {
    for number in 1...1010 {
      try service.server.send("\(number)", to: "9", by: "Pau", at: service.now.utc)
    }
    let kept = try service.server.messages(to: "9")
    #expect(kept.count == 1000 && kept.first?.text == "11" && kept.last?.number == 1010, note)
    #expect(try service.server.messages(to: "7").count == 2, note)
  }
}
