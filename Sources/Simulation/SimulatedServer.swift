import FeatureService
import TrackerCore
import Uplink

/// The server of a simulated world: the service that basecamp has on a socket, in memory and in
/// virtual time. It reads the very bytes of requests, answers with the bytes of a real one, and
/// misbehaves as the scenario says.
public struct SimulatedServer: Sendable {
  /// Where it can be found.
  static let site = "https://gis.example.org/arcgis"
  static let layerAddress = "\(site)/rest/services/TrailWalker/FeatureServer/0"
  static let user = "els-senglars"
  static let password = "not a secret: it opens a server in memory"

  private let service: FeatureServer

  /// - Parameter device: the one whose captures the scenario calls bad.
  /// - Throws: that SQLite has no memory left.
  init(_ scenario: Scenario, device: UniqueID, seed: UInt64) throws {
    var settings = FeatureServerSettings()
    settings.hasGlobalIDs = scenario.service.takesGlobalIDs
    settings.keepsPartOfEdit = scenario.service.keepsPartOfRequest
    if let life = scenario.service.tokenLife {
      settings.credentials = Credentials(user: Self.user, password: Self.password)
      settings.tokenLife = life
    }
    settings.refusedCaptures = Set(
      scenario.badCaptures.map { UniqueID(device: device, sequence: $0).lowercaseText })
    settings.faults = scenario.server.map { window in
      var fault = window.content
      (fault.from, fault.until) = (window.from, window.to)
      return fault
    }
    settings.scheme = "https"
    service = try FeatureServer(
      settings, database: ":memory:", random: SeededGenerator(seed: seed, stream: 102),
      chance: SeededGenerator(seed: seed, stream: 101))
  }

  /// The conversation that a tracker holds with it, as an organiser would have it configured.
  static func dialogue(_ model: ServiceModel = .init()) throws(AddressError) -> ArcGISDialogue {
    var configuration = ArcGISConfiguration(address: try LayerAddress(layerAddress))
    if model.tokenLife != nil {
      configuration.credentials = .user(name: user, password: Secret(password), tokenURL: nil)
    }
    return try ArcGISDialogue(configuration)
  }

  // MARK: Requests

  /// What goes wrong with a request that is made now.
  func troubles(of request: ServiceRequest, at time: HostTime) -> Troubles {
    service.troubles(of: request, at: time)
  }

  /// Answers a request that has arrived, or spoils the answer.
  func answer(
    _ request: ServiceRequest, _ troubles: Troubles, at time: HostTime
  ) -> ServiceReply {
    service.answer(request, troubles, at: time)
  }

  /// Answers a request outside of any run, with which nothing goes wrong.
  func answer(_ request: HTTPRequest) -> ServiceReply {
    let start = HostTime(utc: UTC(milliseconds: 0), uptime: 0)
    return answer(ServiceRequest(request), Troubles(), at: start)
  }

  // MARK: Its own book, whatever the tracker believes

  /// Captures that it has, each counted once.
  public var received: Int { get throws { try service.tally().captures } }

  /// Captures that arrived although they were there already.
  public var duplicates: UInt32 {
    get throws {
      let tally = try service.tally()
      return UInt32(tally.features - tally.captures)
    }
  }
}

extension ServiceRequest {
  /// As it arrives: the address without scheme and server.
  init(_ request: HTTPRequest) {
    let slash = UInt8(ascii: "/")
    let parts = request.url.utf8.split(
      separator: slash, maxSplits: 3, omittingEmptySubsequences: false)
    self.init(
      method: request.method.rawValue, target: [slash] + (parts.count > 3 ? Array(parts[3]) : []),
      type: request.headers.first { $0.name == "Content-Type" }?.value, body: request.body,
      host: parts.count > 2 ? String(parts[2]) : nil)
  }
}

extension HTTPReply {
  /// What a client sees of it.
  init(_ reply: ServiceReply) {
    guard case .answer(let status, let type, let body, let retryAfter) = reply else {
      // To a client a body that ends before its length is as good as none.
      self = .lost
      return
    }
    var headers = [HTTPHeader("Content-Type", type)]
    if let retryAfter { headers.append(HTTPHeader("Retry-After", "\(retryAfter)")) }
    self = .response(status: status, headers: headers, body: body)
  }
}
