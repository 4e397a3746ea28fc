/// Rows whose checksum does not fit: nobody knows which of their values are wrong, so that none is
/// believed. They move to the table `damaged`, as text, for a person.
enum DamagedRows {
  /// - Returns: how many there were.
  static func setAside(
    _ keys: [Int64], in database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    var count = 0
    for key in keys {
      count += try move("captures", CaptureRow.columns, "key = \(key)", database)
    }
    return count
  }

  /// Looks at all captures, orders and sessions.
  ///
  /// - Returns: how many there were.
  static func setAsideAll(in database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int {
    var count = 0
    for (table, columns) in [
      ("captures", CaptureRow.columns), ("orders", OrderRow.columns),
      ("sessions", SessionRow.columns),
    ] {
      let condition = "NOT (\(CheckedRow.isWhole(columns)))"
      let first = try database.integer("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1")
      guard first != nil else { continue }
      count += try database.transaction { () throws(SQLiteError) -> Int in
        if table == "captures" { try goOnAbove(database) }
        let moved = try move(table, columns, condition, database)
        // The damaged one may have been the last: those before it do not take its place.
        if table == "sessions" { try database.execute("DELETE FROM sessions") }
        return moved
      }
    }
    return count
  }

  /// A damaged capture may have been the last: its number must not be given again.
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
