internal import SQLite
public import TrackerCore

/// One row of the table `orders`.
struct OrderRow {
  enum Column: Int32, StoreColumn {
    case key, value, origin, time, isTimeTrusted, boot, sinceBootMilliseconds, session, configured

    static let table = "orders"
  }
  private static let insertion = Column.insert

  var key: OrderKey
  /// A team's name may contain any bytes.
  var value: [UInt8]
  var origin: Origin
  var given: StoredMoment
  var number: UInt32
  var configured: [UInt8]

  init(team order: Order<InlineText<64>>, _ time: MachineTime) {
    key = .team
    value = order.value.bytes
    origin = order.origin
    given = time.kept(order.given)
    number = order.session
    configured = order.configured.bytes
  }

  init(session order: Order<Bool>, _ time: MachineTime) {
    key = .session
    value = Array((order.value ? Self.start : Self.stop).utf8)
    origin = order.origin
    given = time.kept(order.given)
    number = order.session
    configured = Array((order.configured ? Self.yes : Self.no).utf8)
  }

  private static let start = "start"
  private static let stop = "stop"
  private static let yes = "true"
  private static let no = "false"

  /// The current row; `nil` when a value is impossible, as in a damaged file.
  init?(_ row: borrowing SQLiteStatement) {
    guard let key = OrderKey(word: row.text(Column.key)),
      let origin = Origin(word: row.text(Column.origin)),
      let given = StoredMoment.read(row, from: Column.time),
      let number = UInt32(exactly: row.integer(Column.session)),
      key != .session || [Self.start, Self.stop].contains(row.text(Column.value))
    else { return nil }
    self.key = key
    value = row.bytes(Column.value)
    self.origin = origin
    self.given = given
    self.number = number
    configured = row.bytes(Column.configured)
  }

  func team(_ time: MachineTime) -> Order<InlineText<64>> {
    Order(
      InlineText(value.span), from: origin, given: time.moment(given), session: number,
      configured: InlineText(configured.span))
  }

  func session(_ time: MachineTime) -> Order<Bool> {
    Order(
      value == Array(Self.start.utf8), from: origin, given: time.moment(given), session: number,
      configured: configured == Array(Self.yes.utf8))
  }

  func insert(into database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let row = try database.prepare(Self.insertion, isKept: true)
    try row.bind(key.word, at: Column.key)
    try row.bind(text: value, at: Column.value)
    try row.bind(origin.word, at: Column.origin)
    try given.bind(to: row, from: Column.time)
    try row.bind(Int64(number), at: Column.session)
    try row.bind(text: configured, at: Column.configured)
    try row.run()
  }
}

/// One row of the table `sessions`.
struct SessionRow {
  enum Column: Int32, StoreColumn {
    case number, isOrdered, startedAt, isStartTrusted, startBoot, startSinceBootMilliseconds
    case ending, endedAt, isEndTrusted, endBoot, endSinceBootMilliseconds

    static let table = "sessions"
  }
  static let insertion = Column.replace

  var number: UInt32
  var isOrdered: Bool
  var begun: StoredMoment
  var ending: SessionRecord.Ending?
  var ended: StoredMoment?

  init(_ session: SessionRecord, _ time: MachineTime) {
    number = session.number
    isOrdered = session.isOrdered
    begun = time.kept(session.begun)
    ending = session.ending
    ended = session.ending == nil ? nil : time.kept(session.ended)
  }

  /// The current row; `nil` when a value is impossible.
  init?(_ row: borrowing SQLiteStatement) {
    guard let number = UInt32(exactly: row.integer(Column.number)), number > 0,
      let begun = StoredMoment.read(row, from: Column.startedAt),
      row.isNull(Column.ending) || SessionRecord.Ending(word: row.text(Column.ending)) != nil
    else { return nil }
    self.number = number
    isOrdered = row.integer(Column.isOrdered) != 0
    self.begun = begun
    ending = SessionRecord.Ending(word: row.text(Column.ending))
    ended = StoredMoment.read(row, from: Column.endedAt)
  }

  func record(_ time: MachineTime) -> SessionRecord {
    let ended = ending == nil ? nil : ended
    return SessionRecord(
      number: number, begun: time.moment(begun), isOrdered: isOrdered, ending: ending,
      ended: ended.map { time.moment($0) } ?? Moment())
  }

