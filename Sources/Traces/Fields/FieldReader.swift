import TrackerCore

/// A value that can be read from the fields of a record.
protocol FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError)
}

typealias FieldCodable = FieldWritable & FieldReadable

/// What is wrong with a field.
public enum FieldError: Error, Sendable, Equatable {
  case missing
  case tooMany
  /// Not a number, or one that is out of range.
  case notANumber
  case unknownWord(String)
  /// A `^` without two hexadecimal digits.
  case badEscape
}

/// Reads the fields of one record in order.
struct FieldReader {
  private let bytes: [UInt8]
  /// Where the next field begins; beyond the end if none is left.
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position > bytes.count }
  /// The fields that have not been read.
  var rest: ArraySlice<UInt8> { isAtEnd ? [] : bytes[position...] }

  mutating func field() throws(RecordError) -> ArraySlice<UInt8> {
    if isAtEnd { throw .field(.missing) }
    let end = bytes[position...].firstIndex(of: .comma) ?? bytes.endIndex
    defer { position = end + 1 }
    return bytes[position..<end]
  }

  /// Skips the next field if it is empty, and returns whether it did.
  mutating func skipBlank() -> Bool {
    guard position <= bytes.count else { return false }
    let isBlank = position == bytes.count || bytes[position] == .comma
    if isBlank { position += 1 }
    return isBlank
  }

  mutating func value<Value: FieldReadable>() throws(RecordError) -> Value {
    try Value(from: &self)
  }

  mutating func word() throws(RecordError) -> String {
    String(decoding: try field(), as: UTF8.self)
  }

  mutating func number<Number: FixedWidthInteger>() throws(RecordError) -> Number {
    guard let number = Number(try word()) else { throw .field(.notANumber) }
    return number
  }

  /// A field with its escapes resolved.
  mutating func text() throws(RecordError) -> [UInt8] { try Self.resolve(try field()) }

  mutating func string() throws(RecordError) -> String {
    String(decoding: try text(), as: UTF8.self)
  }

  func expectEnd() throws(RecordError) {
    if !isAtEnd { throw .field(.tooMany) }
  }

  static func resolve(_ field: ArraySlice<UInt8>) throws(RecordError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(field.count)
    var index = field.startIndex
    while index < field.endIndex {
      guard field[index] == .caret else {
        text.append(field[index])
        index += 1
        continue
      }
      guard index + 2 < field.endIndex, let high = field[index + 1].hexadecimal,
        let low = field[index + 2].hexadecimal
      else { throw .field(.badEscape) }
      text.append(high << 4 | low)
      index += 3
    }
    return text
  }
}

typealias FieldBytes = [UInt8]

extension FieldWriter {
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    beginRecord()
  }

  mutating func text(_ text: String) { self.text(Array(text.utf8).span) }
}

extension [UInt8] {
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(number value: some FixedWidthInteger) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Two upper-case digits.
  mutating func append(hexadecimal byte: UInt8) {
    append((byte >> 4).hexadecimalDigit)
    append((byte & 15).hexadecimalDigit)
  }

  mutating func append(_ span: Span<UInt8>) {
    span.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}

// Reads single values from a field.

extension FieldReadable where Self: FixedWidthInteger {
  init(from fields: inout FieldReader) throws(RecordError) { self = try fields.number() }
}

extension Bool: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    switch try fields.number() as Int {
    case 0: self = false
    case 1: self = true
    default: throw .field(.notANumber)
    }
  }
}

extension Optional: FieldReadable where Wrapped: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self = fields.skipBlank() ? nil : try Wrapped(from: &fields)
  }
}

extension FieldReadable where Self: NamedValue {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    for raw in UInt8.min...UInt8.max {
      guard let value = Self(rawValue: raw), "\(value.name)" == word else { continue }
      self = value
      return
    }
    throw .field(.unknownWord(word))
  }
}

extension Milliseconds: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) { self.init(try fields.number()) }
}

extension Instant: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(milliseconds: try fields.number())
  }
}

extension UTC: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(milliseconds: try fields.number())
  }
}

extension CaptureKey: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) { self.init(try fields.number()) }
}

extension RequestID: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) { self.init(try fields.number()) }
}

extension InlineText: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let bytes = try fields.text()
    self.init(bytes.span)
  }
}

extension InlineArray: FieldReadable where Element: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self = try Self { (_: Int) throws(RecordError) in try fields.value() }
  }
}

