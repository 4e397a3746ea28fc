import JSONReading

/// Reads the CSV of an export (RFC 4180): the header, then one row per capture.
enum CSVReader {
  /// Of files with and without a course.
  private static let tables = [ExportColumn.withoutCourse, ExportColumn.allCases]

  private static func header(_ columns: [ExportColumn]) -> String {
    columns.map(\.rawValue).joined(separator: ",")
  }

  /// Whether the bytes are such a file, or its beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    let text = CSVRows.withoutMark(bytes)
    return tables.contains { columns in
      let header = header(columns).utf8
      return text.prefix(header.count).elementsEqual(header.prefix(text.count))
    }
  }

  static func captures(in bytes: [UInt8]) throws(ImportError) -> [ImportedCapture] {
    let end = FilePlace.end(of: bytes)
    guard bytes.last == 0x0A else { throw end.cut("its last line is incomplete") }
    var reader = CSVRows(bytes, cure: "the file was edited, export it again")
    let first = try reader.row()?.joined(separator: ",")
    guard let columns = tables.first(where: { header($0) == first }) else {
      throw FilePlace().error("these are not the columns of an export; \(CaptureImport.cure)")
    }
    var captures: [ImportedCapture] = []
    var count: Int?
    while true {
      let place = reader.place
      guard let fields = try reader.row() else { break }
      let row = try CaptureFields(fields, of: columns, at: place)
      captures.append((try row.capture(at: place), place))
      guard let rows = row.integer(.rows), rows == count ?? rows else {
        throw place.error("rows differs from the rows before; export the file again")
      }
      count = rows
    }
    guard let count else {
      throw end.error("no captures after the header: nothing to import, or the file is truncated")
    }
    guard captures.count == count else {
      throw end.cut("it has \(captures.count) of \(count) captures")
    }
    return captures
  }
}

extension CaptureFields {
  /// - Parameter fields: a row's fields, in the order of the columns.
  init(
    _ fields: [String], of columns: [ExportColumn], at place: FilePlace
  ) throws(ImportError) {
    guard fields.count == columns.count else {
      throw place.error(
        "\(fields.count) fields instead of \(columns.count) (damaged or edited);"
          + " copy or export the file again")
    }
    for (column, field) in zip(columns, fields) where !field.isEmpty {
      if column == .team || column == .place {
        // Removes the apostrophe that protects spreadsheets from formulas.
        texts[column] = field.hasPrefix("'") ? String(field.dropFirst()) : field
      } else if column.isText {
        texts[column] = field
      } else {
        guard field.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }),
          let number = Double(field)
        else { throw place.error("\(column.rawValue) is not a number; export the file again") }
        numbers[column] = number
      }
    }
  }
}

/// The rows of CSV (RFC 4180), one after the other.
struct CSVRows {
  /// The byte order mark that some spreadsheets write before UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let bytes: [UInt8]
  private let separator: UInt8
  /// What to do about a line that is not a row.
  private let cure: String
  /// Of the next row.
  private(set) var place = FilePlace()

