import BoardSupport
import CaptureStore
import Courier
import FieldConsole
import HTTPTransfer
import MachineAccess
import ModemDialogues
import Notes
import TrackerCore
import Uplink
import Wording

// What people ask and order at the control socket, and the settings that this changes.
extension LinuxWorld {
  // MARK: Settings

  mutating func reload() {
    do {
      let new = try parts.reload()
      let client = try HTTPClient(new.network)
      breakOff(because: HostPhrase.reloaded.texts)
      network.use(client)
      bearer.use(new.linkTarget)
      queue.courier.use(new.dialogue, mayActFor: new.mayActFor)
      settings.inForce.use(new.file)
      settings.team = new.team
      consoleLock = new.consoleLock
      announceSettings(evenIfUnchanged: true)
      log.write(.notice, "configuration reloaded", [:])
      settings.courseProblem = new.courseProblem
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
    halting?.heardConsole(at: now)
    guard let request = ControlRequest(question.line) else {
      parts.control?.answer(question, "error \(ControlRequest.wanted)\n")
      return
    }
    guard let verb = request.verb else { return reject(question) }
    switch (verb, request.rest) {
    case (.facts, "\(TrackerFacts.format)"): inspections.append(question)
    // The program that asks is of another version. One from before the formats had numbers cannot
    // read a refusal's text, but says the same of any refusal.
    case (.facts, _):
      parts.control?.answer(
        question, "error this is trackerd \(parts.version); restart it, or use its trackerctl\n")
    case (.events, let count): list(verb, count, question)
    case (.log, let count): list(verb, count, question)
    case (.why, nil):
      parts.control?.answer(question, "ok\n" + status.events.shares(at: now))
    case (.start, nil): obey(.start, question)
    case (.stop, nil): obey(.stop, question)
    case (.capture, nil) where !status.isSessionRunning:
      refuse(question, ProblemPhrase.noSession.texts)
    case (.capture, nil): obey(.captureNow, question)
    case (.send, nil): obey(.sendNow, question)
    case (.attempt, nil): obey(.test(overFloor: false), question)
    case (.attempt, "now"): obey(.test(overFloor: true), question)
    case (.pin, nil) where parts.pin == nil:
      refuse(question, ProblemPhrase.noPINKept.texts)
    case (.pin, nil): obey(.tryPIN, question)
    case (.emergency, nil) where !settings.configuration.emergency:
      refuse(question, ProblemPhrase.noEmergencies.texts)
    case (.emergency, nil): obey(.raiseEmergency, question)
    case (.emergency, "over"): obey(.withdrawEmergency, question)
    case (.retry, let what?): retry(what, question)
    case (.set, let order?): set(order, by: request.who(question.user), question)
    case (.get, nil): parts.control?.answer(question, "ok\n" + settingsText)
    case (.unlock, let pin?): unlock(pin, question)
    case (.note, let words?): write(words, by: request.who(question.user), question)
    case (.undo, RemoteVerb.call.rawValue?) where !status.isCallAsked:
      refuse(question, ProblemPhrase.noCallAsked.texts)
    case (.undo, RemoteVerb.call.rawValue?): obey(.endCallRequest, question)
    case (.undo, let key): undo(key, by: request.who(question.user), question)
    // Without what they need, or with what they do not take.
    case (.retry, nil), (.set, nil), (.unlock, nil), (.attempt, _?), (.why, _?), (.start, _?),
      (.stop, _?), (.capture, _?), (.send, _?), (.pin, _?), (.get, _?), (.emergency, _?),
      (.note, nil):
      reject(question)
    }
  }

  private func reject(_ question: ControlSocket.Question) {
    let verbs = ControlRequest.Verb.allCases.map(\.rawValue).joined(separator: ", ")
    parts.control?.answer(question, "error unknown command; there are \(verbs)\n")
  }

  /// Events or lines of the log.
  private func list(
    _ verb: ControlRequest.Verb, _ count: String?, _ question: ControlSocket.Question
  ) {
    do throws(ConsoleError) {
      let count = try LineCount.of(count, for: verb.rawValue)
      let text =
        verb == .log ? log.newest(count).joined() : status.events.lines(newest: count, at: now)
      parts.control?.answer(question, "ok\n" + text)
    } catch { refuse(question, error.texts) }
  }

  func refuse(_ question: ControlSocket.Question, _ why: Texts) {
    parts.control?.answer(question, ConsoleError(why).lines)
  }

  private mutating func retry(_ what: String, _ question: ControlSocket.Question) {
    guard let selection = CaptureSelection(what) else {
      refuse(question, CaptureSelection.wanted)
      return
    }
    do throws(StoreError) {
      let count = try queue.courier.store.requeue(selection, at: BootClock.date)
      loop.append(.queueChanged(queue.courier.counts(at: clock.hostTime)))
      log.write(.notice, "set-aside captures requeued", ["captures": "\(count)"])
      parts.control?.answer(question, "ok\n\(count)\n")
    } catch {
      refuse(question, error.texts)
    }
  }

  private mutating func write(
    _ words: String, by who: String, _ question: ControlSocket.Question
  ) {
    guard let order = NoteOrder(line: words) else { return reject(question) }
    do {
      let name = try queue.courier.store.write(order, by: who, at: status.date(at: now))
      log.write(.notice, "a note was written", ["note": name, "who": who])
      parts.control?.answer(question, "ok\n\(name)\n")
    } catch {
      refuse(question, Texts(of: error))
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
    loop.append(.commandGiven(command, from: .socket))
    orders.wait(question, saying: lines)
  }

  // MARK: Orders

  /// Saves what has changed.
  mutating func saveSettings() {
    do throws(StoreError) {
      try save(settings.inForce)
    } catch {
      guard settings.notSaved(at: now) else { return }
      log.write(.error, "orders could not be saved", ["why": "\(error)"])
    }
  }

  /// Ends the orders of an earlier session when the next one has begun.
  mutating func endSettings(of memory: Memory) {
    guard let session = memory.session else { return }
    if settings.inForce.begin(session: session.number) { announceSettings() }
  }

  /// Passes the settings in force to the core.
  mutating func announceSettings(evenIfUnchanged: Bool = false) {
    guard let wanted = settings.takeConfiguration(evenIfUnchanged: evenIfUnchanged) else { return }
    newSettings = NewSettings(wanted, team: settings.team)
    loop.arrivals.append(.newSettings)
  }

  func save(_ new: SettingsInForce) throws(StoreError) {
    try queue.courier.store.remember(new.kept, at: clock.machineTime)
    settings.saved()
  }

  // MARK: What people ask

  /// What somebody asks at this moment.
  var settingsRequest: SettingsRequest {
    let (status, now) = (status, now)
    return SettingsRequest(
      settings.inForce, memory: status.memory, team: String(settings.team),
      at: Moment(at: now, utc: status.date(at: now)), date: BootClock.date,
      age: { status.age(of: $0, at: now) })
  }

  var settingsText: String { settingsRequest.all }

  mutating func set(_ order: String, by who: String, _ question: ControlSocket.Question) {
    carryOut(question, by: who) { request throws(ConsoleError) in
      try request.set(order, by: who)
    }
  }

  mutating func undo(_ word: String?, by who: String, _ question: ControlSocket.Question) {
    carryOut(question, by: who) { request throws(ConsoleError) in try request.undo(word) }
  }

  private mutating func carryOut(
    _ question: ControlSocket.Question, by who: String,
    _ ask: (SettingsRequest) throws(ConsoleError) -> SettingsRequest.Outcome
  ) {
    do throws(ConsoleError) {
      switch try ask(settingsRequest) {
      case .change(let new, let key, let lines): change(key, to: new, by: who, lines, question)
      case .command(let command, let new, let lines):
        settings.inForce = new
        settings.isUnsaved = true
        log.write(
          .notice, command == .unsetTeam ? "an order was undone" : "a setting was ordered",
          ["key": "team", "who": who])
        obey(command, question, saying: lines)
      }
    } catch {
      refuse(question, error.texts)
    }
  }

  /// Makes a change durable, puts it into effect and answers.
  private mutating func change(
    _ key: SettingKey, to new: SettingsInForce, by who: String, _ lines: String,
    _ question: ControlSocket.Question
  ) {
    do throws(StoreError) {
      try save(new)
    } catch {
      refuse(question, ProblemPhrase.nothingChanged.texts(error))
      return
    }
    settings.inForce = new
    announceSettings()
    log.write(
      .notice, new.order(key) == nil ? "an order was undone" : "a setting was ordered",
      ["key": "\(key)", "value": new.reading.text(of: key) ?? "none", "who": who])
    parts.control?.answer(question, "ok\n" + lines)
  }
}
