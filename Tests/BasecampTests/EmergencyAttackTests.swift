import ControlRoom
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Basecamp

/// What somebody may try who wants an emergency unheard, or taken for read: over HTTP, against the
/// real basecamp.
@Suite(.blocking) struct EmergencyAttackTests {
  private let folder: ScratchFolder
  private static let mailbox = "/arcgis/rest/services/TrailWalker/FeatureServer/1"
  private static let forged =
    #"[{"attributes":{"Desti":"7","Numero":1,"Classe":"read","Text":"","Autor":"Marta","#
    + #""Creat":1776499200000,"Ordre":99}}]"#
  /// Clears a terminal, renames its window, turns a line around.
  private static let escapes = "a\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m\u{202E}b"

  init() throws { folder = try ScratchFolder() }

  private func emergency(_ camp: CampServer) throws -> [String: Any]? {
    let state = try camp.get("/room/state")
    return (state["alarms"] as? [[String: Any]])?.first { $0["need"] as? String == "emergency" }
  }

  private func rows(_ camp: CampServer, _ token: String = "") throws -> [[String: Any]] {
    attributes(
      try camp.query(["where": "1=1", "outFields": "*", "token": token], layer: Self.mailbox))
  }

  /// Sends each of these to the table; none may be done.
  private func forge(_ camp: CampServer, token: String = "") throws {
    for (operation, name) in [
      ("addFeatures", "features"), ("applyEdits", "adds"), ("updateFeatures", "features"),
      ("applyEdits", "updates"),
    ] {
      let answer = try camp.post(
        "\(Self.mailbox)/\(operation)", [name: Self.forged, "token": token])
      #expect(!"\(answer)".contains("success = 1"), "\(operation): \(answer); \(camp.command)")
      let results = answer.values.compactMap { $0 as? [[String: Any]] }.joined()
      #expect(results.allSatisfy { $0["success"] as? Bool == false }, "\(operation): \(answer)")
      #expect(errorCode(answer) != 0 || !results.isEmpty, "\(operation): \(answer)")
    }
  }

  @Test func `No account but the room's says that a human has read it`() throws {
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: "x")
    try store.add(.init(name: "pau", role: .checkpoint, place: "CP1"), password: "x")
    let (file, own) = (try folder.write("password", "p\n"), try folder.write("own", "o\n"))
    let camp = try CampServer(
      folder,
      [
        "--user", "race", "--password-file", file, "--owner", "gis", "--owner-password-file", own,
      ])
    let marta = RoomAccessTests.Browser(camp)
    #expect(try marta.logIn("marta", "x") == 200, "\(camp.command)")
    let link = marta.json(try marta.request("POST", "links", ["label": "family"]))
    let key = try #require(link["key"] as? String)
    var tokens: [String] = []
    for (user, password) in [("race", "p"), ("gis", "o")] {
      let answer = try camp.post(
        "/arcgis/tokens/generateToken",
        ["username": user, "password": password, "client": "requestip"])
      tokens.append(try #require(answer["token"] as? String, "\(answer)"))
    }
    let sent = try camp.post(
      "\(OpenCamp.layer)/addFeatures",
      ["features": "[\(Sent(trigger: "emergency", order: 5).feature)]", "token": tokens[0]])
    #expect(areDone(addResults(sent), 1), "\(sent)")
    func state() throws -> String? {
      (try marta.get("state")["alarms"] as? [[String: Any]])?.first?["state"] as? String
    }
    #expect(try state() == "raised")

    for token in tokens + [""] {
      try forge(camp, token: token)
      for form in [["take": "1"], ["see": "1"], ["resolve": "1", "text": "x"]] {
        let form = form.merging(["by": "marta", "token": token]) { $1 }
        for headers in ["", "Authorization: Bearer \(token)\r\n", "Cookie: room=\(token)\r\n"] {
          let answer = try WireClient(port: camp.port).request(
            "POST", "/room/act", form: form, headers: headers)
          #expect(answer.status == 401, "\(answer.text); \(camp.command)")
        }
      }
    }
    let (pau, follower) = (RoomAccessTests.Browser(camp), RoomAccessTests.Browser(camp))
    #expect(try pau.logIn("pau", "x") == 200)
    #expect(try follower.request("POST", "enter", ["key": key]).status == 200)
    for browser in [pau, follower] {
      for form in [["take": "1"], ["see": "1"], ["resolve": "1", "text": "x"]] {
        #expect(try browser.request("POST", "act", form).status == 403, "\(camp.command)")
      }
      let message = ["tracker": "7", "text": "help comes"]
      #expect(try browser.request("POST", "messages", message).status == 403)
    }
    // With a session of the room, but from another site's page.
    #expect(try marta.request("POST", "act", ["take": "1"], isMarked: false).status == 403)
    #expect(try state() == "raised", "\(camp.command)")
    #expect(try rows(camp, tokens[0]).isEmpty)
    #expect(try marta.request("POST", "act", ["take": "1"]).status == 200)
    #expect(try rows(camp, tokens[0]).map { $0["Classe"] as? String } == ["read"])
  }