  init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), cure: String) {
    self.bytes = bytes
    self.separator = separator
    self.cure = cure
    place.byte = bytes.count - Self.withoutMark(bytes).count
  }

  static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
  }

  /// The fields of the next row; `nil` at the end.
  mutating func row() throws(ImportError) -> [String]? {
    guard place.byte < bytes.count else { return nil }
    var fields: [String] = []
    repeat { fields.append(try field()) } while takeComma()
    if place.byte < bytes.count, bytes[place.byte] == 0x0D { place.byte += 1 }
    guard place.byte < bytes.count, bytes[place.byte] == 0x0A else {
      throw place.error("a quotation mark within a field; \(cure)")
    }
    step()
    return fields
  }

  private mutating func takeComma() -> Bool {
    guard place.byte < bytes.count, bytes[place.byte] == separator else { return false }
    place.byte += 1
    return true
  }

  private mutating func step() {
    if bytes[place.byte] == 0x0A { place.line += 1 }
    place.byte += 1
  }

  private mutating func field() throws(ImportError) -> String {
    let quote = UInt8(ascii: "\"")
    guard place.byte < bytes.count, bytes[place.byte] == quote else {
      let start = place.byte
      let isEnd: (UInt8) -> Bool = {
        $0 == separator || $0 == 0x0D || $0 == 0x0A || $0 == quote
      }
      place.byte = bytes[start...].firstIndex(where: isEnd) ?? bytes.count
      return String(decoding: bytes[start..<place.byte], as: UTF8.self)
    }
    var text: [UInt8] = []
    place.byte += 1
    while place.byte < bytes.count {
      if bytes[place.byte] == quote {
        place.byte += 1
        guard place.byte < bytes.count, bytes[place.byte] == quote else {
          return String(decoding: text, as: UTF8.self)
        }
      }
      text.append(bytes[place.byte])
      step()
    }
    throw place.cut("it ends within quotation marks")
  }
}

/// Reads the GeoJSON of an export: a first line, one line per feature, and a last line. A feature's
/// line may be formatted freely.
struct GeoJSONReader {
  private static let firstLine = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
  private static let lastLine = Array("\n]}\n".utf8)

  private let bytes: [UInt8]
  private let decoder = JSONDecoder()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the bytes are such a file, or its beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(firstLine.count).elementsEqual(firstLine.prefix(bytes.count))
  }

  func captures() throws(ImportError) -> [ImportedCapture] {
    // The first and the last line may share a line feed.
    guard bytes.count >= Self.firstLine.count + Self.lastLine.count - 1,
      bytes.suffix(Self.lastLine.count).elementsEqual(Self.lastLine)
    else { throw FilePlace.end(of: bytes).cut("its last line, ]}, is missing") }
    var captures: [ImportedCapture] = []
    var place = FilePlace(line: 2, byte: Self.firstLine.count)
    let end = bytes.count - Self.lastLine.count + 1
    while place.byte < end {
      let stop = bytes[place.byte..<end].firstIndex(of: 0x0A) ?? end
      var line = bytes[place.byte..<stop]
      let isLast = stop + 1 >= end
      if !isLast {
        guard line.popLast() == UInt8(ascii: ",") else {
          throw place.error(
            "the line does not end with a comma; the file was edited, export it again")
        }
      }
      captures.append((try feature(line, at: place), place))
      place = FilePlace(line: place.line + 1, byte: stop + 1)
    }
    return captures
  }

  private func feature(
    _ line: ArraySlice<UInt8>, at place: FilePlace
  ) throws(ImportError) -> ExportedCapture {
    let feature: Feature
    do {
      feature = try decoder.decode(Feature.self, from: Array(line))
    } catch {
      throw place.error(
        "this is not a feature of an export (damaged or edited); copy or export the file again")
    }
    return try feature.row.capture(at: place)
  }
}

/// A feature of an export.
private struct Feature: Decodable {
  var row: CaptureFields

  private struct Geometry: Decodable {
    var type: String
    var coordinates: [Double]
  }

  private enum Value: Decodable {
    case text(String)
    case number(Double)
    case missing

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .missing
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private static let axes: [ExportColumn] = [.longitude, .latitude, .altitude]

  private enum Key: CodingKey {
    case geometry, properties
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let geometry = try container.decode(Geometry.self, forKey: .geometry)
    row = CaptureFields()
    if geometry.type == "Point" {
      for (column, number) in zip(Self.axes, geometry.coordinates) {
        row.numbers[column] = number
      }
    }
    for (name, value) in try container.decode([String: Value].self, forKey: .properties) {
      guard let column = ExportColumn(rawValue: name), !column.isGeometry else { continue }
      switch value {
      case .text(let text): row.texts[column] = text
      case .number(let number): row.numbers[column] = number
      case .missing: break
      }
    }
  }
}
