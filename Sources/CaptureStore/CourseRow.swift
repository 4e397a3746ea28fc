internal import SQLite
public import TrackerCore

/// Where on the course a capture was taken, as stored.
public struct StoredMark: Sendable, Equatable {
  /// Along the course.
  public var doneMetres: Int32
  public var toGoMetres: Int32
  /// The name of the place that it was taken for or in; `nil`: none.
  public var place: String?
}

/// Rows of the table `marks`: where on the course a capture was taken. There is none for a capture
/// off the course.
enum MarkRow {
  enum Column: Int32, StoreColumn {
    case key, doneMetres, toGoMetres, place

    static let table = "marks"
  }
  private static let insertion = Column.replace

  static func write(
    _ mark: StoredMark, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(key, at: Column.key)
    try row.bind(Int64(mark.doneMetres), at: Column.doneMetres)
    try row.bind(Int64(mark.toGoMetres), at: Column.toGoMetres)
    try row.bind(mark.place, at: Column.place)
    try row.run()
  }

  static func write(
    _ mark: CourseMark, _ name: String?, key: Int64, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let name = kept(name ?? "")
    let mark = StoredMark(
      doneMetres: mark.doneMetres, toGoMetres: mark.toGoMetres, place: name.isEmpty ? nil : name)
    try write(mark, key: key, to: database)
  }

  private static func kept(_ name: String) -> String {
    var kept = ""
    for character in name.prefix(StoreBounds.placeNameCharacters) {
      let next = character.isWhitespace || character == ":" ? " " : character
      guard kept.utf8.count + String(next).utf8.count <= StoreBounds.placeNameBytes else { break }
      kept.append(next)
    }
    return kept
  }

  /// The marks of all captures from one key to another, by key.
  static func marks(
    _ keys: ClosedRange<Int64>, _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> [CaptureKey: StoredMark] {
    let rows = try database.prepare("\(Column.query) AND key BETWEEN ?1 AND ?2")
    try rows.bind(keys.lowerBound, at: 1)
    try rows.bind(keys.upperBound, at: 2)
    var marks: [CaptureKey: StoredMark] = [:]
    while try rows.step() {
      guard let key: UInt32 = rows.number(Column.key),
        let done: Int32 = rows.number(Column.doneMetres),
        let toGo: Int32 = rows.number(Column.toGoMetres)
      else { continue }
      let place = rows.isNull(Column.place) ? nil : rows.text(Column.place)
      marks[CaptureKey(key)] = StoredMark(doneMetres: done, toGoMetres: toGo, place: place)
    }
    return marks
  }
}

extension CaptureStore {
  /// Where on the course a capture was taken; `nil`: it is not known.
  public func mark(of capture: StoredCapture) throws(StoreError) -> StoredMark? {
    try marks(of: [capture])[capture.key]
  }

  /// Where on the course captures were taken, by key, in one query; without those where it is not
  /// known.
  ///
  /// - Parameter captures: neighbours, as of a page: what is between them is read, too.
  public func marks(
    of captures: [StoredCapture]
  ) throws(StoreError) -> [CaptureKey: StoredMark] {
    let keys = captures.map { Int64($0.key.number) }
    guard let first = keys.min(), let last = keys.max() else { return [:] }
    return try stating { () throws(SQLiteError) in try MarkRow.marks(first...last, database) }
  }
}

/// The row of the table `coverage`: where along the course the network was reached, as
/// `CourseCoverage.words`. It has none before anything was found.
enum CoverageRow {
  enum Column: Int32, StoreColumn {
    case id, reachedLow, reachedHigh, silentLow, silentHigh

    static let table = "coverage"
  }

  static func write(
    _ coverage: CourseCoverage, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard !coverage.isEmpty else { return try database.empty("coverage") }
    let words = coverage.words
    let row = try database.prepare(Column.replace, isKept: true)
    try row.bind(1 as Int64, at: Column.id)
    try row.bind(Int64(bitPattern: words[0]), at: Column.reachedLow)
    try row.bind(Int64(bitPattern: words[1]), at: Column.reachedHigh)
    try row.bind(Int64(bitPattern: words[2]), at: Column.silentLow)
    try row.bind(Int64(bitPattern: words[3]), at: Column.silentHigh)
    try row.run()
  }

  static func coverage(
    _ database: borrowing SQLiteDatabase
  ) throws(SQLiteError) -> CourseCoverage {
    let row = try database.prepare(Column.query)
    guard try row.step() else { return CourseCoverage() }
    func word(_ column: Column) -> UInt64 { UInt64(bitPattern: row.integer(column)) }
    return CourseCoverage([
      word(.reachedLow), word(.reachedHigh), word(.silentLow), word(.silentHigh),
    ])
  }
}

/// The row of the table `course`: the tracker's record of the course (`CourseRecord`).
enum CourseRow {
  enum Column: Int32, StoreColumn {
    case id, doneMetres, nextPlace, insidePlace, isFinished
    // The following may be null in records of earlier programs.
    case unseenPlace, knownFromMillimetres, courseFingerprint, latitude, longitude, awayMetres
    case offSeconds
    /// Places without a capture yet, as bits.
    case entered, inferred, leaving
    /// When it was at the position.
    case time, isTimeTrusted, boot, sinceBootMilliseconds
    /// Numbers with blanks between them (`ArrivalForecast.words`); null before anything was
    /// learned.
    case forecast

    static let table = "course"
  }
  private static let insertion = Column.replace

