internal import SQLite
internal import TrackerCore

/// Copies orders, sessions and the record of the course from one store to another, within a
/// transaction.
enum StoredMemory {
  private static let tables = [
    ("orders", OrderRow.columns, OrderRow.columnCount),
    ("sessions", SessionRow.columns, SessionRow.columnCount),
    ("settingOrders", SettingOrderRow.columns, SettingOrderRow.columnCount),
  ]

  static func isEmpty(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Bool {
    for (table, _, _) in tables {
      if try database.integer("SELECT 1 FROM \(table) LIMIT 1") != nil { return false }
    }
    return true
  }

  /// Replaces what `target` remembers with what `source` remembers.
  static func copy(
    _ source: borrowing SQLiteDatabase, to target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    for (table, columns, count) in tables {
      try target.execute("DELETE FROM \(table)")
      let rows = try source.prepare(
        "SELECT \(columns) FROM \(table) WHERE \(CheckedRow.isWhole(columns))")
      let insert = try target.prepare(
        "INSERT INTO \(table) (\(columns), checksum) VALUES (\(CheckedRow.values(count)))")
      while try rows.step() {
        for column in 0..<Int32(count) { try insert.bind(rows, column, at: column + 1) }
        try insert.run()
      }
    }
    try target.execute("DELETE FROM history WHERE key = \(CourseRow.recordKey)")
    try HistoryRow.copy(
      CourseRow.recordKey, of: source, to: CourseRow.recordKey, in: target)
  }

  /// Lets a second store continue from the first one: with its orders and its session, and with a
  /// new device.
  ///
  /// This is done once. If the first does not know the second store's device, that device has
  /// captured since, and what it remembers is newer. If the first knows it, it was taken over,
  /// except for captures that had no room; the first has continued since, and the next device
  /// begins.
  static func inherit(
    _ first: borrowing SQLiteDatabase, by second: borrowing SQLiteDatabase, at now: UTC
  ) throws(SQLiteError) {
    let known = try DeviceIdentity.all(first)
    let last = try DeviceIdentity.all(second).last
    guard last == nil || known.contains(where: { $0.device == last?.device }) else { return }
    try second.transaction { () throws(SQLiteError) in
      try copy(first, to: second)
      var next = DeviceIdentity(device: try .made(for: second.path), madeAt: now)
      next.number = (last?.number ?? 0) + 1
      next.board = last?.board ?? BoardSerials()
      try next.write(to: second)
    }
  }
}
