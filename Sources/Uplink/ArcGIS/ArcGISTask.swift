import TrackerCore
import Wording

/// A task of an `ArcGISDialogue` under way: its stage, and what has become of its captures so far.
struct ArcGISTask: Sendable, Equatable {
  /// What it has still to do with the layer. A token or the layer's description may be fetched
  /// first in any of them.
  enum Stage: Sendable, Equatable {
    /// Only token and description are wanted. → the end
    case checking
    /// Asks which of these the server has. → the end
    case reconciling(unasked: [OutgoingCapture])
    /// To send these; the layer decides what is asked first. → `asking`, `adding`
    case preparing([OutgoingCapture])
    /// Asks about those that were sent before. → `adding`
    case asking(unasked: [OutgoingCapture], Addition)
    /// Sends captures. → `settling`
    case adding(Addition)
    /// Asks about those that the answer has left open. → the end
    case settling(Settlement)
    /// Asks for a page of what the layer has. → the end
    case reading(LayerQuestion)
    /// Asks for messages to this tracker. → the end
    case fetching(MailQuestion)
    /// Says that it has them. → the end
    case confirming(ConfirmedMail)
    /// Asks for notes, or adds some. → the end
    case noting(NoteTask)
    /// Asks for parts of a history, or adds some. → the end
    case recounting(HistoryTask)
  }

  /// Captures to send.
  struct Addition: Sendable, Equatable {
    var captures: [OutgoingCapture]
    /// Those of them that were sent before.
    var sentBefore: Set<CaptureKey>
  }

  /// What remains of an addition once the server has answered.
  struct Settlement: Sendable, Equatable {
    /// Captures that the server has not confirmed.
    var unsettled: [OutgoingCapture]
    /// Those that the server is still to be asked about.
    var unasked: [OutgoingCapture] = []
    /// Refused individually, perhaps because they are already there; the query decides.
    var disputed: [Refusal] = []
    var rolledBack: [CaptureKey] = []
    /// The code with which the request was refused as a whole.
    var refusal: Int32?
  }

  /// The purpose of a request.
  enum Purpose: Sendable, Equatable {
    case token, layer, query, edit
  }

  var stage: Stage
  var nextContactBy: UTC?
  var silence = PlannedSilence.none
  /// The request in flight, or else the last one.
  var purpose = Purpose.layer
  var requestsLeft: Int
  /// Largest acceptable answer to the request in flight, bytes.
  var answerBytes = 0
  var hasRenewedToken = false
  /// The last answer was an error of the server's own, not of something before it.
  var hasServersWord = false
  /// The wait that the last answer's header asked for.
  var retryAfter: Milliseconds?
  var acknowledged: [CaptureKey] = []
  /// The acknowledged ones that were there before.
  var found: [CaptureKey] = []
  var refused: [Refusal] = []
  /// Captures whose identifiers belong to other captures on the server.
  var displaced: [CaptureKey] = []
  /// What was read.
  var page: LayerPage?
  /// Sent by this task; the server may have them or still apply them.
  var doubtful: [CaptureKey] = []
  var problem: Texts?
  /// The cause of the problem.
  var cause: FailureCause?

  init(_ work: UplinkTask) {
    let captures: [OutgoingCapture]
    switch work {
    case .check:
      (captures, stage) = ([], .checking)
    case .upload(let list, let promise, let silence):
      captures = Self.distinct(list.prefix(UplinkBounds.captures))
      (nextContactBy, self.silence, stage) = (promise, silence, .preparing(captures))
    case .reconcile(let list):
      captures = Self.distinct(list[...])
      stage = .reconciling(unasked: captures)
    }
    // Every query settles at least one capture, and each capture is queried at most twice: before
    // it is sent and after a collision.
    requestsLeft = UplinkBounds.requests + captures.count * 2
  }

  /// To read a page of the layer.
  init(_ question: LayerQuestion) { self.init(.reading(question)) }

  /// For what is not about captures of this tracker.
  init(_ stage: Stage) {
    self.stage = stage
    requestsLeft = UplinkBounds.requests
  }

  private static func distinct(_ list: ArraySlice<OutgoingCapture>) -> [OutgoingCapture] {
    var seen: Set<UniqueID> = []
    return list.filter { seen.insert($0.id).inserted }
  }

  // MARK: Requests

