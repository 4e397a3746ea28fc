internal import SQLite
internal import TrackerCore

// Orders and sessions read without SQLite.
extension Salvager {
  /// Copies orders and sessions. A row that only looks like one violates a constraint of the table,
  /// or is left out when it is read.
  static func transferMemory(
    _ pages: StoreImage, to target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    // Free pages may contain older rows: of two orders for the same key the later one counts.
    let order = try target.prepare(
      """
      INSERT OR REPLACE INTO orders (\(OrderRow.columns), checksum)
      SELECT \(CheckedRow.values(OrderRow.columnCount))
      WHERE NOT EXISTS (SELECT 1 FROM orders WHERE key = ?1 AND time > ?4)
      """)
    let session = try target.prepare(
      """
      INSERT OR REPLACE INTO sessions (\(SessionRow.columns), checksum)
      VALUES (\(CheckedRow.values(SessionRow.columnCount)))
      """)
    let setting = try target.prepare(
      """
      INSERT OR REPLACE INTO settingOrders (\(SettingOrderRow.columns), checksum)
      SELECT \(CheckedRow.values(SettingOrderRow.columnCount)) WHERE NOT EXISTS (
        SELECT 1 FROM settingOrders WHERE (path = ?2 OR number = ?1) AND time > ?5)
      """)
    let isUnchecked = (1..<Schema.fullyCheckedVersion).contains(pages.version)
    for page in 1...max(1, pages.count) {
      for var record in pages.rows(ofPage: page) where isUnchecked || record.isWhole {
        // The checksum is the last column.
        if !isUnchecked { record.values.removeLast() }
        do throws(SQLiteError) {
          if record.values.count == OrderRow.columnCount,
            record.text(0).flatMap(OrderKey.init(word:)) != nil
          {
            try record.bind(to: order)
            try order.run()
          } else if record.values.count == SessionRow.columnCount, case .null = record.values[0] {
            try record.bind(to: session)
            // The key is stored outside the row, which has null instead.
            try session.bind(record.row, at: 1)
            try session.run()
          } else if !isUnchecked, record.values.count == SettingOrderRow.columnCount,
            case .null = record.values[0]
          {
            try record.bind(to: setting)
            try setting.bind(record.row, at: 1)
            try setting.run()
          }
        } catch {
          guard error.kind == .constraint else { throw error }
        }
      }
    }
  }
}

extension RawRecord {
  fileprivate func bind(to statement: borrowing SQLiteStatement) throws(SQLiteError) {
    for (column, value) in values.enumerated() {
      let place = Int32(column + 1)
      switch value {
      case .null, .other: try statement.bindNull(at: place)
      case .integer(let number): try statement.bind(number, at: place)
      case .bytes(let bytes): try statement.bind(text: Array(bytes), at: place)
      }
    }
  }
}
