import TrackerCore

// What a tracker remembers beyond a restart, and its finish: as fields, and back.

extension Memory: FieldCodable {
  func write(to fields: inout FieldWriter) {
    fields.add(session)
    fields.add(sessionOrder)
    fields.add(teamOrder)
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(
      session: try fields.value(), sessionOrder: try fields.value(),
      teamOrder: try fields.value())
  }
}

extension SessionRecord: FieldCodable {
  func write(to fields: inout FieldWriter) {
    fields.add(number)
    fields.add(begun)
    fields.add(isOrdered)
    fields.add(ending)
    fields.add(ended)
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(
      number: try fields.value(), begun: try fields.value(), isOrdered: try fields.value(),
      ending: try fields.value(), ended: try fields.value())
  }
}

extension Order: FieldWritable where Value: FieldWritable {
  func write(to fields: inout FieldWriter) {
    // The texts may be empty, and an empty first field would stand for no order.
    fields.add(origin)
    fields.add(given)
    fields.add(session)
    fields.add(value)
    fields.add(configured)
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

extension Moment: FieldCodable {
  func write(to fields: inout FieldWriter) {
    fields.add(at)
    fields.add(utc)
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init(at: try fields.value(), utc: try fields.value())
  }
}

extension Origin: FieldCodable {}
extension OrderKey: FieldCodable {}
extension SessionRecord.Ending: FieldCodable {}

extension Finish: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .at(let utc):
      fields.word("at")
      fields.add(utc)
    case .after(let length):
      fields.word("after")
      fields.add(length)
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "at": self = .at(try fields.value())
    case "after": self = .after(try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}
