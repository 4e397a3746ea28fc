internal import SQLite
public import TrackerCore

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

  /// For a simulated run, whose store is not used again.
  public init(now: Instant, date: UTC) {
    self.init(boot: "", now: now, sinceBoot: 0, date: date)
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

/// A moment as stored in four columns.
struct StoredMoment: Sendable, Equatable {
  var time: UTC
  var isTrusted: Bool
  var boot: String
  var sinceBoot: Milliseconds

  static func read(_ row: borrowing SQLiteStatement, from column: Int32) -> StoredMoment? {
    guard !row.isNull(column) else { return nil }
    return StoredMoment(
      time: UTC(milliseconds: row.integer(column)), isTrusted: row.integer(column + 1) != 0,
      boot: row.text(column + 2), sinceBoot: Milliseconds(row.integer(column + 3)))
  }

  func bind(to row: borrowing SQLiteStatement, at place: Int32) throws(SQLiteError) {
    try row.bind(time.milliseconds, at: place)
    try row.bind(isTrusted ? 1 as Int64 : 0, at: place + 1)
    try row.bind(boot, at: place + 2)
    try row.bind(sinceBoot.count, at: place + 3)
  }
}
