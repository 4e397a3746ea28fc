internal import SQLite
import Synchronization

/// The columns of a table in their order in a row, without the checksum of the others, which is the
/// last column.
protocol StoreColumn: CaseIterable, RawRepresentable, Sendable where RawValue == Int32 {
  static var table: String { get }
  /// In SQL.
  var name: String { get }
}

extension StoreColumn {
  var name: String { "\(self)" }
  /// Its index in a row's values, from 0.
  var index: Int { Int(rawValue) }
  /// Its parameter where a row's columns are the parameters from 1 on.
  var parameter: Int32 { rawValue + 1 }

  static var names: [String] { ColumnNames.of(Self.self).names }
  static var list: String { ColumnNames.of(Self.self).list }
  static var count: Int { allCases.count }
  /// The values of a row whose columns are the parameters from 1 on.
  static var values: String { CheckedRow.values(count) }
  /// Whether a row's checksum agrees.
  static var isWhole: String { CheckedRow.isWhole(list) }
  static var insert: String { "INSERT INTO \(table) (\(list), checksum) VALUES (\(values))" }
  static var replace: String {
    "INSERT OR REPLACE INTO \(table) (\(list), checksum) VALUES (\(values))"
  }
  /// An update of undamaged rows only: a new checksum would make a damaged row look valid.
  ///
  /// - Parameter changes: columns with their new values.
  static func update(
    _ changes: [(column: String, value: String)], where condition: String
  ) -> String {
    let list = changes.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")
    let new = names.map { name in changes.first { $0.column == name }?.value ?? name }
    return """
      UPDATE \(table) SET \(list), checksum = row_checksum(\(new.joined(separator: ", ")))
      WHERE \(condition) AND \(isWhole)
      """
  }

  /// All whole rows.
  static var query: String { "SELECT \(list) FROM \(table) WHERE \(isWhole)" }
}

/// The names of a table's columns. Each contact needs those of several tables, and Swift looks up
/// what a case is called at run time.
private struct ColumnNames {
  let names: [String]
  let list: String

  private static let known = Mutex<[ObjectIdentifier: ColumnNames]>([:])

  static func of<Column: StoreColumn>(_ column: Column.Type) -> ColumnNames {
    known.withLock { known in
      if let names = known[ObjectIdentifier(column)] { return names }
      let names = Column.allCases.map(\.name)
      let new = ColumnNames(names: names, list: names.joined(separator: ", "))
      known[ObjectIdentifier(column)] = new
      return new
    }
  }
}

/// SQL for rows with a checksum as their last column.
enum CheckedRow {
  /// The values of a row whose columns are the parameters from 1 on.
  static func values(_ count: Int) -> String {
    let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
    return "\(places), row_checksum(\(places))"
  }

  /// Whether a row's checksum agrees.
  static func isWhole(_ columns: String) -> String { "checksum = row_checksum(\(columns))" }
}

extension SQLiteStatement {
  func isNull(_ column: some StoreColumn) -> Bool { isNull(column.rawValue) }
  func integer(_ column: some StoreColumn) -> Int64 { integer(column.rawValue) }
  func text(_ column: some StoreColumn) -> String { text(column.rawValue) }
  func bytes(_ column: some StoreColumn) -> [UInt8] { bytes(column.rawValue) }
  /// `nil` for null and for a value out of range.
  func number<Number: FixedWidthInteger>(_ column: some StoreColumn) -> Number? {
    isNull(column) ? nil : Number(exactly: integer(column))
  }

  func bind(_ value: Int64?, at column: some StoreColumn) throws(SQLiteError) {
    try bind(value, at: column.parameter)
  }
  func bind(_ value: Bool, at column: some StoreColumn) throws(SQLiteError) {
    try bind(value ? 1 as Int64 : 0, at: column.parameter)
  }
  func bind(_ text: String?, at column: some StoreColumn) throws(SQLiteError) {
    try bind(text, at: column.parameter)
  }
  func bind(text bytes: [UInt8], at column: some StoreColumn) throws(SQLiteError) {
    try bind(text: bytes, at: column.parameter)
  }
  func bindNull(at column: some StoreColumn) throws(SQLiteError) {
    try bindNull(at: column.parameter)
  }
}

/// A 64-bit checksum of a row, over the type and content of each value in order.
///
/// Each step is a bijection of the sum for any word, and of the word for any sum (the finaliser of
/// MurmurHash3, Appleby 2011): rows that differ in one word never have the same checksum; others
/// have it with a probability of 2^-64.
struct RowChecksum: Equatable {
  private var sum: UInt64 = 0x5452_4B52_0000_0001

  /// The type of a value.
  enum Kind: UInt64 {
    case null = 1
    case integer
    case text
    case other
  }

  var value: Int64 { Int64(bitPattern: sum) }

  private mutating func add(_ word: UInt64) {
    var mixed = sum ^ word
    mixed ^= mixed >> 33
    mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
    mixed ^= mixed >> 33
    mixed = mixed &* 0xC4CE_B9FE_1A85_EC53
    sum = mixed ^ mixed >> 33
  }

  mutating func addNull() { add(Kind.null.rawValue) }

  mutating func add(_ number: Int64) {
    add(Kind.integer.rawValue)
    add(UInt64(bitPattern: number))
  }

  mutating func add(text bytes: UnsafeRawBufferPointer) {
    add(bytes, .text)
  }

