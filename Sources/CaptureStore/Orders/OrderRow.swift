internal import SQLite
internal import TrackerCore

/// One row of the table `orders`. Only this type knows the column order.
struct OrderRow {
  static let columns = """
    key, value, origin, time, isTimeTrusted, boot, sinceBootMilliseconds, session, configured
    """
  static let columnCount = 9
  private static let insertion = """
    INSERT INTO orders (\(columns), checksum) VALUES (\(CheckedRow.values(columnCount)))
    """

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
    guard let key = OrderKey(word: row.text(0)), let origin = Origin(word: row.text(2)),
      let given = StoredMoment.read(row, from: 3), let number = UInt32(exactly: row.integer(7)),
      key != .session || [Self.start, Self.stop].contains(row.text(1))
    else { return nil }
    self.key = key
    value = row.bytes(1)
    self.origin = origin
    self.given = given
    self.number = number
    configured = row.bytes(8)
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
    try row.bind(key.word, at: 1)
    try row.bind(text: value, at: 2)
    try row.bind(origin.word, at: 3)
    try given.bind(to: row, at: 4)
    try row.bind(Int64(number), at: 8)
    try row.bind(text: configured, at: 9)
    try row.run()
  }
}

/// One row of the table `sessions`.
struct SessionRow {
  static let columns = """
    number, isOrdered, startedAt, isStartTrusted, startBoot, startSinceBootMilliseconds, ending, \
    endedAt, isEndTrusted, endBoot, endSinceBootMilliseconds
    """
  static let columnCount = 11
  private static let insertion = """
    INSERT OR REPLACE INTO sessions (\(columns), checksum)
    VALUES (\(CheckedRow.values(columnCount)))
    """

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
    guard let number = UInt32(exactly: row.integer(0)), number > 0,
      let begun = StoredMoment.read(row, from: 2),
      row.isNull(6) || SessionRecord.Ending(word: row.text(6)) != nil
    else { return nil }
    self.number = number
    isOrdered = row.integer(1) != 0
    self.begun = begun
    ending = SessionRecord.Ending(word: row.text(6))
    ended = StoredMoment.read(row, from: 7)
  }

  func record(_ time: MachineTime) -> SessionRecord {
    let ended = ending == nil ? nil : ended
    return SessionRecord(
      number: number, begun: time.moment(begun), isOrdered: isOrdered, ending: ending,
      ended: ended.map { time.moment($0) } ?? Moment())
  }

  func insert(into database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let row = try database.prepare(Self.insertion, isKept: true)
    try row.bind(Int64(number), at: 1)
    try row.bind(isOrdered ? 1 as Int64 : 0, at: 2)
    try begun.bind(to: row, at: 3)
    try row.bind(ending?.word, at: 7)
    // Unbound columns are null.
    try ended?.bind(to: row, at: 8)
    try row.run()
  }
}

extension InlineText {
  fileprivate var bytes: [UInt8] { (0..<count).map { self[$0] } }
}
