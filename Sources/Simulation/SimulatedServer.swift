import FeatureService
import Synchronization
import TrackerCore
import Uplink
import Wording

/// The server of a simulated world: basecamp's service in memory and in virtual time, without a
/// socket. It parses the bytes of real requests, returns the bytes of real answers, and has the
/// scenario's faults.
public struct SimulatedServer: Sendable {
  /// The address of the site.
  static let site = "https://gis.example.org/arcgis"
  static let layerAddress = "\(site)/rest/services/TrailWalker/FeatureServer/0"
  static let positionAddress = "https://gis.example.org/\(ServiceRequest.positions)"
  static let user = "els-senglars"
  static let password = "not a secret: it opens a server in memory"

  private let service: FeatureServer
  private let kind: ServiceModel.Kind
  /// The captures that it refuses.
  private let bad: Set<UniqueID>
  private let taken = StoredCaptures()

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
    let kind = scenario.service.kind
    self.kind = kind
    bad = Set(scenario.badCaptures.map { UniqueID(device: device, sequence: $0) })
    settings.refusedCaptures = Set(bad.map(\.lowercaseText))
    settings.faults = scenario.server.map { window in
      var fault = kind == .osmAnd ? window.content.ofStatusServer : window.content
      (fault.from, fault.until) = (window.from, window.to)
      return fault
    }
    settings.scheme = "https"
    settings.stored = { [taken] in taken.add($0) }
    service = try FeatureServer(
      settings, database: ":memory:", random: SeededGenerator(seed: seed, stream: 102),
      chance: SeededGenerator(seed: seed, stream: 101))
  }

  /// A tracker's dialogue with it, as configured by an organiser.
  ///
  /// - Parameter code: of the tracker; `nil`: its device's.
  static func dialogue(
    _ model: ServiceModel = .init(), code: String? = nil
  ) throws(AddressError) -> ArcGISDialogue {
    var configuration = ArcGISConfiguration(address: try LayerAddress(layerAddress))
    configuration.deviceCode = code
    if model.tokenLife != nil {
      configuration.credentials = .user(name: user, password: Secret(password), tokenURL: nil)
    }
    return try ArcGISDialogue(configuration)
  }

  /// The same with a server of its kind.
  static func anyDialogue(
    _ model: ServiceModel, code: String? = nil
  ) throws(AddressError) -> AnyDialogue {
    switch model.kind {
    case .featureServer: return AnyDialogue(try dialogue(model, code: code))
    case .osmAnd:
      var configuration = try PostingConfiguration(format: .osmAnd, url: positionAddress)
      configuration.deviceCode = code
      return AnyDialogue(PostingDialogue(configuration))
    }
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
    guard request.path == [ServiceRequest.positions] else {
      return service.answer(request, troubles, at: time)
    }
    let reply = service.answer(request, troubles) { take(request, at: time) }
    // Its failures are no pages, from which an uplink might tell more than from the status.
    guard case .answer(400..., _, _, let retryAfter, _) = reply,
      case .answer(let status, _, _, _, _) = reply
    else { return reply }
    return .answer(status: status, type: "text/plain", body: [], retryAfterSeconds: retryAfter)
  }

  /// Stores a position, as basecamp's door for such requests does.
  private func take(_ request: ServiceRequest, at time: HostTime) -> ServiceReply {
    func status(_ status: Int32) -> ServiceReply {
      .answer(status: status, type: "text/plain", body: [])
    }
    guard let capture = ForeignCapture(posted: request), !bad.contains(capture.id) else {
      return status(400)
    }
    do {
      _ = try service.take([capture], of: nil, at: time.utc)
      return try service.has(capture.id) ? status(200) : status(400)
    } catch {
      return status(503)
    }
  }

  /// Answers a request outside a run, without troubles.
  func answer(_ request: HTTPRequest) -> ServiceReply {
    let start = HostTime(utc: UTC(milliseconds: 0), uptime: 0)
    return answer(ServiceRequest(request), Troubles(), at: start)
  }

  /// Has a tracker told what somebody in the control room says of its emergency.
  func answer(_ answer: AnsweredEmergency, at now: UTC) throws {
    try service.answer(answer, at: now)
  }

  /// Somebody in the control room writes to a tracker.
  func send(_ text: String, to tracker: String, by person: String, at now: UTC) throws {
    try service.send(text, to: tracker, by: person, at: now)
  }

  /// Or orders something of it.
  func order(
    _ text: String, of tracker: String, by person: String, until expires: UTC, at now: UTC
  ) throws {
    try service.order(text, of: tracker, by: person, until: expires, at: now)
  }

  /// The notes of all trackers, row by row.
  func notes() throws -> [StoredNote] { try service.notes(after: 0, atMost: 1000) }
  func messages() throws -> [TrackerMessage] { try service.messages() }

  /// What it has stored since the last call.
  func takeStored() -> [TakenCapture] { taken.take() }

  // MARK: The server's own count

  /// The number of different captures that it has.
  public var received: Int { get throws { try service.tally().captures } }

  /// The number of captures that it has, with those that it has twice.
  var features: Int { get throws { try service.tally().features } }

  /// The number of captures that arrived again although they were there already.
  public var duplicates: UInt32 {
    get throws {
      let tally = try service.tally()
      return UInt32(tally.features - tally.captures)
    }
  }
}

