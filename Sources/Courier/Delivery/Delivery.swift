public import CaptureStore
public import TrackerCore
public import Uplink

/// Delivers the captures of a store to a server while a person waits.
///
/// The tracker's core decides what is sent, set aside and asked for: a `Tracker` without modem,
/// receiver and session. This only makes it less patient: it waits seconds where a tracker waits
/// minutes, using the order to send now, and gives up after a few consecutive failures. The store
/// is consistent at every moment, so that it may be interrupted at any time.
public struct Delivery<Dialogue: UplinkDialogue> {
  /// Called after each request with captures, to show progress.
  public var progress: (DeliveryReport) -> Void = { _ in }

  private let store: CaptureStore
  private var dialogue: Dialogue
  private let environment: DeliveryEnvironment
  private let bounds: DeliveryBounds

  public init(
    _ store: CaptureStore, _ dialogue: Dialogue, bounds: DeliveryBounds = DeliveryBounds(),
    environment: DeliveryEnvironment
  ) {
    self.store = store
    self.dialogue = dialogue
    self.bounds = bounds
    self.environment = environment
  }

  /// Delivers until nothing is left or too much has failed. An empty queue needs no server.
  ///
  /// - Throws: the store's error.
  public mutating func run() throws(StoreError) -> DeliveryReport {
    var report = DeliveryReport()
    report.left = store.tally.pending
    guard report.left > 0, check(&report) else { return report }
    let start = Instant.start
    var tracker = Tracker(
      board: .none, configuration: .sendingOnly,
      identity: Identity(
        device: store.device, team: InlineText(), nextSequence: store.nextSequence,
        pending: store.counts.pending, seed: 1),
      at: start)
    let courier = Courier(
      store, dialogue, mayActFor: bounds.mayActFor, boot: environment.boot)
    var host = DeliveryHost(
      courier, environment: environment, bounds: bounds, report: report, progress: progress)
    TrackerCore.run(&tracker, in: &host)
    if let problem = host.courier.storeProblem { throw problem }
    return host.report
  }

  /// Whether the server can take captures.
  private mutating func check(_ report: inout DeliveryReport) -> Bool {
    var failures = 0
    while true {
      var step = dialogue.begin(.check, at: environment.now().utc)
      var failure: HTTPFailure?
      while case .send(let request) = step {
        report.requests += 1
        let answer = environment.perform(request)
        failure = answer.failure
        step = dialogue.receive(answer.reply, at: environment.now().utc)
      }
      guard case .done(let result) = step, case .notReady(let outcome) = result.outcome else {
        return true
      }
      report.problem = DeliveryReport.words(result.problem, failure)
      switch outcome {
      case .refused, .unauthorised:
        report.end = .unsuitable
        return false
      case .answered, .busy, .unreachable, .stalled, .ambiguous, .empty:
        failures += 1
        guard failures < bounds.firstFailures else {
          report.end = .gaveUp
          return false
        }
        environment.wait(bounds.pause(after: failures, atLeast: outcome.retryAfter))
        report.problem = nil
      }
    }
  }
}

/// What a delivery needs: a clock, a way to wait, and a way to perform a request.
public struct DeliveryEnvironment {
  public var now: () -> HostTime
  /// Identifies the boot that `now` counts from.
  public var boot: String
  public var wait: (Milliseconds) -> Void
  /// Sends a request; the failure explains why there was no answer.
  public var perform: (HTTPRequest) -> (reply: HTTPReply, failure: HTTPFailure?)

  public init(
    now: @escaping () -> HostTime, boot: String, wait: @escaping (Milliseconds) -> Void,
    perform: @escaping (HTTPRequest) -> (reply: HTTPReply, failure: HTTPFailure?)
  ) {
    self.now = now
    self.boot = boot
    self.wait = wait
    self.perform = perform
  }
}
