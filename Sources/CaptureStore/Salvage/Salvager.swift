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
      INSERT OR REPLACE INTO captures (\(CaptureColumn.list), checksum)
      SELECT \(CaptureColumn.values)
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

// Orders, sessions, and what became of captures and of the course, read without SQLite.
extension Salvager {
  /// Copies orders, sessions and histories, after the captures. A row that only looks like one of
  /// these violates a constraint of the table, or is left out when it is read.
  static func transferMemory(
    _ pages: StoreImage, to target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    // Free pages may contain older rows: of two orders for the same key the later one counts.
    let order = try target.prepare(
      """
      INSERT OR REPLACE INTO orders (\(OrderRow.Column.list), checksum)
      SELECT \(OrderRow.Column.values)
      WHERE NOT EXISTS (SELECT 1 FROM orders WHERE key = ?1 AND time > ?4)
      """)
    let session = try target.prepare(SessionRow.Column.replace)
    let setting = try target.prepare(
      """
      INSERT OR REPLACE INTO settingOrders (\(SettingOrderRow.Column.list), checksum)
      SELECT \(SettingOrderRow.Column.values) WHERE NOT EXISTS (
        SELECT 1 FROM settingOrders WHERE (path = ?2 OR number = ?1) AND time > ?5)
      """)
    // Steps are only added.
    let history = try target.prepare(
      """
      INSERT OR REPLACE INTO history (\(HistoryRow.Column.list), checksum)
      SELECT \(HistoryRow.Column.values) WHERE NOT EXISTS (
        SELECT 1 FROM history WHERE key = ?1 AND length(steps) >= length(?2))
      """)
    let mark = try target.prepare(MarkRow.Column.replace)
    let course = try target.prepare(CourseRow.insertionIfLater)
    let emergency = try target.prepare(EmergencyRow.insertionIfLater)
    let message = try target.prepare(MessageRow.Column.replace)
    let note = try target.prepare(NoteRow.insertionIfLater)
    let outcome = try target.prepare(OutcomeRow.Column.replace)
    let isUnchecked = (1..<Schema.Migration.moreChecksums.version).contains(pages.version)
    for page in 1...max(1, pages.count) {
      for var record in pages.rows(ofPage: page) where isUnchecked || record.isWhole {
        // The checksum is the last column.
        if !isUnchecked { record.values.removeLast() }
        // A row's key is stored outside the row, which has null instead.
        let hasKey = if case .null? = record.values.first { true } else { false }
        do throws(SQLiteError) {
          switch record.values.count {
          case OrderRow.Column.count
          where record.text(0).flatMap(OrderKey.init(word:)) != nil:
            try record.insert(with: order)
          case SessionRow.Column.count where hasKey: try record.insert(with: session)
          // It has as many columns as the next one.
          case EmergencyRow.Column.count
          where hasKey && !isUnchecked && EmergencyRow.mayBe(record):
            try record.insert(with: emergency)
          case MessageRow.Column.count where hasKey && !isUnchecked && MessageRow.mayBe(record):
            try record.insert(with: message)
          case NoteRow.Column.count where hasKey && !isUnchecked && NoteRow.mayBe(record):
            try record.insert(with: note)
          case OutcomeRow.Column.count where hasKey && !isUnchecked && OutcomeRow.mayBe(record):
            try record.insert(with: outcome)
          case SettingOrderRow.Column.count where hasKey && !isUnchecked:
            try record.insert(with: setting)
          case MarkRow.Column.count where hasKey && !isUnchecked:
            try record.insert(with: mark)
          case CourseRow.Column.count where hasKey && !isUnchecked:
            try record.insert(with: course)
          case HistoryRow.Column.count where hasKey && !isUnchecked:
            guard let words = record.text(HistoryRow.Column.steps.index) else { break }
            if HistoryWords.areSteps(words) {
              try record.insert(with: history)
            } else {
              try HistoryWords.move(words, key: record.row, to: target)
            }
          default: break
          }
        } catch {
          guard error.kind == .constraint else { throw error }
        }
      }
    }
    try HistoryRow.removeOrphans(target)
  }
}

