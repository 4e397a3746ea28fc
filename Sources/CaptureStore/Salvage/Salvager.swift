internal import SQLite
internal import TrackerCore

/// Reads what can be read of a damaged store, without SQLite.
enum Salvager {
  /// Copies what can be read of a damaged store to an empty one.
  ///
  /// - Parameters:
  ///   - target: a database without tables.
  ///   - isComplete: whether every announced capture is there: then the numbers go on after the
  ///     last one, otherwise above all that may have been given.
  ///   - known: its devices, if nothing is left of it.
  /// - Returns: the result; the caller fills in `movedTo`.
  static func copy(
    _ pages: StoreImage, to target: borrowing SQLiteDatabase, damage: String,
    isComplete: Bool = false, known: [DeviceIdentity] = [], at now: UTC
  ) throws(SQLiteError) -> Salvage {
    try Schema.migrate(target, from: 0)
    let isChecked = pages.isChecked
    var identities =
      known.isEmpty ? Self.identities(in: pages, isChecked: isChecked) : known
    var isIdentityKept = !identities.isEmpty
    if identities.isEmpty {
      identities = [DeviceIdentity(device: try .made(for: target.path), madeAt: now)]
    }
    try target.transaction { () throws(SQLiteError) in
      try transfer(pages, to: target, of: identities, isChecked: isChecked)
      try Self.transferMemory(pages, to: target)
    }
    // If there are captures beyond its reserved numbers it is an older version of the row, and it
    // is unknown which numbers were given since.
    if let last = identities.last, isIdentityKept,
      try last.lastSequence(target) >= Int64(last.reservedBelow)
    {
      identities.append(DeviceIdentity(device: try .made(for: target.path), madeAt: now))
      isIdentityKept = false
    }
    var missing = 0
    for place in identities.indices {
      if !isComplete { try Self.seal(&identities[place], in: target) }
      missing += try identities[place].missing(target)
      identities[place].number = Int64(place + 1)
      try identities[place].write(to: target)
    }
    return Salvage(
      recovered: Int(try target.integer("SELECT count(*) FROM captures") ?? 0), missing: missing,
      continuesAt: try identities.last?.nextSequence(target) ?? 1, isIdentityKept: isIdentityKept,
      movedTo: "", damage: damage)
  }

  /// Lets an identity's numbers continue above all that may have been given.
  private static func seal(
    _ identity: inout DeviceIdentity, in target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    identity.firstSequence = max(identity.reservedBelow, try identity.nextSequence(target))
    identity.reservedBelow = identity.firstSequence
  }

  /// One for each device, in the order in which they began to use the store. Of several versions of
  /// a row the one with the highest reservation counts: a free page may contain an older one.
  static func identities(in pages: StoreImage, isChecked: Bool) -> [DeviceIdentity] {
    var best: [UniqueID: DeviceIdentity] = [:]
    for page in 1...max(1, pages.count) {
      for record in pages.rows(ofPage: page) {
        guard let identity = DeviceIdentity(record, isChecked: isChecked),
          identity.reservedBelow >= best[identity.device]?.reservedBelow ?? 0
        else { continue }
        best[identity.device] = identity
      }
    }
    return best.values.sorted { ($0.number, $0.device.text) < ($1.number, $1.device.text) }
  }

  /// Copies whatever looks like a capture and satisfies the table's constraints. Free pages may
  /// contain an older version of a row: the one that changed last counts or, at the same time, the
  /// one in the later state.
  private static func transfer(
    _ pages: StoreImage, to target: borrowing SQLiteDatabase, of identities: [DeviceIdentity],
    isChecked: Bool
  ) throws(SQLiteError) {
    let way = "'pending inFlight setAside acknowledged'"
    let insert = try target.prepare(
      """
      INSERT OR REPLACE INTO captures (\(CaptureRow.columns), checksum) SELECT \(CaptureRow.values)
      WHERE NOT EXISTS (
        SELECT 1 FROM captures WHERE key = ?1 AND (stateChangedAt > ?3
          OR stateChangedAt = ?3 AND instr(\(way), state) >= instr(\(way), ?2)))
      """)
    for rows in pages.allRows(isChecked: isChecked) {
      for record in rows where CaptureRow.mayBe(record, isChecked: isChecked) {
        let device = CaptureRow.device(of: record)
        let owner = identities.last { $0.device == device } ?? identities.last
        guard let owner else { continue }
        // Without checksums it might be anything that looks like a capture.
        guard isChecked || CaptureRow.sequence(of: record) < Self.bound(owner) else { continue }
        do throws(SQLiteError) {
          try CaptureRow.bind(record, device: device ?? owner.device, to: insert)
          try insert.run()
        } catch {
          // It violates a constraint of the table: it is not one of our captures.
          guard error.kind == .constraint else { throw error }
        }
      }
    }
    try removeUnreadable(target)
  }

  /// All sequence numbers of the device are below this; unlimited for a new identity.
  private static func bound(_ identity: DeviceIdentity) -> Int64 {
    identity.reservedBelow > 1 ? Int64(identity.reservedBelow) : .max
  }

  private static func removeUnreadable(_ target: borrowing SQLiteDatabase) throws(SQLiteError) {
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
}
