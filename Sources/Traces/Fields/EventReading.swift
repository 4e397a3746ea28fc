import TrackerCore

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
    default: throw .field(.unknownWord(word))
    }
  }
}

extension NewSettings: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "settings":
      let team: InlineText<64> = try fields.value()
      self.init(try fields.value(), team: team)
    // Older recordings have the values without names.
    case "configuration":
      let configuration = try Configuration(positional: &fields)
      self.init(configuration, team: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension TextsOutcome: FieldReadable {
  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "nothing": self = .nothing
    case "answered":
      let person: InlineText<40> = try fields.value()
      self = .answered(by: person, sent: fields.isAtEnd ? nil : try fields.value())
    case "ended": self = .ended(by: try fields.value())
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
    case "askForCall": self = .askForCall
    case "endCallRequest": self = .endCallRequest
    default: throw .field(.unknownWord(word))
    }
  }
}
