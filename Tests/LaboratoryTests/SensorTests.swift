import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  /// The kernel's own drivers, on a bus whose registers the test writes.
  @Suite(.serialized) struct SensorTests {
    struct Sensor: Sendable, CustomTestStringConvertible {
      var part: String
      var address: String
      var cells: Int
      var board: [String]
      /// `battery.sensor` of the board.
      var setting: String
      /// What stands behind the millivolts of each reading.
      var words: [String]
      var testDescription: String { part }
    }

    private static let again = "repeat with: .ci/lab test SensorTests"
    static let sensors = [
      Sensor(
        part: "ads1015", address: "0x48", cells: 1,
        board: ["pi-zero-2w", "waveshare-sim7600", "neo-6m", "li-ion-3p", "ads1115"],
        setting: "kind: 'iio', name: \(value("ads1015")), place: \(value("0-0048")), "
          + "channel: { value: 0, source: 'test' }, divider: { value: 2, source: 'test' }",
        words: Array(repeating: "% by its voltage", count: 6)),
      Sensor(
        part: "ina219", address: "0x42", cells: 2,
        board: ["pi-3b", "waveshare-sim7600", "neo-6m", "ina219"],
        setting: "kind: 'hwmon', name: \(value("ina219")), place: \(value("0-0042")), "
          + "discharge: \(value("negative"))",
        words: Array(repeating: "% by its voltage, 310 mA", count: 6)),
      Sensor(
        part: "max17048", address: "0x36", cells: 1,
        board: ["pi-3b", "waveshare-sim7600", "neo-6m", "max17048"],
        setting: "kind: 'powerSupply'",
        words: [90, 70, 50, 30, 10, 1].map { " \($0) % by its fuel gauge" }),
    ]

    static func value(_ text: String) -> String { "{ value: '\(text)', source: 'test' }" }

    @Test(arguments: sensors)
    func `A battery is measured as it discharges; the sensor goes and comes back`(
      _ sensor: Sensor
    ) throws {
      let guest = try Guest(
        "sensor.sh", [sensor.part, sensor.address, "\(sensor.cells)"], limit: 120)
      try guest.useVirtualTime(from: "2026-05-01T06:00:00Z")
      try guest.writeBoard(sensor.board, "battery: { sensor: { \(sensor.setting) } }")
      try guest.configure(["bearer": "'none'"])
      try guest.run()
      let curve = guest.text("curve").split(separator: "\n")
      let millivolts = [4000, 3900, 3700, 3500, 3300, 3100].map { $0 * sensor.cells }
      #expect(curve.count == 6, "\(curve); \(Self.again)")
      for (line, (millivolts, words)) in zip(curve, zip(millivolts, sensor.words)) {
        #expect(
          line.contains(" \(millivolts) mV, ") && line.hasSuffix(words),
          "\(curve); \(Self.again)")
      }
      let (gone, back) = (guest.text("gone"), guest.text("back"))
      #expect(
        gone.contains("not measured: ") && gone.contains(" ago \(3100 * sensor.cells) mV"),
        "\(gone); \(Self.again)")
      #expect(back.contains(" \(3800 * sensor.cells) mV, "), "\(back); \(Self.again)")
    }
  }
}
