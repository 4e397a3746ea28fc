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
  private let folder: ScratchFolder
  /// Of the staff.
  private let password = "correct horse"

  init() throws { folder = try ScratchFolder() }

  private static let course = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../traces/race.geojson").standardized.path

  /// A browser with its cookie.
  private final class Browser {
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
  private func camp(delay: Int = 0, place: String = "CP1") throws -> CampServer {
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

  private func browser(_ camp: CampServer, as role: Role?) throws -> Browser {
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

  private func link(of camp: CampServer) throws -> String {
    try link(try browser(camp, as: .control))
  }

  private func link(_ browser: Browser) throws -> String {
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
      "tracker", "name", "latitude", "longitude", "taken", "done_m", "finished", "next_place",
      "next_expected", "next_earliest", "next_latest", "planned", "behind_plan_s", "rank",
      "ranked_at", "behind_first_s",
    ]
    let more: [Role: Set<String>] = [
      .control: [
        "heard", "promise", "silence", "stated", "undated_captures", "battery_percent", "needs",
        "phone", "public", "mail",
      ], .follower: [],
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
    let capture = ["taken", "latitude", "longitude", "done_m"]
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

  @Test func `The room of an earlier time has what had arrived by then`() throws {
    let server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
    let noon = UTC(milliseconds: 1_776_499_200_000)
    let desk = try ControlDesk(RacePlan(), folder: folder.path(""), server) { _ in }
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

  // MARK: Links

  @Test func `A revoked link and all who came by it are out`() throws {
    let log = try folder.write("log", "")
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: password)
    let camp = try CampServer(
      folder, errors: .file(try #require(FileHandle(forWritingAtPath: log))))
    let control = try browser(camp, as: .control)
    let key = try link(control)
    let follower = Browser(camp)
    #expect(try follower.request("POST", "enter", ["key": key]).status == 200)
    #expect(try follower.request("GET", "state").status == 200)
    let links = try #require(try control.get("links")["links"] as? [[String: Any]])
    let number = try #require(links.first?["number"] as? Int)
    #expect(try control.request("POST", "links", ["revoke": "\(number)"]).status == 200)
    #expect(try follower.request("GET", "state").status == 401, "\(camp.command)")
    #expect(try Browser(camp).request("POST", "enter", ["key": key]).status == 403)
    #expect(try Browser(camp).request("POST", "enter", ["key": ""]).status == 403)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(!text.contains(key))
    for file in ["access.db", "access.db-wal"] {
      let bytes = FileManager.default.contents(atPath: folder.path("camp/\(file)")) ?? Data()
      #expect(bytes.range(of: Data(key.utf8)) == nil, "\(file) has the link")
    }
  }

  @Test func `There is a bound for links, and revoked ones leave room`() throws {
    let camp = try camp()
    let control = try browser(camp, as: .control)
    let file = try SQLiteDatabase(path: folder.path("camp/access.db"))
    let many = (1...Bounds.links).map { "('\($0)', '', 0, 99999999999999)" }
    try file.execute(
      "INSERT INTO link (key, label, made, expires) VALUES \(many.joined(separator: ","))")
    func make() throws -> Int { try control.request("POST", "links", ["label": "x"]).status }
    #expect(try make() == 500, "\(camp.command)")
    #expect(try control.request("POST", "links", ["revoke": "x"]).status == 400)
    #expect(try control.request("POST", "links", ["revoke": "1"]).status == 200)
    #expect(try make() == 200)
  }

  @Test func `A room whose accounts are gone does not open to everybody`() throws {
    try camp().end()
    for name in ["access.db", "access.db-wal", "access.db-shm"] {
      try? FileManager.default.removeItem(atPath: folder.path("camp/\(name)"))
    }
    let result = try ProgramResult("basecamp", ["--database", folder.path("camp")])
    #expect(result.code == 2, "\(result)")
    #expect(result.errors.contains("the accounts of the control room are gone"), "\(result)")
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: password)
    let camp = try CampServer(folder)
    #expect(try Browser(camp).request("GET", "state").status == 401, "\(camp.command)")
  }

  @Test func `No other user of the machine reads what is kept`() throws {
    let made = try ProgramResult(
      "basecamp", ["staff", "--database", folder.path("camp"), "marta", "--role", "control"])
    #expect(made.code == 0, "\(made)")
    let camp = try CampServer(folder)
    try Sent.send([Sent(promise: 20)], to: camp)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("camp")) {
      let path = folder.path("camp/\(name)")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(name); \(camp.command)")
    }
  }

  @Test func `Followers and volunteers cannot tell from the order who needs help`() throws {
    let camp = try camp(delay: 0, place: "Olot")
    try Sent.send([Sent(device: "12", team: "Abelles", promise: 20)], to: camp)
    let rows = teams(try browser(camp, as: .checkpoint).get("state"))
    let names = rows.compactMap { $0["name"] as? String }
    #expect(names == names.sorted(), "\(names)")
    let first = teams(try browser(camp, as: .control).get("state")).first
    #expect(first?["name"] as? String == "Els Senglars")
  }

  @Test func `Who is at a place that is not on the course is told of at the start`() throws {
    let log = try folder.write("log", "")
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "pau", role: .checkpoint, place: "Amer!"), password: password)
    let handle = try #require(FileHandle(forWritingAtPath: log))
    let camp = try CampServer(folder, ["--course", Self.course], errors: .file(handle))
    #expect(camp.end() == 0)
    #expect(
      try String(contentsOfFile: log, encoding: .utf8).contains(
        "pau: there is no 'Amer!' on the course, so this account sees no team"))
  }

  @Test func `A follower's session opens no layer that needs a token`() throws {
    let file = try folder.write("password", "secret\n", mode: 0o600)
    let camp = try CampServer(folder, ["--user", "a", "--password-file", file])
    let control = Browser(camp)
    #expect(try control.logIn("a", "secret") == 200, "\(camp.command)")
    for page in ["query?where=1%3D1&f=json", "addFeatures?features=[]&f=json"] {
      let answer = try control.request(
        "GET", "../arcgis/rest/services/TrailWalker/FeatureServer/0/\(page)")
      #expect(answer.status != 200 || answer.text.contains("\"error\""), "\(answer.text)")
      let direct = try WireClient(port: camp.port).request("GET", "\(OpenCamp.layer)/\(page)")
      #expect(direct.text.contains("499"), "\(direct.text)")
    }
  }

  @Test func `Followers never drive out the staff, nor others by loading the page again`() throws {
    let store = try AccessStore(folder: folder.path("store"), followers: 3)
    let now = UTC(milliseconds: 1_776_499_200_000)
    try store.add(.init(name: "marta", role: .control, place: nil), password: password)
    let staff = try store.begin(account: "marta", until: now + .hours(1), at: now)
    let key = try store.makeLink("all", until: now + .hours(48), at: now)
    let number = try #require(try store.link(key, at: now)).number
    let sessions = try (0..<5).map { _ in
      try store.begin(account: nil, link: number, until: now + .hours(48), at: now)
    }
    #expect(try store.viewer(session: staff, at: now)?.role == .control)
    #expect(try store.viewer(session: sessions[4], at: now)?.link == number)
    #expect(try store.viewer(session: sessions[0], at: now) == nil)
    let camp = try camp()
    let follower = try browser(camp, as: .follower)
    let again = try follower.request("POST", "enter", ["key": try link(of: camp)])
    #expect(again.status == 200, "another link is another session")
  }

  @Test func `Somebody of the staff who tries a link stays logged in`() throws {
    let camp = try camp()
    let control = try browser(camp, as: .control)
    let answer = try control.request("POST", "enter", ["key": try link(control)])
    #expect(answer.status == 200 && answer.header("Set-Cookie") == nil, "\(camp.command)")
    #expect(try control.get("session")["person"] as? String == "marta")
  }

  @Test func `A room whose last account is removed stays shut`() throws {
    let camp = try camp()
    let store = try AccessStore(folder: folder.path("camp"))
    #expect(try store.remove("marta") && store.remove("pau"))
    #expect(try Browser(camp).request("GET", "state").status == 401, "\(camp.command)")
  }

  @Test func `Names that only look the same are different people`() throws {
    let store = try AccessStore(folder: folder.path("store"))
    try store.add(.init(name: "\u{E9}va", role: .checkpoint, place: "A"), password: "one")
    try store.add(.init(name: "e\u{301}va", role: .control, place: nil), password: "two")
    #expect(try store.account(named: "\u{E9}va", password: "one")?.role == .checkpoint)
    #expect(try store.account(named: "e\u{301}va", password: "one") == nil)
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
    for _ in 0..<9 { statuses.append(try browser.logIn("marta", "wrong")) }
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
