import Glibc
import SystemCalls

/// Why the battery cannot be measured at present.
public enum SensorProblem: Error, Sendable, Equatable {
  /// No device has that name.
  case absent(name: String, folder: String)
  /// Several have it, at these places.
  case several(name: String, places: [String])
  /// No name is given, and several power supplies are batteries.
  case severalBatteries([String])
  /// The device has no such file: another channel or another driver.
  case lacks(name: String, file: String)
  /// Reading failed with this `errno`.
  case system(name: String, code: Int32)
  /// A file has something else than a number.
  case junk(name: String, file: String, content: String)
  /// The battery cannot have this voltage.
  case implausible(name: String, millivolts: Int32, lowest: Int32, highest: Int32)

  /// Whether another device, or the same one under another number, may be there now.
  var isOfGoneDevice: Bool {
    switch self {
    case .system(_, let code): code == ENODEV || code == ENXIO
    case .lacks: true
    case .absent, .several, .severalBatteries, .junk, .implausible: false
    }
  }

  /// Whether it is the same trouble as another, so that it need not be logged again.
  func isSame(as other: SensorProblem?) -> Bool {
    if case .implausible = self, case .implausible? = other { return true }
    return self == other
  }
}

extension SensorProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .absent(let name, let folder):
      return "\(name): there is no such device in \(folder); check its wiring and driver"
    case .several(let name, let places):
      return "\(name): there are several, at \(places.joined(separator: ", ")); "
        + "write battery.sensor.place in the board file"
    case .severalBatteries(let names):
      return "there are several batteries, \(names.joined(separator: ", ")); "
        + "write battery.sensor.name in the board file"
    case .lacks(let name, let file):
      return "\(name): has no \(file); check battery.sensor in the board file"
    case .system(let name, let code):
      // Drivers like ti-ads1015 refuse single readings while their events are switched on.
      let cause = code == EBUSY ? "; another program uses its events or its buffer" : ""
      return "\(name): \(reason(of: code))\(cause)"
    case .junk(let name, let file, let content):
      return "\(name): \(file) has no number but \"\(content)\""
    case .implausible(let name, let millivolts, let lowest, let highest):
      return "\(name): \(millivolts) mV is implausible, the battery has \(lowest) to \(highest) mV"
    }
  }
}
