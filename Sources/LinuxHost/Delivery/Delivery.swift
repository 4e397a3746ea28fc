public import CaptureStore
import Courier
public import TrackerCore
public import Uplink

/// Brings what waits in a queue, such as a store, to a server, each capture once in effect: the
/// freshest first, then from the oldest on.
///
/// Whoever makes it gives it the means: a dialogue, a clock, something that performs a request and
/// something that waits. What a server may have taken without saying so is asked for before it is
/// sent again; what is on disk is true at every moment, so that it may be ended at any.
public struct Delivery<Dialogue: UplinkDialogue> {
  /// Sends a request; the failure explains a reply that is none.
  public typealias Perform = (HTTPRequest) -> (reply: HTTPReply, failure: HTTPFailure?)

  /// Called after each request with captures, for somebody who looks on.
  public var progress: (DeliveryReport) -> Void = { _ in }

  /// Whether captures that were never sent may be there all the same, because they came another
  /// way: then the server is asked for each batch before it is sent.
  public var asksFirst = false

  private let queue: any DeliveryQueue
  private var dialogue: Dialogue
  private let bounds: DeliveryBounds
  private let perform: Perform
  private let wait: (Milliseconds) -> Void
  private let now: () -> UTC
  private var report = DeliveryReport()
  private var patience: DeliveryPatience
  /// Why the last request brought no answer.
  private var failure: HTTPFailure?

  public init(
    _ queue: any DeliveryQueue, _ dialogue: Dialogue, bounds: DeliveryBounds = DeliveryBounds(),
    now: @escaping () -> UTC, wait: @escaping (Milliseconds) -> Void, perform: @escaping Perform
  ) {
    self.queue = queue
    self.dialogue = dialogue
    self.bounds = bounds
    self.now = now
    self.wait = wait
    self.perform = perform
    patience = DeliveryPatience(bounds)
  }

  /// Delivers until nothing is left or too much has failed. An empty queue needs no server.
  public mutating func run() throws(StoreError) -> DeliveryReport {
    report = DeliveryReport()
    patience = DeliveryPatience(bounds)
    let refusedBefore = queue.refused
    if queue.waiting > 0, check() {
      var selection = Selection.freshest(limit: patience.batch)
      while try send(selection) { selection = .oldest(limit: patience.batch) }
      // Those under way that nobody answered for remain marked by their attempts.
      try queue.endBatch(at: now())
    }
    report.left = queue.waiting
    report.setAside = queue.refused - refusedBefore
    return report
  }

  // MARK: One work

  /// Holds one conversation to its end.
  private mutating func hold(_ work: UplinkWork) -> UplinkResult {
    failure = nil
    var step = dialogue.begin(work, at: now())
    while true {
      switch step {
      case .send(let request):
        report.requests += 1
        let answer = perform(request)
        failure = answer.failure
        step = dialogue.receive(answer.reply, at: now())
      case .done(var result):
        // The transport knows better why nothing came back than the dialogue does.
        if let failure, let problem = result.problem {
          let phase = problem.prefix { $0 != ":" }
          result.problem = "\(phase): \(failure)"
        }
        return result
      }
    }
  }

  /// Whether the server can take captures.
  private mutating func check() -> Bool {
    while true {
      let result = hold(.check)
      guard case .notReady(let outcome) = result.outcome else { return true }
      switch outcome {
      case .refused, .unauthorised:
        report.end = .unsuitable
        report.problem = result.problem
        return false
      case .answered, .busy, .unreachable, .stalled, .ambiguous, .empty:
        let pause = patience.checkFailed(atLeast: retryAfter(outcome))
        guard goOn(after: pause, result.problem) else { return false }
      }
    }
  }

  // MARK: Captures

  /// Sends one selection. Returns whether to go on.
  private mutating func send(_ selection: Selection) throws(StoreError) -> Bool {
    var captures = try queue.batch(selection, at: now())
    guard !captures.isEmpty else { return false }
    if asksFirst {
      guard let missing = try askFirst(captures) else { return false }
      captures = missing
      if captures.isEmpty { return advance() }
    }
    let result = hold(.upload(captures, nextContactBy: nil))
    guard case .upload(let outcome) = result.outcome else { return false }
    let goesOn = try take(result, outcome, of: captures)
    return advance() && goesOn
  }

