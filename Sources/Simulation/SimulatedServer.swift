import FeatureService
import TrackerCore
import Uplink

/// The server of a simulated world: basecamp's service in memory and in virtual time, without a
/// socket. It parses the bytes of real requests, returns the bytes of real answers, and has the
/// scenario's faults.
public struct SimulatedServer: Sendable {
  /// The address of the site.
  static let site = "https://gis.example.org/arcgis"
  static let layerAddress = "\(site)/rest/services/TrailWalker/FeatureServer/0"
  static let user = "els-senglars"
  static let password = "not a secret: it opens a server in memory"

  private let service: FeatureServer

  /// - Parameter device: the device of the scenario's bad captures.
  /// - Throws: if SQLite is out of memory.
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

  /// A tracker's dialogue with it, as configured by an organiser.
  static func dialogue(_ model: ServiceModel = .init()) throws(AddressError) -> ArcGISDialogue {
    var configuration = ArcGISConfiguration(address: try LayerAddress(layerAddress))
    if model.tokenLife != nil {
      configuration.credentials = .user(name: user, password: Secret(password), tokenURL: nil)
    }
    return try ArcGISDialogue(configuration)
  }

  // MARK: Requests

  /// The troubles of a request that arrives now.
  func troubles(of request: ServiceRequest, at time: HostTime) -> Troubles {
    service.troubles(of: request, at: time)
  }

  /// Answers a request, subject to its troubles.
  func answer(
    _ request: ServiceRequest, _ troubles: Troubles, at time: HostTime
  ) -> ServiceReply {
    service.answer(request, troubles, at: time)
  }

  /// Answers a request outside a run, without troubles.
  func answer(_ request: HTTPRequest) -> ServiceReply {
    let start = HostTime(utc: UTC(milliseconds: 0), uptime: 0)
    return answer(ServiceRequest(request), Troubles(), at: start)
  }

  // MARK: The server's own count

  /// The number of different captures that it has.
  public var received: Int { get throws { try service.tally().captures } }

  /// The number of captures that arrived again although they were there already.
  public var duplicates: UInt32 {
    get throws {
      let tally = try service.tally()
      return UInt32(tally.features - tally.captures)
    }
  }
}

extension ServiceRequest {
  /// The request as it arrives: the address without scheme and server.
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
  /// The reply as a client sees it.
  init(_ reply: ServiceReply) {
    guard case .answer(let status, let type, let body, let retryAfter) = reply else {
      // To a client a truncated body is the same as no body.
      self = .lost
      return
    }
    var headers = [HTTPHeader("Content-Type", type)]
    if let retryAfter { headers.append(HTTPHeader("Retry-After", "\(retryAfter)")) }
    self = .response(status: status, headers: headers, body: body)
  }
}
