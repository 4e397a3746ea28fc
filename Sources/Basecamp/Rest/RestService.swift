/// Answers every request: finds out what it is for, and who asks.
struct RestService: Sendable {
  static let jsonType = "application/json; charset=utf-8"
  static let plainType = "text/plain; charset=utf-8"

  var store: FeatureStore
  var catalogue: Catalogue
  var tokens: Tokens?
  var maximumRecords: Int
  var faults: FaultyService
  /// `http` or `https`.
  var scheme: String
  /// The address for clients that do not say by which they know this server.
  var address: String

  func answer(_ request: HTTPRequest) -> HTTPReply {
    guard ["GET", "POST", "HEAD"].contains(request.method) else {
      return .html(status: 405, title: "405", text: "GET and POST are supported.")
    }
    guard request.path.first == "arcgis" else {
      return .html(
        status: 404, title: "404",
        text: "Nothing is here; the services are at /arcgis/rest/services")
    }
    let path = Array(request.path.dropFirst())
    switch path {
    case ["tokens"], ["tokens", "generateToken"], ["sharing", "rest", "generateToken"],
      ["sharing", "generateToken"]:
      return reply(request) { () throws(ArcGISError) in try makeToken(request) }
    case ["sharing", "rest", "oauth2", "token"], ["sharing", "oauth2", "token"]:
      return TokenAnswers.appToken(request, tokens)
    case ["rest", "info"]: return reply(request) { metadata(for: request).information }
    default: break
    }
    guard path.starts(with: ["rest", "services"]) else {
      return reply(request) { () throws(ArcGISError) in
        throw ArcGISError(code: 404, message: "There is nothing at this address.")
      }
    }
    return services(request, Array(path.dropFirst(2)))
  }

  private func services(_ request: HTTPRequest, _ path: [String]) -> HTTPReply {
    let operation = path.count > 3 ? path[3] : nil
    let isEdit = operation == "addFeatures" || operation == "applyEdits"
    guard isEdit || operation == "query" else {
      return reply(request) {
        try checkToken(request)
        return try describe(request, path)
      }
    }
    return faults.answer(isEdit: isEdit) { isPartial in
      reply(request) {
        try checkToken(request)
        let (_, layer) = try layer(path)
        if isEdit { return try edit(request, layer, operation, isPartial: isPartial) }
        let query = try QueryRequest(request, layer: layer, maximumRecords: maximumRecords)
        let isGeoJSON = try Format(request) == .geojson
        return try QueryAnswer(query: query, layer: layer, isGeoJSON: isGeoJSON).body(from: store)
      }
    }
  }

  // MARK: What is there

  private func metadata(for request: HTTPRequest) -> Metadata {
    Metadata(
      catalogue: catalogue, maximumRecords: maximumRecords,
      root: "\(scheme)://\(request.host ?? address)", needsToken: tokens != nil)
  }

  private func describe(_ request: HTTPRequest, _ path: [String]) throws -> JSON {
    let metadata = metadata(for: request)
    if path.isEmpty { return metadata.services }
    let service = try service(path)
    if path.count == 2 {
      return metadata.service(service, extent: try service.layers.first.flatMap(extent))
    }
    let (_, layer) = try layer(path)
    guard path.count == 3 else {
      throw ArcGISError(code: 400, message: "Unsupported operation: \(path[3].prefix(40))")
    }
    return metadata.layer(layer, of: service, extent: try extent(layer))
  }

  private func extent(_ layer: Layer) throws -> Extent? {
    try store.extent(QueryRequest(everythingIn: layer), layer)
  }

  private func service(_ path: [String]) throws(ArcGISError) -> Service {
    guard path.count > 1, let service = catalogue.service(path[0], path[1]) else {
      let name = path.prefix(2).joined(separator: "/").prefix(80)
      throw ArcGISError(code: 404, message: "Service \(name) not found")
    }
    return service
  }

  private func layer(_ path: [String]) throws(ArcGISError) -> (Service, Layer) {
    let service = try service(path)
    guard path.count > 2, let id = Int(path[2]),
      let layer = service.layers.first(where: { $0.id == id })
    else {
      throw ArcGISError(
        code: 400, message: "Invalid or missing input parameters.",
        details: ["Layer \(path.dropFirst(2).first?.prefix(40) ?? "") not found"])
    }
    return (service, layer)
  }

  // MARK: Edits

  private func edit(
    _ request: HTTPRequest, _ layer: Layer, _ operation: String?, isPartial: Bool
  ) throws -> JSON {
    guard layer.isEditable else {
      throw ArcGISError(
        code: 400, message: "Unsupported operation: the layer \(layer.name) takes no edits.")
    }
    guard request.method == "POST" else {
      throw ArcGISError(code: 405, message: "An edit needs the method POST.")
    }
    let service = EditService(store: store, layer: layer)
    let choose: (Int) -> Int? = { isPartial ? faults.plan.choose(from: $0) : nil }
    return operation == "applyEdits"
      ? try service.apply(request, chooseRefused: choose)
      : try service.add(request, chooseRefused: choose)
  }

  // MARK: Who asks

  private func checkToken(_ request: HTTPRequest) throws(ArcGISError) {
    guard let tokens else { return }
    guard let token = request.text("token") ?? request.bearer else { throw .tokenRequired }
    guard tokens.isLive(token) else { throw .invalidToken }
  }

  private func makeToken(_ request: HTTPRequest) throws(ArcGISError) -> JSON {
    try TokenAnswers.token(request, tokens)
  }

  // MARK: The form of the answer

  /// Every error becomes an answer here.
  private func reply(_ request: HTTPRequest, _ body: () throws -> JSON) -> HTTPReply {
    let title = request.path.joined(separator: "/")
    do {
      let format = try Format(request)
      do {
        return format.reply(try body(), title: title)
      } catch let error as ArcGISError {
        return format.reply(error.body, title: title)
      } catch {
        let problem = ArcGISError(
          code: 500, message: "Error performing the operation.", details: ["\(error)"])
        return format.reply(problem.body, title: title)
      }
    } catch {
      return Format.json.reply(error.body, title: title)
    }
  }
}

extension QueryRequest {
  /// Asks for a whole layer.
  fileprivate init(everythingIn layer: Layer) {
    fields = []
    returnsGeometry = true
    order = "\"\(layer.objectIDField)\""
    limit = 1
  }
}
