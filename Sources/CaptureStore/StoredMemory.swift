internal import SQLite
public import TrackerCore

// What a tracker has to remember across restarts, apart from its captures.
extension CaptureStore {
  /// Writes orders, session and charge to disk in one transaction, durably. On a full disk a call
  /// for help takes what is spared for it.
  public func remember(_ memory: Memory, at time: MachineTime) throws(StoreError) {
    do throws(StoreError) {
      try write(memory, at: time)
    } catch {
      guard error.kind == .diskFull, memory.emergency?.isStanding ?? false,
        room?.giveUpSpare() ?? false
      else { throw error }
      try write(memory, at: time)
    }
  }

  private func write(_ memory: Memory, at time: MachineTime) throws(StoreError) {
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        try database.prepare("DELETE FROM orders", isKept: true).run()
        if let order = memory.teamOrder { try OrderRow(team: order, time).insert(into: database) }
        if let order = memory.sessionOrder {
          try OrderRow(session: order, time).insert(into: database)
        }
        try ChargeRow.write(memory.charge, time, to: database)
        try CourseRow.write(memory.course, time, to: database)
        try SleepRow.write(memory.sleep, time, to: database)
        try EmergencyRow.write(memory.emergency, time, to: database)
        guard let session = memory.session else {
          return try database.empty("sessions")
        }
        try SessionRow(session, time).insert(into: database)
        let old = try database.prepare("DELETE FROM sessions WHERE number <= ?", isKept: true)
        try old.bind(Int64(session.number) - StoreBounds.sessionsKept, at: 1)
        try old.run()
      }
    }
  }

  /// What was remembered last. Damaged rows are left out: a tracker without an order follows its
  /// configuration.
  public func memory(at time: MachineTime) throws(StoreError) -> Memory {
    try stating { () throws(SQLiteError) in
      var memory = Memory()
      let orders = try database.prepare(OrderRow.Column.query)
      while try orders.step() {
        guard let row = OrderRow(orders) else { continue }
        switch row.key {
        case .team: memory.teamOrder = row.team(time)
        case .session: memory.sessionOrder = row.session(time)
        }
      }
      let sessions = try database.prepare(
        """
        SELECT \(SessionRow.Column.list), \(SessionRow.Column.isWhole) FROM sessions
        ORDER BY number DESC LIMIT 1
        """)
      // If the last one is damaged, earlier ones do not count either.
      if try sessions.step(), sessions.integer(Int32(SessionRow.Column.count)) == 1 {
        memory.session = SessionRow(sessions)?.record(time)
      }
      sessions.reset()
      memory.charge = try ChargeRow.read(database, time)
      memory.course = try CourseRow.record(database, time)
      memory.sleep = try SleepRow.read(database, time)
      memory.emergency = try EmergencyRow.read(database, time)
      return memory
    }
  }
}

/// Copies orders, sessions and the record of the course from one store to another, within a
/// transaction.
enum StoredMemory {
  /// What people ordered; the record of the course goes with it.
  private static let orders: [any StoreColumn.Type] = [
    OrderRow.Column.self, SessionRow.Column.self, SettingOrderRow.Column.self,
  ]

  static func isEmpty(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> Bool {
    for columns in orders {
      let first = try database.integer("SELECT 1 FROM \(columns.table) LIMIT 1")
      if first != nil { return false }
    }
    return true
  }

  /// Replaces what `target` remembers with what `source` remembers.
  static func copy(
    _ source: borrowing SQLiteDatabase, to target: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    for columns in orders + [
      CourseRow.Column.self, CoverageRow.Column.self, EmergencyRow.Column.self,
      MessageRow.Column.self, OutcomeRow.Column.self,
    ] {
      try target.execute("DELETE FROM \(columns.table)")
      let rows = try source.prepare(columns.query)
      let insert = try target.prepare(columns.insert)
      while try rows.step() {
        for column in 0..<Int32(columns.count) { try insert.bind(rows, column, at: column + 1) }
        try insert.run()
      }
    }
  }

  /// Lets a second store continue from the first one: with its orders and its session, and with a
  /// new device.
  ///
  /// This is done once. If the first does not know the second store's device, that device has
  /// captured since, and what it remembers is newer. If the first knows it, it was taken over,
  /// except for captures that had no room; the first has continued since, and the next device
  /// begins.
  static func inherit(
    _ first: borrowing SQLiteDatabase, by second: borrowing SQLiteDatabase, at now: UTC
  ) throws(SQLiteError) {
    let known = try DeviceIdentity.all(first)
    let last = try DeviceIdentity.all(second).last
    guard last == nil || known.contains(where: { $0.device == last?.device }) else { return }
    try second.transaction { () throws(SQLiteError) in
      try copy(first, to: second)
      try NoteRow.copy(first, to: second)
      var next = DeviceIdentity(device: try .made(for: second.path), madeAt: now)
      next.number = (last?.number ?? 0) + 1
      next.board = last?.board ?? BoardSerials()
      try next.write(to: second)
    }
  }
}

/// The clocks of a machine at one moment, by which a store keeps moments across restarts.
public struct MachineTime: Sendable, Equatable {
  /// Identifies one boot of a machine; empty when unknown.
  public var boot: String
  /// The tracker's clock.
  public var now: Instant
  public var sinceBoot: Milliseconds
  /// The machine's date: 1970 after a boot without a network.
  public var date: UTC
  /// How much faster the tracker's clock runs.
  public var speed: Int64

