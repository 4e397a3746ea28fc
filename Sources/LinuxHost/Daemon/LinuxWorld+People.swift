import CaptureStore
import Courier
import FieldConsole
import ModemDialogues
import TrackerCore
import Uplink
import Wording

// Log messages, and the commands of people.
extension LinuxWorld {
  mutating func tell(_ note: Note) {
    switch note {
    case .sessionStarted: log.write(.notice, "session started", [:])
    case .sessionStopped: log.write(.notice, "session stopped", [:])
    case .sessionFinished: log.write(.notice, "session finished", [:])
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
    }
  }

  private mutating func complain(of trouble: ModemTrouble) {
    log.write(.warning, trouble.message, [:])
    status.learned(StatusBoard.Trouble(text: trouble.texts, cause: nil, at: now))
  }

  /// Logs the events of a line.
  mutating func logLineEvents(of index: Int) {
    let role = lines[index].role
    for event in lines[index].line.takeEvents() {
      switch event {
      case .opened(let name, let baud):
        lineChanged(index, isPresent: true)
        log.write(
          .notice, "line opened", ["line": "\(role)", "name": name, "baud": "\(baud)"])
      case .lost(let name, let problem):
        lineChanged(index, isPresent: false)
        lines[index].problem = name.texts.colon(problem)
        lines[index].isTaken = false
        log.write(
          .warning, "line lost", ["line": "\(role)", "name": name, "why": "\(problem)"])
      case .unavailable(let problem):
        lineChanged(index, isPresent: false)
        lines[index].problem = problem.texts
        lines[index].isTaken = problem.isUse
        log.write(.warning, "line unavailable", ["line": "\(role)", "why": "\(problem)"])
      case .baudFound(let baud):
        log.write(.notice, "baud rate found", ["line": "\(role)", "baud": "\(baud)"])
      }
    }
  }

  /// The core assumes that a line is present until told otherwise.
  private mutating func lineChanged(_ index: Int, isPresent: Bool) {
    guard lines[index].isPresent != isPresent else { return }
    lines[index].isPresent = isPresent
    if lines[index].role == .modem && !isPresent {
      _ = modemOperations.abandon(.lineLost)
      _ = pinMask?.release()
    }
    completions.append(.lineChanged(lines[index].role, isPresent: isPresent))
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

  // MARK: Settings

  mutating func reload() {
    do {
      let new = try parts.reload()
      let client = try HTTPClient(new.network)
      breakOff(because: HostPhrase.reloaded.texts)
      self.client = client
      bearer.use(new.linkTarget)
      courier.use(new.dialogue, mayActFor: new.mayActFor)
      settings.use(new.file)
      team = new.team
      consoleLock = new.consoleLock
      announceSettings(evenIfUnchanged: true)
      log.write(.notice, "configuration reloaded", [:])
      courseProblem = new.courseProblem
      if let problem = new.courseProblem {
        log.write(.error, "the course cannot be used", ["why": problem[.english]])
      }
      for key in new.needsRestart {
        log.write(.warning, "takes effect at the next start", ["key": key])
      }
    } catch {
      log.write(.error, "configuration not reloaded", ["why": "\(error)"])
    }
  }

  // MARK: The control socket

  mutating func answer(_ question: ControlSocket.Question) {
    guard let request = ControlRequest(question.line) else {
      parts.control?.answer(question, "error \(ControlRequest.wanted)\n")
      return
    }
    switch (request.command, request.rest) {
    case ("facts", nil): inspections.append(question)
    case ("events", let count):
      let text = status.events.lines(newest: count.flatMap { Int($0) } ?? .max, at: now)
      parts.control?.answer(question, "ok\n" + text)
    case ("why", nil):
      parts.control?.answer(question, "ok\n" + status.events.shares(at: now))
    case ("log", let count):
      let lines = log.newest(count.flatMap { Int($0) } ?? .max)
      parts.control?.answer(question, "ok\n" + lines.joined())
    case ("start", nil): obey(.start, question)
    case ("stop", nil): obey(.stop, question)
    case ("capture", nil) where !status.isSessionRunning:
      refuse(question, ProblemPhrase.noSession.texts)
    case ("capture", nil): obey(.captureNow, question)
    case ("send", nil): obey(.sendNow, question)
    case ("try", nil): obey(.test(overFloor: false), question)
    case ("try", "now"): obey(.test(overFloor: true), question)
    case ("pin", nil) where parts.pin == nil:
      refuse(question, ProblemPhrase.noPINKept.texts)
    case ("pin", nil): obey(.tryPIN, question)
    case ("retry", let what?): retry(what, question)
    case ("set", let order?): set(order, by: request.who(question.user), question)
    case ("get", nil): parts.control?.answer(question, "ok\n" + settingsText)
    case ("unlock", let pin?): unlock(pin, question)
    case ("undo", let key): undo(key, by: request.who(question.user), question)
    default:
      parts.control?.answer(
        question,
        "error unknown command; there are facts, events, why, log, start, stop, capture, send, "
          + "try, set, get, undo, retry, pin, unlock\n")
    }
  }

  func refuse(_ question: ControlSocket.Question, _ why: Texts) {
    parts.control?.answer(question, ConsoleProblem(why).lines)
  }

  private mutating func retry(_ what: String, _ question: ControlSocket.Question) {
    guard let selection = CaptureSelection(what) else {
      refuse(question, CaptureSelection.wanted)
      return
    }
    do throws(StoreError) {
      let count = try courier.store.requeue(selection, at: BootClock.date)
      completions.append(.queueChanged(courier.counts(at: clock.hostTime)))
      log.write(.notice, "set-aside captures requeued", ["captures": "\(count)"])
      parts.control?.answer(question, "ok\n\(count)\n")
    } catch {
      refuse(question, error.texts)
    }
  }

  /// A console's PIN; it is never logged.
  private mutating func unlock(_ pin: String, _ question: ControlSocket.Question) {
    switch consoleLock.verdict(on: Array(pin.utf8), at: now) {
    case .open: parts.control?.answer(question, "ok\n")
    case .wrong: parts.control?.answer(question, "error wrong\n")
    case .wait(let time): parts.control?.answer(question, "error wait \(time.count)\n")
    }
  }

  mutating func obey(
    _ command: Command, _ question: ControlSocket.Question, saying lines: String = ""
  ) {
    completions.append(.commandGiven(command, from: .socket))
    orders.wait(question, saying: lines)
  }
}
