public import TrackerCore

// What a person reads, and what is kept how long.
extension CaptureStore {
  /// Captures in order of sequence, for a person or an export to page through.
  ///
  /// - Parameters:
  ///   - after: the last number of the page before; 0 begins.
  ///   - limit: at most that many.
  ///   - state: only those; `nil`: all.
  public func page(
    after: UInt32 = 0, limit: UInt32, state: CaptureState? = nil
  ) throws(StoreError) -> [StoredCapture] {
    try stating { () throws(SQLiteError) in
      var condition = "WHERE sequence > ?2"
      switch state {
      case nil: break
      // The index holds no acknowledged ones: those are found by their numbers.
      case .acknowledged: condition += " AND state = 'acknowledged'"
      case .pending, .inFlight, .setAside:
        condition += " AND \(StoreStatements.waits) = '\(state?.rawValue ?? "")'"
      }
      let query = try database.prepare(
        "\(CaptureRow.query) \(condition) ORDER BY sequence LIMIT ?1")
      try query.bind(Int64(after), at: 2)
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
          AND sequence < (SELECT max(sequence) FROM captures)
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
  func dropAcknowledged() throws(StoreError) -> Int {
    let removed = try stating { () throws(SQLiteError) in
      try removeOldest(max(1, tally.rows / 20))
    }
    tally.acknowledged -= removed
    return removed
  }

  private func removeOldest(_ count: Int) throws(SQLiteError) -> Int {
    let oldest = try database.prepare(
      """
      DELETE FROM captures WHERE sequence IN (
        SELECT sequence FROM captures WHERE state = 'acknowledged'
        AND sequence < (SELECT max(sequence) FROM captures) ORDER BY sequence LIMIT ?)
      """)
    try oldest.bind(Int64(count), at: 1)
    return try oldest.run()
  }
}
