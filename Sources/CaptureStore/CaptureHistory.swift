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
/// as `n610 a1210:400 r9000`. They count by the machine's date, as do the times of the row. A mark
/// (`CourseRow`) stands before all steps and stays when these are cut.
enum HistoryRow {
  /// Of `steps`: the last dozen or so. An older word is cut off, perhaps in its middle.
  static let mostBytes = 120
  private static let columns = "key, steps"

  /// Adds a step to all captures that meet a condition, as they are now.
  ///
  /// - Parameters:
  ///   - step: an expression for its word; `c` is the capture, ?1 the present date.
  ///   - condition: about the capture `c`.
  static func adding(_ step: String, where condition: String) -> String {
    // The mark's length, with the space behind it.
    let mark = "CASE WHEN steps GLOB 'm*' THEN instr(steps || ' ', ' ') ELSE 0 END"
    return """
      INSERT OR REPLACE INTO history (key, steps, checksum)
      SELECT key, steps, row_checksum(key, steps) FROM (
        SELECT key,
          substr(steps, 1, mark) || substr(substr(steps, mark + 1), -\(mostBytes)) AS steps
        FROM (SELECT key, steps, \(mark) AS mark FROM (
          SELECT c.key AS key, coalesce(h.steps || ' ', '') || \(step) AS steps
          FROM captures c LEFT JOIN history h
            ON h.key = c.key AND h.checksum = row_checksum(h.key, h.steps)
          WHERE \(condition))))
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
    let row = try database.prepare(
      "SELECT \(columns) FROM history WHERE key = ? AND \(CheckedRow.isWhole(columns))")
    try row.bind(Int64(key.number), at: 1)
    guard try row.step() else { return CaptureHistory() }
    var text = Substring(row.text(1))
    if text.first == "m" { text = text.drop { $0 != " " }.dropFirst() }
    let isCut = text.utf8.count >= mostBytes
    let words = text.split(separator: " ")
    // Unless it was cut between two words.
    let firstWhole = isCut && text.first != " " ? 1 : 0
    return CaptureHistory(
      steps: words.dropFirst(firstWhole).compactMap { CaptureStep($0, takenAt: takenAt) },
      isCut: isCut)
  }

  /// Removes histories of captures that are gone; keys are not used again. A trigger would do it
  /// too, but its text has no room in the file's first page.
  static func removeOrphans(_ database: borrowing SQLiteDatabase) throws(SQLiteError) {
    try database.execute(
      "DELETE FROM history WHERE key > 0 AND key NOT IN (SELECT key FROM captures)")
  }

  /// Copies the row of another store's capture to one with a new key.
  static func copy(
    _ old: Int64, of source: borrowing SQLiteDatabase, to new: Int64,
    in target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try source.prepare(
      "SELECT \(columns) FROM history WHERE key = ? AND \(CheckedRow.isWhole(columns))",
      isKept: true)
    row.reset()
    try row.bind(old, at: 1)
    guard try row.step() else { return }
    let insert = try target.prepare(
      "INSERT OR REPLACE INTO history (\(columns), checksum) VALUES (\(CheckedRow.values(2)))",
      isKept: true)
    try insert.bind(new, at: 1)
    try insert.bind(row, 1, at: 2)
    try insert.run()
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
      switch error.kind {
      case .diskFull, .storeFull: break
      default: throw error
      }
    }
    return try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in try body(false) }
    }
  }
}
