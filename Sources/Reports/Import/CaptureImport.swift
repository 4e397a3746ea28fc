import TrackerCore

/// Reads back the files that `ExportFormat` writes, those of them that hold all of a capture.
public enum CaptureImport {
  /// The largest file, bytes: a million captures of some 350 bytes in GeoJSON, which is 48 hours at
  /// ten seconds from more than fifty trackers.
  public static let largestFile = 384 << 20

  /// All captures of a file, in its order.
  ///
  /// A file that is not whole is refused as a whole. GeoJSON has an end mark of its own; in CSV
  /// every row says how many there are.
  ///
  /// - Throws: the first thing that is wrong, with its line.
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
        throw place.error("the same capture stands in line \(first); export it again")
      }
    }
    return imported.map(\.capture)
  }

  /// Exports are UTF-8. A spreadsheet that saves one in an alphabet of its own changes names.
  private static func checkText(_ bytes: [UInt8]) throws(ImportError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let offset = error.byteOffsets.lowerBound
      let place = FilePlace.end(of: Array(bytes[..<offset]))
      // The last character lacks its end.
      if error.byteOffsets.upperBound == bytes.count, bytes.count - offset < 4 {
        throw place.cut("it ends within a character")
      }
      throw place.error(
        "this is no UTF-8 text: another program saved or something damaged it; "
          + "export or copy the file again")
    }
  }

  static let cure = "give a GeoJSON or CSV file that trackerctl export has written"

  /// What a file is that is none of ours.
  private static func foreign(_ bytes: [UInt8]) -> String {
    let start = bytes.prefix(4096)
    func has(_ word: String) -> Bool { start.firstRange(of: Array(word.utf8)) != nil }
    if has("<gpx") { return "this is GPX, which is for maps and cannot be imported" }
    if has("<kml") { return "this is KML, which is for maps and cannot be imported" }
    if has("\"FeatureCollection\"") {
      return "this is GeoJSON, but not as trackerctl export writes it"
    }
    return "this is no export of captures"
  }
}

/// A capture and where it stands.
typealias ImportedCapture = (capture: ExportedCapture, place: FilePlace)
