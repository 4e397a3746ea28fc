import TrackerCore

/// One operation of an `ArcGISDialogue` and its progress.
struct Operation: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case check, upload, reconcile
  }

  /// What the request under way is for.
  enum Phase: Sendable, Equatable {
    case token, layer, query, edit
  }

  var kind: Kind
  var phase = Phase.layer
  /// Every capture that it concerns, each once.
  var captures: [OutgoingCapture] = []
  var nextContactBy: UTC?
  /// What the server is still to be asked about, and what of it goes into one query.
  var unasked: [OutgoingCapture] = []
  /// What is still to be sent.
  var unsent: [OutgoingCapture] = []
  /// Whether the queries that precede an upload are done.
  var isPrepared = false
  var hasEdited = false
  var hasRenewedToken = false
  /// Refused by name, perhaps as already there; the query after it decides.
  var disputed: [Refusal] = []
  /// Whether some of it was sent before.
  var wasSent = false
  /// The code for the whole request, while the layer is asked what it has of it.
  var refusal: Int32?
  /// Sent by this operation, and the server may act on them.
  var unclear: [CaptureKey] = []
  var rolledBack: [CaptureKey] = []
  var acknowledged: [CaptureKey] = []
  /// Those of the acknowledged that a query has shown.
  var found: [CaptureKey] = []
  var refused: [Refusal] = []
  /// What stands under the identifiers of these is another capture.
  var displaced: [CaptureKey] = []
  var problem: String?
  var requestsLeft: Int
  /// How large the answer to the request under way may be.
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
    // Every query answers for at least one capture, and a capture is asked for twice at most:
    // before it is sent and after a collision.
    requestsLeft = UplinkBounds.requests + captures.count * 2
  }

  private static func distinct(_ list: ArraySlice<OutgoingCapture>) -> [OutgoingCapture] {
    var seen: Set<UniqueID> = []
    return list.filter { seen.insert($0.id).inserted }
  }

  /// The server has these.
  mutating func acknowledge(_ captures: [OutgoingCapture]) {
    acknowledged += captures.map(\.key)
    let known = Set(captures.map(\.id))
    unsent.removeAll { known.contains($0.id) }
    let keys = Set(captures.map(\.key))
    disputed.removeAll { keys.contains($0.key) }
    rolledBack.removeAll { keys.contains($0) }
  }

  /// The server has other captures under the identifiers of these: they need new ones.
  mutating func yield(_ captures: [OutgoingCapture]) {
    let keys = Set(captures.map(\.key))
    displaced += captures.map(\.key)
    unsent.removeAll { keys.contains($0.key) }
    disputed.removeAll { keys.contains($0.key) }
    rolledBack.removeAll { keys.contains($0) }
  }
}
