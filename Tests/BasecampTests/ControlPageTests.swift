import ControlRoom
import Digests
import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

/// The control room of a running basecamp.
@Suite(.blocking) struct ControlPageTests {
  private let folder: ScratchFolder

  private static let course = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../traces/race.geojson").standardized.path

  init() throws { folder = try ScratchFolder() }

  private func alarms(_ state: [String: Any]) -> [String] {
    (state["alarms"] as? [[String: Any]] ?? []).map {
      "\($0["need"] ?? "") \($0["state"] ?? "") \($0["by"] ?? "")"
    }
  }

  @Test func `A capture that is stored is on the board with the next question`() throws {
    let table = try folder.write(
      "teams.csv", "team;number;phone;public\nEls Senglars;7;600 111 222;sí\nAbsents;12;;\n")
    let camp = try CampServer(folder, ["--teams", table])
    try Sent.send([Sent(promise: 20)], to: camp)
    let state = try camp.get("/room/state")
    #expect(teams(state).map { $0["name"] as? String } == ["Absents", "Els Senglars"])
    let team = try #require(teams(state).last)
    #expect(team["phone"] as? String == "600 111 222")
    #expect(team["silence"] as? String == "planned")
    #expect(team["promise"] is String && team["taken"] is String)
    #expect(alarms(state).isEmpty)
  }

  @Test func `A broken promise is an alarm that people see, take and close`() throws {
    let camp = try CampServer(folder)
    try Sent.send([Sent(minutesAgo: 60, promise: -40)], to: camp)
    #expect(alarms(try camp.get("/room/state")) == ["silent raised <null>"], "\(camp.command)")
    var state = try camp.post("/room/act", ["see": "1", "by": "Marta"])
    #expect(alarms(state) == ["silent seen Marta"])
    state = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    #expect(alarms(state) == ["silent taken Pau"])
    state = try camp.post("/room/act", ["resolve": "1", "by": "Pau", "text": "on the bus"])
    #expect(alarms(state) == ["silent resolved Pau"])
    let again = try camp.post("/room/act", ["take": "1", "by": "Marta"])
    #expect(again["error"] as? String == "alarm 1 was closed by Pau already")
    #expect(try camp.post("/room/act", ["take": "1"])["error"] as? String == "say who you are")
    #expect(try camp.post("/room/act", ["by": "Pau"])["error"] is String)
  }

