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

  @Test func `Nothing is lost when a standby takes over`() throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let camp = try CampServer(
      folder,
      [
        "--database", PostgreSQLServer.address(of: [primary, standby]), "--race", "race",
      ])
    #expect(try send(0, to: camp).status == 200, "\(camp.command)")
    let count = "SELECT count(*) FROM information_schema.tables WHERE table_name = 'captures'"
    try eventually("the standby has it") { try standby.ask(count, schema: "race") == "1" }
    try primary.kill()
    let refused = try send(1, to: camp)
    #expect(refused.status == 503 && refused.header("retry-after") != nil, "\(refused.text)")
    let page = try WireClient(port: camp.port).request("GET", "/room/state")
    #expect(page.status == 503 && page.text.contains("the database does not answer"))
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
    try disk.empty()
    try eventually("room on its disk") { try send(batch, to: camp).status == 200 }
    #expect(try camp.count() == batch * 10 + 10, "\(camp.command)")
  }
}
