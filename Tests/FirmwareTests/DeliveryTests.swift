import FirmwareHost
import Foundation
import ModemTerminal
import Simulation
import Synchronization
import TestSupport
import Testing
import TrackerCore
import Uplink

/// The firmware of boards/lm3s6965evb delivers: its receiver on UART 1, a modem on UART 2, and
/// behind that a real basecamp.
@Suite(
  .enabled(if: Firmware.isBuildable, "\(Firmware.lacksTarget)"),
  .enabled(if: Firmware.emulator != nil, "needs qemu-system-arm"),
  .enabled(if: Tool.url("curl") != nil, "needs Debian's curl"),
  .serialized, .blocking)
struct DeliveryTests {
  private static let again = "repeat with: swift test --filter FirmwareTests.DeliveryTests"
  /// A capture in the layer, its time by the second.
  private struct Fix: Hashable {
    var seconds: Int64
    var accuracy: Int
    var sequence: Int
    var trigger: String
    var uuid: String
  }

  /// `SHARE=all` plays the whole race, of 27 hours.
  @Test(arguments: Share.of([2, 27]))
  func `Each capture of a race arrives once, as tracker-sim delivers it`(_ hours: Int) throws {
    let folder = try ScratchFolder()
    let world = try Self.world(hours: hours, in: folder)
    let camp = try CampServer(folder)
    // In the emulator the card's bus takes minutes for a whole race.
    let isRecording = hours < 5 || Share.chosen == "all"
    let run = try deliver(world, to: camp, in: folder, isRecording: isRecording)

    let expected = try export("store", in: folder)
    #expect(run.code == 0 && run.output.contains("captured 1: start"), "\(run)")
    let (delivered, wanted) = (CaptureRows(try export("card", in: folder)), CaptureRows(expected))
    #expect(delivered.others == wanted.others, "\(run.output)\(Self.again)")
    #expect(delivered.isCharged(as: wanted), "\(delivered.charges) \(wanted.charges)")
    if isRecording {
      try WholeTrackerTests.expectReplay(
        of: folder.path("card"), taken: delivered.others.count, Self.again)
    }
    let rows = expected.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    try #require(rows.count >= hours * 6 - 6, "\(expected)")
    #expect(rows.allSatisfy { $0[16] == "acknowledged" }, "\(expected)\(Self.again)")
    #expect(run.sent.sorted() == rows.map { String($0[0]) }.sorted(), "\(Self.again)")

    let answer = try camp.post("\(camp.layer)/query", "where=1%3D1&outFields=*&f=json")
    let features = answer["features"] as? [[String: Any]] ?? []
    let stored = features.compactMap { $0["attributes"] as? [String: Any] }.map {
      Fix(
        seconds: ($0["Entrada"] as? Int64 ?? 0) / 1000, accuracy: $0["Precisio"] as? Int ?? -1,
        sequence: $0["Ordre"] as? Int ?? -1, trigger: $0["Motiu"] as? String ?? "",
        uuid: ($0["UUID"] as? String ?? "").lowercased())
    }
    let taken = rows.map { row in
      let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      let date = try? format.parse(String(row[4]))
      return Fix(
        seconds: Int64(date?.timeIntervalSince1970 ?? 0), accuracy: Int(row[11]) ?? -1,
        sequence: Int(row[2]) ?? -1, trigger: String(row[15]), uuid: String(row[0]))
    }
    #expect(stored.count == taken.count, "\(stored.count); \(Self.again)")
    #expect(Set(stored) == Set(taken), "\(Set(stored).symmetricDifference(taken)); \(Self.again)")
  }

  /// What goes wrong for a while, as `ModemScript` names it; and what the server answers at first.
  @Test(arguments: [
    ("a portal's page", 200, "<html>"), ("503", 503, ""), ("no request", -1, ""),
    ("no answer", 0, ""),
  ])
  func `Only a server's own success takes a capture from the queue`(
    _ trouble: (name: String, status: Int32, body: String)
  ) throws {
    let folder = try ScratchFolder()
    let world = try Self.world(hours: 1, in: folder)
    let camp = try CampServer(folder)
    let count = Counter()
    let run = try deliver(world, to: camp, in: folder) { request in
      guard count.next() < 2 else { return request.performWithCurl() }
      // The server has it, and nobody hears of that.
      if trouble.status == 0 { _ = request.performWithCurl() }
      if trouble.status <= 0 { return .lost }
      return .response(status: trouble.status, headers: [], body: Array(trouble.body.utf8))
    }
    #expect(run.code == 0, "\(run)")
    let rows = try export("card", in: folder).split(separator: "\r\n").dropFirst()
    #expect(rows.count >= 6, "\(rows)")
    #expect(rows.allSatisfy { $0.contains(",acknowledged,") }, "\(rows); \(Self.again)")
    #expect(Set(run.sent).count == rows.count, "\(trouble.name); \(Self.again)")
    // Those that had no success went out again.
    #expect(run.sent.count == rows.count + 2, "\(run.sent); \(Self.again)")
    #expect(try camp.count() == rows.count, "\(trouble.name); \(Self.again)")
  }

