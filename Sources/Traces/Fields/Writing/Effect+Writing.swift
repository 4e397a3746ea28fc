import TrackerCore

// Writes a tracker's effects as the fields of a record. They are never parsed: a replay compares
// the bytes. So different effects must have different fields.

extension Effect: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .store(let capture): fields.add("store", capture)
    case .upload(let request): fields.add("upload", request)
    case .reconcile(let id): fields.add("reconcile", id)
    case .fetch(let id): fields.add("fetch", id)
    case .setAside(.refusedOfLastUpload): fields.word("setAside")
    case .setAside(.capture(let key, let code)): fields.add("setAside", key, code)
    case .pulse(let pin, let length): fields.add("pulse", pin, length)
    case .setPin(let pin, let isActive): fields.add("pin", pin, isActive)
    case .setLight(let light): fields.add("light", light)
    case .sendToModem(let command): fields.add("modem", command)
    case .setModemBaud(let baud): fields.add("modemBaud", baud)
    case .sendToReceiver(let command): fields.add("receiver", command)
    case .setLink(let isUp): fields.add("link", isUp)
    case .sendText(let id): fields.add("text", id)
    case .readTexts(let id): fields.add("readTexts", id)
    case .rememberPIN(let isTried): fields.add("rememberPIN", isTried)
    case .halt(let time): fields.add("halt", time)
    case .note(let note): fields.add("note", note)
    }
  }
}

extension Capture: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(sequence, utc, isTimeTrusted, position)
    fields.add(altitudeMillimetres, speedMillimetresPerSecond, courseMillidegrees)
    fields.add(accuracyMetres, satellites, batteryPercent, batteryMillivolts)
    fields.add(trigger, team)
    // Without a course it ends here, as in recordings of earlier programs.
    guard let mark else { return }
    fields.add(mark.doneMetres, mark.toGoMetres)
    fields.number(mark.place ?? -1)
  }
}

extension UploadRequest: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(id)
    switch selection {
    case .freshest(let limit): fields.add("freshest", limit)
    case .oldest(let limit): fields.add("oldest", limit)
    }
    fields.add(nextContactBy)
    // Without one it ends here, as in recordings of earlier programs.
    if let name = silence.name { fields.word(name) }
  }
}

extension Note: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .sessionStarted: fields.word("sessionStarted")
    case .sessionStopped: fields.word("sessionStopped")
    case .sessionFinished: fields.word("sessionFinished")
    case .orderEnded(let key): fields.add("orderEnded", key)
    case .captured(let sequence): fields.add("captured", sequence)
    case .notCaptured(let reason): fields.add("notCaptured", reason)
    case .capturing(let reason): fields.add("capturing", reason)
    case .sending(let reason): fields.add("sending", reason)
    case .modem(let phase): fields.add("modem", phase)
    case .fixRejected(let rejection): fields.add("fixRejected", rejection)
    case .clockTrusted(let utc): fields.add("clockTrusted", utc)
    case .weekRolloverCorrected(let weeks): fields.add("weekRolloverCorrected", weeks)
    case .receiverSilent: fields.word("receiverSilent")
    case .receiverHeard: fields.word("receiverHeard")
    case .receiverFloods(let bytesPerSecond): fields.add("receiverFloods", bytesPerSecond)
    case .signal(let dBm): fields.add("signal", dBm)
    case .networkOperator(let name): fields.add("networkOperator", name)
    case .modemSupply(let millivolts): fields.add("modemSupply", millivolts)
    case .subscriber(let number): fields.add("subscriber", number)
    case .equipment(let number): fields.add("equipment", number)
    case .modemRecovery(let rung): fields.add("modemRecovery", rung)
    case .modemRestarted: fields.word("modemRestarted")
    case .modemStatusContradicted: fields.word("modemStatusContradicted")
    case .radioStaysOn: fields.word("radioStaysOn")
    case .externalPower(let isPresent): fields.add("externalPower", isPresent)
    case .accessPointRefused: fields.word("accessPointRefused")
    case .pinRefused: fields.word("pinRefused")
    case .textFinished(let wasSent): fields.add("textFinished", wasSent)
    case .passage(let passage):
      fields.word(passage.kind.name)
      fields.number(passage.place)
      fields.add(passage.at)
    case .offCourse(let since, let metres): fields.add("offCourse", since, metres)
    case .backOnCourse: fields.word("backOnCourse")
    case .backwards(let since): fields.add("backwards", since)
    case .forwards: fields.word("forwards")
    case .courseChanged: fields.word("courseChanged")
    case .emergency(let stage): fields.add("emergency", stage)
    case .callRequest(let isOpen): fields.add("callRequest", isOpen)
    }
  }
}

extension Reason: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.word(key)
    if let detail { fields.add(detail) }
  }
}
