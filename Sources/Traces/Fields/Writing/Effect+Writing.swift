import TrackerCore

// Writes a tracker's effects as the fields of a record. They are never parsed: a replay compares
// the bytes. So different effects must have different fields.

extension Effect: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .store(let capture):
      fields.word("store")
      fields.add(capture)
    case .upload(let request):
      fields.word("upload")
      fields.add(request)
    case .reconcile(let id):
      fields.word("reconcile")
      fields.add(id)
    case .setAside(.refusedOfLastUpload): fields.word("setAside")
    case .setAside(.capture(let key, let code)):
      fields.word("setAside")
      fields.add(key)
      fields.add(code)
    case .pulse(let pin, let length):
      fields.word("pulse")
      fields.add(pin)
      fields.add(length)
    case .setPin(let pin, let isActive):
      fields.word("pin")
      fields.add(pin)
      fields.add(isActive)
    case .setLight(let light):
      fields.word("light")
      fields.add(light)
    case .sendToModem(let command):
      fields.word("modem")
      fields.add(command)
    case .setModemBaud(let baud):
      fields.word("modemBaud")
      fields.add(baud)
    case .sendToReceiver(let command):
      fields.word("receiver")
      fields.add(command)
    case .setLink(let isUp):
      fields.word("link")
      fields.add(isUp)
    case .sendText(let id):
      fields.word("text")
      fields.add(id)
    case .rememberPIN(let isTried):
      fields.word("rememberPIN")
      fields.add(isTried)
    case .note(let note):
      fields.word("note")
      fields.add(note)
    }
  }
}

extension Capture: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(sequence)
    fields.add(utc)
    fields.add(isTimeTrusted)
    fields.add(position.latitude)
    fields.add(position.longitude)
    fields.add(altitudeMillimetres)
    fields.add(speedMillimetresPerSecond)
    fields.add(courseMillidegrees)
    fields.add(accuracyMetres)
    fields.add(satellites)
    fields.add(batteryPercent)
    fields.add(batteryMillivolts)
    fields.add(trigger)
    fields.add(team)
    // Without a course it ends here, as in recordings of earlier programs.
    guard let mark else { return }
    fields.add(mark.doneMetres)
    fields.add(mark.toGoMetres)
    fields.number(mark.place ?? -1)
  }
}

extension UploadRequest: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(id)
    switch selection {
    case .freshest(let limit):
      fields.word("freshest")
      fields.add(limit)
    case .oldest(let limit):
      fields.word("oldest")
      fields.add(limit)
    }
    fields.add(nextContactBy)
  }
}

extension Note: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .sessionStarted: fields.word("sessionStarted")
    case .sessionStopped: fields.word("sessionStopped")
    case .sessionFinished: fields.word("sessionFinished")
    case .orderEnded(let key):
      fields.word("orderEnded")
      fields.add(key)
    case .captured(let sequence):
      fields.word("captured")
      fields.add(sequence)
    case .notCaptured(let reason):
      fields.word("notCaptured")
      fields.add(reason)
    case .capturing(let reason):
      fields.word("capturing")
      fields.add(reason)
    case .sending(let reason):
      fields.word("sending")
      fields.add(reason)
    case .modem(let phase):
      fields.word("modem")
      fields.add(phase)
    case .fixRejected(let rejection):
      fields.word("fixRejected")
      fields.add(rejection)
    case .clockTrusted(let utc):
      fields.word("clockTrusted")
      fields.add(utc)
    case .weekRolloverCorrected(let weeks):
      fields.word("weekRolloverCorrected")
      fields.add(weeks)
    case .receiverSilent: fields.word("receiverSilent")
    case .receiverHeard: fields.word("receiverHeard")
    case .receiverFloods(let bytesPerSecond):
      fields.word("receiverFloods")
      fields.add(bytesPerSecond)
    case .signal(let dBm):
      fields.word("signal")
      fields.add(dBm)
    case .networkOperator(let name):
      fields.word("networkOperator")
      fields.add(name)
    case .modemSupply(let millivolts):
      fields.word("modemSupply")
      fields.add(millivolts)
    case .subscriber(let number):
      fields.word("subscriber")
      fields.add(number)
    case .equipment(let number):
      fields.word("equipment")
      fields.add(number)
    case .modemRecovery(let rung):
      fields.word("modemRecovery")
      fields.add(rung)
    case .modemRestarted: fields.word("modemRestarted")
    case .modemStatusContradicted: fields.word("modemStatusContradicted")
    case .radioStaysOn: fields.word("radioStaysOn")
    case .externalPower(let isPresent):
      fields.word("externalPower")
      fields.add(isPresent)
    case .accessPointRefused: fields.word("accessPointRefused")
    case .pinRefused: fields.word("pinRefused")
    case .textFinished(let wasSent):
      fields.word("textFinished")
      fields.add(wasSent)
    case .passage(let passage):
      fields.word(passage.kind.name)
      fields.number(passage.place)
      fields.add(passage.at)
    case .offCourse(let since, let metres):
      fields.word("offCourse")
      fields.add(since)
      fields.add(metres)
    case .backOnCourse: fields.word("backOnCourse")
    case .backwards(let since):
      fields.word("backwards")
      fields.add(since)
    case .forwards: fields.word("forwards")
    case .courseChanged: fields.word("courseChanged")
    }
  }
}

extension Reason: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.word(key)
    if let detail { fields.add(detail) }
  }
}
