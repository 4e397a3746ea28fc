import Foundation
import TrackerCore

@testable import BoardSupport

/// What the tests of settings files share.
enum Fixture {
  /// The root of the package.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// A board with as little as is allowed. Tests name its lines by number.
  static let board = """
    {
      name: "Bench", description: "A board for tests", support: "unverified",
      supply: { value: "5 V", source: "bench" },
      loads: {
        board: { value: "75 mA", source: "bench" },
        receiverStandby: { value: "20 µA", source: "bench" },
        receiverAcquiring: { value: "47 mA", source: "bench" },
        receiverTracking: { value: "39 mA", source: "bench" },
        modemOff: { value: "20 uA", source: "bench" },
        modemStarting: { value: "0.1 A", source: "bench", unverified: true },
        modemSearching: { value: "150 mA", source: ["bench", "again"] },
        modemIdle: { value: "17.5 mA", source: "bench" },
        modemTransmitting: { value: "539 mA", source: "bench" },
      },
      battery: {
        chemistry: "alkaline AA",
        cellsInSeries: { value: 6, source: "bench" },
        cellsInParallel: { value: 1, source: "bench" },
        cellCapacity: { value: "2.6 Ah", source: "bench" },
        cellVoltages: { source: "bench", value: [
          "1000 mV", "1.1 V", "1.15 V", "1.19 V", "1.23 V",
          "1.25 V", "1.28 V", "1.3 V", "1.35 V", "1.4 V", "1.58 V" ] },
        cutOff: { value: "6.6 V", source: "bench" },
        capacityAtFreezing: { value: "50 %", source: "bench" },
        regulator: { kind: "switching", efficiency: { value: "85 %", source: "bench" } },
      },
      modem: {
        family: "SIM5320",
        powerOnPulse: { value: "180 ms", source: "bench" },
        powerOffPulse: { value: "1 s", source: "bench" },
        bootLimit: { value: "15 s", source: "bench" },
        powerOffTime: { value: "7.5 s", source: "bench" },
        offOnGap: { value: "0 s", source: "bench" },
      },
      receiver: {
        part: "NEO-6M", dialect: "ublox",
        canSleep: { value: true, source: "bench" },
        coldStart: { value: "27 s", source: "bench" },
        hotStart: { value: "1 s", source: "bench" },
      },
      pins: {
        modemPowerKey: { value: 6, active: "high", source: "bench" },
        modemStatus: { value: 5, active: "low", source: "bench" },
      },
      ports: {
        receiver: { value: "/dev/serial0", baud: 9600, source: "bench" },
        modem: { value: "/dev/ttyUSB2", baud: 115200, source: "bench" },
      },
    }
    """

  static func root(_ text: String, path: String = "x.json5") throws(FileError) -> FileNode {
    try FileNode.parse(Array(text.utf8), path: path)
  }

  /// The line that an error prints for the bench board after a change; `nil`: there is no error.
  static func boardError(_ old: String, _ new: String) -> String? {
    precondition(board.contains(old), "the fixture has no \(old)")
    let changed = board.replacing(old, with: new)
    return line { () throws(FileError) in
      _ = try BoardDescription.parse(try root(changed), identifier: "bench")
    }
  }

  /// The line that an error prints for a configuration; `nil`: there is no error.
  static func configurationError(_ text: String) -> String? {
    line { () throws(FileError) in _ = try ConfigurationFile(try root(text)) }
  }

  static func line(_ body: () throws(FileError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.description
    }
  }

  /// Calls `body` with an empty directory, and removes it.
  static func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "trailtracker-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }
}

extension BoardDescription {
  /// A board of one part, from the text of its file.
  static func parse(_ root: FileNode, identifier: String) throws(FileError) -> BoardDescription {
    let part = try BoardPart(root, identifier: identifier)
    return try BoardDescription(Combination([part], identifier: identifier))
  }
}