  static func write(
    _ record: CourseRecord?, _ time: MachineTime, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let record else {
      try database.empty("course")
      return try database.empty("coverage")
    }
    let row = try database.prepare(insertion, isKept: true)
    try row.bind(1 as Int64, at: Column.id)
    try row.bind(Int64(record.done), at: Column.doneMetres)
    try row.bind(Int64(record.next), at: Column.nextPlace)
    try row.bind(Int64(record.inside), at: Column.insidePlace)
    try row.bind(record.isFinished, at: Column.isFinished)
    try row.bind(Int64(record.unseen), at: Column.unseenPlace)
    try row.bind(Int64(record.knownFrom), at: Column.knownFromMillimetres)
    try row.bind(record.course.map(Int64.init), at: Column.courseFingerprint)
    try row.bind(record.position.map { Int64($0.latitude) }, at: Column.latitude)
    try row.bind(record.position.map { Int64($0.longitude) }, at: Column.longitude)
    try row.bind(Int64(record.away), at: Column.awayMetres)
    try row.bind(Int64(record.offSeconds), at: Column.offSeconds)
    try row.bind(Int64(bitPattern: record.wanted.entered), at: Column.entered)
    try row.bind(Int64(bitPattern: record.wanted.inferred), at: Column.inferred)
    try row.bind(Int64(bitPattern: record.wanted.left), at: Column.leaving)
    try time.kept(record.at).bind(to: row, from: Column.time)
    try row.bind(words(record.forecast), at: Column.forecast)
    try row.run()
    try CoverageRow.write(record.coverage, to: database)
  }

  /// - Returns: `nil` also for a damaged row.
  static func record(
    _ database: borrowing SQLiteDatabase, _ time: MachineTime
  ) throws(SQLiteError) -> CourseRecord? {
    let row = try database.prepare(Column.query)
    guard try row.step() else { return nil }
    guard let done: Int32 = row.number(Column.doneMetres),
      let next: Int16 = row.number(Column.nextPlace),
      let inside: Int16 = row.number(Column.insidePlace)
    else { return nil }
    var record = CourseRecord(
      done: done, next: next, inside: inside, isFinished: row.integer(Column.isFinished) != 0)
    guard let moment = StoredMoment.read(row, from: Column.time) else { return record }
    guard let unseen: Int16 = row.number(Column.unseenPlace),
      let knownFrom: Int32 = row.number(Column.knownFromMillimetres),
      let away: Int32 = row.number(Column.awayMetres),
      let off: Int32 = row.number(Column.offSeconds)
    else { return nil }
    (record.unseen, record.knownFrom, record.away, record.offSeconds) =
      (unseen, knownFrom, away, off)
    record.course = row.number(Column.courseFingerprint)
    if let latitude: Int32 = row.number(Column.latitude),
      let longitude: Int32 = row.number(Column.longitude)
    {
      record.position = Coordinate(latitude: latitude, longitude: longitude)
    }
    record.wanted = wanted(row)
    record.at = time.moment(moment)
    record.forecast = forecast(row.text(Column.forecast)) ?? ArrivalForecast()
    record.coverage = try CoverageRow.coverage(database)
    return record
  }

  private static func wanted(_ row: borrowing SQLiteStatement) -> WantedPassages {
    func bits(_ column: Column) -> UInt64 { UInt64(bitPattern: row.integer(column)) }
    return WantedPassages(
      entered: bits(.entered), inferred: bits(.inferred), left: bits(.leaving))
  }

  private static func words(_ forecast: ArrivalForecast) -> String? {
    guard forecast != ArrivalForecast() else { return nil }
    let words = forecast.words
    return words.indices.map { "\(words[$0])" }.joined(separator: " ")
  }

  private static func forecast(_ text: String) -> ArrivalForecast? {
    let parts = text.split(separator: " ")
    guard parts.count == ArrivalForecast.wordCount else { return nil }
    var words = ArrivalForecast.Words(repeating: 0)
    for (index, part) in zip(words.indices, parts) {
      guard let word = Int64(part) else { return nil }
      words[index] = word
    }
    return ArrivalForecast(words)
  }

  /// The record once a capture of a passage is stored, which is done in the same transaction: a
  /// power cut before the next record must not lead to a second capture.
  static func settle(
    _ passage: WantedPassages.One, in database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    let row = try database.prepare(Column.query)
    guard try row.step() else { return }
    let before = wanted(row)
    row.reset()
    var wanted = before
    wanted.remove(passage)
    guard wanted != before else { return }
    let change = try database.prepare(
      Column.update([("entered", "?1"), ("inferred", "?2"), ("leaving", "?3")], where: "id = 1"))
    try change.bind(Int64(bitPattern: wanted.entered), at: 1)
    try change.bind(Int64(bitPattern: wanted.inferred), at: 2)
    try change.bind(Int64(bitPattern: wanted.left), at: 3)
    try change.run()
  }

  /// Inserts a row that was found among the bytes of a store, unless there is one that was written
  /// later.
  ///
  /// Within one start of the machine its own time counts, because the date may have been put back;
  /// and a passage's capture takes it off a record without changing the record's date.
  static let insertionIfLater = """
    INSERT OR REPLACE INTO course (\(Column.list), checksum) SELECT \(Column.values)
    WHERE NOT EXISTS (SELECT 1 FROM course WHERE NOT CASE
      WHEN time IS NULL OR \(given(.time)) IS NULL THEN \(given(.time)) IS NOT NULL
      WHEN boot = \(given(.boot)) AND boot <> ''
        AND sinceBootMilliseconds <> \(given(.sinceBootMilliseconds))
        THEN \(given(.sinceBootMilliseconds)) > sinceBootMilliseconds
      WHEN NOT (boot = \(given(.boot)) AND boot <> '') AND time <> \(given(.time))
        THEN \(given(.time)) > time
      ELSE entered | \(given(.entered)) = entered AND inferred | \(given(.inferred)) = inferred
        AND leaving | \(given(.leaving)) = leaving END)
    """

  private static func given(_ column: Column) -> String { "?\(column.parameter)" }
}
