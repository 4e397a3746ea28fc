import SystemCalls
import TrackerCore
import Wording

/// Opens and closes the connection to the network, and reports its state.
public final class BearerControl: PollSource {
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

  init(
    watch: LinkWatch?, commands: Commands = Commands(), runner: any LinkRunner,
    isAlwaysWanted: Bool = false
  ) {
    self.watch = watch
    self.commands = commands
    self.runner = runner
    self.isAlwaysWanted = isAlwaysWanted
    isWanted = isAlwaysWanted
    isUp = watch?.isUp ?? true
    if isAlwaysWanted { missingSince = KernelTimer.monotonic.milliseconds }
  }

  /// The next run opens the link again.
  deinit {
    if isWanted && !isAlwaysWanted { runner.close(commands.down) }
  }

  /// Whether the core was last told that it is up.
  var isOpen: Bool { told }

  func tend(_ pass: inout Pass) {
    for report in reports() { pass.news.append(.link(report)) }
    if let news = news() { pass.news.append(.event(news)) }
  }

  func register(in wait: inout LoopWait, at now: Instant) {
    // Readable when something may have changed.
    if let descriptor = watch?.descriptor {
      wait.add(descriptor)
    } else if watch != nil && isWanted {
      wait.wake(within: HostBounds.linkLook.count)
    }
    if let descriptor = runner.descriptor { wait.add(descriptor) }
    wait.wake(within: timeoutMilliseconds)
  }

  func handle(_ wait: LoopWait, _ pass: inout Pass) {
    if !wait.found(watch?.descriptor).isEmpty || !wait.found(runner.descriptor).isEmpty { look() }
  }

  /// The server is another one now.
  func use(_ target: LinkTarget) {
    guard let watch, watch.target != target else { return }
    watch.target = target
    isUp = watch.isUp
  }

  /// Something may have changed.
  func look() {
    guard let watch else { return }
    watch.drain()
    isUp = watch.isUp
  }

