internal import Glibc
internal import TrackerCore

/// Moves a damaged store aside and puts what can be read of it into a new one.
///
/// The new one is whole before the old one moves, so that a power cut in between loses nothing:
/// the next opening begins again, or does what is left.
struct Salvager {
  var path: String

  private var fresh: String { path + ".salvage" }

  /// A power cut came between the moving of the old file and that of the new one.
  func finishInterrupted() throws(StoreError) {
    guard !isThere(path), isThere(fresh) else { return }
    // SQLite would play an old log into the new file.
    if isThere(path + "-wal") { try move(path + "-wal", to: path + ".damaged-wal") }
    unlink(path + "-shm")
    try move(fresh, to: path)
    synchroniseDirectory()
  }

  func run(damage: String, device: UniqueID?, at now: UTC) throws(StoreError) -> Salvage {
    for tail in ["", "-wal", "-shm", "-journal"] { unlink(fresh + tail) }
    var result: Salvage
    do throws(SQLiteError) {
      result = try copy(device: device, damage: damage, at: now)
    } catch {
      throw StoreError(error)
    }
    result.movedTo = aside(at: now)
    try move(path, to: result.movedTo)
    if isThere(path + "-wal") { try move(path + "-wal", to: result.movedTo + "-wal") }
    unlink(path + "-shm")
    try move(fresh, to: path)
    synchroniseDirectory()
    return result
  }

  // MARK: Rows

  private func copy(
    device: UniqueID?, damage: String, at now: UTC
  ) throws(SQLiteError) -> Salvage {
    let target = try StoreFile.connect(fresh)
    try Schema.migrate(target, from: 0)
    // What cannot be opened has no rows; the new store begins empty.
    let source: SQLiteDatabase? = try? openSource()
    var found = Found()
    var identity: DeviceIdentity?
    if let source {
      identity = (try? DeviceIdentity.read(source)) ?? nil
      try target.transaction { () throws(SQLiteError) in
        try transfer(from: source, to: target, &found)
      }
    }
    let isKept = identity != nil
    var now = DeviceIdentity(
      device: try (identity?.device ?? device).orNew(path),
      madeAt: identity?.madeAt ?? now)
    now.firstSequence = max(identity?.reservedBelow ?? 1, found.last &+ 1)
    now.reservedBelow = now.firstSequence
    try now.write(to: target)
    return Salvage(
      recovered: found.count, missing: found.missing, continuesAt: now.firstSequence,
      isIdentityKept: isKept, movedTo: "", damage: damage)
  }

  private func openSource() throws(SQLiteError) -> SQLiteDatabase {
    let source = try SQLiteDatabase(path: path, access: .readWrite)
    // It is kept as it was found.
    try source.keepLogOnClose()
    return source
  }

  /// What has come over.
  private struct Found {
    var count = 0
    var first: UInt32 = .max
    /// The highest number that is known, also where the row itself is gone.
    var last: UInt32 = 0
    var missing: Int { count == 0 ? 0 : Int(last) - Int(first) + 1 - count }
  }

  /// From both ends up to the damage, then number by number what lies between.
  private func transfer(
    from source: borrowing SQLiteDatabase, to target: borrowing SQLiteDatabase,
    _ found: inout Found
  ) throws(SQLiteError) {
    // A file of version 1 has no attempts.
    let hasAttempts =
      (try? source.prepare("SELECT attempts FROM captures")) == nil ? "0" : "attempts"
    let query = "SELECT \(CaptureRow.columns), \(hasAttempts) FROM captures NOT INDEXED"
    let insert = try target.prepare(CaptureRow.insertIfNew)
    var low: UInt32 = 0
    var high: UInt32 = 0
    try walk(source, "\(query) ORDER BY sequence", insert, &found) { low = $0 }
    try walk(source, "\(query) ORDER BY sequence DESC", insert, &found) { high = $0 }
    if let last = try? source.integer(
      "SELECT max(sequence) FROM captures INDEXED BY capturesWaiting WHERE state <> 'acknowledged'")
    {
      found.last = max(found.last, UInt32(clamping: last))
    }
    guard high > low, let one = try? source.prepare("\(query) WHERE sequence = ?") else { return }
    // Bounded: a wild number must not keep the tracker from starting.
    for sequence in low..<min(high, low &+ 1_000_000) {
      try one.bind(Int64(sequence), at: 1)
      if (try? one.step()) == true { try put(one, insert, &found) }
      one.reset()
    }
  }

  /// Reads until the end or the damage.
  private func walk(
    _ source: borrowing SQLiteDatabase, _ query: String, _ insert: borrowing SQLiteStatement,
    _ found: inout Found, _ passed: (UInt32) -> Void
  ) throws(SQLiteError) {
    guard let rows = try? source.prepare(query) else { return }
    while (try? rows.step()) == true {
      try put(rows, insert, &found)
      passed(UInt32(clamping: rows.integer(0)))
    }
  }

  private func put(
    _ row: borrowing SQLiteStatement, _ insert: borrowing SQLiteStatement, _ found: inout Found
  ) throws(SQLiteError) {
    // The device does not matter here: identifiers are made when a capture is read.
    guard let stored = CaptureRow.read(row, device: UniqueID(high: 0, low: 0)),
      stored.capture.sequence < .max
    else { return }
    try CaptureRow.bind(
      stored.capture, state: stored.state, changedAt: stored.stateChangedAt, code: stored.code,
      takenAt: stored.takenAt, attempts: stored.attempts, to: insert)
    guard try insert.run() == 1 else { return }
    found.count += 1
    found.first = min(found.first, stored.capture.sequence)
    found.last = max(found.last, stored.capture.sequence)
  }

  // MARK: Files

  /// A name that is free: `FILE.damaged-20121006T093000Z`.
  private func aside(at now: UTC) -> String {
    let seconds = now.milliseconds / 1000
    let memory = try? SQLiteDatabase(path: ":memory:")
    let time = try? memory?.text("SELECT strftime('%Y%m%dT%H%M%SZ', \(seconds), 'unixepoch')")
    let name = "\(path).damaged-\((time ?? nil) ?? String(seconds))"
    var free = name
    var count = 1
    while isThere(free) {
      count += 1
      free = "\(name)-\(count)"
    }
    return free
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private func move(_ old: String, to new: String) throws(StoreError) {
    guard rename(old, new) == 0 else { throw StoreError(old, code: errno) }
  }

  /// A name is on disk when its directory is.
  private func synchroniseDirectory() {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = retrying { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
