import Testing
import TrackerCore

@testable import BoardSupport

@Suite("A mistake in a board file is one line with its place and its cure")
struct BoardMistakeTests {
  @Test("the bench board itself has none, and every value arrives")
  func bench() throws {
    let bench = try BoardDescription.parse(try Fixture.root(Fixture.board), identifier: "bench")
    let loads = bench.board.loads
    #expect(bench.board.supplyMillivolts == 5000)
    #expect(loads.boardMicroamps == 75_000)
    #expect(loads.receiverStandbyMicroamps == 20)
    #expect(loads.modemIdleMicroamps == 17_500)
    #expect(loads.modemStartingMicroamps == 100_000)
    #expect(bench.board.battery.cellCapacityMilliampHours == 2600)
    #expect(bench.board.battery.cellMillivolts[0] == 1000)
    #expect(bench.board.battery.cellMillivolts[10] == 1580)
    #expect(bench.board.battery.regulator == .switching(efficiencyPercent: 85))
    #expect(bench.board.modem.powerOffTime == 7500)
    #expect(bench.board.modem.family == .sim5320 && bench.board.modem.rest == .off)
    #expect(bench.board.modem.hasPowerKey)
    let receiver = ReceiverBoard(
      dialect: .ublox, canSleep: true, coldStart: 27_000, hotStart: 1000)
    #expect(bench.board.receiver == receiver)
    #expect(bench.pins.modemPowerKey == Pin(line: .offset(6), isActiveHigh: true))
    #expect(bench.pins.modemStatus == Pin(line: .offset(5), isActiveHigh: false))
    #expect(bench.modemPort == Port(device: "/dev/ttyUSB2", baud: 115_200))
    #expect(bench.figures.count == 29)
    #expect(bench.figures[6].isUnverified)
    #expect(bench.figures[7].source == "bench; again")
  }

  struct Mistake: Sendable {
    var old: String
    var new: String
    var error: String

    init(_ old: String, _ new: String, _ error: String) {
      self.old = old
      self.new = new
      self.error = "x.json5:" + error
    }
  }

