internal import SQLite
internal import TrackerCore

/// The columns of the table `captures`.
enum CaptureColumn: Int32, StoreColumn {
  case key, state, stateChangedAt, code, takenAt, utc, isTimeTrusted, latitude, longitude
  case altitudeMillimetres, speedMillimetresPerSecond, courseMillidegrees, accuracyMetres
  case satellites, batteryPercent, batteryMillivolts, team, trigger, attempts, device, sequence
  case globalID

  static let table = "captures"
  /// `trigger` is a keyword of SQL.
  var name: String { self == .trigger ? "\"trigger\"" : "\(self)" }
}

/// Converts between captures and rows of the table `captures`.
enum CaptureRow {
  typealias Column = CaptureColumn

  /// The query for rows that `read` can read; its last column says whether the row is undamaged.
  static let query = "SELECT \(Column.list), \(Column.isWhole) FROM captures"

  /// Stands for a coordinate where there is no position, as the columns take no NULL.
  private static let noDegrees = Int64(Int32.max)

  static func bind(
    _ capture: borrowing Capture, key: CaptureKey, device: UniqueID, takenAt: UTC,
    state: CaptureState = .pending, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(Int64(key.number), at: Column.key)
    try statement.bind(state.rawValue, at: Column.state)
    try statement.bind(takenAt.milliseconds, at: Column.stateChangedAt)
    try statement.bindNull(at: Column.code)
    try statement.bind(takenAt.milliseconds, at: Column.takenAt)
    try statement.bind(capture.utc?.milliseconds, at: Column.utc)
    try statement.bind(capture.isTimeTrusted ? 1 as Int64 : 0, at: Column.isTimeTrusted)
    let position = capture.position
    try statement.bind(position.map { Int64($0.latitude) } ?? noDegrees, at: Column.latitude)
    try statement.bind(position.map { Int64($0.longitude) } ?? noDegrees, at: Column.longitude)
    try statement.bind(capture.altitudeMillimetres.map(Int64.init), at: Column.altitudeMillimetres)
    try statement.bind(
      capture.speedMillimetresPerSecond.map(Int64.init), at: Column.speedMillimetresPerSecond)
    try statement.bind(capture.courseMillidegrees.map(Int64.init), at: Column.courseMillidegrees)
    try statement.bind(capture.accuracyMetres.map(Int64.init), at: Column.accuracyMetres)
    try statement.bind(capture.satellites.map(Int64.init), at: Column.satellites)
    try statement.bind(capture.batteryPercent.map(Int64.init), at: Column.batteryPercent)
    try statement.bind(capture.batteryMillivolts.map(Int64.init), at: Column.batteryMillivolts)
    try bind(capture.team, at: Column.team, to: statement)
    try statement.bind("\(capture.trigger.name)", at: Column.trigger)
    try statement.bind(0 as Int64, at: Column.attempts)
    try statement.bind(device.text, at: Column.device)
    try statement.bind(Int64(capture.sequence), at: Column.sequence)
    try statement.bindNull(at: Column.globalID)
  }

  /// Copies the current row of another store, with a new key.
  static func copy(
    _ row: borrowing SQLiteStatement, key: Int64, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(key, at: Column.key)
    for column in Column.allCases.dropFirst() {
      try statement.bind(row, column.rawValue, at: column.parameter)
    }
  }

  /// The current row; `nil` when it is damaged.
  static func read(_ row: borrowing SQLiteStatement) -> StoredCapture? {
    guard row.integer(Int32(Column.count)) == 1, let key = UInt32(exactly: row.integer(Column.key)),
      key > 0,
      let device = UniqueID(text: row.text(Column.device)),
      let sequence = UInt32(exactly: row.integer(Column.sequence)), sequence > 0,
      let state = CaptureState(rawValue: row.text(Column.state)),
      !row.isNull(Column.stateChangedAt),
      !row.isNull(Column.takenAt),
      let latitude = Int32(exactly: row.integer(Column.latitude)),
      let longitude = Int32(exactly: row.integer(Column.longitude)),
      let trigger = Trigger(name: Array(row.text(Column.trigger).utf8).span)
    else { return nil }
    var capture = Capture(
      sequence: sequence,
      utc: row.isNull(Column.utc) ? nil : UTC(milliseconds: row.integer(Column.utc)),
      isTimeTrusted: row.integer(Column.isTimeTrusted) != 0,
      position: latitude == Int32(noDegrees)
        ? nil : Coordinate(latitude: latitude, longitude: longitude),
      team: InlineText(row.bytes(Column.team).span), trigger: trigger)
    capture.altitudeMillimetres = row.number(Column.altitudeMillimetres)
    capture.speedMillimetresPerSecond = row.number(Column.speedMillimetresPerSecond)
    capture.courseMillidegrees = row.number(Column.courseMillidegrees)
    capture.accuracyMetres = row.number(Column.accuracyMetres)
    capture.satellites = row.number(Column.satellites)
    capture.batteryPercent = row.number(Column.batteryPercent)
    capture.batteryMillivolts = row.number(Column.batteryMillivolts)
    var id = UniqueID(device: device, sequence: sequence)
    if !row.isNull(Column.globalID) {
      guard let given = UniqueID(text: row.text(Column.globalID)) else { return nil }
      id = given
    }
    return StoredCapture(
      key: CaptureKey(key), device: device, capture: capture, id: id,
      takenAt: UTC(milliseconds: row.integer(Column.takenAt)), state: state,
      stateChangedAt: UTC(milliseconds: row.integer(Column.stateChangedAt)),
      code: row.number(Column.code),
      attempts: row.number(Column.attempts) ?? 0)
  }

  private static func bind(
    _ team: InlineText<64>, at column: Column, to statement: borrowing SQLiteStatement
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
