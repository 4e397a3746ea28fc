import TrackerCore

// What comes to a tracker, as the fields of a record and back. A new case of `Event` does not
// compile before `write` knows it; `init` is held to it by a test that goes through all cases.

extension Event: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .deadlineReached: fields.word("due")
    case .batteryMeasured(let reading):
      fields.word("battery")
      fields.add(reading.millivolts)
    case .captureStored(let sequence, let queue):
      fields.word("stored")
      fields.add(sequence)
      fields.add(queue)
    case .storeFailed(let sequence):
      fields.word("storeFailed")
      fields.add(sequence)
    case .uploadFinished(let id, let outcome, let queue):
      fields.word("uploaded")
      fields.add(id)
      fields.add(queue)
      fields.add(outcome)
    case .reconcileFinished(let id, let outcome, let queue):
      fields.word("reconciled")
      fields.add(id)
      fields.add(queue)
      fields.add(outcome)
    case .queueChanged(let queue):
      fields.word("queue")
      fields.add(queue)
    case .linkChanged(let isUp):
      fields.word("link")
      fields.add(isUp)
    case .pinChanged(let pin, let isHigh):
      fields.word("pin")
      fields.add(pin)
      fields.add(isHigh)
    case .commandGiven(let command, let origin):
      fields.word("command")
      fields.add(command)
      fields.add(origin)
    case .textFinished(let id, let wasSent):
      fields.word("text")
      fields.add(id)
      fields.add(wasSent)
    case .lineChanged(let role, let isPresent):
      fields.word("line")
      fields.add(role)
      fields.add(isPresent)
    case .configurationChanged(let configuration, let team):
      fields.word("settings")
      fields.add(team)
      fields.add(configuration)
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "due": self = .deadlineReached
    case "battery": self = .batteryMeasured(BatteryReading(millivolts: try fields.value()))
    case "stored": self = .captureStored(sequence: try fields.value(), queue: try fields.value())
    case "storeFailed": self = .storeFailed(sequence: try fields.value())
    case "uploaded":
      let (id, queue) = (try fields.value() as RequestID, try fields.value() as QueueCounts)
      self = .uploadFinished(id, try fields.value(), queue: queue)
    case "reconciled":
      let (id, queue) = (try fields.value() as RequestID, try fields.value() as QueueCounts)
      self = .reconcileFinished(id, try fields.value(), queue: queue)
    case "queue": self = .queueChanged(try fields.value())
    case "link": self = .linkChanged(isUp: try fields.value())
    case "pin": self = .pinChanged(try fields.value(), isHigh: try fields.value())
    case "command": self = .commandGiven(try fields.value(), from: try fields.value())
    case "text": self = .textFinished(try fields.value(), wasSent: try fields.value())
    case "line": self = .lineChanged(try fields.value(), isPresent: try fields.value())
    case "settings":
      let team: InlineText<64> = try fields.value()
      self = .configurationChanged(try fields.value(), team: team)
    // Older recordings have the values alone.
    case "configuration":
      let configuration = try Configuration(positional: &fields)
      self = .configurationChanged(configuration, team: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension QueueCounts: FieldCodable {
  func write(to fields: inout FieldWriter) {
    fields.add(pending)
    fields.add(setAside)
    // Seldom any, and in recordings of earlier programs none: behind the field before.
    guard held > 0 else { return }
    fields.plus(held)
    fields.plus(heldFor.count)
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
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

extension InputPin: FieldCodable {}
extension SerialRole: FieldCodable {}

extension UploadOutcome: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .answered(let acknowledged, let refused, let firstRefused, let code):
      fields.word("answered")
      fields.add(acknowledged)
      fields.add(refused)
      fields.add(firstRefused)
      fields.add(code)
    case .refused(let code, let first, let count):
      fields.word("refused")
      fields.add(code)
      fields.add(first)
      fields.add(count)
    case .unauthorised: fields.word("unauthorised")
    case .busy(let status, let retryAfter):
      fields.word("busy")
      fields.add(status)
      fields.add(retryAfter)
    case .unreachable: fields.word("unreachable")
    case .stalled: fields.word("stalled")
    case .ambiguous: fields.word("ambiguous")
    case .empty: fields.word("empty")
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
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

extension ReconcileOutcome: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .settled(let confirmed):
      fields.word("settled")
      fields.add(confirmed)
    case .failed(let status):
      fields.word("failed")
      fields.add(status)
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "settled": self = .settled(confirmed: try fields.value())
    case "failed": self = .failed(status: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension Command: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .start: fields.word("start")
    case .stop: fields.word("stop")
    case .captureNow: fields.word("captureNow")
    case .sendNow: fields.word("sendNow")
    case .setTeam(let team):
      fields.word("setTeam")
      fields.add(team)
    case .tryPIN: fields.word("tryPIN")
    case .unsetTeam: fields.word("unsetTeam")
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "start": self = .start
    case "stop": self = .stop
    case "captureNow": self = .captureNow
    case "sendNow": self = .sendNow
    case "setTeam": self = .setTeam(try fields.value())
    case "tryPIN": self = .tryPIN
    case "unsetTeam": self = .unsetTeam
    default: throw .field(.unknownWord(word))
    }
  }
}