  @Test func `What the layer refuses is an alarm, and its emergency is not lost`() throws {
    var camp = try CampServer(folder)
    let long = String(repeating: "Senglars ", count: 20)
    let list = "[\(Sent(team: long, trigger: "emergency").feature)]"
    for _ in 0..<2 {
      let answer = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": list])
      #expect(addResults(answer).map(\.code) == [1016])
    }
    let before = try camp.get("/room/state")
    #expect(alarms(before).sorted() == ["emergency raised <null>", "incomplete raised <null>"])
    let team = try #require(teams(before).first)
    #expect(team["tracker"] as? String == "7" && team["latitude"] is Double)
    let needs = team["needs"] as? [[String: Any]] ?? []
    #expect(
      needs.last?["evidence"] as? String
        == "the server did not take 1 of its captures: The value of Equip is invalid: it is longer "
        + "than 100 characters.")
    #expect(try camp.count() == 0)
    camp.end(SIGKILL)
    camp = try CampServer(folder)
    #expect(alarms(try camp.get("/room/state")) == alarms(before))
    // The team's name is corrected, and the tracker sends it again.
    try Sent.send([Sent(trigger: "emergency")], to: camp)
    #expect(alarms(try camp.get("/room/state")).contains("incomplete cleared <null>"))
  }

  /// Sends features as they are, and returns the open alarms.
  private func alarms(of features: String, _ camp: CampServer) throws -> [String] {
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": features])
    return alarms(try camp.get("/room/state"))
  }

  @Test(arguments: [
    #""geometry": {"x": "NaN", "y": 1}"#, #""geometry": {"x": 1, "y": 1e99}"#, #""other": 1"#,
    #""geometry": {"paths": [[[1, 1]]]}"#,
    #""geometry": {"x": 1, "y": 1, "spatialReference": {"wkid": 999999}}"#,
  ])
  func `Whoever asks for help is heard, wherever that is`(_ place: String) throws {
    let camp = try CampServer(folder)
    let found = try alarms(
      of: """
        [{\(place), "attributes": {"CodiEquip": "7", "UUID": "x", "Motiu": "emergency"}}]
        """, camp)
    #expect(found.contains("emergency raised <null>"), "\(place): \(camp.command)")
    #expect(teams(try camp.get("/room/state")).first?["latitude"] is NSNull)
  }

  @Test func `Made-up codes and identifiers hide no emergency`() throws {
    let table = try folder.write("teams.csv", "team;number\nEls Senglars;7\n")
    let camp = try CampServer(folder, ["--teams", table])
    let long = String(repeating: "x", count: 101)
    let many = (0..<1200).map { Sent(device: "\(1000 + $0)", team: long).feature }
    _ = try alarms(of: "[\(many.joined(separator: ","))]", camp)
    #expect(teams(try camp.get("/room/state")).count == 201, "\(camp.command)")
    // Somebody else's refused capture has the same identifier.
    let copy = Sent(team: long).feature.replacingOccurrences(
      of: "\"CodiEquip\": \"7\"", with: "\"CodiEquip\": \"8\"")
    _ = try alarms(of: "[\(copy)]", camp)
    let found = try alarms(of: "[\(Sent(team: long, trigger: "emergency").feature)]", camp)
    #expect(found.contains("emergency raised <null>"))
    #expect(teams(try camp.get("/room/state")).first?["tracker"] as? String == "7")
  }

  @Test func `A team is changed on the page, and stays so`() throws {
    let table = try folder.write(
      "teams.csv", "team;number;phone;public\nEls Senglars;7;600 111 222;sí\n")
    var camp = try CampServer(folder, ["--teams", table])
    func team(_ number: String) throws -> [String: Any] {
      try #require(
        teams(try camp.get("/room/state")).first { $0["tracker"] as? String == number })
    }
    func change(_ form: [String: String]) throws -> String? {
      try camp.post("/room/roster", form)["error"] as? String
    }
    #expect(try change(["tracker": "7", "name": "x", "phone": "1"]) == "say who you are")
    let new = ["tracker": "7", "name": "Els <b>Nous", "phone": "+34 (600) 1", "by": "Marta"]
    #expect(try change(new) == nil)
    #expect(
      try change(["tracker": "12", "name": "Afegits", "public": "yes", "by": "Marta"]) == nil)
    #expect(
      try change(new.merging(["phone": "call me"]) { $1 })
        == "a telephone number has digits, +, blanks and brackets")
    #expect(
      try change(new.merging(["name": "a\nb"]) { $1 })
        == "name: give 1 to 100 characters in one line")
    #expect(try change(new.merging(["name": "a\u{202E}b"]) { $1 }) != nil)
    camp.end(SIGKILL)
    camp = try CampServer(folder, ["--teams", table])
    #expect(try team("7")["name"] as? String == "Els <b>Nous", "\(camp.command)")
    #expect(try team("7")["phone"] as? String == "+34 (600) 1")
    #expect(try team("7")["public"] as? Bool == false && team("12")["public"] as? Bool == true)
    #expect(try change(["tracker": "7", "forget": "yes", "by": "Marta"]) == nil)
    #expect(try team("7")["name"] as? String == "Els Senglars")
    let diary = try camp.get("/room/records", ["by": "Marta"])["records"] as? [[String: Any]]
    #expect(diary?.map { $0["trackers"] as? [String] } == [["7"], ["12"], ["7"]])
    #expect(try camp.get("/room/records")["records"].map { !"\($0)".contains("600") } == true)
  }

  @Test func `The diary is found by what somebody looks for, also as a table`() throws {
    let camp = try CampServer(folder)
    try Sent.send([Sent(minutesAgo: 60, promise: -40), Sent(device: "8", promise: 20)], to: camp)
    _ = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    _ = try camp.post(
      "/room/act", ["text": "=rings, <b>nobody</b>", "by": "Marta", "tracker": "8"])
    func kinds(_ query: [String: String]) throws -> [String] {
      let body = try camp.get("/room/records", query)
      let records = try #require(body["records"] as? [[String: Any]], "\(body)")
      #expect(body["count"] as? Int == records.count)
      return records.compactMap { $0["kind"] as? String }
    }
    #expect(try kinds([:]) == ["acted", "acted", "raised", "arrived", "arrived"])
    #expect(try kinds(["tracker": "7", "kind": "raised,acted"]) == ["acted", "raised"])
    #expect(try kinds(["by": "Marta"]) == ["acted"])
    #expect(try kinds(["from": "2099-01-01T00:00:00Z"]).isEmpty)
    #expect(try kinds(["until": "2099-01-01T00:00:00Z", "kind": ""]).count == 5)
    let table = try WireClient(port: camp.port).request(
      "GET", "/room/records?format=csv&by=Marta"
    ).body
    #expect(String(decoding: table, as: UTF8.self).hasSuffix("note,\"'=rings, <b>nobody</b>\"\r\n"))
    for (query, error) in [
      (["from": "yesterday"], "from: give a date like 2026-04-18T22:00:00Z"),
      (["kind": "x"], "the diary has no entries of the kind x"),
    ] {
      #expect(try camp.get("/room/records", query)["error"] as? String == error)
    }
    let shift = try camp.get("/room/handover", ["since": "2020-01-01T00:00:00Z"])
    #expect(shift["open"] as? [Int] == [1], "\(shift)")
    let acts = shift["acts"] as? [[String: Any]]
    #expect(acts?.map { $0["text"] as? String } == ["=rings, <b>nobody</b>"])
    #expect(try kinds(["text": "RINGS"]) == ["acted"])
    #expect(try camp.get("/room/handover")["error"] is String)
  }

  // MARK: Durability

  @Test func `A kill loses no alarm and nothing that people did`() throws {
    var camp = try CampServer(folder)
    try Sent.send([Sent(minutesAgo: 60, promise: -40)], to: camp)
    _ = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    _ = try camp.post("/room/act", ["text": "rings, <b>nobody</b> answers", "by": "Pau"])
    let before = try camp.get("/room/state")
    camp.end(SIGKILL)
    camp = try CampServer(folder)
    let after = try camp.get("/room/state")
    #expect(alarms(after) == ["silent taken Pau"], "\(camp.command)")
    #expect(teams(after).count == teams(before).count)
    let text = try WireClient(port: camp.port).request("GET", "/room/diary").text
    var chain = DiaryChain()
    for line in text.split(separator: "\n") {
      _ = try chain.read(try #require(Self.entry(line, number: chain.count + 1)))
    }
    #expect(chain.count == 4)
    #expect(text.contains("nobody"))
  }

  /// As whoever checks the chain elsewhere reads a line of the diary's text.
  private static func entry(_ line: Substring, number: Int) -> KeptEntry? {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4 else { return nil }
    return KeptEntry(
      number: number, line: parts[0], salt: parts[2], seal: parts[3], hash: parts[1])
  }

  @Test func `Captures that the diary lacks are read at the next start`() throws {
    var camp = try CampServer(folder)
    try Sent.send([Sent(number: 1, promise: 20), Sent(number: 2, promise: 20)], to: camp)
    camp.end(SIGKILL)
    for end in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder.path("camp/control.db\(end)"))
    }
    camp = try CampServer(folder)
    #expect(teams(try camp.get("/room/state")).count == 1, "\(camp.command)")
  }

  @Test(arguments: [
    "UPDATE diary SET line = replace(line, 'Pau', 'Pep') WHERE number = 3",
    "DELETE FROM diary WHERE number = 2",
  ])
  func `A diary that was changed is kept beside a new one`(_ change: String) throws {
    var camp = try CampServer(folder)
    try Sent.send([Sent(minutesAgo: 60, promise: -40)], to: camp)
    _ = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    camp.end()
    try SQLiteDatabase(path: folder.path("camp/control.db"), access: .readWrite).execute(change)
    let log = try folder.write("log", "")
    camp = try CampServer(folder, errors: .file(try #require(FileHandle(forWritingAtPath: log))))
    #expect(alarms(try camp.get("/room/state")) == ["silent raised <null>"], "\(camp.command)")
    let said = try String(contentsOfFile: log, encoding: .utf8)
    #expect(said.contains("of the diary is not the one that was written"), "\(said)")
    #expect(FileManager.default.fileExists(atPath: folder.path("camp/control-1.db")))
  }

  @Test func `A diary of the first version goes on`() throws {
    var camp = try CampServer(folder)
    try Sent.send([Sent(minutesAgo: 60, promise: -40)], to: camp)
    _ = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    let before = try camp.get("/room/state")
    camp.end(SIGKILL)
    do {
      // Without salts and seals the chain went over the lines, and nobody knew of refusals and
      // notes.
      let database = try SQLiteDatabase(path: folder.path("camp/control.db"))
      var hash = String(repeating: "0", count: 64)
      for number in 1...(try database.integer("SELECT count(*) FROM diary") ?? 0) {
        let row = try database.prepare("SELECT line FROM diary WHERE number = ?")
        try row.bind(number, at: 1)
        _ = try row.step()
        hash = sha256(hash + row.text(0))
        try database.execute("UPDATE diary SET hash = '\(hash)' WHERE number = \(number)")
      }
      try database.execute(
        """
        ALTER TABLE diary DROP COLUMN salt; ALTER TABLE diary DROP COLUMN seal;
        ALTER TABLE mark DROP COLUMN refusal; ALTER TABLE mark DROP COLUMN note;
        ALTER TABLE mark DROP COLUMN revision;
        """)
    }
    camp = try CampServer(folder)
    #expect(alarms(try camp.get("/room/state")) == alarms(before), "\(camp.command)")
    _ = try camp.post("/room/act", ["text": "goes on", "by": "Marta"])
    camp.end(SIGKILL)
    camp = try CampServer(folder)
    #expect(try camp.get("/room/records", ["by": "Marta"])["count"] as? Int == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("camp/control-1.db")))
  }

  @Test func `A course that is changed, and changed back, loses nothing that people did`() throws {
    let onCourse = ["--course", Self.course]
    var camp = try CampServer(folder, onCourse)
    try Sent.send(
      [
        Sent(minutesAgo: 60, promise: 40, at: (277_074, 5_188_311)),
        Sent(number: 2, minutesAgo: 40, promise: 40), Sent(number: 3, minutesAgo: 20, promise: 40),
      ], to: camp)
    #expect(alarms(try camp.get("/room/state")) == ["off_course raised <null>"])
    _ = try camp.post("/room/act", ["take": "1", "by": "Pau"])
    for (number, arguments) in [[], onCourse, [], onCourse].enumerated() {
      camp.end(SIGKILL)
      camp = try CampServer(folder, arguments)
      let taken = arguments.isEmpty ? [] : ["off_course taken Pau"]
      #expect(alarms(try camp.get("/room/state")) == taken, "\(number); \(camp.command)")
      let changes = try camp.get("/room/records", ["kind": "replanned"])
      #expect(changes["count"] as? Int == number + 1, "\(changes)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("camp/control-1.db")))
  }

  @Test func `What a race has found out about coverage is there for the next one`() throws {
    var camp = try CampServer(folder, ["--course", Self.course])
    let text = try WireClient(port: camp.port).request("GET", "/room/coverage")
    #expect(text.status == 200 && text.text.hasSuffix("\n"), "\(camp.command)")
    camp.end()
    let file = try folder.write("coverage.txt", text.text)
    camp = try CampServer(folder, ["--course", Self.course, "--coverage", file])
    #expect(try WireClient(port: camp.port).request("GET", "/room/coverage").text == text.text)
    let other = try CampServer(ScratchFolder())
    #expect(try WireClient(port: other.port).request("GET", "/room/coverage").status == 404)
  }

  // MARK: Who may

  @Test(arguments: ["https://evil.example.org", "null"])
  func `A page of another origin sees and does nothing in the room`(_ origin: String) throws {
    let camp = try CampServer(folder)
    try Sent.send([Sent(minutesAgo: 60, promise: -40)], to: camp)
    let headers = "Origin: \(origin)\r\n"
    for path in ["state", "diary", "course"] {
      let answer = try WireClient(port: camp.port).request(
        "GET", "/room/\(path)", headers: headers)
      #expect(answer.status == 403, "\(path): \(answer.text); \(camp.command)")
    }
    let act = try WireClient(port: camp.port).request(
      "POST", "/room/act", form: ["take": "1", "by": "Eve"], headers: headers)
    #expect(act.status == 403)
    #expect(alarms(try camp.get("/room/state")) == ["silent raised <null>"])
  }

  @Test func `Without a password the room answers only to this machine's names`() throws {
    let camp = try CampServer(folder)
    for (host, status) in [("evil.example", 403), ("127.0.0.1", 200), ("localhost", 200)] {
      let result = try ForeignClientTests.run([
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host):8080",
        "http://127.0.0.1:\(camp.port)/room/state",
      ])
      #expect(result.output.hasSuffix("\(status)"), "\(host): \(result.output); \(camp.command)")
    }
  }

  // MARK: One team

  @Test func `What a team has told is shown with the places that it passed and will pass`() throws {
    let camp = try CampServer(folder, ["--course", Self.course])
    // Each fourth point of the course, one every ten minutes.
    let way = [
      (277074, 5_188_311), (277130, 5_187_891), (276792, 5_187_744),
      (276757, 5_187_446), (276543, 5_187_076), (275602, 5_186_908),
      (275078, 5_186_831), (274831, 5_186_280), (274723, 5_185_762),
      (274589, 5_185_385),
    ]
    let captures = way.enumerated().map { number, place in
      Sent(number: number + 1, minutesAgo: Double(91 - 10 * number), promise: 20, at: place)
    }
    try Sent.send(captures, to: camp)
    let story = try camp.get("/room/team", ["tracker": "7"])
    let told = try #require(story["captures"] as? [[String: Any]], "\(story)")
    #expect(told.compactMap { $0["done_m"] as? Int }.count == way.count, "\(camp.command)")
    #expect((story["contacts"] as? [Any])?.count == 1)
    let passages = try #require(story["passages"] as? [[String: Any]])
    #expect(passages.first?["place"] as? String == "Olot")
    let coming = (story["arrivals"] as? [[String: Any]])?.first
    #expect(coming?["place"] as? String == "Sant Feliu de Pallerols", "\(story)")
    #expect(coming?["earliest"] is String && coming?["latest"] is String)
  }

  // MARK: The timetable

  @Test func `The timetable's hours stand beside what a team did`() throws {
    let plan = try folder.write(
      "plan.csv", "place,time\nSant Feliu de Pallerols,0:10\nfinish,26:00\n")
    let camp = try CampServer(folder, ["--course", Self.course, "--plan", plan])
    let captures = [(277074, 5_188_311), (277130, 5_187_891), (276792, 5_187_744)].enumerated().map
    {
      Sent(number: $0 + 1, minutesAgo: Double(91 - 30 * $0), promise: 20, at: $1)
    }
    try Sent.send(captures, to: camp)
    let team = try #require(teams(try camp.get("/room/state")).first)
    #expect(team["planned"] is String, "\(team); \(camp.command)")
    #expect((team["behind_plan_s"] as? Int).map { $0 > 600 } == true, "\(team)")
    let story = try camp.get("/room/team", ["tracker": "7"])
    let passages = try #require(story["passages"] as? [[String: Any]])
    #expect(passages.filter { $0["due"] is String }.count == 2, "\(passages)")
    #expect(passages.contains { $0["state"] as? String == "past_due" })
  }

  @Test(arguments: [
    "", "place,time\n", "place,time\nAtlantis,6:30\n", "place,hour\nOlot,6:30\n",
    "place,time\nOlot,half past six\n", "place,time\n\u{0}\u{1}\u{7F}", "\u{1F}\u{8B}\u{8}\u{0}",
  ])
  func `A timetable that does not fit the course is one line and code 2`(_ text: String) throws {
    let plan = try folder.write("plan.csv", text)
    try expectRefusal(
      ["--database", folder.path("x"), "--course", Self.course, "--plan", plan], naming: plan)
  }

  @Test func `A timetable needs a course`() throws {
    let plan = try folder.write("plan.csv", "place,time\nOlot,6:30\n")
    try expectRefusal(["--database", folder.path("x"), "--plan", plan])
    try expectRefusal(
      ["--database", folder.path("x"), "--course", Self.course, "--plan", "/nonexistent"])
  }

  // MARK: The background

  @Test func `Tiles of a file are below the map`() throws {
    let tiles = try TileFixture.write(folder)
    let camp = try CampServer(folder, ["--tiles", tiles])
    let about = try #require(try camp.get("/room/course")["tiles"] as? [String: Any])
    #expect(about["greatest_zoom"] as? Int == 1 && about["attribution"] as? String == "ICGC")
    let answer = try WireClient(port: camp.port).request("GET", "/room/tiles/1/1/0")
    #expect(answer.status == 200 && answer.header("Content-Type") == "image/png")
    #expect(Array(answer.body) == TileFixture.image, "\(camp.command)")
    for place in [
      "1/0/0", "2/1/0", "1/1", "1/1/0/0", "-1/0/0", "a/b/c", "99999999999999999999/0/0",
    ] {
      let status = try WireClient(port: camp.port).request("GET", "/room/tiles/\(place)").status
      #expect(status == 404, "\(place)")
    }
  }

  @Test(arguments: ["pbf", "webp"])
  func `Tiles that no page can show are refused in one line`(_ format: String) throws {
    let path = try TileFixture.write(folder, format: format)
    try expectRefusal(["--database", folder.path("x"), "--tiles", path], naming: path)
  }

  @Test(arguments: ["/nonexistent", "/dev/null", "/etc/hostname"])
  func `What is no file of tiles is refused in one line`(_ path: String) throws {
    try expectRefusal(["--database", folder.path("x"), "--tiles", path], naming: path)
  }

  // MARK: The page

  @Test func `The page asks no other host, and markup in names stays text`() throws {
    let camp = try CampServer(folder)
    for name in [
      "", "room.css", "room.js", "words.js", "map.js", "team.js", "alarms.js", "staff.js",
      "diary.js", "siren.js", "notes.js", "phones.js",
    ] {
      let answer = try WireClient(port: camp.port).request("GET", "/room/\(name)")
      #expect(answer.status == 200 && answer.text.count > 500, "\(name); \(camp.command)")
      for word in ["http://", "https://", "innerHTML", "outerHTML", "document.write", "eval("] {
        #expect(!answer.text.contains(word), "\(name) has \(word)")
      }
    }
  }

  @Test(.enabled(if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet"))
  func `A browser shows who needs a human, and the map`() throws {
    let camp = try CampServer(
      folder, ["--course", Self.course, "--language", "en"])
    try Sent.send(
      [
        Sent(device: "7", team: "<b>Senglars</b>", minutesAgo: 60, promise: -40),
        Sent(device: "8", team: "Fagedes", promise: 20),
      ], to: camp)
    let result = try ForeignClientTests.run([
      "timeout", "120", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
      "--user-data-dir=\(folder.path("chromium"))", "--virtual-time-budget=10000", "--dump-dom",
      "http://127.0.0.1:\(camp.port)/room",
    ])
    let page = result.output
    #expect(page.contains("<strong>SILENT: <button"), "\(page.suffix(3000))")
    #expect(page.contains(">&lt;b&gt;Senglars&lt;/b&gt;</button></strong>"))
    #expect(page.contains("Fagedes"))
    #expect(page.contains("leaflet-marker-icon"))
    #expect(page.contains("live, "))
  }
}
