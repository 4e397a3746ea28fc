import FeatureService
import Foundation
import TestSupport
import Testing

/// Changes and deletes, which only the layer's owner may make.
@Suite(.blocking, .onEachStorage) struct OwnerTests {
  private let note: Comment = "repeat with: swift test --filter OwnerTests"
  private let service: Service

  init() throws {
    service = try Service {
      $0.owner = Credentials(user: "gis", password: "b")
      $0.credentials = Credentials(user: "race", password: "a")
    }
    let token = Self.token(service, "race", "a")
    #expect(service.add(0..<4, [("token", token)]).summary == "ok 4", note)
  }

  private static func token(_ service: Service, _ user: String, _ password: String) -> String {
    let reply = service.send(
      service.request(
        "POST", "/arcgis/sharing/rest/generateToken",
        [("f", "json"), ("username", user), ("password", password)]))
    return reply.json?["token"] as? String ?? ""
  }

  private func edit(
    _ operation: String, _ form: [String: String], as user: (String, String) = ("gis", "b")
  ) -> [String: Any] {
    let token = Self.token(service, user.0, user.1)
    return service.ask(operation, form.merging(["token": token]) { $1 })
  }

  private func codes(_ answer: [String: Any], _ name: String) -> [Int] {
    (answer[name] as? [[String: Any]] ?? []).map { Service.errorCode($0) }
  }

  private func rows() -> [String] {
    let answer = edit("query", ["where": "1=1", "outFields": "OBJECTID,Equip"])
    return (answer["features"] as? [[String: Any]] ?? []).map {
      let attributes = $0["attributes"] as? [String: Any] ?? [:]
      return "\(attributes["OBJECTID"] ?? "") \(attributes["Equip"] as? String ?? "-")"
    }
  }

  @Test func `The owner changes what is given, and nothing else`() {
    let features = """
      [{"attributes":{"OBJECTID":2,"Equip":"B"}},
       {"attributes":{"OBJECTID":3},
        "geometry":{"x":2.5,"y":42,"spatialReference":{"wkid":4326}}}]
      """
    #expect(codes(edit("updateFeatures", ["features": features]), "updateResults") == [0, 0], note)
    #expect(rows() == ["1 -", "2 B", "3 -", "4 -"], note)
    let answer = edit(
      "query", ["objectIds": "2,3", "outFields": "UUID", "outSR": "4326"])
    let found = answer["features"] as? [[String: Any]] ?? []
    let uuids = found.compactMap { ($0["attributes"] as? [String: Any])?["UUID"] as? String }
    #expect(uuids == [Service.identifier(1), Service.identifier(2)], note)
    let last = found.last?["geometry"] as? [String: Double] ?? [:]
    #expect(abs((last["x"] ?? 0) - 2.5) < 1e-9 && abs((last["y"] ?? 0) - 42) < 1e-9, note)
  }

