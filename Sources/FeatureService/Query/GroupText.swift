import JSONReading
import SQLite

/// Writes the rows of a grouping, in Esri's JSON or in GeoJSON.
struct GroupText: Sendable {
  var grouping: Grouping
  var isGeoJSON: Bool

  /// Appends a row.
  func append(_ row: borrowing SQLiteStatement, to bytes: inout [UInt8]) {
    let start =
      isGeoJSON ? "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{" : "{\"attributes\":{"
    bytes.append(contentsOf: start.utf8)
    for (index, column) in grouping.columns.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(column.name)
      bytes.append(UInt8(ascii: ":"))
      if grouping.isRoot(index), !row.isNull(Int32(index)) {
        bytes.appendJSON(row.double(Int32(index)).squareRoot())
      } else {
        bytes.appendValue(of: column.kind, row, Int32(index))
      }
    }
    bytes.append(contentsOf: "}}".utf8)
  }
}
