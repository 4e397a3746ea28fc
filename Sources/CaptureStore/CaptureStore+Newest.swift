internal import SQLite

extension CaptureStore {
  /// The newest captures, oldest of them first.
  ///
  /// - Parameter states: only those; empty: all.
  public func newest(
    _ limit: UInt32, _ states: [CaptureState] = []
  ) throws(StoreError) -> [StoredCapture] {
    let rows = try reading { (damaged: inout SetAsideRows) throws(SQLiteError) in
      let wanted = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      let condition = states.isEmpty ? "" : "WHERE state IN (\(wanted))"
      let query = try database.prepare(
        "\(CaptureRow.query) \(condition) ORDER BY key DESC LIMIT ?1")
      return try read(query, limit: limit, &damaged)
    }
    return rows.reversed()
  }
}
