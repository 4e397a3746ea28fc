import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import Reports

/// Where on the course a capture was taken, in exports and imports.
@Suite struct CourseColumnsTests {
  static let again = "repeat with: swift test --filter CourseColumnsTests"

  static func marked(
    _ sequence: UInt32, _ place: String?, _ trigger: Trigger = .entered, done: Int32 = 38_600
  ) -> ExportedCapture {
    var exported = ExportFixture.capture(sequence)
    exported.capture.mark = CourseMark(doneMetres: done, toGoMetres: 62_400)
    exported.capture.trigger = trigger
    exported.placeName = place
    return exported
  }

  /// Names that formats have trouble with; captures in no place and on no course.
  static let walk: [ExportedCapture] = {
    let names = [
      "Amer", nil, "=1+1", "'quoted", "a,\"b\"\r\nc", "ça € 😀", " blank ", "-", "<b>&\t\\",
      String(repeating: "山", count: 40),
    ]
    var captures = names.enumerated().map { marked(UInt32($0 + 1), $1) }
    captures.append(marked(20, nil, .interval, done: .max))
    captures.append(marked(21, nil, .interval, done: .min))
    captures.append(ExportFixture.bare(22))
    return captures
  }()

  private func complaint(_ text: String) -> String {
    do {
      let captures = try CaptureImport.captures(in: Array(text.utf8))
      return "took \(captures.count) captures"
    } catch { return "\(error)" }
  }

  @Test(arguments: CaptureImportTests.importable)
  func `Export, import and export again are identical`(_ format: ExportFormat) throws {
    let bytes = CaptureImportTests.bytes(format, Self.walk)
    let imported = try CaptureImport.captures(in: bytes)
    #expect(imported == Self.walk, "\(Self.again)")
    #expect(CaptureImportTests.bytes(format, imported) == bytes, "\(Self.again)")
  }

  @Test(arguments: CaptureImportTests.importable)
  func `Every prefix of a file with a course is refused`(_ format: ExportFormat) {
    let whole = CaptureImportTests.bytes(format, Self.walk)
    for count in whole.indices {
      let said = complaint(String(decoding: whole[..<count], as: UTF8.self))
      if !said.hasPrefix("line ") { Issue.record("\(count): \(said); \(Self.again)") }
    }
  }

  @Test(arguments: ExportFormat.allCases)
  func `A file without a course has nothing of one`(_ format: ExportFormat) {
    let text = ExportFixture.text(format, CaptureImportTests.walk)
    for word in ["done", "toGo", "to_go", "place", "<desc>", "<wpt"] {
      #expect(!text.contains(word), "\(word); \(Self.again)")
    }
  }

  @Test func `A place's name is one field and not a formula`() {
    for (name, field) in [("=1+1", "'=1+1"), ("a,b", "\"a,b\""), ("'a", "''a"), ("Amer", "Amer")] {
      let text = ExportFixture.text(.csv, [Self.marked(1, name)])
      #expect(text.contains(",entered,acknowledged,38600,62400,\(field),1\r\n"), "\(text)")
    }
  }

  static let changes: [(from: String, to: String, complaint: String)] = [
    (",38600,62400,", ",,62400,", "done_m is missing or not as an export writes it"),
    (",38600,62400,", ",38600,,", "to_go_m is missing or not as an export writes it"),
    (",38600,62400,", ",,,", "done_m is missing or not as an export writes it"),
    (",38600,62400,", ",3000000000,62400,", "done_m is missing or not as an export writes it"),
    (",38600,62400,", ",far,62400,", "done_m is not a number"),
    (",38600,62400,", ",38600,", "20 fields instead of 21"),
    (",Amer,", "," + String(repeating: "e", count: 41) + ",", "place is missing or not as"),
    (",Amer,", "," + String(repeating: "山", count: 41) + ",", "place is missing or not as"),
    ("done_m,", "done_km,", "not an export of captures"),
  ]

  @Test(arguments: changes.indices)
  func `A value that no export writes is named with its line and its column`(_ index: Int) {
    let (old, new, wanted) = Self.changes[index]
    let text = ExportFixture.text(.csv, [Self.marked(1, "Amer")])
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text)
    let said = complaint(changed)
    #expect(said.hasPrefix("line ") && said.contains(wanted), "\(said); \(Self.again)")
    guard new.contains(",3000000000,") else { return }
    let json = ExportFixture.text(.geojson, [Self.marked(1, "Amer")])
      .replacingOccurrences(of: "\"place\":\"Amer\"", with: "\"place\":7")
    #expect(complaint(json).contains("line 2 (byte 41): place is missing"), "\(Self.again)")
  }

  @Test func `A map shows a waypoint for each passage that was seen, with the place's name`() {
    let captures = [
      Self.marked(1, "Amer"), Self.marked(2, "Amer", .left), Self.marked(3, "<b>", .left),
      Self.marked(4, "Amer", .inferred), Self.marked(5, nil, .entered),
    ]
    let gpx = ExportFixture.text(.gpx, captures)
    #expect(gpx.components(separatedBy: "<wpt ").count == 4, "\(gpx); \(Self.again)")
    #expect(
      gpx.contains(
        "<name>Amer</name><desc>Els Senglars, left: Amer, km 38.600, 62.400 km to go</desc>"
          + "<type>left</type></wpt>"), "\(gpx); \(Self.again)")
    #expect(
      gpx.contains("<name>5</name><desc>km 38.600, 62.400 km to go</desc><fix>3d</fix>"),
      "\(gpx); \(Self.again)")
    #expect(
      gpx.contains(
        "<tt:done>38600</tt:done><tt:toGo>62400</tt:toGo><tt:place>&lt;b&gt;</tt:place>"),
      "\(gpx); \(Self.again)")
    let kml = ExportFixture.text(.kml, captures)
    #expect(kml.components(separatedBy: "<Point>").count == 4, "\(kml); \(Self.again)")
    #expect(kml.contains("<name>&lt;b&gt;</name><description>Els Senglars, left: "), "\(kml)")
    #expect(kml.components(separatedBy: "<gx:value>38600</gx:value>").count == 6, "\(kml)")
  }

  @Test(
    .enabled(if: Tool.url("xmllint") != nil, "needs xmllint of libxml2-utils"),
    arguments: [ExportFormat.gpx, .kml])
  func `xmllint finds a file with places well-formed`(_ format: ExportFormat) throws {
    let text = try Tool.output("xmllint", ["--noout", "FILE"], of: format, Self.walk)
    #expect(text.isEmpty, "\(text.prefix(500)); \(Self.again)")
  }

  @Test(.enabled(if: Tool.url("ogrinfo") != nil, "needs ogrinfo of gdal-bin"))
  func `GDAL reads the passages as waypoints of GPX`() throws {
    let captures = [Self.marked(1, "Amer"), Self.marked(2, "Amer", .left)]
    let text = try Tool.output("ogrinfo", ["-al", "FILE", "waypoints"], of: .gpx, captures)
    #expect(text.contains("Feature Count: 2"), "\(text); \(Self.again)")
    #expect(text.contains("name (String) = Amer"), "\(text); \(Self.again)")
    #expect(text.contains("type (String) = entered"), "\(text); \(Self.again)")
  }
}
