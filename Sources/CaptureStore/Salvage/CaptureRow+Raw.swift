internal import TrackerCore

// Rows that were read without SQLite.
extension CaptureRow {
  /// Whether it has the shape of a capture, of this version or the first.
  static func mayBe(_ record: RawRecord) -> Bool {
    (columnCount - 1...columnCount).contains(record.values.count)
      // The key stands beside the row, and null in it.
      && record.integer(0) == nil && record.text(0) == nil
      && record.text(1).flatMap(CaptureState.init(rawValue:)) != nil
  }

  static func bind(
    _ record: RawRecord, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(record.row, at: 1)
    for column in 1..<columnCount {
      let place = Int32(column + 1)
      guard column < record.values.count else {
        try statement.bind(0 as Int64, at: place)
        continue
      }
      switch record.values[column] {
      case .null: try statement.bindNull(at: place)
      case .integer(let number): try statement.bind(number, at: place)
      case .bytes(let bytes): try statement.bind(text: Array(bytes), at: place)
      }
    }
  }
}

extension DeviceIdentity {
  /// A row of the table `identity`; `nil` for any other.
  init?(_ record: RawRecord) {
    guard record.values.count == 4, let text = record.text(0), text.utf8.count == 36,
      let device = UniqueID(text: text), let madeAt = record.integer(1),
      let first = record.integer(2).flatMap(UInt32.init(exactly:)), first > 0,
      let reserved = record.integer(3).flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(
      device: device, madeAt: UTC(milliseconds: madeAt), firstSequence: first,
      reservedBelow: reserved)
  }
}
