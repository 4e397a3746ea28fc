import FieldConsole
import ModemDialogues
import TrackerCore
import Wording

// What is logged, and what a person is told of it.
extension LinuxWorld {
  mutating func tell(_ note: Note) {
    switch note {
    case .sessionStarted: log.write(.notice, "session started", [:])
    case .sessionStopped: log.write(.notice, "session stopped", [:])
    case .sessionFinished: log.write(.notice, "session finished", [:])
    case .emergency(let stage): log.write(.warning, "emergency", ["stage": "\(stage)"])
    case .orderEnded(let key):
      log.write(.notice, "an order no longer applies", ["key": "\(key)"])
    case .captured(let sequence):
      log.write(.info, "captured", ["sequence": "\(sequence)"])
    case .notCaptured(let reason):
      log.write(.info, "not captured", ["reason": "\(reason.key)"])
    case .capturing(let reason):
      log.write(.info, "capturing", ["reason": reason.map { "\($0.key)" } ?? "none"])
    case .sending(let reason):
      log.write(.info, "sending", ["reason": reason.map { "\($0.key)" } ?? "none"])
      if let reason, reason.isOfLockedSIM {
        log.write(.error, "the SIM is locked", ["cure": reason.text(in: .english)])
      }
      if reason == .modemSilent {
        log.write(.error, "the modem does not answer; check its power, cable and port", [:])
      }
    case .modem(.stillOn):
      log.write(.warning, "the modem does not confirm that its radio is off", ["phase": "stillOn"])
    case .modem(let phase): log.write(.info, "modem", ["phase": "\(phase)"])
    case .fixRejected(let rejection): log.write(.info, "fix rejected", ["why": "\(rejection)"])
    case .clockTrusted(let utc):
      log.write(.notice, "clock trusted", ["utc": CalendarText.text(utc)])
    case .weekRolloverCorrected(let weeks):
      log.write(.warning, "week rollover corrected", ["weeks": "\(weeks)"])
    case .receiverSilent: log.write(.warning, "receiver silent", [:])
    case .receiverHeard: log.write(.notice, "receiver heard", [:])
    case .receiverFloods(let rate):
      log.write(.warning, "receiver floods", ["bytesPerSecond": "\(rate)"])
    case .signal(let dBm): log.write(.info, "signal", ["dBm": "\(dBm)"])
    case .networkOperator(let name):
      log.write(.info, "network", ["operator": name.isEmpty ? "unknown" : String(name)])
    case .modemSupply(let millivolts):
      log.write(.info, "modem supply", ["millivolts": "\(millivolts)"])
    case .subscriber(let number): log.write(.info, "SIM", ["imsi": String(number)])
    case .equipment(let number): log.write(.info, "modem", ["imei": String(number)])
    case .modemRecovery(let rung): log.write(.warning, "modem recovery", ["rung": "\(rung)"])
    case .modemRestarted: complain(of: ModemTrouble.restarted)
    case .modemStatusContradicted:
      log.write(.error, "STATUS contradicts the modem; check pins.modemStatus", [:])
    case .radioStaysOn: complain(of: ModemTrouble.radioStaysOn)
    case .externalPower(let isPresent):
      log.write(.notice, "external power", ["present": "\(isPresent)"])
    case .accessPointRefused: complain(of: ModemTrouble.accessPointRefused)
    case .pinRefused:
      log.write(.error, "the SIM refuses the PIN; correct it in the secrets file", [:])
    case .textFinished(let wasSent):
      log.write(.notice, "short message", ["sent": "\(wasSent)"])
    case .passage(let passage):
      let name = status.placeName(passage.place)
      log.write(.notice, "place passed", ["place": name, "how": "\(passage.kind)"])
    case .offCourse(_, let metres):
      log.write(.warning, "off the course", ["metres": "\(metres)"])
    case .backOnCourse: log.write(.notice, "back on the course", [:])
    case .backwards: log.write(.warning, "moving backwards on the course", [:])
    case .forwards: log.write(.notice, "moving forwards on the course", [:])
    case .courseChanged: log.write(.notice, "another course; its progress starts over", [:])
    case .callRequest(let isOpen):
      log.write(
        .notice, isOpen ? "the control room asks for a call" : "the request for a call ended", [:])
    }
  }

  private mutating func complain(of trouble: ModemTrouble) {
    log.write(.warning, trouble.message, [:])
    status.learned(StatusBoard.Trouble(text: trouble.texts, cause: nil, at: now))
  }

  mutating func tell(_ report: BearerControl.Report) {
    guard report.isProblem else {
      return log.write(.info, "a command of the link ended", ["how": report.text.english])
    }
    log.write(
      .error, report.isOfCommand ? "the link's command failed" : "the link does not come up",
      ["why": report.text.english])
    status.learned(StatusBoard.Trouble(text: report.text, cause: report.cause, at: now))
  }
}
