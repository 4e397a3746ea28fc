import BoardSupport
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// Sensors in a folder laid out as sysfs is.
@Suite struct SensorReadingTests {
  private let scratch: ScratchFolder
  private let tree: SensorTree
  private let note: Comment = "repeat with: swift test --filter SensorReadingTests"

  init() throws {
    scratch = try ScratchFolder()
    tree = try SensorTree(in: URL(fileURLWithPath: scratch.path("machine")))
  }

  /// Li-ion: plausible from 1267 to 5010 mV for one cell.
  static func battery(cells: Int32 = 1) -> Battery {
    Battery(
      cellsInSeries: cells, cellsInParallel: 1, cellCapacityMilliampHours: 3000,
      cellMillivolts: [2535, 3268, 3411, 3558, 3662, 3752, 3840, 3922, 4037, 4090, 4175],
      cutOffMillivolts: 3000, capacityAtFreezingPercent: 80, regulator: .linear)
  }

  private func meter(_ sensor: BatterySensor, cells: Int32 = 1) throws -> SensorMeter {
    try #require(SensorMeter(sensor, of: Self.battery(cells: cells), below: tree.root), note)
  }

  private static let converter = BatterySensor.iio(
    SensorDevice(name: "ads1015"), channel: 0, divider: Ratio(2))
  private static let converterFiles = ["in_voltage0_raw": "650", "in_voltage0_scale": "3.000000"]

  @Test func `An ADS1015 has a scale for each channel`() throws {
    try tree.iio(0, "mcp3008", at: "spi0.0", ["in_voltage0_raw": "1"])
    try tree.iio(
      3, "ads1015", Self.converterFiles.merging(["in_voltage_scale": "99"]) { $1 })
    let reading = try meter(Self.converter).measure().get()
    #expect(reading == BatteryReading(millivolts: 3900), note)
  }

  @Test func `An MCP3008 has one scale for all channels, and an offset counts before it`() throws {
    let files = ["in_voltage7_raw": "700", "in_voltage_scale": "3.222656250"]
    let sensor = BatterySensor.iio(
      SensorDevice(name: "mcp3008"), channel: 7, divider: Ratio(133, 33))
    try tree.iio(0, "mcp3008", at: "spi0.0", files)
    // 700 * 3.22265625 * 133 / 33 = 9091.7…
    #expect(try meter(sensor, cells: 2).measure().get().millivolts == 9092, note)
    try tree.write("-100.5\n", to: "bus/iio/devices/iio:device0/in_voltage7_offset")
    // (700 - 100.5) * 3.22265625 * 133 / 33 = 7786.4…
    #expect(try meter(sensor, cells: 2).measure().get().millivolts == 7786, note)
  }

