import Foundation
import TestSupport
import Testing

/// A tracker and the words that a person gives it in a shell.
final class ConsoleRig {
  let run: DaemonRun
  private var camp: CampServer?

  /// - Parameter speed: how fast its time passes.
  init(speed: Int = 1, _ settings: [String: String] = [:]) throws {
    run = try DaemonRun(["--speed", "\(speed)"])
    run.settings["bearer"] = "'none'"
    run.settings["capture"] = "{ policy: 'standard', interval: '10 s' }"
    for (key, value) in settings { run.settings[key] = value }
  }

  /// A tracker under the sky, whose server answers.
  static func outdoors(_ settings: [String: String] = [:]) throws -> ConsoleRig {
    let rig = try ConsoleRig(speed: 20, settings)
    let camp = try CampServer(folder: rig.run.folder)
    rig.camp = camp
    let services = "http://127.0.0.1:\(camp.port)/arcgis/rest/services"
    rig.run.settings["server"] = "{ address: '\(services)/TrailWalker/FeatureServer/0' }"
    rig.run.line.walk(speed: 20)
    try rig.run.startAndWait()
    try rig.run.wait("captured sequence=1")
    return rig
  }

  var which: [String] { ["--config", run.path("settings.json5")] }

  /// In English, unless the environment or a word says otherwise.
  func tell(_ words: String..., environment: [String: String] = [:]) throws -> ProgramResult {
    try ProgramResult("trackerctl", words + which, environment: environment)
  }

  /// - Returns: the status as soon as its exit code is this.
  func status(code: Int32, seconds: Double = 60) throws -> ProgramResult {
    var status = try tell("status")
    try eventually(
      "exit code \(code), not \(status.code); \(run.command)\n\(status.output)", within: seconds
    ) {
      if status.code != code { status = try tell("status") }
      return status.code == code
    }
    return status
  }
}

extension ProgramResult {
  var lines: [String] { output.split(separator: "\n").map(String.init) }
  var firstLine: String { lines.first ?? "" }

  /// The value of a line `name: value`.
  func value(_ name: String) -> String? {
    lines.first { $0.hasPrefix(name + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }
}
