internal import SQLite
public import TrackerCore

/// What became of a capture before its present state, which is in its row.
public enum CaptureStep: Sendable, Equatable {
  /// It was handed out to be sent then, and no server confirmed it.
  case unanswered(UTC)
  /// A server refused it for good.
  case setAside(UTC, code: Int32?)
  /// A person put it back.
  case requeued(UTC)
}

/// The steps of a capture, oldest first.
public struct CaptureHistory: Sendable, Equatable {
  public internal(set) var steps: [CaptureStep] = []
  /// Earlier ones were not kept.
  public internal(set) var isCut = false
}

/// Rows of the table `history`. There is one only for a capture that did not go smoothly, so that
/// the others cost no byte of flash; it is written together with the change of state that it
/// records.
///
/// `steps` are words, the oldest first: a letter, seconds since the capture was stored, and a code,
/// as `n610 a1210:400 r9000`. They count by the machine's date, as do the times of the row.
enum HistoryRow {
  enum Column: Int32, StoreColumn {
    case key, steps

    static let table = "history"
  }

  /// Adds a step to all captures that meet a condition, as they are now.
  ///
  /// - Parameters:
  ///   - step: an expression for its word; `c` is the capture, ?1 the present date.
  ///   - condition: about the capture `c`.
  static func adding(_ step: String, where condition: String) -> String {
    """
    INSERT OR REPLACE INTO history (key, steps, checksum)
    SELECT key, steps, row_checksum(key, steps) FROM (
      SELECT c.key AS key,
        substr(coalesce(h.steps || ' ', '') || \(step), -\(StoreBounds.historyBytes)) AS steps
      FROM captures c LEFT JOIN history h
        ON h.key = c.key AND h.checksum = row_checksum(h.key, h.steps)
      WHERE \(condition))
    """
  }

  /// Of a capture in flight: when it was handed out.
  static let unanswered = "'n' || ((c.stateChangedAt - c.takenAt) / 1000)"
  /// Of one that is set aside.
  static let setAside =
    "'a' || ((c.stateChangedAt - c.takenAt) / 1000) || coalesce(':' || c.code, '')"
  static let requeued = "' r' || ((?1 - c.takenAt) / 1000)"

  static func read(
    _ key: CaptureKey, takenAt: UTC, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> CaptureHistory {
    let row = try database.prepare("\(Column.query) AND key = ?1")
    try row.bind(Int64(key.number), at: 1)
    guard try row.step() else { return CaptureHistory() }
    let text = row.text(Column.steps)
    let isCut = text.utf8.count >= StoreBounds.historyBytes
    let words = text.split(separator: " ")
    // Unless it was cut between two words.
    let firstWhole = isCut && text.first != " " ? 1 : 0
    return CaptureHistory(
      steps: words.dropFirst(firstWhole).compactMap { CaptureStep($0, takenAt: takenAt) },
      isCut: isCut)
  }

  /// Removes histories and marks of captures that are gone; keys are not used again. Triggers would
  /// need room on a full disk, where this may wait.
  static func removeOrphans(_ database: borrowing SQLiteDatabase) throws(SQLiteError) {
    for table in [Column.table, MarkRow.Column.table] {
      try database.execute(
        "DELETE FROM \(table) WHERE key NOT IN (SELECT key FROM captures)")
    }
  }

  /// Copies history and mark of another store's capture to one with a new key.
  static func copy(
    _ old: Int64, of source: borrowing SQLiteDatabase, to new: Int64,
    in target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let tables: [any StoreColumn.Type] = [Column.self, MarkRow.Column.self]
    for columns in tables {
      let row = try source.prepare("\(columns.query) AND key = ?1", isKept: true)
      row.reset()
      try row.bind(old, at: 1)
      guard try row.step() else { continue }
      let insert = try target.prepare(columns.replace, isKept: true)
      try insert.bind(new, at: 1)
      for column in 1..<Int32(columns.count) { try insert.bind(row, column, at: column + 1) }
      try insert.run()
    }
  }
}

extension CaptureStep {
  /// - Returns: `nil` for an unknown word, perhaps of a later version.
  fileprivate init?(_ word: Substring, takenAt: UTC) {
    let parts = word.dropFirst().split(separator: ":", maxSplits: 1)
    guard let seconds = parts.first.flatMap({ Int64($0) }), seconds.magnitude < 1 << 40 else {
      return nil
    }
    let at = takenAt + .seconds(seconds)
    switch word.first {
    case "n": self = .unanswered(at)
    case "a": self = .setAside(at, code: parts.count > 1 ? Int32(parts[1]) : nil)
    case "r": self = .requeued(at)
    default: return nil
    }
  }
}

extension CaptureStore {
  /// What became of a capture before its present state.
  public func history(of capture: StoredCapture) throws(StoreError) -> CaptureHistory {
    try stating { () throws(SQLiteError) in
      try HistoryRow.read(capture.key, takenAt: capture.takenAt, database)
    }
  }

