import Foundation
import Testing
import TrackerCore

@testable import BoardSupport

@Suite("Parts combine to a board")
struct CombinationTests {
  private func load(_ name: String) throws -> BoardDescription {
    try BoardDescription.load(named: name)
  }

  /// The error for a combination, without the folder of the boards.
  private func error(_ name: String) -> String? {
    Fixture.line { () throws(FileError) in _ = try BoardDescription.load(named: name) }?
      .replacing("\(BoardTests.directory)/", with: "boards/")
  }

  @Test("each value is that of the part that has it, and the parts' own loads are added")
  func values() throws {
    let board = try load("pi-4b+waveshare-sim7600+ina219")
    #expect(board.name == "Raspberry Pi 4B, Waveshare SIM7600 HAT, Waveshare UPS HAT (INA219)")
    #expect(board.board.supplyMillivolts == 5000)
    #expect(board.board.loads.boardMicroamps == 575_000 + 1000)
    #expect(board.board.battery.cellsInSeries == 2)
    #expect(board.board.modem.family == .sim7600 && board.board.modem.rest == .radioOff)
    #expect(board.board.receiver.dialect == .modemGPS)
    #expect(board.pins.modemPowerKey == Pin(line: .offset(6), isActiveHigh: true))
    #expect(board.pins.chip == "pinctrl-bcm2711")
    #expect(board.receiverPort == Port(device: "/dev/ttyUSB1", baud: 115_200))
    #expect(board.support == .unverified, "that of the least reliable part")
    #expect(
      board.assembly.lines.map(\.line) == ["2", "3", "4", "6", "14", "15"],
      "I2C, flight mode, power key, console")
    #expect(
      board.assembly.bootLines == [
        "dtparam=i2c_arm=on", "enable_uart=1", "dtoverlay=disable-bt",
      ])
  }

  @Test("a separate receiver takes the place of the modem's own, which then may be switched off")
  func separateReceiver() throws {
    let board = try load("pi-4b+waveshare-sim7600+ina219+neo-6m")
    #expect(board.board.receiver.dialect == .ublox && board.board.modem.rest == .off)
    #expect(board.receiverPort == Port(device: "/dev/serial0", baud: 9600))
    #expect(board.board.loads.receiverTrackingMicroamps == 39_000)
  }

  @Test("a UPS takes the place of a whole board's battery")
  func replacedBattery() throws {
    // These two have no bus for it.
    for name in BoardTests.names where !BoardTests.withoutLinux.contains(name) {
      let board = try load("\(name)+ina219")
      #expect(board.board.battery.cellsInSeries == 2 && board.board.battery.cellsInParallel == 1)
      let pack = board.assembly.parts.first { $0.identifier == "li-ion-3p" }
      #expect(pack?.replacedBy == "ina219")
      let sensor = board.assembly.parts.first { $0.identifier == "ads1115" }
      #expect(sensor == nil || sensor?.replacedBy == "ina219")
      #expect(board.batterySensor == (try load("pi-4b+sim5320+ina219")).batterySensor)
      // Neither its current nor its lines for config.txt are counted.
      #expect(board.board.loads.boardMicroamps % 1000 == 0)
      #expect(!board.assembly.bootLines.contains { $0.contains("ads1115") })
      #expect(board.modemPort == (try load(name)).modemPort)
    }
  }

  @Test("a sensor measures the battery of another part, and a second one is refused")
  func sensor() throws {
    let device = SensorDevice(name: "ads1015", place: "1-0048")
    let board = try load("pi-3b-sim5320+ads1115")
    #expect(board.batterySensor == .iio(device, channel: 0, divider: Ratio(2)))
    #expect(board.board.battery.cellsInParallel == 6)
    #expect(board.board.loads.boardMicroamps == 230_200)
    #expect(try load("pi-4b+ads1115+sim5320+li-ion-3p").batterySensor == board.batterySensor)
    let monitor = SensorDevice(name: "ina219", place: "1-0042")
    #expect(
      try load("pi-4b+sim5320+ina219").batterySensor
        == .hwmon(monitor, channel: 1, divider: Ratio(1), discharge: .negative))
    let both = error("pi-4b+sim5320+ina219+ads1115") ?? ""
    #expect(
      both.hasPrefix("boards/ads1115/board.json5:8: battery.sensor: is given by boards/ina219/"))
    let alone = error("pi-4b+sim5320+ads1115") ?? ""
    #expect(alone.hasPrefix("pi-4b+sim5320+ads1115: battery: no part has a battery; add "))
  }

  @Test("a part that a whole board has already may be named again")
  func namedAgain() throws {
    let again = try load("pi-zero-2w-sim7600+ads1115")
    let once = try load("pi-zero-2w-sim7600")
    #expect(again.board == once.board && again.assembly.parts == once.assembly.parts)
    #expect(again.batterySensor != nil && again.batterySensor == once.batterySensor)
  }

  @Test("the three boards of old have the values that they had, and the usual one a sensor")
  func unchanged() throws {
    let zero = try load("pi-zero-2w-sim7600")
    let three = try load("pi-3b-sim5320")
    for (board, load, cells, pin) in [(zero, 75_200, 3, 6), (three, 230_000, 6, 17)] {
      #expect(board.board.loads.boardMicroamps == Int32(load))
      #expect(board.board.battery.cellsInParallel == Int32(cells))
      let key = Pin(line: .offset(Int32(pin)), isActiveHigh: true)
      #expect(board.pins.modemPowerKey == key && board.pins.wired.count == 1)
      #expect(board.pins.chip == "pinctrl-bcm2835")
      #expect(board.receiverPort == Port(device: "/dev/serial0", baud: 9600))
      #expect(board.modemPort == Port(device: "/dev/ttyUSB2", baud: 115_200))
      #expect(board.board.modem.rest == .off && board.receiverPart == "u-blox NEO-6M")
    }
    #expect(zero.batterySensor != nil && three.batterySensor == nil)
    #expect(zero.support == .documented && three.support == .unverified)
    #expect(zero.name == "Raspberry Pi Zero 2 W with SIM7600E HAT")
  }

  static let conflicts: [(name: String, error: String)] = [
    (
      "pi-4b+pi-5+sim5320",
      "boards/pi-5/board.json5: is a computer, and so is boards/pi-4b/board.json5; leave out one "
        + "of the two"
    ),
    (
      "pi-4b+waveshare-sim7600+sim5320",
      "boards/sim5320/board.json5:41: modem: is given by boards/waveshare-sim7600/board.json5:31, "
        + "too; leave out one of the two parts"
    ),
    (
      "pi-4b+sim5320+neo-6m+max-m10s",
      "boards/max-m10s/board.json5:25: receiver: is given by boards/neo-6m/board.json5:19, too; "
        + "leave out one of the two parts"
    ),
    (
      "pi-4b+sim5320+ina219+max17048",
      "boards/max17048/board.json5:10: battery: is given by boards/ina219/board.json5:10, too; "
        + "leave out one of the two parts"
    ),
    (
      "pi-5+waveshare-sim7600+suptronics-x1201",
      "boards/suptronics-x1201/board.json5:65: pins.powerGood: uses line 6 for pins.powerGood, and "
        + "boards/waveshare-sim7600/board.json5:51 uses it for pins.modemPowerKey; wire one of the "
        + "two to another line (and correct its file), or leave it out"
    ),
    (
      "pi-4b+sim5320",
      "pi-4b+sim5320: battery: no part has a battery; add \"ina219\", "
        + "\"li-ion-3p\", \"max17048\" or \"suptronics-x1201\""
    ),
    (
      "pi-4b+a7670+ina219",
      "pi-4b+a7670+ina219: receiver: no part has a receiver; add "
        + "\"adafruit-ultimate-gps\", \"max-m10s\" or \"neo-6m\""
    ),
    (
      "pi-4b+neo-6m+ina219",
      "pi-4b+neo-6m+ina219: modem: no part has a modem; add \"a7670\", "
        + "\"sim5320\" or \"waveshare-sim7600\""
    ),
    (
      "sim5320+ina219",
      "sim5320+ina219: has no computer; begin with one, as in pi-4b+sim5320+ina219"
    ),
    (
      "ina219",
      "boards/ina219/board.json5: is a part, not a whole board; combine it with others, as in "
        + "--board pi-4b+waveshare-sim7600+ina219"
    ),
    ("pi-4b+pi-4b", "boards/pi-4b: is given twice; name each part once"),
    ("pi-4b+", "boards: no board was named; name one, or give a path"),
  ]

  @Test("a conflict names both files, the key and what to do", arguments: 0..<conflicts.count)
  func conflict(_ index: Int) {
    let (name, expected) = Self.conflicts[index]
    #expect(
      error(name)?.replacing("boards//", with: "boards/") == expected, "tracker-sim board \(name)")
  }
}
