internal import SQLite
internal import TrackerCore

// A tracker's record of its course: one word of numbers with colons between them,
//
//     c12000:3:-1:0                            earlier programs wrote these only
//     :next unseen place:known from:course:latitude:longitude:away:off
//     :entered:inferred:left                   without a capture, as bits
//     :date:is trusted:since boot:boot         of the position
//     :27 words of the forecast                none before it has learned anything
//
// An empty part is a value that is not known.
extension CourseRow {
  private static let oldCount = 4
  private static let count = 18

  static func write(
    _ record: CourseRecord?, _ time: MachineTime, to database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard let record else {
      return try database.execute("DELETE FROM history WHERE key = \(recordKey)")
    }
    try write(
      "c" + parts(record, time).joined(separator: ":"), key: recordKey, to: database)
  }

  static func record(
    _ database: borrowing SQLiteDatabase, _ time: MachineTime
  ) throws(SQLiteError) -> CourseRecord? {
    try words(recordKey, "c", database).flatMap { record($0, time) }
  }

  /// The record once a capture of a passage is stored, which is done in the same transaction: a
  /// power cut before the next record must not lead to a second capture.
  static func settle(
    _ passage: WantedPassages.One, in database: borrowing SQLiteDatabase
  ) throws(SQLiteError) {
    guard var parts = try words(recordKey, "c", database)?.map(String.init),
      parts.count >= count, var wanted = wanted(parts[...])
    else { return }
    let before = wanted
    wanted.remove(passage)
    guard wanted != before else { return }
    parts.replaceSubrange(11..<14, with: words(wanted))
    try write("c" + parts.joined(separator: ":"), key: recordKey, to: database)
  }

  /// Whether words are a record that was written after another one.
  ///
  /// Within one start of the machine its own time counts, because the date may have been put back;
  /// and a passage's capture takes it off a record without changing the record's date.
  static func isLater(_ words: String, than other: String) -> Bool {
    guard let one = age(words) else { return false }
    guard let other = age(other) else { return true }
    let isOneStart = one.boot == other.boot && !one.boot.isEmpty
    let (new, old) =
      isOneStart ? (one.sinceBoot, other.sinceBoot) : (one.date, other.date)
    return new == old ? one.wanted < other.wanted : new > old
  }

  /// `nil`: it is not a record. One of an earlier program is older than all others.
  private static func age(
    _ words: String
  ) -> (date: Int64, sinceBoot: Int64, boot: Substring, wanted: Int)? {
    guard words.first == "c" else { return nil }
    let parts = parts(words[...])
    guard parts.count >= count else {
      return parts.count == oldCount ? (.min, .min, "", 0) : nil
    }
    guard let date = Int64(parts[14]), let sinceBoot = Int64(parts[16]),
      let wanted = wanted(parts[...])
    else { return nil }
    let open = [wanted.entered, wanted.inferred, wanted.left].map(\.nonzeroBitCount)
    return (date, sinceBoot, parts[17], open.reduce(0, +))
  }

  // MARK: Words

  private static func parts(_ record: CourseRecord, _ time: MachineTime) -> [String] {
    let at = time.kept(record.at)
    var parts: [String] = []
    for number in [record.done, Int32(record.next), Int32(record.inside)] {
      parts.append(String(number))
    }
    parts.append(record.isFinished ? "1" : "0")
    parts.append(String(record.unseen))
    parts.append(String(record.knownFrom))
    parts.append(record.course.map { String($0) } ?? "")
    parts.append(record.position.map { String($0.latitude) } ?? "")
    parts.append(record.position.map { String($0.longitude) } ?? "")
    parts.append(String(record.away))
    parts.append(String(record.offSeconds))
    parts += words(record.wanted)
    let isPlain = at.boot.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    parts.append(String(at.time.milliseconds))
    parts.append(at.isTrusted ? "1" : "0")
    parts.append(String(at.sinceBoot.count))
    parts.append(isPlain ? at.boot : "")
    guard record.forecast != ArrivalForecast() else { return parts }
    let words = record.forecast.words
    return parts + words.indices.map { String(words[$0]) }
  }

  private static func words(_ wanted: WantedPassages) -> [String] {
    [String(wanted.entered), String(wanted.inferred), String(wanted.left)]
  }

  private static func wanted(_ parts: ArraySlice<some StringProtocol>) -> WantedPassages? {
    guard let entered = UInt64(parts[11]), let inferred = UInt64(parts[12]),
      let left = UInt64(parts[13])
    else { return nil }
    return WantedPassages(entered: entered, inferred: inferred, left: left)
  }

  /// - Returns: `nil` for words that are not a record.
  private static func record(_ parts: [Substring], _ time: MachineTime) -> CourseRecord? {
    guard parts.count >= oldCount, let done = Int32(parts[0]), let next = Int16(parts[1]),
      let inside = Int16(parts[2])
    else { return nil }
    var record = CourseRecord(
      done: done, next: next, inside: inside, isFinished: parts[3] == "1")
    if parts.count == oldCount { return record }
    guard parts.count >= count, let unseen = Int16(parts[4]), let knownFrom = Int32(parts[5]),
      let away = Int32(parts[9]), let off = Int32(parts[10]), let wanted = wanted(parts[...]),
      let moment = moment(parts)
    else { return nil }
    (record.unseen, record.knownFrom, record.course) = (unseen, knownFrom, UInt32(parts[6]))
    (record.away, record.offSeconds, record.wanted) = (away, off, wanted)
    if let latitude = Int32(parts[7]), let longitude = Int32(parts[8]) {
      record.position = Coordinate(latitude: latitude, longitude: longitude)
    }
    record.at = time.moment(moment)
    record.forecast = forecast(parts.dropFirst(count)) ?? ArrivalForecast()
    return record
  }

  private static func moment(_ parts: [Substring]) -> StoredMoment? {
    guard let time = Int64(parts[14]), let sinceBoot = Int64(parts[16]) else { return nil }
    return StoredMoment(
      time: UTC(milliseconds: time), isTrusted: parts[15] == "1", boot: String(parts[17]),
      sinceBoot: Milliseconds(sinceBoot))
  }

  private static func forecast(_ parts: ArraySlice<Substring>) -> ArrivalForecast? {
    guard parts.count == ArrivalForecast.wordCount else { return nil }
    var words = ArrivalForecast.Words(repeating: 0)
    for (index, part) in zip(words.indices, parts) {
      guard let word = Int64(part) else { return nil }
      words[index] = word
    }
    return ArrivalForecast(words)
  }
}
