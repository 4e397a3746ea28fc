import Foundation
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import FieldConsole

/// What a technician reads of each modem and of each way in which a server fails: the first line
/// and what to do, at the start and on the way.
@Suite struct ScriptVerdictTests {
  /// What the table of verdicts is to say at 0:03, 0:07, 0:21 and 0:45; `nil`: GO.
  typealias Causes = [Cause?]

  private static let well: Causes = [nil, nil, nil, nil]
  private static func always(_ cause: Cause) -> Causes { [cause, cause, cause, cause] }
  private static func after5(_ cause: Cause) -> Causes { [.modemStarting, cause, cause, cause] }

  /// Each script with the bearer that it is about.
  static let scripts: [(name: String, bearer: String, causes: Causes)] = [
    ("answers-lost", "modem", well),
    ("apn-refused", "modem", after5(.accessPointRefused)),
    ("brown-out", "modem", after5(.weakSupply)),
    ("chunked-answers", "modem", well),
    ("echo-locked", "interface", always(.simLocked)),
    ("emergency-only", "interface", always(.networkDenies)),
    ("line-refused", "interface", well),
    ("lte-only", "interface", well),
    // The contact before 0:21 has found it mute, and the next one has just begun.
    ("mute-after-reboot", "modem", [nil, nil, .modemSilent, nil]),
    ("network-lost", "modem", well),
    (
      "no-route-old", "modem", [.modemStarting, .modemStarting, .noConnection, .noConnection]
    ),
    ("no-route", "modem", after5(.noConnection)),
    ("operator-locked", "modem", always(.operatorLocked)),
    ("pin-needed", "modem", always(.simLocked)),
    ("pin-repeated", "modem", always(.simLocked)),
    ("pin-without-ok", "modem", always(.simLocked)),
    ("registration-denied", "modem", always(.networkDenies)),
    ("report-in-answer", "modem", well),
    ("silent", "modem", always(.modemSilent)),
    ("sim-removed", "modem", well),
    ("slow-requests", "modem", well),
    ("name-unknown", "modem", after5(.nameNotFound)),
    ("no-data", "modem", after5(.noDataConnection)),
    ("tls-refused", "modem", after5(.modemTLSFailed)),
    ("baud-falls", "modem", well),
    ("continue-first", "modem", well),
    ("numeric-answers", "modem", well),
    ("quiet-answers", "modem", well),
    ("radio-off-by-key", "modem", well),
    ("radio-off-refused", "modem", well),
    ("report-before-data", "modem", well),
    ("signal-refused", "modem", well),
    ("slow-answers", "modem", [.modemStarting, nil, nil, nil]),
    ("texts-delivered", "modem", well),
    ("texts-insisted", "modem", well),
    ("tight-answers", "modem", well),
    ("tries-not-told", "modem", always(.simLocked)),
    ("unregistered", "interface", well),
  ]

  /// Faults of a server from the start on, and what is to be said an hour into a race that went
  /// well so far, at 1:05 and at 1:25.
  static let faults: [(name: String, causes: Causes, later: Causes)] = [
    ("fault: 'portal'", always(.portal), [nil, .portal]),
    ("fault: 'http', status: 511", always(.portal), [nil, .portal]),
    ("fault: 'http', status: 407", after5(.proxyRefuses), [nil, .proxyRefuses]),
    (
      "fault: 'http', status: 503", [.modemStarting, .firstContact, .serverBusy, .serverBusy],
      [nil, .serverBusy]
    ),
    (
      "fault: 'timeout'", [.modemStarting, .firstContact, .serverSilent, .serverSilent],
      [nil, .serverSilent]
    ),
    ("fault: 'refuse'", after5(.noConnection), [nil, .noConnection]),
    ("fault: 'unauthorised'", always(.unauthorised), [.unauthorised, .unauthorised]),
    ("fault: 'http', status: 404", always(.serverRefuses), [.serverRefuses, .serverRefuses]),
  ]

