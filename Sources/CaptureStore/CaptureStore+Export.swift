internal import SQLite
internal import SystemCalls
public import TrackerCore
internal import Wording

// Captures that are delivered in other ways than by the tracker.
extension CaptureStore {
  /// A capture from a file.
  public struct SuppliedCapture {
    public var capture: Capture
    public var device: UniqueID
    /// Its GlobalID.
    public var id: UniqueID
    /// The name of the place of `capture.mark`; `nil`: none.
    public var placeName: String?

    public init(_ capture: Capture, device: UniqueID, id: UniqueID, placeName: String? = nil) {
      self.capture = capture
      self.device = device
      self.id = id
      self.placeName = placeName
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
    try store.stating { () throws(SQLiteError) in
      try store.database.transaction { () throws(SQLiteError) in
        for handed in captures { try store.insert(handed, at: now) }
        try store.database.execute(
          CaptureRow.update([("attempts", "1")], where: "attempts = 0"))
      }
    }
    store.tally.pending = captures.count
    return store
  }

  private func insert(_ handed: SuppliedCapture, at now: UTC) throws(SQLiteError) {
    try CaptureRow.bind(
      handed.capture, key: nextKey, device: handed.device, takenAt: now, to: statements.insert)
    try statements.insert.run()
    if let mark = handed.capture.mark {
      try CourseRow.write(mark, handed.placeName, key: Int64(nextKey.number), to: database)
    }
    nextKey.number += 1
    guard handed.id != UniqueID(device: handed.device, sequence: handed.capture.sequence) else {
      return
    }
    let given = try database.prepare(
      CaptureRow.update([("globalID", "?1")], where: "key = ?2"))
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
    let key = version >= Schema.keyedVersion ? "key" : "sequence"
    func some(_ more: String) -> String {
      """
      attempts = 0 AND \(key) IN (
        SELECT \(key) FROM captures WHERE state <> 'acknowledged' AND attempts = 0
        AND \(key) <= ?1\(more) LIMIT 500)
      """
    }
    switch version {
    case Schema.checkedVersion...:
      return CaptureRow.update([("attempts", "1")], where: some(" AND \(CaptureRow.isWhole)"))
    case Schema.countingVersion...: return "UPDATE captures SET attempts = 1 WHERE \(some(""))"
    default: return nil
    }
  }
}
