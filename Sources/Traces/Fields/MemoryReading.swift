import TrackerCore

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
