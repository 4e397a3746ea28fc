import Foundation
import Testing
import TrackerCore

@testable import Reports

/// What an export writes, an import reads back: all of it, or nothing.
@Suite struct CaptureImportTests {
  static let again = "repeat with: swift test --filter CaptureImportTests"
  static let importable: [ExportFormat] = [.geojson, .csv]

  /// Two devices, names that formats have trouble with, and captures of which little is known.
  static let walk: [ExportedCapture] = {
    let names = [
      "Els Senglars", "", "=1+1", "'quoted", "a,\"b\"\r\nc", "ça € 😀", " blank ", "-", "\t\\",
    ]
    var captures = names.enumerated().map { ExportFixture.capture(UInt32($0 + 1), team: $1) }
    captures.append(ExportFixture.bare(20))
    captures.append(extreme)
    let other = UniqueID(high: 7, low: .max)
    captures += captures.prefix(3).map {
      ExportedCapture($0.capture, device: other, state: .setAside)
    }
    return captures
  }()

  static var extreme: ExportedCapture {
    var capture = ExportFixture.capture(1).capture
    capture.sequence = .max - 1
    capture.utc = UTC(milliseconds: -62_167_219_200_000)
    capture.isTimeTrusted = false
    capture.position = Coordinate(latitude: 900_000_000, longitude: -1_800_000_000)
    capture.altitudeMillimetres = .min
    capture.speedMillimetresPerSecond = .max
    capture.courseMillidegrees = 359_999
    capture.accuracyMetres = .max
    capture.satellites = .max
    capture.batteryPercent = 0
    capture.batteryMillivolts = .min
    capture.trigger = .heartbeat
    return ExportedCapture(capture, device: ExportFixture.device, state: .inFlight)
  }

  static func bytes(_ format: ExportFormat, _ captures: [ExportedCapture] = walk) -> [UInt8] {
    format.bytes(of: captures, creator: "trailtracker")
  }

  private func complaint(_ bytes: [UInt8]) -> String {
    do {
      let captures = try CaptureImport.captures(in: bytes)
      return "took \(captures.count) captures"
    } catch { return "\(error)" }
  }

  @Test(arguments: importable)
  func `Every capture comes back as it went out`(_ format: ExportFormat) throws {
    #expect(try CaptureImport.captures(in: Self.bytes(format)) == Self.walk, "\(Self.again)")
  }

  @Test(arguments: importable)
  func `Every prefix of a file is refused`(_ format: ExportFormat) {
    let whole = Self.bytes(format)
    for count in whole.indices {
      let said = complaint(Array(whole[..<count]))
      if !said.hasPrefix("line ") || !said.contains("again") && !said.contains("is truncated") {
        Issue.record("\(count) of \(whole.count) bytes: \(said); \(Self.again)")
      }
    }
  }

