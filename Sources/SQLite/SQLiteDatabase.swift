internal import CSQLite

/// How a transaction ends, and its result.
public enum TransactionEnding<Result: ~Copyable>: ~Copyable {
  case commit(Result)
  case rollback(Result)
}

/// A connection to one SQLite database. To be used by one thread at a time.
public struct SQLiteDatabase: ~Copyable {
  public enum Access: Sendable, Equatable {
    case readOnly
    case readWrite
    /// Creates the file if it does not exist.
    case create
  }

  /// Before the first connection, once: SQLite reads its settings then.
  private static let settings: Void = csqlite_keep_no_statistics()

  let handle: OpaquePointer
  private let kept: KeptStatements
  /// As passed to `init`; ":memory:" for one in memory.
  public let path: String

  /// Opens a database. SQLite does not read the file before the first statement.
  ///
  /// - Parameters:
  ///   - path: a file, or ":memory:".
  ///   - busyMilliseconds: how long a statement waits for another process's lock.
  public init(
    path: String, access: Access = .create, busyMilliseconds: Int32 = 2000
  ) throws(SQLiteError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch access {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    _ = Self.settings
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = String(cString: sqlite3_errstr(code))
      // SQLite gives a handle for most failures; it must be closed too.
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, operation: "open", path: path, message: message)
    }
    sqlite3_busy_timeout(opened, busyMilliseconds)
    self.init(opened, path: path)
  }

  /// A private copy in memory of a database file's bytes.
  ///
  /// - Parameters:
  ///   - image: a complete file that needs no write-ahead log.
  ///   - path: the path for errors.
  public init(image: [UInt8], path: String) throws(SQLiteError) {
    _ = Self.settings
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var code = sqlite3_open_v2(":memory:", &opened, flags, nil)
    let buffer = sqlite3_malloc64(sqlite3_uint64(max(1, image.count)))
    if code == SQLITE_OK, let buffer {
      image.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { buffer.copyMemory(from: start, byteCount: bytes.count) }
      }
      // SQLite frees the buffer, whether it takes it or not.
      code = sqlite3_deserialize(
        opened, "main", buffer.assumingMemoryBound(to: UInt8.self), Int64(image.count),
        Int64(image.count),
        UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    } else {
      sqlite3_free(buffer)
      if code == SQLITE_OK { code = SQLITE_NOMEM }
    }
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteError(
        code: code, operation: "read", path: path, message: String(cString: sqlite3_errstr(code)))
    }
    self.init(opened, path: path)
  }

  // Apart, because Swift 6.2 destroys twice what has a value before an error is thrown.
  private init(_ opened: OpaquePointer, path: String) {
    handle = opened
    kept = KeptStatements()
    self.path = path
  }

  // Statements may outlive this value: the connection closes with the last of them.
  deinit {
    kept.close()
    sqlite3_close_v2(handle)
  }

  /// Compiles one statement.
  ///
  /// - Parameter isKept: whether it will be used many times. Then SQLite allocates it accordingly,
  ///   and when this one is no longer needed the connection keeps it for the next call with the
  ///   same text. Not for texts with values in them: each would be kept.
  public func prepare(_ sql: String, isKept: Bool = false) throws(SQLiteError) -> SQLiteStatement {
    guard isKept else { return SQLiteStatement(handle: try compile(sql, flags: 0), path: path) }
    let idle = kept.take(sql)
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let statement = if let idle { idle } else { try compile(sql, flags: flags) }
    return SQLiteStatement(handle: statement, path: path, keptBy: kept, as: sql)
  }

  private func compile(_ sql: String, flags: UInt32) throws(SQLiteError) -> OpaquePointer {
    var compiled: OpaquePointer?
    var other: OpaquePointer?
    let code = sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(handle, text, -1, flags, &compiled, &rest)
      guard code == SQLITE_OK, let rest, rest.pointee != 0 else { return code }
      // Whitespace and comments may follow; another statement would never run.
      return sqlite3_prepare_v3(handle, rest, -1, 0, &other, nil)
    }
    defer { sqlite3_finalize(other) }
    guard code == SQLITE_OK, other == nil, let statement = compiled else {
      defer { sqlite3_finalize(compiled) }
      try check(code, sql)
      throw SQLiteError(
        code: SQLITE_MISUSE, operation: summary(sql), path: path,
        message: other == nil ? "no statement in it" : "more than one statement in it")
    }
    return statement
  }

  /// Runs statements, separated by semicolons, and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// The first column of the first row of a query; `nil` when there is no row or it is null.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  /// The first column of the first row of a query; `nil` when there is no row or it is null.
  public func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  /// Runs `body` in a transaction, which is rolled back if it throws.
  public func transaction<Result: ~Copyable>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try decidingTransaction { () throws(SQLiteError) in .commit(try body()) }
  }

  /// The same for a body that decides whether to commit, and has a result either way.
  public func decidingTransaction<Result: ~Copyable>(
    _ body: () throws(SQLiteError) -> TransactionEnding<Result>
  ) throws(SQLiteError) -> Result {
    try prepare("BEGIN IMMEDIATE", isKept: true).run()
    do {
      switch try body() {
      case .commit(let result):
        try prepare("COMMIT", isKept: true).run()
        return result
      case .rollback(let result):
        try execute("ROLLBACK")
        return result
      }
    } catch {
      // Some errors have already rolled it back.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The same within a transaction that may have begun already: only the changes of `body` are
  /// rolled back.
  public func savepoint<Result: ~Copyable>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("SAVEPOINT part")
    do {
      let result = try body()
      try execute("RELEASE part")
      return result
    } catch {
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK TO part; RELEASE part") }
      throw error
    }
  }

  /// The key of the last row inserted on this connection.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Keeps the write-ahead log when the database is closed, for analysis.
  public func keepLogOnClose() throws(SQLiteError) {
    try check(csqlite_keep_log_on_close(handle), "keep the log")
  }

  /// Turns any code but success into an error with operation and path.
  func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(
      code: code, operation: summary(operation()), path: path,
      message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// The first words of a statement, for error messages.
func summary(_ sql: String) -> String {
  let words = sql.split(whereSeparator: \.isWhitespace).prefix(4).joined(separator: " ")
  return String(words.prefix(60))
}
