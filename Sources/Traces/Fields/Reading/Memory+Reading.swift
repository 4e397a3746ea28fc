import TrackerCore

// Reads what a tracker remembers across restarts, and its finish.

extension Memory: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(
      session: try fields.value(), sessionOrder: try fields.value(),
      teamOrder: try fields.value())
    // In recordings of earlier programs it ends here.
    if !fields.isAtEnd { charge = try fields.value() }
    if !fields.isAtEnd { course = try fields.value() }
  }
}

extension CourseRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
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
  }
}

extension Coordinate: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(latitude: try fields.value(), longitude: try fields.value())
  }
}

extension ChargeRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(
      charge: try fields.value(), deviation: try fields.value(), drain: try fields.value(),
      drainDeviation: try fields.value(), at: try fields.value())
  }
}

extension SessionRecord: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(
      number: try fields.value(), begun: try fields.value(), isOrdered: try fields.value(),
      ending: try fields.value(), ended: try fields.value())
  }
}

extension Order: FieldReadable where Value: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let origin: Origin = try fields.value()
    let given: Moment = try fields.value()
    let session: UInt32 = try fields.value()
    let value: Value = try fields.value()
    self.init(
      value, from: origin, given: given, session: session, configured: try fields.value())
  }
}

extension Moment: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(at: try fields.value(), utc: try fields.value())
  }
}

extension Finish: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "at": self = .at(try fields.value())
    case "after": self = .after(try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}
