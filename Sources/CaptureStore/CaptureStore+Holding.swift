internal import SQLite
public import TrackerCore

/// When the outcome of a capture in flight became unknown.
public struct Hold: Sendable, Equatable {
  public var key: CaptureKey
  /// The boot of the machine that the time belongs to (Linux's boot_id).
  public var boot: String
  /// When the upload was given up, as time since that boot.
  public var since: Milliseconds

  public init(key: CaptureKey, boot: String, since: Milliseconds) {
    self.key = key
    self.boot = boot
    self.since = since
  }
}

// Captures that were sent and that a server may still apply. They stay in flight, whatever happens
// to the process, until they are acknowledged or released.
extension CaptureStore {
  private static let holdColumns = "key, boot, sinceMilliseconds"

  /// The holds of captures in flight, in order of storing. A capture in flight without a hold was
  /// handed out and its outcome never recorded, or the record is damaged.
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

  /// Records that the outcome of captures in flight is unknown from now on.
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

  /// Makes some of the captures in flight pending again: the server does not have them and will not
  /// get them from earlier requests.
  ///
  /// - Returns: how many.
  @discardableResult
  public func release(_ keys: [CaptureKey], at now: UTC) throws(StoreError) -> Int {
    guard !keys.isEmpty else { return 0 }
    return try changingWithHistory { (tellsHistory: Bool) throws(SQLiteError) in
      let row = try database.prepare(
        CaptureRow.update(
          [("state", "'pending'"), ("stateChangedAt", "?1")],
          where: "key = ?2 AND state = 'inFlight'"))
      let history = try database.prepare(
        HistoryRow.adding(HistoryRow.unanswered, where: "c.key = ?2 AND c.state = 'inFlight'"))
      var count = 0
      for key in keys {
        if tellsHistory {
          try history.bind(Int64(key.number), at: 2)
          try history.run()
        }
        try row.bind(now.milliseconds, at: 1)
        try row.bind(Int64(key.number), at: 2)
        count += try row.run()
      }
      return count
    }
  }
}
