import TrackerCore

// One line for each thing that comes to a tracker.
extension LineWriter {
  mutating func line(_ arrival: Arrival, at now: Instant) {
    number(now.milliseconds)
    text(" < ")
    switch arrival {
    case .bytes(let count, let role):
      text("bytes")
      field("from", role.name)
      field("count", count)
    case .event(let event): self.event(event)
    case .end: text("end")
    }
    end()
  }

  private mutating func event(_ event: Event) {
    switch event {
    case .deadlineReached: text("deadlineReached")
    case .batteryMeasured(let reading):
      text("batteryMeasured")
      field("millivolts", reading.millivolts)
    case .captureStored(let sequence, let queue):
      text("captureStored")
      field("sequence", sequence)
      self.queue(queue)
    case .storeFailed(let sequence):
      text("storeFailed")
      field("sequence", sequence)
    case .uploadFinished(let id, let outcome, let queue):
      text("uploadFinished")
      field("id", id.number)
      self.outcome(outcome)
      self.queue(queue)
    case .reconcileFinished(let id, let outcome, let queue):
      text("reconcileFinished")
      field("id", id.number)
      switch outcome {
      case .settled(let confirmed): field("confirmed", confirmed)
      case .failed(let status): field("failed", status)
      }
      self.queue(queue)
    case .queueChanged(let queue):
      text("queueChanged")
      self.queue(queue)
    case .linkChanged(let isUp):
      text("linkChanged")
      field("up", isUp)
    case .textFinished(let id, let wasSent):
      text("textFinished")
      field("id", id.number)
      field("sent", wasSent)
    case .lineChanged(let role, let isPresent):
      text("lineChanged")
      field("line", role.name)
      field("present", isPresent)
    case .pinChanged(.modemStatus, let isHigh):
      text("pinChanged")
      field("pin", "modemStatus")
      field("high", isHigh)
    case .commandGiven(let command, let origin):
      self.command(command)
      field("from", origin.name)
    case .configurationChanged(_, let team):
      text("configurationChanged")
      field("team", quoting: team)
    }
  }

  private mutating func queue(_ queue: QueueCounts) {
    field("pending", queue.pending)
    field("setAside", queue.setAside)
    guard queue.held > 0 else { return }
    field("held", queue.held)
    field("heldForMilliseconds", queue.heldFor.count)
  }

  private mutating func outcome(_ outcome: UploadOutcome) {
    switch outcome {
    case .answered(let acknowledged, let refused, let firstRefused, let code):
      field("outcome", "answered")
      field("acknowledged", acknowledged)
      field("refused", refused)
      if refused > 0 {
        field("firstRefused", firstRefused.number)
        field("code", code)
      }
    case .refused(let code, let first, let count):
      field("outcome", "refused")
      field("code", code)
      field("first", first.number)
      field("count", count)
    case .unauthorised: field("outcome", "unauthorised")
    case .busy(let status, let retryAfter):
      field("outcome", "busy")
      field("status", status)
      field("retryAfter", retryAfter?.count)
    case .unreachable: field("outcome", "unreachable")
    case .stalled: field("outcome", "stalled")
    case .ambiguous: field("outcome", "ambiguous")
    case .empty: field("outcome", "empty")
    }
  }

  private mutating func command(_ command: Command) {
    text("commandGiven")
    switch command {
    case .start: field("command", "start")
    case .stop: field("command", "stop")
    case .captureNow: field("command", "captureNow")
    case .sendNow: field("command", "sendNow")
    case .setTeam(let team):
      field("command", "setTeam")
      field("team", quoting: team)
    case .tryPIN: field("command", "tryPIN")
    case .unsetTeam: field("command", "unsetTeam")
    }
  }
}

extension SerialRole {
  var name: StaticString {
    switch self {
    case .receiver: "receiver"
    case .modem: "modem"
    }
  }
}
