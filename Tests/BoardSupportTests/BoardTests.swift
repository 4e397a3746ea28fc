import Testing
import TrackerCore

@testable import BoardSupport

@Suite("The boards that come with the project")
struct BoardTests {
  static let names = withoutLinux + ["pi-3b-sim5320", "pi-zero-2w-sim7600"]
  static let withoutLinux = ["arduino-uno-3g", "lm3s6965evb", "nucleo-l476rg"]
  static let directory = Fixture.package + "/boards"

  private func load(_ name: String) throws -> BoardDescription {
    try BoardDescription.load(named: "\(Self.directory)/\(name)")
  }

  @Test("are all tested here")
  func complete() {
    let known = Self.names + PartTests.names
    #expect(BoardDescription.boardNames(in: Self.directory) == known.sorted())
  }

  @Test("load, and every number has a source", arguments: names)
  func sources(_ name: String) throws {
    let board = try load(name)
    #expect(board.identifier == name)
    #expect(board.figures.count >= 26, "loads 9, battery 6 and more, modem 5, receiver 3, wiring 3")
    for figure in board.figures {
      #expect(figure.source.count >= 10, "\(figure.keyPath): \(figure.source)")
      let isFromMemory = figure.source.contains("memory") || figure.source.contains("assum")
      #expect(!isFromMemory || figure.isUnverified, "\(figure.keyPath): \(figure.source)")
    }
    #expect(board.support != .tested, "nobody has run the tracker on it yet")
  }

  @Test("have a README in the fixed order", arguments: names)
  func readme(_ name: String) throws {
    let text = String(decoding: try readFile("\(Self.directory)/\(name)/README.md"), as: UTF8.self)
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map(String.init)
    #expect(headings.first == "# " + (try load(name).name))
    let boot = Self.withoutLinux.contains(name) ? [] : ["## Boot configuration"]
    let order =
      ["## Overview", "## Hardware", "## Pins"] + boot + ["## Battery", "## Sources"]
    #expect(Array(headings.dropFirst()) == order)
  }

  /// The reference of 2013 lasted "more than 27 hours" at one transmission each 10 minutes. On
  /// paper, with the file's own figures: the receiver awake for a hot start and 20 s of settling
  /// each 10 minutes, the modem switched off in between.
  @Test("the reference board lasts more than 27 hours, and not with its receiver always on")
  func reference() throws {
    let board = try load("arduino-uno-3g").board
    let loads = board.loads
    let milliseconds: [(Int32, Int64)] = [
      (loads.modemStartingMicroamps, board.modem.bootLimit.count),
      (loads.modemSearchingMicroamps, 8000),
      (loads.modemTransmittingMicroamps, 10_000),
      (loads.modemIdleMicroamps, board.modem.powerOffTime.count),
    ]
    let modem = milliseconds.map { Int64($0) * $1 }.reduce(0, +) / 600_000
    let awake = board.receiver.hotStart.count + 20_000
    let receiver = Int64(loads.receiverTrackingMicroamps) * awake / 600_000
    // By hand, with a tenth of the charge for what the peaks leave; the simulator knows better.
    let usable = Int64(board.battery.cellCapacityMilliampHours) * 1000 * 90 / 100
    let hours = usable / (Int64(loads.boardMicroamps) + modem + receiver)
    #expect((27...40).contains(hours), "\(hours) h")
    let alwaysOn = Int64(loads.boardMicroamps + loads.receiverTrackingMicroamps) + modem
    #expect(usable / alwaysOn < 27)
  }

  @Test("are found by name, by folder and by file")
  func lookup() throws {
    let byName = try BoardDescription.load(
      named: BoardDescription.path(named: "pi-3b-sim5320", in: ["/none", Self.directory]))
    let folder = Self.directory + "/pi-3b-sim5320"
    #expect(try BoardDescription.load(named: folder) == byName)
    #expect(try BoardDescription.load(named: folder + "/board.json5") == byName)
    #expect(try load("pi-3b-sim5320/") == byName)
  }

  @Test("a name that is not there lists those that are")
  func notFound() {
    let found = { (name: String, directories: [String]) in
      Fixture.line { () throws(FileError) in
        _ = try BoardDescription.path(named: name, in: directories)
      }?.replacing(Self.directory, with: "boards")
    }
    #expect(
      found("pi-3b-sim532", [Self.directory])
        == "boards: has no board \"pi-3b-sim532\"; did you mean \"pi-3b-sim5320\"?")
    #expect(
      found("nano", [Self.directory])
        == "boards: has no board \"nano\"; trackerctl boards lists them")
    #expect(
      found("pico", ["/none"])
        == "boards: there is no such directory here; give a path to a board.json5")
    #expect(
      found("", ["/none"]) == "boards: no board was named; name one, or give a path")
  }
}
