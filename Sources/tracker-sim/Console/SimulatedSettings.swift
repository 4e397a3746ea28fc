import BoardSupport
import FieldConsole
import TrackerCore
import Wording

/// The settings of a simulated tracker that a person has changed at its console: the file's, with
/// the orders of this run.
struct SimulatedSettings {
  private struct Order {
    var value: OrderedValue
    var given: Instant
    /// The session that it is for.
    var session: UInt32
  }

  private let file: SettingsFile
  private var orders: [Order] = []
  private(set) var reading: SettingsReading
  static let who = "console"

  init(_ file: SettingsFile) {
    self.file = file
    reading = file.plain
  }

  /// The key that was ordered last.
  var lastOrder: (key: SettingKey, given: Instant)? {
    orders.last.map { ($0.value.key, $0.given) }
  }

  /// - Returns: lines of `name value` for the console.
  /// - Throws: if the value is impossible; nothing is changed.
  mutating func set(
    _ key: SettingKey, _ text: String, at now: Instant, date: UTC, session: UInt32
  ) throws(FileError) -> String {
    var value = OrderedValue(key, text)
    value.value = try file.text(of: value)
    let kept =
      orders.filter { $0.value.key != key } + [Order(value: value, given: now, session: session)]
    let new = try file.reading(kept.map(\.value), giving: key)
    if key == .finish { try new.core.checkFinish(at: date, path: "set finish") }
    let before = lines(before: key, at: now)
    (orders, reading) = (kept, new)
    return line("key", key.rawValue) + line("path", key.path) + line("value", self.value(of: key))
      + before + utc(key)
  }

  /// - Returns: lines for the console; `nil`: nothing is ordered about the key.
  /// - Throws: if another order needs it.
  mutating func undo(_ key: SettingKey, at now: Instant) throws(FileError) -> String? {
    guard orders.contains(where: { $0.value.key == key }) else { return nil }
    let kept = orders.filter { $0.value.key != key }
    let new = try file.reading(kept.map(\.value))
    let before = lines(before: key, at: now)
    (orders, reading) = (kept, new)
    return line("key", key.rawValue) + line("path", key.path) + line("value", value(of: key))
      + before
  }

  /// A session has begun, which ends the orders of an earlier one.
  ///
  /// - Returns: whether there were any.
  mutating func begin(session: UInt32) -> Bool {
    let kept = orders.filter { $0.session >= session }
    guard kept.count < orders.count else { return false }
    orders = kept
    // What was possible with more orders may not be with fewer.
    if let new = try? file.reading(kept.map(\.value)) {
      reading = new
    } else {
      orders = []
      reading = file.plain
    }
    return true
  }

  /// All settings, as lines for the console.
  func lines(at now: Instant) -> String {
    var text = ""
    for key in SettingKey.allCases {
      text += line("setting \(key)", value(of: key))
      guard let order = order(key) else { continue }
      text += line("by \(key)", Self.who)
      text += line("ago \(key)", "\((now - order.given).count)")
      text += line("file \(key)", file.plain.text(of: key) ?? "-")
    }
    return text
  }

  /// As in `TrackerFacts.settingOrders`.
  func orders(at now: Instant) -> [String] {
    orders.map {
      "\($0.value.key.rawValue) \((now - $0.given).count) \(Self.who) \($0.value.value)"
    }
  }

  private func order(_ key: SettingKey) -> Order? { orders.first { $0.value.key == key } }

  private func lines(before key: SettingKey, at now: Instant) -> String {
    let before = line("before", value(of: key))
    guard let order = order(key) else { return before }
    return before + line("beforeBy", Self.who)
      + line("beforeAgo", "\((now - order.given).count)")
  }

  private func utc(_ key: SettingKey) -> String {
    guard key == .finish, case .at(let utc) = reading.core.configuration.finish else { return "" }
    return line("utc", CalendarText.text(utc).split(separator: " ").joined(separator: "T") + "Z")
  }

  /// The value in force, or the ordered one that the policy does not use.
  private func value(of key: SettingKey) -> String {
    (reading.takes(key) ? reading.text(of: key) : order(key)?.value.value) ?? "-"
  }

  private func line(_ name: String, _ value: String) -> String { "\(name) \(value)\n" }
}
