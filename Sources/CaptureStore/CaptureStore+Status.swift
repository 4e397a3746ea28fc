internal import SQLite
internal import SystemCalls
public import TrackerCore

// What a status needs to know beyond the tally.
extension CaptureStore {
  /// Whether a tracker, or a program that delivers its captures, uses the store at this moment.
  public static func isInUse(_ path: String) -> Bool {
    guard let path = try? Disk.resolved(path) else { return false }
    return !StoreLock.isFree(store: path)
  }

  /// Free bytes of its disk; `nil` in memory, or if they cannot be read.
  public var freeBytes: Int64? {
    guard case .file(let path) = place else { return nil }
    return Disk.freeBytes(at: directory(of: path))
  }

  /// The capture that has waited longest; `nil`: none waits.
  public func oldestWaiting() throws(StoreError) -> StoredCapture? {
    guard tally.pending > 0 else { return nil }
    let pending = try page(limit: 1, state: .pending)
    let oldest = pending + (try page(limit: 1, state: .inFlight))
    return oldest.min { $0.key.number < $1.key.number }
  }

  /// How many captures of devices that had the store before wait. Looks at the waiting rows only.
  public func waitingOfEarlierDevices() throws(StoreError) -> [(device: UniqueID, count: Int)] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT device, count(*) FROM captures
        WHERE state <> 'acknowledged' AND state IN ('pending', 'inFlight') AND device <> ?1
        GROUP BY device ORDER BY max(key)
        """)
      try rows.bind(device.text, at: 1)
      var counts: [(device: UniqueID, count: Int)] = []
      while try rows.step() {
        guard let device = UniqueID(text: rows.text(0)) else { continue }
        counts.append((device, Int(rows.integer(1))))
      }
      return counts
    }
  }

  /// The time of the newest capture that a server has, which was delivered then or later. It is the
  /// receiver's, whatever date the machine had. Looks at all rows.
  public func newestDelivered() throws(StoreError) -> UTC? {
    try stating { () throws(SQLiteError) in
      try database.integer(
        "SELECT max(utc) FROM captures WHERE state = 'acknowledged' AND isTimeTrusted = 1"
      ).map { UTC(milliseconds: $0) }
    }
  }

  /// When a server last acknowledged a capture, by the machine's date at that time; `nil`: never.
  /// Looks at all rows.
  public func lastAcknowledgement() throws(StoreError) -> UTC? {
    try stating { () throws(SQLiteError) in
      try database.integer(
        "SELECT max(stateChangedAt) FROM captures WHERE state = 'acknowledged'"
      ).map { UTC(milliseconds: $0) }
    }
  }
}
