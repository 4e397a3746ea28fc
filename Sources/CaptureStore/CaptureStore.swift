internal import SQLite
internal import SystemCalls
public import TrackerCore
internal import Wording

/// The queue of captures on disk: nothing that was appended is lost, whatever happens to the
/// process or its power; captures leave it only when a server has acknowledged them.
///
/// One SQLite file (write-ahead log, `synchronous=FULL`) that people can read with `sqlite3` while
/// the tracker runs. A class because host and console share it; to be used by one thread only. It
/// does not read a clock: the time of every change is a parameter.
public final class CaptureStore {
  public enum Place: Sendable, Equatable {
    case file(String)
    /// Lost with the object; for simulation.
    case memory
    /// In memory, too, with what a store's `image` has.
    case copy(of: [UInt8])
  }

  /// The identifier of the current device. It survives new configurations, renamed teams, upgrades
  /// and, if it can be read, damage. Captures of devices that had the store before keep theirs.
  public var device: UniqueID { identity.device }
  /// The result of opening it.
  public let opening: StoreOpening
  /// Set if another device captures here since this opening; `nil`: the same as before.
  public internal(set) var succession: OwnerChange?
  public let place: Place
  /// How many captures were taken over from a second store that had stood in for it; `nil`: there
  /// was none.
  public internal(set) var takenIn: Int?
  /// A second store whose captures could not be taken over or read.
  public internal(set) var leftover: WaitingStore?
  /// Set if this opening found a second store damaged: this store itself, or one that was taken
  /// over.
  public internal(set) var secondDamage: SecondDamage?
  /// A store that a later opening may be able to use: the one that this one stands in for, or the
  /// second one that was not taken over.
  public var waiting: WaitingStore? {
    if case .beside(let waiting) = opening { waiting } else { leftover }
  }
  /// Rows found damaged by the opening or since: each is kept for people in the table `damaged` and
  /// no longer counts as a capture.
  public internal(set) var damagedRows = 0
  /// What is wrong with a store opened for reading; `nil` when it is undamaged.
  public internal(set) var damage: String?
  /// The only sequence number that `append` accepts.
  public internal(set) var nextSequence: UInt32
  /// The key that `append` gives to the next capture.
  public internal(set) var nextKey: CaptureKey
  public internal(set) var tally: StoreTally
  /// Of the course that captures are taken on, by their indices.
  public var placeNames: [String] = []

  let database: SQLiteDatabase
  let limits: StoreLimits
  var identity: DeviceIdentity
  /// The lock of this store, and that of the store that it stands in for.
  private var lock: StoreLock?
  private let otherLock: StoreLock?
  /// `nil`: in memory, or only read.
  let room: StoreSpace?

  init(
    place: Place, database: consuming SQLiteDatabase, identity: DeviceIdentity,
    opening: StoreOpening, limits: StoreLimits, lock: consuming StoreLock?,
    otherLock: consuming StoreLock? = nil, room: StoreSpace? = nil
  ) throws(SQLiteError) {
    database.waitForLocks(milliseconds: Int32(StoreBounds.foreignLock.count))
    nextSequence = try identity.nextSequence(database)
    nextKey = CaptureKey(UInt32(clamping: try DamagedRows.lastKey(database) &+ 1))
    tally = try StoreTally(database)
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

  /// The counts for the core after each change.
  public var counts: QueueCounts {
    QueueCounts(
      pending: UInt32(clamping: tally.pending), setAside: UInt32(clamping: tally.setAside))
  }

  /// Writes a capture to disk. When this returns it is there durably; when it throws it is not
  /// there, and the same capture may be appended again. On a full disk a call for help takes what
  /// is spared for it.
  ///
  /// - Parameter now: the time, UTC; it becomes the capture's `takenAt`.
  /// - Throws: `outOfTurn` for any number but `nextSequence`; `storeFull`, `diskFull` and others.
  public func append(_ capture: Capture, at now: UTC) throws(StoreError) {
    do throws(StoreError) {
      try appendInRoom(capture, at: now)
    } catch {
      guard error.kind == .diskFull,
        capture.trigger == .emergency || capture.trigger == .emergencyOver,
        room?.giveUpSpare() ?? false
      else { throw error }
      try appendInRoom(capture, at: now)
    }
  }

  private func appendInRoom(_ capture: Capture, at now: UTC) throws(StoreError) {
    // The last number is never used, so that there always is a next one.
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
      try insertIntoFull(capture, at: now)
    }
    nextSequence += 1
    nextKey.number += 1
    tally.pending += 1
  }

