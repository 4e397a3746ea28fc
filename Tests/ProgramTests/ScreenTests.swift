import Foundation
import Testing

/// The status as a technician sees it at seven telling moments of a simulated race.
@Suite struct ScreenTests {
  static let moments: [(name: String, at: String, code: Int32)] = [
    ("fresh", "0:00:12", 3), ("dead-zone", "6:52:00", 0), ("refused", "2:31:00", 1),
    ("battery-short", "1:05:00", 1), ("finished", "13:20:00", 0), ("on-course", "8:40:00", 0),
    ("adaptive", "6:30:00", 0),
  ]
  static let languages = ["ca", "es", "en", "fr"]
  static let isWriting = ProcessInfo.processInfo.environment["WRITE_SCREENS"] != nil

  private static func path(_ name: String) -> String {
    Repository.path("Tests/ProgramTests/Screens/\(name)")
  }

  @Test(arguments: moments.map(\.name), languages)
  func `A moment reads as expected, at 80 by 24 with room for a prompt`(
    _ name: String, _ code: String
  ) throws {
    let moment = try #require(Self.moments.first { $0.name == name })
    let run = try ConsoleRun(
      ["until \(moment.at)", "status"],
      [
        "--config", Self.path(name == "adaptive" ? "adaptive-tracker.json5" : "tracker.json5"),
        "--scenario", Self.path("\(name).json5"),
        "--language", code,
      ] + (name == "on-course" ? ["--course", Repository.path("traces/race.geojson")] : []))
    let screen = run.output.drop { $0 != "\n" }.dropFirst()
    let again: Comment = """
      look at it: printf 'until \(moment.at)\\nstatus\\n' | \(run.command)
      if it is meant: WRITE_SCREENS=1 swift test --filter ScreenTests, and look at the difference
      """
    // What becomes of a course is said there.
    let errors = run.errors.split(separator: "\n").filter { !$0.contains("race.geojson: ") }
    #expect(run.code == moment.code && errors.isEmpty, again)
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 23 && lines.allSatisfy { $0.count <= 80 }, again)
    let file = Self.path("\(name).\(code)")
    if Self.isWriting { try screen.write(toFile: file, atomically: true, encoding: .utf8) }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == screen, again)
  }

  @Test func `Every screen has its moment, and no moment was written by accident`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.path(""))
    let moments = Self.moments.flatMap { moment in
      (Self.languages + ["json5"]).map { "\(moment.name).\($0)" }
    }
    #expect(
      names.sorted() == (moments + ["tracker.json5", "adaptive-tracker.json5"]).sorted(),
      "repeat with: ls \(Self.path(""))")
    #expect(!Self.isWriting, "the screens are written; run again without WRITE_SCREENS")
  }
}
