import Foundation
import TestSupport
import Testing

/// A PostgreSQL server that cannot store, for longer than a restart.
@Suite(.blocking, .enabled(if: PostgreSQLServer.missing == nil, PostgreSQLServer.missing))
struct DatabaseTroubleTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func send(_ batch: Int, to camp: CampServer) throws -> WireClient.Answer {
    try WireClient(port: camp.port).request(
      "POST", "\(OpenCamp.layer)/applyEdits",
      form: [
        "f": "json", "adds": Captures.text(batch * 10..<batch * 10 + 10), "useGlobalIds": "true",
      ])
  }

  /// What the room's page says of it.
  private func trouble(_ camp: CampServer, in language: String = "en") throws -> String {
    let answer = try WireClient(port: camp.port)
      .request("GET", "/room/state", headers: "Accept-Language: \(language)\r\n")
    return answer.text
  }

  @Test func `The page says whether a server is off, stands still or takes no password`() throws {
    let server = try PostgreSQLServer()
    _ = try server.ask("CREATE ROLE camp SUPERUSER LOGIN PASSWORD 'new'", schema: "public")
    let address = server.address().replacing("postgres@", with: "camp:old@")
    let camp = try CampServer(folder, ["--database", address, "--race", "race"])
    #expect(try send(0, to: camp).status == 200, "\(camp.command)")
    // From its next start on.
    let rules = try server.ask("SHOW hba_file", schema: "public")
    _ = try server.ask(
      """
      COPY (VALUES ('local all camp scram-sha-256'), ('local all all trust')) TO '\(rules)'
      """, schema: "public")
    try server.stop()
    try eventually("off") { try trouble(camp).contains("the database's server takes no conn") }
    for (language, words) in [
      ("ca", "el servidor de la base de dades no accepta"),
      ("es", "el servidor de la base de datos no acepta"),
      ("fr", "le serveur de la base de données n'accepte pas"),
    ] {
      let text = try trouble(camp, in: language)
      #expect(text.contains(words), "\(text)")
      #expect(!text.contains("/tmp/trailtracker-"), "where it is, is not everybody's to know")
    }
    try server.start()
    try eventually("not let in") { try trouble(camp).contains("does not take basecamp's user") }
    try server.hang()
    defer { try? server.resume() }
    try eventually("no answer") { try trouble(camp).contains("the database does not answer") }
  }

  @Test func `Nothing is lost when a standby takes over`() throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let camp = try CampServer(
      folder,
      [
        "--database", PostgreSQLServer.address(of: [primary, standby]), "--race", "race",
      ])
    #expect(try send(0, to: camp).status == 200, "\(camp.command)")
    try eventually("the standby has them") {
      (try? standby.ask("SELECT count(*) FROM captures", schema: "race")) == "10"
    }
    try primary.kill()
    let refused = try send(1, to: camp)
    #expect(refused.status == 503 && refused.header("retry-after") != nil, "\(refused.text)")
    // As soon as the lost connection is known.
    try eventually("what is wrong") { try trouble(camp).contains("it is a standby") }
    try standby.promote()
    try eventually("the promoted server") { try send(1, to: camp).status == 200 }
    #expect(try camp.count() == 20, "\(camp.command)")
    try eventually("the room") {
      let state = try WireClient(port: camp.port).request("GET", "/room/state").text
      return state.contains("\"problem\": null") && state.contains("Els Senglars 2")
    }
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A server whose disk is full takes captures again once there is room`() throws {
    let server = try PostgreSQLServer()
    let disk = try SmallDisk(kilobytes: 16_384)
    try server.own(disk.folder)
    _ = try server.ask("CREATE TABLESPACE small LOCATION '\(disk.folder)'", schema: "public")
    _ = try server.ask("ALTER DATABASE postgres SET default_tablespace = small", schema: "public")
    let camp = try CampServer(folder, ["--database", server.address(), "--race", "race"])
    #expect(try send(0, to: camp).status == 200, "\(camp.command)")
    try disk.leave(0)
    // What a page has room for is still taken.
    var batch = 1
    while try send(batch, to: camp).status == 200 {
      batch += 1
      try #require(batch < 500, "the disk is not full; \(camp.command)")
    }
    let refused = try send(batch, to: camp)
    #expect(refused.status == 503 && refused.header("retry-after") != nil, "\(refused.text)")
    try eventually("what is wrong") { try trouble(camp).contains("the database's disk is full") }
    try disk.empty()
    try eventually("room on its disk") { try send(batch, to: camp).status == 200 }
    #expect(try camp.count() == batch * 10 + 10, "\(camp.command)")
  }
}

/// Tables that another version of the program has made.
@Suite(.blocking, .enabled(if: PostgreSQLServer.missing == nil, PostgreSQLServer.missing))
struct DatabaseVersionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func place(_ race: String, on server: PostgreSQLServer) -> [String] {
    ["--database", server.address(), "--race", race]
  }

  @Test func `Diary and accounts from before their migrations had names are taken over`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = server.newSchema().replacing(" ", with: "-")
    let first = try CampServer(folder, place(race, on: server))
    _ = try first.post("\(OpenCamp.layer)/applyEdits", ["f": "json", "adds": Captures.text(0..<3)])
    let remark = try WireClient(port: first.port).request(
      "POST", "/room/act", form: ["text": "the bridge is closed", "by": "anna"])
    #expect(remark.status == 200, "\(remark.text)")
    let before = try first.page("http://127.0.0.1:\(first.port)/room/diary?format=csv")
    first.end(SIGKILL)
    // That version had the same tables, and nothing else.
    _ = try server.ask("DROP TABLE diary_migration, account_migration", schema: race)
    let second = try CampServer(folder, place(race, on: server))
    let after = try second.page("http://127.0.0.1:\(second.port)/room/diary?format=csv")
    #expect(before.contains("the bridge is closed") && after == before, "\(second.command)")
    let noted = "SELECT string_agg(name, ' ' ORDER BY name) FROM account_migration"
    #expect(try server.ask(noted, schema: race) == "accounts phone trackers phones teams")
  }

  @Test func `A diary that cannot be read is put aside, and another begins`() throws {
    let server = try PostgreSQLServer.shared.get()
    let race = server.newSchema().replacing(" ", with: "-")
    let first = try CampServer(folder, place(race, on: server))
    _ = try first.post("\(OpenCamp.layer)/applyEdits", ["f": "json", "adds": Captures.text(0..<3)])
    try eventually("the diary") {
      try server.ask("SELECT count(*) FROM diary", schema: race) != "0"
    }
    first.end(SIGTERM)
    _ = try server.ask("UPDATE diary SET line = 'no line' WHERE number = 1", schema: race)
    let second = try CampServer(folder, place(race, on: server))
    #expect(try server.ask("SELECT line FROM diary_1 WHERE number = 1", schema: race) == "no line")
    #expect(try server.ask("SELECT count(*) FROM diary", schema: race) != "0", "\(second.command)")
  }

  @Test(arguments: ["migration", "diary_migration", "account_migration"])
  func `What a newer basecamp has written is left to it`(_ table: String) throws {
    let server = try PostgreSQLServer.shared.get()
    let race = server.newSchema().replacing(" ", with: "-")
    try CampServer(folder, place(race, on: server)).end(SIGTERM)
    _ = try server.ask("INSERT INTO \(table) VALUES ('drones')", schema: race)
    let result = try ProgramResult(
      "basecamp", place(race, on: server) + ["--listen", "127.0.0.1:0"])
    #expect(result.code != 0 && result.isOneLineOfComplaint, "\(result.errors)")
    #expect(result.errors.contains("newer basecamp (it has 'drones')"), "\(result.command)")
  }
}
