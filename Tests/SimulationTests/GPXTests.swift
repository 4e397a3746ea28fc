import Courses
import Testing
import TrackerCore

@testable import Simulation

/// GPX as a trace: through the receiver model.
@Suite struct GPXTests {
  private let note: Comment = "repeat with: swift test --filter GPXTests"

  private func file(_ body: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">\(body)</gpx>".utf8)
  }

  private func point(_ latitude: Double, _ longitude: Double, _ time: String) -> String {
    "<trkpt lat=\"\(latitude)\" lon='\(longitude)'><ele>100</ele><time>\(time)</time></trkpt>"
  }

  private func walk(_ segments: [[String]]) throws -> GPXWalk {
    let body = segments.map { "<trkseg>" + $0.joined() + "</trkseg>" }.joined()
    return try GPXWalk(file("<trk><name>W</name>\(body)</trk>"), path: "w.gpx")
  }

  private func text(_ walk: GPXWalk) -> String {
    var synthesizer = walk.synthesizer
    var bytes: [UInt8] = []
    while let chunk = synthesizer.nextChunk() { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `The receiver is where the file says, when it says so`() throws {
    let text = text(
      try walk([
        [
          point(42.0, 2.5, "2026-04-18T08:00:00.400Z"),
          point(42.1, 2.5, "2026-04-18T10:01:00+02:00"),
        ]
      ]))
    let sentences = text.split(separator: "\r\n").filter { $0.hasPrefix("$GPRMC") }
    #expect(sentences.count == 61, note)
    // Half of the way, within some 40 m: 42° 03'.
    let middle = try #require(sentences.first { $0.hasPrefix("$GPRMC,080030.00,A,") })
    let minutes = Double(middle.split(separator: ",")[3].dropFirst(2)) ?? 0
    #expect(abs(minutes - 3) < 0.05, "\(middle)")
    #expect(sentences.last?.contains(",180426,") == true)
  }

  @Test func `Between two segments there is no fix`() throws {
    let walk = try walk([
      [point(42, 2, "2026-04-18T08:00:00Z"), point(42.001, 2, "2026-04-18T08:01:00Z")],
      [point(42.01, 2, "2026-04-18T08:05:00Z"), point(42.011, 2, "2026-04-18T08:06:00Z")],
    ])
    let states = text(walk).split(separator: "\r\n").filter { $0.hasPrefix("$GPRMC") }.map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[2]
    }
    #expect(states.count == 361 && states.filter { $0 == "V" }.count == 239, note)
    #expect(states[60] == "A" && states[61] == "V" && states[299] == "V" && states[300] == "A")
  }

  @Test func `A track without times is walked like a course, with its places as checkpoints`()
    throws
  {
    let walk = try GPXWalk(
      file(
        "<wpt lat='42.005' lon='2'><name>A &amp; <![CDATA[<b>]]></name></wpt><rte>"
          + "<rtept lat='42' lon='2'/><rtept lat='42.01' lon='2'/></rte>"), path: "plan.gpx")
    #expect(walk.places.map(\.name) == ["A & <b>"], note)
    #expect(text(walk).contains("$GPRMC,080000.00,A,4200.0"))
  }

  @Test func `Names and times inside of extensions do not count`() throws {
    let inner = "<extensions><x:name>no</x:name><x:time>never</x:time></extensions>"
    let walk = try GPXWalk(
      file(
        "<metadata><name>M</name><time>2020-01-01T00:00:00Z</time></metadata><g:trk>"
          + "<name>Real</name><!-- <name>no</name> --><trkseg><trkpt lat='42' lon='2'>\(inner)"
          + "<time>2026-04-18T08:00:00</time></trkpt>\(point(42.01, 2, "2026-04-18T08:20:00Z"))"
          + "</trkseg></g:trk>"), path: "-")
    #expect(text(walk).hasPrefix("# Name: Real\r\n"), note)
  }

  @Test(arguments: [
    ("<trk><trkseg><trkpt lat='91' lon='2'/></trkseg></trk>", "line 2: lat and lon"),
    ("<trk><trkseg>\n<trkpt lat='nan' lon='2'/></trkseg></trk>", "line 3: lat and lon"),
    ("<wpt lat='42' lon='2'/>", "no track with two points"),
    (
      "<trk><trkseg><trkpt lat='42' lon='2'><time>yesterday</time></trkpt></trkseg></trk>",
      "line 2: 'yesterday' is not a time"
    ),
    ("<trk><trkseg><trkpt lat='42' lon='2'/><trkpt lat='42' lon='2'/></trkseg></trk>", "10 m"),
    ("<trk></gpx><gpx", "cut off|no track"),
    (
      "<trk><trkseg><trkpt lat='42' lon='2'><time>2026-04-18T08:00:00Z</time></trkpt>"
        + "<trkpt lat='42.1' lon='2'/></trkseg></trk>", "1 of its 2 points have no time"
    ),
  ])
  func `A file that cannot be walked says where and what to do`(_ body: String, _ wanted: String) {
    #expect { try GPXWalk(file(body), path: "x.gpx") } throws: { error in
      wanted.split(separator: "|").contains { "\(error)".contains($0) }
    }
  }

  /// Minutes after 8:00 of points 100 m apart.
  @Test(arguments: [
    ([900, 1, 2, 3], "23:00:00Z is followed by 2026-04-18T08:01:00Z"),
    ([0, 1, 900, 2, 3], "23:00:00Z is followed by 2026-04-18T08:02:00Z"),
    ([0, 10, 4, 11], "08:10:00Z is followed by 2026-04-18T08:04:00Z"),
    ([5, 5, 5], "the same time"),
  ])
  func `A wrong time is named, and never changes the walk in silence`(
    _ minutes: [Int], _ says: String
  ) {
    let points = minutes.enumerated().map { index, minutes in
      let (hour, minute) = ("0\(8 + minutes / 60)".suffix(2), "0\(minutes % 60)".suffix(2))
      return point(42 + Double(index) / 1000, 2, "2026-04-18T\(hour):\(minute):00Z")
    }
    #expect { try walk([points]) } throws: { "\($0)".contains(says) }
  }

  @Test func `A clock that is put right is no wrong time, and tracks may be in any order`()
    throws
  {
    let morning = [point(42, 2, "2026-04-18T08:00:18Z"), point(42, 2, "2026-04-18T08:00:01Z")]
    let noon = [point(42.01, 2, "2026-04-18T08:20:00Z"), point(42.011, 2, "2026-04-18T08:21:00Z")]
    let text = text(try walk([noon, morning + [point(42.001, 2, "2026-04-18T08:02:00Z")]]))
    #expect(text.contains("$GPRMC,080018.00") && text.contains("$GPRMC,082100.00"), note)
  }

  @Test func `Somebody who stands still, or whose receiver jumps over the earth, is played`() throws
  {
    let rest = [point(42, 2, "2026-04-18T08:00:00Z"), point(42, 2, "2026-04-18T08:20:00Z")]
    #expect(text(try walk([rest])).contains("$GPRMC,082000.00,A,4200.0"), note)
    for far in [point(0, 0, "2026-04-18T08:00:01Z"), point(42, -178, "2026-04-18T08:00:01Z")] {
      let jump = [point(42, 2, "2026-04-18T08:00:00Z"), far, point(42, 2, "2026-04-18T08:01:00Z")]
      #expect(text(try walk([jump])).contains("$GPRMC,080100.00"), note)
    }
    let across = [
      point(0, 179.999, "2026-04-18T08:00:00Z"), point(0, -179.999, "2026-04-18T08:04:00Z"),
      point(0, -179.998, "2026-04-18T08:06:00Z"),
    ]
    let speeds = text(try walk([across])).split(separator: "\r\n").filter { $0.hasPrefix("$GPRMC") }
      .compactMap { Double($0.split(separator: ",", omittingEmptySubsequences: false)[7]) }
    #expect(speeds.count > 300 && speeds.allSatisfy { $0 < 10 }, note)
  }

  @Test func `A file that is cut off anywhere never traps, and is refused`() {
    let whole = file(
      "<!DOCTYPE gpx [<!ENTITY a 'b'>]><trk><name>&amp;&#x41;&unknown;</name><trkseg>"
        + point(42, 2, "2026-04-18T08:00:00Z") + point(42.1, 2, "2026-04-18T09:00:00Z")
        + "</trkseg></trk>")
    #expect(throws: Never.self) { try GPXWalk(whole, path: "-") }
    for length in 0..<(whole.count - 1) {
      #expect(throws: SynthError.self) { try GPXWalk(Array(whole[..<length]), path: "-") }
    }
  }

  @Test func `Damaged bytes never trap`() {
    let whole = file(
      "<trk><trkseg>" + point(42, 2, "2026-04-18T08:00:00Z")
        + point(42.1, 2, "2026-04-18T09:00:00Z") + "</trkseg></trk>")
    var random = SeededGenerator(seed: 3, stream: 1)
    for round in 0..<3000 {
      var damaged = whole
      for _ in 0..<4 {
        let place = random.whole(in: 0...damaged.count - 1)
        damaged[place] = Array("<>&;/=\"'-09T:Z[]!?".utf8)[random.whole(in: 0...17)]
      }
      // Of a walk of two weeks, the beginning.
      if let walk = try? GPXWalk(damaged, path: "-"), round % 25 == 0 {
        var synthesizer = walk.synthesizer
        for _ in 0..<4 { _ = synthesizer.nextChunk() }
      }
      _ = GPXFile.isGPX(damaged)
    }
  }

  @Test func `GPX is told from other files by its beginning`() {
    #expect(GPXFile.isGPX(file("")))
    #expect(GPXFile.isGPX(Array("\u{FEFF}\n<!-- x --><g:gpx>".utf8)))
    #expect(!GPXFile.isGPX(Array("<kml><gpx>".utf8)) && !GPXFile.isGPX(Array("$GPRMC,gpx".utf8)))
    #expect(!GPXFile.isGPX([]))
  }
}
