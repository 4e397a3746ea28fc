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

  func run(damage: String, at now: UTC) throws(StoreError) -> Salvage {
    for tail in ["", "-wal", "-shm", "-journal"] { unlink(fresh + tail) }
    var result: Salvage
    do throws(SQLiteError) {
      result = try copy(damage: damage, at: now)
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

  private func copy(damage: String, at now: UTC) throws(SQLiteError) -> Salvage {
    let target = try StoreFile.connect(fresh)
    try Schema.migrate(target, from: 0)
    let pages = PageScan(path: path, mostBytes: Self.mostBytes)
    var identities = Self.identities(in: pages)
    let isIdentityKept = !identities.isEmpty
    if identities.isEmpty {
      identities = [DeviceIdentity(device: try .made(for: path), madeAt: now)]
    }
    try target.transaction { () throws(SQLiteError) in
      try transfer(pages, to: target, of: identities)
      try Self.transferMemory(pages, to: target)
    }
    var missing = 0
    for place in identities.indices {
      missing += try Self.seal(&identities[place], in: target)
      identities[place].number = Int64(place + 1)
      try identities[place].write(to: target)
    }
    return Salvage(
      recovered: Int(try target.integer("SELECT count(*) FROM captures") ?? 0), missing: missing,
      continuesAt: identities.last?.firstSequence ?? 1, isIdentityKept: isIdentityKept,
      movedTo: "", damage: damage)
  }

  /// Lets an identity's numbers go on above all that may have been given.
  ///
  /// - Returns: how many are missing between those that were found.
  private static func seal(
    _ identity: inout DeviceIdentity, in target: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> Int {
    let last = try identity.lastSequence(target)
    identity.firstSequence = max(identity.reservedBelow, UInt32(clamping: last &+ 1))
    identity.reservedBelow = identity.firstSequence
    let rows = try target.prepare(
      "SELECT count(*), min(sequence), max(sequence) FROM captures WHERE device = ?")
    try rows.bind(identity.device.text, at: 1)
    defer { rows.reset() }
    guard try rows.step(), rows.integer(0) > 0 else { return 0 }
    return Int(rows.integer(2) - rows.integer(1) + 1 - rows.integer(0))
  }

  /// One for each device, in the order in which the store took them on. Of several states of a row
  /// the one that reserved most counts: an older one may lie about in a page that is free.
  private static func identities(in pages: PageScan) -> [DeviceIdentity] {
    var best: [UniqueID: DeviceIdentity] = [:]
    for page in 1...max(1, pages.count) {
      for record in pages.rows(ofPage: page) {
        guard let identity = DeviceIdentity(record),
          identity.reservedBelow >= best[identity.device]?.reservedBelow ?? 0
        else { continue }
        best[identity.device] = identity
      }
    }
    return best.values.sorted { ($0.number, $0.device.text) < ($1.number, $1.device.text) }
  }

  /// Whatever looks like a capture and breaks no rule of the table. Free pages may hold an older
  /// state of a row: the one that changed last counts, and of two the one further on its way.
  private func transfer(
    _ pages: PageScan, to target: borrowing SQLiteDatabase, of identities: [DeviceIdentity]
  ) throws(SQLiteError) {
    let way = "'pending inFlight setAside acknowledged'"
    let places = (1...CaptureRow.columnCount).map { "?\($0)" }.joined(separator: ", ")
    let insert = try target.prepare(
      """
      INSERT OR REPLACE INTO captures (\(CaptureRow.columns)) SELECT \(places)
      WHERE NOT EXISTS (
        SELECT 1 FROM captures WHERE key = ?1 AND (stateChangedAt > ?3
          OR stateChangedAt = ?3 AND instr(\(way), state) >= instr(\(way), ?2)))
      """)
    for page in 1...max(1, pages.count) {
      for record in pages.rows(ofPage: page) where CaptureRow.mayBe(record) {
        let device = CaptureRow.device(of: record)
        let owner = identities.last { $0.device == device } ?? identities.last
        guard let owner, CaptureRow.sequence(of: record) < Self.bound(owner) else { continue }
        do throws(SQLiteError) {
          try CaptureRow.bind(record, device: device ?? owner.device, to: insert)
          try insert.run()
        } catch {
          // It breaks a rule of the table: it is no capture of ours.
          guard error.kind == .constraint else { throw error }
        }
      }
    }
    try removeUnreadable(target)
  }

  /// No capture of the device has this number or one above it. A new identity bounds nothing.
  private static func bound(_ identity: DeviceIdentity) -> Int64 {
    identity.reservedBelow > 1 ? Int64(identity.reservedBelow) : .max
  }

  private func removeUnreadable(_ target: borrowing SQLiteDatabase) throws(SQLiteError) {
    let rows = try target.prepare(CaptureRow.query)
    var unreadable: [Int64] = []
    while try rows.step() {
      let isWhole = CaptureRow.read(rows) != nil
      if !isWhole { unreadable.append(rows.integer(0)) }
    }
    for key in unreadable {
      try target.execute("DELETE FROM captures WHERE key = \(key)")
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
