import TrackerCore
import Wording

/// One operation of an `ArcGISDialogue` and its progress.
struct Operation: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case check, upload, reconcile
  }

  /// The purpose of the request in flight.
  enum Phase: Sendable, Equatable {
    case token, layer, query, edit
  }

  var kind: Kind
  var phase = Phase.layer
  /// All its captures, each once.
  var captures: [OutgoingCapture] = []
  var nextContactBy: UTC?
  /// Captures that the server is still to be asked about.
  var unasked: [OutgoingCapture] = []
  /// Captures still to be sent.
  var unsent: [OutgoingCapture] = []
  /// Whether the queries that precede an upload are done.
  var isPrepared = false
  var hasEdited = false
  var hasRenewedToken = false
  /// Refused individually, perhaps because they are already there; the following query decides.
  var disputed: [Refusal] = []
  /// Those of its captures that were sent before.
  var sentBefore: Set<CaptureKey> = []
  /// The wait that the last answer's header asked for.
  var retryAfter: Milliseconds?
  /// The code of a refusal of the whole request, while the layer is queried.
  var refusal: Int32?
  /// Sent by this operation; the server may have them or still apply them.
  var unclear: [CaptureKey] = []
  var rolledBack: [CaptureKey] = []
  var acknowledged: [CaptureKey] = []
  /// The acknowledged ones that a query has found.
  var found: [CaptureKey] = []
  var refused: [Refusal] = []
  /// Captures whose identifiers belong to other captures on the server.
  var displaced: [CaptureKey] = []
  var problem: Texts?
  /// What stands behind the problem.
  var cause: FailureCause?
  var requestsLeft: Int
  /// Largest acceptable answer to the request in flight, bytes.
  var answerBytes = 0

  init(_ work: UplinkTask) {
    switch work {
    case .check: kind = .check
    case .upload(let list, let promise):
      kind = .upload
      nextContactBy = promise
      captures = Self.distinct(list.prefix(UplinkBounds.captures))
      unsent = captures
    case .reconcile(let list):
      kind = .reconcile
      captures = Self.distinct(list[...])
      unasked = captures
    }
    // Every query settles at least one capture, and each capture is queried at most twice: before
    // it is sent and after a collision.
    requestsLeft = UplinkBounds.requests + captures.count * 2
  }

  private static func distinct(_ list: ArraySlice<OutgoingCapture>) -> [OutgoingCapture] {
    var seen: Set<UniqueID> = []
    return list.filter { seen.insert($0.id).inserted }
  }

  /// The server has these captures.
  mutating func acknowledge(_ captures: [OutgoingCapture]) {
    acknowledged += captures.map(\.key)
    let known = Set(captures.map(\.id))
    unsent.removeAll { known.contains($0.id) }
    let keys = Set(captures.map(\.key))
    disputed.removeAll { keys.contains($0.key) }
    rolledBack.removeAll { keys.contains($0) }
  }

  /// The server has other captures with these identifiers: these captures need new ones.
  mutating func yield(_ captures: [OutgoingCapture]) {
    let keys = Set(captures.map(\.key))
    displaced += captures.map(\.key)
    unsent.removeAll { keys.contains($0.key) }
    disputed.removeAll { keys.contains($0.key) }
    rolledBack.removeAll { keys.contains($0) }
  }
}