  /// - Parameter moments: where to look.
  private func check(
    _ scenario: String, bearer: String, at moments: [String], _ causes: Causes
  ) throws {
    let folder = try ScratchFolder()
    let file = try folder.write("scenario.json5", "{ \(scenario) }")
    let settings = try folder.write(
      "tracker.json5",
      "{ team: 'T', device: '6f1c2a94-0b7d-4e35-9c58-d1a2f3b47e60', finishAfter: '12 h', "
        + "bearer: '\(bearer)', apn: 'internet' }")
    for language in Language.all {
      let run = try ConsoleRun(
        moments.flatMap { ["until \($0)", "status"] },
        ["--config", settings, "--scenario", file, "--language", language.code])
      let again: Comment = "\(scenario), \(bearer), \(language.code): \(run.output)\(run.errors)"
      let screens = run.output.components(separatedBy: "\nT  ").dropFirst()
      #expect(screens.count == moments.count, again)
      for (screen, cause) in zip(screens, causes) {
        let lines = screen.split(separator: "\n")
        let words = lines.prefix(2).joined(separator: "\n")
        guard let cause else {
          #expect(words.contains("  GO"), again)
          continue
        }
        #expect(words.contains(cause.isWait ? "  WAIT " : "  NO-GO"), again)
        #expect(words.contains(cause.title[language]), "\(cause); \(again)")
        let isTold = lines.contains { $0.hasSuffix(" " + cause.action[language]) }
        #expect(isTold == !cause.isWait, "\(cause); \(again)")
      }
    }
  }

  @Test(arguments: scripts.indices)
  func `Each modem's trouble has its line and its cure`(_ index: Int) throws {
    let (name, bearer, causes) = Self.scripts[index]
    let path = Repository.path("traces/modems/\(name).script")
    try check(
      "modemScript: '\(path)'", bearer: bearer, at: ["0:03:00", "0:07:00", "0:21:00", "0:45:00"],
      causes)
  }

  @Test(arguments: faults.indices, ["modem", "interface"])
  func `Each failure of a server has its line and its cure`(
    _ index: Int, _ bearer: String
  ) throws {
    let (fault, causes, later) = Self.faults[index]
    try check(
      "server: [{ from: '0:00:00', \(fault) }]", bearer: bearer,
      at: ["0:03:00", "0:07:00", "0:21:00", "0:45:00"], causes)
    try check(
      "server: [{ from: '1:00:00', \(fault) }]", bearer: bearer, at: ["1:05:00", "1:25:00"], later)
  }

  @Test(arguments: Language.all)
  func `A network that loses large requests is told beside GO, once it is known`(
    _ language: Language
  ) throws {
    let folder = try ScratchFolder()
    let settings = try folder.write(
      "tracker.json5", "{ capture: { policy: 'standard', interval: '2 min' }, bearer: 'modem' }")
    let scenario = Repository.path("traces/scenarios/path-swallows.json5")
    let run = try ConsoleRun(
      ["1:30:00", "5:00:00"].flatMap { ["until \($0)", "status"] },
      ["--config", settings, "--scenario", scenario, "--language", language.code])
    let lines = run.output.split(separator: "\n").filter { $0.contains("  GO") }
    let remark = VerdictPhrase.pathLimit.text(in: language)
    let isTold = lines.map { $0.contains(remark) }
    #expect(isTold == [false, true], "\(run.output)\(run.errors)")
  }

  @Test func `No script is without its row`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.path("traces/modems"))
    #expect(
      files.sorted() == Self.scripts.map { $0.name + ".script" }.sorted(),
      "add a row for it to ScriptVerdictTests.scripts")
  }

  /// With the waits before the first fix; holes in the coverage are not a cause.
  @Test(arguments: [
    ("valleys", ["4:55:00", "5:20:00", "6:40:00", "7:04:00", "7:45:00", "8:50:00", "9:19:00"]),
    ("stubborn-modem", ["1:00:00", "6:00:00"]), ("cold-night", ["1:00:00", "7:00:00"]),
  ])
  func `Where there is no network a tracker that delivered before stays GO`(
    _ name: String, _ moments: [String]
  ) throws {
    let run = try ConsoleRun(
      moments.flatMap { ["until \($0)", "status"] },
      ["--scenario", Repository.path("traces/scenarios/\(name).json5"), "--language", "en"])
    #expect(
      run.output.components(separatedBy: "  GO").count == moments.count + 1,
      "\(run.output)")
  }
}