  @Test func `A thermometer's degrees go with the voltage, and are left out while it fails`()
    throws
  {
    try tree.iio(0, "ads1015", Self.converterFiles)
    let device = SensorDevice(name: "tmp102", place: "1-0049")
    let meter = try #require(
      SensorMeter(Self.converter, with: device, of: Self.battery(), below: tree.root), note)
    #expect(try meter.measure().get() == BatteryReading(millivolts: 3900), note)
    #expect(
      meter.thermometerProblem
        == .absent(name: "tmp102", folder: tree.root + "/sys/class/hwmon"), note)
    try tree.hwmon(2, "tmp102", at: "1-0049", [:])
    for (text, celsius) in [
      ("20562\n", 21), ("-4500\n", -5), ("-40000", -40), ("127937", nil), ("", nil), ("x", nil),
    ] as [(String, Int32?)] {
      try tree.write(text, to: "class/hwmon/hwmon2/temp1_input")
      #expect(try meter.measure().get().celsius == celsius, "\(text); \(note)")
      #expect((meter.thermometerProblem == nil) == (celsius != nil), "\(text); \(note)")
      #expect(try meter.measure().get().millivolts == 3900, note)
    }
  }

  @Test func `An INA219 gives millivolts, and the current with the sign that the board says`()
    throws
  {
    try tree.hwmon(0, "cpu_thermal", ["temp1_input": "48000"])
    try tree.hwmon(
      2, "ina219", ["in0_input": "3", "in1_input": "7411", "curr1_input": "-310"])
    for (sign, current) in [(nil, nil), (.positive, -310), (.negative, 310)]
      as [(CurrentSign?, Int32?)]
    {
      let sensor = BatterySensor.hwmon(
        SensorDevice(name: "ina219"), channel: 1, divider: Ratio(1), discharge: sign)
      let reading = try meter(sensor, cells: 2).measure().get()
      #expect(
        reading == BatteryReading(millivolts: 7411, currentMilliamps: current), note)
    }
  }

  static let gauges: [(files: [String: String], current: Int32?, percent: UInt8?)] = [
    (["capacity": "81", "status": "Unknown"], nil, 81),
    (["capacity": "104", "status": "Full"], nil, 100),
    (["capacity": "255"], nil, nil), (["capacity": "-1"], nil, nil), (["capacity": ""], nil, nil),
    (["current_now": "-240499", "status": "Discharging", "capacity": "81"], 240, 81),
    (["current_now": "240500", "status": "Discharging"], 241, nil),
    (["current_now": "900000", "status": "Charging"], -900, nil),
    (["current_now": "-900000", "status": "Charging"], -900, nil),
    (["current_now": "900000", "status": "Not charging"], nil, nil),
    (["current_now": "900000"], nil, nil), (["current_now": "x", "status": "Charging"], nil, nil),
  ]

  @Test(arguments: gauges.indices)
  func `A fuel gauge's status says which way its current flows`(_ index: Int) throws {
    let gauge = Self.gauges[index]
    try tree.supply("axp20x-usb", ["type": "USB", "voltage_now": "5000000"])
    try tree.supply("mouse", ["type": "Battery", "scope": "Device", "voltage_now": "1500000"])
    try tree.supply(
      "battery", gauge.files.merging(["type": "Battery", "voltage_now": "3987499"]) { $1 })
    let expected = BatteryReading(
      millivolts: 3987, currentMilliamps: gauge.current, percent: gauge.percent)
    for name in ["battery", nil] {
      #expect(try meter(.powerSupply(name: name)).measure().get() == expected, note)
    }
  }

  @Test func `A sensor that comes back under another number is found again`() throws {
    try tree.iio(0, "ads1015", Self.converterFiles)
    let meter = try meter(Self.converter)
    #expect(try meter.measure().get().millivolts == 3900, note)
    try tree.remove("bus/iio/devices/iio:device0")
    #expect(throws: SensorError.absent(name: "ads1015", folder: folder), note) {
      try meter.measure().get()
    }
    try tree.iio(0, "mcp3008", at: "spi0.0", Self.converterFiles)
    try tree.iio(5, "ads1015", ["in_voltage0_raw": "600", "in_voltage0_scale": "3.000000"])
    #expect(try meter.measure().get().millivolts == 3600, note)
    // Its number is another device's now, and it has a new one.
    try tree.remove("bus/iio/devices/iio:device5")
    try tree.iio(5, "mcp3208", at: "spi0.1", Self.converterFiles)
    try tree.iio(6, "ads1015", Self.converterFiles)
    #expect(try meter.measure().get().millivolts == 3900, note)
  }

  private var folder: String { tree.root + "/sys/bus/iio/devices" }

  @Test func `Of two devices with one name the place decides, and without it both are told`() throws
  {
    for (number, place, volts) in [(0, "1-0040", "5100"), (1, "1-0042", "7411")] {
      try tree.hwmon(number, "ina219", at: place, ["in1_input": volts])
    }
    func sensor(_ place: String?) -> BatterySensor {
      .hwmon(
        SensorDevice(name: "ina219", place: place), channel: 1, divider: Ratio(1), discharge: nil)
    }
    #expect(try meter(sensor("1-0042"), cells: 2).measure().get().millivolts == 7411, note)
    #expect(throws: SensorError.several(name: "ina219", places: ["1-0040", "1-0042"]), note) {
      try meter(sensor(nil), cells: 2).measure().get()
    }
    #expect(throws: SensorError.self, note) {
      try meter(sensor("1-004"), cells: 2).measure().get()
    }
    for name in ["one", "two"] { try tree.supply(name, ["type": "Battery"]) }
    #expect(throws: SensorError.severalBatteries(["one", "two"]), note) {
      try meter(.powerSupply(name: nil)).measure().get()
    }
  }

  @Test func `A bus that does not answer is a stated problem, and so is a missing channel`() throws
  {
    try tree.iio(0, "ads1015", Self.converterFiles)
    let meter = try meter(Self.converter)
    try tree.breakFile("bus/iio/devices/iio:device0/in_voltage0_raw")
    guard case .failure(let problem) = meter.measure() else {
      Issue.record("it was measured; \(note)")
      return
    }
    #expect("\(problem)" == "ads1015: Input/output error", note)
    let other = try self.meter(
      .iio(SensorDevice(name: "ads1015"), channel: 3, divider: Ratio(1)))
    #expect(throws: SensorError.lacks(name: "ads1015", file: "in_voltage3_raw"), note) {
      try other.measure().get()
    }
    let busy = SensorError.system(name: "ads1015", code: EBUSY)
    #expect(
      "\(busy)"
        == "ads1015: Device or resource busy; another program uses its events or its buffer")
  }

  static let hostile = [
    "", "\n", " ", "abc", "12abc", "0x7f", "1e3", "--1", "-", "+1", ".", "1.", ".5", "1..2",
    "1.2.3", "nan", "inf", "9223372036854775808", "99999999999999999999999", "-9223372037",
    "9223372036",
    "\0", "12\0", "\u{FF}", "１２", String(repeating: "9", count: 5000),
    "0." + String(repeating: "0", count: 100) + "x", "1\r\n", "\t7",
  ]

  @Test(arguments: hostile)
  func `Whatever a file has, it is a number or a stated problem`(_ text: String) throws {
    for file in ["in_voltage0_raw", "in_voltage0_scale", "in_voltage0_offset", "name"] {
      var files = Self.converterFiles
      files[file] = text
      try? tree.remove("bus/iio/devices/iio:device0")
      try tree.iio(0, "ads1015", files)
      if file == "name" { try tree.write(text, to: "bus/iio/devices/iio:device0/name") }
      guard case .failure(let problem) = try meter(Self.converter).measure() else {
        Issue.record("\(file) with \(text.debugDescription) was measured; \(note)")
        continue
      }
      #expect("\(problem)".utf8.count < 200, note)
    }
    try tree.supply("battery", ["type": "Battery", "voltage_now": text, "capacity": text])
    #expect(throws: SensorError.self) { try meter(.powerSupply(name: nil)).measure().get() }
  }

  @Test func `A pipe or a folder in place of a file holds nothing up`() throws {
    try tree.iio(0, "ads1015", Self.converterFiles)
    let file = tree.root + "/sys/bus/iio/devices/iio:device0/in_voltage0_raw"
    try FileManager.default.removeItem(atPath: file)
    #expect(mkfifo(file, 0o600) == 0)
    let meter = try meter(Self.converter)
    #expect(throws: SensorError.self, note) { try meter.measure().get() }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
    #expect(throws: SensorError.system(name: "ads1015", code: EISDIR), note) {
      try meter.measure().get()
    }
  }
}

