public import Statistics
import TrackerCore
import Wording

/// Reads the files that `ExportFormat` writes, in the formats that have all of a capture.
public enum CaptureImport {
  /// The largest file in bytes: 48 hours at ten seconds from forty trackers, of some 530 bytes for
  /// each capture in GeoJSON with a course.
  public static let largestFile = 384 << 20

  /// All captures of a file, in order.
  ///
  /// An incomplete file is refused as a whole: GeoJSON has an end mark, and in CSV every row has
  /// the number of rows.
  ///
  /// - Throws: the first mistake, with its line.
  public static func captures(in bytes: [UInt8]) throws(ImportError) -> [ExportedCapture] {
    let start = FilePlace()
    guard !bytes.isEmpty else {
      throw start.error("the file is empty; copy or export it again")
    }
    try checkText(bytes)
    let imported: [ImportedCapture]
    if GeoJSONReader.begins(bytes) {
      imported = try GeoJSONReader(bytes).captures()
    } else if CSVReader.begins(bytes) {
      imported = try CSVReader.captures(in: bytes)
    } else {
      throw start.error("\(foreign(bytes)); \(cure)")
    }
    var lines: [UniqueID: Int] = [:]
    for (capture, place) in imported {
      if let first = lines.updateValue(place.line, forKey: capture.id) {
        throw place.error("the same capture is in line \(first); export the file again")
      }
    }
    return imported.map(\.capture)
  }

  /// Whether the bytes are the beginning of such a file.
  public static func isExport(_ beginning: [UInt8]) -> Bool {
    GeoJSONReader.begins(beginning) || CSVReader.begins(beginning)
  }

  /// The ways of the trackers, one for each session, with the team's name (and, of several, the
  /// session's date).
  public static func tracks(
    of captures: [ExportedCapture]
  ) -> [(name: String, points: [TrackPoint])] {
    Team.tracks(of: captures).flatMap { team in
      let sessions = Sessions.split(team.captures.map(\.capture))
      return sessions.map { session in
        let date = session.first?.utc.map { " " + CalendarText.text($0) } ?? ""
        return (team.name + (sessions.count > 1 ? date : ""), session.map(TrackPoint.init))
      }
    }
  }

  /// Exports are UTF-8. Some spreadsheets save them in another encoding, which changes names.
  private static func checkText(_ bytes: [UInt8]) throws(ImportError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let offset = error.byteOffsets.lowerBound
      let place = FilePlace.end(of: Array(bytes[..<offset]))
      // The last character is incomplete.
      if error.byteOffsets.upperBound == bytes.count, bytes.count - offset < 4 {
        throw place.cut("it ends within a character")
      }
      throw place.error(
        "this is not UTF-8 text: it is damaged or another program has saved it; "
          + "export or copy the file again")
    }
  }

  static let cure = "give a GeoJSON or CSV file written by trackerctl export"

  /// Describes a file that is not an export.
  private static func foreign(_ bytes: [UInt8]) -> String {
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    if start.has("<gpx") { return "this is GPX, which is for maps and cannot be imported" }
    if start.has("<kml") { return "this is KML, which is for maps and cannot be imported" }
    if start.has("\"FeatureCollection\"") {
      return "this is GeoJSON, but not as trackerctl export writes it"
    }
    return "this is not an export of captures"
  }
}

/// A capture and its place in the file.
typealias ImportedCapture = (capture: ExportedCapture, place: FilePlace)
