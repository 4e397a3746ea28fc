import Testing
import TrackerCore

@testable import BoardSupport

@Suite("The parts that come with the project")
struct PartTests {
  static let bases = [
    "cm4", "cm5", "pi-3b", "pi-4b", "pi-5", "pi-zero-2w", "pi-zero-w",
  ]
  static let modems = ["a7670", "sim5320", "waveshare-sim7600"]
  static let receivers = ["adafruit-ultimate-gps", "max-m10s", "neo-6m"]
  static let batteries = ["ina219", "li-ion-3p", "max17048", "suptronics-x1201"]
  static let others = ["ads1115", "button-and-light", "pi-batman", "tmp102", "usb-console"]
  static let names = bases + modems + receivers + batteries + others

  private func part(_ name: String) throws -> BoardPart {
    try BoardPart(path: "\(BoardTests.directory)/\(name)")
  }

  @Test("have a README in the fixed order, with the name of the file", arguments: names)
  func readme(_ name: String) throws {
    let path = "\(BoardTests.directory)/\(name)/README.md"
    let text = String(decoding: try readFile(path), as: UTF8.self)
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map(String.init)
    let order = ["## Overview", "## Wiring", "## Boot configuration", "## Sources"]
    #expect(headings == ["# \(try part(name).name)"] + order)
    for line in try part(name).root.optional("boot")?.bootLineList() ?? [] {
      #expect(text.contains(line), "boards/\(name)/README.md lacks \(line)")
    }
  }

  /// Every computer with every modem, with every receiver or the modem's own, with every battery.
  @Test("fit together, but for the conflicts of pins that they have", arguments: bases)
  func combinations(_ base: String) throws {
    for modem in Self.modems {
      for receiver in Self.receivers + [nil] where receiver != nil || modem != "a7670" {
        for battery in Self.batteries {
          let words = [base, modem, receiver, battery].compactMap { $0 }
          let name = words.joined(separator: "+")
          let isHAT = modem == "waveshare-sim7600"
          let line: String? =
            isHAT && battery == "suptronics-x1201"
            ? "line 6" : isHAT && receiver == "adafruit-ultimate-gps" ? "line 4" : nil
          do {
            let board = try BoardDescription.load(named: name)
            #expect(line == nil, "tracker-sim board \(name)")
            check(board, name)
          } catch {
            #expect(
              line.map { "\(error)".contains("uses \($0) ") } ?? false,
              "tracker-sim board \(name): \(error)")
          }
        }
      }
    }
  }

  private func check(_ board: BoardDescription, _ name: String) {
    let command = "tracker-sim board \(name)"
    #expect(board.identifier == name && board.support != .tested, "\(command)")
    for figure in board.figures {
      #expect(figure.source.count >= 10, "\(command): \(figure.keyPath): \(figure.source)")
      let isFromMemory = figure.source.contains("memory") || figure.source.contains("assum")
      #expect(!isFromMemory || figure.isUnverified, "\(command): \(figure.keyPath)")
    }
    let hasOwnReceiver = board.board.receiver.dialect == .modemGPS
    #expect((board.board.modem.rest == .radioOff) == hasOwnReceiver, "\(command)")
    // One UART on the header: with a receiver there is none left for the technician's cable.
    let hasOneUART = !["pi-4b", "pi-5", "cm4", "cm5"].contains { name.hasPrefix($0) }
    let isBare = hasOneUART && !hasOwnReceiver
    #expect((board.consolePort == nil) == isBare, "\(command)")
    let isModel = name.hasPrefix("pi-zero-w")
    #expect(board.assembly.warnings.isEmpty == (!isBare || isModel), "\(command)")
    #expect((board.assembly.energyModelOnly != nil) == isModel, "\(command)")
  }

  @Test(
    "give the technician's cable a place of its own",
    arguments: [
      ("pi-4b+waveshare-sim7600+ina219", "/dev/serial0"),
      ("pi-4b+sim5320+neo-6m+ina219", "/dev/ttyAMA3"),
      // The HAT's flight mode is on GPIO 4.
      ("pi-4b+waveshare-sim7600+neo-6m+ina219", "/dev/ttyAMA4"),
      ("pi-5+waveshare-sim7600+neo-6m+max17048", "/dev/ttyAMA10"),
      ("pi-zero-2w+waveshare-sim7600+li-ion-3p", "/dev/serial0"),
      ("pi-zero-2w+waveshare-sim7600+neo-6m+li-ion-3p+usb-console", "/dev/trailtracker-console"),
      ("pi-zero-2w-sim7600", "/dev/trailtracker-console"),
      ("pi-3b-sim5320", "/dev/trailtracker-console"),
    ])
  func console(_ name: String, _ device: String) throws {
    let board = try BoardDescription.load(named: name)
    #expect(board.consolePort?.device == device, "tracker-sim board \(name)")
    #expect(board.assembly.warnings.isEmpty)
  }

  @Test(
    "start the halted computer where the board has a clock that can",
    arguments: [
      ("pi-5+waveshare-sim7600+neo-6m+ina219", 4000), ("cm5+sim5320+ina219", 4000),
      ("cm4+sim5320+ina219", 40_000), ("pi-zero-2w-sim7600+pi-batman", 100),
      ("pi-zero-2w-sim7600", nil), ("pi-4b+sim5320+ina219", nil),
    ] as [(String, Int32?)])
  func halting(_ name: String, _ microamps: Int32?) throws {
    let board = try BoardDescription.load(named: name)
    #expect(board.board.halting?.microamps == microamps, "tracker-sim board \(name)")
    #expect(board.wakeClock == (microamps == nil ? nil : "rtc0"))
    #expect(!board.wakesByButton)
  }

  @Test("cannot have two clocks")
  func twoClocks() {
    #expect(throws: (any Error).self) {
      try BoardDescription.load(named: "pi-5+waveshare-sim7600+neo-6m+ina219+pi-batman")
    }
  }

  @Test("say what to do where there is no place for the cable")
  func noConsole() throws {
    let board = try BoardDescription.load(named: "pi-zero-2w+waveshare-sim7600+neo-6m+li-ion-3p")
    #expect(board.consolePort == nil)
    #expect(
      board.assembly.warnings == [
        "there is no place for the technician's cable (ports.console): add usb-console, a USB "
          + "adapter, or leave out neo-6m, so that the modem's own receiver frees the serial line"
      ])
  }

  @Test("are listed by kind, with what only the simulator can use")
  func list() throws {
    let (parts, complaints) = try BoardDescription.list()
    #expect(complaints.isEmpty)
    #expect(parts.count == Self.names.count + BoardTests.names.count)
    #expect(parts.map(\.kind.rawValue).first == "board")
    let models = parts.filter { $0.energyModelOnly != nil }.map(\.identifier)
    #expect(models == BoardTests.withoutLinux + ["pi-zero-w"])
  }
}
