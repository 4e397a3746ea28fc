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
