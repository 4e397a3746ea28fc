internal import SQLite
internal import TrackerCore

// Orders, sessions, and what became of captures and of the course, read without SQLite.
extension Salvager {
  /// Copies orders, sessions and histories, after the captures. A row that only looks like one of
  /// these violates a constraint of the table, or is left out when it is read.
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
    var histories = RawHistories()
    let isUnchecked = (1..<Schema.fullyCheckedVersion).contains(pages.version)
    for page in 1...max(1, pages.count) {
      for var record in pages.rows(ofPage: page) where isUnchecked || record.isWhole {
        // The checksum is the last column.
        if !isUnchecked {
          record.values.removeLast()
          histories.take(record)
        }
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
    try histories.write(to: target)
  }
}

/// Rows of the table `history` that were found, the last version of each.
private struct RawHistories {
  private var steps: [Int64: String] = [:]

  /// - Parameter record: whole, without its checksum.
  mutating func take(_ record: RawRecord) {
    guard record.values.count == 2, case .null = record.values[0], let text = record.text(1),
      let letter = text.first, "nacrm".contains(letter)
    else { return }
    if let other = steps[record.row], !isLater(text, than: other, record.row) { return }
    steps[record.row] = text
  }

  /// Steps are only added.
  private func isLater(_ text: String, than other: String, _ key: Int64) -> Bool {
    key == CourseRow.recordKey
      ? CourseRow.isLater(text, than: other) : text.utf8.count > other.utf8.count
  }

  func write(to target: borrowing SQLiteDatabase) throws(SQLiteError) {
    for (key, text) in steps.sorted(by: { $0.key < $1.key }) {
      try CourseRow.write(text, key: key, to: target)
    }
    try HistoryRow.removeOrphans(target)
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
