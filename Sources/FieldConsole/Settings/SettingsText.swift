import BoardSupport
import CaptureStore
import TrackerCore
import Wording

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
