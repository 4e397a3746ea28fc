public import TrackerCore

/// A conversation with a layer of an ArcGIS FeatureServer (Esri REST: layer, `applyEdits`,
/// `addFeatures`, `query`, `generateToken`; OAuth 2.0 client credentials).
///
/// A capture reaches the layer once, whatever becomes of answers:
/// - A layer that takes GlobalIDs gets `applyEdits` with them. It refuses a second copy, and a
///   query then confirms that what is there is the capture.
/// - Any other gets `addFeatures`. What may have been sent before is asked for by its identifier
///   field first, and only what is missing is sent.
///
/// Nothing is called refused before the layer was asked for it: a server that took it, and could
/// not say so, refuses the second copy in words of its own.
///
/// Nothing counts as delivered but what the server named: the HTTP status alone proves nothing.
public struct ArcGISDialogue: UplinkDialogue, Equatable {
  public let configuration: ArcGISConfiguration
  var token: Token?
  var layer: Layer?
  var errand: Errand?
  /// Sent, and no clear answer yet. Captures enter when a request leaves.
  var doubts: Set<UniqueID> = []

  public var canReconcile: Bool { true }
  public var mayRepeat: Bool { layer?.usesGlobalIDs ?? false }

  /// - Throws: what in the configuration can never work.
  public init(_ configuration: ArcGISConfiguration) throws(AddressError) {
    try configuration.validate()
    self.configuration = configuration
    if case .token(let secret) = configuration.credentials {
      token = Token(secret: secret, renewAt: nil)
    }
  }

  public mutating func begin(_ work: UplinkWork, at now: UTC) -> UplinkStep {
    let errand = Errand(work)
    self.errand = errand
    switch errand.kind {
    case .check: layer = nil
    case .upload where errand.captures.isEmpty:
      return end(errand, .upload(.empty))
    case .reconcile where errand.captures.isEmpty:
      return end(errand, .reconcile(.settled(confirmed: 0)))
    case .upload, .reconcile: break
    }
    return proceed(errand, at: now)
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    guard let errand else { return .done(UplinkResult(outcome: .upload(.ambiguous))) }
    let body: [UInt8]
    switch reply {
    case .response(_, _, let bytes) where bytes.count > errand.answerBytes:
      return fail(errand, .unclear, "the answer is longer than \(errand.answerBytes) bytes")
    case .unreachable: return fail(errand, .unreachable, "no connection came about")
    case .tooLarge: return fail(errand, .tooLarge, "the request is too large to be sent")
    case .stalled: return fail(errand, .stalled, "the request could not be sent in time")
    case .lost: return fail(errand, .unclear, "the connection was lost")
    case .response(let status, let headers, let bytes):
      if let failure = Failure(status: status, headers: headers, at: now) {
        return failed(errand, failure, status: status, body: bytes, at: now)
      }
      body = bytes
    }
    switch errand.phase {
    case .token: return receiveToken(errand, body, at: now)
    case .layer: return receiveLayer(errand, body, at: now)
    case .query: return receiveQuery(errand, body, at: now)
    case .edit: return receiveEdit(errand, body, at: now)
    }
  }

  /// The next request of an errand, or its end.
  mutating func proceed(_ errand: Errand, at now: UTC) -> UplinkStep {
    var errand = errand
    guard errand.requestsLeft > 0 else {
      return fail(errand, .unclear, "the server needs too many requests")
    }
    if configuration.tokenURL != nil, token?.isGood(at: now) != true {
      return send(tokenRequest, .token, errand)
    }
    guard let layer else { return send(layerRequest, .layer, errand) }
    if errand.kind == .upload, !errand.isPrepared {
      errand.isPrepared = true
      let sent = errand.unsent.filter { $0.wasSent || doubts.contains($0.id) }
      errand.wasSent = !sent.isEmpty
      if !layer.usesGlobalIDs { errand.unasked = sent }
    }
    if !errand.unasked.isEmpty {
      return send(query(errand.unasked.prefix(layer.queryLimit), layer), .query, errand)
    }
    switch errand.kind {
    case .check: return end(errand, .ready)
    case .reconcile:
      let count = UInt32(clamping: errand.acknowledged.count)
      return end(errand, .reconcile(.settled(confirmed: count)))
    case .upload: return proceedUpload(errand, layer)
    }
  }

  private mutating func proceedUpload(_ errand: Errand, _ layer: Layer) -> UplinkStep {
    if !errand.hasEdited, !errand.unsent.isEmpty {
      for capture in errand.unsent { doubt(capture) }
      return send(edit(errand, layer), .edit, errand)
    }
    return endUpload(errand)
  }

  mutating func send(
    _ request: HTTPRequest, _ phase: Errand.Phase, _ errand: Errand
  ) -> UplinkStep {
    var errand = errand
    errand.phase = phase
    errand.requestsLeft -= 1
    errand.answerBytes = request.answerBytes
    self.errand = errand
    return .send(request)
  }

  /// The store marks what was sent as well; this memory only guards against one that forgets.
  private mutating func doubt(_ capture: OutgoingCapture) {
    if doubts.count < UplinkBounds.rememberedDoubts { doubts.insert(capture.id) }
  }
}

/// A token and the time to get another.
struct Token: Sendable, Equatable {
  var secret: Secret
  /// `nil`: it is all there is.
  var renewAt: UTC?

  func isGood(at now: UTC) -> Bool { renewAt.map { now < $0 } ?? true }
}
