import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import Reports

/// GDAL, gpsbabel, Python and xmllint read back what we write.
@Suite(.serialized) struct ExportToolTests {
  static let captures =
    (0..<40).map { ExportFixture.capture($0) }
    + (0..<20).map { ExportFixture.capture($0 + 100, team: "B & <co>") }

  private func features(_ text: String) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(object?["features"] as? [[String: Any]], "\(text.prefix(500))")
  }

  private func expectSame(_ features: [[String: Any]]) throws {
    try #require(features.count == Self.captures.count, "\(repeatExportTests)")
    for (feature, exported) in zip(features, Self.captures) {
      let geometry = feature["geometry"] as? [String: Any]
      let place = (geometry?["coordinates"] as? [Double]) ?? []
      let position = try #require(exported.capture.position)
      try #require(place.count >= 2)
      #expect((place[0] * 1e7).rounded() == Double(position.longitude))
      #expect((place[1] * 1e7).rounded() == Double(position.latitude))
    }
  }

  @Test(
    .enabled(if: Tool.url("ogr2ogr") != nil, "needs ogr2ogr of gdal-bin"),
    arguments: [
      (ExportFormat.gpx, ["track_points"]), (.geojson, []),
      (.csv, ["-oo", "X_POSSIBLE_NAMES=longitude", "-oo", "Y_POSSIBLE_NAMES=latitude"]),
    ])
  func `GDAL reads every point in its place with its time`(
    _ format: ExportFormat, _ options: [String]
  ) throws {
    let base = ["-f", "GeoJSON", "-lco", "COORDINATE_PRECISION=9", "/vsistdout/", "FILE"]
    let text = try Tool.output("ogr2ogr", base + options, of: format, Self.captures)
    let found = try features(text)
    try expectSame(found)
    for (index, feature) in found.enumerated() {
      let properties = (feature["properties"] as? [String: Any]) ?? [:]
      let minute = Self.captures[index].capture.sequence * 10 % 60
      let time = (properties["time"] as? String) ?? ""
      #expect(time.contains(minute < 10 ? ":0\(minute):00" : ":\(minute):00"), "\(time)")
      if format != .gpx {
        #expect((properties["uuid"] as? String)?.utf8.count == 36)
        #expect("\(properties["sequence"] ?? "")" == "\(Self.captures[index].capture.sequence)")
      }
    }
  }

  @Test(.enabled(if: Tool.url("ogrinfo") != nil, "needs ogrinfo of gdal-bin"))
  func `GDAL reads a track of KML for each team`() throws {
    let text = try Tool.output("ogrinfo", ["-al", "FILE"], of: .kml, Self.captures)
    #expect(text.contains("Els Senglars") && text.contains("B & <co>"), "\(text)")
    let lines = text.components(separatedBy: "LINESTRING")
    #expect(lines.count == 3, "\(text)")
    #expect(lines[1].components(separatedBy: ",").count == 40, "\(repeatExportTests)")
    #expect(lines[1].contains("42.1234567 1204.005"))
  }

  @Test(.enabled(if: Tool.url("ogrinfo") != nil, "needs ogrinfo of gdal-bin"))
  func `GDAL and gpsbabel read one capture of KML as one point`() throws {
    let one = [ExportFixture.capture(0)]
    let text = try Tool.output("ogrinfo", ["-al", "FILE"], of: .kml, one)
    #expect(text.contains("POINT Z (") && text.contains(" 42.1234567 1204.005)"), "\(text)")
    #expect(text.contains("2026/04/18 09:00:00.250"), "\(text); \(repeatExportTests)")
    guard Tool.url("gpsbabel") != nil else { return }
    let arguments = ["-i", "kml", "-f", "FILE", "-o", "unicsv,utc=0", "-F", "-"]
    let rows = try Tool.output("gpsbabel", arguments, of: .kml, one)
    #expect(rows.contains("42.123457") && rows.contains("09:00:00"), "\(rows)")
  }

  @Test(
    .enabled(if: Tool.url("gpsbabel") != nil, "needs gpsbabel"),
    arguments: [ExportFormat.gpx, .kml])
  func `gpsbabel reads every point with its time`(_ format: ExportFormat) throws {
    let arguments = [
      "-t", "-i", format.rawValue, "-f", "FILE", "-o", "unicsv,utc=0", "-F", "-",
    ]
    let text = try Tool.output("gpsbabel", arguments, of: format, Self.captures)
    let rows = text.split(whereSeparator: \.isNewline).filter { $0.contains("2026/04/1") }
    #expect(rows.count == Self.captures.count, "\(text.prefix(1000)); \(repeatExportTests)")
    #expect(rows.first?.contains("42.123457") == true, "\(text.prefix(500))")
    #expect(rows.first?.contains("09:00:00") == true, "\(text.prefix(500))")
  }

  @Test(
    .enabled(if: Tool.url("xmllint") != nil, "needs xmllint of libxml2-utils"),
    arguments: [ExportFormat.gpx, .kml])
  func `xmllint finds the file well-formed`(_ format: ExportFormat) throws {
    let text = try Tool.output("xmllint", ["--noout", "FILE"], of: format, Self.captures)
    #expect(text.isEmpty, "\(text.prefix(500))")
  }

  @Test(
    .enabled(if: Tool.url("python3") != nil, "needs python3"),
    arguments: [
      (ExportFormat.gpx, "len(et.parse(f).findall('.//{*}trkpt'))"),
      (.kml, "len(et.parse(f).findall('.//{*}when'))"),
      (.geojson, "len(json.load(open(f))['features'])"),
      (.csv, "len([r['uuid'] for r in csv.DictReader(open(f, newline=''), strict=True)])"),
    ])
  func `Python's own readers count every point`(_ format: ExportFormat, _ count: String) throws {
    let script = """
      import csv, json, sys, xml.etree.ElementTree as et
      f = sys.argv[1]
      print(\(count))
      """
    let text = try Tool.output("python3", ["-c", script, "FILE"], of: format, Self.captures)
    #expect(text == "\(Self.captures.count)\n", "\(repeatExportTests)")
  }
}