  func insert(into database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let row = try database.prepare(Self.insertion, isKept: true)
    try row.bind(Int64(number), at: Column.number)
    try row.bind(isOrdered, at: Column.isOrdered)
    try begun.bind(to: row, from: Column.startedAt)
    try row.bind(ending?.word, at: Column.ending)
    // Unbound columns are null.
    try ended?.bind(to: row, from: Column.endedAt)
    try row.run()
  }
}

extension InlineText {
  var bytes: [UInt8] { (0..<count).map { self[$0] } }
}

// The names in the file for the core's cases. Never change them: existing files contain them.

extension OrderKey {
  var word: String {
    switch self {
    case .team: "team"
    case .session: "session"
    }
  }

  init?(word: String) {
    switch word {
    case "team": self = .team
    case "session": self = .session
    default: return nil
    }
  }
}

extension Origin {
  var word: String {
    switch self {
    case .socket: "socket"
    case .console: "console"
    case .button: "button"
    case .script: "script"
    case .room: "room"
    }
  }

  init?(word: String) {
    switch word {
    case "socket": self = .socket
    case "console": self = .console
    case "button": self = .button
    case "script": self = .script
    case "room": self = .room
    default: return nil
    }
  }
}

extension SessionRecord.Ending {
  var word: String {
    switch self {
    case .stopped: "stopped"
    case .finished: "finished"
    }
  }

  init?(word: String) {
    switch word {
    case "stopped": self = .stopped
    case "finished": self = .finished
    default: return nil
    }
  }
}

/// A person's order to use another value than the configuration file's for one setting.
public struct SettingOrder: Sendable, Equatable {
  /// The setting's place in the file: `capture.interval`.
  public var path: String
  /// As written in a file.
  public var value: String
  public var who: String
  public var given: Moment
  /// The number of the session that it is for.
  public var session: UInt32
  /// The file's value when it was given; empty: none.
  public var configured: String

  public init(
    path: String, value: String, who: String, given: Moment, session: UInt32, configured: String
  ) {
    self.path = path
    self.value = value
    self.who = who
    self.given = given
    self.session = session
    self.configured = configured
  }
}

extension CaptureStore {
  /// Writes the orders about settings that are in force to disk in one transaction, durably.
  ///
  /// - Parameter orders: in the order in which they were given, at most one for each path.
  public func remember(_ orders: [SettingOrder], at time: MachineTime) throws(StoreError) {
    try stating { () throws(SQLiteError) in
      try database.transaction { () throws(SQLiteError) in
        try database.execute("DELETE FROM settingOrders")
        for (index, order) in orders.enumerated() {
          try SettingOrderRow.insert(order, number: Int64(index + 1), time, into: database)
        }
      }
    }
  }

  /// The orders about settings in the order in which they were given. Damaged rows are left out:
  /// there the file's value applies.
  public func settingOrders(at time: MachineTime) throws(StoreError) -> [SettingOrder] {
    try stating { () throws(SQLiteError) in
      let rows = try database.prepare("\(SettingOrderRow.Column.query) ORDER BY number")
      var orders: [SettingOrder] = []
      while try rows.step() {
        guard let order = SettingOrderRow.read(rows, time) else { continue }
        // A salvaged file may have earlier ones, too.
        orders.removeAll { $0.path == order.path }
        orders.append(order)
      }
      return orders
    }
  }
}

/// One row of the table `settingOrders`.
enum SettingOrderRow {
  enum Column: Int32, StoreColumn {
    case number, path, value, who, time, isTimeTrusted, boot, sinceBootMilliseconds, session
    case configured

    static let table = "settingOrders"
  }
  private static let insertion = Column.insert

  static func insert(
    _ order: SettingOrder, number: Int64, _ time: MachineTime,
    into database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(number, at: Column.number)
    try row.bind(order.path, at: Column.path)
    try row.bind(order.value, at: Column.value)
    try row.bind(order.who, at: Column.who)
    try time.kept(order.given).bind(to: row, from: Column.time)
    try row.bind(Int64(order.session), at: Column.session)
    try row.bind(order.configured, at: Column.configured)
    try row.run()
  }

  /// The current row; `nil` when a value is impossible.
  static func read(_ row: borrowing SQLiteStatement, _ time: MachineTime) -> SettingOrder? {
    guard let given = StoredMoment.read(row, from: Column.time),
      let session = UInt32(exactly: row.integer(Column.session))
    else { return nil }
    return SettingOrder(
      path: row.text(Column.path), value: row.text(Column.value), who: row.text(Column.who),
      given: time.moment(given), session: session, configured: row.text(Column.configured))
  }
}
