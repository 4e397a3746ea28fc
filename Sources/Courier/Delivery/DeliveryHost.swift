import CaptureStore
import TrackerCore
import Uplink

/// The host of a tracker that only sends: the link is always up, requests are performed one after
/// the other, and the order to send now is repeated.
struct DeliveryHost<Dialogue: UplinkDialogue>: Host, ~Copyable {
  private(set) var now = Instant.start
  private(set) var courier: Courier<Dialogue>
  private(set) var report: DeliveryReport
  private let environment: DeliveryEnvironment
  private let bounds: DeliveryBounds
  private let progress: (DeliveryReport) -> Void
  private let start: Milliseconds
  private let refusedBefore: Int
  /// Events for the core.
  private var completions: [Event] = [.linkChanged(isUp: true)]
  /// Consecutive tasks without progress.
  private var failures = 0
  /// Whether something has left the queue since the core last waited.
  private var hasProgressed = false
  /// The wait that the server asked for last.
  private var retryAfter: Milliseconds?
  /// Captures that this delivery has sent without an answer; if the server has them later, they do
  /// not count as found.
  private var doubtful: Set<CaptureKey> = []

  init(
    _ courier: Courier<Dialogue>, environment: DeliveryEnvironment, bounds: DeliveryBounds,
    report: DeliveryReport, progress: @escaping (DeliveryReport) -> Void
  ) {
    self.courier = courier
    self.environment = environment
    self.bounds = bounds
    self.report = report
    self.progress = progress
    start = environment.now().uptime
    refusedBefore = courier.store.tally.setAside
  }

  // MARK: Host

  /// They do not change during a delivery.
  var newSettings: NewSettings? { nil }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    now = .start + (environment.now().uptime - start)
    if !completions.isEmpty { return .event(completions.removeFirst()) }
    let counts = courier.counts(at: environment.now())
    report.left = Int(counts.pending)
    report.setAside = Int(counts.setAside) - refusedBefore
    report.held = Int(counts.held)
    if courier.storeProblem != nil { return .end }
    if counts.pending == 0 {
      report.end = .empty
      report.problem = nil
      return .end
    }
    if report.end == .gaveUp { return .end }
    guard let pause = pause(counts) else {
      report.end = .gaveUp
      return .end
    }
    environment.wait(pause)
    now = .start + (environment.now().uptime - start)
    return .event(.commandGiven(.sendNow, from: .socket))
  }

  /// How long to wait before the next attempt; `nil`: too many failures.
  private mutating func pause(_ counts: QueueCounts) -> Milliseconds? {
    failures = hasProgressed ? 0 : failures + 1
    hasProgressed = false
    // There is nothing else to do meanwhile.
    if counts.held == counts.pending, counts.heldFor > 0 {
      report.heldFor = counts.heldFor
      progress(report)
      report.heldFor = 0
      return failures < bounds.failures ? counts.heldFor : nil
    }
    guard failures > 0 else { return 0 }
    return failures < bounds.failures ? bounds.pause(after: failures, atLeast: retryAfter) : nil
  }

  mutating func push(_ effect: Effect) {
    switch effect {
    case .upload(let request): hold(courier.upload(request, at: environment.now()))
    case .reconcile(let id): hold(courier.reconcile(id, at: environment.now()))
    case .fetch(let id): completions.append(.fetchFinished(id, .unsupported))
    case .setAside(let what):
      completions.append(courier.setAside(what, at: environment.now()))
      hasProgressed = true
    // There is no receiver, no modem, and nothing to report.
    case .store, .pulse, .setPin, .setLight, .sendToModem, .sendToReceiver, .setLink, .sendText,
      .readTexts,
      .rememberPIN, .setModemBaud, .halt, .note:
      break
    }
  }

  mutating func remember(_ memory: Memory) {}

  // MARK: Requests

  /// Runs one task to its end.
  private mutating func hold(_ first: Courier<Dialogue>.Step) {
    var step = first
    var failure: HTTPError?
    var requests = 0
    while case .send(let request) = step {
      requests += 1
      let answer = environment.perform(request)
      failure = answer.failure
      step = courier.receive(answer.reply, at: environment.now())
    }
    guard case .done(let end) = step else { return }
    report.requests += requests
    report.pushed += end.acknowledged.count
    report.displaced += end.displaced.count
    report.found += end.found.count { !doubtful.contains($0) }
    doubtful.formUnion(end.doubtful)
    if let problem = DeliveryReport.words(end.problem, failure) { report.problem = problem }
    take(end)
    completions.append(end.event)
    report.left = courier.store.tally.pending
    progress(report)
  }

  private mutating func take(_ end: Courier<Dialogue>.Completion) {
    retryAfter = nil
    if !end.acknowledged.isEmpty { hasProgressed = true }
    guard case .uploadFinished(_, let outcome, _) = end.event else { return }
    retryAfter = outcome.retryAfter
    switch outcome {
    // A person has to fix it; waiting does not help.
    case .unauthorised, .refused(_, _, count: 0): report.end = .gaveUp
    case .answered, .refused, .busy, .unreachable, .stalled, .ambiguous, .empty: break
    }
  }
}

extension UploadOutcome {
  /// The wait that the server asked for.
  var retryAfter: Milliseconds? {
    if case .busy(_, let wait) = self { wait } else { nil }
  }
}

extension Configuration {
  /// For a tracker that takes no captures and needs no modem.
  static var sendingOnly: Configuration {
    var configuration = Configuration()
    configuration.bearer = .none
    configuration.startsBySelf = false
    return configuration
  }
}
