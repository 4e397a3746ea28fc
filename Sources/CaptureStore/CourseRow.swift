internal import SQLite
public import TrackerCore

/// Where on the course a capture was taken, as stored.
public struct StoredMark: Sendable, Equatable {
  /// Along the course.
  public var doneMetres: Int32
  public var toGoMetres: Int32
  /// The name of the place that it was taken for or in; `nil`: none.
  public var place: String?
}

/// What a store knows about the course, as words in the table `history`: the file's first page has
/// no room for the text of another table.
///
/// The first word of a capture's row is its mark, `m38600:62800:Anglès`: metres done and to go, and
/// the place's name with spaces that do not break. Key 0, which no capture has, is the record of
/// the course (`CourseRow+Record`).
enum CourseRow {
  static let recordKey: Int64 = 0
  /// Characters and bytes of a name. A character may have any number of bytes, and a request has
  /// to hold a hundred names.
  private static let longestName = 40
  private static let mostNameBytes = 120
  private static let unbroken: Character = "\u{A0}"

  static func write(
    _ words: String, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(
      "INSERT OR REPLACE INTO history (key, steps, checksum) VALUES (\(CheckedRow.values(2)))",
      isKept: true)
    try row.bind(key, at: 1)
    try row.bind(text: Array(words.utf8), at: 2)
    try row.run()
  }

  static func words(
    _ key: Int64, _ letter: Character, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> [Substring]? {
    let row = try database.prepare(
      "SELECT steps FROM history WHERE key = ? AND \(CheckedRow.isWhole("key, steps"))")
    try row.bind(key, at: 1)
    guard try row.step() else { return nil }
    return parts(of: row.text(0), letter)
  }

  /// Of the first word; `nil`: it has another letter.
  private static func parts(of text: String, _ letter: Character) -> [Substring]? {
    guard text.first == letter, let word = text.split(separator: " ").first else { return nil }
    return parts(word)
  }

  /// Of a word without its letter.
  static func parts(_ word: Substring) -> [Substring] {
    word.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
  }

  // MARK: Marks

  static func write(
    _ mark: CourseMark, _ name: String?, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    try write(
      "m\(mark.doneMetres):\(mark.toGoMetres):\(kept(name ?? ""))", key: key, to: database)
  }

  private static func kept(_ name: String) -> String {
    var kept = ""
    for character in name.prefix(longestName) {
      let next = character.isWhitespace || character == ":" ? unbroken : character
      guard kept.utf8.count + String(next).utf8.count <= mostNameBytes else { break }
      kept.append(next)
    }
    return kept
  }

  static func mark(
    _ key: Int64, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> StoredMark? {
    try words(key, "m", database).flatMap(mark)
  }

  private static func mark(_ parts: [Substring]) -> StoredMark? {
    guard parts.count == 3, let done = Int32(parts[0]), let toGo = Int32(parts[1])
    else { return nil }
    let name = String(parts[2].map { $0 == unbroken ? " " : $0 })
    return StoredMark(doneMetres: done, toGoMetres: toGo, place: name.isEmpty ? nil : name)
  }

  /// The marks of all captures from one key to another, by key.
  static func marks(
    _ keys: ClosedRange<Int64>, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> [CaptureKey: StoredMark] {
    let rows = try database.prepare(
      """
      SELECT key, steps FROM history
      WHERE key BETWEEN ? AND ? AND substr(steps, 1, 1) = 'm'
      AND \(CheckedRow.isWhole("key, steps"))
      """)
    try rows.bind(keys.lowerBound, at: 1)
    try rows.bind(keys.upperBound, at: 2)
    var marks: [CaptureKey: StoredMark] = [:]
    while try rows.step() {
      guard let key = UInt32(exactly: rows.integer(0)) else { continue }
      marks[CaptureKey(key)] = parts(of: rows.text(1), "m").flatMap(mark)
    }
    return marks
  }
}

extension CaptureStore {
  /// Where on the course a capture was taken; `nil`: it is not known.
  public func mark(of capture: StoredCapture) throws(StoreError) -> StoredMark? {
    try stating { () throws(SQLiteError) in
      try CourseRow.mark(Int64(capture.key.number), database)
    }
  }

  /// Where on the course captures were taken, by key, in one query; without those where it is not
  /// known.
  ///
  /// - Parameter captures: neighbours, as of a page: what is between them is read, too.
  public func marks(
    of captures: [StoredCapture]
  ) throws(StoreError) -> [CaptureKey: StoredMark] {
    let keys = captures.map { Int64($0.key.number) }
    guard let first = keys.min(), let last = keys.max() else { return [:] }
    return try stating { () throws(SQLiteError) in
      try CourseRow.marks(first...last, database)
    }
  }
}
