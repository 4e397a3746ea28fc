import Foundation
import TestSupport
import Testing

/// An interval below the reconnect floor has no effect, and people see that.
@Suite(.blocking) struct ContactRuleDaemonTests {
  static let floor = "contacts: 10 min apart, by reconnectFloor: transmit.interval is shorter\n"

  private func check(_ settings: [String: String]) throws -> String {
    let run = try DaemonRun()
    run.settings.merge(settings) { $1 }
    try run.writeSettings()
    let check = try ProgramResult(
      running: [
        Built.program("trackerd").path, "--board", "pi-zero-2w-sim7600", "--config",
        run.path("settings.json5"), "--check",
      ], folder: Built.repository)
    #expect(check.code == 0, "\(run.command)")
    return check.output
  }

  @Test func `A check says which of the two rules`() throws {
    let finish = "finish: none; the battery has to last for 32 h\n"
    let usual = "the settings can be used\ncontacts: 10 min apart, by transmit.interval\n"
    #expect(try check([:]) == usual + finish)
    let short = try check(["transmit": "{ interval: '2 min' }"])
    #expect(short == "the settings can be used\n" + Self.floor + finish)
    let attached = try check(["transmit": "{ interval: '2 min', betweenUploads: 'attached' }"])
    #expect(attached.contains("\ncontacts: 2 min apart, by transmit.interval\n"), "\(attached)")
    let wired = try check(["transmit": "{ interval: '90 s' }", "bearer": "'none'"])
    #expect(wired.contains("\ncontacts: 90 s apart, by transmit.interval\n"), "\(wired)")
  }

  @Test func `A check shows the finish as it was understood, in UTC`() throws {
    let settings = [
      "finish": "'2090-04-19T14:00'", "timeZone": "'Europe/Madrid'", "endAfterFinish": "'3 h'",
    ]
    let text = try check(settings)
    #expect(
      text.hasSuffix("finish: 2090-04-19 12:00:00 UTC; the session ends 3 h later\n"), "\(text)")
  }

  @Test func `The status says it too, also after the settings were reloaded`() throws {
    let run = try DaemonRun()
    run.settings["transmit"] = "{ interval: '2 min' }"
    try run.startAndWait()
    let text = Self.floor.dropFirst("contacts: ".count)
    #expect(try run.ask("status").output.contains(text), "\(run.command)")
    run.settings["transmit"] = "{ interval: '2 min', betweenUploads: 'attached' }"
    try run.writeSettings()
    run.signal(SIGHUP)
    try run.wait("configuration reloaded")
    try eventually("the new rule; \(run.command)") {
      try run.ask("status").output.contains("2 min apart, by transmit.interval")
    }
  }
}
