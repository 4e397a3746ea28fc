import BoardSupport
import CaptureStore
import FieldConsole
import TrackerCore
import Wording

// Settings that people change while the tracker runs.
extension LinuxWorld {
  /// Reports orders that ended by themselves, and saves what has changed.
  mutating func tendSettings() {
    for order in settings.takeEnded() {
      log.write(
        .notice, "an order no longer applies", ["key": order.key, "why": order.why])
      areSettingsUnsaved = true
    }
    guard areSettingsUnsaved, settingsRetryAt.map({ now >= $0 }) ?? true else { return }
    do throws(StoreError) {
      try save(settings)
    } catch {
      if settingsRetryAt == nil {
        log.write(.error, "orders could not be saved", ["why": "\(error)"])
      }
      settingsRetryAt = now + Bounds.storeRetry
    }
  }

  /// Ends the orders of an earlier session when the next one has begun.
  mutating func endSettings(of memory: Memory) {
    guard let session = memory.session else { return }
    if settings.begin(session: session.number) { announceSettings() }
  }

  /// Passes the settings in force to the core.
  mutating func announceSettings(evenIfUnchanged: Bool = false) {
    let wanted = settings.reading.core.configuration.keepingFixed(of: parts.configuration)
    guard evenIfUnchanged || wanted != configuration else { return }
    configuration = wanted
    completions.append(.configurationChanged(wanted, team: team))
  }

  private mutating func save(_ settings: SettingsInForce) throws(StoreError) {
    try courier.store.remember(settings.kept, at: clock.machineTime)
    areSettingsUnsaved = false
    settingsRetryAt = nil
  }

  // MARK: What people ask

  /// What somebody asks at this moment.
  private var settingsRequest: SettingsRequest {
    let (status, now) = (status, now)
    return SettingsRequest(
      settings, memory: status.memory, team: String(team),
      at: Moment(at: now, utc: status.date(at: now)), date: BootClock.date,
      age: { status.age(of: $0, at: now) })
  }

  var settingsText: String { settingsRequest.all }

  mutating func set(_ order: String, by who: String, _ question: ControlSocket.Question) {
    carryOut(question, by: who) { request throws(ConsoleProblem) in
      try request.set(order, by: who)
    }
  }

  mutating func undo(_ word: String?, by who: String, _ question: ControlSocket.Question) {
    carryOut(question, by: who) { request throws(ConsoleProblem) in try request.undo(word) }
  }

  private mutating func carryOut(
    _ question: ControlSocket.Question, by who: String,
    _ ask: (SettingsRequest) throws(ConsoleProblem) -> SettingsRequest.Outcome
  ) {
    do throws(ConsoleProblem) {
      switch try ask(settingsRequest) {
      case .change(let new, let key, let lines): change(key, to: new, by: who, lines, question)
      case .command(let command, let new, let lines):
        settings = new
        areSettingsUnsaved = true
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
    settings = new
    announceSettings()
    log.write(
      .notice, new.order(key) == nil ? "an order was undone" : "a setting was ordered",
      ["key": "\(key)", "value": new.reading.text(of: key) ?? "none", "who": who])
    parts.control?.answer(question, "ok\n" + lines)
  }
}
