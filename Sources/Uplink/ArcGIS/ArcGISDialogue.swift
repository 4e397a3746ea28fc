public import TrackerCore

/// A dialogue with a layer of an ArcGIS FeatureServer (Esri REST: layer, `applyEdits`,
/// `addFeatures`, `query`, `generateToken`; OAuth 2.0 client credentials).
///
/// A capture is added to the layer once, even if answers are lost:
/// - A layer that accepts GlobalIDs gets `applyEdits` with them. It refuses a second copy, and a
///   query then confirms that the row is this capture.
/// - A layer that cannot be queried gets each capture at least once: a second copy that it refuses
///   as such (1022) counts as delivered.
/// - Any other gets `addFeatures`. Captures that may have been sent before are first queried by the
///   identifier field, and only missing ones are sent.
///
/// A capture is not reported as refused before the layer was queried for it: a server that took it,
/// but whose answer was lost, refuses the second copy with varying messages.
///
/// Only captures named in an answer count as delivered: the HTTP status alone proves nothing.
public struct ArcGISDialogue: UplinkDialogue, Equatable {
  public let configuration: ArcGISConfiguration
  var token: Token?
  var layer: Layer?
  var operation: Operation?
  /// Captures sent without a clear answer so far. They are added when a request is sent.
  var doubts: Set<UniqueID> = []

  public var canReconcile: Bool { layer?.canBeQueried ?? true }
  public var mayRepeat: Bool { layer.map { $0.usesGlobalIDs || !$0.canBeQueried } ?? false }
  public var sendsMarks: Bool { configuration.fields.haveMarks }

  /// - Throws: if the configuration can never work.
  public init(_ configuration: ArcGISConfiguration) throws(AddressError) {
    try configuration.validate()
    self.configuration = configuration
    if case .token(let secret) = configuration.credentials {
      token = Token(secret: secret, renewAt: nil)
    }
  }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    let operation = Operation(work)
    self.operation = operation
    switch operation.kind {
    case .check: layer = nil
    case .upload where operation.captures.isEmpty:
      return end(operation, .upload(.empty))
    case .reconcile where operation.captures.isEmpty:
      return end(operation, .reconcile(.settled(confirmed: 0)))
    case .upload, .reconcile: break
    }
    return proceed(operation, at: now)
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    guard var operation else { return .done(UplinkResult(outcome: .upload(.ambiguous))) }
    let body: [UInt8]
    switch reply {
    case .response(_, _, let bytes) where bytes.count > operation.answerBytes:
      return fail(operation, .unclear, UplinkPhrase.answerTooLong.texts("\(operation.answerBytes)"))
    case .unreachable: return fail(operation, .unreachable, .noConnection)
    case .tooLarge: return fail(operation, .tooLarge, .tooLarge)
    case .stalled: return fail(operation, .stalled, .stalled)
    case .lost: return fail(operation, .unclear, .lost)
    case .response(let status, let headers, let bytes):
      if let failure = Failure(status: status, headers: headers, at: now) {
        let address = address(operation.phase)
        let words = ForeignAnswer.describe(status, headers, from: address)
        operation.cause = ForeignAnswer.cause(status, headers, from: address)
        return failed(operation, failure, words, status: status, body: bytes, at: now)
      }
      // ArcGIS Online says 429 with status 200, an error in the body, and the header.
      operation.retryAfter = RetryAfter.wait(in: headers, at: now)
      body = bytes
    }
    switch operation.phase {
    case .token: return receiveToken(operation, body, at: now)
    case .layer: return receiveLayer(operation, body, at: now)
    case .query: return receiveQuery(operation, body, at: now)
    case .edit: return receiveEdit(operation, body, at: now)
    }
  }

  private func address(_ phase: Operation.Phase) -> String {
    switch phase {
    case .token: configuration.tokenURL ?? ""
    case .layer, .query, .edit: configuration.address.layer
    }
  }

  /// The next request of an operation, or its end.
  mutating func proceed(_ operation: Operation, at now: UTC) -> UplinkStep {
    var operation = operation
    guard operation.requestsLeft > 0 else {
      return fail(operation, .unclear, .tooManyRequests)
    }
    if configuration.tokenURL != nil, token?.isGood(at: now) != true {
      return send(tokenRequest, .token, operation)
    }
    guard let layer else { return send(layerRequest, .layer, operation) }
    if operation.kind == .upload, !operation.isPrepared {
      operation.isPrepared = true
      let sent = operation.unsent.filter { $0.wasSent || doubts.contains($0.id) }
      operation.sentBefore = Set(sent.map(\.key))
      if !layer.usesGlobalIDs, layer.canBeQueried { operation.unasked = sent }
    }
    if !layer.canBeQueried, !operation.unasked.isEmpty { return proceedUnasked(operation) }
    if !operation.unasked.isEmpty {
      return send(query(operation.unasked.prefix(layer.queryLimit), layer), .query, operation)
    }
    switch operation.kind {
    case .check: return end(operation, .ready)
    case .reconcile:
      let count = UInt32(clamping: operation.acknowledged.count)
      return end(operation, .reconcile(.settled(confirmed: count)))
    case .upload: return proceedUpload(operation, layer)
    }
  }

  /// The layer cannot be asked about these.
  private mutating func proceedUnasked(_ operation: Operation) -> UplinkStep {
    var operation = operation
    operation.unasked = []
    guard operation.kind == .reconcile else { return endUpload(operation) }
    operation.unclear = operation.captures.map(\.key)
    return end(operation, .reconcile(.settled(confirmed: 0)))
  }

  private mutating func proceedUpload(_ operation: Operation, _ layer: Layer) -> UplinkStep {
    if !operation.hasEdited, !operation.unsent.isEmpty {
      for capture in operation.unsent { doubt(capture) }
      return send(edit(operation, layer), .edit, operation)
    }
    return endUpload(operation)
  }

  mutating func send(
    _ request: HTTPRequest, _ phase: Operation.Phase, _ operation: Operation
  ) -> UplinkStep {
    var operation = operation
    operation.phase = phase
    operation.requestsLeft -= 1
    operation.answerBytes = request.answerBytes
    self.operation = operation
    return .send(request)
  }

  /// The store marks captures as sent too; this is only a safeguard.
  private mutating func doubt(_ capture: OutgoingCapture) {
    if doubts.count < UplinkBounds.rememberedDoubts { doubts.insert(capture.id) }
  }
}

/// A token and when to renew it.
struct Token: Sendable, Equatable {
  var secret: Secret
  /// `nil`: it cannot be renewed.
  var renewAt: UTC?

  func isGood(at now: UTC) -> Bool { renewAt.map { now < $0 } ?? true }
}
