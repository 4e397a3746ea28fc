public import BoardSupport
public import CaptureStore
public import TrackerCore
import Wording

/// The settings of the configuration file with what people have ordered instead.
///
/// An order ends when it is undone, when the file's value for the same key is edited, when the next
/// session begins (one given between two sessions is meant for the next one), or when it is no
/// longer possible together with the file.
public struct SettingsInForce {
  private(set) var file: SettingsFile
  /// In the order in which they were given, at most one for each key.
  private(set) var orders: [SettingOrder] = []
  /// Who last ordered the team's name. The core keeps the order, but not who gave it.
  private(set) var teamOrder: SettingOrder?
  public private(set) var reading: SettingsReading
  /// Orders that ended by themselves, until they are reported.
  private var ended: [Ended] = []

  public struct Ended: Sendable, Equatable {
    /// The key, or the path if this program has no such key.
    public var key: String
    public var why: String
  }

  public init(_ file: SettingsFile = SettingsFile()) {
    self.file = file
    reading = file.plain
  }

  public mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  public func order(_ key: SettingKey) -> SettingOrder? { orders.first { $0.path == key.path } }

  /// What has to be kept across a restart.
  public var kept: [SettingOrder] { orders + [teamOrder].compactMap { $0 } }

  /// Who gave the order for the team's name in force.
  func author(of order: Order<InlineText<64>>) -> String {
    guard let teamOrder, teamOrder.value == String(order.value) else { return "\(order.origin)" }
    return teamOrder.who
  }

  // MARK: What people do

  func orderingTeam(
    _ name: String, by who: String, given: Moment, session: UInt32
  ) -> SettingsInForce {
    var new = self
    new.teamOrder = SettingOrder(
      path: SettingOrder.teamPath, value: name, who: who, given: given, session: session,
      configured: "")
    return new
  }

  func undoingTeam() -> SettingsInForce {
    var new = self
    new.teamOrder = nil
    return new
  }

  /// These settings with one order more, or another instead of an earlier one about the same key.
  ///
  /// - Throws: if the value is impossible.
  func ordering(
    _ value: OrderedValue, by who: String, given: Moment, session: UInt32
  ) throws(FileError) -> SettingsInForce {
    var new = self
    new.orders.removeAll { $0.path == value.key.path }
    new.orders.append(
      SettingOrder(
        path: value.key.path, value: try file.text(of: value), who: who, given: given,
        session: session, configured: file.written(value.key)))
    new.reading = try file.reading(Self.values(new.orders), giving: value.key)
    return new
  }

  /// These settings without the order about a key.
  ///
  /// - Throws: if another order needs it.
  func undoing(_ key: SettingKey) throws(FileError) -> SettingsInForce {
    var new = self
    new.orders.removeAll { $0.path == key.path }
    new.reading = try file.reading(Self.values(new.orders))
    return new
  }

  // MARK: What happens

  /// Takes the orders of an earlier run.
  ///
  /// - Parameter session: the number of the last session.
  public mutating func take(_ kept: [SettingOrder], session: UInt32?) {
    orders = kept.filter { $0.path != SettingOrder.teamPath }
    teamOrder = kept.last { $0.path == SettingOrder.teamPath }
    end("this program has no such setting") { SettingKey(path: $0.path) == nil }
    if let session { end(before: session) }
    use(file)
  }

  /// The file was read again.
  public mutating func use(_ file: SettingsFile) {
    self.file = file
    end("its value in the file was edited") { order in
      SettingKey(path: order.path).map { file.written($0) != order.configured } ?? false
    }
    settle()
  }

  /// - Returns: whether an order has ended.
  public mutating func begin(session: UInt32) -> Bool {
    guard orders.contains(where: { $0.session < session }) else { return false }
    end(before: session)
    settle()
    return true
  }

  /// Adds the date to orders that were given before one was trusted.
  ///
  /// - Returns: whether there was one.
  public mutating func date(_ date: UTC, at now: Instant) -> Bool {
    var isNew = false
    for index in orders.indices where orders[index].given.utc == nil {
      guard let at = orders[index].given.at else { continue }
      orders[index].given.utc = date + (at - now)
      isNew = true
    }
    return isNew
  }

  private mutating func end(before session: UInt32) {
    end("the next session has begun") { $0.session < session }
  }

  private mutating func end(_ why: String, where hasEnded: (SettingOrder) -> Bool) {
    for order in orders where hasEnded(order) { add(order, why) }
    orders.removeAll(where: hasEnded)
  }

  private mutating func add(_ order: SettingOrder, _ why: String) {
    ended.append(Ended(key: SettingKey(path: order.path)?.rawValue ?? order.path, why: why))
  }

