import TrackerCore

/// A value that can be written to the fields of a record.
protocol FieldWritable {
  func write(to fields: inout FieldWriter)
}

/// What one of our sentences contains; the letter follows `$PTRK`.
enum RecordKind: UInt8 {
  /// Settings and dates.
  case header = 0x48  // H
  /// A tracker's input.
  case arrival = 0x49  // I
  /// A tracker's effect.
  case effect = 0x4F  // O
  /// Bytes of the receiver that are not a clean line.
  case receiver = 0x52  // R
  /// The beginning of a record that continues in the next sentence.
  case more = 0x4D  // M
}

// Writes the fields of the records of a tracker's input and effects.
extension FieldWriter {
  mutating func arrival(_ what: some FieldWritable, at now: Instant) {
    add(now)
    add(what)
  }

  /// - Parameter bytes: with the secrets hidden.
  mutating func arrival(ofModem bytes: Span<UInt8>, at now: Instant) {
    add(now)
    word("m")
    text(bytes)
  }

  /// Notes the number of bytes from the receiver.
  ///
  /// - Parameter now: `nil` if they belong to the chunk of the record before.
  mutating func arrival(ofReceiver count: Int, at now: Instant?) {
    add(now)
    word("p")
    number(count)
  }

  mutating func end(at now: Instant) {
    add(now)
    word("end")
  }

  mutating func restart(at now: Instant) {
    add(now)
    word("restart")
  }

  /// - Parameter arrival: the instant of the last arrival, which an effect does not repeat.
  mutating func effect(_ effect: Effect, at now: Instant, after arrival: Instant) {
    if now == arrival { blank() } else { add(now) }
    add(effect)
  }

  /// The same for what is to be saved.
  mutating func effect(remembering memory: Memory, at now: Instant, after arrival: Instant) {
    if now == arrival { blank() } else { add(now) }
    remember(memory)
  }

  mutating func remember(_ memory: Memory) {
    word("remember")
    add(memory)
  }
}

// Writes a tracker's input as the fields of a record.

extension Event: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .deadlineReached: fields.word("due")
    case .batteryMeasured(let reading): fields.add("battery", reading)
    case .batteryLost: fields.word("batteryLost")
    case .captureStored(let sequence, let queue): fields.add("stored", sequence, queue)
    case .storeFailed(let sequence): fields.add("storeFailed", sequence)
    case .uploadFinished(let id, let outcome, let queue): fields.add("uploaded", id, queue, outcome)
    case .reconcileFinished(let id, let outcome, let queue):
      fields.add("reconciled", id, queue, outcome)
    case .fetchFinished(let id, let outcome): fields.add("fetched", id, outcome)
    case .queueChanged(let queue): fields.add("queue", queue)
    case .linkChanged(let isUp): fields.add("link", isUp)
    case .pinChanged(let pin, let isActive, let age): fields.add("pin", pin, isActive, age)
    case .commandGiven(let command, let origin): fields.add("command", command, origin)
    case .textFinished(let id, let wasSent): fields.add("text", id, wasSent)
    case .textsRead(let id, let outcome): fields.add("textsRead", id, outcome)
    case .lineChanged(let role, let isPresent): fields.add("line", role, isPresent)
    case .haltRefused: fields.word("haltRefused")
    }
  }
}

extension NewSettings: FieldWritable {
  func write(to fields: inout FieldWriter) { fields.add("settings", team, configuration) }
}

extension TextsOutcome: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .nothing: fields.word("nothing")
    case .answered(let person, let sent):
      fields.add("answered", person)
      if let sent { fields.add(sent) }
    case .ended(let person): fields.add("ended", person)
    case .failed: fields.word("failed")
    }
  }
}

extension BatteryReading: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(millivolts)
    // Recordings of earlier programs have the voltage alone, as most sensors do.
    guard currentMilliamps != nil || percent != nil || celsius != nil else { return }
    fields.add(currentMilliamps, percent)
    if let celsius { fields.add(celsius) }
  }
}

extension QueueCounts: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(pending, setAside)
    // Appended to the field before, because recordings of earlier programs do not have them.
    guard held > 0 else { return }
    fields.plus(held)
    fields.plus(heldFor.count)
  }
}

