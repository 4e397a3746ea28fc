internal import SQLite
internal import TrackerCore

/// The device that captures into this store, its board, and which numbers may have been given. One
/// row of the table `identities`; the one with the highest number is the current one.
struct DeviceIdentity: Sendable, Equatable {
  /// Counts from 1, in the order in which devices began to use the store.
  var number: Int64 = 1
  var device: UniqueID
  var madeAt: UTC
  /// No sequence number below this is given any more.
  var firstSequence: UInt32 = 1
  /// Every sequence number that was ever given is below this.
  var reservedBelow: UInt32 = 1
  /// The board that it was last used on; empty if unknown.
  var board = BoardSerials()

  private static let columns =
    "number, device, madeAt, firstSequence, reservedBelow, \(BoardSerials.columns)"
  private static let columnCount: Int32 = 8

  /// All identities of a store, the oldest first, except unreadable ones.
  static func all(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> [DeviceIdentity] {
    let row = try database.prepare(
      """
      SELECT \(columns), \(CheckedRow.isWhole(columns)) FROM identities ORDER BY number
      """)
    var identities: [DeviceIdentity] = []
    while try row.step() { if let identity = DeviceIdentity(row) { identities.append(identity) } }
    return identities
  }

  /// The current identity.
  static func read(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> DeviceIdentity? {
    try all(database).last
  }

  private init?(_ row: borrowing SQLiteStatement) {
    guard row.integer(Self.columnCount) == 1, let device = UniqueID(text: row.text(1)),
      let first = UInt32(exactly: row.integer(3)), let reserved = UInt32(exactly: row.integer(4)),
      first > 0
    else { return nil }
    self.init(
      device: device, madeAt: UTC(milliseconds: row.integer(2)), firstSequence: first,
      reservedBelow: reserved)
    number = row.integer(0)
    board = BoardSerials(row, from: 5)
  }

  init(device: UniqueID, madeAt: UTC, firstSequence: UInt32 = 1, reservedBelow: UInt32 = 1) {
    self.device = device
    self.madeAt = madeAt
    self.firstSequence = firstSequence
    self.reservedBelow = reservedBelow
  }

  /// Writes the row, replacing one with the same number.
  func write(to database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let row = try database.prepare(
      """
      INSERT OR REPLACE INTO identities (\(Self.columns), checksum)
      VALUES (\(CheckedRow.values(Int(Self.columnCount))))
      """)
    try row.bind(number, at: 1)
    try row.bind(device.text, at: 2)
    try row.bind(madeAt.milliseconds, at: 3)
    try row.bind(Int64(firstSequence), at: 4)
    try row.bind(Int64(reservedBelow), at: 5)
    try board.bind(to: row, from: 6)
    try row.run()
  }

  /// How many sequence numbers are missing between those of the device's captures.
  func missing(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int {
    let rows = try database.prepare(
      "SELECT count(*), min(sequence), max(sequence) FROM captures WHERE device = ?")
    try rows.bind(device.text, at: 1)
    defer { rows.reset() }
    guard try rows.step(), rows.integer(0) > 0 else { return 0 }
    return Int(rows.integer(2) - rows.integer(1) + 1 - rows.integer(0))
  }

  /// The number of the device's next capture.
  func nextSequence(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> UInt32 {
    max(firstSequence, UInt32(clamping: try lastSequence(database) &+ 1))
  }

  /// The highest sequence number of the device's captures still in the store; 0: none.
  func lastSequence(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int64 {
    let last = try database.prepare("SELECT max(sequence) FROM captures WHERE device = ?")
    try last.bind(device.text, at: 1)
    defer { last.reset() }
    return try last.step() ? last.integer(0) : 0
  }
}
