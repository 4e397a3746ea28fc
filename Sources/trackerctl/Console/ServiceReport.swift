import Glibc
import SystemCalls
import TrackerCore
import Wording

/// What systemd knows about trackerd.service: nothing where systemd does not run the machine.
struct ServiceReport {
  private var properties: [String: String] = [:]
  /// The newest lines of the journal.
  private(set) var lastWords: [String] = []

  private static let unit = "trackerd.service"
  private static let names = [
    "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus",
    "NRestarts", "StateChangeTimestampMonotonic", "InactiveEnterTimestampMonotonic", "ExecStart",
  ]

  /// The questions, running.
  struct Inquiry {
    private let unit = BriefProgram(
      ["systemctl", "show", ServiceReport.unit, "-p", ServiceReport.names.joined(separator: ",")])
    private let journal = ServiceReport.journal(newest: ConsoleBounds.lastWords)

    func report(until deadline: Int64) -> ServiceReport {
      ServiceReport(
        unit: unit?.text(until: deadline) ?? "",
        journal: journal?.text(until: deadline) ?? "")
    }
  }

  init(unit: String = "", journal: String = "") {
    for line in unit.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
    }
    lastWords = journal.split(separator: "\n").map(String.init)
  }

  static func journal(newest count: Int) -> BriefProgram? {
    BriefProgram(["journalctl", "-q", "-u", unit, "-n", "\(count)", "-o", "cat", "--no-pager"])
  }

  /// Whether there is such a service.
  var isInstalled: Bool { properties["LoadState"].map { $0 != "not-found" } ?? false }

  /// Whether a process of the service is there, or is just being started or stopped: one that
  /// waits to be started again is not.
  var isUp: Bool {
    switch properties["ActiveState"] {
    case "active", "reloading", "refreshing", "deactivating": true
    case "activating": !["auto-restart", "auto-restart-queued"].contains(properties["SubState"])
    default: false
    }
  }

  /// `systemd: failed, exit-code 2, restarted 5 times`
  var text: Texts? {
    guard let load = properties["LoadState"], let active = properties["ActiveState"] else {
      return nil
    }
    guard load == "loaded" else {
      switch load {
      case "not-found": return ProcessPhrase.noService.texts
      // Nothing starts it before that.
      case "masked": return ProcessPhrase.masked.texts
      default: return ProcessPhrase.systemd.texts(load)
      }
    }
    var parts = [active]
    let details = [
      "auto-restart", "auto-restart-queued", "start-pre", "stop-sigterm", "stop-sigkill",
    ]
    if let detail = properties["SubState"], details.contains(detail) { parts[0] += " (\(detail))" }
    if let result = properties["Result"], result != "success", !result.isEmpty {
      let code = properties["ExecMainStatus"] ?? "0"
      let hasCode = ["exit-code", "signal", "core-dump"].contains(result)
      parts.append(hasCode ? "\(result) \(code)" : result)
    }
    if properties["UnitFileState"] == "disabled" { parts.append("disabled") }
    if let count = properties["NRestarts"].flatMap({ Int($0) }), count > 0 {
      let known = ProcessPhrase.systemd.texts(parts.joined(separator: ", "))
      return known + ", " + ProcessPhrase.restarted.texts(count: Int64(count))
    }
    // The words of systemd are the same in every language.
    return ProcessPhrase.systemd.texts(parts.joined(separator: ", "))
  }

  /// How long ago it ended.
  var age: Milliseconds? {
    let times = ["InactiveEnterTimestampMonotonic", "StateChangeTimestampMonotonic"]
      .compactMap { properties[$0].flatMap { Int64($0) } }
    guard let last = times.first(where: { $0 > 0 }) else { return nil }
    return Milliseconds(max(0, milliseconds(of: CLOCK_MONOTONIC) - last / 1000))
  }

  /// The file after `--record` in the service's command.
  var recording: String? {
    let words = (properties["ExecStart"] ?? "").split(separator: " ").map(String.init)
    guard let place = words.firstIndex(of: "--record"), place + 1 < words.count else { return nil }
    return words[place + 1]
  }
}