  public init(
    boot: String, now: Instant, sinceBoot: Milliseconds, date: UTC, speed: Int64 = 1
  ) {
    self.boot = boot
    self.now = now
    self.sinceBoot = sinceBoot
    self.date = date
    self.speed = max(1, speed)
  }

  func kept(_ moment: Moment) -> StoredMoment {
    let past = moment.at.map { Milliseconds((now - $0).count / speed) } ?? 0
    return StoredMoment(
      time: moment.utc ?? date + (0 - past), isTrusted: moment.utc != nil,
      boot: moment.at == nil ? "" : boot, sinceBoot: sinceBoot - past)
  }

  func moment(_ kept: StoredMoment) -> Moment {
    var moment = Moment(utc: kept.isTrusted ? kept.time : nil)
    if !boot.isEmpty, kept.boot == boot {
      let (past, isTooLong) = (sinceBoot - kept.sinceBoot).count
        .multipliedReportingOverflow(by: speed)
      if !isTooLong { moment.at = now - Milliseconds(past) }
    }
    return moment
  }
}

/// A moment as stored in four columns that follow each other.
struct StoredMoment: Sendable, Equatable {
  var time: UTC
  var isTrusted: Bool
  var boot: String
  var sinceBoot: Milliseconds

  /// - Parameter first: the column of the time; those of whether it is trusted, of the boot and of
  ///   the time since it follow.
  static func read(
    _ row: borrowing SQLiteStatement, from first: some StoreColumn
  ) -> StoredMoment? {
    let column = first.rawValue
    guard !row.isNull(column) else { return nil }
    return StoredMoment(
      time: UTC(milliseconds: row.integer(column)), isTrusted: row.integer(column + 1) != 0,
      boot: row.text(column + 2), sinceBoot: Milliseconds(row.integer(column + 3)))
  }

  func bind(
    to row: borrowing SQLiteStatement, from first: some StoreColumn
  ) throws(SQLiteError) {
    let place = first.parameter
    try row.bind(time.milliseconds, at: place)
    try row.bind(isTrusted ? 1 as Int64 : 0, at: place + 1)
    try row.bind(boot, at: place + 2)
    try row.bind(sinceBoot.count, at: place + 3)
  }
}

/// The row of the table `battery`: the charge as it was last estimated.
///
/// A second store does not take it over, and nothing of it is salvaged: the first measurement
/// replaces it.
enum ChargeRow {
  private enum Column: Int32, StoreColumn {
    case id, chargeMillionths, deviationMillionths, drainMillionths, drainDeviationMillionths
    case time, isTimeTrusted, boot, sinceBootMilliseconds
    case covarianceBillionths, biasMillionths, contradictions, heldMillionths
    case finalContactMillionths, unmeasuredMilliseconds

    static let table = "battery"
  }
  private static let insertion = Column.replace

  static func write(
    _ charge: ChargeRecord?, _ time: MachineTime, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let charge else { return try database.empty("battery") }
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(1 as Int64, at: Column.id)
    try row.bind(Int64(charge.charge), at: Column.chargeMillionths)
    try row.bind(Int64(charge.deviation), at: Column.deviationMillionths)
    try row.bind(Int64(charge.drain), at: Column.drainMillionths)
    try row.bind(Int64(charge.drainDeviation), at: Column.drainDeviationMillionths)
    try time.kept(charge.at).bind(to: row, from: Column.time)
    try row.bind(Int64(charge.covarianceBillionths), at: Column.covarianceBillionths)
    try row.bind(Int64(charge.bias), at: Column.biasMillionths)
    try row.bind(Int64(charge.contradictions), at: Column.contradictions)
    try row.bind(Int64(charge.held), at: Column.heldMillionths)
    try row.bind(charge.finalContact.map { Int64($0) }, at: Column.finalContactMillionths)
    try row.bind(Int64(charge.unmeasuredMilliseconds), at: Column.unmeasuredMilliseconds)
    try row.run()
  }

