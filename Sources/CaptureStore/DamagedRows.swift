/// Captures whose checksum does not fit: nobody knows which of their values are wrong, so that none
/// is believed. They move to the table `damaged`, as text, for a person.
enum DamagedRows {
  private static let whole = "checksum = \(CaptureRow.checksum)"
  private static let text = CaptureRow.columns.split(separator: ",")
    .map { "quote(\($0.filter { !$0.isWhitespace }))" }.joined(separator: " || ', ' || ")

  /// - Returns: how many there were.
  static func setAside(
    _ keys: [Int64], in database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    var count = 0
    for key in keys { count += try move("key = \(key)", database) }
    return count
  }

  /// Looks at all captures.
  ///
  /// - Returns: how many there were.
  static func setAsideAll(in database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int {
    let condition = "NOT (\(whole))"
    guard try database.integer("SELECT 1 FROM captures WHERE \(condition) LIMIT 1") != nil else {
      return 0
    }
    return try database.transaction { () throws(SQLiteError) -> Int in
      let count = try move(condition, database)
      // One of them may have been the last: its number must not be given again.
      for var identity in try DeviceIdentity.all(database) {
        identity.firstSequence = max(identity.firstSequence, identity.reservedBelow)
        try identity.write(to: database)
      }
      return count
    }
  }

  private static func move(
    _ condition: String, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    try database.execute(
      """
      INSERT INTO damaged SELECT strftime('%Y-%m-%d %H:%M:%S', 'now'), \(text)
      FROM captures WHERE \(condition)
      """)
    let rows = try database.prepare("DELETE FROM captures WHERE \(condition)")
    return try rows.run()
  }
}
