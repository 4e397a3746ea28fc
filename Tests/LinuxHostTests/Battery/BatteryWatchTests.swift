import Foundation
import Testing
import TrackerCore

@testable import FieldConsole
@testable import LinuxHost

/// When the battery is measured, and what is said of it.
@Suite(.blocking) struct BatteryWatchTests {
  private let note: Comment = "repeat with: swift test --filter BatteryWatchTests"

  private final class Meter: BatteryMeter {
    var result: Result<BatteryReading, SensorError>
    var rejected = 0
    var thermometerProblem: SensorError?
    private(set) var count = 0

    init(_ result: Result<BatteryReading, SensorError>) { self.result = result }

    func measure() -> Result<BatteryReading, SensorError> {
      count += 1
      return result
    }
  }

  /// A watch, and the log that it writes.
  private struct Rig {
    var watch: BatteryWatch
    private let tape = LogTape()

    init(_ source: BatteryWatch.Source) {
      watch = BatteryWatch(source, of: SensorReadingTests.battery())
    }

    mutating func measure(_ seconds: Int64) -> Event? {
      watch.measure(at: .start + .seconds(seconds), log)
    }

    /// What people read of it.
    func text(_ seconds: Int64) -> String {
      var facts = TrackerFacts()
      watch.add(to: &facts, at: .start + .seconds(seconds))
      return BatteryText.text(facts, in: .english)
    }

    var log: Log { tape.log }
    func lines() -> [String] { tape.lines() }
  }

  private let reading = BatteryReading(millivolts: 3900)
  private let mute = SensorError.system(name: "ads1015", code: EREMOTEIO)
  private let absent = SensorError.absent(name: "ads1015", folder: "/sys/bus/iio/devices")

