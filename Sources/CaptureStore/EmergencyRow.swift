internal import SQLite
internal import TrackerCore

/// The row of the table `emergency`: the current or the last one. It is salvaged from a damaged
/// file, and a second store takes it over, as orders are.
enum EmergencyRow {
  enum Column: Int32, StoreColumn {
    case id, stage, origin, firstSequence, person, answeredAt
    case time, isTimeTrusted, boot, sinceBootMilliseconds

    static let table = "emergency"
  }
  private static let insertion = Column.replace

  /// For rows read without SQLite: free pages may contain older ones.
  static let insertionIfLater = """
    INSERT OR REPLACE INTO emergency (\(Column.list), checksum) SELECT \(Column.values)
    WHERE NOT EXISTS (SELECT 1 FROM emergency WHERE firstSequence > ?4 OR firstSequence = ?4
      AND instr('\(words)', stage) > instr('\(words)', ?2))
    """
  private static let words = EmergencyRecord.Stage.all.map(\.word).joined(separator: " ")

  static func mayBe(_ record: RawRecord) -> Bool {
    record.text(Column.stage.index).flatMap(EmergencyRecord.Stage.init(word:)) != nil
  }

  static func write(
    _ emergency: EmergencyRecord?, _ time: MachineTime, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let emergency else { return try database.empty("emergency") }
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(1 as Int64, at: Column.id)
    try row.bind(emergency.stage.word, at: Column.stage)
    try row.bind(emergency.origin.word, at: Column.origin)
    try row.bind(Int64(emergency.firstSequence), at: Column.firstSequence)
    let person = String(decoding: emergency.person.bytes, as: UTF8.self)
    try row.bind(person, at: Column.person)
    try row.bind(emergency.answered?.milliseconds, at: Column.answeredAt)
    try time.kept(emergency.raised).bind(to: row, from: Column.time)
    try row.run()
  }

  /// - Returns: `nil` also for a damaged row.
  static func read(
    _ database: borrowing SQLiteDatabase, _ time: MachineTime
  ) throws(SQLiteError) -> EmergencyRecord? {
    let row = try database.prepare(Column.query)
    guard try row.step(), let stage = EmergencyRecord.Stage(word: row.text(Column.stage)),
      let origin = Origin(word: row.text(Column.origin)),
      let sequence: UInt32 = row.number(Column.firstSequence),
      let kept = StoredMoment.read(row, from: Column.time)
    else { return nil }
    let answered: Int64? = row.number(Column.answeredAt)
    return EmergencyRecord(
      stage: stage, raised: time.moment(kept), origin: origin, firstSequence: sequence,
      person: InlineText(Array(row.text(Column.person).utf8).span),
      answered: answered.map { UTC(milliseconds: $0) })
  }
}

extension EmergencyRecord.Stage {
  /// In their order.
  fileprivate static let all = Array(
    sequence(first: Self.raised) { Self(rawValue: $0.rawValue + 1) })
  fileprivate var word: String { "\(name)" }

  fileprivate init?(word: String) {
    guard let stage = Self.all.first(where: { $0.word == word }) else { return nil }
    self = stage
  }
}
