internal import SQLite
public import TrackerCore

/// Since when the fate of a capture in flight is unknown.
public struct Hold: Sendable, Equatable {
  public var key: CaptureKey
  /// Which run of the machine the time counts in: what Linux calls its boot_id.
  public var boot: String
  /// When our patience with the server ended, on the clock of that run.
  public var since: Milliseconds

  public init(key: CaptureKey, boot: String, since: Milliseconds) {
    self.key = key
    self.boot = boot
    self.since = since
  }
}

// Captures that were sent and that a server may still act on. They stay in flight, whatever happens
// to the process, until somebody acknowledges or releases them.
extension CaptureStore {
  private static let holdColumns = "key, boot, sinceMilliseconds"

  /// What is known of captures in flight, in order of storing. One that is missing here was handed
  /// out, and how that ended was never said, or what was said is damaged.
  public func holds() throws(StoreError) -> [Hold] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT \(Self.holdColumns) FROM held WHERE \(CheckedRow.isWhole(Self.holdColumns))
        ORDER BY key
        """)
      var holds: [Hold] = []
      while try rows.step() {
        holds.append(
          Hold(
            key: CaptureKey(UInt32(clamping: rows.integer(0))), boot: rows.text(1),
            since: Milliseconds(rows.integer(2))))
      }
      return holds
    }
  }

  /// Notes that the fate of captures in flight is unknown from now on.
  public func hold(_ holds: [Hold]) throws(StoreError) {
    guard !holds.isEmpty else { return }
    try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        let row = try database.prepare(
          "INSERT OR REPLACE INTO held VALUES (\(CheckedRow.values(3)))")
        for hold in holds {
          try row.bind(Int64(hold.key.number), at: 1)
          try row.bind(hold.boot, at: 2)
          try row.bind(hold.since.count, at: 3)
          try row.run()
        }
      }
    }
  }

  /// Makes pending again some of what is in flight: a server does not have it, and will not.
  ///
  /// - Returns: how many.
  @discardableResult
  public func release(_ keys: [CaptureKey], at now: UTC) throws(StoreError) -> Int {
    guard !keys.isEmpty else { return 0 }
    return try changing { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        let row = try database.prepare(
          CaptureRow.update(
            [("state", "'pending'"), ("stateChangedAt", "?1")],
            where: "key = ?2 AND state = 'inFlight'"))
        var count = 0
        for key in keys {
          try row.bind(now.milliseconds, at: 1)
          try row.bind(Int64(key.number), at: 2)
          count += try row.run()
        }
        return count
      }
    }
  }
}
