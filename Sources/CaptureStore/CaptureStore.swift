internal import SQLite
public import TrackerCore

/// The queue of captures on disk: nothing that was appended is lost, whatever happens to the
/// process or its power; nothing leaves but by a server's acknowledgement.
///
/// One SQLite file (write-ahead log, `synchronous=FULL`) that people can read with `sqlite3` while
/// the tracker runs. A class because host and console hold the same one; to be used by one thread.
/// It reads no clock: every change comes with its time.
public final class CaptureStore {
  public enum Place: Sendable, Equatable {
    case file(String)
    /// Gone with the object; for simulation.
    case memory
  }

  /// The identifier of the device that captures now, kept through new configurations, renamed
  /// teams, upgrades and, where it can be read, damage. Captures of devices that the store lived on
  /// before keep theirs.
  public var device: UniqueID { identity.device }
  /// How the opening went.
  public let opening: StoreOpening
  /// Another device captures here since this opening; `nil`: the same as before.
  public internal(set) var succession: OwnerChange?
  public let place: Place
  /// How many captures came from a second store that had stood in for it; `nil`: there was none.
  public internal(set) var takenIn: Int?
  /// A second store whose captures could not be taken in, or read, beside this one.
  public internal(set) var leftover: WaitingStore?
  /// A second store was found damaged by this opening, as this store or when it was taken in.
  public internal(set) var secondDamage: SecondDamage?
  /// What a later opening may be able to use: the store that this one stands in for, or the second
  /// one that was not taken in.
  public var waiting: WaitingStore? {
    if case .beside(let waiting) = opening { waiting } else { leftover }
  }
  /// Rows that were found damaged since the opening, by it or later: each is kept for a person in
  /// the table `damaged`, and is no capture any more.
  public internal(set) var damagedRows = 0
  /// What is wrong with a store that is only read; `nil` when it is whole.
  public internal(set) var damage: String?
  /// The only number that `append` takes.
  public internal(set) var nextSequence: UInt32
  /// What `append` gives to the next capture.
  public internal(set) var nextKey: CaptureKey
  public internal(set) var tally: StoreTally

  let database: SQLiteDatabase
  let statements: StoreStatements
  let limits: StoreLimits
  var identity: DeviceIdentity
  /// Its own, and that of the store that it stands in for.
  private let lock: StoreLock?
  private let otherLock: StoreLock?
  /// `nil`: in memory, or only read.
  let room: StoreSpace?

  init(
    place: Place, database: consuming SQLiteDatabase, identity: DeviceIdentity,
    opening: StoreOpening, limits: StoreLimits, lock: consuming StoreLock?,
    otherLock: consuming StoreLock? = nil, room: StoreSpace? = nil
  ) throws(SQLiteError) {
    let last = try identity.lastSequence(database)
    nextSequence = max(identity.firstSequence, UInt32(clamping: last &+ 1))
    nextKey = CaptureKey(UInt32(clamping: try DamagedRows.lastKey(database) &+ 1))
    tally = try StoreTally(database)
    statements = try StoreStatements(database)
    self.place = place
    self.opening = opening
    self.limits = limits
    self.identity = identity
    self.database = database
    self.lock = lock
    self.otherLock = otherLock
    self.room = room
    try limitFile(to: limits.bytes)
  }

  /// What the core wants to know after each change.
  public var counts: QueueCounts {
    QueueCounts(
      pending: UInt32(clamping: tally.pending), setAside: UInt32(clamping: tally.setAside))
  }

  /// Puts one capture on disk. It is there for good when this returns; when it throws it is not
  /// there, and the same capture may be offered again.
  ///
  /// - Parameter now: when, UTC; it becomes the capture's `takenAt`.
  /// - Throws: `outOfTurn` for any number but `nextSequence`; `storeFull`, `diskFull` and the like.
  public func append(_ capture: Capture, at now: UTC) throws(StoreError) {
    // The last number stays free, so that there always is a next one.
    guard capture.sequence == nextSequence, capture.sequence < .max,
      nextKey.number < .max
    else {
      throw StoreError(
        .outOfTurn(expected: nextSequence, given: capture.sequence), path: database.path)
    }
    if tally.rows >= limits.rows, try dropAcknowledged() == 0 {
      throw StoreError(.storeFull(waiting: tally.rows), path: database.path)
    }
    try room?.checkFile()
    try makeRoom()
    do throws(SQLiteError) {
      try insert(capture, at: now)
    } catch {
      guard error.kind == .full else { throw StoreError(error) }
      // The log's pages go into the file's free ones, and what was sent makes room for what was
      // not. Where neither helps, the disk itself is full.
      try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      _ = try? dropAcknowledged()
      do throws(SQLiteError) { try insert(capture, at: now) } catch { throw fullError(error) }
    }
    nextSequence += 1
    nextKey.number += 1
    tally.pending += 1
  }

