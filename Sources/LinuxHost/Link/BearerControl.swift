import Glibc
import SystemCalls
import TrackerCore
import Wording

/// Opens and closes the connection to the network, and reports its state.
public struct BearerControl: ~Copyable {
  /// Commands to run, as program and arguments without a shell; empty: none.
  public struct Commands: Sendable, Equatable {
    /// Brings the interface up: `["pppd", "call", "movistar", "nodetach"]`. It stays as long as the
    /// interface is to be up, or ends with code 0 and leaves it up.
    public var up: [String] = []
    /// Takes it down. Without one, the command that brought it up is terminated if it is still
    /// running.
    public var down: [String] = []
    public init() {}
  }

  /// What has become of the commands, for the log.
  struct Report: Sendable, Equatable {
    var text: Texts
    /// It keeps the link from being opened, or closed.
    var isProblem: Bool
    /// `nil`: the command's own business.
    var cause: FailureCause?
    /// Whether there is a command to blame.
    var isOfCommand = true
  }

  /// The interface to watch; `nil`: the link counts as up as soon as it is wanted.
  private let watch: LinkWatch?
  private let commands: Commands
  /// Whether it comes and goes by itself, like Wi-Fi, and is not opened here.
  private let isAlwaysWanted: Bool
  private var isWanted: Bool
  private var isUp: Bool
  /// The state last reported to the core.
  private var told = false
  private let runner: any LinkRunner
  /// The command has failed since the link was wanted.
  private var hasFailed = false
  /// That was reported to the core.
  private var toldFailure = false
  /// The command has ended well, and the link has to be up by then, on the monotonic clock.
  private var upBy: Int64?
  /// Since when the link has been wanted without having come up, on the monotonic clock.
  private var missingSince: Int64?
  /// Reports that do not come from a command.
  private var ownReports: [Report] = []

  public init(
    watch: LinkWatch?, commands: Commands = Commands(), runner: any LinkRunner,
    isAlwaysWanted: Bool = false
  ) {
    self.watch = watch
    self.commands = commands
    self.runner = runner
    self.isAlwaysWanted = isAlwaysWanted
    isWanted = isAlwaysWanted
    isUp = watch?.isUp ?? true
    if isAlwaysWanted { missingSince = milliseconds(of: CLOCK_MONOTONIC) }
  }

  /// The next run opens the link again.
  deinit {
    if isWanted && !isAlwaysWanted { runner.close(commands.down) }
  }

  /// Whether the core was last told that it is up.
  var isOpen: Bool { told }

  /// Readable when something may have changed.
  var descriptors: [Int32] { [watch?.descriptor, runner.descriptor].compactMap { $0 } }

  /// The server is another one now.
  mutating func use(_ target: LinkTarget) {
    guard let watch, watch.target != target else { return }
    watch.target = target
    isUp = watch.isUp
  }

  /// Something may have changed.
  mutating func look() {
    guard let watch else { return }
    watch.drain()
    isUp = watch.isUp
  }

  /// The event for the core now, if any: the link has come up or gone, or cannot be opened.
  mutating func news() -> Event? {
    // Without notifications from the kernel it is polled whenever there is something to do.
    if let watch, watch.descriptor == nil { isUp = watch.isUp }
    // Without an interface to watch there is only the command.
    let isThere = watch == nil ? !hasFailed : isUp
    // An interface that is still there after the last connection does not count.
    let isOpen = isWanted && isThere && !runner.isWaiting
    if isOpen != told {
      told = isOpen
      if isOpen {
        missingSince = nil
      } else if isAlwaysWanted {
        missingSince = milliseconds(of: CLOCK_MONOTONIC)
      }
      toldFailure = !isOpen
      return .linkChanged(isUp: isOpen)
    }
    guard isWanted, hasFailed, !isOpen, !toldFailure else { return nil }
    toldFailure = true
    return .linkChanged(isUp: false)
  }

