internal import CSQLite

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