/// What a server has stored, until its world looks.
private final class StoredCaptures: Sendable {
  private let captures = Mutex<[TakenCapture]>([])

  func add(_ more: [TakenCapture]) { captures.withLock { $0 += more } }

  func take() -> [TakenCapture] {
    captures.withLock { captures in
      defer { captures = [] }
      return captures
    }
  }
}

extension ServiceRequest {
  /// The path of OsmAnd requests.
  static let positions = "positions"

  /// The captures that it is to add.
  var sentCaptures: [UniqueID] {
    if path == [Self.positions] {
      return [text("uuid").flatMap { UniqueID(text: $0) }].compactMap(\.self)
    }
    // The layer of captures is the first one.
    guard path.count == 7, path[5] == "0", path[6] == "addFeatures" || path[6] == "applyEdits",
      let text = text("adds") ?? text("features")
    else { return [] }
    let mark = Array("\"UUID\":\"".utf8)
    let bytes = Array(text.utf8)
    var found: [UniqueID] = []
    var place = 0
    while place + mark.count < bytes.count {
      guard bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) else {
        place += 1
        continue
      }
      place += mark.count
      let value = bytes[place...].prefix { $0 != mark[0] }
      if let id = UniqueID(text: value.span) { found.append(id) }
      place += value.count
    }
    return found
  }
}

extension ForeignCapture {
  /// - Parameter request: as `OsmAnd` writes it.
  fileprivate init?(posted request: ServiceRequest) {
    guard let id = request.text("uuid").flatMap({ UniqueID(text: $0) }),
      let sequence = request.text("sequence").flatMap({ Int64($0) })
    else { return nil }
    self.init(id: id, object: 0)
    self.sequence = sequence
    (device, team, trigger) = (request.text("id"), request.text("team"), request.text("trigger"))
    batteryPercent = request.text("batt").flatMap { Int64($0) }
    accuracyMetres = request.text("accuracy").flatMap { Int64($0) }
    if request.text("timeTrusted") == "true", let seconds = request.text("timestamp") {
      moment = Int64(seconds).map { UTC(milliseconds: $0 * 1000) }
    }
    func degrees(_ name: String) -> Int32? {
      request.text(name).flatMap { Double($0) }.map { Int32(($0 * 1e7).rounded()) }
    }
    if let latitude = degrees("lat"), let longitude = degrees("lon") {
      position = Coordinate(latitude: latitude, longitude: longitude)
    }
  }
}

extension Fault {
  /// The same at a server of which only the status counts.
  fileprivate var ofStatusServer: Fault {
    var fault = self
    fault.target = .all
    switch kind {
    case .unauthorised: fault.kind = .http(status: 401)
    case .rejectRequest(let code): fault.kind = .http(status: code)
    default: break
    }
    return fault
  }
}
