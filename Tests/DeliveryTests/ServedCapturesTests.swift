import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// `captures --from-server`: what the server has, beside what the store has.
@Suite(.blocking) struct ServedCapturesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func configuration(
    _ address: String, _ store: String, kind: String = "arcgis", _ more: String = ""
  ) throws -> String {
    try folder.write(
      "tracker.json5",
      """
      { store: "\(store)", control: "\(folder.path("control"))", team: "Els Senglars",
        server: { kind: "\(kind)", address: "\(address)", \(more) } }
      """)
  }

  private func push(_ store: String, _ camp: CampServer) throws {
    let run = try controlRun(["push", "--store", store, "--server", camp.layer])
    try #require(run.code == 0, "\(run.errors)\(run.command)")
  }

  private func served(_ config: String, _ more: [String] = []) throws -> ProgramResult {
    try controlRun(["captures", "--from-server", "--config", config, "--language", "en"] + more)
  }

  private func store(_ name: String, _ numbers: ClosedRange<UInt32>, team: String) throws -> String
  {
    let path = folder.path(name)
    let store = try CaptureStore.open(.file(path), at: Walk.start)
    for number in numbers {
      var capture = Walk.capture(number)
      capture.sequence = store.nextSequence
      capture.team = InlineText(Array(team.utf8).span)
      try store.append(capture, at: Walk.start)
    }
    return path
  }

  @Test func `After a card was replaced, the earlier captures are seen on the server`() throws {
    let camp = try CampServer(folder)
    try push(store("old.store", 1...5, team: "Els Senglars"), camp)
    try push(store("other.store", 1...3, team: "Altres"), camp)
    let new = try store("new.store", 6...7, team: "Els Senglars")
    try push(new, camp)
    let before = try CaptureStore.openForReading(new).captures()
    let config = try configuration(camp.layer, new)
    let run = try served(config)
    let lines = run.output.split(separator: "\n")
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)\(run.command)")
    #expect(lines.count == 9, "\(run.output)")
    #expect(lines.count { $0.hasSuffix("not here") } == 5)
    #expect(lines.count { $0.hasSuffix("here too") } == 2)
    #expect(lines.last == "7 captures on the server; 5 not in this store")
    #expect(lines.dropFirst().first?.contains("99 %") == true, "the oldest first: \(run.output)")
    #expect(try CaptureStore.openForReading(new).captures() == before)

    let json = try served(config, ["3", "--json"])
    let answer = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let rows = answer?["served"] as? [[String: Any]] ?? []
    #expect(rows.map { $0["store"] as? String } == ["missing", "here", "here"], "\(json.output)")
    #expect(rows.last?["name"] as? String == "2" && rows.last?["team"] as? String == "Els Senglars")
    #expect(answer?["missing"] as? Int == 5 && answer?["onServer"] as? Int == 7)
  }

  @Test func `Another team's captures with a copied card are told from one's own`() throws {
    let camp = try CampServer(folder, ["--no-global-ids"])
    let first = try store("first.store", 1...2, team: "Els Senglars")
    try push(first, camp)
    let second = folder.path("copy.store")
    try FileManager.default.copyItem(atPath: first, toPath: second)
    for (path, team, later) in [(first, "Els Senglars", 1), (second, "Altres", 2)] {
      let store = try CaptureStore.open(.file(path), at: Walk.start)
      var capture = Walk.capture(3)
      capture.team = InlineText(Array(team.utf8).span)
      capture.utc = capture.utc.map { $0 + .minutes(Int64(later)) }
      try store.append(capture, at: Walk.start)
    }
    try push(first, camp)
    try push(second, camp)
    let run = try served(configuration(camp.layer, first))
    let lines = run.output.split(separator: "\n").map { String($0) }
    #expect(lines.count { $0.hasSuffix("here too") } == 3, "\(run.output)\(run.errors)")
    #expect(lines.count { $0.hasSuffix("another one here, Altres") } == 1, "\(run.output)")
    #expect(lines.last == "4 captures on the server; 1 not in this store")
  }

  @Test func `Three thousand captures are read in pages`() throws {
    let camp = try CampServer(folder, ["--max-records", "170"])
    let path = try folder.store(3000)
    try push(path, camp)
    let run = try served(configuration(camp.layer, path), ["all"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3002 && run.code == 0, "\(run.errors)\(run.command)")
    #expect(lines.last == "3000 captures on the server; 0 not in this store")
  }

  @Test(arguments: [
    (["--fault", "portal every 1st on queries"], "", "a web page came back"),
    (["--fault", "503 every 1st on queries"], "", "status 503"),
    (["--fault", "unauthorised every 1st on queries"], "", "the server requires a user"),
    (["--no-global-ids"], "fields: { identifier: 'Codi' }", "has no field Codi"),
    ([], "fields: { team: false, device: false }", "has no field"),
  ])
  func `What stands in the way is said in one line`(
    _ arguments: [String], _ settings: String, _ words: String
  ) throws {
    let camp = try CampServer(folder, arguments)
    let run = try served(configuration(camp.layer, try folder.store(1), settings))
    let said = run.output + run.errors
    #expect(run.code == 2 && said.contains(words), "\(said)\(run.command)")
    #expect(said.split(separator: "\n").count == 1, "\(said)")
  }

  @Test func `A server that is not there, or cannot be asked, is said in one line`() throws {
    let store = try folder.store(1)
    let address = "http://127.0.0.1:\(try ScriptedServer.deadPort())/FeatureServer/0"
    for (kind, words) in [
      ("arcgis", "check the address"), ("json", "its protocol has no such question"),
    ] {
      let run = try served(configuration(address, store, kind: kind))
      let said = run.output + run.errors
      #expect(run.code == 2 && said.contains(words), "\(said)\(run.command)")
      #expect(said.split(separator: "\n").count == 1, "\(said)")
    }
  }
}