  static let mistakes: [Mistake] = [
    Mistake(
      "board: { value: \"75 mA\"", "board: { value: \"75 mV\"",
      "5: loads.board: \"75 mV\" is not a current; write for example \"75 mA\""),
    Mistake(
      "board: { value: \"75 mA\"", "board: { value: 75",
      "5: loads.board: is a number without a unit; write for example \"75 mA\""),
    Mistake(
      "board: { value: \"75 mA\"", "board: { value: 7.5",
      "5: loads.board: is the number 7.5; write for example \"75 mA\""),
    Mistake(
      "board: { value: \"75 mA\"", "board: { value: \"75\"",
      "5: loads.board: \"75\" has no unit; write for example \"75 mA\""),
    Mistake(
      "board: { value: \"75 mA\"", "board: { value: \"-75 mA\"",
      "5: loads.board: \"-75 mA\" is negative; write a current from 0 µA to 20 A "
        + "(no part of such a board draws more)"),
    Mistake(
      "board: { value: \"75 mA\"", "board: { value: \"75 A\"",
      "5: loads.board: \"75 A\" is out of range; write a current from 0 µA to 20 A "
        + "(no part of such a board draws more)"),
    Mistake(
      "board: { value: \"75 mA\"", "board: {\n value: \"0,5 A\"",
      "6: loads.board: \"0,5 A\" has a comma instead of a decimal point; "
        + "write for example \"75 mA\""),
    Mistake(
      "\"17.5 mA\"", "\"17.5555 mA\"",
      "12: loads.modemIdle: \"17.5555 mA\" has more digits than the program's unit (1 µA); "
        + "write for example \"75 mA\""),
    Mistake(
      "{ value: \"75 mA\", source: \"bench\" }", "\"75 mA\"",
      "5: loads.board: is the text \"75 mA\"; a number needs its source: "
        + "{ value: \"75 mA\", source: \"…\" }"),
    Mistake(
      "{ value: \"75 mA\", source: \"bench\" }", "{ value: \"75 mA\" }",
      "5: loads.board.source: is missing; add for example source: \"maker, manual, edition\""),
    Mistake(
      "{ value: \"75 mA\", source: \"bench\" }", "{ value: \"75 mA\", source: \" \" }",
      "5: loads.board.source: is empty; write for example \"maker, manual, edition\""),
    Mistake(
      "[\"bench\", \"again\"]", "[]",
      "11: loads.modemSearching.source: is empty; say where the number is from"),
    Mistake(
      "    modemIdle", "    modemIdel",
      "12: loads.modemIdel: is not a known key; did you mean \"modemIdle\"?"),
    Mistake(
      "  modem: {", "  gadget: 1,\n  modem: {",
      "27: gadget: is not a known key; remove it, or use \"name\", \"description\", \"support\", "
        + "\"kind\", \"combines\", \"energyModelOnly\", \"supply\", \"loads\", \"battery\", "
        + "\"modem\", \"receiver\", \"pins\", \"ports\", \"interfaces\", \"uses\", \"boot\", "
        + "\"builtInReceiver\", \"replaces\", \"halt\" and \"firmware\""),
    Mistake(
      "    modemOff: { value: \"20 uA\", source: \"bench\" },\n", "",
      "4: loads.modemOff: is missing; add for example modemOff: "
        + "{ value: \"75 mA\", source: \"…\" }"),
    Mistake(
      "name: \"Bench\", ", "", "name: is missing; add for example name: \"Zero with HAT\""),
    Mistake(
      "support: \"unverified\"", "support: \"tested\"",
      "2: support: \"tested\" is not possible while loads.modemStarting is unverified; "
        + "measure it, or write \"documented\""),
    Mistake(
      "support: \"unverified\"", "support: \"documentd\"",
      "2: support: \"documentd\" is not a valid choice; did you mean \"documented\"?"),
    Mistake(
      "support: \"unverified\"", "support: true",
      "2: support: is true; write \"tested\", \"documented\" or \"unverified\""),
    Mistake(
      "\"1.25 V\", ", "",
      "20: battery.cellVoltages: has 10 voltages; write 11, of one cell at "
        + "0 %, 10 %, … 100 % of charge"),
    Mistake(
      "\"1.35 V\"", "\"1.3 V\"",
      "22: battery.cellVoltages[8]: does not rise; write the voltages from 0 % up to 100 % "
        + "of charge"),
    Mistake(
      "\"6.6 V\"", "\"9.5 V\"",
      "23: battery.cutOff: \"9.5 V\" is out of range; write a voltage from 1 mV to 9479 mV "
        + "(below the full battery)"),
    Mistake(
      "kind: \"switching\"", "kind: \"linear\"",
      "25: battery.regulator.efficiency: does not belong to a linear regulator; remove it"),
    Mistake(
      "cellsInSeries: { value: 6", "cellsInSeries: { value: 0",
      "17: battery.cellsInSeries: 0 is out of range; write a whole number from 1 to 100"),
    Mistake(
      "\"27 s\"", "\"500 ms\"",
      "39: receiver.hotStart: \"1 s\" is out of range; write a length of time from 0 ms to "
        + "500 ms (the upper end is the cold start)"),
    Mistake(
      "family: \"SIM5320\"", "family: \"SIM5230\"",
      "28: modem.family: \"SIM5230\" is not a valid choice; did you mean \"SIM5320\"?"),
    Mistake(
      "family: \"SIM5320\"", "family: \"EC25\"",
      "28: modem.family: \"EC25\" is not a valid choice; write \"generic\", \"SIM5320\", "
        + "\"SIM7600\" or \"A7670\""),
    Mistake(
      "family: \"SIM5320\"", "family: \"SIM5320\", rest: \"asleep\"",
      "28: modem.rest: \"asleep\" is not a valid choice; write \"off\" or \"radioOff\""),
    Mistake(
      "    modemPowerKey: { value: 6, active: \"high\", source: \"bench\" },\n", "",
      "27: modem: a modem without pins.modemPowerKey cannot be switched on again; "
        + "write rest: \"radioOff\""),
    Mistake(
      "dialect: \"ublox\"", "dialect: \"modemGPS\"",
      "27: modem: the receiver inside the modem needs it switched on; write rest: \"radioOff\""),
    Mistake(
      "dialect: \"ublox\"", "dialect: \"nmea\"",
      "36: receiver.dialect: \"nmea\" is not a valid choice; write \"ublox\", \"ubloxM10\", "
        + "\"mediatek\", \"casic\", \"modemGPS\" or \"none\""),
    Mistake(
      ", dialect: \"ublox\"", "",
      "35: receiver: can sleep, but not without a dialect; add for example "
        + "dialect: \"ublox\""),
    Mistake(
      "canSleep: { value: true", "canSleep: { value: \"yes\"",
      "37: receiver.canSleep: is the text \"yes\"; write true or false"),
    Mistake(
      "modemStatus: { value: 5", "modemStatus: { value: 6",
      "43: pins.modemStatus: uses line 6 for pins.modemStatus, and x.json5:42 uses it for "
        + "pins.modemPowerKey; wire one of the two to another line (and correct its file), or "
        + "leave it out"),
    Mistake(
      "active: \"high\"", "active: \"on\"",
      "42: pins.modemPowerKey.active: \"on\" is not a valid choice; write \"high\" or \"low\""),
    Mistake(
      "baud: 9600", "baud: 9601",
      "46: ports.receiver.baud: 9601 is not a valid speed; write one of 4800, 9600, 19200, 38400, "
        + "57600, 115200, 230400, 460800, 921600"),
  ]

  @Test("is told", arguments: 0..<mistakes.count)
  func told(_ index: Int) {
    let mistake = Self.mistakes[index]
    // A key of the root that is missing stands on no line.
    let expected = mistake.error.replacing("x.json5:name", with: "x.json5: name")
    #expect(
      Fixture.boardError(mistake.old, mistake.new) == expected,
      "swift test --filter BoardMistakeTests/told")
  }

  @Test("of several unknown keys the first in the file is told, in every run")
  func firstOfMany() {
    let many = (0..<20).map { "k\($0): 1" }.joined(separator: ",\n")
    let found = Fixture.configurationError("{\n\(many) }") ?? ""
    #expect(found.hasPrefix("x.json5:2: k0: is not a known key"))
  }
}
