import ControlRoom
import FeatureService
import Foundation
import SQLite
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// Who may see and do what in the control room.
@Suite(.blocking) struct RoomAccessTests {
  let folder: ScratchFolder
  /// Of the staff.
  let password = "correct horse"

  init() throws { folder = try ScratchFolder() }

  static let course = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../traces/race.geojson").standardized.path

  /// A browser with its cookie.
  final class Browser {
    var port: UInt16
    private var cookie = ""
    private(set) var csrf = ""
    private(set) var key = ""

    init(_ camp: CampServer) { port = camp.port }

    func request(
      _ method: String, _ page: String, _ form: [String: String]? = nil, extra: String = "",
      isMarked: Bool = true
    ) throws -> WireClient.Answer {
      let mark = isMarked && !csrf.isEmpty ? "X-CSRF-Token: \(csrf)\r\n" : ""
      let answer = try WireClient(port: port).request(
        method, "/room/\(page)", form: form,
        headers: (cookie.isEmpty ? "" : "Cookie: a=b; room=\(cookie)\r\n") + mark + extra)
      if let text = answer.header("Set-Cookie") {
        #expect(
          text.contains("HttpOnly; SameSite=Strict") && text.contains("Path=/room;"), "\(text)")
        cookie = String(text.dropFirst("room=".count).prefix { $0 != ";" })
        csrf = json(answer)["csrf"] as? String ?? ""
      }
      return answer
    }

    func json(_ answer: WireClient.Answer) -> [String: Any] {
      (try? JSONSerialization.jsonObject(with: answer.body)) as? [String: Any] ?? [:]
    }

    func get(_ page: String) throws -> [String: Any] { json(try request("GET", page)) }

