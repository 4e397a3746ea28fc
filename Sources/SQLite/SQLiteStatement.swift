internal import CSQLite

/// A compiled statement. Bind its parameters, step through its rows, and reset it to reuse it.
///
/// Parameters count from 1 and columns from 0, as in SQLite.
public struct SQLiteStatement: ~Copyable {
  private let handle: OpaquePointer
  private let path: String
  private let place: KeptStatement?

  /// - Parameter place: takes it back when it is no longer needed; `nil`: it is finalized then.
  init(handle: OpaquePointer, path: String, keptAt place: KeptStatement? = nil) {
    self.handle = handle
    self.path = path
    self.place = place
  }

  deinit {
    if let place { place.put(handle) } else { sqlite3_finalize(handle) }
  }

  // MARK: Running

  /// Advances to the next row.
  ///
  /// - Returns: whether there is one. After the last row the statement is reset.
  public func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE {
      let problem = error(code)
      sqlite3_reset(handle)
      throw problem
    }
    sqlite3_reset(handle)
    return false
  }

  /// Runs a statement without rows, and resets it.
  ///
  /// - Returns: how many rows it inserted, changed or deleted.
  @discardableResult
  public func run() throws(SQLiteError) -> Int {
    while try step() {}
    return Int(sqlite3_changes64(sqlite3_db_handle(handle)))
  }

  /// Stops reading rows before the end: an unfinished statement prevents checkpoints of the log.
  /// Bound values are kept.
  public func reset() { sqlite3_reset(handle) }

  // MARK: Parameters

  public func bind(_ value: Int64, at place: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, place, value))
  }

  public func bind(_ value: Double, at place: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, place, value))
  }

  public func bindNull(at place: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, place))
  }

  public func bind(_ value: Int64?, at place: Int32) throws(SQLiteError) {
    if let value { try bind(value, at: place) } else { try bindNull(at: place) }
  }

  public func bind(_ value: Double?, at place: Int32) throws(SQLiteError) {
    if let value { try bind(value, at: place) } else { try bindNull(at: place) }
  }

  public func bind(_ text: String, at place: Int32) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 {
      csqlite_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
    }
    try check(code)
  }

  public func bind(_ text: String?, at place: Int32) throws(SQLiteError) {
    if let text { try bind(text, at: place) } else { try bindNull(at: place) }
  }

  /// Binds bytes as text, unchanged, whether they are valid UTF-8 or not.
  public func bind(text bytes: UnsafeRawBufferPointer, at place: Int32) throws(SQLiteError) {
    try check(
      csqlite_bind_text(handle, place, bytes.baseAddress, Int32(clamping: bytes.count)))
  }

  /// Binds bytes as text, unchanged, whether they are valid UTF-8 or not.
  public func bind(text bytes: [UInt8], at place: Int32) throws(SQLiteError) {
    let code = bytes.withUnsafeBytes {
      csqlite_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
    }
    try check(code)
  }

  /// Binds the value of a column of another statement's current row.
  public func bind(
    _ row: borrowing SQLiteStatement, _ column: Int32, at place: Int32
  ) throws(SQLiteError) {
    try check(sqlite3_bind_value(handle, place, sqlite3_column_value(row.handle, column)))
  }

  // MARK: Columns of the current row

  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  public func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Bytes that are not UTF-8 become U+FFFD; null is the empty text.
  public func text(_ column: Int32) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a text or blob; null has none.
  public func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

  /// Passes the bytes of a text or blob to `body` without copying them.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result)
    -> Result
  {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  // MARK: Errors

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw error(code)
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(
      code: code, operation: summary(String(cString: sqlite3_sql(handle))), path: path,
      message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
  }
}