/// Exact numbers, and what several readings are worth.
@Suite struct SensorMeterTests {
  private let note: Comment = "repeat with: swift test --filter SensorMeterTests"

  /// Answers as its list says, the last entry for ever.
  private struct Scripted: BatteryProbe {
    var answers: [Result<BatteryReading, SensorError>]
    mutating func read() throws(SensorError) -> BatteryReading {
      try (answers.count > 1 ? answers.removeFirst() : answers[0]).get()
    }
    mutating func forget() {}
  }

  private func meter(_ answers: [Result<BatteryReading, SensorError>]) -> SensorMeter {
    SensorMeter(Scripted(answers: answers), name: "adc", of: SensorReadingTests.battery())
  }

  private func read(_ millivolts: Int32, _ current: Int32? = nil) -> Result<
    BatteryReading, SensorError
  > { .success(BatteryReading(millivolts: millivolts, currentMilliamps: current)) }

  private let gone = SensorError.system(name: "adc", code: ENODEV)
  private let mute = SensorError.system(name: "adc", code: EREMOTEIO)

  @Test func `The median counts, of voltages and of currents`() throws {
    let meter = meter([
      read(3900, 200), read(3300, 2000), read(3910, 210), read(3890, nil), read(4500, 190),
    ])
    #expect(
      try meter.measure().get() == BatteryReading(millivolts: 3900, currentMilliamps: 210), note)
  }

  @Test func `Implausible readings are counted and not used`() throws {
    // One cell has 1267 to 5010 mV.
    let meter = meter([read(1266), read(1267), read(5011), read(5010), read(3900)])
    #expect(try meter.measure().get().millivolts == 3900 && meter.rejected == 2, note)
    let wrong = self.meter([read(3900), read(3900), read(12_300)])
    let problem = SensorError.implausible(
      name: "adc", millivolts: 12_300, lowest: 1267, highest: 5010)
    #expect(throws: problem, note) { try wrong.measure().get() }
    #expect(wrong.rejected == 3, note)
    #expect(
      "\(problem)" == "adc: 12300 mV is implausible, the battery has 1267 to 5010 mV")
  }

  @Test func `A device that is gone is looked for at once, a bus that fails is not asked again`()
    throws
  {
    #expect(
      try meter([.failure(gone), read(3900)]).measure().get().millivolts == 3900, note)
    #expect(throws: mute, note) { try meter([.failure(mute), read(3900)]).measure().get() }
    // Enough good ones before it.
    let answers = [read(3900), read(3901), read(3902), .failure(mute), read(9999)]
    #expect(try meter(answers).measure().get().millivolts == 3901, note)
  }

  static let numbers: [(text: String, millis: Int32?)] = [
    ("0", 0), ("-0", 0), ("2047", 2_047_000), ("0.1875", 188), ("0.1874", 187), ("-0.0005", -1),
    ("0.0004999999", 0), ("0.00049999999999", 0), ("2147483.647", .max), ("2147483.648", nil),
    ("-2147483.648", .min), ("9223372036.854775807", nil), ("9223372036.854775808", nil),
  ]

  @Test(arguments: numbers)
  func `Numbers are exact, and rounded once`(_ text: String, _ millis: Int32?) {
    let thousand = SensorNumber("1000") ?? .zero
    #expect(
      SensorNumber(text)?.scaled(by: thousand, offset: .zero, Ratio(1)) == millis, note)
  }

  @Test func `The largest numbers together do not trap`() {
    let most = SensorNumber("9223372036.854775807") ?? .zero
    let least = SensorNumber("-9223372036.854775807") ?? .zero
    for scale in [most, least] {
      #expect(most.scaled(by: scale, offset: most, Ratio(.max)) == nil, note)
      #expect(least.scaled(by: scale, offset: least, Ratio(.max, .max)) == nil, note)
    }
    #expect(most.rounded() == nil && most.rounded(dividedBy: 1000) == 9_223_372, note)
  }
}
