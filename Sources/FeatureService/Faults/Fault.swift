import TrackerCore

/// A deliberate failure: what, how often, with which requests, and when.
public struct Fault: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// Answers with an HTTP status instead of carrying out the request.
    case http(status: Int32, retryAfter: Milliseconds? = nil)
    /// Answers with an HTTP status after carrying out the request, like a proxy's timeout.
    case httpAfter(status: Int32)
    /// Carries out the request this long after its arrival, whether the client is still waiting or
    /// not.
    case late(Milliseconds)
    /// Refuses the connection. A listening server cannot do that for one client: it resets it.
    case refuse
    /// Nothing is at its address: connecting fails when the client gives up. A listening server
    /// cannot do that: it is silent.
    case dead
    /// Resets the connection without carrying out the request.
    case reset
    /// Neither carries out nor answers the request.
    case timeout
    /// Carries out the request without answering.
    case loseAcknowledgement
    /// Carries out the request, and closes the connection before the answer is complete.
    case cutAnswer
    /// Answers with error 498, whatever the token.
    case unauthorised
    /// Refuses the whole request permanently, with this error.
    case rejectRequest(code: Int32)
    /// Answers with a captive portal's page and status 200.
    case portal
    /// Refuses one feature of the edit, chosen at random.
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
    /// All requests, including those for tokens and descriptions.
    case all
  }

  public var kind: Kind
  public var occasion: Occasion
  public var target: Target
  /// Only requests with a larger body, as some networks carry only small ones; bytes.
  public var above: Int?
  /// When it begins, counted from the start of the service.
  public var from = Milliseconds(0)
  /// When it ends, exclusive; `nil`: never.
  public var until: Milliseconds?

  public init(_ kind: Kind, _ occasion: Occasion = .always, on target: Target = .all) {
    self.kind = kind
    self.occasion = occasion
    self.target = target
  }

  func concerns(_ request: ServiceRequest, at uptime: Milliseconds) -> Bool {
    guard from <= uptime, until.map({ uptime < $0 }) ?? true,
      above.map({ request.bodyBytes > $0 }) ?? true
    else { return false }
    return switch target {
    case .edits: request.isEdit
    case .queries: request.isQuery
    case .both: request.isEdit || request.isQuery
    case .all: true
    }
  }
}
