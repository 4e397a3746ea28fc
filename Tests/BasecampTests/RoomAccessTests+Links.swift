import ControlRoom
import FeatureService
import Foundation
import SQLite
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// Followers' links, and what is kept of who may come in.
extension RoomAccessTests {
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
    let store = try AccessStore(at: .folder(folder.path("store")), followers: 3)
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
}
