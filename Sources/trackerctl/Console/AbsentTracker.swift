import CaptureStore
import CommandLineSupport
import FieldConsole
import MachineAccess
import SystemCalls
import TrackerCore
import Wording

/// What this machine knows about a tracker that does not answer: from its files, its process and
/// systemd, all asked at once and none waited for longer than `ControlBounds` says.
struct AbsentTracker {
  let place: TrackerPlace

  /// Something listens on its socket.
  func hung(_ process: Int32?) -> TrackerFacts {
    var (facts, service) = look()
    facts.identity.presence = .hung
    facts.identity.lastSignOfLife = lastSign(facts, service, ended: nil)
    facts.identity.systemd =
      (process ?? ProcessState.only(named: "trackerd")).flatMap { ProcessState.text(of: $0) }
    facts.identity.lastWords = service.lastWords
    return facts
  }

  /// Nothing listens there.
  func dead() -> TrackerFacts {
    var (facts, service) = look()
    let isStoreThere = !facts.identity.device.isEmpty || facts.store.problem != nil
    facts.identity.presence = isStoreThere || isInstalled(service) ? .dead : .notInstalled
    facts.identity.systemd = service.text
    // One that works on another socket must not be reported as dead, or somebody would stop it.
    if !facts.identity.device.isEmpty, CaptureStore.isInUse(place.store) {
      facts.identity.presence = .hung
      facts.identity.systemd = ProblemPhrase.listensElsewhere.texts(place.socket)
    }
    if service.isUp {
      facts.identity.presence = .hung
      facts.identity.systemd = ProcessPhrase.listensNowhere.texts(
        service.text ?? "systemd".texts, place.socket.texts)
    }
    facts.identity.lastWords = service.lastWords
    if let problem = place.problem { facts.identity.lastWords.append(problem) }
    facts.identity.lastSignOfLife = lastSign(
      facts, service, ended: service.isUp ? nil : service.age)
    return facts
  }

  /// When it last wrote anything, or ended: a stopped process does not say since when.
  private func lastSign(
    _ facts: TrackerFacts, _ service: ServiceReport, ended: Milliseconds?
  ) -> Milliseconds? {
    // A disk that does not answer is not asked again.
    let recording = facts.identity.device.isEmpty ? nil : service.recording
    return [facts.identity.lastSignOfLife, ended, recording.flatMap { StoreReport.age(of: $0) }]
      .compactMap(\.self).min()
  }

  private func look() -> (facts: TrackerFacts, service: ServiceReport) {
    let begun = KernelTimer.monotonic.milliseconds
    let inquiry = place.isService ? ServiceReport.Inquiry() : nil
    let files = StoreReport.inquiry(place.store)
    let service = inquiry?.report(until: begun + ControlBounds.service.count) ?? ServiceReport()
    var facts = TrackerFacts()
    let message = files?.text(until: begun + ControlBounds.store.count)
    if let read = message.flatMap({ try? TrackerFacts(message: $0) }) {
      facts = read
    } else {
      let limit = ControlBounds.store.count / 1000
      facts.store.problem = ProblemPhrase.cannotBeRead.texts(place.store, "\(limit)")
    }
    place.add(to: &facts)
    return (facts, service)
  }

  private func isInstalled(_ service: ServiceReport) -> Bool {
    if (try? FileStatus(place.socket, followsLinks: false)) != nil { return true }
    if service.isInstalled { return true }
    var folders = (environmentValue("PATH") ?? "")
      .split(separator: ":").map(String.init)
    if let own = try? resolved("/proc/self/exe") { folders.append(directory(of: own)) }
    return folders.contains { may(.run, $0 + "/trackerd") }
  }
}

extension TrackerPlace {
  /// What the configuration says and the store does not.
  func add(to facts: inout TrackerFacts) {
    if let number { facts.identity.number = number }
    if facts.identity.team.isEmpty { facts.identity.team = team ?? "" }
    if facts.identity.language == nil { facts.identity.language = language }
    // Without a tracker nobody can check a PIN.
    facts.identity.consoleAccess = consoleAccess == .pin ? .readOnly : consoleAccess
  }
}

/// What a tracker's files say when it does not answer.
///
/// A separate process reads them, `trackerctl store-facts FILE`: one that reads from a disk that
/// hangs neither returns nor can be killed.
enum StoreReport {
  static let command = "store-facts"

  /// The query in progress.
  static func inquiry(_ path: String) -> BriefProgram? {
    BriefProgram(["/proc/self/exe", command, path])
  }

  /// The hidden command.
  static func run(_ arguments: Arguments) throws -> Int32 {
    try say(facts(of: arguments.operands[0]).message)
  }

  /// Without a device there is no store, or its problem says why it cannot be read.
  static func facts(of path: String) -> TrackerFacts {
    do throws(StoreError) {
      return facts(of: try CaptureStore.openAnyForReading(path), path)
    } catch {
      var facts = TrackerFacts()
      if error.kind != .missing { facts.store.problem = error.texts }
      return facts
    }
  }

  static func facts(of stores: [CaptureStore], _ path: String) -> TrackerFacts {
    let time = BootClock().machineTime
    var facts = TrackerFacts(of: stores, at: time)
    let orders = stores.last.flatMap { try? $0.settingOrders(at: time) } ?? []
    facts.take(orders) { given in given.at.map { time.now - $0 } }
    facts.identity.lastSignOfLife = ["", "-wal", ".second", ".second-wal"]
      .compactMap { age(of: path + $0) }.min()
    return facts
  }

  /// How long ago a file was written; `nil` if the machine's date was set back since, or for an
  /// empty file, because reading a store creates its log.
  static func age(of path: String) -> Milliseconds? {
    guard let status = try? FileStatus(path), status.size > 0 else { return nil }
    let written =
      Int64(status.modified.seconds) * 1000 + Int64(status.modified.nanoseconds) / 1_000_000
    let age = BootClock.date - UTC(milliseconds: written)
    return age >= 0 ? age : nil
  }
}

/// What systemd knows about trackerd.service; nothing on a machine without systemd.
struct ServiceReport {
  private var properties: [String: String] = [:]
  /// The newest lines of the journal.
  private(set) var lastWords: [String] = []

  private static let unit = "trackerd.service"
  private static let names = [
    "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "ExecMainStatus",
    "NRestarts", "StateChangeTimestampMonotonic", "InactiveEnterTimestampMonotonic", "ExecStart",
  ]

  /// The queries in progress.
  struct Inquiry {
    private let unit = BriefProgram(
      ["systemctl", "show", ServiceReport.unit, "-p", ServiceReport.names.joined(separator: ",")])
    private let journal = ServiceReport.journal(newest: ControlBounds.lastWords)

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

  /// Whether the service has a process, or is just being started or stopped; not while it waits to
  /// be restarted.
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
    return Milliseconds(max(0, KernelTimer.monotonic.milliseconds - last / 1000))
  }

  /// The file after `--record` in the service's command.
  var recording: String? {
    let words = (properties["ExecStart"] ?? "").split(separator: " ").map(String.init)
    guard let place = words.firstIndex(of: "--record"), place + 1 < words.count else { return nil }
    return words[place + 1]
  }
}
