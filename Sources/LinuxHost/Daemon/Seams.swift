public import TrackerCore

/// What measures the battery.
public protocol BatteryMeter: AnyObject {
  /// The battery's voltage now; `nil` when it cannot be had.
  func measure() -> BatteryReading?
}

/// The digital lines between this computer and its modem.
public protocol PinBank: AnyObject {
  /// - Returns: whether the line exists and took the level.
  func set(_ pin: OutputPin, isHigh: Bool) -> Bool
}
