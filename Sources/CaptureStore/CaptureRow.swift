internal import SQLite
internal import TrackerCore

/// Converts between captures and rows of the table `captures`.
enum CaptureRow {
  static let columns = CaptureColumn.allCases.map(\.name).joined(separator: ", ")

  static let columnCount = CaptureColumn.allCases.count

  /// The values of a row whose columns are the parameters from 1 on.
  static let values = CheckedRow.values(columnCount)

  /// Whether a row's checksum agrees.
  static let isWhole = CheckedRow.isWhole(columns)

  static let insert = "INSERT INTO captures (\(columns), checksum) VALUES (\(values))"

  /// The query for rows that `read` can read; its last column says whether the row is undamaged.
  static let query = "SELECT \(columns), \(isWhole) FROM captures"

  /// An update of undamaged rows only: a new checksum would make a damaged row look valid.
  ///
  /// - Parameter changes: columns with their new values.
  static func update(_ changes: [(column: String, value: String)], where condition: String)
    -> String
  {
    let all = columns.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    let new = all.map { column in changes.first { $0.column == column }?.value ?? column }
    let list = changes.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")
    return """
      UPDATE captures SET \(list), checksum = row_checksum(\(new.joined(separator: ", ")))
      WHERE \(condition) AND \(isWhole)
      """
  }

  static func bind(
    _ capture: borrowing Capture, key: CaptureKey, device: UniqueID, takenAt: UTC,
    to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(Int64(key.number), at: .key)
    try statement.bind(CaptureState.pending.rawValue, at: .state)
    try statement.bind(takenAt.milliseconds, at: .stateChangedAt)
    try statement.bindNull(at: .code)
    try statement.bind(takenAt.milliseconds, at: .takenAt)
    try statement.bind(capture.utc?.milliseconds, at: .utc)
    try statement.bind(capture.isTimeTrusted ? 1 as Int64 : 0, at: .isTimeTrusted)
    try statement.bind(Int64(capture.position.latitude), at: .latitude)
    try statement.bind(Int64(capture.position.longitude), at: .longitude)
    try statement.bind(capture.altitudeMillimetres.map(Int64.init), at: .altitudeMillimetres)
    try statement.bind(
      capture.speedMillimetresPerSecond.map(Int64.init), at: .speedMillimetresPerSecond)
    try statement.bind(capture.courseMillidegrees.map(Int64.init), at: .courseMillidegrees)
    try statement.bind(capture.accuracyMetres.map(Int64.init), at: .accuracyMetres)
    try statement.bind(capture.satellites.map(Int64.init), at: .satellites)
    try statement.bind(capture.batteryPercent.map(Int64.init), at: .batteryPercent)
    try statement.bind(capture.batteryMillivolts.map(Int64.init), at: .batteryMillivolts)
    try bind(capture.team, at: .team, to: statement)
    try statement.bind("\(capture.trigger.name)", at: .trigger)
    try statement.bind(0 as Int64, at: .attempts)
    try statement.bind(device.text, at: .device)
    try statement.bind(Int64(capture.sequence), at: .sequence)
    try statement.bindNull(at: .globalID)
  }

  /// Copies the current row of another store, with a new key.
  static func copy(
    _ row: borrowing SQLiteStatement, key: Int64, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(key, at: .key)
    for column in CaptureColumn.allCases.dropFirst() {
      try statement.bind(row, column.rawValue, at: column.parameter)
    }
  }

  /// The current row; `nil` when it is damaged.
  static func read(_ row: borrowing SQLiteStatement) -> StoredCapture? {
    guard row.integer(Int32(columnCount)) == 1, let key = UInt32(exactly: row.integer(.key)),
      key > 0,
      let device = UniqueID(text: row.text(.device)),
      let sequence = UInt32(exactly: row.integer(.sequence)), sequence > 0,
      let state = CaptureState(rawValue: row.text(.state)), !row.isNull(.stateChangedAt),
      !row.isNull(.takenAt),
      let latitude = Int32(exactly: row.integer(.latitude)),
      let longitude = Int32(exactly: row.integer(.longitude)),
      let trigger = Trigger(name: Array(row.text(.trigger).utf8).span)
    else { return nil }
    var capture = Capture(
      sequence: sequence,
      utc: row.isNull(.utc) ? nil : UTC(milliseconds: row.integer(.utc)),
      isTimeTrusted: row.integer(.isTimeTrusted) != 0,
      position: Coordinate(latitude: latitude, longitude: longitude),
      team: InlineText(row.bytes(.team).span), trigger: trigger)
    capture.altitudeMillimetres = number(.altitudeMillimetres, row)
    capture.speedMillimetresPerSecond = number(.speedMillimetresPerSecond, row)
    capture.courseMillidegrees = number(.courseMillidegrees, row)
    capture.accuracyMetres = number(.accuracyMetres, row)
    capture.satellites = number(.satellites, row)
    capture.batteryPercent = number(.batteryPercent, row)
    capture.batteryMillivolts = number(.batteryMillivolts, row)
    var id = UniqueID(device: device, sequence: sequence)
    if !row.isNull(.globalID) {
      guard let given = UniqueID(text: row.text(.globalID)) else { return nil }
      id = given
    }
    return StoredCapture(
      key: CaptureKey(key), device: device, capture: capture, id: id,
      takenAt: UTC(milliseconds: row.integer(.takenAt)), state: state,
      stateChangedAt: UTC(milliseconds: row.integer(.stateChangedAt)), code: number(.code, row),
      attempts: number(.attempts, row) ?? 0)
  }

  /// `nil` for null and for a value out of range.
  private static func number<Number: FixedWidthInteger>(
    _ column: CaptureColumn, _ row: borrowing SQLiteStatement
  ) -> Number? {
    row.isNull(column) ? nil : Number(exactly: row.integer(column))
  }

  private static func bind(
    _ team: InlineText<64>, at column: CaptureColumn, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    for index in 0..<team.count { bytes[index] = team[index] }
    let problem = bytes.span.withUnsafeBytes { all -> SQLiteError? in
      do throws(SQLiteError) {
        try statement.bind(
          text: UnsafeRawBufferPointer(rebasing: all[..<team.count]), at: column.parameter)
        return nil
      } catch { return error }
    }
    if let problem { throw problem }
  }
}
