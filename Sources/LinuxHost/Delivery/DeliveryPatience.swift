public import TrackerCore

/// How long and how hard a delivery tries.
public struct DeliveryBounds: Sendable, Equatable {
  /// Captures in one request at the most. A failure halves it, a success doubles it again.
  public var batch: UInt32 = 100
  /// So many failures in a row, without a capture delivered between them, end it.
  public var failures = 6
  /// So many refusals of a whole request in a row end it: halving 100 down to the one bad capture
  /// takes 7, and a server that refuses everything must not empty the queue.
  public var refusals = 12
  /// Failures of the first look at the server, before anything is sent.
  public var firstFailures = 2
  /// The first wait after a failure; each further one doubles it.
  public var firstWait = Milliseconds.seconds(1)
  /// The longest wait, whatever a server asks for.
  public var longestWait = Milliseconds.minutes(1)

  public init() {}
}

/// What a delivery has had to bear so far, and what follows from it: how much it sends at once, how
/// long it waits, and when it gives up.
struct DeliveryPatience {
  private let bounds: DeliveryBounds
  /// Captures in the next request.
  private(set) var batch: UInt32
  private var failures = 0
  private var refusals = 0

  init(_ bounds: DeliveryBounds) {
    self.bounds = bounds
    batch = max(1, bounds.batch)
  }

  /// Captures have left the queue: a reason to go on trying.
  mutating func delivered() { (failures, refusals) = (0, 0) }

  /// A request went well.
  mutating func grow() { batch = min(max(1, bounds.batch), batch * 2) }

  /// The first look at the server failed in a way that may pass.
  ///
  /// - Returns: how long to wait before the next; `nil` to give up.
  mutating func checkFailed(atLeast least: Milliseconds?) -> Milliseconds? {
    failures += 1
    return failures < bounds.firstFailures ? wait(atLeast: least) : nil
  }

  /// Something failed in a way that may pass.
  ///
  /// - Parameter least: what the server asked for.
  /// - Returns: how long to wait before the next request; `nil` to give up.
  mutating func failed(atLeast least: Milliseconds?) -> Milliseconds? {
    batch = max(1, batch / 2)
    failures += 1
    return failures < bounds.failures ? wait(atLeast: least) : nil
  }

  /// A whole request of so many captures was refused.
  ///
  /// - Returns: whether to go on, with smaller ones.
  mutating func refused(_ count: Int) -> Bool {
    batch = max(1, min(batch, UInt32(clamping: count)) / 2)
    refusals += 1
    return refusals < bounds.refusals
  }

  private func wait(atLeast least: Milliseconds?) -> Milliseconds {
    let doublings = min(max(0, failures - 1), 16)
    let own = bounds.firstWait.count << doublings
    return Milliseconds(min(max(own, least?.count ?? 0), bounds.longestWait.count))
  }
}
