public import TrackerCore
public import Wording

/// Measures the battery.
public protocol BatteryMeter: AnyObject {
  /// The battery's present state. Takes some milliseconds.
  func measure() -> Result<BatteryReading, SensorProblem>
  /// How many implausible readings were not used.
  var rejected: Int { get }
}

/// The digital lines of this computer. Levels are logical: active or not, whatever the polarity.
public protocol PinBank: AnyObject {
  /// - Returns: whether the line took it.
  func set(_ pin: OutputPin, isActive: Bool) -> Bool
  /// Makes a line active for this many milliseconds, whatever the caller does meanwhile.
  ///
  /// - Returns: whether the line exists.
  func pulse(_ pin: OutputPin, length: Int64) -> Bool
  func show(_ light: Light)
  /// Readable when there are changes to take.
  var descriptors: [Int32] { get }
  /// The milliseconds after which to look for changes anyway.
  var wakesIn: Int64? { get }
  /// What does not work, and what to do.
  var problem: Texts? { get }
  /// The changes since the last call, in order; at the first call the levels of those inputs that
  /// have a state.
  func takeChanges() -> [PinChange]
}

/// A change of an input.
public struct PinChange: Sendable, Equatable {
  public var pin: InputPin
  public var isActive: Bool
  /// For how long it has been so, milliseconds.
  public var age: Int64

  public init(pin: InputPin, isActive: Bool, age: Int64) {
    self.pin = pin
    self.isActive = isActive
    self.age = age
  }
}