  @Test func `A button held for seven seconds calls for help, and held again takes it back`()
    throws
  {
    let folder = try ScratchFolder()
    var world = try Self.world(hours: 1, in: folder)
    world.press(for: .seconds(7), at: .minutes(20))
    world.type("status", at: .minutes(25))
    world.press(for: .seconds(7), at: .minutes(30))
    let camp = try CampServer(folder)
    let run = try deliver(world, to: camp, in: folder, isRecording: true)
    #expect(
      run.code == 0 && run.output.contains("NO-GO: EMERGENCY"), "\(run.output); \(Self.again)")

    let triggers = try export("card", in: folder).split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[15]
    }
    // One a minute while it stands, and one that ends it.
    let calls = triggers.count { $0 == "emergency" }
    #expect((10...11).contains(calls), "\(triggers); \(Self.again)")
    #expect(triggers.count { $0 == "emergencyOver" } == 1, "\(triggers); \(Self.again)")
    #expect(try camp.count() == triggers.count, "\(triggers); \(Self.again)")
    #expect(try camp.count("Motiu='emergency'") == calls, "\(Self.again)")
    try WholeTrackerTests.expectReplay(of: folder.path("card"), taken: triggers.count, Self.again)

    let state = try camp.room("/room/state")
    let alarms = state["alarms"] as? [[String: Any]] ?? []
    let call = alarms.first { $0["need"] as? String == "emergency" }
    let evidence = call?["evidence"] as? String ?? ""
    #expect(evidence.contains("it said that it no longer needs any"), "\(state); \(Self.again)")
  }

  // MARK: The parts

  private struct Run {
    var code: Int32
    var output: String
    /// The identifiers of the captures that went out, in their order.
    var sent: [String]
    var heard: [String]
  }

  /// Runs the firmware in a world, with its address at the camp as its server.
  private func deliver(
    _ world: PacedWorld, to camp: CampServer, in folder: ScratchFolder, isRecording: Bool = false,
    forward: @escaping @Sendable (HTTPRequest) -> HTTPReply = { $0.performWithCurl() }
  ) throws -> Run {
    let built = try Firmware.built.get()
    try #require(built.code == 0, "\(built.errors)\n\(Firmware.again)")
    let answer = try camp.room("/room/phones", "by=marta&name=Senglars&tracker=7&kind=tracker")
    let key = try #require(answer["key"] as? String, "\(answer)")
    var world = world
    world.deliver(to: "http://127.0.0.1:\(camp.port)/phone/\(key)")
    world.type("status", after: .minutes(60))
    if isRecording { world.record() }
    try world.insertCard(in: folder)
    let modem = try ModemPeer(ModemScript(family: .a7670), in: folder, forward: forward)
    let run = try world.run(WholeTrackerTests.board, in: folder)
    modem.stop()
    let sent = modem.requests.compactMap { request in
      request.url.firstMatch(of: /[?&]uuid=([0-9a-f-]+)/).map { String($0.1) }
    }
    return Run(code: run.code, output: run.output + run.errors, sent: sent, heard: modem.heard)
  }

  private func export(_ store: String, in folder: ScratchFolder) throws -> String {
    let result = try ProgramResult(
      "trackerctl", ["export", "--store", folder.path(store), "--format", "csv"])
    return result.output
  }

  /// The first hours of the race, recorded by tracker-sim, which delivers by the same modem.
  private static func world(hours: Int, in folder: ScratchFolder) throws -> PacedWorld {
    let race = Built.repository.appendingPathComponent("traces/race.nmea")
    let trace = beginning(of: try String(contentsOf: race, encoding: .utf8), hours: hours)
    let recorded = try ProgramResult(
      "tracker-sim",
      [
        "--trace", try folder.write("race.nmea", trace),
        "--board",
        Built.repository.appendingPathComponent("boards/\(WholeTrackerTests.board)").path,
        "--config", try folder.write("config.json5", "{ bearer: 'modem', apn: 'internet' }"),
        "--record", folder.path("recording"), "--store", folder.path("store"),
      ])
    guard recorded.code == 0 else { throw Problem(recorded.errors) }
    return try PacedWorld(
      of: [UInt8](Data(contentsOf: folder.url.appendingPathComponent("recording"))))
  }
}

/// Counts from several threads.
private final class Counter: Sendable {
  private let count = Mutex(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count - 1
    }
  }
}

/// The lines of a trace until so many hours after its first date.
private func beginning(of trace: String, hours: Int) -> String {
  let format = DateFormatter()
  format.locale = Locale(identifier: "en_US_POSIX")
  format.timeZone = TimeZone(identifier: "UTC")
  format.dateFormat = "ddMMyyHHmmss"
  var start: Date?
  var text = ""
  for line in trace.split(whereSeparator: \.isNewline) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    if fields[0] == "$GPRMC", !fields[9].isEmpty,
      let date = format.date(from: "\(fields[9])\(fields[1].prefix(6))")
    {
      let begin = start ?? date
      if date.timeIntervalSince(begin) >= Double(hours) * 3600 { break }
      start = begin
    }
    text += line + "\r\n"
  }
  return text
}
