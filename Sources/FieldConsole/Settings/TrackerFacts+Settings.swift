import BoardSupport
public import CaptureStore
public import TrackerCore

extension TrackerFacts {
  /// The settings that people have changed.
  ///
  /// - Parameter age: how long ago a moment was; `nil`: unknown.
  public mutating func take(_ settings: SettingsInForce, age: (Moment) -> Milliseconds?) {
    language = settings.reading.language?.code
    take(settings.kept, age: age)
  }

  /// The same of a tracker that does not run.
  public mutating func take(_ orders: [SettingOrder], age: (Moment) -> Milliseconds?) {
    if let order = orders.last(where: { $0.path == SettingOrder.teamPath }), order.value == team,
      let given = teamOrder?.split(separator: " ").dropLast()
    {
      teamOrder = (given + [order.who[...]]).joined(separator: " ")
    }
    settingOrders = orders.compactMap { order in
      guard let key = SettingKey(path: order.path) else { return nil }
      if key == .language { language = order.value }
      let age = age(order.given).map { "\($0.count)" } ?? "-"
      return "\(key.rawValue) \(age) \(order.who) \(order.value)"
    }
  }
}
