import TrackerCore

// Writes a tracker's input as the fields of a record.

extension Event: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .deadlineReached: fields.word("due")
    case .batteryMeasured(let reading):
      fields.word("battery")
      fields.add(reading)
    case .batteryLost: fields.word("batteryLost")
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
    case .pinChanged(let pin, let isActive, let age):
      fields.word("pin")
      fields.add(pin)
      fields.add(isActive)
      fields.add(age)
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
}

extension BatteryReading: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(millivolts)
    // Recordings of earlier programs have the voltage alone, as most sensors do.
    guard currentMilliamps != nil || percent != nil else { return }
    fields.add(currentMilliamps)
    fields.add(percent)
  }
}

extension QueueCounts: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(pending)
    fields.add(setAside)
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
}

extension ReconcileOutcome: FieldWritable {
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
}

extension Command: FieldWritable {
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
    case .test(let overFloor):
      fields.word("test")
      fields.add(overFloor)
    }
  }
}
