import FeatureService
import Foundation
import LeanUplink
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// A tracker that sends OsmAnd requests, at an address of its own: from its requests to layer and
/// room.
@Suite(.blocking) struct TrackerAddressTests {
  private static let device = UniqueID(high: 0x1234_5678_9ABC_4DEF, low: 0x8123_4567_89AB_CDEF)
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func enrol(_ kind: String, as number: String, in camp: CampServer) throws -> String {
    let answer = try camp.room(
      "/room/phones", "by=marta&name=Senglars&tracker=\(number)&kind=\(kind)")
    return try #require(answer["key"] as? String, "\(answer); \(camp.command)")
  }

  /// The request with which a tracker sends a capture, as `OsmAnd` writes it.
  private func query(
    _ sequence: UInt32, hoursAgo: Int? = 0, _ trigger: Trigger = .interval,
    at position: Coordinate? = Coordinate(latitude: 421_000_000, longitude: 25_000_000),
    silence: PlannedSilence = .none
  ) -> String {
    let now = Int64(Date().timeIntervalSince1970) * 1000
    var capture = Capture(
      sequence: sequence, utc: hoursAgo.map { UTC(milliseconds: now - Int64($0) * 3_600_000) },
      isTimeTrusted: hoursAgo != nil, position: position, team: InlineText(), trigger: trigger)
    capture.accuracyMetres = 7
    capture.batteryPercent = 64
    var sink = Bytes()
    let name = Self.device.text()
    OsmAnd(nextContactBy: UTC(milliseconds: now) + .minutes(20), silence: silence).write(
      capture, id: UniqueID(device: Self.device, sequence: sequence), of: name.span, into: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  private struct Bytes: ByteSink {
    var bytes: [UInt8] = []
    mutating func append(_ byte: UInt8) { bytes.append(byte) }
  }

  private func send(
    _ query: String, to key: String, of camp: CampServer
  ) throws -> WireClient.Answer {
    try WireClient(port: camp.port).request("GET", "/phone/\(key)?\(query)")
  }

  private func features(_ camp: CampServer) throws -> [[String: Any]] {
    attributes(try camp.query(["where": "1=1", "outFields": "*", "orderByFields": "OBJECTID"]))
  }

  @Test func `A tracker's capture says what it promises, and its number, and is stored once`()
    throws
  {
    let camp = try CampServer(folder)
    let key = try enrol("tracker", as: "17", in: camp)
    let request = query(4)
    for _ in 0..<2 {
      let answer = try send(request, to: key, of: camp)
      #expect(answer.status == 200, "\(answer.text); \(camp.command)")
    }
    let found = try features(camp)
    try #require(found.count == 1, "\(found)")
    #expect(found[0]["CodiEquip"] as? String == "17" && found[0]["Equip"] as? String == "Senglars")
    #expect(found[0]["Ordre"] as? Int == 4 && found[0]["Motiu"] as? String == "interval")
    #expect(found[0]["ProperContacte"] is Int && found[0]["Tipus"] as? String == "trailtracker")
    #expect(found[0]["Precisio"] as? Int == 7 && found[0]["Bateria"] as? Double == 64)
    let id = UniqueID(device: Self.device, sequence: 4).lowercaseText
    #expect((found[0]["UUID"] as? String)?.lowercased() == id, "\(found)")
    let row = try #require(teams(try camp.room("/room/state")).first)
    #expect(row["from_phone"] as? Bool == false && row["promise"] is String)
  }

  @Test(arguments: ["tracker", "phone"])
  func `What a tracker has kept is stored whatever its age, and without a time or a place`(
    _ kind: String
  ) throws {
    let camp = try CampServer(folder)
    let key = try enrol(kind, as: "17", in: camp)
    let queries = [
      query(1, hoursAgo: 24 * 200), query(2, hoursAgo: nil), query(3, .emergency, at: nil),
    ]
    for query in queries {
      let answer = try send(query, to: key, of: camp)
      #expect(answer.status == 200, "\(query): \(answer.text); \(camp.command)")
    }
    #expect(try features(camp).count == 3, "\(camp.command)")
  }

  @Test func `A tracker's call for help is an alarm; the same request of a phone is none`() throws {
    let camp = try CampServer(folder)
    let phone = try enrol("phone", as: "8", in: camp)
    #expect(try send(query(1, .emergency), to: phone, of: camp).status == 200)
    #expect((try camp.room("/room/state")["alarms"] as? [Any])?.isEmpty == true)
    let tracker = try enrol("tracker", as: "17", in: camp)
    #expect(try send(query(2, .emergency), to: tracker, of: camp).status == 200)
    let alarms = try camp.room("/room/state")["alarms"] as? [[String: Any]] ?? []
    let calls = alarms.filter { $0["need"] as? String == "emergency" }
    #expect(calls.map { $0["trackers"] as? [String] } == [["17"]], "\(alarms); \(camp.command)")
  }

  @Test func `Captures of two controllers with one identity are all stored, each once`() throws {
    let camp = try CampServer(folder)
    let keys = try ["17", "18"].map { try enrol("tracker", as: $0, in: camp) }
    let there = Coordinate(latitude: 421_100_000, longitude: 25_000_000)
    let third = query(3)
    // Each is sent twice; the last of them in the same second as another's.
    let requests = [
      (keys[0], query(1, hoursAgo: 2)), (keys[1], query(1, hoursAgo: 1)),
      (keys[0], query(2, hoursAgo: nil)), (keys[1], query(2, hoursAgo: nil, at: there)),
      (keys[0], third), (keys[1], third.replacing("lat=42.1", with: "lat=42.2")),
    ]
    for (key, query) in requests + requests {
      #expect(try send(query, to: key, of: camp).status == 200, "\(query)")
    }
    let found = try features(camp)
    let rows = found.map { "\($0["CodiEquip"] ?? "") \($0["Ordre"] ?? "")" }
    #expect(rows == ["17 1", "18 1", "17 2", "18 2", "17 3", "18 3"], "\(camp.command)")
  }

  @Test func `At a tracker's address nothing but a tracker's capture is taken`() throws {
    let camp = try CampServer(folder)
    let key = try enrol("tracker", as: "17", in: camp)
    let good = query(1)
    let now = Int(Date().timeIntervalSince1970)
    for query in [
      "lat=42&lon=2&timestamp=\(now)",
      good.replacing("sequence=1", with: "sequence=2"),
      good.replacing("uuid=", with: "uuid=x"),
      good.replacing("trigger=interval", with: "trigger=phone"),
      good.replacing("&trigger=interval", with: ""),
      good.replacing("sequence=1", with: "sequence=-1"),
      good.replacing("sequence=1", with: "sequence=99999999999"),
      good.replacing("timeTrusted=true", with: "timeTrusted=tru"),
      good.replacing("timestamp=", with: "timestamp=x"),
      good.replacing("timestamp=", with: "timestamp=99999999999999"),
      good.replacing("&timeTrusted=true", with: ""), good.replacing("lat=4", with: "lat=4x"),
      good.replacing("lat=4", with: "lat=94"), good.replacing("&lat=", with: "&lax="),
      good.replacing("lon=", with: "lon=nan"), "",
    ] {
      let answer = try send(query, to: key, of: camp)
      #expect(answer.status == 400 && !answer.text.isEmpty, "\(query): \(answer.text)")
    }
    #expect(try camp.count() == 0, "\(camp.command)")
    #expect(try send(good, to: key, of: camp).status == 200 && camp.count() == 1)
  }

  @Test(arguments: ["tracker", "phone"])
  func `A capture that is not whole is not taken for delivered`(_ kind: String) throws {
    let camp = try CampServer(folder)
    let key = try enrol(kind, as: "17", in: camp)
    for query in [query(1), query(1, .emergency, at: nil), query(1, hoursAgo: 24 * 200)] {
      let damaged = query.replacing("sequence=1", with: "sequence=2")
      let answer = try send(damaged, to: key, of: camp)
      #expect(answer.status == 400, "\(damaged): \(answer.text); \(camp.command)")
    }
    #expect(try camp.count() == 0, "\(camp.command)")
  }

  @Test func `Whatever else a capture's request says of itself traps nothing`() throws {
    let camp = try CampServer(folder)
    let key = try enrol("tracker", as: "17", in: camp)
    var sequence: UInt32 = 0
    for odd in [
      "batt=101", "batt=-1", "accuracy=-9223372036854775808", "accuracy=9223372036854775807",
      "nextContactBy=9999-99-99T00:00:00Z", "nextContactBy=1", "silence=x",
    ] {
      sequence += 1
      let name = odd.prefix { $0 != "=" }
      let parts = query(sequence).split(separator: "&").filter { !$0.hasPrefix("\(name)=") }
      let answer = try send(parts.joined(separator: "&") + "&\(odd)", to: key, of: camp)
      #expect(answer.status == 200, "\(odd): \(answer.status) \(answer.text); \(camp.command)")
    }
    #expect(try camp.count() == Int(sequence), "\(camp.command)")
  }

  @Test func `A tracker is enrolled under its team's number, also one that a tracker has used`()
    throws
  {
    let camp = try CampServer(folder)
    func status(_ form: [String: String]) throws -> Int {
      let all = form.merging(["by": "marta", "name": "Senglars", "kind": "tracker"]) { $1 }
      return try WireClient(port: camp.port).request("POST", "/room/phones", form: all).status
    }
    try Sent.send([Sent(promise: 20)], to: camp)
    #expect(try status([:]) == 400)
    #expect(try status(["tracker": "7"]) == 200)
    #expect(try status(["tracker": "7"]) == 409, "has one already; \(camp.command)")
    let phones = try camp.room("/room/phones")["phones"] as? [[String: Any]] ?? []
    #expect(phones.map { $0["is_tracker"] as? Bool } == [true], "\(phones)")
    // A late team's calls for help need it after the race.
    let end = try #require(phones.first?["expires"] as? String)
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: end.contains("."))
    #expect(try format.parse(end) > Date() + 300 * 86_400, "\(end)")
  }
}