extension UploadOutcome: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .answered(let acknowledged, let refused, let firstRefused, let code):
      fields.add("answered", acknowledged, refused)
      fields.add(firstRefused, code)
    case .refused(let code, let first, let count): fields.add("refused", code, first, count)
    case .unauthorised: fields.word("unauthorised")
    case .busy(let status, let retryAfter): fields.add("busy", status, retryAfter)
    case .unreachable: fields.word("unreachable")
    case .stalled: fields.word("stalled")
    case .ambiguous: fields.word("ambiguous")
    case .empty: fields.word("empty")
    }
  }
}

extension ReconcileOutcome: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .settled(let confirmed): fields.add("settled", confirmed)
    case .failed(let status): fields.add("failed", status)
    }
  }
}

extension FetchOutcome: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .answered(let answer):
      fields.word("answered")
      if let answer { fields.add(answer.kind, answer.sequence, answer.by, answer.at) }
    case .owing(let answer):
      fields.word("owing")
      if let answer { fields.add(answer.kind, answer.sequence, answer.by, answer.at) }
    case .failed(let status): fields.add("failed", status)
    case .unsupported: fields.word("unsupported")
    }
  }
}

extension Command: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .start: fields.word("start")
    case .stop: fields.word("stop")
    case .captureNow: fields.word("captureNow")
    case .sendNow: fields.word("sendNow")
    case .setTeam(let team): fields.add("setTeam", team)
    case .tryPIN: fields.word("tryPIN")
    case .unsetTeam: fields.word("unsetTeam")
    case .test(let overFloor): fields.add("test", overFloor)
    case .raiseEmergency: fields.word("raiseEmergency")
    case .withdrawEmergency: fields.word("withdrawEmergency")
    case .askForCall: fields.word("askForCall")
    case .endCallRequest: fields.word("endCallRequest")
    }
  }
}

// Writes what a tracker remembers across restarts.

extension Memory: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(session, sessionOrder, teamOrder, charge)
    // With nothing more it ends here, as in recordings of earlier programs.
    let hasMore = charge != nil || sleep != nil || emergency != nil
    if course != nil || hasMore { fields.add(course) }
    guard hasMore else { return }
    fields.add(sleep)
    if let charge {
      fields.add(charge.covarianceBillionths, charge.bias)
      fields.number(charge.contradictions)
      fields.add(charge.held, charge.finalContact, charge.unmeasuredMilliseconds)
    }
    if let sleep { fields.add(sleep.spent, sleep.planned) }
    if let emergency { fields.add(emergency) }
  }
}

extension EmergencyRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(stage, raised, origin, firstSequence)
    fields.add(person, answered)
  }
}

extension SleepRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(at, alarm, capture, contact)
    fields.add(floor, captured, position, failedContacts)
    fields.add(capturePercent, contactPercent)
  }
}

extension CourseRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(done)
    fields.number(next)
    fields.number(inside)
    fields.add(isFinished)
    // In recordings of earlier programs it ends here.
    fields.add(course)
    fields.number(unseen)
    fields.add(knownFrom, position, away, offSeconds)
    fields.add(at)
    fields.number(wanted.entered)
    fields.number(wanted.inferred)
    fields.number(wanted.left)
    fields.add(forecast.words)
    guard !coverage.isEmpty else { return }
    let words = coverage.words
    for index in words.indices { fields.number(words[index]) }
  }
}

extension Coordinate: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(latitude, longitude)
  }
}

extension ChargeRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(charge, deviation, drain, drainDeviation)
    fields.add(at)
  }
}

extension SessionRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(number, begun, isOrdered, ending)
    fields.add(ended)
  }
}

extension Order: FieldWritable where Value: FieldWritable {
  func write(to fields: inout FieldWriter) {
    // An empty first field means no order, so a text, which may be empty, cannot come first.
    fields.add(origin, given, session, value)
    fields.add(configured)
  }
}

extension Moment: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(at, utc)
  }
}

extension Finish: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .at(let utc): fields.add("at", utc)
    case .after(let length): fields.add("after", length)
    }
  }
}