  @Test func `A thermometer that fails is logged once, shown, and costs no measurement`() {
    let meter = Meter(.success(BatteryReading(millivolts: 3900, celsius: -3)))
    var rig = Rig(.meter(meter))
    _ = rig.measure(0)
    #expect(rig.text(0) == "3900 mV, 67 % by its voltage, -3 °C", note)
    meter.result = .success(reading)
    meter.thermometerProblem = .system(name: "tmp102", code: EREMOTEIO)
    for minute in Int64(1)...3 {
      #expect(rig.measure(60 * minute) == .batteryMeasured(reading), note)
    }
    #expect(
      rig.text(180)
        == "3900 mV, 67 % by its voltage; temperature not measured: tmp102: Remote I/O error", note)
    meter.thermometerProblem = nil
    _ = rig.measure(240)
    let lines = rig.lines().filter { $0.contains("temperature") }
    #expect(
      lines.count == 2 && lines[0].contains("not measured") && lines[0].contains("tmp102"),
      "\(lines); \(note)")
  }

  @Test func `It measures once a minute, and logs only changes`() {
    let meter = Meter(.success(reading))
    var rig = Rig(.meter(meter))
    #expect(rig.text(0) == "not measured yet", note)
    for second in Int64(0)...180 {
      let event = rig.measure(second)
      #expect(event == (second % 60 == 0 ? .batteryMeasured(reading) : nil), note)
    }
    #expect(meter.count == 4 && rig.watch.dueAt == .start + .seconds(240), note)
    #expect(rig.lines() == ["<5>battery measured millivolts=3900"], note)
    #expect(rig.text(180) == "3900 mV, 67 % by its voltage", note)
  }

  @Test func `One failure is not a loss, two are, with a reason, and the return is told`() {
    let meter = Meter(.success(reading))
    var rig = Rig(.meter(meter))
    _ = rig.measure(0)
    _ = rig.lines()
    meter.result = .failure(mute)
    #expect(rig.measure(60) == nil && rig.lines().isEmpty, note)
    meter.result = .success(reading)
    #expect(rig.measure(65) == .batteryMeasured(reading) && rig.lines().isEmpty, note)
    meter.result = .failure(mute)
    #expect(rig.measure(125) == nil, note)
    #expect(rig.measure(130) == .batteryLost, note)
    #expect(
      rig.lines() == ["<4>battery not measured why=\"ads1015: Remote I/O error\""], note)
    #expect(
      rig.text(185) == "not measured: ads1015: Remote I/O error; 2 min ago 3900 mV", note)
    #expect(rig.measure(190) == nil && rig.lines().isEmpty, note)
    meter.result = .failure(absent)
    #expect(rig.measure(250) == nil && rig.lines().count == 1, "another reason is told; \(note)")
    meter.result = .success(reading)
    #expect(rig.measure(310) == .batteryMeasured(reading), note)
    #expect(rig.lines() == ["<5>battery measured millivolts=3900"], note)
  }

  @Test func `A sensor that was never there is told at once, and is looked for once a minute`() {
    let meter = Meter(.failure(absent))
    var rig = Rig(.meter(meter))
    for second in Int64(0)...600 { #expect(rig.measure(second) == nil, note) }
    #expect(meter.count == 11 && rig.lines().count == 1, note)
    #expect(
      rig.text(600) == "not measured: ads1015: there is no such device in /sys/bus/iio/devices; "
        + "check its wiring and driver", note)
  }

  @Test func `Implausible readings are told once, and counted in the status`() {
    let meter = Meter(.success(reading))
    var rig = Rig(.meter(meter))
    meter.rejected = 2
    _ = rig.measure(0)
    _ = rig.measure(60)
    let line = "<4>implausible battery voltages are not used plausible=\"1267 to 5010 mV\""
    #expect(rig.lines().filter { $0 == line }.count == 1, note)
    #expect(
      rig.text(60) == "3900 mV, 67 % by its voltage; implausible readings not used: 2", note)
    for millivolts: Int32 in [12_000, 13_000, 14_000] {
      meter.result = .failure(
        .implausible(name: "adc", millivolts: millivolts, lowest: 1267, highest: 5010))
      _ = rig.measure(120 + Int64(millivolts))
      _ = rig.measure(130 + Int64(millivolts))
    }
    #expect(rig.lines().count == 1, "each is another voltage, and the same trouble; \(note)")
  }

  @Test func `Current and fuel gauge stand in the status`() {
    let gauge = BatteryReading(millivolts: 3987, currentMilliamps: 240, percent: 81)
    let meter = Meter(.success(gauge))
    var rig = Rig(.meter(meter))
    #expect(rig.measure(0) == .batteryMeasured(gauge), note)
    #expect(rig.text(0) == "3987 mV, 81 % by its fuel gauge, 240 mA", note)
    meter.result = .success(BatteryReading(millivolts: 3987, currentMilliamps: .min))
    _ = rig.measure(60)
    #expect(
      rig.text(60) == "3987 mV, 75 % by its voltage, charging with 2147483648 mA", note)
  }

  @Test func `Without a sensor nothing is measured, and the status says why`() {
    var rig = Rig(.none)
    #expect(rig.measure(60) == nil && rig.watch.dueAt == nil, note)
    rig.watch.heardModem(millivolts: 3810, at: .start, rig.log)
    #expect(rig.text(60) == "not measured: the board names no sensor", note)
    #expect(rig.lines().isEmpty, note)
  }

  @Test func `What the modem reports stands in the status, with its age`() {
    let rig = Rig(.modem)
    #expect(rig.text(0) == "not measured yet: the modem reports it at contacts", note)
    rig.watch.heardModem(millivolts: 3810, at: .start, rig.log)
    #expect(rig.text(240) == "3810 mV, 56 % by its voltage, by the modem 4 min ago", note)
    #expect(
      rig.text(3 * 3600 + 1) == "not measured: the modem last reported it 3 h ago", note)
    #expect(rig.lines().isEmpty, note)
    rig.watch.heardModem(millivolts: 12_000, at: .start, rig.log)
    #expect(rig.text(240).hasSuffix("4 min ago; implausible readings not used: 1"), note)
    rig.watch.heardModem(millivolts: 13_000, at: .start, rig.log)
    let line = "<4>implausible battery voltages are not used plausible=\"1267 to 5010 mV\""
    #expect(rig.lines() == [line], "told once; \(note)")
  }
}
