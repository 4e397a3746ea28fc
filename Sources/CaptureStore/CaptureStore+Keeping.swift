internal import SQLite
public import TrackerCore

// What a person reads, and what is kept how long.
extension CaptureStore {
  /// Captures in order of storing, for a person or an export to page through.
  ///
  /// - Parameters:
  ///   - after: the last one of the page before; `none` begins.
  ///   - limit: at most that many.
  ///   - state: only those; `nil`: all.
  public func page(
    after: CaptureKey = .none, limit: UInt32, state: CaptureState? = nil
  ) throws(StoreError) -> [StoredCapture] {
    try stating { () throws(SQLiteError) in
      var condition = "WHERE key > ?2"
      switch state {
      case nil: break
      // The index holds no acknowledged ones: those are found by their keys.
      case .acknowledged: condition += " AND state = 'acknowledged'"
      case .pending, .inFlight, .setAside:
        condition += " AND \(StoreStatements.waits) = '\(state?.rawValue ?? "")'"
      }
      let query = try database.prepare(
        "\(CaptureRow.query) \(condition) ORDER BY key LIMIT ?1")
      try query.bind(Int64(after.number), at: 2)
      return try read(query, limit: limit)
    }
  }

  /// Removes acknowledged captures that were acknowledged before an instant, and of the rest the
  /// oldest until at most so many acknowledged ones are left. Never one that waits, and never the
  /// newest of all: the count goes on from it.
  ///
  /// - Returns: how many were removed.
  @discardableResult
  public func prune(
    acknowledgedBefore instant: UTC, keepingAtMost most: Int = .max
  ) throws(StoreError) -> Int {
    let removed = try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) -> Int in
        let old = try database.prepare(
          """
          DELETE FROM captures WHERE state = 'acknowledged' AND stateChangedAt < ?
          AND key NOT IN (\(Self.newest))
          """)
        try old.bind(instant.milliseconds, at: 1)
        let removed = try old.run()
        let excess = tally.acknowledged - removed - max(0, most)
        return removed + (excess > 0 ? try removeOldest(excess) : 0)
      }
    }
    tally.acknowledged -= removed
    return removed
  }

  /// Makes room at the row or size limit: a twentieth of the rows, of what a server has.
  ///
  /// - Returns: how many were removed; 0 when nothing could be.
  func dropAcknowledged(atMost most: Int = .max) throws(StoreError) -> Int {
    let removed = try stating { () throws(SQLiteError) in
      try removeOldest(min(most, max(1, tally.rows / 20)))
    }
    tally.acknowledged -= removed
    return removed
  }

  /// The keys that counts go on from: the store's last, and the present device's.
  private static let newest = """
    SELECT max(key) FROM captures UNION SELECT max(key) FROM captures WHERE device = (
      SELECT device FROM identities ORDER BY number DESC LIMIT 1)
    """

  private func removeOldest(_ count: Int) throws(SQLiteError) -> Int {
    let oldest = try database.prepare(
      """
      DELETE FROM captures WHERE key IN (
        SELECT key FROM captures WHERE state = 'acknowledged'
        AND key NOT IN (\(Self.newest)) ORDER BY key LIMIT ?)
      """)
    try oldest.bind(Int64(count), at: 1)
    return try oldest.run()
  }
}
