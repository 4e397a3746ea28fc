import ControlRoom
import FeatureService
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// What a tracker is told of what people do about its emergency, and other messages.
struct EmergencyAnswerTests {
  private static let noon = UTC(milliseconds: 1_776_499_200_000)
  private let folder: ScratchFolder
  private let server: FeatureServer

  init() throws {
    folder = try ScratchFolder()
    server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
  }

  private func desk() throws -> ControlDesk {
    try ControlDesk(
      RacePlan(), at: .folder(folder.url.path), server, try AccessStore(folder: folder.url.path)
    ) { _ in }
  }

  /// Sends a capture that asks for help.
  ///
  /// - Parameters:
  ///   - card: another one is another tracker's.
  ///   - isTaken: whether the layer takes it, or finds its team's name too long.
  private func send(
    _ number: UInt32, device: String = "7", card: UInt64 = 1, minutes: Int64,
    isTaken: Bool = true, hasNumber: Bool = true
  ) throws {
    let now = Self.noon + .minutes(minutes)
    let id = UniqueID(device: UniqueID(high: card, low: UInt64(device) ?? 0), sequence: number)
    let team = isTaken ? "Els Senglars" : String(repeating: "x", count: 101)
    let feature = """
      {"geometry": {"x": 277000, "y": 5180000, "spatialReference": {"wkid": 102100}},
      "attributes": {"CodiEquip": "\(device)", "Equip": "\(team)", "Motiu": "emergency",
      "Ordre": \(hasNumber ? "\(number)" : "null"),
      "Entrada": \(now.milliseconds), "UUID": "\(id.lowercaseText)"}}
      """
    let form = WireClient.encoded(["f": "json", "features": "[\(feature)]"])
    let request = ServiceRequest(
      method: "POST", target: Array("\(OpenCamp.layer)/addFeatures".utf8), type: nil,
      body: Array(form.utf8))
    let reply = server.answer(request, at: HostTime(utc: now, uptime: 0))
    guard case .answer(200, _, let body, _, _) = reply else { throw Problem("\(reply)") }
    #expect(String(decoding: body, as: UTF8.self).contains("\"success\":\(isTaken)"))
  }

  /// `read 11 Marta`
  private func told(_ device: String = "7") throws -> [String] {
    try server.messages(to: device).map {
      "\($0.kind) \($0.sequence.map { "\($0)" } ?? "-") \($0.author)\($0.text.isEmpty ? "" : ": ")"
        + $0.text
    }
  }

  @Test func `Who takes an emergency and who ends it is told to its tracker, once each`() throws {
    let desk = try desk()
    try send(10, minutes: 0)
    try send(11, minutes: 1)
    try send(4, device: "8", minutes: 1)
    try desk.act(.see(alarm: 1), by: "Pau", at: Self.noon + .minutes(2))
    #expect(try told() == [], "who has only seen it has not taken it")
    for _ in 0..<2 {
      try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(3))
    }
    #expect(try told() == ["read 11 Marta"])
    try send(12, minutes: 4)
    try desk.act(.take(alarm: 1), by: "Pau", at: Self.noon + .minutes(5))
    #expect(try told() == ["read 11 Marta", "read 12 Pau"])
    let reason = "picked\nup"
    try desk.act(.resolve(alarm: 1, reason: reason), by: "Pau", at: Self.noon + .minutes(6))
    desk.update(at: Self.noon + .minutes(7))
    #expect(try told() == ["read 11 Marta", "read 12 Pau", "ended 12 Pau: picked up"])
    #expect(try told("8") == [], "nobody has taken the other one")
  }

  @Test func `An emergency that the layer refused is answered, too`() throws {
    let desk = try desk()
    try send(10, minutes: 0, isTaken: false)
    try send(11, minutes: 1, isTaken: false)
    desk.update(at: Self.noon + .minutes(2))
    let alarm = try #require(desk.alarms.first { $0.need == .emergency })
    try desk.act(.take(alarm: alarm.number), by: "Marta", at: Self.noon + .minutes(3))
    #expect(try told() == ["read 11 Marta"])
    // The layer's administrator has mended it.
    try send(12, minutes: 4)
    let reason = Act.resolve(alarm: alarm.number, reason: "fine")
    try desk.act(reason, by: "Pau", at: Self.noon + .minutes(5))
    #expect(try told() == ["read 11 Marta", "ended 12 Pau: fine"])
  }

  @Test func `Of two trackers with one code each is told, by a capture of its own`() throws {
    let desk = try desk()
    try send(10, minutes: 0)
    try send(403, card: 2, minutes: 1)
    try send(11, minutes: 2)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(3))
    #expect(try told() == ["read 403 Marta", "read 11 Marta"])
    let own = UniqueID(device: UniqueID(high: 1, low: 7), sequence: 11).lowercaseText
    #expect(try server.messages(to: "7").last?.capture == own)
  }

  @Test func `An emergency in a layer without numbers is answered by its capture's UUID`() throws {
    let desk = try desk()
    try send(10, minutes: 0, hasNumber: false)
    try send(11, minutes: 1, hasNumber: false)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(3))
    #expect(try told() == ["read - Marta"])
    let newest = UniqueID(device: UniqueID(high: 1, low: 7), sequence: 11).lowercaseText
    #expect(try server.messages(to: "7").map(\.capture) == [newest])
  }

  @Test func `Raised again, an emergency has to be read again`() throws {
    let desk = try desk()
    try send(10, minutes: 0)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(1))
    // No capture says that it was over.
    try send(20, minutes: 40)
    desk.update(at: Self.noon + .minutes(41))
    #expect(try told() == ["read 10 Marta"])
    #expect(desk.alarms.map(\.state) == [.taken(by: "Marta"), .raised])
    try desk.act(.take(alarm: 2), by: "Marta", at: Self.noon + .minutes(42))
    #expect(try told() == ["read 10 Marta", "read 20 Marta"])
  }

  @Test func `An answer that a kill prevented is given after the next start`() throws {
    try send(10, minutes: 0)
    // The diary has the act, and the table has nothing: another database.
    let lost = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
    let first = try desk()
    try first.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(1))
    #expect(try told() == ["read 10 Marta"])
    let new = EmergencyAnswerTests(folder: folder, server: lost)
    try new.send(10, minutes: 0)
    _ = try new.desk()
    #expect(try new.told() == ["read 10 Marta"])
  }

  private init(folder: ScratchFolder, server: FeatureServer) {
    (self.folder, self.server) = (folder, server)
  }

  @Test func `A second emergency has answers of its own`() throws {
    let desk = try desk()
    try send(10, minutes: 0)
    try desk.act(.take(alarm: 1), by: "Marta", at: Self.noon + .minutes(1))
    try desk.act(.resolve(alarm: 1, reason: "fine"), by: "Marta", at: Self.noon + .minutes(2))
    try send(20, minutes: 40)
    desk.update(at: Self.noon + .minutes(40))
    let open = desk.view.alarms.filter(\.isOpen).map(\.number)
    #expect(open == [2])
    #expect(try told() == ["read 10 Marta", "ended 10 Marta: fine"])
    try desk.act(.take(alarm: 2), by: "Marta", at: Self.noon + .minutes(41))
    #expect(try told().last == "read 20 Marta")
  }
}