  /// The bytes of a file with all that it has at this moment.
  public func image() throws(StoreError) -> [UInt8] {
    try stating { () throws(SQLiteError) in try database.image() }
  }

  /// Sets aside room on the disk for a call for help, if there is plenty: whoever fills a disk
  /// seldom leaves a page.
  public func spareRoom() { room?.keepSpare() }

  /// On a disk that is nearly full, drops acknowledged captures to make room.
  private func makeRoom() throws(StoreError) {
    guard let room, !room.keep(database) else { return }
    _ = try? dropAcknowledged(atMost: StoreBounds.droppedAtOnce)
    guard room.keep(database) else {
      throw StoreError(
        .diskFull, path: database.path, detail: StorePhrase.reserved.texts)
    }
  }

  /// Moves the log's pages into free ones of the file, and drops acknowledged captures. If neither
  /// helps, the disk itself is full.
  private func insertIntoFull(_ capture: Capture, at now: UTC) throws(StoreError) {
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for tries in 1...StoreBounds.fullTries {
      let removed = (try? dropAcknowledged()) ?? 0
      do throws(SQLiteError) {
        return try insert(capture, at: now)
      } catch {
        guard error.kind == .full, removed > 0, tries < 4 else { throw fullError(error) }
      }
    }
  }

  private func insert(_ capture: Capture, at now: UTC) throws(SQLiteError) {
    let row = try database.prepare(StoreStatements.insert, isKept: true)
    try CaptureRow.bind(capture, key: nextKey, device: device, takenAt: now, to: row)
    guard capture.sequence >= identity.reservedBelow else {
      if capture.mark == nil {
        // A single statement is its own transaction.
        try row.run()
      } else {
        try database.transaction { () throws(SQLiteError) in try insertBound(capture, row) }
      }
      return
    }
    let ahead = UInt32(clamping: UInt64(capture.sequence) + UInt64(StoreBounds.reservation))
    var next = identity
    next.reservedBelow = ahead
    // Before any of the numbers is given.
    lock?.remember([next])
    try database.transaction { () throws(SQLiteError) in
      try next.write(to: database)
      try insertBound(capture, row)
    }
    identity.reservedBelow = ahead
  }

  /// Lets the lock file know all devices.
  func markDevices() throws(SQLiteError) {
    guard lock != nil else { return }
    lock?.remember(try DeviceIdentity.all(database))
  }

  /// Inserts the capture that is bound, and where on the course it was taken.
  private func insertBound(
    _ capture: Capture, _ row: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try row.run()
    guard let mark = capture.mark else { return }
    let name = mark.place.flatMap { place in
      placeNames.indices.contains(Int(place)) ? placeNames[Int(place)] : nil
    }
    try MarkRow.write(mark, name, key: Int64(nextKey.number), to: database)
    guard let place = mark.place else { return }
    try CourseRow.settle(WantedPassages.One(capture.trigger, place: place), in: database)
  }

  /// Limits the number of pages; a file that is already larger keeps its size.
  func limitFile(to bytes: Int64) throws(SQLiteError) {
    let pageBytes = max(512, try database.integer("PRAGMA page_size") ?? 4096)
    try database.execute("PRAGMA max_page_count = \(max(16, bytes / pageBytes))")
  }

  /// Distinguishes a store at its own limit from a full disk. An insertion that did not find all
  /// the pages that it needs has given back those that it found.
  private func fullError(_ error: SQLiteError) -> StoreError {
    guard error.kind == .full, let pages = try? database.integer("PRAGMA page_count"),
      let most = try? database.integer("PRAGMA max_page_count"),
      pages > most - StoreBounds.pagesOfInsertion
    else { return StoreError(error) }
    return StoreError(
      .storeFull(waiting: tally.pending + tally.setAside), path: database.path)
  }
}

/// The frequent statements; a connection keeps them compiled.
enum StoreStatements {
  /// SQLite uses the partial index only for queries that repeat its condition.
  static let waits = "state <> 'acknowledged' AND state"
  private static let pending = "\(CaptureRow.query) WHERE \(waits) = 'pending'"

