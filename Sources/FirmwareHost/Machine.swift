public import TrackerCore

/// A serial port of a controller.
public enum MachinePort: UInt8, Sendable {
  case console
  case receiver
  case modem
}

/// What a controller's drivers do for `FirmwareHost`.
public protocol Machine: ~Copyable {
  /// The monotonic clock.
  var now: Instant { get }
  /// Sleeps until an interrupt, at the latest until this instant. May return earlier.
  mutating func sleep(until deadline: Instant)
  /// Takes bytes that have come; returns how many.
  mutating func receive(from port: MachinePort, into buffer: inout MutableSpan<UInt8>) -> Int
  /// Returns when the last byte is on its way.
  mutating func send(_ bytes: Span<UInt8>, to port: MachinePort)
  /// Presses the modem's power key and lets go of it after this time, whatever else is done then.
  mutating func pressPowerKey(for length: Milliseconds)
  mutating func readButton() -> Bool
  mutating func setLight(isLit: Bool)
  /// The battery's voltage, in 65536ths of `FirmwareSettings.batteryRange`; `nil`: it could not be
  /// measured.
  mutating func readBattery() -> UInt16?
  /// Counts so fast that nobody types at the same count twice.
  var cycles: UInt32 { get }
  /// Starts the firmware again.
  mutating func restart()
}