  /// The core wants the bearer, or no longer wants it.
  mutating func set(isUp wanted: Bool) {
    // Report the state again for each request.
    if wanted {
      told = false
      toldFailure = false
    }
    guard !isAlwaysWanted, wanted != isWanted else { return }
    isWanted = wanted
    hasFailed = false
    upBy = nil
    // Going down on request is not reported.
    if wanted {
      missingSince = milliseconds(of: CLOCK_MONOTONIC)
      runner.open(commands.up)
    } else {
      reportMissing()
      told = false
      runner.close(commands.down)
    }
  }

  /// The core has given up a link that did not come up, though its command, if it has one, did not
  /// fail; or one that comes by itself is still not there.
  private mutating func reportMissing() {
    defer { missingSince = nil }
    guard let missingSince, !hasFailed, let watch, let lack = watch.lack else { return }
    let waited = milliseconds(of: CLOCK_MONOTONIC) - missingSince
    guard waited >= DaemonBounds.linkAfterUp else { return }
    var report = lack.report(on: watch.interface)
    report.isOfCommand = !commands.up.isEmpty
    if report.isOfCommand && report.cause == .interface {
      report.text = HostPhrase.notBroughtUp.texts(watch.interface, "\(waited / 1000)")
    }
    ownReports.append(report)
  }

  /// When a link that comes by itself is missing for too long, on the monotonic clock.
  private var missingAt: Int64? {
    isAlwaysWanted ? missingSince.map { $0 + DaemonBounds.linkAfterUp } : nil
  }

  /// The reports since the last call.
  mutating func reports() -> [Report] {
    if let missingAt, milliseconds(of: CLOCK_MONOTONIC) >= missingAt { reportMissing() }
    var reports = ownReports
    ownReports = []
    for report in runner.tend() {
      if report.role == .up && !report.wasTold && isWanted { ended(report) }
      let meaning = PPPDExit(report, of: commands.up)
      reports.append(
        Report(
          text: meaning.map { report.texts.colon($0.texts) } ?? report.texts,
          isProblem: isProblem(report), cause: report.role == .up ? .interface : nil))
    }
    if let upBy, milliseconds(of: CLOCK_MONOTONIC) >= upBy {
      self.upBy = nil
      if let watch, let lack = watch.lack {
        hasFailed = true
        var report = lack.report(on: watch.interface)
        if report.cause == .interface {
          report.text = HostPhrase.upWithoutConnection.texts(watch.interface)
        }
        reports.append(report)
      }
    }
    return reports
  }

  private mutating func ended(_ report: LinkReport) {
    if report.end == .code(0) {
      upBy = milliseconds(of: CLOCK_MONOTONIC) + DaemonBounds.linkAfterUp
    } else {
      hasFailed = true
    }
  }

  /// A command that closes a link that has gone already may say so with its code.
  private func isProblem(_ report: LinkReport) -> Bool {
    switch (report.role, report.end) {
    case (.up, _): !report.isGood
    case (.down, .notRun), (.down, .othersRun), (.down, .noHelper): true
    case (.down, _): report.wasOverdue
    }
  }

  /// The longest wait before `reports` has something to do; `nil`: none is due.
  var timeoutMilliseconds: Int64? {
    let due = [upBy, missingAt].compactMap { $0 }.min()
    let wait = due.map { max(0, $0 - milliseconds(of: CLOCK_MONOTONIC)) }
    return [runner.timeoutMilliseconds, wait].compactMap { $0 }.min()
  }
}

extension LinkWatch.Lack {
  fileprivate func report(on interface: String) -> BearerControl.Report {
    switch self {
    case .interface: report(.noInterface, interface)
    case .address: report(.noAddress, interface)
    case .family(let isIPv4):
      BearerControl.Report(
        text: HostPhrase.otherFamily.texts(interface, isIPv4 ? "IPv4" : "IPv6"), isProblem: true,
        cause: .addressFamily)
    case .route: report(.noRoute, interface)
    }
  }

  private func report(_ phrase: HostPhrase, _ interface: String) -> BearerControl.Report {
    BearerControl.Report(text: phrase.texts(interface), isProblem: true, cause: .interface)
  }
}
