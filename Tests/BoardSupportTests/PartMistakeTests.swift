import Foundation
import Testing

@testable import BoardSupport

@Suite("A mistake in a part is one line with its file and its cure")
struct PartMistakeTests {
  /// A receiver part with as little as is allowed. Tests name its lines by number.
  static let receiver = """
    {
      kind: "receiver", name: "Mine", description: "For tests", support: "unverified",
      loads: {
        receiverStandby: { value: "7 µA", source: "bench" },
        receiverAcquiring: { value: "25 mA", source: "bench" },
        receiverTracking: { value: "20 mA", source: "bench" },
      },
      receiver: {
        part: "Mine", dialect: "ublox", canSleep: { value: true, source: "bench" },
        coldStart: { value: "35 s", source: "bench" },
        hotStart: { value: "4 s", source: "bench" },
      },
      ports: { receiver: { value: "uart0", baud: 9600, source: "bench" } },
    }
    """

  /// The error for the part after a change, with other parts; `nil`: there is none.
  private func error(
    _ old: String, _ new: String, with others: String = "pi-4b+sim5320+ina219"
  ) throws -> String? {
    #expect(Self.receiver.contains(old), "the fixture has no \(old)")
    var result: String?
    try Fixture.withDirectory { directory in
      let folder = "\(directory)/mine"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Self.receiver.replacing(old, with: new).write(
        toFile: "\(folder)/board.json5", atomically: true, encoding: .utf8)
      result = Fixture.line { () throws(FileError) in
        _ = try BoardDescription.load(named: "\(others)+\(folder)")
      }?.replacing("\(BoardTests.directory)/", with: "boards/").replacing("\(folder)/", with: "")
    }
    return result
  }

  @Test("the part itself has none, and is found by its path")
  func none() throws {
    #expect(try error("Mine", "Mine") == nil)
  }

  static let mistakes: [(old: String, new: String, error: String)] = [
    (
      "\"20 mA\"", "\"20 mV\"",
      "6: loads.receiverTracking: \"20 mV\" is not a current; write for example \"75 mA\""
    ),
    (
      "  ports:", "  modem: { family: \"generic\" },\n  ports:",
      "13: modem: does not belong to a part of the kind \"receiver\"; remove it, or correct kind"
    ),
    (
      "receiverTracking:", "modemOff:",
      "6: loads.modemOff: does not belong to a part of the kind \"receiver\"; remove it, or "
        + "correct kind"
    ),
    (
      "    receiverTracking: { value: \"20 mA\", source: \"bench\" },\n", "",
      "3: loads.receiverTracking: is missing; add for example receiverTracking: { … }"
    ),
    (
      "kind: \"receiver\"", "kind: \"reciever\"",
      "2: kind: \"reciever\" is not a valid choice; did you mean \"receiver\"?"
    ),
    (
      "  ports:", "  replaces: [\"battery\"],\n  ports:",
      "13: replaces: has \"battery\", which this file does not give; remove it"
    ),
    (
      "\"uart0\"", "\"uart1\"",
      "13: ports.receiver: needs \"uart1\", which the computer does not have; it has "
        + "\"uart0\", \"uart3\", \"uart4\", \"uart5\", \"i2c1\" and \"spi0\""
    ),
    (
      "\"uart0\"", "\"/dev/ttyUSB2\"",
      "boards/sim5320/board.json5:73: ports.modem: \"/dev/ttyUSB2\" is the receiver's port, too "
        + "(board.json5:13); wire one of the two to another port"
    ),
    (
      "  ports:", "  uses: { i2c1: { value: [\"0x42\"], source: \"bench\" } },\n  ports:",
      "13: uses.i2c1[0]: \"0x42\" on i2c1 is the address of boards/ina219/board.json5:65, too; set "
        + "another address on one of the two (and in its file), or leave it out"
    ),
    (
      "  ports:", "  uses: { i2c1: { value: [\"42\"], source: \"bench\" } },\n  ports:",
      "13: uses.i2c1[0]: \"42\" is not an I2C address; write for example \"0x42\""
    ),
    (
      "  ports:", "  uses: { pins: { value: [15], source: \"bench\" } },\n  ports:",
      "14: ports.receiver: uses line 15 for uart0, and board.json5:13 uses it for mine; wire one "
        + "of the two to another line (and correct its file), or leave it out"
    ),
    (
      "  ports:", "  uses: { pins: { value: [3], source: \"bench\" } },\n  ports:",
      "13: uses.pins: uses line 3 for mine, and boards/ina219/board.json5:64 uses it for i2c1; "
        + "wire one of the two to another line (and correct its file), or leave it out"
    ),
    (
      "  ports:",
      "  pins: { modemStatus: { value: 17, active: \"high\", source: \"x\" } },\n  ports:",
      "13: pins.modemStatus: uses line 17 for pins.modemStatus, and boards/sim5320/board.json5:64 "
        + "uses it for pins.modemPowerKey; wire one of the two to another line (and correct its "
        + "file), or leave it out"
    ),
    (
      "  ports:", "  pins: { button: { value: 58, active: \"low\", source: \"x\" } },\n  ports:",
      "13: pins.button: line 58 for pins.button does not exist; pinctrl-bcm2711 has the lines 0 to "
        + "57, correct it"
    ),
    (
      "  ports:",
      "  pins: { button: { value: \"GPIO17\", active: \"low\", source: \"x\" } },\n  ports:",
      "13: pins.button: uses line 17 for pins.button, and boards/sim5320/board.json5:64 uses it "
        + "for pins.modemPowerKey; wire one of the two to another line (and correct its file), or "
        + "leave it out"
    ),
    (
      "support: \"unverified\"",
      "support: \"tested\",\n  uses: { pins: { value: [5], source: \"x\", unverified: true } }",
      "2: support: \"tested\" is not possible while uses.pins is unverified; measure it, or write "
        + "\"documented\""
    ),
  ]

