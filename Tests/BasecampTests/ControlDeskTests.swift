import ControlRoom
import FeatureService
import Foundation
import Synchronization
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

private let noon = UTC(milliseconds: 1_776_499_200_000)

/// Stores captures that ask for help.
private func send(_ numbers: Range<UInt32>, to server: FeatureServer) throws {
  let device = UniqueID(high: 1, low: 7)
  let features = numbers.map { number in
    let id = UniqueID(device: device, sequence: number).lowercaseText
    return """
      {"geometry": {"x": 277000, "y": 5180000, "spatialReference": {"wkid": 102100}},
      "attributes": {"CodiEquip": "7", "Equip": "Els Senglars", "Motiu": "emergency",
      "Entrada": \(noon.milliseconds), "UUID": "\(id)"}}
      """
  }
  let form = WireClient.encoded([
    "f": "json", "features": "[\(features.joined(separator: ","))]",
  ])
  let request = ServiceRequest(
    method: "POST", target: Array("\(OpenCamp.layer)/addFeatures".utf8), type: nil,
    body: Array(form.utf8))
  let reply = server.answer(request, at: HostTime(utc: noon, uptime: 0))
  guard case .answer(200, _, let body, _, _) = reply else { throw Problem("\(reply)") }
  #expect(String(decoding: body, as: UTF8.self).contains("\"success\":true"))
}

/// The control room's diary on a disk that is full.
@Suite(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)")) struct ControlDeskTests {
  @Test func `A full disk hides no emergency, and nothing is missing afterwards`() throws {
    let disk = try SmallDisk(kilobytes: 512)
    let server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
    let said = Mutex<[String]>([])
    let desk = try ControlDesk(
      RacePlan(), at: .folder(disk.folder), server, try AccessStore(folder: disk.folder)
    ) { line in
      said.withLock { $0.append(line) }
    }
    try disk.leave(0)
    try send(1..<40, to: server)
    desk.update(at: noon)
    desk.update(at: noon + .seconds(1))
    let full = desk.view
    #expect(full.alarms.map(\.need) == [.emergency])
    #expect(full.problem?.english.contains("the disk is full") == true)
    #expect(said.withLock { $0.count } == 1, "it is said once")
    #expect(throws: (any Error).self) {
      try desk.act(.take(alarm: 1), by: "Pau", at: noon + .seconds(2))
    }
    #expect(desk.view.alarms.map(\.state) == [.raised])
    try disk.empty()
    try desk.act(.take(alarm: 1), by: "Pau", at: noon + .seconds(3))
    #expect(desk.view.problem == nil)
    #expect(desk.view.alarms.map(\.state) == [.taken(by: "Pau")])
    // 39 captures, the alarm and the act.
    #expect(try desk.diary(from: 1, atMost: 100).count == 41)
  }
}

/// What the desk passes on to the room.
struct DeskArrivalTests {
  @Test func `Of a great many captures some are shown before all are read, and people know`() throws
  {
    let server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
    let folder = try ScratchFolder()
    func open() throws -> ControlDesk {
      try ControlDesk(
        RacePlan(), at: .folder(folder.url.path), server, try AccessStore(folder: folder.url.path)
      ) { _ in }
    }
    let desk = try open()
    let count = UInt32(Bounds.capturesAtOnce) * 2 + 60
    for start in stride(from: 1, to: count + 1, by: 265) {
      try send(start..<start + 265, to: server)
    }
    desk.update(at: noon, readings: 2)
    #expect(desk.isBehind && desk.view.problem?.english.contains("not all are shown") == true)
    #expect(desk.view.alarms.map(\.need) == [.emergency])
    desk.update(at: noon)
    #expect(!desk.isBehind && desk.view.problem == nil)
    // All captures and the alarm, in several rows and one by one.
    let kept = try desk.diary(from: 1, atMost: 5000)
    #expect(kept.map(\.number) == Array(1...Int(count) + 1))
    #expect(try open().view.board.rows == desk.view.board.rows)
  }

  /// A capture each ten minutes, whose fourth the tracker has set aside.
  @Test func `The room knows by the numbers what a tracker has set aside`() throws {
    let server = try FeatureServer(
      FeatureServerSettings(), database: ":memory:", random: SplitMix64(seed: 1),
      chance: SplitMix64(seed: 2))
    let folder = try ScratchFolder()
    let desk = try ControlDesk(
      RacePlan(), at: .folder(folder.url.path), server, try AccessStore(folder: folder.url.path)
    ) { _ in }
    for number: UInt32 in [1, 2, 3, 5, 6, 7, 8] {
      #expect(desk.view.alarms.isEmpty, "before \(number)")
      let now = noon + .minutes(10 * Int64(number))
      let id = UniqueID(device: UniqueID(high: 1, low: 7), sequence: number).lowercaseText
      let feature = """
        {"geometry": {"x": \(277_000 + 800 * Int(number)), "y": 5180000,
        "spatialReference": {"wkid": 102100}}, "attributes": {"CodiEquip": "7",
        "Entrada": \(now.milliseconds), "UUID": "\(id)", "Ordre": \(number)}}
        """
      let form = WireClient.encoded(["f": "json", "features": "[\(feature)]"])
      let request = ServiceRequest(
        method: "POST", target: Array("\(OpenCamp.layer)/addFeatures".utf8), type: nil,
        body: Array(form.utf8))
      _ = server.answer(request, at: HostTime(utc: now, uptime: 0))
      desk.update(at: now)
    }
    #expect(desk.view.alarms.map(\.need) == [.incomplete])
  }
}
