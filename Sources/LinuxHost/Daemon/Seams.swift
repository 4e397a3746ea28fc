public import TrackerCore

/// Measures the battery.
public protocol BatteryMeter: AnyObject {
  /// The battery's present voltage; `nil` when it cannot be measured.
  func measure() -> BatteryReading?
}

/// The digital lines between this computer and its modem.
public protocol PinBank: AnyObject {
  /// - Returns: whether the line exists and took the level.
  func set(_ pin: OutputPin, isHigh: Bool) -> Bool
}
