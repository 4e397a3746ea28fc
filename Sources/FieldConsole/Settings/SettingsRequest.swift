public import BoardSupport
import CaptureStore
public import TrackerCore
import Wording

/// What a person asks about the settings of a tracker, and what is to be done about it: the same
/// for a daemon and for a simulated tracker.
public struct SettingsRequest {
  public enum Outcome {
    /// These settings, once they are on disk; then the lines are the answer.
    case change(to: SettingsInForce, SettingKey, lines: String)
    /// The team's name is the core's; the lines are the answer once it has obeyed. The settings
    /// tell who ordered it.
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
  public func set(_ order: String, by who: String) throws(ConsoleProblem) -> Outcome {
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

  /// Also one that was interrupted by a restart, and may be resumed.
  private var sessionMeant: UInt32 {
    guard let session = memory.session else { return 1 }
    return session.ending == nil ? session.number : session.number &+ 1
  }

  /// The command for a team's name.
  private func setTeam(_ name: String, by who: String) throws(ConsoleProblem) -> Outcome {
    guard (1...64).contains(name.utf8.count), name == name.plain else {
      throw ConsoleProblem(ProblemPhrase.teamLength.texts)
    }
    return .command(
      .setTeam(InlineText(Array(name.utf8).span)),
      settings.orderingTeam(name, by: who, given: given, session: sessionMeant),
      lines: teamText(becoming: name))
  }

  /// - Parameter word: a key; `nil`: whatever was ordered last.
  public func undo(_ word: String?) throws(ConsoleProblem) -> Outcome {
    guard let word = word ?? last else {
      throw ConsoleProblem(ProblemPhrase.nothingOrdered.texts)
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

  private static func noOrder(_ word: String) -> ConsoleProblem {
    ConsoleProblem(ProblemPhrase.noOrder.texts(word))
  }

  private func change(_ key: SettingKey, to new: SettingsInForce) -> Outcome {
    .change(to: new, key, lines: SettingsText(key, from: settings, to: new, age: age).text)
  }

  private func key(_ word: String) throws(ConsoleProblem) -> SettingKey {
    if let key = SettingKey(rawValue: word) { return key }
    let keys = (SettingKey.allCases.map(\.rawValue) + ["team"]).joined(separator: ", ")
    // A word that a terminal would act on is not repeated.
    guard !word.isEmpty, word.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ConsoleProblem(ProblemPhrase.unknownSetting.texts(keys))
    }
    throw ConsoleProblem(ProblemPhrase.unknownSettingNamed.texts(String(word.prefix(40)), keys))
  }

  /// The value may be good by itself, but not together with the file or with other orders.
  private func refusal(_ command: String, _ error: FileError) -> ConsoleProblem {
    error.path == command
      ? ConsoleProblem(error) : ConsoleProblem(ProblemPhrase.notPossible.texts(command, error))
  }

  private func teamText(becoming name: String) -> String {
    let order = memory.teamOrder
    return SettingsText(
      team: name, was: order.map { String($0.value) } ?? team,
      order: order.map { (settings.author(of: $0), $0.given) }, age: age
    ).text
  }

  /// The key of the order about team or settings that was given last.
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
    // What has no time on this clock was before the machine started.
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil):
      guard let utc, let other = other.utc else { return false }
      return utc > other
    }
  }
}
