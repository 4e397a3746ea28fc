public import BoardSupport
import SystemCalls
public import TrackerCore
public import Wording

/// Measures the battery with a sensor: the median of the plausible ones of several readings.
public final class SensorMeter: BatteryMeter {
  public private(set) var rejected = 0
  public private(set) var thermometerProblem: SensorError?
  private var probe: any BatteryProbe
  private var thermometer: Thermometer?
  private let name: String
  private let battery: Battery

  /// - Parameters:
  ///   - thermometer: `nil`: the battery's own gauge may have one.
  ///   - root: `/`, or in tests a folder with a `sys` of its own.
  /// - Returns: `nil` if the modem is what measures.
  public convenience init?(
    _ sensor: BatterySensor, with thermometer: SensorDevice? = nil, of battery: Battery,
    below root: String
  ) {
    let root = root.hasSuffix("/") ? String(root.dropLast()) : root
    switch sensor {
    case .iio(let device, let channel, let divider):
      self.init(
        IIOProbe(device, channel: channel, divider: divider, below: root), name: device.name,
        of: battery)
    case .hwmon(let device, let channel, let divider, let discharge):
      self.init(
        HwmonProbe(
          device, channel: channel, divider: divider, discharge: discharge, below: root),
        name: device.name, of: battery)
    case .powerSupply(let name):
      self.init(
        PowerSupplyProbe(name: name, below: root), name: name ?? "battery", of: battery)
    // A board with the second is a controller, on which this does not run.
    case .modem, .adc: return nil
    }
    self.thermometer = thermometer.map { Thermometer($0, below: root) }
  }

  init(_ probe: any BatteryProbe, name: String, of battery: Battery) {
    self.probe = probe
    self.name = name
    self.battery = battery
  }

  public func measure() -> Result<BatteryReading, SensorError> {
    measureVoltage().map { reading in
      var reading = reading
      if let celsius = celsius() { reading.celsius = celsius }
      return reading
    }
  }

  /// A thermometer that fails costs no measurement.
  private func celsius() -> Int32? {
    guard var thermometer else { return nil }
    defer { self.thermometer = thermometer }
    do throws(SensorError) {
      thermometerProblem = nil
      return try thermometer.read()
    } catch {
      thermometerProblem = error
      return nil
    }
  }

  private func measureVoltage() -> Result<BatteryReading, SensorError> {
    do throws(SensorError) {
      do throws(SensorError) { return .success(try sample()) } catch {
        probe.forget()
        guard error.isOfGoneDevice else { throw error }
      }
      // It may be back under another number.
      return .success(try sample())
    } catch {
      probe.forget()
      return .failure(error)
    }
  }

  private func sample() throws(SensorError) -> BatteryReading {
    var good: [BatteryReading] = []
    var problem: SensorError?
    for _ in 0..<HostBounds.sensorReadings {
      do throws(SensorError) {
        let reading = try probe.read()
        if battery.isPlausible(millivolts: reading.millivolts) {
          good.append(reading)
        } else {
          rejected += 1
          problem = implausible(reading.millivolts)
        }
      } catch {
        problem = error
        // Each further reading could wait for a bus that hangs.
        break
      }
    }
    if let problem, good.count < HostBounds.sensorReadingsNeeded { throw problem }
    return Self.median(good)
  }

  private func implausible(_ millivolts: Int32) -> SensorError {
    let (lowest, highest) = battery.plausibleMillivolts
    return .implausible(name: name, millivolts: millivolts, lowest: lowest, highest: highest)
  }

  /// - Parameter readings: one at least.
  private static func median(_ readings: [BatteryReading]) -> BatteryReading {
    let sorted = readings.sorted { $0.millivolts < $1.millivolts }
    var median = sorted[sorted.count / 2]
    let currents = readings.compactMap(\.currentMilliamps).sorted()
    median.currentMilliamps = currents.isEmpty ? nil : currents[currents.count / 2]
    return median
  }
}

/// Why the battery cannot be measured at present.
public enum SensorError: Error, Sendable, Equatable {
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
    case .system(_, let code): code == Errno.noDevice || code == Errno.noDeviceOrAddress
    case .lacks: true
    case .absent, .several, .severalBatteries, .junk, .implausible: false
    }
  }

  /// Whether it is the same trouble as another, so that it need not be logged again.
  func isSame(as other: SensorError?) -> Bool {
    if case .implausible = self, case .implausible? = other { return true }
    return self == other
  }
}

extension SensorError: Worded {
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
      return code == Errno.busy ? text.semicolon(HostPhrase.sensorBusy.texts) : text
    case .junk(let name, let file, let content):
      return HostPhrase.sensorJunk.texts(name, file, content)
    case .implausible(let name, let millivolts, let lowest, let highest):
      return HostPhrase.sensorImplausible.texts(
        name, "\(millivolts)", "\(lowest)", "\(highest)")
    }
  }
}
