public import Statistics
import TrackerCore
import Wording

/// Reads the files that `ExportFormat` writes, in the formats that have all of a capture.
public enum CaptureImport {
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
        return (team.name + (sessions.count > 1 ? date : ""), session.compactMap(TrackPoint.init))
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

/// Why a file cannot be imported: one line that says what, where and what to do, to follow the
/// file's name.
public struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The first line is 1.
  var line: Int
  /// Offset from the start of the file.
  var byte: Int
  /// What is wrong, and after a semicolon what to do.
  var message: String

  public var description: String { "line \(line) (byte \(byte)): \(message)" }
}

/// A place in a file.
struct FilePlace: Equatable {
  var line = 1
  var byte = 0

  func error(_ message: String) -> ImportError {
    ImportError(line: line, byte: byte, message: message)
  }

  /// The file ends here, before its end.
  func cut(_ detail: String) -> ImportError {
    error("the file is truncated: \(detail); copy or export it again")
  }

  /// The end of `bytes`.
  static func end(of bytes: [UInt8]) -> FilePlace {
    FilePlace(line: 1 + bytes.count(where: { $0 == 0x0A }), byte: bytes.count)
  }
}

/// The form of dates in exports.
enum ExportedDate {
  /// Reads `2026-04-18T09:30:00.250Z` (RFC 3339), years 0 to 9999; `nil` for any other form or a
  /// day that does not exist.
  static func utc(_ text: String) -> UTC? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, wanted) in zip(bytes, form) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return nil }
    }
    func number(_ range: Range<Int>) -> Int32 {
      bytes[range].reduce(0) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    }
    return CivilTime(
      year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13),
      minute: number(14..<16), second: number(17..<19), millisecond: number(20..<23))?.utc
  }
}