  @Test func `A confirmation counts once, and of the tracker's own message alone`() throws {
    let camp = try CampServer(folder)
    let both = [
      Sent(trigger: "emergency", order: 5), Sent(device: "8", trigger: "emergency", order: 6),
    ]
    try Sent.send(both, to: camp)
    for alarm in ["1", "2"] {
      #expect(try camp.post("/room/act", ["take": alarm, "by": "Marta"])["error"] == nil)
    }
    func confirm(_ row: Int, _ device: String, _ time: Int) throws -> String {
      let edit =
        "[{\"attributes\":{\"OBJECTID\":\(row),\"Desti\":\"\(device)\",\"Rebut\":\(time)}}]"
      return "\(try camp.post("\(Self.mailbox)/updateFeatures", ["features": edit]))"
    }
    let mine = try #require(try rows(camp).first { $0["Desti"] as? String == "7" })
    let row = try #require(mine["OBJECTID"] as? Int)
    func fetched() throws -> Set<Int> { Set(try rows(camp).compactMap { $0["Rebut"] as? Int }) }
    _ = try confirm(row, "8", 1_776_499_200_000)
    _ = try confirm(row, "", 1_776_499_200_000)
    _ = try confirm(row, "7' OR '1'='1", 1_776_499_200_000)
    _ = try confirm(row + 1_000_000, "7", 1_776_499_200_000)
    #expect(try fetched().isEmpty, "of another device; \(camp.command)")
    _ = try confirm(row, "7", 1_776_499_200_000)
    for time in [1_776_499_300_000, 0, -1] { _ = try confirm(row, "7", time) }
    #expect(try fetched() == [1_776_499_200_000], "the first time counts; \(camp.command)")
    let alarms = try camp.get("/room/state")["alarms"] as? [[String: Any]] ?? []
    let told = alarms.compactMap { ($0["answer"] as? [String: Any])?["fetched"] as? String }
    #expect(told == ["2026-04-18T08:00:00.000Z"], "\(alarms)")
  }

  /// Runs SQL on the database of a server that is not running.
  private func write(_ sql: String) throws {
    try SQLiteDatabase(path: folder.path("camp/basecamp.db")).execute(sql)
  }

  @Test func `Ten thousand messages to one device keep no answer from another, or from itself`()
    throws
  {
    var camp = try CampServer(folder)
    try Sent.send([Sent(trigger: "emergency", order: 5), Sent(device: "8", order: 6)], to: camp)
    camp.end(SIGTERM)
    try write(
      """
      WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 10000)
      INSERT INTO message (Desti, Numero, Classe, Text, Autor, Creat)
        SELECT '7', n, 'message', hex(zeroblob(250)), 'x', 1776499200000 FROM counted
      """)
    camp = try CampServer(folder)
    func count() throws -> Int? {
      try camp.query(["where": "1=1", "returnCountOnly": "true"], layer: Self.mailbox)["count"]
        as? Int
    }
    #expect(try count() == 10_000, "\(camp.command)")
    #expect(try emergency(camp)?["state"] as? String == "raised")
    #expect(try camp.post("/room/act", ["take": "1", "by": "Marta"])["error"] == nil)
    #expect(try count() == 1_000, "the oldest have gone; \(camp.command)")
    let new = try camp.query(
      [
        "where": "Desti = '7' AND Numero > 9990", "outFields": "*",
        "orderByFields": "Numero DESC", "resultRecordCount": "20",
      ], layer: Self.mailbox)
    #expect(attributes(new).first?["Classe"] as? String == "read", "\(camp.command)")
    #expect(attributes(new).first?["Ordre"] as? Int == 5)
    let other = ["tracker": "8", "text": "go on", "by": "Pau"]
    #expect(try camp.post("/room/messages", other)["error"] == nil)
    #expect(try count() == 1_001)
  }

