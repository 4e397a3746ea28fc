import Glibc
public import Wording

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
  /// A file contains something other than a number.
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

extension SensorProblem: Worded {
  public var texts: Texts {
    switch self {
    case .absent(let name, let folder): return HostPhrase.sensorAbsent.texts(name, folder)
    case .several(let name, let places):
      return HostPhrase.sensorSeveral.texts(name, places.joined(separator: ", "))
    case .severalBatteries(let names):
      return HostPhrase.severalBatteries.texts(names.joined(separator: ", "))
    case .lacks(let name, let file): return HostPhrase.sensorLacks.texts(name, file)
    case .system(let name, let code):
      let text = name.texts.colon(SystemReason.texts(of: code))
      // Drivers like ti-ads1015 refuse single readings while their events are switched on.
      return code == EBUSY ? text.semicolon(HostPhrase.sensorBusy.texts) : text
    case .junk(let name, let file, let content):
      return HostPhrase.sensorJunk.texts(name, file, content)
    case .implausible(let name, let millivolts, let lowest, let highest):
      return HostPhrase.sensorImplausible.texts(
        name, "\(millivolts)", "\(lowest)", "\(highest)")
    }
  }
}
