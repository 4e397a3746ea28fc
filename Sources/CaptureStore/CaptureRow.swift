internal import SQLite
internal import TrackerCore

/// Converts between captures and rows of the table `captures`. Only this file knows the column
/// order.
enum CaptureRow {
  static let columns = """
    key, state, stateChangedAt, code, takenAt, utc, isTimeTrusted, latitude, longitude, \
    altitudeMillimetres, speedMillimetresPerSecond, courseMillidegrees, accuracyMetres, \
    satellites, batteryPercent, batteryMillivolts, team, "trigger", attempts, device, sequence, \
    globalID
    """

  static let columnCount = 22

  /// The values of a row whose columns are the parameters from 1 on.
  static let values = CheckedRow.values(columnCount)

  /// Whether a row's checksum agrees.
  static let isWhole = CheckedRow.isWhole(columns)

  static let insert = "INSERT INTO captures (\(columns), checksum) VALUES (\(values))"

  /// The query for rows that `read` can read; its last column tells whether the row is undamaged.
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
    try statement.bind(Int64(key.number), at: 1)
    try statement.bind(CaptureState.pending.rawValue, at: 2)
    try statement.bind(takenAt.milliseconds, at: 3)
    try statement.bindNull(at: 4)
    try statement.bind(takenAt.milliseconds, at: 5)
    try statement.bind(capture.utc?.milliseconds, at: 6)
    try statement.bind(capture.isTimeTrusted ? 1 as Int64 : 0, at: 7)
    try statement.bind(Int64(capture.position.latitude), at: 8)
    try statement.bind(Int64(capture.position.longitude), at: 9)
    try statement.bind(capture.altitudeMillimetres.map(Int64.init), at: 10)
    try statement.bind(capture.speedMillimetresPerSecond.map(Int64.init), at: 11)
    try statement.bind(capture.courseMillidegrees.map(Int64.init), at: 12)
    try statement.bind(capture.accuracyMetres.map(Int64.init), at: 13)
    try statement.bind(capture.satellites.map(Int64.init), at: 14)
    try statement.bind(capture.batteryPercent.map(Int64.init), at: 15)
    try statement.bind(capture.batteryMillivolts.map(Int64.init), at: 16)
    try bind(capture.team, at: 17, to: statement)
    try statement.bind("\(capture.trigger.name)", at: 18)
    try statement.bind(0 as Int64, at: 19)
    try statement.bind(device.text, at: 20)
    try statement.bind(Int64(capture.sequence), at: 21)
    try statement.bindNull(at: 22)
  }

  /// Copies the current row of another store, with a new key.
  static func copy(
    _ row: borrowing SQLiteStatement, key: Int64, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(key, at: 1)
    for column in 1..<Int32(columnCount) { try statement.bind(row, column, at: column + 1) }
  }

  /// The current row; `nil` when it is damaged.
  static func read(_ row: borrowing SQLiteStatement) -> StoredCapture? {
    guard row.integer(Int32(columnCount)) == 1, let key = UInt32(exactly: row.integer(0)), key > 0,
      let device = UniqueID(text: row.text(19)),
      let sequence = UInt32(exactly: row.integer(20)), sequence > 0,
      let state = CaptureState(rawValue: row.text(1)), !row.isNull(2), !row.isNull(4),
      let latitude = Int32(exactly: row.integer(7)),
      let longitude = Int32(exactly: row.integer(8)),
      let trigger = Trigger(name: Array(row.text(17).utf8).span)
    else { return nil }
    var capture = Capture(
      sequence: sequence,
      utc: row.isNull(5) ? nil : UTC(milliseconds: row.integer(5)),
      isTimeTrusted: row.integer(6) != 0,
      position: Coordinate(latitude: latitude, longitude: longitude),
      team: InlineText(row.bytes(16).span), trigger: trigger)
    capture.altitudeMillimetres = number(9, row)
    capture.speedMillimetresPerSecond = number(10, row)
    capture.courseMillidegrees = number(11, row)
    capture.accuracyMetres = number(12, row)
    capture.satellites = number(13, row)
    capture.batteryPercent = number(14, row)
    capture.batteryMillivolts = number(15, row)
    var id = UniqueID(device: device, sequence: sequence)
    if !row.isNull(21) {
      guard let given = UniqueID(text: row.text(21)) else { return nil }
      id = given
    }
    return StoredCapture(
      key: CaptureKey(key), device: device, capture: capture, id: id,
      takenAt: UTC(milliseconds: row.integer(4)), state: state,
      stateChangedAt: UTC(milliseconds: row.integer(2)), code: number(3, row),
      attempts: number(18, row) ?? 0)
  }

  /// `nil` for null and for a value out of range.
  private static func number<Number: FixedWidthInteger>(
    _ column: Int32, _ row: borrowing SQLiteStatement
  ) -> Number? {
    row.isNull(column) ? nil : Number(exactly: row.integer(column))
  }

  private static func bind(
    _ team: InlineText<64>, at place: Int32, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    for index in 0..<team.count { bytes[index] = team[index] }
    let problem = bytes.span.withUnsafeBytes { all -> SQLiteError? in
      do throws(SQLiteError) {
        try statement.bind(text: UnsafeRawBufferPointer(rebasing: all[..<team.count]), at: place)
        return nil
      } catch { return error }
    }
    if let problem { throw problem }
  }
}
