public import BoardSupport
public import TrackerCore

/// Measures the battery with a sensor: the median of the plausible ones of several readings.
public final class SensorMeter: BatteryMeter {
  /// The readings of a measurement, one after the other: they take some 10 ms.
  static let readings = 5
  /// Fewer good readings are not enough for a median.
  static let fewestReadings = 3

  public private(set) var rejected = 0
  private var probe: any BatteryProbe
  private let name: String
  private let battery: Battery

  /// - Parameter root: `/`, or in tests a folder with a `sys` of its own.
  /// - Returns: `nil` if the modem is what measures.
  public convenience init?(_ sensor: BatterySensor, of battery: Battery, below root: String) {
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
    case .modem: return nil
    }
  }

  init(_ probe: any BatteryProbe, name: String, of battery: Battery) {
    self.probe = probe
    self.name = name
    self.battery = battery
  }

  public func measure() -> Result<BatteryReading, SensorProblem> {
    do throws(SensorProblem) {
      do throws(SensorProblem) { return .success(try sample()) } catch {
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

  private func sample() throws(SensorProblem) -> BatteryReading {
    var good: [BatteryReading] = []
    var problem: SensorProblem?
    for _ in 0..<Self.readings {
      do throws(SensorProblem) {
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
    if let problem, good.count < Self.fewestReadings { throw problem }
    return Self.median(good)
  }

  private func implausible(_ millivolts: Int32) -> SensorProblem {
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