/// Messages to teams on the page.
@Suite(.blocking) struct TeamMessageTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let mailbox = "/arcgis/rest/services/TrailWalker/FeatureServer/1"

  private func mail(_ camp: CampServer) throws -> [[String: Any]] {
    try camp.get("/room/messages", ["tracker": "7"])["messages"] as? [[String: Any]] ?? []
  }

  @Test func `A message waits for its tracker, and the room sees when it has fetched it`() throws {
    let camp = try CampServer(folder)
    try Sent.send([Sent(promise: 20)], to: camp)
    let form = ["tracker": "7", "text": "wait at the bridge", "by": "Marta"]
    #expect(try camp.post("/room/messages", form)["error"] == nil, "\(camp.command)")
    #expect(try mail(camp).map { $0["text"] as? String } == ["wait at the bridge"])
    #expect(try mail(camp).first?["fetched"] is NSNull)
    let team = try #require(teams(try camp.get("/room/state")).first)
    #expect((team["mail"] as? [String: Any])?["queued"] as? Int == 1)
    let rows = attributes(
      try camp.query(["where": "Desti = '7'", "outFields": "*"], layer: Self.mailbox))
    let row = try #require(rows.first?["OBJECTID"] as? Int)
    let change = "[{\"attributes\":{\"OBJECTID\":\(row),\"Desti\":\"7\",\"Rebut\":1776499200000}}]"
    let answer = try camp.post("\(Self.mailbox)/updateFeatures", ["features": change])
    #expect((answer["updateResults"] as? [[String: Any]])?.first?["success"] as? Bool == true)
    #expect(try mail(camp).first?["fetched"] as? String == "2026-04-18T08:00:00.000Z")
    let records = try camp.get("/room/records", ["text": "wait at"])
    #expect("\(records)".contains("wait at the bridge"), "\(records)")
  }

  @Test func `What is no message for a known tracker is refused`() throws {
    let camp = try CampServer(folder)
    try Sent.send([Sent(promise: 20)], to: camp)
    for (tracker, text, by) in [
      ("9", "x", "Marta"), ("7", "", "Marta"), ("7", "\u{1B}[2J", "Marta"), ("7", "a\nb", "Marta"),
      ("7", String(repeating: "x", count: 501), "Marta"), ("7", "x", ""),
    ] {
      let answer = try camp.post(
        "/room/messages", ["tracker": tracker, "text": text, "by": by])
      #expect(answer["error"] is String, "\(tracker) \(text.count); \(camp.command)")
    }
    #expect(try mail(camp).isEmpty)
  }
}
