import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// A part of a race in a hurry: a receiver on a pseudo-terminal, a network with holes, a real
/// server. `RACE_SECONDS=1600 swift test --filter RaceDaemonTests` walks the whole of it.
@Suite(.serialized, .blocking) struct RaceDaemonTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["RACE_SECONDS"].flatMap { Double($0) } ?? 15

  @Test(arguments: [[], ["--no-global-ids"]])
  func `Every capture arrives once through a network with holes, and the day replays to the same`(
    _ mode: [String]
  ) throws {
    let run = try DaemonRun(["--speed", "60"])
    run.arguments += ["--record", run.path("day.nmea")]
    let camp = try CampServer(folder: run.folder, mode)
    let proxy = try HoleProxy(to: camp.port)
    defer { proxy.stop() }
    run.server =
      "http://127.0.0.1:\(proxy.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["capture"] = "{ policy: 'standard', interval: '30 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["bearer"] = "'none'"
    run.line.walk(speed: 60)
    try run.startAndWait()

    let end = Date(timeIntervalSinceNow: Self.seconds)
    var isOpen = true
    while Date() < end {
      // Holes of some 100 s of the race's time, at moments that fit nothing else.
      Thread.sleep(forTimeInterval: isOpen ? 3.1 : 1.7)
      isOpen.toggle()
      proxy.setOpen(isOpen)
    }
    proxy.setOpen(true)
    #expect(try run.ask("stop").code == 0, "\(run.command)")
    try waitUntilDelivered(run)
    run.end(SIGTERM)

    let stored = try run.stored()
    #expect(stored == run.announced && stored.count > Int(Self.seconds), "\(run.command)")
    #expect(proxy.victims > 0, "no hole cut anything; \(run.command)")
    let arrived = try camp.identifiers()
    let device = try CaptureStore.openForReading(run.path("queue.db")).device
    let expected = stored.map { UniqueID(device: device, sequence: $0) }
    #expect(Set(arrived) == Set(expected), "\(run.command)")
    #expect(arrived.count == expected.count, "not each once; \(run.command)")
    try replays(run)
  }

  private func waitUntilDelivered(_ run: DaemonRun) throws {
    let status = { try run.ask("status").output }
    try eventually("all delivered: \(try status())\n\(run.logText)", within: 180, pause: 0.1) {
      try status().contains(" 0 waiting, 0 set aside")
    }
  }

  /// The recording leads to the same decisions, bit for bit, ten times of ten.
  private func replays(_ run: DaemonRun) throws {
    var reports: Set<String> = []
    for _ in 0..<10 {
      let replay = try ProgramResult(
        running: [Built.program("tracker-sim").path, "replay", run.path("day.nmea")],
        errors: .asOutput)
      #expect(replay.code == 0, "\(replay.output); \(run.command)")
      reports.insert(replay.output)
    }
    #expect(reports.count == 1 && reports.first?.contains("identical") == true, "\(reports)")
  }

  @Test func `Hours of running need no more memory and no more descriptors`() throws {
    let run = try DaemonRun(["--speed", "200"])
    let camp = try CampServer(folder: run.folder)
    run.server =
      "http://127.0.0.1:\(camp.port)/arcgis/rest/services/TrailWalker/FeatureServer/0"
    run.settings["capture"] = "{ policy: 'standard', interval: '10 s' }"
    run.settings["transmit"] = "{ interval: '1 min' }"
    run.settings["bearer"] = "'none'"
    run.line.walk(speed: 200)
    try run.startAndWait()
    try run.wait("outcome=\"answered", times: 3)
    // An hour for everything to have happened once, and then more than an hour beside it.
    Thread.sleep(forTimeInterval: 8)
    let before = try use(of: run)
    Thread.sleep(forTimeInterval: 12)
    let after = try use(of: run)
    #expect(after.descriptors <= before.descriptors + 1, "\(before) \(after); \(run.command)")
    #expect(after.kibibytes - before.kibibytes < 600, "\(before) \(after); \(run.command)")
  }

  private func use(of run: DaemonRun) throws -> (descriptors: Int, kibibytes: Int) {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(run.id)/fd")
    return (files.count, try run.kibibytes("RssAnon"))
  }
}
