public import TrackerCore
import Uplink
public import Wording

/// How patient a delivery is. What is sent and set aside is decided by the core.
public struct DeliveryBounds: Sendable, Equatable {
  /// It ends after this many consecutive failures.
  public var failures = 6
  /// The same for the check of the server, before anything is sent.
  public var firstFailures = 2
  /// The first wait after a failure; each further one doubles it.
  public var firstWait = Milliseconds.seconds(1)
  /// The longest wait after a failure, whatever a server asks for.
  public var longestWait = Milliseconds.minutes(1)
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
  static func words(_ problem: Texts?, _ failure: HTTPFailure?) -> Texts? {
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