  /// The event for the core now, if any: the link has come up or gone, or cannot be opened.
  func news() -> Event? {
    // Without notifications from the kernel it is looked at in each pass.
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
        missingSince = KernelTimer.monotonic.milliseconds
      }
      toldFailure = !isOpen
      return .linkChanged(isUp: isOpen)
    }
    guard isWanted, hasFailed, !isOpen, !toldFailure else { return nil }
    toldFailure = true
    return .linkChanged(isUp: false)
  }

  /// The core wants the bearer, or no longer wants it.
  func set(isUp wanted: Bool) {
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
      missingSince = KernelTimer.monotonic.milliseconds
      runner.open(commands.up)
    } else {
      reportMissing()
      told = false
      runner.close(commands.down)
    }
  }

  /// The core has given up a link that did not come up, though its command, if it has one, did not
  /// fail; or one that comes by itself is still not there.
  private func reportMissing() {
    defer { missingSince = nil }
    guard let missingSince, !hasFailed, let watch, let lack = watch.lack else { return }
    let waited = KernelTimer.monotonic.milliseconds - missingSince
    guard waited >= HostBounds.linkAfterUp.count else { return }
    var report = lack.report(on: watch.interface)
    report.isOfCommand = !commands.up.isEmpty
    if report.isOfCommand && report.cause == .interface {
      report.text = HostPhrase.notBroughtUp.texts(watch.interface, "\(waited / 1000)")
    }
    ownReports.append(report)
  }

  /// When a link that comes by itself is missing for too long, on the monotonic clock.
  private var missingAt: Int64? {
    isAlwaysWanted ? missingSince.map { $0 + HostBounds.linkAfterUp.count } : nil
  }

  /// The reports since the last call.
  func reports() -> [Report] {
    if let missingAt, KernelTimer.monotonic.milliseconds >= missingAt { reportMissing() }
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
    if let upBy, KernelTimer.monotonic.milliseconds >= upBy {
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

  private func ended(_ report: LinkReport) {
    if report.end == .code(0) {
      upBy = KernelTimer.monotonic.milliseconds + HostBounds.linkAfterUp.count
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
    let wait = due.map { max(0, $0 - KernelTimer.monotonic.milliseconds) }
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

/// How a command of the link ended.
public struct LinkReport: Sendable, Equatable {
  /// What a command is for; as the settings call it.
  enum Role: String, Sendable {
    case up = "network.up"
    case down = "network.down"
  }

  enum End: Sendable, Equatable {
    case code(Int32)
    case signal(Int32)
    /// It has ended, and somebody else has learned how.
    case unknown
    /// It could not be run, for this `errno`.
    case notRun(program: String, code: Int32)
    /// It was not run: too many others have not ended.
    case othersRun(program: String)
    /// The helper that should have run it does not answer, or refuses: what, where and what to do.
    case noHelper(Texts)
  }

  var role: Role
  var end: End
  /// It was told to end.
  var wasTold = false
  /// It was told because its time was over.
  var wasOverdue = false
}

extension LinkReport: Worded {
  /// Whether the command has done what it was there for, or was told to end.
  var isGood: Bool { !wasOverdue && (wasTold || end == .code(0)) }

  /// `network.up ended with code 3`
  public var texts: Texts {
    if wasOverdue {
      return HostPhrase.overdue.texts(role.rawValue, "\(HostBounds.linkCommandEnd.count / 1000)")
    }
    return switch end {
    case .code(let code): HostPhrase.endedWithCode.texts(role.rawValue, "\(code)")
    case .signal(let signal): HostPhrase.endedBySignal.texts(role.rawValue, "\(signal)")
    case .unknown: HostPhrase.endedSomehow.texts(role.rawValue)
    case .notRun(let program, let code):
      HostPhrase.cannotBeRun.texts(program, SystemReason.texts(of: code), role.rawValue)
    case .othersRun(let program): HostPhrase.othersRun.texts(program, role.rawValue)
    case .noHelper(let why): why
    }
  }
}

/// Runs the commands that open and close the link: this process itself, or a helper of root's.
public protocol LinkRunner: AnyObject {
  /// Readable when `tend` may have something to do; `nil`: SIGCHLD tells.
  var descriptor: Int32? { get }
  /// Whether the link is not being opened yet, because it is still being closed.
  var isWaiting: Bool { get }
  /// Opens the link.
  func open(_ words: [String])
  /// Closes the link.
  func close(_ words: [String])
  /// Does what is due, and returns the reports since the last call, in order.
  func tend() -> [LinkReport]
  /// The longest wait before the next `tend`; `nil`: none is due.
  var timeoutMilliseconds: Int64? { get }
  /// Remembers in a file what is running, and closes what an earlier process has left open.
  ///
  /// - Parameters:
  ///   - path: the file; it exists while the link is open.
  ///   - down: the command that closes the link.
  /// - Returns: whether something was left open that can be closed.
  func remember(in path: String, down: [String]) -> Bool
  /// Ends everything that is still running, before the process ends. It blocks for some seconds at
  /// most.
  func finish()
}

/// What pppd's exit code means (pppd(8), EXIT STATUS).
enum PPPDExit: String, Catalogue {
  case badOption, noPort, notDialled, silent, refused

  /// `nil` if the code says nothing that somebody could act on.
  init?(_ report: LinkReport, of command: [String]) {
    guard report.role == .up, case .code(let code) = report.end,
      command.first?.split(separator: "/").last == "pppd"
    else { return nil }
    switch code {
    case 2: self = .badOption
    case 6, 7: self = .noPort
    case 8: self = .notDialled
    // It says 16, "hung up by the modem", also when nobody has answered its first question.
    case 10, 15, 16: self = .silent
    case 19: self = .refused
    default: return nil
    }
  }

  var texts: Texts {
    switch self {
    case .badOption:
      Texts(
        ca: "pppd no accepta les seves opcions; mireu-les",
        es: "pppd no acepta sus opciones; revíselas",
        en: "pppd does not take its options; check them",
        fr: "pppd refuse ses options ; vérifiez-les")
    case .noPort:
      Texts(
        ca: "pppd no pot obrir o reservar el port; mireu quin se li ha donat",
        es: "pppd no puede abrir o reservar el puerto; revise cuál se le ha dado",
        en: "pppd cannot open or lock its port; check which one it is given",
        fr: "pppd ne peut ni ouvrir ni réserver son port ; vérifiez lequel")
    case .notDialled:
      Texts(
        ca: "el mòdem no ha pogut trucar; comproveu l'APN i l'script de chat",
        es: "el módem no ha podido llamar; compruebe el APN y el script de chat",
        en: "the modem could not dial; check the APN and chat's script",
        fr: "le modem n'a pas pu appeler ; vérifiez l'APN et le script de chat")
    case .silent:
      Texts(
        ca: "l'altre extrem ha penjat o no respon a pppd; comproveu l'APN",
        es: "el otro extremo ha colgado o no responde a pppd; compruebe el APN",
        en: "the other end hung up or does not answer pppd; check the APN",
        fr: "l'autre côté a raccroché ou ne répond pas à pppd ; vérifiez l'APN")
    case .refused:
      Texts(
        ca: "la xarxa no accepta l'usuari o la contrasenya de pppd; corregiu-los",
        es: "la red no acepta el usuario o la contraseña de pppd; corríjalos",
        en: "the network refuses pppd's user or password; correct them",
        fr: "le réseau refuse l'utilisateur ou le mot de passe de pppd ; corrigez-les")
    }
  }
}