  @Test(arguments: ["geojson", "csv"])
  func `A prefix says that the file is cut, and where`(_ name: String) throws {
    let format = try #require(ExportFormat(rawValue: name))
    let whole = Self.bytes(format, (1...40).map { ExportFixture.capture($0) })
    let lines = whole.split(separator: 0x0A, omittingEmptySubsequences: false)
    // At the end of the line of the twentieth capture, and in the middle of the next.
    let byte = lines[...20].reduce(0) { $0 + $1.count + 1 }
    for cut in [byte, byte + 50] {
      let said = complaint(Array(whole[..<cut]))
      #expect(
        said.contains("line 22 (byte \(cut)): the file is truncated: "), "\(said); \(Self.again)")
    }
  }

  @Test(arguments: importable)
  func `A byte that was lost or changed does not make another capture`(_ format: ExportFormat)
    throws
  {
    let whole = Self.bytes(format)
    for place in stride(from: 0, to: whole.count, by: 7) {
      var shorter = whole
      shorter.remove(at: place)
      var other = whole
      other[place] ^= 0x01
      for damaged in [shorter, other] {
        // What is not protected by the identifier may differ; no capture is lost or made up.
        let ids = try? CaptureImport.captures(in: damaged).map(\.id)
        #expect(ids == nil || ids == Self.walk.map(\.id), "byte \(place); \(Self.again)")
      }
    }
  }

  @Test func `A line that is missing from a CSV file is missed`() {
    var lines = Self.bytes(.csv, (1...40).map { ExportFixture.capture($0) }).split(
      separator: 0x0A)
    lines.remove(at: 12)
    let said = complaint(Array(lines.joined(separator: [0x0A])) + [0x0A])
    #expect(said.contains("it has 39 of 40 captures"), "\(said); \(Self.again)")
  }

  @Test func `A spreadsheet's mark and line ends do no harm`() throws {
    let captures = (1...5).map { ExportFixture.capture($0) }
    let plain = Self.bytes(.csv, captures).filter { $0 != 0x0D }
    #expect(try CaptureImport.captures(in: [0xEF, 0xBB, 0xBF] + plain) == captures)
  }

  @Test(arguments: importable)
  func `A file that was saved in another alphabet is refused where it shows`(
    _ format: ExportFormat
  ) throws {
    let captures = [ExportFixture.capture(1), ExportFixture.capture(2, team: "Çà i enllà")]
    let plain = Self.bytes(format, captures)
    let place = try #require(plain.firstIndex(of: 0xC3))
    // As Windows-1252 writes it.
    let saved = plain[..<place] + [0xC7] + plain[(place + 2)...]
    let said = complaint(Array(saved))
    #expect(said.contains("line 3 (byte \(place)): this is not UTF-8"), "\(said); \(Self.again)")
    #expect(complaint(Array(plain[...place])).contains("is truncated"), "\(Self.again)")
  }

  static let foreign: [(text: String, complaint: String)] = [
    ("", "line 1 (byte 0): the file is empty"),
    ("\n", "not an export of captures"),
    ("hello\n", "give a GeoJSON or CSV file written by trackerctl export"),
    (ExportFixture.text(.gpx, walk), "this is GPX, which is for maps and cannot be imported"),
    (ExportFixture.text(.kml, walk), "this is KML, which is for maps and cannot be imported"),
    ("{\"type\":\"FeatureCollection\",\"name\":\"x\",\"features\":[]}\n", "this is GeoJSON, but"),
    ("{\"type\":\"FeatureCollection\",\"features\":[\n{}\n]}\n", "line 2 (byte 41): this is no"),
    ("a,b\r\n1,2\r\n", "not an export of captures"),
    ("uuid,device,sequence\r\n", "not an export of captures"),
    ("\0\0\0\0", "not an export of captures"),
  ]

  @Test(arguments: foreign.indices)
  func `A file that is not an export is refused by its first line`(_ index: Int) {
    let (text, wanted) = Self.foreign[index]
    let said = complaint(Array(text.utf8))
    #expect(said.contains(wanted), "\(said); \(Self.again)")
  }

  static let changes: [(from: String, to: String, complaint: String)] = [
    (",7,9,83,", ",7,9,101,", "battery_percent is missing or not as an export writes it"),
    (",7,9,83,", ",7,256,83,", "satellites is missing or not as an export writes it"),
    (",7,9,83,", ",7,9,nan,", "battery_percent is not a number"),
    ("trusted,42.", "trusted,92.", "latitude is missing or not as an export writes it"),
    ("2026-04-18T09:10", "2026-02-29T09:10", "time is missing or not as an export writes it"),
    (",trusted", ",believed", "date is missing or not as an export writes it"),
    (",interval,", ",earthquake,", "trigger is missing or not as an export writes it"),
    (",1,Els", ",2,Els", "uuid does not match its device and sequence"),
    (",1,Els", ",0,Els", "sequence is missing or not as an export writes it"),
    ("Els Senglars,", "Els \"Senglars\",", "a quotation mark within a field"),
    ("Els Senglars,", "Els, Senglars,", "19 fields instead of 18"),
    ("acknowledged,1", "acknowledged,2", "it has 1 of 2 captures"),
    ("Els Senglars,", String(repeating: "e", count: 65) + ",", "team is missing or not as"),
  ]

  @Test(arguments: changes.indices)
  func `A value that no export writes is named with its line`(_ index: Int) {
    let (old, new, wanted) = Self.changes[index]
    let text = ExportFixture.text(.csv, [ExportFixture.capture(1)])
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text)
    let said = complaint(Array(changed.utf8))
    #expect(said.hasPrefix("line ") && said.contains(wanted), "\(said); \(Self.again)")
  }

  @Test(arguments: importable)
  func `The same capture twice is refused with both lines`(_ format: ExportFormat) {
    let capture = ExportFixture.capture(1)
    let said = complaint(Self.bytes(format, [capture, ExportFixture.capture(2), capture]))
    #expect(said.hasPrefix("line 4 ") && said.contains("in line 2"), "\(said); \(Self.again)")
  }

  @Test(arguments: [
    "0000-01-01T00:00:00.000Z", "0000-02-29T00:00:00.000Z", "1969-12-31T23:59:59.999Z",
    "2000-02-29T12:00:00.001Z", "2100-03-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
  ])
  func `A date is read as it is written`(_ text: String) throws {
    let utc = try #require(ExportedDate.utc(text))
    var writer = LineWriter()
    writer.date(utc)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text, "\(Self.again)")
  }

  @Test(arguments: [
    "2026-02-29T00:00:00.000Z", "2100-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z",
    "2026-00-01T00:00:00.000Z", "2026-04-31T00:00:00.000Z", "2026-04-01T24:00:00.000Z",
    "2026-04-01T00:60:00.000Z", "2026-04-01T00:00:00Z", "2026-04-01T00:00:00.000+", "",
  ])
  func `A date that does not exist is refused`(_ text: String) {
    #expect(ExportedDate.utc(text) == nil, "\(Self.again)")
  }
}