  /// Changes states of captures and records that in their histories. Where the file may not grow
  /// any more the histories stay as they are: the captures matter more.
  ///
  /// - Parameter body: gets whether to write histories.
  func changingWithHistory<Result>(
    _ body: (Bool) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try changing { () throws(SQLiteError) in
        try database.transaction { () throws(SQLiteError) in try body(true) }
      }
    } catch {
      // Also of a file at the largest size that it may have.
      guard error.kind == .diskFull else { throw error }
    }
    return try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in try body(false) }
    }
  }
}

/// What version 10 kept in the table `history` besides steps, for files of that version.
///
/// Before a capture's steps stood its mark, `m38600:62800:Anglès`: metres done and to go, and the
/// place's name with spaces that do not break. The row of key 0, which no capture has, was the
/// record of the course: `c12000:3:-1:0`, in later programs with the other columns of `CourseRow`
/// behind it, and the words of the forecast. An empty part was a value that is not known.
enum HistoryWords {
  private static let recordKey: Int64 = 0
  private static let unbroken: Character = "\u{A0}"

  /// Whether a row of `history` is as it is today.
  static func areSteps(_ words: String) -> Bool { words.first != "m" && words.first != "c" }

  /// Moves marks and the record into the tables that they have now.
  static func move(in database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let rows = try database.prepare("\(HistoryRow.Column.query) AND steps GLOB '[cm]*'")
    var found: [(key: Int64, words: String)] = []
    while try rows.step() {
      found.append((rows.integer(HistoryRow.Column.key), rows.text(HistoryRow.Column.steps)))
    }
    for (key, words) in found {
      try database.execute("DELETE FROM history WHERE key = \(key)")
      try move(words, key: key, to: database)
    }
    // A damaged record belongs to no capture.
    try database.execute("DELETE FROM history WHERE key = \(recordKey)")
  }

  /// Writes what the words of one row say.
  static func move(
    _ words: String, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    if key == recordKey { return try moveRecord(words, to: database) }
    let end = words.firstIndex(of: " ") ?? words.endIndex
    if let mark = mark(words[..<end]) { try MarkRow.write(mark, key: key, to: database) }
    guard end < words.endIndex else { return }
    let steps = try database.prepare(
      """
      INSERT OR REPLACE INTO history (\(HistoryRow.Column.list), checksum)
      SELECT \(HistoryRow.Column.values) WHERE NOT EXISTS (
        SELECT 1 FROM history WHERE key = ?1 AND length(steps) >= length(?2))
      """)
    try steps.bind(key, at: HistoryRow.Column.key)
    try steps.bind(String(words[words.index(after: end)...]), at: HistoryRow.Column.steps)
    try steps.run()
  }

  private static func mark(_ word: Substring) -> StoredMark? {
    let parts = word.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard word.first == "m", parts.count == 3, let done = Int32(parts[0]),
      let toGo = Int32(parts[1])
    else { return nil }
    let name = String(parts[2].map { $0 == unbroken ? " " : $0 })
    return StoredMark(doneMetres: done, toGoMetres: toGo, place: name.isEmpty ? nil : name)
  }

  private static let oldCount = 4
  private static let count = 18

  private static func moveRecord(
    _ words: String, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let parts = words.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard words.first == "c", parts.count == oldCount || parts.count >= count else { return }
    let row = try database.prepare(CourseRow.insertionIfLater)
    try row.bind(1 as Int64, at: CourseRow.Column.id)
    for (column, part) in zip(CourseRow.Column.allCases.dropFirst(), parts) {
      switch column {
      case .entered, .inferred, .leaving:
        try row.bind(UInt64(part).map { Int64(bitPattern: $0) }, at: column)
      case .sinceBootMilliseconds: try row.bind(String(parts[17]), at: CourseRow.Column.boot)
      case .boot: try row.bind(Int64(parts[16]), at: CourseRow.Column.sinceBootMilliseconds)
      default: try row.bind(Int64(part), at: column)
      }
    }
    if parts.count > count {
      try row.bind(parts[count...].joined(separator: " "), at: CourseRow.Column.forecast)
    }
    do throws(SQLiteError) { try row.run() } catch {
      // It was not a record.
      guard error.kind == .constraint else { throw error }
    }
  }
}
