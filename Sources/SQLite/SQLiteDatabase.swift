internal import CSQLite

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
    // Nobody else can change it, and nothing of it reaches a disk.
    sqlite3_exec(
      opened, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF", nil, nil, nil)
    self.init(opened, path: path)
  }

  /// The bytes of a file with the same content, which needs no write-ahead log.
  public func image() throws(SQLiteError) -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else {
      throw SQLiteError(
        code: SQLITE_NOMEM, operation: "copy", path: path, message: "out of memory")
    }
    defer { sqlite3_free(bytes) }
    // The read and write versions: 2 means a write-ahead log (sqlite.org/fileformat2.html §1.3).
    if size > 19 { (bytes[18], bytes[19]) = (1, 1) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(_ opened: OpaquePointer, path: String) {
    handle = opened
    kept = KeptStatements()
    self.path = path
  }

  /// From now on a statement waits this long for another process's lock.
  public func waitForLocks(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
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
    let place = kept.place(of: sql)
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let statement = if let idle = place.take() { idle } else { try compile(sql, flags: flags) }
    return SQLiteStatement(handle: statement, path: path, keptAt: place)
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

  /// Rewrites the file and empties its write-ahead log: what was deleted is in neither any more.
  public func compact() throws(SQLiteError) {
    try execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
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
    try begin()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction that may write.
  public func begin() throws(SQLiteError) { try prepare("BEGIN IMMEDIATE", isKept: true).run() }

  public func commit() throws(SQLiteError) { try prepare("COMMIT", isKept: true).run() }

  /// Some errors have rolled it back already.
  public func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
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

/// The compiled statements of one connection that are used many times, by their texts.
final class KeptStatements {
  /// A text of a statement. Its length is hash enough for the few there are: to hash a kilobyte
  /// takes as long as many a statement.
  private struct Text: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
  }

  private var places: [Text: KeptStatement] = [:]

  /// Where a statement of this text waits for its next use.
  func place(of sql: String) -> KeptStatement {
    let text = Text(sql: sql)
    if let place = places[text] { return place }
    let place = KeptStatement()
    places[text] = place
    return place
  }

  /// Before the connection is closed. Statements in use are finalized when they come back.
  func close() {
    for place in places.values { place.close() }
    places = [:]
  }
}

/// A compiled statement between two uses.
final class KeptStatement {
  private var idle: OpaquePointer?
  private var isClosed = false

  func take() -> OpaquePointer? {
    defer { idle = nil }
    return idle
  }

  /// Takes a statement back. A second one of the same text, used within the first one's use, is not
  /// needed.
  func put(_ statement: OpaquePointer) {
    sqlite3_reset(statement)
    guard !isClosed, idle == nil else {
      sqlite3_finalize(statement)
      return
    }
    sqlite3_clear_bindings(statement)
    idle = statement
  }

  func close() {
    isClosed = true
    sqlite3_finalize(take())
  }
}

/// The arguments that SQL passes to a custom function. Valid only during the call.
public struct SQLiteArguments {
  public enum Value {
    case null
    case integer(Int64)
    case text(UnsafeRawBufferPointer)
    /// A blob, or a floating-point number as SQLite writes it.
    case other(UnsafeRawBufferPointer)
  }

  private let values: UnsafeMutablePointer<OpaquePointer?>?
  public let count: Int

  fileprivate init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
    self.values = values
    self.count = Int(count)
  }

  /// - Parameter index: 0..<`count`; traps otherwise.
  public subscript(index: Int) -> Value {
    precondition((0..<count).contains(index), "the function has \(count) arguments")
    guard let value = values?[index] else { return .null }
    let type = sqlite3_value_type(value)
    switch type {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    default:
      let start = sqlite3_value_blob(value)
      let bytes = UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
      return type == SQLITE_TEXT ? .text(bytes) : .other(bytes)
    }
  }
}

/// Passes a closure through C.
private final class FunctionBox {
  let body: @Sendable (SQLiteArguments) -> Int64
  init(_ body: @escaping @Sendable (SQLiteArguments) -> Int64) { self.body = body }
}

extension SQLiteDatabase {
  /// Adds a function to the SQL of this connection; it takes any number of arguments. The
  /// corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// SQL in the schema cannot call it, because then other programs could not use the file.
  ///
  /// - Parameter body: must be deterministic.
  public func define(
    _ name: String, _ body: @escaping @Sendable (SQLiteArguments) -> Int64
  ) throws(SQLiteError) {
    // SQLite releases the box with the connection, or if this call fails.
    let box = Unmanaged.passRetained(FunctionBox(body))
    let code = sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, box.toOpaque(),
      { context, count, values in
        guard let box = sqlite3_user_data(context) else { return }
        let function = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue()
        sqlite3_result_int64(context, function.body(SQLiteArguments(values, count: count)))
      }, nil, nil,
      { box in
        if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() }
      })
    try check(code, "define \(name)")
  }
}

/// Passes a closure through C.
private final class WatchBox {
  let mayGoOn: () -> Bool
  init(_ mayGoOn: @escaping () -> Bool) { self.mayGoOn = mayGoOn }
}

extension SQLiteDatabase {
  /// Runs `body`; its statements end with an error of the kind `interrupted` as soon as `mayGoOn`
  /// says no. The corresponding C function is `sqlite3_progress_handler`.
  ///
  /// - Parameter instructions: of SQLite's virtual machine, between two questions.
  public func watched<Result>(
    every instructions: Int32, while mayGoOn: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let box = WatchBox(mayGoOn)
    let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { box in
      guard let box else { return 0 }
      return Unmanaged<WatchBox>.fromOpaque(box).takeUnretainedValue().mayGoOn() ? 0 : 1
    }
    sqlite3_progress_handler(
      handle, instructions, ask, Unmanaged.passUnretained(box).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(box) { try body() }
  }
}
