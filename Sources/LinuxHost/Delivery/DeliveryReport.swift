public import TrackerCore

/// What a delivery has done.
public struct DeliveryReport: Sendable, Equatable {
  public enum End: Sendable, Equatable {
    /// Nothing is left to be sent.
    case empty
    /// The server cannot take captures as it is addressed or as it is set up; nothing was sent.
    case unsuitable
    /// Too many failures in a row; another try later may do better.
    case gaveUp
  }

  public var end = End.empty
  /// Captures that the server has now and was not known to have before.
  public var pushed = 0
  /// How many of these had come another way and were not sent; `asksFirst` finds them.
  public var found = 0
  /// Captures that wait for another time.
  public var left = 0
  /// Captures that were set aside by this delivery, with the server's code in the store.
  public var setAside = 0
  public var requests = 0
  /// Why it ended early; one line without secrets.
  public var problem: String?

  public init() {}
}

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
