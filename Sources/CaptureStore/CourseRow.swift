internal import SQLite
internal import TrackerCore

/// Where on the course a capture was taken, as stored.
public struct StoredMark: Sendable, Equatable {
  /// Along the course.
  public var doneMetres: Int32
  public var toGoMetres: Int32
  /// The name of the place that it was taken for or in; `nil`: none.
  public var place: String?
}

/// What a store knows of the course, as words in the table `history`: the file's first page has no
/// room for the text of another table.
///
/// The first word of a capture's row is its mark, `m38600:62800:Anglès`: metres done and to go, and
/// the place's name with spaces that do not break. Key 0, which no capture has, is the record of
/// places that were told, `c12000:3:-1:0`: metres done, next place, place inside, finished.
enum CourseRow {
  private static let recordKey: Int64 = 0
  /// Characters of a name.
  private static let longestName = 40
  private static let unbroken: Character = "\u{A0}"

  private static func write(
    _ words: String, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(
      "INSERT OR REPLACE INTO history (key, steps, checksum) VALUES (\(CheckedRow.values(2)))",
      isKept: true)
    try row.bind(key, at: 1)
    try row.bind(text: Array(words.utf8), at: 2)
    try row.run()
  }

  private static func words(
    _ key: Int64, _ letter: Character, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> [Substring]? {
    let row = try database.prepare(
      "SELECT steps FROM history WHERE key = ? AND \(CheckedRow.isWhole("key, steps"))")
    try row.bind(key, at: 1)
    guard try row.step() else { return nil }
    let text = row.text(0)
    guard text.first == letter, let word = text.split(separator: " ").first else { return nil }
    return word.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
  }

  // MARK: Marks

  static func write(
    _ mark: CourseMark, _ name: String?, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let name = (name ?? "").prefix(longestName).map { $0.isWhitespace || $0 == ":" ? unbroken : $0 }
    try write(
      "m\(mark.doneMetres):\(mark.toGoMetres):\(String(name))", key: key, to: database)
  }

  static func mark(
    _ key: Int64, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> StoredMark? {
    guard let parts = try words(key, "m", database), parts.count == 3,
      let done = Int32(parts[0]), let toGo = Int32(parts[1])
    else { return nil }
    let name = String(parts[2].map { $0 == unbroken ? " " : $0 })
    return StoredMark(doneMetres: done, toGoMetres: toGo, place: name.isEmpty ? nil : name)
  }

  // MARK: The record

  static func write(
    _ record: CourseRecord?, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let record else {
      return try database.execute("DELETE FROM history WHERE key = \(recordKey)")
    }
    let finished = record.isFinished ? 1 : 0
    try write(
      "c\(record.done):\(record.next):\(record.inside):\(finished)", key: recordKey, to: database)
  }

  static func record(
    _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> CourseRecord? {
    guard let parts = try words(recordKey, "c", database), parts.count == 4,
      let done = Int32(parts[0]), let next = Int16(parts[1]), let inside = Int16(parts[2])
    else { return nil }
    return CourseRecord(done: done, next: next, inside: inside, isFinished: parts[3] == "1")
  }
}

extension CaptureStore {
  /// Where on the course a capture was taken; `nil`: it is not known.
  public func mark(of capture: StoredCapture) throws(StoreError) -> StoredMark? {
    try stating { () throws(SQLiteError) in
      try CourseRow.mark(Int64(capture.key.number), database)
    }
  }
}