  @Test("is told", arguments: 0..<mistakes.count)
  func told(_ index: Int) throws {
    let mistake = Self.mistakes[index]
    let found = try error(mistake.old, mistake.new)
    let isElsewhere = mistake.error.hasPrefix("boards/")
    #expect(
      found == (isElsewhere ? "" : "board.json5:") + mistake.error,
      "swift test --filter PartMistakeTests/told")
  }

  @Test("a console on a port that has another use is an error")
  func console() throws {
    let old = "  ports: { receiver"
    let new = "  ports: { console: { value: \"/dev/serial0\", baud: 9600, source: \"x\" }, receiver"
    let taken = try saved { $0.replacing(old, with: new) }
    #expect(
      taken
        == "board.json5:13: ports.console: \"/dev/serial0\" is the receiver's port "
        + "(board.json5:13); give the console another one")
  }

  /// The error for the part as a saved combination after a change.
  private func saved(_ change: (String) -> String) throws -> String? {
    var result: String?
    try Fixture.withDirectory { directory in
      let text = change(Self.receiver).replacing(
        "kind: \"receiver\"", with: "combines: [\"pi-4b\", \"sim5320\", \"ina219\"]")
      try text.write(toFile: "\(directory)/board.json5", atomically: true, encoding: .utf8)
      result = Fixture.line { () throws(FileError) in
        _ = try BoardDescription.load(named: directory)
      }?.replacing("\(directory)/", with: "")
    }
    return result
  }

  @Test("a saved combination may give what its parts lack, and names parts that exist")
  func savedCombination() throws {
    #expect(try saved { $0 } == nil)
    #expect(
      try saved { $0.replacing("  loads: {", with: "  loads: {\n    modemIdle: { value: 1 },") }
        == "board.json5:4: loads.modemIdle.source: is missing; add for example source: "
        + "\"maker, manual, edition\"")
    let unknown = Fixture.line { () throws(FileError) in
      let root = try Fixture.root(
        "{ name: 'A', description: 'B', support: 'unverified', combines: [] }")
      _ = try BoardPart(root, identifier: "x")
    }
    #expect(unknown == "x.json5:1: combines: is empty; name the parts")
  }
}