  @Test func `A megabyte of text hides no emergency, and goes nowhere`() throws {
    let camp = try CampServer(folder)
    func call(_ device: String, _ long: String) throws -> [String: Any] {
      let list = "[\(Sent(device: device, team: long, trigger: "emergency").feature)]"
      return try camp.post("\(OpenCamp.layer)/addFeatures", ["features": list])
    }
    let long = String(repeating: "x", count: 1 << 20)
    // No tracker sends such a request.
    #expect(errorCode(try call("7", long)) == 400, "\(camp.command)")
    #expect(try emergency(camp) == nil)
    let refused = try call("7", String(long.prefix(60_000)))
    #expect(addResults(refused).map(\.isDone) == [false], "\(refused)")
    let alarm = try #require(try emergency(camp), "\(camp.command)")
    for (page, form) in [
      ("act", ["resolve": "\(alarm["number"] ?? "")", "text": long, "by": "x"]),
      ("act", ["take": "\(alarm["number"] ?? "")", "by": long]),
      ("messages", ["tracker": "7", "text": long, "by": "x"]),
    ] {
      let answer = try WireClient(port: camp.port).request("POST", "/room/\(page)", form: form)
      #expect(answer.status == 413, "\(answer.text); \(camp.command)")
    }
    let most = String(long.prefix(60_000))
    _ = try camp.post("/room/act", ["take": "\(alarm["number"] ?? "")", "by": most])
    _ = try camp.post(
      "/room/act", ["resolve": "\(alarm["number"] ?? "")", "by": "x", "text": most])
    #expect(try emergency(camp)?["state"] as? String == "resolved")
    let state = try WireClient(port: camp.port).request("GET", "/room/state")
    #expect(state.body.count < 10_000, "\(state.body.count); \(camp.command)")
  }

  @Test func `What a terminal acts on reaches neither tracker nor table nor diary`() throws {
    let camp = try CampServer(folder)
    // Text of JSON may turn a line around; nothing else may.
    func isPlain(_ text: String, isJSON: Bool = false) -> Bool {
      text.unicodeScalars.allSatisfy {
        "\r\n\t".unicodeScalars.contains($0)
          || !($0.value < 32 || 127..<160 ~= $0.value || $0 == "\u{202E}" && !isJSON)
      }
    }
    let name = Self.escapes.unicodeScalars
      .map { "\\u\(String(format: "%04x", $0.value))" }.joined()
    try Sent.send(
      [
        Sent(team: name, trigger: "emergency", order: 5),
        Sent(device: name, trigger: "emergency"),
      ], to: camp)
    _ = try camp.post("/room/act", ["take": "1", "by": Self.escapes])
    _ = try camp.post("/room/act", ["resolve": "1", "by": "Pau", "text": Self.escapes])
    let mail = try camp.post(
      "/room/messages", ["tracker": "7", "text": Self.escapes, "by": Self.escapes])
    #expect(mail["error"] is String, "\(mail); \(camp.command)")
    let texts = try rows(camp).flatMap {
      [$0["Text"] as? String ?? "", $0["Autor"] as? String ?? ""]
    }
    #expect(texts.count == 4 && texts.allSatisfy { isPlain($0) }, "\(texts); \(camp.command)")
    for path in ["diary", "records", "state", "records?format=csv"] {
      let answer = try WireClient(port: camp.port).request("GET", "/room/\(path)").text
      #expect(isPlain(answer, isJSON: !path.hasSuffix("csv")), "\(path); \(camp.command)")
    }
  }

  @Test func `Rows that somebody writes into the database make no emergency read`() throws {
    var camp = try CampServer(folder)
    try Sent.send([Sent(trigger: "emergency", order: 5)], to: camp)
    let since = try #require(try emergency(camp)?["since"] as? String)
    let format = ISO8601DateFormatter()
    format.formatOptions.insert(.withFractionalSeconds)
    let time = try #require(format.date(from: since))
    camp.end(SIGTERM)
    let now = Int((time.timeIntervalSince1970 * 1000).rounded())
    try write(
      """
      INSERT INTO message (Desti, Numero, Classe, Text, Autor, Creat, Ordre, emergency) VALUES
        ('7', 1, 'read', '', 'Marta', \(now), 99, \(now)),
        ('7', 2, 'nonsense', '', 'x', 0, NULL, NULL), ('7', 3, 'ended', '', 'x', -1, -5, \(now)),
        ('7', 9223372036854775807, 'message', char(27) || '[2J', char(27), 0, 99999999999, 1);
      INSERT INTO message (Desti, Numero, Classe, Text, Autor, Creat)
        VALUES ('9', 1, 'message', hex(zeroblob(500000)), 'x', \(now));
      """)
    camp = try CampServer(folder)
    let alarm = try #require(try emergency(camp), "\(camp.command)")
    #expect(alarm["state"] as? String == "raised" && alarm["answer"] is NSNull, "\(alarm)")
    for tracker in ["7", "9"] {
      let mail = try camp.get("/room/messages", ["tracker": tracker])
      #expect(mail["messages"] is [Any], "\(mail); \(camp.command)")
    }
    #expect(try camp.post("/room/act", ["take": "1", "by": "Pau"])["error"] == nil)
    #expect(try emergency(camp)?["state"] as? String == "taken")
  }
}
