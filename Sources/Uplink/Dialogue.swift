public import TrackerCore

/// What a server is spoken to about. Results name captures by their keys.
public enum UplinkTask: Sendable, Equatable {
  /// Whether the server is there, lets us in and can take captures: for the start of a program.
  case check
  /// Send these. `nextContactBy` is the latest time by which the next contact is promised.
  case upload([OutgoingCapture], nextContactBy: UTC?)
  /// Ask which of these the server has, and send none.
  case reconcile([OutgoingCapture])
}

/// What a dialogue wants next.
public enum UplinkStep: Sendable, Equatable {
  /// Send this, then hand the reply to `receive`. Redirects must not be followed.
  case send(HTTPRequest)
  /// The work is over.
  case done(UplinkResult)
}

/// How a work ended.
public struct UplinkResult: Sendable, Equatable {
  /// What the server has, by its own word: it leaves the queue, whatever `outcome` says about the
  /// rest.
  public var acknowledged: [CaptureKey] = []
  /// Those of the acknowledged that were there before this work sent anything.
  public var found: [CaptureKey] = []
  /// What the server refused by name, and does not have where it can be asked.
  public var refused: [Refusal] = []
  /// What this work has sent and the server may have, or may still take, without having said so.
  public var doubtful: [CaptureKey] = []
  /// The server has another capture under the identifier of each of these: they are to be sent
  /// under new ones.
  public var displaced: [CaptureKey] = []
  public var outcome: UplinkOutcome
  /// One line for the log, free of secrets; `nil` when all went well.
  public var problem: String?

  public init(outcome: UplinkOutcome, problem: String? = nil) {
    self.outcome = outcome
    self.problem = problem
  }
}

/// One capture that the server will not have, and the server's code for it.
public struct Refusal: Sendable, Equatable {
  public var key: CaptureKey
  public var code: Int32

  public init(key: CaptureKey, code: Int32) {
    self.key = key
    self.code = code
  }
}

/// The end of a work in the words of the core's events.
public enum UplinkOutcome: Sendable, Equatable {
  /// Of a check: captures can be sent.
  case ready
  /// Of a check: they cannot; an upload would have ended like this.
  case notReady(UploadOutcome)
  case upload(UploadOutcome)
  case reconcile(ReconcileOutcome)
}

/// A conversation with one server: work goes in, requests come out, replies go in, a result comes
/// out. It does no I/O, so that daemon, hand tool and simulator hold the same conversation.
///
/// A dialogue keeps what it has learnt (a token, the layer) for the next work. A new work drops one
/// that has not ended. Each work ends after a bounded number of requests.
public protocol UplinkDialogue: Sendable {
  /// Whether the server can be asked what it has. Where it cannot, a `reconcile` confirms nothing
  /// and a capture may arrive twice, under the same identifier.
  var canReconcile: Bool { get }
  /// Whether what was sent may be sent again at once, as far as is known now: the server refuses a
  /// second copy, or cannot be asked anyway.
  var mayRepeat: Bool { get }
  /// Begins a work.
  mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep
  /// Takes in the reply to the last request. Without a request under way it is answered with an
  /// `ambiguous` end that acknowledges nothing.
  mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep
}
