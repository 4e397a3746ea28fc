import Courier
public import TrackerCore
import Uplink
public import Wording

// What somebody who looks at a run from outside sees, and does.
extension World {
  /// What the requests have shown besides their outcomes.
  public struct ServerNews: Sendable {
    /// Captures whose identifiers belong to other captures on the server.
    public internal(set) var displaced = 0
    /// Why the last request that failed did, in one line.
    public internal(set) var problem: Texts?
    public internal(set) var problemAt: Instant?
    /// The cause of it.
    public internal(set) var cause: FailureCause?
    /// What the transport knows of the last request.
    var transport: (problem: Texts?, cause: FailureCause?) = (nil, nil)

    mutating func add(_ end: Courier<ArcGISDialogue>.Completion, at now: Instant) {
      displaced += end.displaced.count
      defer { transport = (nil, nil) }
      guard let problem = end.problem else { return }
      self.problem = transport.problem ?? problem
      cause = transport.cause ?? end.cause
      problemAt = now
    }

    /// A request over an interface has ended.
    mutating func heard(_ reply: HTTPReply) {
      switch reply {
      case .unreachable: transport.cause = .connection
      case .lost: transport.cause = .silence
      case .response, .tooLarge, .stalled: transport.cause = nil
      }
    }
  }

  /// Calls `onLook` from now on.
  public mutating func beginLooking(
    _ onLook: @escaping (borrowing Tracker, borrowing World) -> Void
  ) {
    self.onLook = onLook
    pausesAt = now
  }

  /// The named places of a trace that is a GPX file.
  public var places: [(name: String?, point: Course.Point)] { player.places }

  public mutating func inspect(_ tracker: borrowing Tracker) {
    onLook?(tracker, self)
    pausesAt = pausesAt + .minutes(1)
  }

  /// The board's date: of 1970 until the receiver's date is trusted.
  public var boardDate: UTC { utc }

  /// The queue as the tracker is told about it. Looking it up changes nothing.
  public var queue: QueueCounts {
    var copy = courier
    return copy.counts(at: moment)
  }

  /// What limits the size of requests on the path, as far as the tracker has seen.
  public var pathLimit: Int32? { courier.path.knownLimit }

  /// Whether the tracker was given a PIN for its SIM.
  public var hasPIN: Bool { scenario.sim.secret != nil }

  /// Gives the tracker an event that nothing in the scenario causes.
  ///
  /// - Parameter instant: not before the world's clock.
  public mutating func give(_ event: Event, at instant: Instant) {
    deliver(event, at: max(instant, now))
  }
}
