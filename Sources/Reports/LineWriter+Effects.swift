import TrackerCore

// One line for each thing that a tracker wants done.
extension LineWriter {
  mutating func line(_ effect: Effect, at now: Instant) {
    number(now.milliseconds)
    text(" > ")
    self.effect(effect)
    end()
  }

  private mutating func effect(_ effect: Effect) {
    switch effect {
    case .store(let capture): self.capture(capture)
    case .upload(let request): upload(request)
    case .reconcile(let id):
      text("reconcile")
      field("id", id.number)
    case .setAside(.refusedOfLastUpload):
      text("setAside")
      field("what", "refusedOfLastUpload")
    case .setAside(.capture(let key, let code)):
      text("setAside")
      field("key", key.number)
      field("code", code)
    case .setPin(.modemPowerKey, let isHigh):
      text("setPin")
      field("pin", "modemPowerKey")
      field("high", isHigh)
    case .sendToModem(let command):
      text("sendToModem")
      field("command", command.name)
    case .sendToReceiver(let command):
      text("sendToReceiver")
      field("command", command.name)
    case .setLink(let isUp):
      text("setLink")
      field("up", isUp)
    case .sendText(let id):
      text("sendText")
      field("id", id.number)
    case .rememberPIN(let isTried):
      text("rememberPIN")
      field("tried", isTried)
    case .remember(let memory): remember(memory)
    case .note(let note):
      text("note ")
      self.note(note)
    }
  }

  private mutating func capture(_ capture: Capture) {
    text("store")
    field("sequence", capture.sequence)
    field("utc", capture.utc?.milliseconds)
    field("trusted", capture.isTimeTrusted)
    field("latitude", capture.position.latitude)
    field("longitude", capture.position.longitude)
    field("altitude", capture.altitudeMillimetres)
    field("speed", capture.speedMillimetresPerSecond)
    field("course", capture.courseMillidegrees)
    field("accuracy", capture.accuracyMetres)
    field("satellites", capture.satellites)
    field("percent", capture.batteryPercent)
    field("millivolts", capture.batteryMillivolts)
    field("trigger", capture.trigger.name)
    field("team", quoting: capture.team)
  }

  private mutating func upload(_ request: UploadRequest) {
    text("upload")
    field("id", request.id.number)
    switch request.selection {
    case .freshest(let limit): field("freshest", limit)
    case .oldest(let limit): field("oldest", limit)
    }
    field("nextContactBy", request.nextContactBy?.milliseconds)
  }

  private mutating func remember(_ memory: Memory) {
    text("remember")
    if let session = memory.session {
      field("session", session.number)
      field("begun", session.begun.utc?.milliseconds)
      field("ordered", session.isOrdered)
      if let ending = session.ending { field("ending", ending.name) }
    }
    if let order = memory.sessionOrder {
      field("order", order.value ? "start" : "stop")
      field("from", order.origin.name)
    }
    if let order = memory.teamOrder {
      field("team", quoting: order.value)
      field("from", order.origin.name)
    }
  }

  private mutating func note(_ note: Note) {
    switch note {
    case .sessionStarted: text("sessionStarted")
    case .sessionStopped: text("sessionStopped")
    case .sessionFinished: text("sessionFinished")
    case .orderEnded(let key):
      text("orderEnded")
      field("key", key.name)
    case .captured(let sequence):
      text("captured")
      field("sequence", sequence)
    case .notCaptured(let reason):
      text("notCaptured")
      field("reason", reason)
    case .capturing(let reason):
      text("capturing")
      field("reason", reason)
    case .sending(let reason):
      text("sending")
      field("reason", reason)
    case .modem(let phase):
      text("modem")
      field("phase", phase.name)
    case .fixRejected(let rejection):
      text("fixRejected")
      field("why", rejection.name)
    case .clockTrusted(let utc):
      text("clockTrusted")
      field("utc", utc.milliseconds)
    case .weekRolloverCorrected(let weeks):
      text("weekRolloverCorrected")
      field("weeks", weeks)
    case .receiverSilent: text("receiverSilent")
    case .receiverHeard: text("receiverHeard")
    case .receiverFloods, .signal, .modemSupply, .subscriber, .equipment, .modemRecovery,
      .pinRefused, .textFinished:
      modemNote(note)
    }
  }

  /// What a modem says of itself, and what comes of it.
  private mutating func modemNote(_ note: Note) {
    switch note {
    case .receiverFloods(let rate):
      text("receiverFloods")
      field("bytesPerSecond", rate)
    case .signal(let dBm):
      text("signal")
      field("dBm", dBm)
    case .modemSupply(let millivolts):
      text("modemSupply")
      field("millivolts", millivolts)
    case .subscriber(let number):
      text("subscriber")
      field("imsi", quoting: number)
    case .equipment(let number):
      text("equipment")
      field("imei", quoting: number)
    case .modemRecovery(let step):
      text("modemRecovery")
      field("step", step.name)
    case .pinRefused: text("pinRefused")
    case .textFinished(let wasSent):
      text("textFinished")
      field("sent", wasSent)
    case .sessionStarted, .sessionStopped, .sessionFinished, .orderEnded, .captured, .notCaptured,
      .capturing, .sending, .modem, .fixRejected, .clockTrusted, .weekRolloverCorrected,
      .receiverSilent, .receiverHeard:
      break
    }
  }
}
