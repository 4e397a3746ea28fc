internal import SQLite
internal import TrackerCore

/// The row of the table `battery`: the charge as it was last estimated.
///
/// A second store does not take it over, and nothing of it is salvaged: the first measurement
/// replaces it.
enum ChargeRow {
  private static let columns = """
    id, chargeMillionths, deviationMillionths, drainMillionths, drainDeviationMillionths,
    time, isTimeTrusted, boot, sinceBootMilliseconds
    """
  private static let columnCount = 9
  private static let insertion = """
    INSERT OR REPLACE INTO battery (\(columns), checksum)
    VALUES (\(CheckedRow.values(columnCount)))
    """

  static func write(
    _ charge: ChargeRecord?, _ time: MachineTime, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let charge else { return try database.execute("DELETE FROM battery") }
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(1 as Int64, at: 1)
    try row.bind(Int64(charge.charge), at: 2)
    try row.bind(Int64(charge.deviation), at: 3)
    try row.bind(Int64(charge.drain), at: 4)
    try row.bind(Int64(charge.drainDeviation), at: 5)
    try time.kept(charge.at).bind(to: row, at: 6)
    try row.run()
  }

  /// - Returns: `nil` also for a damaged row.
  static func read(
    _ database: borrowing SQLiteDatabase, _ time: MachineTime
  ) throws(SQLiteError) -> ChargeRecord? {
    let row = try database.prepare(
      "SELECT \(columns) FROM battery WHERE \(CheckedRow.isWhole(columns))")
    guard try row.step(), let moment = StoredMoment.read(row, from: 5) else { return nil }
    return ChargeRecord(
      charge: Int32(clamping: row.integer(1)), deviation: Int32(clamping: row.integer(2)),
      drain: Int32(clamping: row.integer(3)), drainDeviation: Int32(clamping: row.integer(4)),
      at: time.moment(moment))
  }
}