  @Test func `The owner deletes by number, clause and geometry`() {
    let answer = edit("deleteFeatures", ["objectIds": "2,99"])
    #expect(codes(answer, "deleteResults") == [0], "\(answer); \(note)")
    #expect(
      edit("deleteFeatures", ["where": "OBJECTID = 1", "returnDeleteResults": "false"])["success"]
        as? Bool == true, note)
    #expect(rows() == ["3 -", "4 -"], note)
    // Capture 3 is at x = 3.
    _ = edit("deleteFeatures", ["geometry": "{\"x\":3,\"y\":5180000}"])
    #expect(rows() == ["3 -"], note)
    #expect(Service.errorCode(edit("deleteFeatures", [:])) == 400, note)
    #expect(rows() == ["3 -"], "without a condition nothing is deleted; \(note)")
  }

  /// What was undone may have used up a number.
  private func unnumbered(_ rows: [String]) -> [String] {
    rows.map { $0.hasSuffix(" new") ? "new" : $0 }
  }

  @Test func `One edit adds, changes and deletes, all or nothing`() {
    let form = [
      "adds": "[{\"attributes\":{\"Equip\":\"new\"}}]",
      "updates": "[{\"attributes\":{\"OBJECTID\":1,\"Equip\":\"A\"}}]", "returnEditMoment": "true",
    ]
    let bad = edit("applyEdits", form.merging(["deletes": "[2, 99]"]) { $1 })
    #expect(codes(bad, "addResults") == [1003] && codes(bad, "updateResults") == [1003], note)
    #expect(codes(bad, "deleteResults") == [1003, 1011], "\(bad); \(note)")
    #expect(rows() == ["1 -", "2 -", "3 -", "4 -"], note)
    let good = edit("applyEdits", form.merging(["deletes": "2"]) { $1 })
    #expect(codes(good, "addResults") + codes(good, "deleteResults") == [0, 0], "\(good); \(note)")
    #expect(good["editMoment"] as? Int == 1_349_517_600_000, note)
    #expect(unnumbered(rows()) == ["1 A", "3 -", "4 -", "new"], note)
    let some = edit(
      "applyEdits",
      form.merging(["deletes": "98,3", "rollbackOnFailure": "false"]) { $1 })
    #expect(codes(some, "deleteResults") == [1011, 0], "\(some); \(note)")
    #expect(unnumbered(rows()) == ["1 A", "4 -", "new", "new"], note)
  }

  @Test func `With useGlobalIds features are named by those`() {
    let id = "{0F8FAD5B-D9CB-469F-A165-70867728950E}"
    let named = "[{\"attributes\":{\"GlobalID\":\"\(id.lowercased())\",\"Equip\":\"G\"}}]"
    let form = ["adds": named, "useGlobalIds": "true"]
    #expect(codes(edit("applyEdits", form), "addResults") == [0], note)
    let changed = named.replacingOccurrences(of: "\"G\"", with: "\"H\"")
    let answer = edit("applyEdits", ["updates": changed, "useGlobalIds": "true"])
    #expect(codes(answer, "updateResults") == [0] && rows().last == "5 H", "\(answer); \(note)")
    let deleted = edit("applyEdits", ["deletes": "[\"\(id)\"]", "useGlobalIds": "true"])
    #expect(codes(deleted, "deleteResults") == [0] && rows().count == 4, "\(deleted); \(note)")
  }

  @Test func `Others may not, and the layer tells each client what it may do`() throws {
    let other = ("race", "a")
    let update = ["features": "[{\"attributes\":{\"OBJECTID\":1,\"Equip\":\"X\"}}]"]
    #expect(Service.errorCode(edit("updateFeatures", update, as: other)) == 403, note)
    #expect(Service.errorCode(edit("deleteFeatures", ["objectIds": "1"], as: other)) == 403, note)
    let answer = edit("applyEdits", ["deletes": "1"], as: other)
    #expect(codes(answer, "deleteResults") == [1018], "\(answer); \(note)")
    #expect(Service.errorCode(service.ask("deleteFeatures", ["objectIds": "1"])) == 499, note)
    #expect(rows().first == "1 -", note)
    for (user, capabilities) in [
      (other, "Create,Query"), (("gis", "b"), "Create,Delete,Query,Update,Editing"),
    ] {
      let token = Self.token(service, user.0, user.1)
      let layer = service.send(
        service.request("GET", "\(Service.layer)?f=json&token=\(token)"))
      #expect(layer.json?["capabilities"] as? String == capabilities, note)
    }
  }

  @Test
  func `Where nobody is the owner nobody deletes, and everybody adds where only he has a name`()
    throws
  {
    let open = try Service()
    #expect(open.add(0..<1).summary == "ok 1", note)
    #expect(Service.errorCode(open.ask("deleteFeatures", ["objectIds": "1"])) == 400, note)
    let owned = try Service { $0.owner = Credentials(user: "gis", password: "b") }
    #expect(owned.add(0..<1).summary == "ok 1" && owned.count(["where": "1=1"]) == 1, note)
    #expect(Service.errorCode(owned.ask("deleteFeatures", ["objectIds": "1"])) == 499, note)
  }

  @Test(arguments: ["deletes", "updates", "adds"])
  func `A parameter that is not a list is refused as a whole`(_ name: String) {
    for text in ["one", "{}", "[{]", "1,,x"] {
      #expect(
        Service.errorCode(edit("applyEdits", [name: text])) == 400, "\(name)=\(text); \(note)")
    }
    #expect(Service.errorCode(edit("applyEdits", ["deletes": "1", "async": "true"])) == 400, note)
    #expect(rows().count == 4, note)
  }
}
