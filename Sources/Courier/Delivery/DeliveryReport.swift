public import TrackerCore
import Uplink

/// How long somebody waits for a delivery. What is sent and set aside is the core's to decide.
public struct DeliveryBounds: Sendable, Equatable {
  /// So many failures in a row, without anything settled between them, end it.
  public var failures = 6
  /// Failures of the first look at the server, before anything is sent.
  public var firstFailures = 2
  /// The first wait after a failure; each further one doubles it.
  public var firstWait = Milliseconds.seconds(1)
  /// The longest wait after a failure, whatever a server asks for.
  public var longestWait = Milliseconds.minutes(1)
  /// How long the server may still act after our patience with it has ended.
  public var mayActFor = CourierBounds.mayActFor

  public init() {}

  /// How long to wait after so many failures in a row.
  func pause(after failures: Int, atLeast least: Milliseconds?) -> Milliseconds {
    let own = firstWait.count << min(max(0, failures - 1), 16)
    return Milliseconds(min(max(own, least?.count ?? 0), longestWait.count))
  }
}

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
  /// How many of these had come another way.
  public var found = 0
  /// Captures that got new identifiers: the server has others under theirs.
  public var displaced = 0
  /// Captures that wait for another time.
  public var left = 0
  /// How many of these may have arrived, and are asked about before they are sent again.
  public var held = 0
  /// How long it waits until it asks; 0 while it does not.
  public var heldFor: Milliseconds = 0
  /// Captures that were set aside by this delivery, with the server's code in the store.
  public var setAside = 0
  public var requests = 0
  /// Why it ended early; one line without secrets.
  public var problem: String?

  public init() {}

  /// The transport knows better why nothing came back than the dialogue does.
  static func words(_ problem: String?, _ failure: HTTPFailure?) -> String? {
    guard let problem, let failure else { return problem }
    return "\(problem.prefix { $0 != ":" }): \(failure)"
  }
}
