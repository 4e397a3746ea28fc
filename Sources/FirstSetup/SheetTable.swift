import BoardSupport
import Wording

/// A table as spreadsheets save it: CSV (RFC 4180) in UTF-8.
///
/// Cells are separated by commas, semicolons (where the comma is the decimal sign, as in Spain) or
/// tabs, whichever the first row has most of. Lines end with LF, CR LF or CR. A byte order mark and
/// Excel's line `sep=;` are understood. Rows without any text are left out. Cells are texts, also
/// those that a spreadsheet would compute.
struct SheetTable {
  struct Row {
    /// Its first line; counts from 1.
    var line: Int
    /// Without blanks at both ends.
    var cells: [String]
  }

  private(set) var rows: [Row] = []
  private let path: String
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var separator = UInt8(ascii: ",")

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quote = UInt8(ascii: "\"")

  /// - Parameter path: for errors.
  /// - Throws: if it is not text in UTF-8, or a quotation mark is not closed.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    self.bytes = bytes
    self.path = path
    try checkText()
    if bytes.starts(with: Self.mark) { position = Self.mark.count }
    findSeparator()
    while position < bytes.count {
      let row = Row(line: line, cells: try nextCells())
      if row.cells.contains(where: { !$0.isEmpty }) { rows.append(row) }
    }
  }

  /// Other encodings of spreadsheets are ISO 8859-1 and, as "Unicode text", UTF-16.
  private func checkText() throws(FileError) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.contains(0) {
      throw FileError(path: path, message: FleetPhrase.notUTF8.texts)
    }
    // No character of several bytes has the byte of a line's end in it.
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated()
    where String(validating: bytes, as: UTF8.self) == nil {
      throw FileError(path: path, line: index + 1, message: FleetPhrase.notUTF8.texts)
    }
  }

  private mutating func findSeparator() {
    let blanks = Array(",;\t \r\n".utf8)
    let start = bytes[position...].firstIndex { !blanks.contains($0) } ?? bytes.count
    let end = bytes[start...].firstIndex(where: Self.endsLine) ?? bytes.count
    let first = bytes[start..<end]
    let excel = Array("sep=".utf8)
    if first.count == excel.count + 1, first.starts(with: excel), let sign = first.last {
      separator = sign
      line += bytes[position..<start].count { $0 == 0x0A }
      position = end
      skipLineEnd()
      return
    }
    var best = 0
    for sign in ",;\t".utf8 {
      let count = first.count { $0 == sign }
      if count > best {
        best = count
        separator = sign
      }
    }
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func skipLineEnd() {
    guard position < bytes.count else { return }
    if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A {
      position += 1
    }
    position += 1
    line += 1
  }

  /// The cells of a row, and its end.
  private mutating func nextCells() throws(FileError) -> [String] {
    var cells: [String] = []
    while true {
      cells.append(try nextCell())
      guard position < bytes.count, bytes[position] == separator else { break }
      position += 1
    }
    skipLineEnd()
    return cells
  }

  private mutating func nextCell() throws(FileError) -> String {
    guard position < bytes.count, bytes[position] == Self.quote else {
      let separator = separator
      let end =
        bytes[position...].firstIndex { $0 == separator || Self.endsLine($0) } ?? bytes.count
      defer { position = end }
      return Self.trimmed(String(decoding: bytes[position..<end], as: UTF8.self))
    }
    let opening = line
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.quote {
        position += 1
        guard position < bytes.count, bytes[position] == Self.quote else {
          try skipAfterQuote()
          return Self.trimmed(String(decoding: text, as: UTF8.self))
        }
      }
      text.append(byte)
      if Self.endsLine(byte) { skipLineEnd() } else { position += 1 }
    }
    throw FileError(path: path, line: opening, message: FleetPhrase.openQuote.texts)
  }

  private mutating func skipAfterQuote() throws(FileError) {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    guard position < bytes.count else { return }
    guard bytes[position] == separator || Self.endsLine(bytes[position]) else {
      throw FileError(path: path, line: line, message: FleetPhrase.afterQuote.texts)
    }
  }

  private static func trimmed(_ text: String) -> String {
    guard let start = text.firstIndex(where: { !$0.isWhitespace }),
      let end = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[start...end])
  }
}
