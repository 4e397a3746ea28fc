public import CaptureStore
public import TrackerCore
public import Uplink
public import Wording

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
      var failure: HTTPError?
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
  var now: () -> HostTime
  /// Identifies the boot that `now` counts from.
  var boot: String
  var wait: (Milliseconds) -> Void
  /// Sends a request; the failure explains why there was no answer.
  var perform: (HTTPRequest) -> (reply: HTTPReply, failure: HTTPError?)

  public init(
    now: @escaping () -> HostTime, boot: String, wait: @escaping (Milliseconds) -> Void,
    perform: @escaping (HTTPRequest) -> (reply: HTTPReply, failure: HTTPError?)
  ) {
    self.now = now
    self.boot = boot
    self.wait = wait
    self.perform = perform
  }
}

/// How patient a delivery is. What is sent and set aside is decided by the core.
public struct DeliveryBounds: Sendable, Equatable {
  /// It ends after this many consecutive failures.
  var failures = 6
  /// The same for the check of the server, before anything is sent.
  var firstFailures = 2
  /// The first wait after a failure; each further one doubles it.
  var firstWait = Milliseconds.seconds(1)
  /// The longest wait after a failure, whatever a server asks for.
  var longestWait = Milliseconds.minutes(1)
  /// How long the server may still apply a request that was given up.
  public var mayActFor = CourierBounds.mayActFor

  public init() {}

  /// The wait after a number of consecutive failures.
  func pause(after failures: Int, atLeast least: Milliseconds?) -> Milliseconds {
    let own = firstWait.count << min(max(0, failures - 1), 16)
    return Milliseconds(min(max(own, least?.count ?? 0), longestWait.count))
  }
}

/// The result of a delivery.
public struct DeliveryReport: Sendable, Equatable {
  public enum End: Sendable, Equatable {
    /// Nothing is left to send.
    case empty
    /// The server cannot take captures, because of its address or its setup; nothing was sent.
    case unsuitable
    /// Too many consecutive failures; it may work later.
    case gaveUp
  }

  public var end = End.empty
  /// Captures that the server has now and was not known to have before.
  public var pushed = 0
  /// How many of these had arrived in another way.
  public var found = 0
  /// Captures that were given new identifiers, because the server has others under theirs.
  public var displaced = 0
  /// Captures that are still pending.
  public var left = 0
  /// How many of these may have arrived, and have to be asked about before they are sent again.
  public var held = 0
  /// How long it is going to wait before asking; 0 while it is not waiting.
  public var heldFor: Milliseconds = 0
  /// Captures that were set aside by this delivery, with the server's code in the store.
  public var setAside = 0
  public var requests = 0
  /// Why it ended early; one line without secrets.
  public var problem: Texts?

  public init() {}

  /// The transport knows better than the dialogue why there was no answer.
  static func words(_ problem: Texts?, _ failure: HTTPError?) -> Texts? {
    guard let problem, let failure else { return problem }
    let step = problem.map { text in
      var step = text.prefix { $0 != ":" }
      // In French a space is before the colon.
      while step.last == " " { step.removeLast() }
      return String(step)
    }
    return step.colon(failure)
  }
}
