/// Reads the CSV of an export (RFC 4180): the header, then one row per capture.
struct CSVReader {
  private static let header = ExportColumn.allCases.map(\.rawValue).joined(separator: ",")
  /// The byte order mark that some spreadsheets write before UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let bytes: [UInt8]
  private var place = FilePlace()

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: Self.mark) { place.byte = Self.mark.count }
  }

  /// Whether the bytes are such a file, or its beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    return text.prefix(header.utf8.count).elementsEqual(header.utf8.prefix(text.count))
  }

  static func captures(in bytes: [UInt8]) throws(ImportError) -> [ImportedCapture] {
    let end = FilePlace.end(of: bytes)
    guard bytes.last == 0x0A else { throw end.cut("its last line is incomplete") }
    var reader = CSVReader(bytes)
    guard try reader.row()?.joined(separator: ",") == header else {
      throw FilePlace().error("these are not the columns of an export; \(CaptureImport.cure)")
    }
    var captures: [ImportedCapture] = []
    var count: Int?
    while true {
      let place = reader.place
      guard let fields = try reader.row() else { break }
      let row = try CaptureFields(fields, at: place)
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

  /// The fields of the next row; `nil` at the end.
  private mutating func row() throws(ImportError) -> [String]? {
    guard place.byte < bytes.count else { return nil }
    var fields: [String] = []
    repeat { fields.append(try field()) } while takeComma()
    if place.byte < bytes.count, bytes[place.byte] == 0x0D { place.byte += 1 }
    guard place.byte < bytes.count, bytes[place.byte] == 0x0A else {
      throw place.error("a quotation mark within a field; the file was edited, export it again")
    }
    step()
    return fields
  }

  private mutating func takeComma() -> Bool {
    guard place.byte < bytes.count, bytes[place.byte] == UInt8(ascii: ",") else { return false }
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
        $0 == UInt8(ascii: ",") || $0 == 0x0D || $0 == 0x0A || $0 == quote
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

extension CaptureFields {
  /// - Parameter fields: a row's fields, in the order of the columns.
  init(_ fields: [String], at place: FilePlace) throws(ImportError) {
    let columns = ExportColumn.allCases
    guard fields.count == columns.count else {
      throw place.error(
        "\(fields.count) fields instead of \(columns.count) (damaged or edited);"
          + " copy or export the file again")
    }
    for (column, field) in zip(columns, fields) where !field.isEmpty {
      if column == .team {
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