    func logIn(_ user: String, _ password: String) throws -> Int32 {
      Int32(try request("POST", "login", ["user": user, "password": password]).status)
    }
  }

  private static let table = """
    team;number;phone;public
    Els Senglars;7;600 111 222;sí
    Fagedes;8;600 333 444;
    """

  /// A server with accounts `marta` (control) and `pau` (checkpoint), a public team and one that is
  /// not, both heard and with an alarm.
  func camp(delay: Int = 0, place: String = "CP1") throws -> CampServer {
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: password)
    try store.add(.init(name: "pau", role: .checkpoint, place: place), password: password)
    let table = try folder.write("teams.csv", Self.table)
    let camp = try CampServer(
      folder,
      [
        "--teams", table, "--tiles", try TileFixture.write(folder), "--course", Self.course,
        "--follower-delay", "\(delay)",
      ])
    try Sent.send(
      [
        Sent(minutesAgo: 9, promise: 20, at: (277_074, 5_188_311)),
        Sent(number: 2, promise: 20, trigger: "emergency", at: (277_086, 5_187_809)),
        Sent(device: "8", team: "Fagedes", minutesAgo: 60, promise: -40),
      ], to: camp)
    return camp
  }

  func browser(_ camp: CampServer, as role: Role?) throws -> Browser {
    let browser = Browser(camp)
    switch role {
    case .control: #expect(try browser.logIn("marta", password) == 200, "\(camp.command)")
    case .checkpoint: #expect(try browser.logIn("pau", password) == 200, "\(camp.command)")
    case .follower:
      let key = try link(try self.browser(camp, as: .control))
      #expect(try browser.request("POST", "enter", ["key": key]).status == 200)
    case nil: break
    }
    return browser
  }

  func link(of camp: CampServer) throws -> String {
    try link(try browser(camp, as: .control))
  }

  func link(_ browser: Browser) throws -> String {
    let answer = browser.json(try browser.request("POST", "links", ["label": "family"]))
    return try #require(answer["key"] as? String, "\(answer)")
  }

  // MARK: The table

  @Test(arguments: [nil, Role.control, .checkpoint, .follower])
  func `Every page is for the roles of the table and for nobody else`(_ role: Role?) throws {
    let camp = try camp()
    let expected: [(method: String, page: String, form: [String: String]?, roles: Set<Role>)] = [
      ("GET", "session", nil, [.control, .checkpoint, .follower]),
      ("GET", "state", nil, [.control, .checkpoint, .follower]),
      ("GET", "course", nil, [.control, .checkpoint, .follower]),
      ("GET", "team?tracker=7", nil, [.control, .follower]),
      ("GET", "tiles/1/1/0", nil, [.control, .checkpoint, .follower]),
      ("GET", "coverage", nil, [.control]),
      ("GET", "diary", nil, [.control]),
      ("GET", "records?tracker=7", nil, [.control]),
      ("GET", "handover?since=2026-04-18T22:00:00Z", nil, [.control]),
      ("POST", "act", ["take": "1"], [.control]),
      ("POST", "act", ["see": "2"], [.control]),
      ("POST", "act", ["resolve": "2", "text": "x"], [.control]),
      ("POST", "act", ["text": "seen at the bridge"], [.control, .checkpoint]),
      ("POST", "roster", ["tracker": "9", "name": "Nou"], [.control]),
      ("GET", "links", nil, [.control]),
      ("POST", "links", ["revoke": "99"], [.control]),
      ("POST", "links", ["label": "x"], [.control]),
      ("GET", "messages?tracker=7", nil, [.control]),
      ("POST", "messages", ["tracker": "7", "text": "x"], [.control]),
      ("GET", "notes?tracker=7", nil, [.control]),
      ("POST", "notes", ["tracker": "7", "text": "x"], [.control]),
      ("GET", "phones", nil, [.control]),
      ("POST", "phones", ["name": "Pau"], [.control]),
      ("POST", "phones", ["revoke": "1"], [.control]),
      ("POST", "logout", [:], [.control, .checkpoint, .follower]),
    ]
    let browser = try browser(camp, as: role)
    for (method, page, form, roles) in expected {
      let status = try browser.request(method, page, form).status
      let wanted = role.map { roles.contains($0) ? 200 : 403 } ?? 401
      #expect(status == wanted, "\(method) \(page) \(form ?? [:]); \(camp.command)")
    }
    #expect(try browser.request("GET", "state").status == 401, "logged out")
    #expect(try browser.request("GET", "nonsense").status == 404)
  }

  @Test func `Each role is told of a team what the table says`() throws {
    let camp = try camp()
    let all: Set = [
      "tracker", "name", "latitude", "longitude", "accuracy_m", "taken", "done_m", "finished",
      "next_place",
      "next_expected", "next_earliest", "next_latest", "planned", "behind_plan_s", "rank",
      "ranked_at", "behind_first_s",
    ]
    let more: [Role: Set<String>] = [
      .control: [
        "heard", "from_phone", "promise", "silence", "stated", "undated_captures",
        "battery_percent", "needs",
        "phone", "public", "mail", "notes",
      ], .follower: ["shown_from"],
    ]
    for (role, more) in more {
      let state = try browser(camp, as: role).get("state")
      let team = try #require(teams(state).first { $0["tracker"] as? String == "7" }, "\(state)")
      #expect(Set(team.keys) == all.union(more))
      #expect((state["alarms"] != nil) == (role == .control))
    }
  }

  @Test func `A follower sees the teams that agreed, and nothing that is nobody's business`() throws
  {
    let camp = try camp()
    let follower = try browser(camp, as: .follower)
    let answer = try follower.request("GET", "state").text
    #expect(answer.contains("Els Senglars"), "\(answer); \(camp.command)")
    for word in ["Fagedes", "600", "phone", "battery", "needs", "alarm", "emergency", "promise"] {
      #expect(!answer.contains(word), "\(word): \(answer)")
    }
  }

  @Test func `Of a team's way each role is told what the table says`() throws {
    let camp = try camp()
    let story = ["tracker", "name", "captures", "passages", "arrivals", "pace_mps"]
    let capture = ["taken", "latitude", "longitude", "accuracy_m", "done_m"]
    let more: [(role: Role, story: [String], capture: [String])] = [
      (.control, ["battery_end", "contacts"], ["arrived", "battery_percent", "trigger"]),
      (.follower, [], []),
    ]
    for (role, moreOfStory, moreOfCapture) in more {
      let browser = try browser(camp, as: role)
      let told = try browser.get("team?tracker=7")
      let captures = try #require(told["captures"] as? [[String: Any]], "\(told); \(camp.command)")
      #expect(captures.count == 2)
      #expect(Set(told.keys) == Set(story + moreOfStory))
      #expect(Set(captures[0].keys) == Set(capture + moreOfCapture))
      let other = try browser.request("GET", "team?tracker=8").status
      #expect(other == (role == .control ? 200 : 404), "Fagedes has not agreed")
      #expect(try browser.request("GET", "team?tracker=99").status == 404)
    }
  }

  @Test func `A volunteer sees the teams that are due at the place`() throws {
    let course = try String(contentsOfFile: Self.course, encoding: .utf8)
    let camp = try camp()
    let control = try browser(camp, as: .control)
    let rows = teams(try control.get("state"))
    let place = try #require(rows.compactMap { $0["next_place"] as? String }.first, "\(rows)")
    #expect(course.contains(place))
    _ = try control.request("POST", "logout", [:])
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "pau", role: .checkpoint, place: place), password: password)
    let state = try browser(camp, as: .checkpoint).get("state")
    #expect(!teams(state).isEmpty, "\(place): \(state)")
    #expect(state["place"] as? String == place)
    #expect(teams(state).allSatisfy { $0["phone"] == nil && $0["battery_percent"] == nil })
  }

  @Test func `All of the staff sees every emergency, and only the room closes it`() throws {
    let camp = try camp()
    let pau = try browser(camp, as: .checkpoint)
    let state = try pau.get("state")
    let alarms = state["alarms"] as? [[String: Any]] ?? []
    #expect(alarms.map { $0["need"] as? String } == ["emergency"], "\(state); \(camp.command)")
    let number = try #require(alarms.first?["number"] as? Int)
    #expect(teams(state).map { $0["tracker"] as? String } == ["7"], "at no place of Pau's")
    #expect(teams(state).first?["phone"] == nil)
    for form in [
      ["take": "\(number)"], ["see": "\(number)"], ["resolve": "\(number)", "text": "x"],
    ] {
      #expect(try pau.request("POST", "act", form).status == 403)
    }
    let marta = try browser(camp, as: .control)
    _ = try marta.request("POST", "act", ["resolve": "\(number)", "text": "fine"])
    #expect(try (pau.get("state")["alarms"] as? [Any])?.isEmpty == true)
    #expect(try teams(pau.get("state")).isEmpty)
  }

  @Test func `The room of an earlier time has what had arrived by then`() throws {
    let server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
    let noon = UTC(milliseconds: 1_776_499_200_000)
    let desk = try ControlDesk(
      RacePlan(), at: .folder(folder.path("")), server, try AccessStore(folder: folder.path(""))
    ) { _ in }
    for (device, minutes) in [("7", Int64(0)), ("8", 10)] {
      let feature = Sent(device: device).feature
      let form = WireClient.encoded(["f": "json", "features": "[\(feature)]"])
      let request = ServiceRequest(
        method: "POST", target: Array("\(OpenCamp.layer)/addFeatures".utf8), type: nil,
        body: Array(form.utf8))
      _ = server.answer(request, at: HostTime(utc: noon + .minutes(minutes), uptime: 0))
    }
    func seen(_ minutes: Int64) -> [String] {
      desk.earlierRoom(at: noon + .minutes(minutes)).board.rows.map(\.tracker)
    }
    #expect(seen(-1) == [])
    #expect(seen(0) == ["7"] && seen(9) == ["7"])
    #expect(seen(10).sorted() == ["7", "8"])
  }

  @Test func `Followers do not see a capture before the delay`() throws {
    let camp = try camp(delay: 15)
    let state = try browser(camp, as: .follower).get("state")
    #expect(state["delay_s"] as? Int == 900, "\(camp.command)")
    let team = try #require(teams(state).first, "\(state)")
    #expect(team["taken"] is NSNull && team["latitude"] is NSNull, "\(team)")
  }

  // MARK: Bad input

  @Test(arguments: [
    ["see": "-9223372036854775808"], ["take": "9223372036854775807"], ["take": "0"],
    ["resolve": "-1", "text": "x"], ["see": "99999999999999999999"],
  ])
  func `An alarm that cannot be is refused`(_ form: [String: String]) throws {
    let camp = try CampServer(folder)
    let status = try Browser(camp).request("POST", "act", form.merging(["by": "x"]) { $1 }).status
    #expect(status == 409 || status == 400, "\(camp.command)")
    #expect(try Browser(camp).request("GET", "state").status == 200)
  }

  @Test func `What people send to the room is short`() throws {
    let camp = try CampServer(folder)
    let long = try Browser(camp).request(
      "POST", "act", ["by": "x", "text": String(repeating: "x", count: 70_000)])
    #expect(long.status == 413 && long.text.contains("65,536 bytes"), "\(long.text)")
    let marks = "A" + String(repeating: "\u{301}", count: 4000)
    #expect(try Browser(camp).request("POST", "act", ["by": "x", "text": marks]).status == 200)
    let diary = try Browser(camp).request("GET", "diary").body
    #expect(diary.count < 2500, "\(diary.count) bytes")
  }

  @Test func `Nobody hides words in a note, a name or a label`() throws {
    let camp = try CampServer(folder)
    let sly = "a\u{202E}b\u{200B}c\nd"
    let visitor = Browser(camp)
    #expect(try visitor.request("POST", "act", ["by": sly, "text": sly]).status == 200)
    let records = try visitor.get("records")["records"] as? [[String: Any]] ?? []
    #expect(
      records.last?["by"] as? String == "abc d" && records.last?["text"] as? String == "abc d")
    try Sent.send([Sent(team: "x\u{2066}y", promise: 20)], to: camp)
    #expect(teams(try visitor.get("state")).first?["name"] as? String == "xy")
    let roster = try visitor.request(
      "POST", "roster", ["tracker": "7", "name": sly, "phone": "", "by": "x"])
    #expect(roster.status == 400, "\(camp.command)")
    camp.end()
    let store = try AccessStore(folder: folder.path("camp"))
    _ = try store.makeLink(sly, until: UTC(milliseconds: 1), at: UTC(milliseconds: 0))
    #expect(try store.links().first?.label == "abc d")
  }

  // MARK: Sessions

  @Test func `Whoever changes something shows that it comes from the page`() throws {
    let camp = try camp()
    let control = try browser(camp, as: .control)
    for page in ["act", "links", "logout"] {
      let bare = try control.request("POST", page, ["text": "x", "label": "x"], isMarked: false)
      #expect(bare.status == 403, "\(page): \(bare.text); \(camp.command)")
      let wrong = try control.request(
        "POST", page, ["text": "x"], extra: "X-CSRF-Token: 00\r\n", isMarked: false)
      #expect(wrong.status == 403)
    }
    #expect(try control.request("POST", "act", ["text": "x"]).status == 200)
  }

  @Test func `A form of another site logs nobody in`() throws {
    let camp = try camp()
    let answer = try Browser(camp).request(
      "POST", "login", ["user": "marta", "password": password],
      extra: "Origin: https://evil.example.org\r\n")
    #expect(answer.status == 403 && answer.header("Set-Cookie") == nil, "\(camp.command)")
  }

  @Test func `Wrong passwords get nobody in, and soon not even a try`() throws {
    let camp = try camp()
    let browser = Browser(camp)
    #expect(try browser.logIn("marta", "wrong") == 403, "\(camp.command)")
    #expect(try browser.logIn("nobody", password) == 403)
    #expect(try browser.logIn("", "") == 403)
    var statuses: [Int32] = []
    for _ in 0..<10 { statuses.append(try browser.logIn("marta", "wrong")) }
    #expect(statuses.last == 429, "\(statuses)")
    #expect(try browser.logIn("marta", password) == 429)
  }

  @Test func `An account that is removed or changed is out at once`() throws {
    let camp = try camp()
    let control = try browser(camp, as: .control)
    let checkpoint = try browser(camp, as: .checkpoint)
    let store = try AccessStore(folder: folder.path("camp"))
    #expect(try store.remove("marta"))
    try store.add(.init(name: "pau", role: .control, place: nil), password: "new")
    #expect(try control.request("GET", "state").status == 401, "\(camp.command)")
    #expect(try checkpoint.request("GET", "state").status == 401)
    #expect(try checkpoint.logIn("pau", password) == 403)
    #expect(try checkpoint.logIn("pau", "new") == 200)
  }

  @Test func `Sessions outlive a restart`() throws {
    var camp = try camp()
    let control = try browser(camp, as: .control)
    camp.end(SIGKILL)
    camp = try CampServer(folder)
    control.port = camp.port
    #expect(try control.request("GET", "state").status == 200, "\(camp.command)")
  }

  @Test func `Without accounts the server's own password opens the room`() throws {
    let files = try ["tracker", "owner"].map { try folder.write($0, "\($0)'s\n", mode: 0o600) }
    let camp = try CampServer(
      folder,
      [
        "--user", "tracker", "--password-file", files[0], "--owner", "olga",
        "--owner-password-file", files[1],
      ])
    let browser = Browser(camp)
    #expect(try browser.request("GET", "state").status == 401, "\(camp.command)")
    #expect(try browser.logIn("tracker", "tracker's") == 403, "it is on forty cards")
    #expect(try browser.logIn("olga", "owner's") == 200)
    #expect(try browser.request("GET", "state").status == 200)
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: password)
    #expect(try browser.request("GET", "state").status == 401, "there is an account now")
  }

  @Test func `An open room makes no links`() throws {
    let camp = try CampServer(folder)
    let answer = try Browser(camp).request("POST", "links", ["label": "x"])
    #expect(answer.status == 409 && answer.text.contains("basecamp staff"), "\(answer.text)")
  }

  @Test func `Under a name of its own the room is for whoever logs in`() throws {
    let camp = try camp()
    let browser = Browser(camp)
    let own = "X-Forwarded-Proto: https\r\nOrigin: https://127.0.0.1\r\n"
    let form = ["user": "marta", "password": password]
    #expect(try browser.request("POST", "login", form, extra: own).status == 200, "\(camp.command)")
    #expect(try browser.request("POST", "act", ["text": "x"], extra: own).status == 200)
  }

  // MARK: The command

  @Test func `The staff is listed, added and removed in a terminal`() throws {
    func run(_ words: String...) throws -> (output: String, code: Int32) {
      let result = try ProgramTests.run(
        ["staff", "--database", folder.path("new"), "--language", "en"] + words)
      return (result.output + result.errors, result.code)
    }
    #expect(try run() == ("", 0))
    let (text, code) = try run("marta", "--role", "control")
    #expect(code == 0 && text.hasPrefix("marta: control\npassword: "), "\(text)")
    let file = try folder.write("pw", "x\n", mode: 0o600)
    #expect(
      try run("cp", "--role", "checkpoint", "--place", "Bas", "--password-file", file)
        == ("cp: checkpoint, Bas\n", 0))
    #expect(try run() == ("cp: checkpoint, Bas\nmarta: control\n", 0))
    #expect(try run("cp", "--remove") == ("cp is removed\n", 0))
    #expect(try run("cp", "--remove").code == 2)
    #expect(try run("cp", "--role", "checkpoint").code == 2)
    #expect(try run("cp").code == 2)
    #expect(try run("cp", "--role", "king").code == 2)
  }
}
