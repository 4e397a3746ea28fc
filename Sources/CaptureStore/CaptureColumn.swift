internal import SQLite

/// The columns of the table `captures`, in their order in a row.
enum CaptureColumn: Int32, CaseIterable {
  case key, state, stateChangedAt, code, takenAt, utc, isTimeTrusted, latitude, longitude
  case altitudeMillimetres, speedMillimetresPerSecond, courseMillidegrees, accuracyMetres
  case satellites, batteryPercent, batteryMillivolts, team, trigger, attempts, device, sequence
  case globalID

  /// Its name in SQL, where `trigger` is a keyword.
  var name: String { self == .trigger ? "\"trigger\"" : "\(self)" }

  /// Its index in a row's values, from 0.
  var index: Int { Int(rawValue) }

  /// Its parameter in `CaptureRow.insert`, from 1.
  var parameter: Int32 { rawValue + 1 }
}

extension SQLiteStatement {
  func isNull(_ column: CaptureColumn) -> Bool { isNull(column.rawValue) }
  func integer(_ column: CaptureColumn) -> Int64 { integer(column.rawValue) }
  func text(_ column: CaptureColumn) -> String { text(column.rawValue) }
  func bytes(_ column: CaptureColumn) -> [UInt8] { bytes(column.rawValue) }

  func bind(_ value: Int64?, at column: CaptureColumn) throws(SQLiteError) {
    try bind(value, at: column.parameter)
  }
  func bind(_ text: String, at column: CaptureColumn) throws(SQLiteError) {
    try bind(text, at: column.parameter)
  }
  func bindNull(at column: CaptureColumn) throws(SQLiteError) {
    try bindNull(at: column.parameter)
  }
}