  /// Reads the file with the orders. Those that are not possible with it any more end.
  private mutating func settle() {
    let given = orders
    var waiting = given
    var problem = ""
    orders = []
    reading = file.plain
    // One may need another that was given later: all are tried until none can be added.
    var hasAdded = true
    while hasAdded {
      hasAdded = false
      for order in waiting {
        do throws(FileError) {
          reading = try file.reading(Self.values(orders + [order]))
        } catch {
          problem = "\(error)"
          continue
        }
        orders.append(order)
        waiting.removeAll { $0 == order }
        hasAdded = true
      }
    }
    for order in waiting { add(order, problem) }
    orders = given.filter { orders.contains($0) }
  }

  private static func values(_ orders: [SettingOrder]) -> [OrderedValue] {
    orders.compactMap { order in
      SettingKey(path: order.path).map { OrderedValue($0, order.value) }
    }
  }
}

extension SettingOrder {
  static let teamPath = "team"
}

/// What a person asks about the settings of a tracker, and what is to be done about it: the same
/// for a daemon and for a simulated tracker.
public struct SettingsRequest {
  public enum Outcome {
    /// These settings, once they are on disk; then the lines are the answer.
    case change(to: SettingsInForce, SettingKey, lines: String)
    /// The core keeps the team's name; the lines are the answer once it has taken it. The
    /// settings keep who ordered it.
    case command(Command, SettingsInForce, lines: String)
  }

  private let settings: SettingsInForce
  /// What the tracker last remembered.
  private let memory: Memory
  /// The configured name.
  private let team: String
  private let given: Moment
  /// The machine's, where no other is trusted.
  private let date: UTC
  private let age: (Moment) -> Milliseconds?

  /// - Parameters:
  ///   - date: the machine's, for a finish that is in the past.
  ///   - age: how long ago a moment was; `nil`: unknown.
  public init(
    _ settings: SettingsInForce, memory: Memory, team: String, at given: Moment, date: UTC,
    age: @escaping (Moment) -> Milliseconds?
  ) {
    self.settings = settings
    self.memory = memory
    self.team = team
    self.given = given
    self.date = date
    self.age = age
  }

  /// All of them, as lines.
  public var all: String {
    SettingsText(settings, team: team, order: memory.teamOrder, age: age).text
  }

  /// - Parameter order: `interval 5 min`
  public func set(_ order: String, by who: String) throws(ConsoleError) -> Outcome {
    let words = order.split(separator: " ", maxSplits: 1).map(String.init)
    let value = words.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? ""
    if words.first == "team" { return try setTeam(value, by: who) }
    let key = try key(words.first ?? "")
    do throws(FileError) {
      let new = try settings.ordering(
        OrderedValue(key, value), by: who, given: given, session: sessionMeant)
      if key == .finish {
        try new.reading.core.checkFinish(at: given.utc ?? date, path: "set finish")
      }
      return change(key, to: new)
    } catch {
      throw refusal("set \(key)", error)
    }
  }

  /// Including one that a restart interrupted and that may be resumed.
  private var sessionMeant: UInt32 {
    guard let session = memory.session else { return 1 }
    return session.ending == nil ? session.number : session.number &+ 1
  }

  /// The command for a team's name.
  private func setTeam(_ name: String, by who: String) throws(ConsoleError) -> Outcome {
    guard (1...64).contains(name.utf8.count), name == name.plain else {
      throw ConsoleError(ProblemPhrase.teamLength.texts)
    }
    return .command(
      .setTeam(InlineText(Array(name.utf8).span)),
      settings.orderingTeam(name, by: who, given: given, session: sessionMeant),
      lines: teamText(becoming: name))
  }

  /// - Parameter word: a key; `nil`: whatever was ordered last.
  public func undo(_ word: String?) throws(ConsoleError) -> Outcome {
    guard let word = word ?? last else {
      throw ConsoleError(ProblemPhrase.nothingOrdered.texts)
    }
    if word == "team" {
      guard memory.teamOrder != nil else { throw Self.noOrder(word) }
      return .command(.unsetTeam, settings.undoingTeam(), lines: teamText(becoming: team))
    }
    let key = try key(word)
    guard settings.order(key) != nil else { throw Self.noOrder(word) }
    do throws(FileError) {
      return change(key, to: try settings.undoing(key))
    } catch {
      throw refusal("undo \(key)", error)
    }
  }

  private static func noOrder(_ word: String) -> ConsoleError {
    ConsoleError(ProblemPhrase.noOrder.texts(word))
  }

  private func change(_ key: SettingKey, to new: SettingsInForce) -> Outcome {
    .change(to: new, key, lines: SettingsText(key, from: settings, to: new, age: age).text)
  }

