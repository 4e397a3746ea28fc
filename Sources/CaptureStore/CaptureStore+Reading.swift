internal import SQLite
internal import SystemCalls
public import TrackerCore
internal import Wording

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

  /// Makes room at the row or size limit: removes the oldest acknowledged captures, up to a
  /// twentieth of the rows. Never removes one that waits, nor the newest, from which the numbering
  /// continues.
  ///
  /// - Returns: how many were removed; 0 when nothing could be.
  func dropAcknowledged(atMost most: Int = .max) throws(StoreError) -> Int {
    let removed = try stating { () throws(SQLiteError) in
      let oldest = try database.prepare(
        """
        DELETE FROM captures WHERE key IN (
          SELECT key FROM captures WHERE state = 'acknowledged'
          AND key NOT IN (\(Self.newest)) ORDER BY key LIMIT ?)
        """)
      try oldest.bind(Int64(min(most, max(1, tally.rows / 20))), at: 1)
      let removed = try oldest.run()
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

  /// The identifier of this device's capture with a number; `nil`: there is none.
  public func identifier(ofSequence sequence: UInt32) throws(StoreError) -> UniqueID? {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        "\(CaptureRow.query) WHERE device = ? AND sequence = ? ORDER BY key DESC", isKept: true)
      try rows.bind(device.text, at: 1)
      try rows.bind(Int64(sequence), at: 2)
      return try rows.step() ? CaptureRow.read(rows)?.id : nil
    }
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

/// How people refer to a capture: `17` for the current device, `3f2a:17` for the device whose
/// identifier begins with `3f2a`.
public struct CaptureName: Sendable, Equatable, CustomStringConvertible {
  /// The first hexadecimal digits of a device's identifier, in lower case; `nil`: the current
  /// device.
  var device: String?
  var sequence: UInt32

  /// The number of digits shown of a device's identifier.
  public static let shownDigits = 4

  /// - Returns: `nil` for any other form than `17` or `3f2a:17`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let number = parts.last, parts.count <= 2, number.utf8.allSatisfy(Self.isDigit),
      let sequence = UInt32(number), sequence > 0
    else { return nil }
    self.sequence = sequence
    guard parts.count == 2 else { return }
    let digits = parts[0].lowercased().filter { $0 != "-" }
    guard (Self.shownDigits...32).contains(digits.utf8.count),
      digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    device = digits
  }

  init(_ stored: StoredCapture, present: UniqueID) {
    sequence = stored.capture.sequence
    if stored.device != present { device = String(stored.device.text.prefix(Self.shownDigits)) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  public var description: String { device.map { "\($0):\(sequence)" } ?? "\(sequence)" }
}

extension CaptureStore {
  /// The name of a capture for people.
  public func name(of stored: StoredCapture) -> CaptureName {
    CaptureName(stored, present: device)
  }

  /// The captures with that name: none, one, or several if two devices begin with the same digits.
  public func captures(named name: CaptureName) throws(StoreError) -> [StoredCapture] {
    try reading { (damaged: inout SetAsideRows) throws(SQLiteError) in
      let query = try database.prepare(
        """
        \(CaptureRow.query) WHERE sequence = ?2 AND replace(device, '-', '') LIKE ?3
        ORDER BY key LIMIT ?1
        """)
      try query.bind(Int64(name.sequence), at: 2)
      try query.bind("\(name.device ?? device.digits)%", at: 3)
      return try read(query, limit: .max, &damaged)
    }
  }

  /// The state of the captures of each device, the current device last.
  public func devices() throws(StoreError) -> [DeviceTally] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT device, min(sequence), max(sequence), count(*),
          sum(state IN ('pending', 'inFlight')), sum(state = 'setAside')
        FROM captures GROUP BY device ORDER BY max(key)
        """)
      var tallies: [DeviceTally] = []
      while try rows.step() {
        guard let device = UniqueID(text: rows.text(0)) else { continue }
        let waiting = StoreTally(
          pending: Int(rows.integer(4)), setAside: Int(rows.integer(5)),
          acknowledged: Int(rows.integer(3) - rows.integer(4) - rows.integer(5)))
        let span = rows.integer(2) - rows.integer(1) + 1
        tallies.append(
          DeviceTally(
            device: device, first: UInt32(clamping: rows.integer(1)),
            last: UInt32(clamping: rows.integer(2)), tally: waiting,
            missing: Int(span - rows.integer(3))))
      }
      if let place = tallies.firstIndex(where: { $0.device == device }) {
        tallies.append(tallies.remove(at: place))
      }
      return tallies
    }
  }
}

/// The captures of one device in a store.
public struct DeviceTally: Sendable, Equatable {
  public var device: UniqueID
  /// The lowest and the highest sequence number in the store.
  public var first: UInt32
  public var last: UInt32
  public var tally: StoreTally
  /// Sequence numbers missing between these; 0 proves that they are complete.
  public var missing: Int
}

// Captures that are delivered in other ways than by the tracker.
extension CaptureStore {
  /// A capture from a file.
  public struct SuppliedCapture {
    var capture: Capture
    var device: UniqueID
    /// Its GlobalID.
    var id: UniqueID
    /// The name of the place of `capture.mark`; `nil`: none.
    var placeName: String?
    public var state: CaptureState

    public init(
      _ capture: Capture, device: UniqueID, id: UniqueID, placeName: String? = nil,
      state: CaptureState = .pending
    ) {
      self.capture = capture
      self.device = device
      self.id = id
      self.placeName = placeName
      self.state = state
    }
  }

  /// A store in memory with captures from a file, of any devices. They may have arrived in another
  /// way already, so they count as sent.
  public static func holding(_ captures: [SuppliedCapture], at now: UTC) throws(StoreError)
    -> CaptureStore
  {
    var limits = StoreLimits()
    limits.rows = max(limits.rows, captures.count)
    limits.bytes = .max
    let store = try open(.memory, limits: limits, at: now)
    try stating { () throws(SQLiteError) in
      try store.database.transaction { () throws(SQLiteError) in
        for handed in captures { try store.insert(handed, at: now) }
        try store.database.execute(
          CaptureColumn.update([("attempts", "1")], where: "attempts = 0"))
      }
    }
    store.tally = try stating { () throws(SQLiteError) in try StoreTally(store.database) }
    return store
  }

  private func insert(_ handed: SuppliedCapture, at now: UTC) throws(SQLiteError) {
    let row = try database.prepare(StoreStatements.insert, isKept: true)
    try CaptureRow.bind(
      handed.capture, key: nextKey, device: handed.device, takenAt: now, state: handed.state,
      to: row)
    try row.run()
    if let mark = handed.capture.mark {
      try MarkRow.write(mark, handed.placeName, key: Int64(nextKey.number), to: database)
    }
    nextKey.number += 1
    guard handed.id != UniqueID(device: handed.device, sequence: handed.capture.sequence) else {
      return
    }
    let given = try database.prepare(
      CaptureColumn.update([("globalID", "?1")], where: "key = ?2"))
    try given.bind(handed.id.text, at: 1)
    try given.bind(Int64(nextKey.number - 1), at: 2)
    try given.run()
  }

  /// All files of a store, the database first.
  public static func files(of path: String) -> [String] {
    ["", "-wal", "-shm", ".lock"].map { path + $0 }
  }

  /// Marks the waiting captures in a store's file as handed out, for example in a file on a USB
  /// stick: they may reach the server that way, so the tracker has to ask before it sends them.
  ///
  /// This works while a tracker uses the store: rows are marked a few at a time, so that it never
  /// waits long.
  ///
  /// - Parameters:
  ///   - name: the file of a store that can be opened with `openForReading`.
  ///   - key: the last capture that was handed out.
  /// - Throws: `older` for a version that does not count attempts, and errors of writing the file.
  public static func noteHandedOut(
    _ name: String, through key: CaptureKey
  ) throws(StoreError) {
    // A log file owned by another user would lock the tracker out, for as long as this program runs
    // or, if it is killed, for good.
    let path = try Disk.resolved(name)
    let owner: UInt32
    do throws(SystemError) { owner = try FileStatus(path).owner } catch {
      throw StoreError(path, code: error.code)
    }
    guard effectiveUser == 0 || effectiveUser == owner else {
      throw StoreError(.readOnly, path: path, detail: StorePhrase.anotherUsers.texts)
    }
    let version: Int32
    do throws(SQLiteError) {
      let database = try SQLiteDatabase.store(path: path, access: .readWrite)
      version = Int32(clamping: try database.integer("PRAGMA user_version") ?? 0)
      if let mark = markingHandedOut(version) {
        try database.execute("PRAGMA synchronous = FULL")
        let some = try database.prepare(mark)
        repeat {
          try some.bind(Int64(key.number), at: 1)
        } while try some.run() > 0
        return
      }
    } catch {
      throw StoreError(error)
    }
    throw StoreError(.older(version: version), path: path)
  }

  /// The SQL for a store of a version; `nil` if that version does not count attempts.
  private static func markingHandedOut(_ version: Int32) -> String? {
    let key = version >= Schema.Migration.devices.version ? "key" : "sequence"
    func some(_ more: String) -> String {
      """
      attempts = 0 AND \(key) IN (
        SELECT \(key) FROM captures WHERE state <> 'acknowledged' AND attempts = 0
        AND \(key) <= ?1\(more) LIMIT \(StoreBounds.handedOutAtOnce))
      """
    }
    switch version {
    case Schema.Migration.checksums.version...:
      return CaptureColumn.update([("attempts", "1")], where: some(" AND \(CaptureColumn.isWhole)"))
    case Schema.Migration.attempts.version...:
      return "UPDATE captures SET attempts = 1 WHERE \(some(""))"
    default: return nil
    }
  }
}
