import TrackerCore

// Requests. Tokens are in the body of a POST, because addresses end up in logs.
extension ArcGISDialogue {
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
    let fields = [field, layer.device, layer.sequence, layer.time].compactMap { $0?.name }
    form.add("outFields", fields.joined(separator: ","))
    form.add("returnGeometry", "true")
    form.add("outSR", "102100")
    return authorized("query", form, answering: captures.count)
  }

  func edit(_ operation: Operation, _ layer: Layer) -> HTTPRequest {
    let features = FeatureText(
      layer: layer, kind: configuration.kind, deviceCode: configuration.deviceCode,
      nextContactBy: operation.nextContactBy)
    var form = FormText()
    form.add("f", "json")
    // One bad capture must not prevent the others.
    if layer.keepsPartOfRequest { form.add("rollbackOnFailure", "false") }
    if layer.usesGlobalIDs { form.add("useGlobalIds", "true") }
    form.add(layer.usesGlobalIDs ? "adds" : "features", bytes: features.bytes(of: operation.unsent))
    return authorized(
      layer.usesGlobalIDs ? "applyEdits" : "addFeatures", form, answering: operation.unsent.count)
  }

  private func authorized(
    _ operation: String, _ form: FormText, answering captures: Int
  ) -> HTTPRequest {
    var form = form
    if let token { form.add("token", token.secret.text) }
    var request = post("\(configuration.address.layer)/\(operation)", form)
    request.answerBytes = UplinkBounds.answerBytes(captures: captures)
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
