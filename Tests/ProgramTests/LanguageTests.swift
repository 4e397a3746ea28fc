import Foundation
import Reports
import Testing

/// The languages of tracker-sim: what people read follows them, and nothing else does.
@Suite struct LanguageTests {
  private static let tunnel = ["--trace", Repository.path("traces/tunnel.nmea")]
  private static let catalan = ["LC_ALL": "ca_ES.UTF-8"]

  /// Made with
  ///
  ///     tracker-sim --trace traces/race.nmea --language CODE > Summaries/race.CODE
  @Test(arguments: ["ca", "es", "en", "fr"])
  func `The race's summary reads as expected at 80 columns`(_ code: String) throws {
    let run = try ProgramRun([
      "--trace", Repository.path("traces/race.nmea"), "--language", code,
    ])
    let expected = try String(
      contentsOfFile: Repository.path("Tests/ProgramTests/Summaries/race.\(code)"),
      encoding: .utf8)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.command): \(run.errors)")
    #expect(
      run.output == expected,
      """
      repeat with: swift run tracker-sim --trace traces/race.nmea --language \(code) \
      | diff Tests/ProgramTests/Summaries/race.\(code) -
      """)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.command)")
  }

  @Test(arguments: [
    tunnel + ["--json"], tunnel + ["--events", "-"],
    tunnel + ["--json", "--expect", "captures.pending > 5"],
    tunnel + ["--expect", "captures.pending = 0"],
    ["plan", "--json", "--hours", "1", "--runs", "1", "--interval", "10min"],
    ["plan", "--pack", "8 potatoes"],
  ])
  func `What programs read has no language`(_ words: [String]) throws {
    let english = try ProgramRun(words)
    let catalan = try ProgramRun(words, environment: Self.catalan)
    #expect(english.output == catalan.output, "\(catalan.command)")
    #expect(english.errors == catalan.errors, "\(catalan.command)")
    #expect(english.code == catalan.code, "\(catalan.command)")
  }

  @Test func `The option comes before the configuration, and that before the environment`() throws {
    let folder = try ScratchFolder()
    let french = try folder.write("french.json5", "{ language: 'fr' }")
    let cases: [(words: [String], environment: [String: String], name: String)] = [
      ([], [:], "trace "),
      ([], Self.catalan, "traça "),
      ([], ["LC_ALL": "", "LC_MESSAGES": "", "LANG": "es_ES.UTF-8"], "traza "),
      ([], ["LC_ALL": "de_DE.UTF-8"], "trace "),
      (["--config", french], Self.catalan, "trace           "),
      (["--config", french, "--language", "es"], Self.catalan, "traza "),
    ]
    for (words, environment, name) in cases {
      let run = try ProgramRun(Self.tunnel + words, environment: environment)
      #expect(run.output.hasPrefix(name), "\(environment) \(run.command): \(run.output)")
    }
  }

  @Test(arguments: ["de", "ca_ES.UTF-8", "english", "CA"])
  func `Another language is refused in one line`(_ code: String) throws {
    for words in [Self.tunnel, ["replay", "x"], ["plan"]] {
      let run = try ProgramRun(words + ["--language", code])
      #expect(run.isRefusal, "\(run.command): \(run.errors)")
      #expect(run.errors.hasSuffix("give ca, es, en or fr\n"), "\(run.command): \(run.errors)")
    }
  }

  @Test func `A replay and a plan speak it too`() throws {
    let folder = try ScratchFolder()
    let recording = folder.path("run.rec")
    let recorded = try ProgramRun(Self.tunnel + ["--record", recording])
    #expect(recorded.code == 0, "\(recorded.errors)")
    let replay = try ProgramRun(["replay", recording], environment: Self.catalan)
    #expect(replay.output.contains(": idèntic\ngravació "), "\(replay.command): \(replay.output)")
    let page = folder.path("plan.html")
    let plan = try ProgramRun([
      "plan", "--hours", "1", "--runs", "1", "--pack", "1 li-ion 100mAh", "--interval", "10min",
      "--language", "fr", "--html", page,
    ])
    #expect(plan.output.contains("Cela ne tient pas."), "\(plan.command): \(plan.output)")
    #expect(plan.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(plan.command)")
    let text = try String(contentsOfFile: page, encoding: .utf8)
    #expect(text.contains("<html lang=\"fr\">") && text.contains("Plan de batterie"))
  }

  /// People would read its key.
  @Test func `Every figure of a group has a name for people`() throws {
    let run = try ProgramRun(Self.tunnel + ["--json"])
    let figures = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    func members(_ path: String...) -> [String] {
      var object = figures
      for name in path { object = object?[name] as? [String: Any] }
      return object.map { Array($0.keys) } ?? []
    }
    let keys =
      members("sentences", "rejected") + members("fixes").filter { $0 != "accepted" }
      + members("not_captured") + members("energy", "by_part")
    #expect(keys.count >= 18, "\(keys); \(run.command)")
    for key in keys {
      #expect(FigureName(key: key) != nil, "\(key); \(run.command)")
    }
  }
}
