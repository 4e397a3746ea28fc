internal import SQLite
public import TrackerCore

/// A person's order to use another value than the configuration file's for one setting.
public struct SettingOrder: Sendable, Equatable {
  /// The setting's place in the file: `capture.interval`.
  public var path: String
  /// As written in a file.
  public var value: String
  public var who: String
  public var given: Moment
  /// The number of the session that it is for.
  public var session: UInt32
  /// The file's value when it was given; empty: none.
  public var configured: String

  public init(
    path: String, value: String, who: String, given: Moment, session: UInt32, configured: String
  ) {
    self.path = path
    self.value = value
    self.who = who
    self.given = given
    self.session = session
    self.configured = configured
  }
}

extension CaptureStore {
  /// Writes the orders about settings that are in force to disk in one transaction, durably.
  ///
  /// - Parameter orders: in the order in which they were given, at most one for each path.
  public func remember(_ orders: [SettingOrder], at time: MachineTime) throws(StoreError) {
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        try database.execute("DELETE FROM settingOrders")
        for (index, order) in orders.enumerated() {
          try SettingOrderRow.insert(order, number: Int64(index + 1), time, into: database)
        }
      }
    }
  }

  /// The orders about settings in the order in which they were given. Damaged rows are left out:
  /// there the file's value applies.
  public func settingOrders(at time: MachineTime) throws(StoreError) -> [SettingOrder] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT \(SettingOrderRow.columns) FROM settingOrders
        WHERE \(CheckedRow.isWhole(SettingOrderRow.columns)) ORDER BY number
        """)
      var orders: [SettingOrder] = []
      while try rows.step() {
        guard let order = SettingOrderRow.read(rows, time) else { continue }
        // A salvaged file may have earlier ones, too.
        orders.removeAll { $0.path == order.path }
        orders.append(order)
      }
      return orders
    }
  }
}

/// One row of the table `settingOrders`. Only this type knows the column order.
enum SettingOrderRow {
  static let columns = """
    number, path, value, who, time, isTimeTrusted, boot, sinceBootMilliseconds, session, configured
    """
  static let columnCount = 10
  private static let insertion = """
    INSERT INTO settingOrders (\(columns), checksum) VALUES (\(CheckedRow.values(columnCount)))
    """

  static func insert(
    _ order: SettingOrder, number: Int64, _ time: MachineTime,
    into database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(number, at: 1)
    try row.bind(order.path, at: 2)
    try row.bind(order.value, at: 3)
    try row.bind(order.who, at: 4)
    try time.kept(order.given).bind(to: row, at: 5)
    try row.bind(Int64(order.session), at: 9)
    try row.bind(order.configured, at: 10)
    try row.run()
  }

  /// The current row; `nil` when a value is impossible.
  static func read(_ row: borrowing SQLiteStatement, _ time: MachineTime) -> SettingOrder? {
    guard let given = StoredMoment.read(row, from: 4), let session = UInt32(exactly: row.integer(8))
    else { return nil }
    return SettingOrder(
      path: row.text(1), value: row.text(2), who: row.text(3), given: time.moment(given),
      session: session, configured: row.text(9))
  }
}