  static let insert = CaptureColumn.insert
  static let freshest = "\(pending) ORDER BY key DESC LIMIT ?"
  static let oldest = "\(pending) ORDER BY key LIMIT ?"
  static let mark = CaptureColumn.update(
    [("state", "'inFlight'"), ("attempts", "attempts + 1"), ("stateChangedAt", "?1")],
    where: "key = ?2")
  static let releaseAll = CaptureColumn.update(
    [("state", "'pending'"), ("stateChangedAt", "?1")], where: "\(waits) = 'inFlight'")
  static let tellRelease = HistoryRow.adding(
    HistoryRow.unanswered, where: "c.state <> 'acknowledged' AND c.state = 'inFlight'")
  static let tellSetAside = HistoryRow.adding(
    HistoryRow.setAside, where: "c.key = ?2 AND c.state = 'setAside'")
  static let inFlight = "\(CaptureRow.query) WHERE \(waits) = 'inFlight' ORDER BY key"
  static let leaveWaiting = CaptureColumn.update(
    [("state", "?1"), ("code", "?2"), ("stateChangedAt", "?3")],
    where: "key = ?4 AND state IN ('pending', 'inFlight')")
  static let leaveSetAside = CaptureColumn.update(
    [("state", "'acknowledged'"), ("stateChangedAt", "?1")],
    where: "key = ?2 AND state = 'setAside'")
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

/// Watches the disk of a store: that there is room for acknowledgements, and that the file is still
/// the one that was opened.
///
/// SQLite writes to its log first and moves the log into the file later. On a disk that is nearly
/// full the log could use up the rest of the space, and the move needs space too: the store would
/// be stuck for good, even with everything delivered. So with little space left each change is
/// moved at once, and the last of it is reserved for acknowledgements.
struct StoreSpace {
  private let path: String
  private let folder: String
  private let file: FileStatus

  /// `nil` when the file's status cannot be read.
  init?(path: String) {
    guard let file = try? FileStatus(path) else { return nil }
    self.file = file
    self.path = path
    folder = directory(of: path)
  }

  // MARK: The spare

  /// A file of nothing beside the store, which is removed when a call for help finds the disk full.
  private var spare: String { path + "-spare" }

  /// Makes it if there is none, and plenty of room.
  func keepSpare() {
    guard kind(ofPath: spare) == nil, let free = Disk.freeBytes(at: folder),
      free >= StoreBounds.littleSpace
    else { return }
    let nothing = [UInt8](repeating: 0, count: StoreBounds.spareBytes)
    do throws(SystemError) {
      try writeDurably(nothing, to: spare, mode: 0o600)
    } catch {
      // Without it an emergency on a full disk has the text message only.
      try? removeFile(spare)
    }
  }

  /// - Returns: whether there was one.
  func giveUpSpare() -> Bool {
    guard kind(ofPath: spare) != nil else { return false }
    return (try? removeFile(spare)) != nil
  }

  /// - Throws: `gone` when the file no longer exists, or is another one.
  func checkFile() throws(StoreError) {
    let present: FileStatus
    do throws(SystemError) { present = try FileStatus(path) } catch {
      if error.code == Errno.noSuchFile { throw StoreError(.gone, path: path) }
      // Other problems of the disk are reported by the store's operations.
      return
    }
    guard present.isSame(as: file) else { throw StoreError(.gone, path: path) }
  }

  /// If space is low, moves the log into the file.
  ///
  /// - Returns: whether there is room for more captures.
  func keep(_ database: borrowing SQLiteDatabase) -> Bool {
    guard let free = Disk.freeBytes(at: folder), free < StoreBounds.littleSpace else { return true }
    moveLog(database)
    // A change does not touch more pages than there are.
    let reserve = min(StoreBounds.mostReserve, StoreBounds.leastReserve + Disk.size(of: path))
    guard let free = Disk.freeBytes(at: folder), free < reserve else { return true }
    return (try? database.integer("PRAGMA freelist_count")) ?? 0 >= StoreBounds.freePages
  }

  /// If a reader prevents it, the log is moved the next time.
  private func moveLog(_ database: borrowing SQLiteDatabase) {
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
