internal import SQLite
internal import TrackerCore

// Rows read without SQLite.
extension CaptureRow {
  /// The number of columns in the first version; the second added the attempts, the third the
  /// device.
  private static let firstCount = 18

  /// Whether it has the form of a capture, of this version or, if the rows have no checksums yet,
  /// an earlier one.
  static func mayBe(_ record: RawRecord, isChecked: Bool) -> Bool {
    let count = record.values.count
    return
      (isChecked
      ? count == columnCount + 1 && record.isWhole
      : [firstCount, firstCount + 1, columnCount].contains(count))
      // The key is stored outside the row, which has null instead.
      && record.integer(CaptureColumn.key.index) == nil
      && record.text(CaptureColumn.key.index) == nil
      && record.text(CaptureColumn.state.index).flatMap(CaptureState.init(rawValue:)) != nil
  }

  /// - Parameter device: the device for rows of earlier versions.
  static func bind(
    _ record: RawRecord, device: UniqueID, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(record.row, at: .key)
    for column in CaptureColumn.allCases.dropFirst() {
      guard column.index < record.values.count else {
        if column == .device {
          try statement.bind(device.text, at: column)
        } else if column == .sequence {
          try statement.bind(record.row, at: column)
        } else if column == .globalID {
          try statement.bindNull(at: column)
        } else {
          try statement.bind(0, at: column)
        }
        continue
      }
      switch record.values[column.index] {
      case .null: try statement.bindNull(at: column)
      case .integer(let number): try statement.bind(number, at: column)
      case .bytes(let bytes): try statement.bind(text: Array(bytes), at: column.parameter)
      case .other: try statement.bindNull(at: column)
      }
    }
  }

  /// In earlier versions the sequence number was the key.
  static func sequence(of record: RawRecord) -> Int64 {
    record.values.count >= columnCount
      ? record.integer(CaptureColumn.sequence.index) ?? .max : record.row
  }

  /// The device of a row of this version.
  static func device(of record: RawRecord) -> UniqueID? {
    guard record.values.count >= columnCount else { return nil }
    return record.text(CaptureColumn.device.index).flatMap(UniqueID.init)
  }
}

extension DeviceIdentity {
  /// A row of the table `identities`, or of `identity` in earlier versions; `nil` for any other.
  ///
  /// - Parameter isChecked: whether the store's rows have checksums; then only those that agree
  ///   count.
  init?(_ record: RawRecord, isChecked: Bool) {
    let count = record.values.count
    // Since the third version `number` is the row's key, and null in the row.
    let first = count >= 8 ? 1 : 0
    guard isChecked ? count == 9 && record.isWhole : count == 8 || count == 4,
      first == 0 || (record.integer(0) == nil && record.text(0) == nil),
      let text = record.text(first), text.utf8.count == 36, let device = UniqueID(text: text),
      let madeAt = record.integer(first + 1),
      let firstSequence = record.integer(first + 2).flatMap(UInt32.init(exactly:)),
      firstSequence > 0,
      let reserved = record.integer(first + 3).flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(
      device: device, madeAt: UTC(milliseconds: madeAt), firstSequence: firstSequence,
      reservedBelow: reserved)
    guard first == 1 else { return }
    number = max(1, record.row)
    board = BoardSerials(
      deviceTree: record.text(5), firmware: record.text(6), installation: record.text(7))
  }
}
