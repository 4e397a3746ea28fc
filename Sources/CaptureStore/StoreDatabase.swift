internal import SQLite

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
