/// What measures the battery.
public enum BatterySensor: Sendable, Equatable {
  /// An analogue-to-digital converter, by Linux's Industrial I/O: `in_voltageN_raw`.
  case iio(SensorDevice, channel: Int32, divider: Ratio)
  /// A monitor of voltage and current, by Linux's hwmon: `inN_input` and `currN_input`.
  case hwmon(SensorDevice, channel: Int32, divider: Ratio, discharge: CurrentSign?)
  /// A fuel gauge, by Linux's power supply class; with the name `nil` the only one that is a
  /// battery.
  case powerSupply(name: String?)
  /// The modem, which the battery supplies directly: `AT+CBC`.
  case modem
}

/// How a sensor is found among those of its kind: by what it is, because the numbers in sysfs
/// depend on the order in which drivers were loaded.
public struct SensorDevice: Sendable, Equatable {
  /// The driver's name for it: the content of the file `name`.
  public var name: String
  /// Where it is, if there are several of that name: `1-0042` (bus and address on I²C) or `spi0.0`.
  public var place: String?

  public init(name: String, place: String? = nil) {
    self.name = name
    self.place = place
  }
}

/// Which sign a sensor gives to the current that discharges the battery: it depends on which way
/// round the shunt is wired.
public enum CurrentSign: Sendable, Equatable {
  case positive
  case negative
}

/// An exact ratio, as of a voltage divider: 5.7 is 57 / 10.
public struct Ratio: Sendable, Equatable {
  public var numerator: Int32
  public var denominator: Int32

  /// - Parameter denominator: positive.
  public init(_ numerator: Int32, _ denominator: Int32 = 1) {
    precondition(denominator > 0, "readers refuse other denominators")
    self.numerator = numerator
    self.denominator = denominator
  }
}
