import Glibc
import JSONReading
import SQLite

/// Writes features in Esri's JSON or in GeoJSON.
struct FeatureText: Sendable {
  var fields: [Field]
  var geometry: Layer.Geometry
  /// `nil` leaves the geometry out.
  var projection: Projection?
  var isGeoJSON: Bool
  /// Digits after the point of a coordinate; `nil`: all that there are.
  var decimals: Int?

  /// Appends the feature of a row: its fields, its number, its geometry.
  func append(_ row: borrowing SQLiteStatement, to bytes: inout [UInt8]) {
    if isGeoJSON {
      bytes.append(contentsOf: "{\"type\":\"Feature\",\"id\":".utf8)
      bytes.append(contentsOf: String(row.integer(Int32(fields.count))).utf8)
      bytes.append(contentsOf: ",\"geometry\":".utf8)
      if !appendGeometry(row, to: &bytes) { bytes.append(contentsOf: "null".utf8) }
      bytes.append(contentsOf: ",\"properties\":{".utf8)
      appendAttributes(row, to: &bytes)
      bytes.append(contentsOf: "}}".utf8)
      return
    }
    bytes.append(contentsOf: "{\"attributes\":{".utf8)
    appendAttributes(row, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    let mark = bytes.count
    bytes.append(contentsOf: ",\"geometry\":".utf8)
    if !appendGeometry(row, to: &bytes) { bytes.removeLast(bytes.count - mark) }
    bytes.append(UInt8(ascii: "}"))
  }

  private func appendAttributes(_ row: borrowing SQLiteStatement, to bytes: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(field.name)
      bytes.append(UInt8(ascii: ":"))
      bytes.appendValue(of: field.kind, row, Int32(index))
    }
  }

  /// - Returns: `false`, with nothing appended, if there is none.
  private func appendGeometry(
    _ row: borrowing SQLiteStatement, to bytes: inout [UInt8]
  ) -> Bool {
    let column = Int32(fields.count) + 1
    guard let projection, !row.isNull(column) else { return false }
    switch geometry {
    case .point:
      let place = Place(x: row.double(column), y: row.double(column + 1))
      // A system may have no coordinates for it.
      guard projection.project(place).x.isFinite else { return false }
      if isGeoJSON {
        bytes.append(contentsOf: "{\"type\":\"Point\",\"coordinates\":".utf8)
        append(place, projection, to: &bytes)
      } else {
        let (x, y) = coordinates(place, projection)
        bytes.append(contentsOf: "{\"x\":".utf8)
        bytes.appendJSON(x)
        bytes.append(contentsOf: ",\"y\":".utf8)
        bytes.appendJSON(y)
      }
    case .line:
      let start = isGeoJSON ? "{\"type\":\"LineString\",\"coordinates\":[" : "{\"paths\":[["
      bytes.append(contentsOf: start.utf8)
      for (index, place) in LinePath.places(row.text(column)).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(place, projection, to: &bytes)
      }
      bytes.append(contentsOf: (isGeoJSON ? "]" : "]]").utf8)
    }
    bytes.append(UInt8(ascii: "}"))
    return true
  }

  private func coordinates(_ place: Place, _ projection: Projection) -> (x: Double, y: Double) {
    let (x, y) = projection.project(place)
    guard let decimals else { return (x, y) }
    let scale = pow(10, Double(decimals))
    return ((x * scale).rounded() / scale, (y * scale).rounded() / scale)
  }

  private func append(_ place: Place, _ projection: Projection, to bytes: inout [UInt8]) {
    let (x, y) = coordinates(place, projection)
    bytes.append(UInt8(ascii: "["))
    bytes.appendJSON(x)
    bytes.append(UInt8(ascii: ","))
    bytes.appendJSON(y)
    bytes.append(UInt8(ascii: "]"))
  }
}

extension [UInt8] {
  /// Appends the value of a row's column.
  mutating func appendValue(
    of kind: Field.Kind, _ row: borrowing SQLiteStatement, _ column: Int32
  ) {
    if row.isNull(column) { return append(contentsOf: "null".utf8) }
    switch kind {
    case .objectID, .integer, .date: append(contentsOf: String(row.integer(column)).utf8)
    case .number: appendShort(row.double(column))
    case .text, .globalID: appendJSON(row.text(column))
    }
  }

  /// Appends a number, a whole one without its `.0`.
  fileprivate mutating func appendShort(_ number: Double) {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
      append(contentsOf: String(whole).utf8)
    } else {
      appendJSON(number)
    }
  }
}

/// A line as stored: `x,y x,y …` in metres.
enum LinePath {
  static func text(_ places: [Place]) -> String {
    places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
  }

  static func places(_ text: String) -> [Place] {
    text.split(separator: " ").compactMap { pair in
      let numbers = pair.split(separator: ",").compactMap { Double($0) }
      return numbers.count == 2 ? Place(x: numbers[0], y: numbers[1]) : nil
    }
  }
}