extension Int32: FieldReadable {}
extension Int64: FieldReadable {}
extension UInt8: FieldReadable {}
extension UInt32: FieldReadable {}
extension UInt64: FieldReadable {}

extension InputPin: FieldReadable {}
extension SerialRole: FieldReadable {}
extension Origin: FieldReadable {}
extension EmergencyRecord.Stage: FieldReadable {}
extension EmergencyAnswer.Kind: FieldReadable {}
extension OrderKey: FieldReadable {}
extension SessionRecord.Ending: FieldReadable {}
extension BetweenUploads: FieldReadable {}
extension ReceiverUse: FieldReadable {}
extension Sleep: FieldReadable {}
extension Chemistry: FieldReadable {}
extension ModemFamily: FieldReadable {}
extension ModemRest: FieldReadable {}
extension ReceiverDialect: FieldReadable {}
extension Bearer: FieldReadable {}
extension PINState: FieldReadable {}

// Reads a tracker's input from the fields of a record. The compiler checks that every case of
// `Event` can be written; a test checks that it can be read.

extension Event: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "due": self = .deadlineReached
    case "battery": self = .batteryMeasured(try fields.value())
    case "batteryLost": self = .batteryLost
    case "stored": self = .captureStored(sequence: try fields.value(), queue: try fields.value())
    case "storeFailed": self = .storeFailed(sequence: try fields.value())
    case "uploaded":
      let (id, queue) = (try fields.value() as RequestID, try fields.value() as QueueCounts)
      self = .uploadFinished(id, try fields.value(), queue: queue)
    case "reconciled":
      let (id, queue) = (try fields.value() as RequestID, try fields.value() as QueueCounts)
      self = .reconcileFinished(id, try fields.value(), queue: queue)
    case "fetched": self = .fetchFinished(try fields.value(), try fields.value())
    case "queue": self = .queueChanged(try fields.value())
    case "link": self = .linkChanged(isUp: try fields.value())
    case "pin":
      self = .pinChanged(
        try fields.value(), isActive: try fields.value(), since: try fields.value())
    case "command": self = .commandGiven(try fields.value(), from: try fields.value())
    case "text": self = .textFinished(try fields.value(), wasSent: try fields.value())
    case "textsRead": self = .textsRead(try fields.value(), try fields.value())
    case "line": self = .lineChanged(try fields.value(), isPresent: try fields.value())
    case "haltRefused": self = .haltRefused
    case "settings":
      let team: InlineText<64> = try fields.value()
      self = .configurationChanged(try fields.value(), team: team)
    // Older recordings have the values without names.
    case "configuration":
      let configuration = try Configuration(positional: &fields)
      self = .configurationChanged(configuration, team: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension TextsOutcome: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "nothing": self = .nothing
    case "answered": self = .answered(by: try fields.value())
    case "failed": self = .failed
    default: throw .field(.unknownWord(word))
    }
  }
}

extension BatteryReading: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(millivolts: try fields.value())
    if fields.isAtEnd { return }
    currentMilliamps = try fields.value()
    percent = try fields.value()
    if !fields.isAtEnd { celsius = try fields.value() }
  }
}

extension QueueCounts: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let pending: UInt32 = try fields.value()
    let parts = try fields.field().split(separator: .plus, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let setAside = UInt32(parts[0]) else { throw .field(.notANumber) }
    self.init(pending: pending, setAside: setAside)
    guard parts.count > 1 else { return }
    guard parts.count == 3, let held = UInt32(parts[1]), let time = Int64(parts[2]) else {
      throw .field(.notANumber)
    }
    self.held = held
    heldFor = Milliseconds(time)
  }
}

extension UploadOutcome: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "answered":
      self = .answered(
        acknowledged: try fields.value(), refused: try fields.value(),
        firstRefused: try fields.value(), code: try fields.value())
    case "refused":
      self = .refused(
        code: try fields.value(), first: try fields.value(), count: try fields.value())
    case "unauthorised": self = .unauthorised
    case "busy": self = .busy(status: try fields.value(), retryAfter: try fields.value())
    case "unreachable": self = .unreachable
    case "stalled": self = .stalled
    case "ambiguous": self = .ambiguous
    case "empty": self = .empty
    default: throw .field(.unknownWord(word))
    }
  }
}

