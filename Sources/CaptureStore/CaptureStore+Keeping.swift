internal import SQLite
public import TrackerCore

// Reading by people, and pruning.
extension CaptureStore {
  /// All captures in order of storing, read page by page, so that a tracker at work is not held up.
  ///
  /// - Parameter state: only those; `nil`: all.
  public func captures(in state: CaptureState? = nil) throws(StoreError) -> [StoredCapture] {
    var captures: [StoredCapture] = []
    while true {
      let page = try page(after: captures.last?.key ?? .none, limit: 1000, state: state)
      if page.isEmpty { return captures }
      captures += page
    }
  }

  /// Captures in order of storing, for a person or an export to page through.
  ///
  /// - Parameters:
  ///   - after: the last capture of the previous page; `none` for the first page.
  ///   - limit: the largest number of captures.
  ///   - state: only those; `nil`: all.
  public func page(
    after: CaptureKey = .none, limit: UInt32, state: CaptureState? = nil
  ) throws(StoreError) -> [StoredCapture] {
    try reading { (damaged: inout SetAsideRows) throws(SQLiteError) in
      var condition = "WHERE key > ?2"
      switch state {
      case nil: break
      // The index does not contain acknowledged ones: those are found by key.
      case .acknowledged: condition += " AND state = 'acknowledged'"
      case .pending, .inFlight, .setAside:
        condition += " AND \(StoreStatements.waits) = '\(state?.rawValue ?? "")'"
      }
      let query = try database.prepare(
        "\(CaptureRow.query) \(condition) ORDER BY key LIMIT ?1")
      try query.bind(Int64(after.number), at: 2)
      return try read(query, limit: limit, &damaged)
    }
  }

  /// Removes captures that were acknowledged before an instant, and then the oldest acknowledged
  /// ones until at most `most` are left. Never removes one that waits, nor the newest, from which
  /// the numbering continues.
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
        let rest = excess > 0 ? try removeOldest(excess) : 0
        try HistoryRow.removeOrphans(database)
        return removed + rest
      }
    }
    tally.acknowledged -= removed
    return removed
  }

  /// Makes room at the row or size limit: removes acknowledged captures, up to a twentieth of the
  /// rows.
  ///
  /// - Returns: how many were removed; 0 when nothing could be.
  func dropAcknowledged(atMost most: Int = .max) throws(StoreError) -> Int {
    let removed = try stating { () throws(SQLiteError) in
      let removed = try removeOldest(min(most, max(1, tally.rows / 20)))
      // On a full disk there may be no room for this, too. What stays harms nobody, and the next
      // time removes it.
      try? HistoryRow.removeOrphans(database)
      return removed
    }
    tally.acknowledged -= removed
    return removed
  }

  /// The rows from which the numbering continues: the last of the store, and the last of the
  /// current device.
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