  private func key(_ word: String) throws(ConsoleError) -> SettingKey {
    if let key = SettingKey(rawValue: word) { return key }
    let keys = (SettingKey.allCases.map(\.rawValue) + ["team"]).joined(separator: ", ")
    // A word with control characters is not repeated.
    guard !word.isEmpty, word.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ConsoleError(ProblemPhrase.unknownSetting.texts(keys))
    }
    throw ConsoleError(ProblemPhrase.unknownSettingNamed.texts(String(word.prefix(40)), keys))
  }

  /// The value may be good by itself, but not together with the file or with other orders.
  private func refusal(_ command: String, _ error: FileError) -> ConsoleError {
    error.path == command
      ? ConsoleError(error) : ConsoleError(ProblemPhrase.notPossible.texts(command, error))
  }

  private func teamText(becoming name: String) -> String {
    let order = memory.teamOrder
    return SettingsText(
      team: name, was: order.map { String($0.value) } ?? team,
      order: order.map { (settings.author(of: $0), $0.given) }, age: age
    ).text
  }

  /// The key of the newest order about the team or a setting.
  private var last: String? {
    guard let last = settings.orders.last, let key = SettingKey(path: last.path) else {
      return memory.teamOrder == nil ? nil : "team"
    }
    if let team = memory.teamOrder, team.given.isLater(than: last.given) { return "team" }
    return key.rawValue
  }
}

extension Moment {
  /// Whether this was after another moment, as far as is known.
  func isLater(than other: Moment) -> Bool {
    switch (at, other.at) {
    case (let at?, let other?): return at > other
    // Without a time on this clock it was before the machine started.
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil):
      guard let utc, let other = other.utc else { return false }
      return utc > other
    }
  }
}

/// What the control socket answers about settings: lines of `name value`, for programs.
struct SettingsText {
  private(set) var text = ""
  /// How long ago a moment was; `nil`: unknown.
  private let age: (Moment) -> Milliseconds?

  /// A setting that has no value.
  private static let none = "-"

  /// What a person has changed.
  init(
    _ key: SettingKey, from old: SettingsInForce, to new: SettingsInForce,
    age: @escaping (Moment) -> Milliseconds?
  ) {
    self.age = age
    line("key", key.rawValue)
    line("path", key.path)
    line("value", Self.value(of: key, new))
    if key == .finish, let utc = Self.finish(new) { line("utc", utc) }
    if let policy = Self.policyWithout(key, new) { line("unused", policy) }
    before(Self.value(of: key, old), old.order(key).map { ($0.who, $0.given) })
  }

  /// The same for the team.
  init(
    team: String, was: String, order: (who: String, given: Moment)?,
    age: @escaping (Moment) -> Milliseconds?
  ) {
    self.age = age
    line("key", "team")
    line("path", "team")
    line("value", team)
    before(was, order)
  }

  /// All settings that people can change.
  init(
    _ settings: SettingsInForce, team: String, order: Order<InlineText<64>>?,
    age: @escaping (Moment) -> Milliseconds?
  ) {
    self.age = age
    for key in SettingKey.allCases {
      line("setting \(key)", Self.value(of: key, settings))
      if key == .finish, let utc = Self.finish(settings) { line("utc \(key)", utc) }
      guard let order = settings.order(key) else { continue }
      if let policy = Self.policyWithout(key, settings) { line("unused \(key)", policy) }
      origin(
        "\(key)", order.who, order.given, file: settings.file.plain.text(of: key) ?? Self.none)
    }
    line("setting team", order.map { String($0.value) } ?? team)
    if let order { origin("team", settings.author(of: order), order.given, file: team) }
  }

  private mutating func line(_ name: String, _ value: String) {
    text += "\(name) \(value.isEmpty ? Self.none : value)\n"
  }

  private mutating func before(_ value: String, _ order: (who: String, given: Moment)?) {
    line("before", value)
    guard let order else { return }
    line("beforeBy", order.who)
    if let age = age(order.given) { line("beforeAgo", "\(age.count)") }
  }

  private mutating func origin(_ key: String, _ who: String, _ given: Moment, file: String) {
    line("by \(key)", who)
    if let age = age(given) { line("ago \(key)", "\(age.count)") }
    line("file \(key)", file)
  }

  /// The value in force, or the ordered one that the policy does not use.
  private static func value(of key: SettingKey, _ settings: SettingsInForce) -> String {
    if settings.reading.takes(key) { return settings.reading.text(of: key) ?? none }
    return settings.order(key)?.value ?? none
  }

  /// The policy in force, if it does not use the order about a key.
  private static func policyWithout(_ key: SettingKey, _ settings: SettingsInForce) -> String? {
    guard settings.order(key) != nil, !settings.reading.takes(key) else { return nil }
    return settings.reading.text(of: .policy)
  }

  /// `2027-04-18T10:00:00Z`
  private static func finish(_ settings: SettingsInForce) -> String? {
    guard case .at(let utc) = settings.reading.core.configuration.finish else { return nil }
    return CalendarText.text(utc).split(separator: " ").joined(separator: "T") + "Z"
  }
}
