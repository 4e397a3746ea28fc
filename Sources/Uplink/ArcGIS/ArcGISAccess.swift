import LeanUplink
import TrackerCore

/// What a dialogue has learnt and keeps for its next task, and the requests that follow from it.
struct ArcGISAccess: Sendable, Equatable {
  let configuration: ArcGISConfiguration
  var token: Token?
  var layer: Layer?
  /// The same layer, for reading captures back.
  var readable: ReadableLayer?
  /// How many messages are asked for at a time.
  var mailRows = UplinkBounds.mailRows
  /// The table's field of row numbers.
  var mailObjectField = "OBJECTID"
  /// How often in turn the server has said that it has no such table.
  var mailRefusals = 0
  /// The same of the table of notes.
  var noteObjectField = "OBJECTID"
  var noteRefusals = 0
  /// The same of the table of histories.
  var historyRefusals = 0
  /// Captures sent without a clear answer so far. They are added when a request is sent. The store
  /// marks captures as sent too; this is only a safeguard.
  private var doubts: Set<UniqueID> = []

  init(_ configuration: ArcGISConfiguration) {
    self.configuration = configuration
    if case .token(let secret) = configuration.credentials {
      token = Token(secret: secret, renewAt: nil)
    }
  }

  func needsToken(at now: UTC) -> Bool {
    configuration.tokenURL != nil && token?.isGood(at: now) != true
  }

  func wasSent(_ capture: OutgoingCapture) -> Bool {
    capture.wasSent || doubts.contains(capture.id)
  }

  mutating func doubt(_ captures: [OutgoingCapture]) {
    for capture in captures where doubts.count < UplinkBounds.rememberedDoubts {
      doubts.insert(capture.id)
    }
  }

  mutating func clearDoubts(of captures: [OutgoingCapture]) {
    for capture in captures { doubts.remove(capture.id) }
  }
}

/// A token and when to renew it.
struct Token: Sendable, Equatable {
  var secret: Secret
  /// `nil`: it cannot be renewed.
  var renewAt: UTC?

  func isGood(at now: UTC) -> Bool { renewAt.map { now < $0 } ?? true }
}

// MARK: - Requests

// Tokens are in the body of a POST, because addresses end up in logs.
extension ArcGISAccess {
  var tokenRequest: HTTPRequest {
    var form = FormText()
    switch configuration.credentials {
    case .none, .token: break
    case .user(let name, let password, _):
      form.add("username", name)
      form.add("password", password.text)
      // Bound to the Referer and not to an IP address, because a mobile network changes it.
      form.add("client", "referer")
      form.add("referer", referer)
      form.add("expiration", String(UplinkBounds.tokenMinutes))
    case .application(let clientID, let clientSecret, _):
      form.add("client_id", clientID)
      form.add("client_secret", clientSecret.text)
      form.add("grant_type", "client_credentials")
      form.add("expiration", String(UplinkBounds.tokenMinutes))
    }
    form.add("f", "json")
    return post(configuration.tokenURL ?? "", form)
  }

  var layerRequest: HTTPRequest {
    guard let token else {
      return HTTPRequest(
        method: .get, url: "\(configuration.address.layer)?f=json", headers: [Self.accept])
    }
    var form = FormText()
    form.add("f", "json")
    form.add("token", token.secret.text)
    return post(configuration.address.layer, form)
  }

  func query(_ captures: ArraySlice<OutgoingCapture>, _ layer: Layer) -> HTTPRequest {
    let field = layer.identifier
    let list = captures.map { "'\(FeatureText.form(of: $0.id, in: field))'" }
    var form = FormText()
    form.add("f", "json")
    form.add("where", "\(field.name) IN (\(list.joined(separator: ",")))")
    // The fields that distinguish this capture from another one with the same identifier.
    let fields = [field, layer.fields.device, layer.fields.sequence, layer.fields.time].compactMap {
      $0?.name
    }
    form.add("outFields", fields.joined(separator: ","))
    form.add("returnGeometry", "true")
    form.add("outSR", "102100")
    return authorized("query", form, answering: captures.count)
  }

  func edit(
    _ captures: [OutgoingCapture], _ layer: Layer, nextContactBy: UTC?, silence: PlannedSilence
  ) -> HTTPRequest {
    let features = FeatureText(
      layer: layer, kind: configuration.kind, deviceCode: configuration.deviceCode,
      nextContactBy: nextContactBy, silence: silence)
    var form = FormText()
    form.add("f", "json")
    // One bad capture must not prevent the others.
    if layer.keepsPartOfRequest { form.add("rollbackOnFailure", "false") }
    if layer.usesGlobalIDs { form.add("useGlobalIds", "true") }
    form.add(layer.usesGlobalIDs ? "adds" : "features", bytes: features.bytes(of: captures))
    return authorized(
      layer.usesGlobalIDs ? "applyEdits" : "addFeatures", form, answering: captures.count)
  }

  func authorized(
    _ operation: String, _ form: FormText, answering captures: Int
  ) -> HTTPRequest {
    authorized(
      operation, form, at: configuration.address.layer,
      answerBytes: UplinkBounds.answerBytes(captures: captures))
  }

  func authorized(
    _ operation: String, _ form: FormText, at address: String, answerBytes: Int
  ) -> HTTPRequest {
    var form = form
    if let token { form.add("token", token.secret.text) }
    var request = post("\(address)/\(operation)", form)
    request.answerBytes = answerBytes
    return request
  }

  private func post(_ url: String, _ form: FormText) -> HTTPRequest {
    var headers = [
      HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), Self.accept,
    ]
    if case .user = configuration.credentials { headers.append(HTTPHeader("Referer", referer)) }
    return HTTPRequest(method: .post, url: url, headers: headers, body: form.bytes)
  }

  private var referer: String { configuration.address.site ?? configuration.address.layer }
  private static var accept: HTTPHeader { HTTPHeader("Accept", "application/json") }
}
