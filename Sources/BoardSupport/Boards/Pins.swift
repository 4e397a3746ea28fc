/// A digital line of the computer.
public struct Pin: Sendable, Equatable {
  public enum Line: Sendable, Equatable {
    /// On the board's GPIO chip, where it is the BCM number on a Raspberry Pi; digital pin on an
    /// Arduino.
    case offset(Int32)
    /// As the device tree names it: `GPIO6`.
    case name(String)
  }

  public enum Bias: String, Sendable, Equatable, CaseIterable {
    case none, pullUp, pullDown
  }

  public var line: Line
  /// Whether the line is high when it is active: pressed for a key, on for a status.
  public var isActiveHigh: Bool
  /// A resistor inside the chip, for an input that is open at rest.
  public var bias: Bias

  public init(line: Line, isActiveHigh: Bool, bias: Bias = .none) {
    self.line = line
    self.isActiveHigh = isActiveHigh
    self.bias = bias
  }
}

/// The digital lines of a board; `nil`: not wired.
public struct Pins: Sendable, Equatable {
  /// The label of the GPIO chip that all of them are on; `nil`: Linux does not reach them.
  public var chip: String?
  /// Without it the modem cannot be switched on and off, and rests with its radio off.
  public var modemPowerKey: Pin?
  /// Shows whether the modem is on.
  public var modemStatus: Pin?
  /// Active with an external supply.
  public var powerGood: Pin?
  public var button: Pin?
  public var statusLight: Pin?
  public var flightMode: Pin?

  public init(chip: String? = nil) { self.chip = chip }

  /// Those that are wired, by the names of their keys.
  public var wired: [(key: String, pin: Pin)] {
    [
      ("modemPowerKey", modemPowerKey), ("modemStatus", modemStatus), ("powerGood", powerGood),
      ("button", button), ("statusLight", statusLight), ("flightMode", flightMode),
    ].compactMap { key, pin in pin.map { (key, $0) } }
  }
}

extension Pin.Line: CustomStringConvertible {
  public var description: String {
    switch self {
    case .offset(let offset): "\(offset)"
    case .name(let name): name
    }
  }
}