extension ReconcileOutcome: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "settled": self = .settled(confirmed: try fields.value())
    case "failed": self = .failed(status: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension FetchOutcome: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "answered", "owing":
      let answer: EmergencyAnswer? =
        fields.isAtEnd
        ? nil
        : EmergencyAnswer(
          kind: try fields.value(), sequence: try fields.value(), by: try fields.value(),
          at: try fields.value())
      self = word == "owing" ? .owing(answer) : .answered(answer)
    case "failed": self = .failed(status: try fields.value())
    case "unsupported": self = .unsupported
    default: throw .field(.unknownWord(word))
    }
  }
}

extension Command: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "start": self = .start
    case "stop": self = .stop
    case "captureNow": self = .captureNow
    case "sendNow": self = .sendNow
    case "setTeam": self = .setTeam(try fields.value())
    case "tryPIN": self = .tryPIN
    case "unsetTeam": self = .unsetTeam
    case "test": self = .test(overFloor: try fields.value())
    case "raiseEmergency": self = .raiseEmergency
    case "withdrawEmergency": self = .withdrawEmergency
    default: throw .field(.unknownWord(word))
    }
  }
}

// Reads what a tracker remembers across restarts, and its finish.

extension Memory: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      session: try fields.value(), sessionOrder: try fields.value(),
      teamOrder: try fields.value())
    // In recordings of earlier programs it ends here.
    if !fields.isAtEnd { charge = try fields.value() }
    if !fields.isAtEnd { course = try fields.value() }
    if !fields.isAtEnd { sleep = try fields.value() }
    if !fields.isAtEnd {
      try charge?.readLearned(from: &fields)
      try sleep?.readLearned(from: &fields)
    }
    if !fields.isAtEnd { emergency = try EmergencyRecord(from: &fields) }
  }
}

extension EmergencyRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      stage: try fields.value(), raised: try fields.value(), origin: try fields.value(),
      firstSequence: try fields.value(), person: try fields.value(),
      answered: try fields.value())
  }
}

extension ChargeRecord {
  fileprivate mutating func readLearned(from fields: inout FieldReader) throws(RecordError) {
    covarianceBillionths = try fields.value()
    bias = try fields.value()
    contradictions = try fields.number()
    held = try fields.value()
    finalContact = try fields.value()
    unmeasuredMilliseconds = try fields.value()
  }
}

extension SleepRecord {
  fileprivate mutating func readLearned(from fields: inout FieldReader) throws(RecordError) {
    spent = try fields.value()
    planned = try fields.value()
  }
}

extension SleepRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      at: try fields.value(), alarm: try fields.value(), capture: try fields.value(),
      contact: try fields.value(), floor: try fields.value(), captured: try fields.value(),
      position: try fields.value(), failedContacts: try fields.value(),
      capturePercent: try fields.value(), contactPercent: try fields.value())
  }
}

extension CourseRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      done: try fields.value(), next: try fields.number(), inside: try fields.number(),
      isFinished: try fields.value())
    // In recordings of earlier programs it ends here.
    if fields.isAtEnd { return }
    course = try fields.value()
    unseen = try fields.number()
    knownFrom = try fields.value()
    position = try fields.value()
    away = try fields.value()
    offSeconds = try fields.value()
    at = try fields.value()
    wanted.entered = try fields.number()
    wanted.inferred = try fields.number()
    wanted.left = try fields.number()
    let words: ArrivalForecast.Words = try fields.value()
    forecast = ArrivalForecast(words) ?? ArrivalForecast()
    if fields.isAtEnd { return }
    coverage = CourseCoverage(
      [try fields.number(), try fields.number(), try fields.number(), try fields.number()])
  }
}

extension Coordinate: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(latitude: try fields.value(), longitude: try fields.value())
  }
}

extension ChargeRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      charge: try fields.value(), deviation: try fields.value(), drain: try fields.value(),
      drainDeviation: try fields.value(), at: try fields.value())
  }
}

extension SessionRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      number: try fields.value(), begun: try fields.value(), isOrdered: try fields.value(),
      ending: try fields.value(), ended: try fields.value())
  }
}

extension Order: FieldReadable where Value: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let origin: Origin = try fields.value()
    let given: Moment = try fields.value()
    let session: UInt32 = try fields.value()
    let value: Value = try fields.value()
    self.init(
      value, from: origin, given: given, session: session, configured: try fields.value())
  }
}

extension Moment: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(at: try fields.value(), utc: try fields.value())
  }
}

extension Finish: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "at": self = .at(try fields.value())
    case "after": self = .after(try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}
