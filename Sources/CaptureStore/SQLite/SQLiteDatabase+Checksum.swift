internal import CSQLite

extension SQLiteDatabase {
  /// Makes the SQL function `row_checksum(…)` of this connection: a `RowChecksum` over the values
  /// that it is given. No schema may mention it, or other programs could not open the file.
  static func defineChecksum(_ handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle, "row_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        var checksum = RowChecksum()
        for index in 0..<Int(count) {
          guard let value = values?[index] else { continue }
          switch sqlite3_value_type(value) {
          case SQLITE_NULL: checksum.addNull()
          case SQLITE_INTEGER: checksum.add(sqlite3_value_int64(value))
          case let type:
            let start = sqlite3_value_blob(value)
            let bytes = UnsafeRawBufferPointer(
              start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
            if type == SQLITE_TEXT { checksum.add(text: bytes) } else { checksum.add(other: bytes) }
          }
        }
        sqlite3_result_int64(context, checksum.value)
      }, nil, nil, nil)
  }
}