  /// - Returns: `nil` also for a damaged row.
  static func read(
    _ database: borrowing SQLiteDatabase, _ time: MachineTime
  ) throws(SQLiteError) -> ChargeRecord? {
    let row = try database.prepare(Column.query)
    guard try row.step(), let moment = StoredMoment.read(row, from: Column.time) else {
      return nil
    }
    return ChargeRecord(
      charge: Int32(clamping: row.integer(Column.chargeMillionths)),
      deviation: Int32(clamping: row.integer(Column.deviationMillionths)),
      drain: Int32(clamping: row.integer(Column.drainMillionths)),
      drainDeviation: Int32(clamping: row.integer(Column.drainDeviationMillionths)),
      at: time.moment(moment),
      covarianceBillionths: Int32(clamping: row.integer(Column.covarianceBillionths)),
      bias: Int32(clamping: row.integer(Column.biasMillionths)),
      contradictions: Int8(clamping: row.integer(Column.contradictions)),
      held: Int32(clamping: row.integer(Column.heldMillionths)),
      finalContact: row.number(Column.finalContactMillionths),
      unmeasuredMilliseconds: Int32(clamping: row.integer(Column.unmeasuredMilliseconds)))
  }
}

/// The row of the table `sleep`: where the tracker stood when it had its machine halted.
///
/// A second store does not take it over, and nothing of it is salvaged: then the start is one as
/// after a power cut.
enum SleepRow {
  private enum Column: Int32, StoreColumn {
    case id, alarmMilliseconds, captureMilliseconds, contactMilliseconds, floorMilliseconds
    case capturedMilliseconds, latitude, longitude, failedContacts, capturePercent, contactPercent
    case time, isTimeTrusted, boot, sinceBootMilliseconds
    case spentMillionths, plannedMillionths

    static let table = "sleep"
  }
  private static let insertion = Column.replace

  static func write(
    _ sleep: SleepRecord?, _ time: MachineTime, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let sleep else { return try database.empty("sleep") }
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(1 as Int64, at: Column.id)
    try row.bind(sleep.alarm.count, at: Column.alarmMilliseconds)
    try row.bind(sleep.capture.count, at: Column.captureMilliseconds)
    try row.bind(sleep.contact.count, at: Column.contactMilliseconds)
    try row.bind(sleep.floor.count, at: Column.floorMilliseconds)
    try row.bind(sleep.captured.count, at: Column.capturedMilliseconds)
    try row.bind(Int64(sleep.position.latitude), at: Column.latitude)
    try row.bind(Int64(sleep.position.longitude), at: Column.longitude)
    try row.bind(Int64(sleep.failedContacts), at: Column.failedContacts)
    try row.bind(Int64(sleep.capturePercent), at: Column.capturePercent)
    try row.bind(Int64(sleep.contactPercent), at: Column.contactPercent)
    try time.kept(sleep.at).bind(to: row, from: Column.time)
    try row.bind(Int64(sleep.spent), at: Column.spentMillionths)
    try row.bind(Int64(sleep.planned), at: Column.plannedMillionths)
    try row.run()
  }

  /// - Returns: `nil` also for a damaged row.
  static func read(
    _ database: borrowing SQLiteDatabase, _ time: MachineTime
  ) throws(SQLiteError) -> SleepRecord? {
    let row = try database.prepare(Column.query)
    guard try row.step(), let kept = StoredMoment.read(row, from: Column.time),
      let latitude: Int32 = row.number(Column.latitude),
      let longitude: Int32 = row.number(Column.longitude)
    else { return nil }
    return SleepRecord(
      at: time.momentAcrossHalt(kept),
      alarm: Milliseconds(row.integer(Column.alarmMilliseconds)),
      capture: Milliseconds(row.integer(Column.captureMilliseconds)),
      contact: Milliseconds(row.integer(Column.contactMilliseconds)),
      floor: Milliseconds(row.integer(Column.floorMilliseconds)),
      captured: Milliseconds(row.integer(Column.capturedMilliseconds)),
      position: Coordinate(latitude: latitude, longitude: longitude),
      failedContacts: Int32(clamping: row.integer(Column.failedContacts)),
      capturePercent: Int32(clamping: row.integer(Column.capturePercent)),
      contactPercent: Int32(clamping: row.integer(Column.contactPercent)),
      spent: Int32(clamping: row.integer(Column.spentMillionths)),
      planned: Int32(clamping: row.integer(Column.plannedMillionths)))
  }
}

extension MachineTime {
  /// A machine that its own clock has woken has kept its date, so that a moment of an earlier boot
  /// is known as well. One too long ago was not followed by an alarm.
  fileprivate func momentAcrossHalt(_ kept: StoredMoment) -> Moment {
    var moment = moment(kept)
    let (past, isTooLong) = (date - kept.time).count.multipliedReportingOverflow(by: speed)
    if moment.at == nil, !isTooLong, (0...StoreBounds.longestHalt.count).contains(past) {
      moment.at = now - Milliseconds(past)
    }
    return moment
  }
}
