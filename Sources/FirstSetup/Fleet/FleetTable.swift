public import BoardSupport
import Wording

/// An organiser's table of trackers: a row of names, then a row for each tracker.
public struct FleetTable: Sendable {
  public struct Row: Sendable {
    /// Counts from 1.
    public let line: Int
    /// What the row says; cells without text are not in it.
    let cells: [FleetColumn: String]
    /// The name of the tracker's folder: its number and its team, for any file system.
    public fileprivate(set) var folder = ""

    subscript(column: FleetColumn) -> String? { cells[column] }
  }

  public let path: String
  public private(set) var rows: [Row] = []
  private var columns: [(column: FleetColumn?, name: String)] = []

  /// Whether there is such a column.
  func has(_ column: FleetColumn) -> Bool { columns.contains { $0.column == column } }

  /// - Parameter path: for errors, which name file, line and column.
  /// - Throws: for the first mistake.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    self.path = path
    var rows = try SheetTable(bytes, path: path).rows[...]
    guard let header = rows.popFirst() else {
      throw FileError(path: path, message: FleetPhrase.noRows.texts)
    }
    try readHeader(header)
    guard !rows.isEmpty else { throw FileError(path: path, message: FleetPhrase.noRows.texts) }
    for row in rows { self.rows.append(try read(row)) }
    try refuseTwins(.team) { Self.key(ofTeam: $0) }
    try refuseTwins(.number) { Self.key(ofNumber: $0) }
    nameFolders()
  }

  /// The column's name as the table has it, for errors.
  func name(of column: FleetColumn) -> String {
    columns.first { $0.column == column }?.name ?? column.rawValue
  }

  private mutating func readHeader(_ header: SheetTable.Row) throws(FileError) {
    for name in header.cells {
      guard let column = FleetColumn(header: name) else {
        if name.isEmpty {
          columns.append((nil, ""))
          continue
        }
        let known = FleetColumn.near(name).map { FleetPhrase.didYouMean.texts($0) }
        throw error(
          header.line, name,
          known
            ?? FleetPhrase.unknownColumn.texts(listed(plain: FleetColumn.allCases.map(\.rawValue))))
      }
      if let first = columns.first(where: { $0.column == column }) {
        throw error(header.line, name, FleetPhrase.columnTwice.texts(first.name))
      }
      columns.append((column, name))
    }
    for column in FleetColumn.required where !has(column) {
      throw error(header.line, "", FleetPhrase.lacksColumn.texts(column.rawValue))
    }
  }

  private func read(_ row: SheetTable.Row) throws(FileError) -> Row {
    var cells: [FleetColumn: String] = [:]
    for (index, cell) in row.cells.enumerated() where !cell.isEmpty {
      guard index < columns.count, let column = columns[index].column else {
        throw error(row.line, "", FleetPhrase.strayCell.texts("\(index + 1)"))
      }
      // Nothing of what a tracker needs has such characters, and each could begin another line.
      guard cell.unicodeScalars.allSatisfy({ !Self.isControl($0) }) else {
        throw error(row.line, columns[index].name, FleetPhrase.control.texts)
      }
      cells[column] = cell
    }
    // A table with a column for secrets needs one for each tracker.
    for column in FleetColumn.required + [.secret] where has(column) && cells[column] == nil {
      throw error(row.line, name(of: column), FleetPhrase.emptyCell.texts)
    }
    return Row(line: row.line, cells: cells)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.value == 0x2028
      || scalar.value == 0x2029
  }

  private func refuseTwins(
    _ column: FleetColumn, _ key: (String) -> String
  ) throws(FileError) {
    var seen: [String: Int] = [:]
    for row in rows {
      guard let cell = row[column] else { continue }
      if let first = seen.updateValue(row.line, forKey: key(cell)) {
        throw error(row.line, name(of: column), FleetPhrase.twin.texts(cell, "\(first)"))
      }
    }
  }

  /// Capitals and the number of blanks do not make another team.
  private static func key(ofTeam team: String) -> String {
    team.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A server would distinguish 07 and 7, but people would not.
  private static func key(ofNumber number: String) -> String {
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return number.lowercased() }
    return String(number.drop { $0 == "0" })
  }

  private mutating func nameFolders() {
    var taken: Set<String> = []
    for index in rows.indices {
      let number = PlainLetters.fileName(rows[index][.number] ?? "", atMost: 24)
      let team = PlainLetters.fileName(rows[index][.team] ?? "", atMost: 40)
      // Windows reserves names such as "con"; none has a hyphen.
      let name = (number.isEmpty ? "tracker" : number) + "-" + (team.isEmpty ? "team" : team)
      var folder = name
      var count = 1
      while !taken.insert(folder).inserted {
        count += 1
        folder = "\(name)-\(count)"
      }
      rows[index].folder = folder
    }
  }

  func error(_ line: Int, _ column: String, _ message: Texts) -> FileError {
    FileError(path: path, line: line, keyPath: column, message: message)
  }
}