  private mutating func advance() -> Bool {
    report.left = queue.waiting
    progress(report)
    return true
  }

  /// Asks which of a batch are there. Returns the others; `nil` when the server does not tell.
  private mutating func askFirst(
    _ captures: [OutgoingCapture]
  ) throws(StoreError) -> [OutgoingCapture]? {
    var known: Set<CaptureKey> = []
    guard try reconcile(captures, telling: { known.formUnion($0) }) else { return nil }
    // What this delivery has sent before is its own doing.
    report.found += captures.count { known.contains($0.key) && !$0.wasSent }
    return captures.filter { !known.contains($0.key) }
  }

  private mutating func take(
    _ result: UplinkResult, _ outcome: UploadOutcome, of captures: [OutgoingCapture]
  ) throws(StoreError) -> Bool {
    var result = result
    let isAllRefused = result.acknowledged.isEmpty && !result.refused.isEmpty
    // A server that refuses each and all of many may be wrong about all: smaller requests tell.
    if isAllRefused, captures.count > 1 { result.refused = [] }
    let taken = try take(result)
    switch outcome {
    case .answered where isAllRefused:
      return patience.refused(captures.count) || giveUp(result.problem)
    case .answered where taken == 0, .empty:
      return failed(result.problem ?? "the server's answer settled nothing", atLeast: nil)
    case .answered:
      patience.grow()
      return true
    case .refused(let code, _, let count):
      // Without captures it speaks of the layer; of one capture, it is the one.
      guard count > 0 else { return giveUp(result.problem) }
      if captures.count == 1 {
        try queue.refuse(captures.map(\.key), code: code, at: now())
      }
      return patience.refused(captures.count) || giveUp(result.problem)
    case .unauthorised: return giveUp(result.problem)
    case .ambiguous:
      return failed(result.problem, atLeast: nil) ? try reconcile(captures) : false
    case .busy, .unreachable, .stalled: return failed(result.problem, atLeast: retryAfter(outcome))
    }
  }

  /// Asks for what may have arrived until the server tells.
  private mutating func reconcile(
    _ captures: [OutgoingCapture], telling tell: ([CaptureKey]) -> Void = { _ in }
  ) throws(StoreError) -> Bool {
    guard dialogue.canReconcile else { return true }
    var captures = captures
    while true {
      let result = hold(.reconcile(captures))
      try take(result)
      tell(result.acknowledged)
      guard case .reconcile(.failed(let status)) = result.outcome else { return true }
      if status == 401 { return giveUp(result.problem) }
      let known = Set(result.acknowledged)
      captures.removeAll { known.contains($0.key) }
      guard failed(result.problem, atLeast: nil) else { return false }
    }
  }

  /// Takes a result to disk. Whatever the server has now is a reason to go on trying.
  @discardableResult
  private mutating func take(_ result: UplinkResult) throws(StoreError) -> Int {
    let count = try queue.take(result, at: now())
    report.pushed += count
    if count > 0 { patience.delivered() }
    return count
  }

  // MARK: Failures

  /// Bears a failure that may pass. Returns whether to go on.
  private mutating func failed(_ problem: String?, atLeast least: Milliseconds?) -> Bool {
    goOn(after: patience.failed(atLeast: least), problem)
  }

  private mutating func goOn(after pause: Milliseconds?, _ problem: String?) -> Bool {
    guard let pause else { return giveUp(problem) }
    wait(pause)
    return true
  }

  private mutating func giveUp(_ problem: String?) -> Bool {
    report.end = .gaveUp
    report.problem = problem
    return false
  }

  private func retryAfter(_ outcome: UploadOutcome) -> Milliseconds? {
    if case .busy(_, let wait) = outcome { wait } else { nil }
  }
}
