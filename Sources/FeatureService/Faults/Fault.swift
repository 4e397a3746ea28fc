import TrackerCore

/// Something that goes wrong on purpose: what, how often, with which requests, and when.
public struct Fault: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// An HTTP status, and nothing is done.
    case http(status: Int32, retryAfter: Milliseconds? = nil)
    /// An HTTP status after everything was done, as from a proxy that lost patience.
    case httpAfter(status: Int32)
    /// The request is acted upon so long after it came, whether the client still waits or not.
    case late(Milliseconds)
    /// No connection. A server that listens cannot refuse one client alone: it resets.
    case refuse
    /// The connection is reset before anything is done.
    case reset
    /// Nothing is done, and no answer comes.
    case timeout
    /// Everything is done, and no answer comes.
    case loseAcknowledgement
    /// Everything is done, and the connection ends before the answer is out.
    case cutAnswer
    /// Error 498, whatever the token.
    case unauthorised
    /// The whole request is refused for good, with this error.
    case rejectRequest(code: Int32)
    /// A captive portal answers instead: its page, under status 200.
    case portal
    /// One feature of the edit is refused, chosen at random.
    case partial
  }

  public enum Occasion: Sendable, Equatable {
    case always
    /// Each nth request: the nth, the 2nth, …
    case every(Int)
    /// Each request with this probability.
    case probability(percent: Double)
  }

  public enum Target: String, Sendable, Equatable {
    case edits, queries
    /// Edits and queries.
    case both
    /// Requests for tokens and descriptions too.
    case all
  }

  public var kind: Kind
  public var occasion: Occasion
  public var target: Target
  /// It strikes from this time on, counted from the start of the service, …
  public var from = Milliseconds(0)
  /// … until just before this one; `nil`: for good.
  public var until: Milliseconds?

  public init(_ kind: Kind, _ occasion: Occasion = .always, on target: Target = .all) {
    self.kind = kind
    self.occasion = occasion
    self.target = target
  }

  func concerns(_ request: ServiceRequest, at uptime: Milliseconds) -> Bool {
    guard from <= uptime, until.map({ uptime < $0 }) ?? true else { return false }
    return switch target {
    case .edits: request.isEdit
    case .queries: request.isQuery
    case .both: request.isEdit || request.isQuery
    case .all: true
    }
  }
}
