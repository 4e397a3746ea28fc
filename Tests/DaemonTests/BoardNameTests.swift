import Foundation
import TestSupport
import Testing

/// The names that `--board` takes, in trackerd and trackerctl.
@Suite(.blocking) struct BoardNameTests {
  private func ended(
    _ program: String, _ arguments: [String]
  ) throws -> (code: Int32, output: String, errors: String) {
    let run = try ProgramResult(
      executable: Built.program(program), arguments, folder: Built.repository)
    return (run.code, run.output, run.errors)
  }

  private func check(
    _ board: String, _ settings: [String: String] = [:]
  ) throws -> (code: Int32, output: String, errors: String) {
    let run = try DaemonRun()
    run.settings.merge(settings) { $1 }
    try run.writeSettings()
    return try ended(
      "trackerd", ["--board", board, "--config", run.path("settings.json5"), "--check"])
  }

  @Test func `trackerd takes a combination, and warns of a missing place for the cable`() throws {
    let good = try check("pi-4b+waveshare-sim7600+ina219")
    #expect(good.code == 0 && !good.output.contains("warning"), "\(good)")
    let bare = try check("pi-zero-2w+waveshare-sim7600+neo-6m+li-ion-3p")
    #expect(bare.code == 0, "\(bare)")
    #expect(bare.output.contains("\nwarning: there is no place for the technician's cable"))
  }

  @Test func `trackerd warns of a policy that adapts to a battery that nothing measures`() throws {
    let adaptive = ["capture": "{ policy: 'adaptive' }"]
    let bare = try check("pi-3b-sim5320", adaptive)
    #expect(bare.code == 0, "\(bare)")
    let warnings = bare.output.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
    #expect(warnings.count == 1, "\(bare)")
    #expect(
      warnings[0].contains("settings.json5: capture.policy: \"adaptive\" adapts to nothing"),
      "\(bare)")
    let measured = try check("pi-zero-2w-sim7600", adaptive)
    #expect(measured.code == 0 && !measured.output.contains("warning"), "\(measured)")
  }

  @Test(arguments: ["arduino-uno-3g", "pi-zero-w+waveshare-sim7600+ina219"])
  func `trackerd refuses a board that is a model of energy`(_ board: String) throws {
    let refused = try check(board)
    #expect(refused.code == 2 && refused.output.isEmpty, "\(refused)")
    #expect(
      refused.errors.contains("the board \(board) is a model of energy, for the simulator only"))
  }

  @Test func `trackerctl lists the boards and parts, and what only the simulator can use`() throws {
    let list = try ended("trackerctl", ["boards"])
    #expect(list.code == 0 && list.errors.isEmpty, "\(list)")
    let lines = list.output.split(separator: "\n")
    let starts = [
      "pi-4b                  base      documented", "ina219                 battery   unverified",
      "arduino-uno-3g         board     simulator",
    ]
    for start in starts { #expect(lines.contains { $0.hasPrefix(start) }, "\(start)") }
  }
}
