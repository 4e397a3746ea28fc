import BoardSupport
import SystemCalls
import TrackerCore

/// One kind of sensor, read once. Blocks for the milliseconds that the bus takes.
protocol BatteryProbe {
  mutating func read() throws(SensorError) -> BatteryReading
  /// Looks for the device again before the next reading.
  mutating func forget()
}

/// An analogue-to-digital converter. Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio:
/// millivolts are (raw + offset) * scale, and attributes may be shared by all channels of a type.
struct IIOProbe: BatteryProbe {
  private var device: SysfsDevice
  private let channel: Int32
  private let divider: Ratio

  init(_ device: SensorDevice, channel: Int32, divider: Ratio, below root: String) {
    self.device = SysfsDevice(device, in: "\(root)/sys/bus/iio/devices", prefix: "iio:device")
    self.channel = channel
    self.divider = divider
  }

  mutating func read() throws(SensorError) -> BatteryReading {
    let folder = try device.locate()
    let file = "in_voltage\(channel)_raw"
    let raw = try folder.number(file)
    let own = try folder.optional("in_voltage\(channel)_scale")
    let scale: SensorNumber
    if let own { scale = own } else { scale = try folder.number("in_voltage_scale") }
    let ownOffset = try folder.optional("in_voltage\(channel)_offset")
    let sharedOffset = ownOffset == nil ? try folder.optional("in_voltage_offset") : nil
    let offset = ownOffset ?? sharedOffset ?? .zero
    guard let millivolts = raw.scaled(by: scale, offset: offset, divider) else {
      throw folder.junk(file, try folder.text(file))
    }
    return BatteryReading(millivolts: millivolts)
  }

  mutating func forget() { device.forget() }
}

/// A monitor of voltage and current, such as the INA219. Source: the kernel's
/// Documentation/hwmon/sysfs-interface.rst: `inN_input` is in millivolts, `currN_input` in
/// milliamps.
struct HwmonProbe: BatteryProbe {
  private var device: SysfsDevice
  private let channel: Int32
  private let divider: Ratio
  private let discharge: CurrentSign?

  init(
    _ device: SensorDevice, channel: Int32, divider: Ratio, discharge: CurrentSign?,
    below root: String
  ) {
    self.device = SysfsDevice(device, in: "\(root)/sys/class/hwmon", prefix: "hwmon")
    self.channel = channel
    self.divider = divider
    self.discharge = discharge
  }

  mutating func read() throws(SensorError) -> BatteryReading {
    let folder = try device.locate()
    let file = "in\(channel)_input"
    let input = try folder.number(file)
    let one = SensorNumber.one
    guard let millivolts = input.scaled(by: one, offset: .zero, divider) else {
      throw folder.junk(file, try folder.text(file))
    }
    var reading = BatteryReading(millivolts: millivolts)
    if let discharge, let current = try folder.optional("curr1_input")?.rounded() {
      let isPositive = discharge == .positive
      reading.currentMilliamps = isPositive ? current : Int32(clamping: -Int64(current))
    }
    return reading
  }

  mutating func forget() { device.forget() }
}

/// A fuel gauge. Source: the kernel's Documentation/ABI/testing/sysfs-class-power: microvolts,
/// microamps and percent. Drivers differ in the sign of the current, so that `status` decides.
struct PowerSupplyProbe: BatteryProbe {
  private let wanted: String?
  private let folder: String

  init(name: String?, below root: String) {
    wanted = name
    folder = "\(root)/sys/class/power_supply"
  }

  mutating func read() throws(SensorError) -> BatteryReading {
    let supply = try locate()
    let file = "voltage_now"
    guard let millivolts = try supply.number(file).rounded(dividedBy: 1000) else {
      throw supply.junk(file, try supply.text(file))
    }
    return BatteryReading(
      millivolts: millivolts, currentMilliamps: current(supply), percent: percent(supply),
      celsius: celsius(supply))
  }

  mutating func forget() {}

  private func locate() throws(SensorError) -> SysfsFolder {
    if let wanted {
      guard names(inFolder: folder).contains(wanted) else {
        throw .absent(name: wanted, folder: folder)
      }
      return SysfsFolder(path: "\(folder)/\(wanted)", name: wanted)
    }
    let batteries = names(inFolder: folder).sorted()
      .map { SysfsFolder(path: "\(folder)/\($0)", name: $0) }
      .filter { (try? $0.text("type")) == "Battery" && (try? $0.text("scope")) != "Device" }
    guard let first = batteries.first else { throw .absent(name: "battery", folder: folder) }
    guard batteries.count == 1 else { throw .severalBatteries(batteries.map(\.name)) }
    return first
  }

  /// `nil` where the gauge does not measure it, or does not say which way it flows.
  private func current(_ supply: SysfsFolder) -> Int32? {
    guard let current = try? supply.number("current_now").rounded(dividedBy: 1000) else {
      return nil
    }
    let size = Int32(clamping: current.magnitude)
    switch try? supply.text("status") {
    case "Discharging": return size
    case "Charging": return -size
    default: return nil
    }
  }

  /// In tenths of a degree.
  private func celsius(_ supply: SysfsFolder) -> Int32? {
    guard let celsius = try? supply.number("temp").rounded(dividedBy: 10) else { return nil }
    return HostBounds.batteryCelsius.contains(celsius) ? celsius : nil
  }

  /// A MAX17040 may report somewhat more than 100 %; anything beyond is a gauge that is lost.
  private func percent(_ supply: SysfsFolder) -> UInt8? {
    guard let percent = try? supply.number("capacity").rounded(), (0...110).contains(percent)
    else { return nil }
    return UInt8(min(percent, 100))
  }
}

/// A thermometer at the battery. Source: the kernel's Documentation/hwmon/sysfs-interface.rst:
/// `temp1_input` is in thousandths of a degree.
struct Thermometer {
  private var device: SysfsDevice

  init(_ device: SensorDevice, below root: String) {
    self.device = SysfsDevice(device, in: "\(root)/sys/class/hwmon", prefix: "hwmon")
  }

  /// - Returns: degrees Celsius.
  mutating func read() throws(SensorError) -> Int32 {
    do throws(SensorError) {
      let folder = try device.locate()
      let file = "temp1_input"
      guard let celsius = try folder.number(file).rounded(dividedBy: 1000),
        HostBounds.batteryCelsius.contains(celsius)
      else { throw folder.junk(file, try folder.text(file)) }
      return celsius
    } catch {
      // It may be back under another number.
      device.forget()
      throw error
    }
  }
}
