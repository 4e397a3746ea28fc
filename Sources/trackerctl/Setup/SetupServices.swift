import CommandLineSupport
import FieldConsole
import Glibc
import SystemCalls
import TrackerCore
import Wording

/// Tells the running system what has changed, and starts the tracker.
struct SetupServices {
  private let plan: SetupPlan
  private let language: Language
  private let isStarted: Bool

  /// Stopping a service may take its programs half a minute.
  private static let patience = Milliseconds.seconds(60)
  /// A store that is mended takes longer; then `status` is the one to ask.
  private static let start = Milliseconds.seconds(30)

  init(_ plan: SetupPlan, _ language: Language, isStarted: Bool) {
    self.plan = plan
    self.language = language
    self.isStarted = isStarted
  }

  /// - Returns: the exit code: 1 if the tracker could not be started.
  func run() throws -> Int32 {
    var isGood = true
    if kind(ofPath: "/run/systemd/system") != nil {
      freePorts()
      if plan.changesRules { renewRules() }
      if plan.console != nil { _ = does(["systemctl", "daemon-reload"]) }
      isGood = does(["systemctl", "enable", "--quiet", "trackerd.service"], isNeeded: true)
      // A port that is still the login's, or not there before the reboot, would only be a failure.
      if isStarted, !plan.needsReboot { isGood = startTracker() && isGood }
      if let console = plan.console, !plan.needsReboot {
        _ = does(["systemctl", "restart", "serial-getty@\(console).service"])
      }
    }
    let next = plan.needsReboot ? SetupPhrase.reboot : SetupPhrase.next
    try printOut(next.text(in: language) + "\n")
    return isGood ? 0 : 1
  }

  /// After an earlier run that may have been interrupted: starts a tracker that does not run.
  ///
  /// - Returns: the exit code.
  func resume() throws -> Int32 {
    guard isStarted, kind(ofPath: "/run/systemd/system") != nil,
      !does(["systemctl", "is-active", "--quiet", "trackerd.service"])
    else { return 0 }
    _ = does(["systemctl", "enable", "--quiet", "trackerd.service"], isNeeded: true)
    return startTracker() ? 0 : 1
  }

  /// Ends the logins on the receiver's port, but not the one at which this is typed.
  private func freePorts() {
    let own = Terminal.name(of: STDIN_FILENO)
    for port in plan.freed where own != "/dev/\(port)" {
      let unit = "serial-getty@\(port).service"
      // The unit may be none that can be disabled: stock systems make it at each start.
      _ = does(["systemctl", "disable", "--quiet", unit])
      _ = does(["systemctl", "stop", unit])
    }
  }

  private func renewRules() {
    _ = does(["udevadm", "control", "--reload"])
    _ = does(["udevadm", "trigger"])
    _ = does(["systemctl", "try-restart", "ModemManager.service"])
  }

  private func startTracker() -> Bool {
    guard does(["systemctl", "restart", "trackerd.service"], isNeeded: true) else { return false }
    let deadline = milliseconds(of: CLOCK_MONOTONIC) + Self.start.count
    while kind(ofPath: ConsoleOptions.defaultSocket) == nil {
      guard milliseconds(of: CLOCK_MONOTONIC) < deadline else {
        Program.complain(SetupPhrase.silentService.texts)
        return false
      }
      usleep(200_000)
    }
    // Its exit code says what to repair, not that the set-up has failed.
    _ = Program.run(["self-test", "--language", language.code])
    return true
  }

  /// - Parameter isNeeded: whether a failure is reported.
  /// - Returns: whether it worked.
  private func does(_ words: [String], isNeeded: Bool = false) -> Bool {
    let deadline = milliseconds(of: CLOCK_MONOTONIC) + Self.patience.count
    let isDone = BriefProgram(words)?.text(until: deadline) != nil
    if !isDone, isNeeded {
      Program.complain(SetupPhrase.failed.texts(words.joined(separator: " ")))
    }
    return isDone
  }
}