  /// Blobs, which our tables do not use.
  mutating func add(other bytes: UnsafeRawBufferPointer) {
    add(bytes, .other)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) {
    add(kind.rawValue | UInt64(bytes.count) << 8)
    var place = 0
    while place + 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place += 1
    }
    add(rest)
  }
}

// Connections to a store, with the SQL function `row_checksum(…)`: a `RowChecksum` over its
// arguments.
extension SQLiteDatabase {
  static func store(
    path: String, access: Access = .create
  ) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path, access: access)
    try database.define("row_checksum", RowChecksum.value(over:))
    return database
  }

  /// Deletes what is remembered in a table.
  func empty(_ table: String) throws(SQLiteError) {
    try prepare("DELETE FROM \(table)", isKept: true).run()
  }

  /// A private copy in memory of a database file's bytes.
  static func store(image: [UInt8], path: String) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(image: image, path: path)
    try database.define("row_checksum", RowChecksum.value(over:))
    return database
  }
}

extension RowChecksum {
  @Sendable fileprivate static func value(over values: SQLiteArguments) -> Int64 {
    var checksum = RowChecksum()
    for index in 0..<values.count {
      switch values[index] {
      case .null: checksum.addNull()
      case .integer(let number): checksum.add(number)
      case .text(let bytes): checksum.add(text: bytes)
      case .other(let bytes): checksum.add(other: bytes)
      }
    }
    return checksum.value
  }
}

// Errors detected by the store itself.
extension SQLiteError {
  static func noRandomBytes(_ path: String) -> SQLiteError {
    SQLiteError(
      .inputOutput, operation: "make a device identifier", path: path,
      message: "cannot read /dev/urandom")
  }

  /// File systems without shared memory do not support a write-ahead log.
  static func noLog(_ path: String) -> SQLiteError {
    SQLiteError(
      .cannotOpen, operation: "PRAGMA journal_mode = WAL", path: path,
      message: "no write-ahead log on this file system")
  }
}

/// Rows whose checksum does not agree: as it is unknown which of their values are wrong, none is
/// used. They are moved to the table `damaged`, as text, for people to read.
enum DamagedRows {
  /// Moves damaged captures found while the store is in use.
  ///
  /// - Parameters:
  ///   - present: the current identity; its numbers continue above all that were given.
  ///   - next: the next sequence number.
  /// - Returns: how many there were.
  static func setAside(
    _ keys: [Int64], in database: borrowing SQLiteDatabase, _ present: inout DeviceIdentity,
    next: UInt32
  ) throws(SQLiteError) -> Int {
    var identity = present
    identity.firstSequence = max(identity.firstSequence, next)
    let count = try database.savepoint { () throws(SQLiteError) -> Int in
      var count = 0
      for key in keys {
        count += try move(CaptureColumn.self, "key = \(key)", database)
      }
      try goOnAbove(database)
      // For the current device all given numbers are known.
      try identity.write(to: database)
      return count
    }
    present = identity
    return count
  }

  /// Checks all captures, orders and sessions.
  ///
  /// - Returns: how many there were.
  static func setAsideAll(in database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int {
    var count = 0
    let tables: [any StoreColumn.Type] = [
      CaptureColumn.self, OrderRow.Column.self, SessionRow.Column.self,
      SettingOrderRow.Column.self,
    ]
    for columns in tables {
      let table = columns.table
      let condition = "NOT (\(columns.isWhole))"
      let first = try database.integer("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1")
      guard first != nil else { continue }
      count += try database.transaction { () throws(SQLiteError) -> Int in
        let moved = try move(columns, condition, database)
        if table == "captures" { try goOnAbove(database) }
        // The damaged one may have been the last: earlier ones must not take its place.
        if table == "sessions" { try database.execute("DELETE FROM sessions") }
        return moved
      }
    }
    return count
  }

  /// The last key that was given, including to captures now in `damaged`; 0: none. A key far above
  /// the others is itself damaged.
  static func lastKey(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Int64 {
    let last = try database.integer("SELECT max(key) FROM captures") ?? 0
    let damaged = try database.integer(
      """
      SELECT max(key) FROM (
        SELECT CAST(substr(row, \(captures.utf8.count + 1)) AS INTEGER) AS key FROM damaged
        WHERE substr(row, 1, \(captures.utf8.count)) = '\(captures)')
      WHERE key <= \(last &+ Int64(StoreBounds.reservation))
      """)
    return max(last, damaged ?? 0)
  }

  /// The prefix of a damaged capture's text; its key follows.
  private static let captures = "captures: "

  /// A damaged capture may have been the last: its number must not be reused.
  private static func goOnAbove(_ database: borrowing SQLiteDatabase) throws(SQLiteError) {
    for var identity in try DeviceIdentity.all(database) {
      identity.firstSequence = max(identity.firstSequence, identity.reservedBelow)
      try identity.write(to: database)
    }
  }

  private static func move(
    _ columns: any StoreColumn.Type, _ condition: String, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    let table = columns.table
    let text = columns.names.map { "quote(\($0))" }
    try database.execute(
      """
      INSERT INTO damaged
      SELECT strftime('%Y-%m-%d %H:%M:%S', 'now'), '\(table): ' || \(
        text.joined(separator: " || ', ' || "))
      FROM \(table) WHERE \(condition)
      """)
    let rows = try database.prepare("DELETE FROM \(table) WHERE \(condition)")
    return try rows.run()
  }
}
