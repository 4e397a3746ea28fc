public import BoardSupport
public import CaptureStore
public import TrackerCore

/// The settings of the configuration file with what people have ordered instead.
///
/// An order ends when it is undone, when the file's value for the same key is edited, when the next
/// session begins (one given between two sessions is meant for the next one), or when it is no
/// longer possible together with the file.
public struct SettingsInForce {
  private(set) var file: SettingsFile
  /// In the order in which they were given, at most one for each key.
  public private(set) var orders: [SettingOrder] = []
  /// Who last ordered the team's name: the order itself is the core's, which knows no people.
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

  /// Who gave the order about the team's name that is in force.
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