  /// On a disk that is nearly full what was sent makes room for what was not.
  private func makeRoom() throws(StoreError) {
    guard let room, !room.keep(database) else { return }
    // A few at a time: what is removed goes through the log, too.
    _ = try? dropAcknowledged(atMost: 400)
    guard room.keep(database) else {
      throw StoreError(.diskFull, path: database.path, detail: "its last room is kept for the log")
    }
  }

  private func insert(_ capture: Capture, at now: UTC) throws(SQLiteError) {
    try CaptureRow.bind(
      capture, key: nextKey, device: device, takenAt: now, to: statements.insert)
    guard capture.sequence >= identity.reservedBelow else {
      // A single statement is a transaction of its own.
      try statements.insert.run()
      return
    }
    let ahead = UInt32(clamping: UInt64(capture.sequence) + UInt64(Schema.reservation))
    try database.transaction { () throws(SQLiteError) in
      var next = identity
      next.reservedBelow = ahead
      try next.write(to: database)
      try statements.insert.run()
    }
    identity.reservedBelow = ahead
  }

  /// SQLite refuses more pages than that; a file that is larger already keeps its size.
  func limitFile(to bytes: Int64) throws(SQLiteError) {
    let pageBytes = max(512, try database.integer("PRAGMA page_size") ?? 4096)
    try database.execute("PRAGMA max_page_count = \(max(16, bytes / pageBytes))")
  }

  /// Tells a store at its own limit from a disk that is full.
  private func fullError(_ error: SQLiteError) -> StoreError {
    guard error.kind == .full, let pages = try? database.integer("PRAGMA page_count"),
      let most = try? database.integer("PRAGMA max_page_count"), pages >= most
    else { return StoreError(error) }
    return StoreError(
      .storeFull(waiting: tally.pending + tally.setAside), path: database.path)
  }
}

/// The statements of the hot path, compiled once.
struct StoreStatements: ~Copyable {
  let insert: SQLiteStatement
  let freshest: SQLiteStatement
  let oldest: SQLiteStatement
  let mark: SQLiteStatement
  let releaseAll: SQLiteStatement
  let inFlight: SQLiteStatement
  let leaveWaiting: SQLiteStatement
  let leaveSetAside: SQLiteStatement

  /// The index of what waits serves a query only when its own condition is repeated in it.
  static let waits = "state <> 'acknowledged' AND state"

  init(_ database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let waits = Self.waits
    let pending = "\(CaptureRow.query) WHERE \(waits) = 'pending'"
    let insert = try database.prepare(CaptureRow.insert, isKept: true)
    let freshest = try database.prepare(
      "\(pending) ORDER BY key DESC LIMIT ?", isKept: true)
    let oldest = try database.prepare("\(pending) ORDER BY key LIMIT ?", isKept: true)
    let mark = try database.prepare(
      CaptureRow.update(
        [("state", "'inFlight'"), ("attempts", "attempts + 1"), ("stateChangedAt", "?1")],
        where: "key = ?2"), isKept: true)
    let releaseAll = try database.prepare(
      CaptureRow.update(
        [("state", "'pending'"), ("stateChangedAt", "?1")], where: "\(waits) = 'inFlight'"),
      isKept: true)
    let inFlight = try database.prepare(
      "\(CaptureRow.query) WHERE \(waits) = 'inFlight' ORDER BY key", isKept: true)
    let leaveWaiting = try database.prepare(
      CaptureRow.update(
        [("state", "?1"), ("code", "?2"), ("stateChangedAt", "?3")],
        where: "key = ?4 AND state IN ('pending', 'inFlight')"), isKept: true)
    let leaveSetAside = try database.prepare(
      CaptureRow.update(
        [("state", "'acknowledged'"), ("stateChangedAt", "?1")],
        where: "key = ?2 AND state = 'setAside'"), isKept: true)
    // All or none: a handle that cannot be copied may not be left half assigned by an error.
    self.insert = insert
    self.freshest = freshest
    self.oldest = oldest
    self.mark = mark
    self.releaseAll = releaseAll
    self.inFlight = inFlight
    self.leaveWaiting = leaveWaiting
    self.leaveSetAside = leaveSetAside
  }
}

extension StoreTally {
  /// Counts the rows.
  init(_ database: borrowing SQLiteDatabase) throws(SQLiteError) {
    func count(_ condition: String) throws(SQLiteError) -> Int {
      Int(try database.integer("SELECT count(*) FROM captures \(condition)") ?? 0)
    }
    let waits = StoreStatements.waits
    pending = try count("WHERE \(waits) IN ('pending', 'inFlight')")
    setAside = try count("WHERE \(waits) = 'setAside'")
    acknowledged = try count("") - pending - setAside
  }
}
