import Foundation
import TestSupport
import TrackerCore

@testable import Reports

let repeatExportTests = "repeat with: swift test --filter ReportsTests.Export"

/// Captures of a walk: a point every ten minutes from 2026-04-18T09:00:00.250Z.
enum ExportFixture {
  static let device = UniqueID(high: 0x0123_4567_89AB_4CDE, low: 0x8FED_CBA9_8765_4321)

  static func capture(_ sequence: UInt32, team: String = "Els Senglars") -> ExportedCapture {
    let bytes = Array(team.utf8)
    var capture = Capture(
      sequence: sequence,
      utc: UTC(milliseconds: 1_776_502_800_250 + Int64(sequence) * 600_000), isTimeTrusted: true,
      position: Coordinate(
        latitude: 421_234_567 + Int32(sequence) * 1001,
        longitude: -5 - Int32(sequence) * 20_003), team: InlineText(bytes.span),
      trigger: .interval)
    capture.altitudeMillimetres = 1_204_005
    capture.speedMillimetresPerSecond = 1250
    capture.courseMillidegrees = 90_500
    capture.accuracyMetres = 7
    capture.satellites = 9
    capture.batteryPercent = 83
    capture.batteryMillivolts = 3912
    return ExportedCapture(capture, device: device, state: .acknowledged)
  }

  /// Nothing known but the place.
  static func bare(_ sequence: UInt32) -> ExportedCapture {
    let capture = Capture(
      sequence: sequence, utc: nil, isTimeTrusted: false,
      position: Coordinate(latitude: -900_000_000, longitude: 1_800_000_000), team: InlineText(),
      trigger: .command)
    return ExportedCapture(capture, device: device, state: .pending)
  }

  static func text(_ format: ExportFormat, _ captures: [ExportedCapture]) -> String {
    String(decoding: format.bytes(of: captures, creator: "trailtracker"), as: UTF8.self)
  }
}

// Programs that nobody here wrote, which must be able to read our files.
extension Tool {
  /// What a program prints about a file of ours; `FILE` among the arguments is its path.
  static func output(
    _ name: String, _ arguments: [String], of format: ExportFormat, _ captures: [ExportedCapture]
  ) throws -> String {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("trailtracker-\(UUID().uuidString).\(format.rawValue)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(format.bytes(of: captures, creator: "trailtracker")).write(to: file)
    let run = try ProgramResult(
      running: [name] + arguments.map { $0 == "FILE" ? file.path : $0 }, errors: .asOutput)
    return run.code == 0 ? run.output : "exit \(run.code): \(run.output)"
  }
}
