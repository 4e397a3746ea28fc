import Foundation
import Testing
import TrackerCore

@testable import Reports

@Suite struct ExportTextTests {
  @Test func `A row of CSV says all that is known, to the last digit`() {
    let rows = ExportFixture.text(.csv, [ExportFixture.capture(1), ExportFixture.bare(2)])
      .components(separatedBy: "\r\n")
    let columns =
      "uuid,device,sequence,team,time,date,latitude,longitude,altitude_m,speed_m_s,course_deg"
      + ",accuracy_m,satellites,battery_percent,battery_mv,trigger,state,rows"
    #expect(rows.first == columns)
    #expect(
      rows[1].dropFirst(36)
        == ",01234567-89ab-4cde-8fed-cba987654321,1,Els Senglars,2026-04-18T09:10:00.250Z,trusted"
        + ",42.1235568,-0.0020008,1204.005,1.250,90.500,7,9,83,3912,interval,acknowledged,2",
      "\(repeatExportTests)")
    #expect(
      rows[2].dropFirst(36)
        == ",01234567-89ab-4cde-8fed-cba987654321,2,,,unknown,-90.0000000,180.0000000"
        + ",,,,,,,,command,pending,2")
    #expect(rows.count == 4 && rows[3].isEmpty)
  }

  @Test(arguments: [
    ("Els Senglars", "Els Senglars"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
    ("a\r\nb", "\"a\r\nb\""), (" a", "\" a\""), ("=1+1", "'=1+1"), ("@x", "'@x"), ("-1", "'-1"),
    ("+1,2", "\"'+1,2\""), ("'a", "''a"), ("\t=1", "\"'\t=1\""), ("ça € 😀", "ça € 😀"),
  ])
  func `A team's name is one field and not a formula`(_ name: String, _ field: String) {
    let text = ExportFixture.text(.csv, [ExportFixture.capture(1, team: name)])
    #expect(text.contains(",1,\(field),2026"), "\(text); \(repeatExportTests)")
  }

  @Test(arguments: [
    ("<b>&\"'", "&lt;b&gt;&amp;&quot;'"), ("a\u{0}b\u{1F}", "a\u{FFFD}b\u{FFFD}"),
    ("a\tb\n", "a&#9;b&#10;"), ("]]>", "]]&gt;"), ("ça", "ça"),
  ])
  func `A team's name is not mark-up`(_ name: String, _ escaped: String) {
    let captures = [1, 2].map { ExportFixture.capture($0, team: name) }
    #expect(ExportFixture.text(.gpx, captures).contains("<name>\(escaped)</name>"))
    #expect(ExportFixture.text(.kml, captures).contains("<name>\(escaped)</name>"))
  }

  @Test(arguments: ["a\"b\\c", "\u{0}\u{1F}\n\t\u{7F}", "ça € 😀", "</script>"])
  func `A team's name comes back out of GeoJSON`(_ name: String) throws {
    let bytes = ExportFormat.geojson.bytes(
      of: [ExportFixture.capture(1, team: name)], creator: "")
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let feature = (object?["features"] as? [[String: Any]])?.first
    let properties = feature?["properties"] as? [String: Any]
    #expect(properties?["team"] as? String == name, "\(repeatExportTests)")
  }

  @Test func `A name that is no UTF-8 makes no file unreadable`() throws {
    var exported = ExportFixture.capture(1)
    let bytes: [UInt8] = [0x41, 0xFF, 0xC3]
    exported.capture.team = InlineText(bytes.span)
    for format in ExportFormat.allCases {
      let file = format.bytes(of: [exported], creator: "")
      #expect(String(validating: file, as: UTF8.self) != nil, "\(format)")
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (1_483_228_799_999, "2016-12-31T23:59:59.999Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `A date is written as it is`(_ milliseconds: Int64, _ text: String) {
    var exported = ExportFixture.capture(1)
    exported.capture.utc = UTC(milliseconds: milliseconds)
    #expect(ExportFixture.text(.csv, [exported]).contains(",\(text),trusted,"), "\(text)")
  }

  @Test(arguments: [Int64.min, -62_167_219_200_001, 253_402_300_800_000, .max])
  func `A date that cannot be written is unknown, not wrong`(_ milliseconds: Int64) {
    var exported = ExportFixture.capture(1)
    exported.capture.utc = UTC(milliseconds: milliseconds)
    #expect(ExportFixture.text(.csv, [exported]).contains(",,unknown,"))
    #expect(!ExportFixture.text(.gpx, [exported]).contains("<time>"))
    #expect(!ExportFixture.text(.kml, [exported]).contains("<when>"))
  }

  @Test func `The extremes of every number are written without a trap`() {
    var exported = ExportFixture.capture(1)
    exported.capture.sequence = .max
    for extreme in [Int32.min, .max] {
      exported.capture.position = Coordinate(latitude: extreme, longitude: extreme)
      exported.capture.altitudeMillimetres = extreme
      exported.capture.speedMillimetresPerSecond = extreme
      exported.capture.courseMillidegrees = extreme
      exported.capture.accuracyMetres = extreme
      exported.capture.batteryMillivolts = extreme
      let sign = extreme < 0 ? "-" : ""
      let digits = extreme < 0 ? "214.7483648" : "214.7483647"
      #expect(ExportFixture.text(.csv, [exported]).contains(",\(sign)\(digits),\(sign)\(digits),"))
    }
  }

  @Test func `A track of KML has as many times as places, and the undated stand apart`() {
    var captures = (0..<5).map { ExportFixture.capture($0) }
    captures[2].capture.utc = nil
    let text = ExportFixture.text(.kml, captures)
    #expect(text.components(separatedBy: "<when>").count == 5)
    #expect(text.components(separatedBy: "<gx:coord>").count == 5)
    #expect(text.contains("<gx:coord>-0.0000005 42.1234567 1204.005</gx:coord>"))
    #expect(text.contains("date unknown; "))
    #expect(text.contains("<coordinates>-0.0040011,42.1236569,1204.005</coordinates>"))
  }

  @Test(arguments: ExportFormat.allCases)
  func `No captures make a whole file all the same`(_ format: ExportFormat) {
    #expect(!ExportFixture.text(format, []).isEmpty)
  }

  @Test(arguments: [
    // Minutes from one capture to the next, and how many captures each segment has.
    ([10, 10, 15], [4]), ([10, 10, 16, 10], [3, 2]), ([10, -16, 10], [2, 2]), ([30, 30, 31], [4]),
    ([30, 30, 46, 30], [3, 2]), ([16], [2]), ([1, 1, 60, 1, 60], [3, 2, 1]), ([], [1]),
  ])
  func `A gap of more than a quarter of an hour starts a new segment of GPX`(
    _ minutes: [Int], _ counts: [Int]
  ) {
    var captures = [ExportFixture.capture(0)]
    for (index, step) in minutes.enumerated() {
      var next = ExportFixture.capture(UInt32(index + 1))
      next.capture.utc = captures[index].capture.utc.map { $0 + .minutes(Int64(step)) }
      captures.append(next)
    }
    let segments = ExportFixture.text(.gpx, captures).components(separatedBy: "<trkseg>")
      .dropFirst()
    let found = segments.map { $0.components(separatedBy: "<trkpt ").count - 1 }
    #expect(found == counts, "\(repeatExportTests)")
  }

  @Test func `A capture without a date makes no gap in GPX, and hides none`() {
    var captures = (0..<6).map { ExportFixture.capture($0) }
    captures[0].capture.utc = nil
    captures[3].capture.utc = nil
    let text = ExportFixture.text(.gpx, captures)
    #expect(text.components(separatedBy: "<trkseg>").count == 3, "\(text)")
    #expect(text.components(separatedBy: "<trkpt ").count == 7)
  }

  @Test(
    arguments: [
      (1_204_005, 9, "3d"), (1_204_005, nil, "3d"), (1_204_005, 3, "2d"), (nil, 9, "2d"),
    ] as [(Int32?, UInt8?, String)])
  func `GPX says how many dimensions a fix has`(
    _ altitude: Int32?, _ satellites: UInt8?, _ fix: String
  ) {
    var exported = ExportFixture.capture(1)
    exported.capture.altitudeMillimetres = altitude
    exported.capture.satellites = satellites
    let sat = satellites.map { "<sat>\($0)</sat>" } ?? "<extensions>"
    #expect(ExportFixture.text(.gpx, [exported]).contains("</name><fix>\(fix)</fix>\(sat)"))
  }

  @Test func `The only dated capture of a team is a point of KML with its time`() {
    let text = ExportFixture.text(.kml, [ExportFixture.capture(0), ExportFixture.bare(1)])
    #expect(!text.contains("<gx:Track>"))
    #expect(text.contains("<TimeStamp><when>2026-04-18T09:00:00.250Z</when></TimeStamp><Point>"))
    #expect(text.components(separatedBy: "<Point>").count == 3)
  }
}
