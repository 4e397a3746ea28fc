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

  /// A store of twice the usual limit; more is not read into memory.
  private static let mostBytes = 128 << 20

  private func copy(
    device: UniqueID?, damage: String, at now: UTC
  ) throws(SQLiteError) -> Salvage {
    let target = try StoreFile.connect(fresh)
    try Schema.migrate(target, from: 0)
    let pages = PageScan(path: path, mostBytes: Self.mostBytes)
    let found = Self.identity(in: pages)
    try target.transaction { () throws(SQLiteError) in
      try transfer(pages, to: target, below: found?.reservedBelow)
      try Self.transferMemory(pages, to: target)
    }
    let first = try target.integer("SELECT min(sequence) FROM captures") ?? 0
    let last = try target.integer("SELECT max(sequence) FROM captures") ?? 0
    let count = Int(try target.integer("SELECT count(*) FROM captures") ?? 0)

    var identity = DeviceIdentity(
      device: try (found?.device ?? device).orNew(path), madeAt: found?.madeAt ?? now)
    identity.firstSequence = max(found?.reservedBelow ?? 1, UInt32(clamping: last &+ 1))
    identity.reservedBelow = identity.firstSequence
    try identity.write(to: target)
    return Salvage(
      recovered: count, missing: count == 0 ? 0 : Int(last - first + 1) - count,
      continuesAt: identity.firstSequence, isIdentityKept: found != nil, movedTo: "",
      damage: damage)
  }

  /// The one that reserved most: an older state of the row may lie about in a page that is free.
  private static func identity(in pages: PageScan) -> DeviceIdentity? {
    var best: DeviceIdentity?
    for page in 1...max(1, pages.count) {
      for record in pages.rows(ofPage: page) {
        guard let identity = DeviceIdentity(record),
          identity.reservedBelow >= best?.reservedBelow ?? 0
        else { continue }
        best = identity
      }
    }
    return best
  }

  /// Whatever looks like a capture and breaks no rule of the table. Free pages may hold an older
  /// state of a row: the one that changed last counts, and of two the one further on its way.
  private func transfer(
    _ pages: PageScan, to target: borrowing SQLiteDatabase, below bound: UInt32?
  ) throws(SQLiteError) {
    let way = "'pending inFlight setAside acknowledged'"
    let places = (1...CaptureRow.columnCount).map { "?\($0)" }.joined(separator: ", ")
    let insert = try target.prepare(
      """
      INSERT OR REPLACE INTO captures (\(CaptureRow.columns), attempts) SELECT \(places)
      WHERE NOT EXISTS (
        SELECT 1 FROM captures WHERE sequence = ?1 AND (stateChangedAt > ?3
          OR stateChangedAt = ?3 AND instr(\(way), state) >= instr(\(way), ?2)))
      """)
    for page in 1...max(1, pages.count) {
      for record in pages.rows(ofPage: page) where CaptureRow.mayBe(record) {
        guard record.row < Int64(bound ?? .max) else { continue }
        do throws(SQLiteError) {
          try CaptureRow.bind(record, to: insert)
          try insert.run()
        } catch {
          // It breaks a rule of the table: it is no capture of ours.
          guard error.kind == .constraint else { throw error }
        }
      }
    }
    try removeUnreadable(target)
  }

  private func removeUnreadable(_ target: borrowing SQLiteDatabase) throws(SQLiteError) {
    let rows = try target.prepare(CaptureRow.query)
    var unreadable: [Int64] = []
    while try rows.step() {
      let isWhole = CaptureRow.read(rows, device: UniqueID(high: 0, low: 0)) != nil
      if !isWhole { unreadable.append(rows.integer(0)) }
    }
    for sequence in unreadable {
      try target.execute("DELETE FROM captures WHERE sequence = \(sequence)")
    }
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
