internal import SQLite

/// Rows whose checksum does not agree: as it is unknown which of their values are wrong, none is
/// used. They are moved to the table `damaged`, as text, for people to read.
enum DamagedRows {
  /// Moves damaged captures found while the store is in use.
  ///
  /// - Parameters:
  ///   - present: the current identity; its numbers continue above all that were given.
  ///   - next: the next sequence number.
  /// - Returns: how many there were.
  static func setAside(
    _ keys: [Int64], in database: borrowing SQLiteDatabase, _ present: inout DeviceIdentity,
    next: UInt32
  ) throws(SQLiteError) -> Int {
    var identity = present
    identity.firstSequence = max(identity.firstSequence, next)
    let count = try database.savepoint { () throws(SQLiteError) -> Int in
      var count = 0
      for key in keys {
        count += try move("captures", CaptureRow.columns, "key = \(key)", database)
      }
      try goOnAbove(database)
      // For the current device all given numbers are known.
      try identity.write(to: database)
      return count
    }
    present = identity
    return count
  }

  /// Checks all captures, orders and sessions.
  ///
  /// - Returns: how many there were.
  static func setAsideAll(in database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int {
    var count = 0
    for (table, columns) in [
      ("captures", CaptureRow.columns), ("orders", OrderRow.columns),
      ("sessions", SessionRow.columns), ("settingOrders", SettingOrderRow.columns),
    ] {
      let condition = "NOT (\(CheckedRow.isWhole(columns)))"
      let first = try database.integer("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1")
      guard first != nil else { continue }
      count += try database.transaction { () throws(SQLiteError) -> Int in
        let moved = try move(table, columns, condition, database)
        if table == "captures" { try goOnAbove(database) }
        // The damaged one may have been the last: earlier ones must not take its place.
        if table == "sessions" { try database.execute("DELETE FROM sessions") }
        return moved
      }
    }
    return count
  }

  /// The last key that was given, including to captures now in `damaged`; 0: none. A key far above
  /// the others is itself damaged.
  static func lastKey(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int64 {
    let last = try database.integer("SELECT max(key) FROM captures") ?? 0
    let damaged = try database.integer(
      """
      SELECT max(key) FROM (
        SELECT CAST(substr(row, \(captures.utf8.count + 1)) AS INTEGER) AS key FROM damaged
        WHERE substr(row, 1, \(captures.utf8.count)) = '\(captures)')
      WHERE key <= \(last &+ Int64(Schema.reservation))
      """)
    return max(last, damaged ?? 0)
  }

  /// The prefix of a damaged capture's text; its key follows.
  private static let captures = "captures: "

  /// A damaged capture may have been the last: its number must not be reused.
  private static func goOnAbove(_ database: borrowing SQLiteDatabase) throws(SQLiteError) {
    for var identity in try DeviceIdentity.all(database) {
      identity.firstSequence = max(identity.firstSequence, identity.reservedBelow)
      try identity.write(to: database)
    }
  }

  private static func move(
    _ table: String, _ columns: String, _ condition: String, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    let text = columns.split(separator: ",").map { "quote(\($0.filter { !$0.isWhitespace }))" }
    try database.execute(
      """
      INSERT INTO damaged
      SELECT strftime('%Y-%m-%d %H:%M:%S', 'now'), '\(table): ' || \(
        text.joined(separator: " || ', ' || "))
      FROM \(table) WHERE \(condition)
      """)
    let rows = try database.prepare("DELETE FROM \(table) WHERE \(condition)")
    return try rows.run()
  }
}
