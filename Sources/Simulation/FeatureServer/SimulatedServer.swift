import TrackerCore
import Uplink

/// An ArcGIS FeatureServer in memory: reads the very bytes of requests, answers with the bytes of
/// a real one, keeps what it accepts, and misbehaves as the scenario says.
///
/// What it speaks is what Esri documents ("Layer", "Apply Edits", "Add Features", "Query" of the
/// REST API) and basecamp does as well; a test holds the same conversations with both.
public struct SimulatedServer {
  /// Where it can be found.
  static let site = "https://gis.example.org/arcgis"
  static let layerAddress = "\(site)/rest/services/TrailWalker/FeatureServer/0"

  private(set) var layer: FeatureLayer
  /// Captures that it has, each counted once.
  public var received: Int { layer.received }
  /// Captures that arrived although they were there already.
  public var duplicates: UInt32 { layer.duplicates }

  private var desk: TokenDesk?
  private let windows: [Window<ServerTrouble>]
  /// Requests that reached each window so far.
  private var requests: [Int32]
  private var generator: SeededGenerator

  /// - Parameter device: the one whose captures the scenario calls bad.
  init(_ scenario: Scenario, device: UniqueID, seed: UInt64) {
    layer = FeatureLayer(
      scenario.service,
      refusing: scenario.badCaptures.map {
        UniqueID(device: device, sequence: $0).lowercaseText
      })
    desk = scenario.service.tokenLife.map { TokenDesk(life: $0, seed: seed) }
    windows = scenario.server
    requests = Array(repeating: 0, count: scenario.server.count)
    generator = SeededGenerator(seed: seed, stream: 101)
  }

  /// The conversation that a tracker holds with it, as an organiser would have it configured.
  static func dialogue(_ model: ServiceModel = .init()) throws(AddressError) -> ArcGISDialogue {
    var configuration = ArcGISConfiguration(address: try LayerAddress(layerAddress))
    if model.tokenLife != nil {
      configuration.credentials = .user(
        name: TokenDesk.user, password: Secret(TokenDesk.password), tokenURL: nil)
    }
    return try ArcGISDialogue(configuration)
  }

  /// The trouble that a request meets which is made now.
  mutating func fault(at now: Instant) -> ServerFault? {
    let elapsed = now - .start
    guard let index = windows.firstIndex(where: { $0.contains(elapsed) }) else { return nil }
    requests[index] += 1
    let trouble = windows[index].content
    switch trouble.occurrence {
    case .always: return trouble.fault
    case .every(let nth):
      return nth > 0 && requests[index] % nth == 0 ? trouble.fault : nil
    case .probability(let percent):
      return generator.whole(in: 0...99) < Int(percent) ? trouble.fault : nil
    }
  }

  /// Answers a request that has arrived, or spoils the answer.
  ///
  /// - Parameter utc: the date of this moment, for a token's end.
  mutating func answer(
    _ request: HTTPRequest, fault: ServerFault? = nil, at now: Instant = .start,
    utc: UTC = UTC(milliseconds: 0)
  ) -> HTTPReply {
    switch fault {
    // The world comes later with what is late.
    case nil, .late: return carryOut(request, at: now, utc: utc)
    case .loseAcknowledgement, .cutAnswer:
      // To a client a body that ends before its length is as good as none.
      _ = carryOut(request, at: now, utc: utc)
      return .lost
    case .portal: return .page(status: 200)
    case .refuse: return .unreachable
    case .timeout: return .lost
    case .http(let status, let retryAfter): return .page(status: status, retryAfter: retryAfter)
    case .unauthorised: return .json(ServiceError.invalidToken.body)
    case .rejectRequest(let code):
      return .json(
        ServiceError(code: code, message: "Unable to complete operation.").body)
    }
  }

  private mutating func carryOut(
    _ request: HTTPRequest, at now: Instant, utc: UTC
  ) -> HTTPReply {
    let (address, query) = request.url.splitAddress
    let form = RequestForm(query: query, body: request.body)
    // ArcGIS answers people unless told otherwise.
    guard form.text("f") == "json" else { return .page(status: 200) }
    do throws(ServiceError) {
      if request.method == .post, address == "\(Self.site)/tokens/generateToken",
        let answer = try desk?.generate(form, at: now, utc: utc)
      {
        return .json(answer)
      }
      try desk?.check(form, at: now)
      guard address.hasPrefix(Self.layerAddress) else {
        throw ServiceError(code: 404, message: "There is nothing at this address.")
      }
      let isPost = request.method == .post
      switch address.dropFirst(Self.layerAddress.utf8.count) {
      case "": return .json(layer.description)
      case "/query": return .json(try layer.query(form))
      case "/applyEdits" where isPost: return .json(try layer.applyEdits(form))
      case "/addFeatures" where isPost: return .json(try layer.addFeatures(form))
      case "/applyEdits", "/addFeatures":
        throw ServiceError(code: 405, message: "An edit needs the method POST.")
      default: throw ServiceError(code: 400, message: "Unsupported operation.")
      }
    } catch {
      return .json(error.body)
    }
  }
}

extension String {
  /// What stands before the question mark, and what after it.
  fileprivate var splitAddress: (address: String, query: String) {
    let address = prefix { $0 != "?" }
    return (String(address), String(dropFirst(address.count + 1)))
  }
}

extension HTTPReply {
  fileprivate static func json(_ body: [UInt8]) -> HTTPReply {
    .response(
      status: 200, headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
      body: body)
  }

  /// A page for people, as proxies and web servers send it.
  fileprivate static func page(status: Int32, retryAfter: Milliseconds? = nil) -> HTTPReply {
    var headers = [HTTPHeader("Content-Type", "text/html; charset=utf-8")]
    if let retryAfter {
      // Whole seconds, and never sooner than was meant.
      headers.append(HTTPHeader("Retry-After", String((retryAfter.count + 999) / 1000)))
    }
    let page = "<html><head><title>\(status)</title></head><body>\(status)</body></html>\n"
    return .response(status: status, headers: headers, body: Array(page.utf8))
  }
}