extension RawRecord {
  /// Runs a statement with the row's values as its parameters.
  fileprivate func insert(with statement: borrowing SQLiteStatement) throws(SQLiteError) {
    for (column, value) in values.enumerated() {
      let place = Int32(column + 1)
      switch value {
      case .null, .other: try statement.bindNull(at: place)
      case .integer(let number): try statement.bind(number, at: place)
      case .bytes(let bytes): try statement.bind(text: Array(bytes), at: place)
      }
    }
    if case .null? = values.first { try statement.bind(row, at: 1) }
    try statement.run()
  }
}

// Rows read without SQLite.
extension CaptureRow {
  /// The number of columns in the first version; the second added the attempts, the third the
  /// device.
  private static let firstCount = 18

  /// Whether it has the form of a capture, of this version or, if the rows have no checksums yet,
  /// an earlier one.
  static func mayBe(_ record: RawRecord, isChecked: Bool) -> Bool {
    let count = record.values.count
    return
      (isChecked
      ? count == CaptureColumn.count + 1 && record.isWhole
      : [firstCount, firstCount + 1, CaptureColumn.count].contains(count))
      // The key is stored outside the row, which has null instead.
      && record.integer(CaptureColumn.key.index) == nil
      && record.text(CaptureColumn.key.index) == nil
      && record.text(CaptureColumn.state.index).flatMap(CaptureState.init(rawValue:)) != nil
  }

  /// - Parameter device: the device for rows of earlier versions.
  static func bind(
    _ record: RawRecord, device: UniqueID, to statement: borrowing SQLiteStatement
  ) throws(SQLiteError) {
    try statement.bind(record.row, at: CaptureColumn.key)
    for column in CaptureColumn.allCases.dropFirst() {
      guard column.index < record.values.count else {
        if column == .device {
          try statement.bind(device.text, at: column)
        } else if column == .sequence {
          try statement.bind(record.row, at: column)
        } else if column == .globalID {
          try statement.bindNull(at: column)
        } else {
          try statement.bind(0, at: column)
        }
        continue
      }
      switch record.values[column.index] {
      case .null: try statement.bindNull(at: column)
      case .integer(let number): try statement.bind(number, at: column)
      case .bytes(let bytes): try statement.bind(text: Array(bytes), at: column.parameter)
      case .other: try statement.bindNull(at: column)
      }
    }
  }

  /// In earlier versions the sequence number was the key.
  static func sequence(of record: RawRecord) -> Int64 {
    record.values.count >= CaptureColumn.count
      ? record.integer(CaptureColumn.sequence.index) ?? .max : record.row
  }

  /// The device of a row of this version.
  static func device(of record: RawRecord) -> UniqueID? {
    guard record.values.count >= CaptureColumn.count else { return nil }
    return record.text(CaptureColumn.device.index).flatMap(UniqueID.init)
  }
}

extension DeviceIdentity {
  /// A row of the table `identities`, or of `identity` in earlier versions; `nil` for any other.
  ///
  /// - Parameter isChecked: whether the store's rows have checksums; then only those that agree
  ///   count.
  init?(_ record: RawRecord, isChecked: Bool) {
    let count = record.values.count
    // Since the third version `number` is the row's key, and null in the row.
    let first = count >= 8 ? 1 : 0
    guard isChecked ? count == 9 && record.isWhole : count == 8 || count == 4,
      first == 0 || (record.integer(0) == nil && record.text(0) == nil),
      let text = record.text(first), text.utf8.count == 36, let device = UniqueID(text: text),
      let madeAt = record.integer(first + 1),
      let firstSequence = record.integer(first + 2).flatMap(UInt32.init(exactly:)),
      firstSequence > 0,
      let reserved = record.integer(first + 3).flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(
      device: device, madeAt: UTC(milliseconds: madeAt), firstSequence: firstSequence,
      reservedBelow: reserved)
    guard first == 1 else { return }
    number = max(1, record.row)
    board = BoardSerials(
      deviceTree: record.text(5), firmware: record.text(6), installation: record.text(7))
  }
}
