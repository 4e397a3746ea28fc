import Foundation
import TestSupport
import Testing

/// `trackerctl stats` and `compare` at a tracker that runs.
@Suite(.serialized, .blocking) struct WalkCommandTests {
  private let command: Comment = "repeat with: swift test --filter WalkCommandTests"

  /// A course where the tracker's receiver walks: 5 km to the north, with a place after 100 m.
  private func course(in rig: ConsoleRig) throws -> String {
    let (latitude, longitude) = (42 + 10.0 / 60, 2 + 29.34 / 60)
    let points = (0...50).map { step in
      "<trkpt lat=\"\(latitude - 0.001 + Double(step) * 0.0009)\" lon=\"\(longitude)\"/>"
    }
    let text =
      "<gpx version=\"1.1\"><wpt lat=\"\(latitude)\" lon=\"\(longitude)\"><name>Amer</name>"
      + "<type>checkpoint</type></wpt><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    try Data(text.utf8).write(to: URL(fileURLWithPath: rig.run.path("course.gpx")))
    return rig.run.path("course.gpx")
  }

  @Test func `The figures of the session are shown while it runs, and its sessions are listed`()
    throws
  {
    let rig = try ConsoleRig.outdoors()
    try rig.run.wait("captured sequence=4")
    let course = try course(in: rig)
    let stats = try rig.tell("stats")
    #expect(stats.code == 0 && stats.firstLine.hasPrefix("session since "), "\(stats.output)")
    #expect(stats.value("distance")?.hasSuffix(" km") == true, "\(stats.output)")
    let along = try rig.tell("stats", "--course", course)
    #expect(along.value("course")?.contains(" km along it") == true, "\(along.output)")
    let json = try rig.tell("stats", "--course", course, "--json")
    #expect(json.output.contains("\"from_m\""), "\(json.output)")
    let list = try rig.tell("stats", "--sessions")
    #expect(
      list.lines.count == 1 && list.firstLine.hasPrefix("1  20")
        && list.firstLine.hasSuffix(" captures  Els Caminants"), "\(list.output)")
    #expect(try rig.tell("stats", "--session", "1").code == 0, command)
    let missing = try rig.tell("stats", "--session", "2")
    #expect(missing.code == 2 && missing.isOneLineOfComplaint, "\(missing.errors)")
    #expect(missing.errors.contains("there is no session 2, there are 1"), "\(missing.errors)")
    let wrong = try rig.tell("stats", "--course", rig.run.path("settings.json5"))
    #expect(wrong.code == 2 && wrong.isOneLineOfComplaint, "\(wrong.errors)")
  }

  @Test func `A session is compared with an export of itself while it runs`() throws {
    let rig = try ConsoleRig.outdoors()
    try rig.run.wait("captured sequence=12")
    let course = try course(in: rig)
    let export = rig.run.path("export.csv")
    let store = rig.run.path("queue.db")
    let exported = try ProgramResult(
      "trackerctl", ["export", "--store", store, "--format", "csv", "--output", export])
    #expect(exported.code == 0, "\(exported.errors)")
    let words = ["compare", store, export, "--course", course, "--every", "100"]
    let compared = try ProgramResult("trackerctl", words)
    #expect(compared.code == 0 && compared.output.contains("level at "), "\(compared.output)")
    #expect(
      compared.firstLine.hasPrefix("A: Els Caminants (queue.db) · start"), "\(compared.output)")
    let json = try ProgramResult("trackerctl", words + ["--json"])
    #expect(json.output.contains("\"lead_of_a_s\": 0.0"), "\(json.output)")
    let alone = try ProgramResult("trackerctl", ["compare", store, "--course", course])
    #expect(alone.code == 2 && alone.isOneLineOfComplaint, "\(alone.errors)")
  }
}
