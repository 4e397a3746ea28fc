import BoardSupport
import CaptureStore
import TrackerCore

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
    try courier.store.remember(settings.orders, at: clock.machineTime)
    areSettingsUnsaved = false
    settingsRetryAt = nil
  }

  // MARK: What people ask

  /// - Parameter order: `interval 5 min`
  mutating func set(_ order: String, by who: String, _ question: ControlSocket.Question) {
    let words = order.split(separator: " ", maxSplits: 1).map(String.init)
    let value = words.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? ""
    if words.first == "team" {
      return setTeam(value, question, saying: teamText(becoming: value))
    }
    guard let key = key(words.first ?? "", question) else { return }
    do throws(FileError) {
      let given = Moment(at: now, utc: status.date(at: now))
      // Also one that was interrupted by a restart, and may be resumed.
      let session = status.memory.session
      let number = session?.number ?? 0
      let new = try settings.ordering(
        OrderedValue(key, value), by: who, given: given,
        session: session != nil && session?.ending == nil ? number : number &+ 1)
      if key == .finish {
        try new.reading.core.checkFinish(at: given.utc ?? BootClock.date, path: "set finish")
      }
      change(key, to: new, by: who, question)
    } catch {
      refuse("set \(key)", error, question)
    }
  }

  /// - Parameter word: a key; `nil`: whatever was ordered last.
  mutating func undo(_ word: String?, by who: String, _ question: ControlSocket.Question) {
    guard let word = word ?? lastOrder else {
      parts.control?.answer(question, "error nothing is ordered that could be undone\n")
      return
    }
    if word == "team" {
      guard status.memory.teamOrder != nil else {
        parts.control?.answer(question, "error no order about the team is in force; see get\n")
        return
      }
      return obey(.unsetTeam, question, saying: teamText(becoming: String(team)))
    }
    guard let key = key(word, question) else { return }
    guard settings.order(key) != nil else {
      parts.control?.answer(question, "error no order about the \(key) is in force; see get\n")
      return
    }
    do throws(FileError) {
      change(key, to: try settings.undoing(key), by: who, question)
    } catch {
      refuse("undo \(key)", error, question)
    }
  }

  var settingsText: String {
    SettingsText(
      settings, team: String(team), order: status.memory.teamOrder, age: age
    ).text
  }

  // MARK: Answers

  private func key(_ word: String, _ question: ControlSocket.Question) -> SettingKey? {
    if let key = SettingKey(rawValue: word) { return key }
    let keys = SettingKey.allCases.map(\.rawValue) + ["team"]
    // A word that a terminal would act on is not repeated.
    let shown = word.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? " \(word.prefix(40))" : ""
    parts.control?.answer(
      question, "error unknown setting\(shown); there are \(keys.joined(separator: ", "))\n")
    return nil
  }

  /// Makes a change durable, puts it into effect and answers.
  private mutating func change(
    _ key: SettingKey, to new: SettingsInForce, by who: String, _ question: ControlSocket.Question
  ) {
    do throws(StoreError) {
      try save(new)
    } catch {
      parts.control?.answer(question, "error nothing was changed: \(error)\n")
      return
    }
    let old = settings
    settings = new
    announceSettings()
    log.write(
      .notice, new.order(key) == nil ? "an order was undone" : "a setting was ordered",
      ["key": "\(key)", "value": new.reading.text(of: key) ?? "none", "who": who])
    let lines = SettingsText(key, from: old, to: new, age: age).text
    parts.control?.answer(question, "ok\n" + lines)
  }

  private func refuse(_ command: String, _ error: FileError, _ question: ControlSocket.Question) {
    // The value may be good by itself, but not together with the file or with other orders.
    let why = error.path == command ? "\(error)" : "\(command): not possible with \(error)"
    parts.control?.answer(question, "error \(why)\n")
  }

  private func teamText(becoming name: String) -> String {
    let order = status.memory.teamOrder
    return SettingsText(
      team: name, was: order.map { String($0.value) } ?? String(team), order: order, age: age
    ).text
  }

  /// The key of the order about team or settings that was given last.
  private var lastOrder: String? {
    let team = status.memory.teamOrder
    guard let last = settings.orders.last, let key = SettingKey(path: last.path) else {
      return team == nil ? nil : "team"
    }
    if let team, team.given.isLater(than: last.given) { return "team" }
    return key.rawValue
  }

  private var age: (Moment) -> Milliseconds? {
    let (status, now) = (status, now)
    return { status.age(of: $0, at: now) }
  }
}

extension Moment {
  /// Whether this was after another moment, as far as is known.
  func isLater(than other: Moment) -> Bool {
    switch (at, other.at) {
    case (let at?, let other?): return at > other
    // What has no time on this clock was before the machine started.
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil):
      guard let utc, let other = other.utc else { return false }
      return utc > other
    }
  }
}
