import Reports
import Statistics
import Testing
import TrackerCore

/// What a receiver measured, in a GPX file.
@Suite struct GPXSpeedTests {
  private let again: Comment = "repeat with: swift test --filter GPXSpeedTests"

  private func points(_ inside: String, version: String = "1.1") throws -> [TrackPoint] {
    let gpx = """
      <gpx version="\(version)"><trk><trkseg>
      <trkpt lat="42" lon="2.5"><time>2026-04-18T08:00:00Z</time>\(inside)</trkpt>
      <trkpt lat="42.01" lon="2.5"><time>2026-04-18T08:30:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    return try TrackPoint.points(inGPX: Array(gpx.utf8))
  }

  @Test func `What was exported as GPX has the same figures as before, the maximum speed too`()
    throws
  {
    let captures = (0..<40).map { index in
      var capture = Capture(
        sequence: UInt32(index + 1),
        utc: UTC(milliseconds: 1_776_499_200_000 + Int64(index) * 600_000), isTimeTrusted: true,
        position: Coordinate(
          latitude: 420_000_000, longitude: 25_000_000 + Int32(index) * 90_000),
        team: InlineText(), trigger: .interval)
      capture.speedMillimetresPerSecond = index == 17 ? 3456 : 1200
      capture.accuracyMetres = index == 20 ? 900 : 7
      capture.altitudeMillimetres = 400_000 + Int32(index) * 1000
      return capture
    }
    let device = UniqueID(high: 1, low: 2)
    let gpx = ExportFormat.gpx.bytes(
      of: captures.map { ExportedCapture($0, device: device, state: .acknowledged) },
      creator: "test")
    let found = SessionStatistics(try TrackPoint.points(inGPX: gpx))
    #expect(found.whole.topSpeed == 3456, "\(again)")
    #expect(
      found.whole == SessionStatistics(captures.compactMap(TrackPoint.init)).whole, "\(again)")
  }

  @Test(arguments: [
    (
      "1.1",
      "<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>2.5</gpxtpx:speed>"
        + "</gpxtpx:TrackPointExtension></extensions>"
    ),
    ("1.1", "<extensions><osmand:speed>2.5</osmand:speed></extensions>"),
    ("1.0", "<speed>2.5</speed>"),
  ])
  func `Speeds of other programs count`(_ version: String, _ inside: String) throws {
    let read = try points(inside, version: version)
    #expect(read.map(\.speedMillimetresPerSecond) == [2500, nil], "\(again)")
  }

  @Test(arguments: ["NaN", "-1", "1e300", "inf", "", "fast"])
  func `An impossible speed is not read`(_ text: String) throws {
    let read = try points("<extensions><speed>\(text)</speed></extensions>")
    #expect(read.map(\.speedMillimetresPerSecond) == [nil, nil], "\(again)")
  }
}