  /// The next request, or the end.
  mutating func proceed(_ access: inout ArcGISAccess, at now: UTC) -> UplinkStep {
    guard !isSettled else { return finish(&access) }
    guard requestsLeft > 0 else { return fail(.unclear, .tooManyRequests, &access) }
    if access.needsToken(at: now) { return send(access.tokenRequest, .token) }
    if let step = proceedWithMail(&access, at: now) { return step }
    if case .reading(let question) = stage {
      guard let layer = access.readable else { return send(access.layerRequest, .layer) }
      guard let request = access.reading(question, of: layer) else {
        let fields = access.configuration.fields
        let wanted = fields.team ?? fields.device ?? ""
        return fail(
          .misdirected(code: Self.unsuitableLayer), LayerPhrase.noField.texts(wanted), &access)
      }
      return send(request, .query)
    }
    guard let layer = access.layer else { return send(access.layerRequest, .layer) }
    if case .preparing(let captures) = stage { prepare(captures, for: layer, access) }
    if case .asking(unasked: [], let addition) = stage { stage = .adding(addition) }
    switch stage {
    case .reconciling(let captures) where !layer.canBeQueried:
      doubtful = captures.map(\.key)
      return end(.reconcile(.settled(confirmed: 0)))
    case .reconciling(let unasked), .asking(let unasked, _):
      return send(access.query(unasked.prefix(layer.queryLimit), layer), .query)
    case .settling(let settlement):
      return send(access.query(settlement.unasked.prefix(layer.queryLimit), layer), .query)
    case .adding(let addition):
      access.doubt(addition.captures)
      return send(
        access.edit(
          addition.captures, layer, nextContactBy: nextContactBy, silence: silence), .edit)
    case .checking, .preparing, .reading, .fetching, .confirming, .noting, .recounting:
      return finish(&access)
    }
  }

  /// Whether no request is left to make.
  private var isSettled: Bool {
    switch stage {
    case .checking, .reading, .fetching, .confirming, .noting, .recounting: false
    case .reconciling(let unasked): unasked.isEmpty
    case .preparing(let captures): captures.isEmpty
    case .asking(let unasked, let addition): unasked.isEmpty && addition.captures.isEmpty
    case .adding(let addition): addition.captures.isEmpty
    case .settling(let settlement): settlement.unasked.isEmpty
    }
  }

  private mutating func prepare(
    _ captures: [OutgoingCapture], for layer: Layer, _ access: ArcGISAccess
  ) {
    let sent = captures.filter { access.wasSent($0) }
    let addition = Addition(captures: captures, sentBefore: Set(sent.map(\.key)))
    let asks = !layer.usesGlobalIDs && layer.canBeQueried
    stage = .asking(unasked: asks ? sent : [], addition)
  }

  mutating func send(_ request: HTTPRequest, _ purpose: Purpose) -> UplinkStep {
    self.purpose = purpose
    requestsLeft -= 1
    answerBytes = request.answerBytes
    return .send(request)
  }

  // MARK: What has become of captures

  /// Those that the server is still to be asked about.
  var unasked: [OutgoingCapture] {
    get {
      switch stage {
      case .reconciling(let unasked), .asking(let unasked, _): unasked
      case .settling(let settlement): settlement.unasked
      case .checking, .preparing, .adding, .reading, .fetching, .confirming, .noting, .recounting:
        []
      }
    }
    set {
      switch stage {
      case .reconciling: stage = .reconciling(unasked: newValue)
      case .asking(_, let addition): stage = .asking(unasked: newValue, addition)
      case .settling(var settlement):
        settlement.unasked = newValue
        stage = .settling(settlement)
      case .checking, .preparing, .adding, .reading, .fetching, .confirming, .noting, .recounting:
        break
      }
    }
  }

  /// The captures of the request to add them that is in flight.
  var adding: Addition? {
    guard purpose == .edit, case .adding(let addition) = stage else { return nil }
    return addition
  }

  /// The server has these captures.
  mutating func acknowledge(_ captures: [OutgoingCapture]) {
    acknowledged += captures.map(\.key)
    settle(captures)
  }

  /// The server has these captures, and had them before.
  mutating func find(_ captures: [OutgoingCapture]) {
    found += captures.map(\.key)
    acknowledge(captures)
  }

  /// The server has other captures with these identifiers: these captures need new ones.
  mutating func displace(_ captures: [OutgoingCapture]) {
    displaced += captures.map(\.key)
    settle(captures)
  }

  private mutating func settle(_ captures: [OutgoingCapture]) {
    let ids = Set(captures.map(\.id))
    let keys = Set(captures.map(\.key))
    switch stage {
    case .asking(let unasked, var addition):
      addition.captures.removeAll { ids.contains($0.id) }
      stage = .asking(unasked: unasked, addition)
    case .settling(var settlement):
      settlement.unsettled.removeAll { ids.contains($0.id) }
      settlement.disputed.removeAll { keys.contains($0.key) }
      settlement.rolledBack.removeAll { keys.contains($0) }
      stage = .settling(settlement)
    case .checking, .reconciling, .preparing, .adding, .reading, .fetching, .confirming, .noting,
      .recounting:
      break
    }
  }
}
