import FeatureService
import Glibc
import Synchronization
import SystemCalls
import TrackerCore

/// The settings of a server.
public struct CampSettings: Sendable {
  public var address = ListenAddress.standard
  /// The directory of the database; created if it does not exist.
  public var directory: String
  /// A GeoJSON file; `nil`: the built-in course.
  public var course: String?
  /// `nil`: without TLS.
  public var certificate: ServerCertificate?
  /// Of the pages for people.
  public var language = PageLanguage()
  /// The web pages that may use it.
  public var pages = CrossOrigin()
  /// With slow clients.
  public var patience = ConnectionPatience()
  /// For the bodies of all requests.
  var room = BodyRoom()
  /// The seed for random faults.
  public var faultSeed: UInt64 = 1
  /// The settings of the service; course and address are filled in by `Camp`.
  public var service = FeatureServerSettings()

  public init(directory: String) { self.directory = directory }
}

/// A server compatible with ArcGIS FeatureServer, which listens until it is deinitialised.
///
///     var camp = try Camp(CampSettings(directory: "/tmp/camp"))
///     print(camp.address)
public struct Camp: ~Copyable {
  private let ending: Ending
  private let server: HTTPServer
  private let watch: Watch
  /// `http://127.0.0.1:40123/arcgis/rest/services`
  public let address: String

  /// Opens the database and begins to listen.
  ///
  /// - Throws: an error whose description is one line: what, where, what to do.
  public init(_ settings: CampSettings) throws {
    var service = settings.service
    service.course =
      try settings.course.map { path throws(ServiceError) in
        try Course(geoJSON: readFile(path, atMost: Bounds.courseBytes), path: path)
      } ?? .carrilet
    service.scheme = settings.certificate == nil ? "http" : "https"
    service.address = settings.address.description
    service.systems = PROJSystems()
    if mkdir(settings.directory, 0o777) != 0, errno != EEXIST {
      throw ServiceError(
        "cannot create the directory \(settings.directory): \(reason(of: errno)); "
          + "check the path")
    }
    let ending = Ending()
    let largeEdits = Turns()
    let log = CaptureLog()
    service.stored = { log.write($0) }
    service.patience = { QueryTime(ending).isLeft }
    let features = try FeatureServer(
      service, database: settings.directory + "/basecamp.db",
      random: SystemRandomNumberGenerator(), chance: SplitMix64(seed: settings.faultSeed))
    let connections = Connections(settings.patience)
    var manners = HTTPServer.Manners(
      language: settings.language, pages: settings.pages, scheme: service.scheme)
    manners.room = settings.room
    manners.pages.needsToken = service.credentials != nil
    let server = try HTTPServer(at: settings.address, settings.certificate, manners, connections) {
      request, isLarge in
      Self.answer(request, features, ending, isLarge && request.isEdit ? largeEdits : nil)
    }
    var place = settings.address
    place.port = server.port
    self.init(
      ending: ending, server: server,
      watch: Watch { connections.watch(until: ending) { log.flush() } },
      address: "\(service.scheme)://\(place)/arcgis/rest/services")
  }

  // Apart, because Swift 6.2 destroys twice what has a value before an error is thrown.
  private init(
    ending: Ending, server: consuming HTTPServer, watch: consuming Watch, address: String
  ) {
    self.ending = ending
    self.server = server
    self.watch = watch
    self.address = address
  }

  /// The service never waits; delays are handled here.
  private static func answer(
    _ request: ServiceRequest, _ features: FeatureServer, _ ending: Ending, _ turns: Turns?
  ) -> ServiceReply {
    let troubles = features.troubles(of: request, at: .now)
    if troubles.delay > 0 { ending.wait(troubles.delay) }
    let reply =
      turns?.take { features.answer(request, troubles, at: .now) }
      ?? features.answer(request, troubles, at: .now)
    guard reply == .silence else { return reply }
    // Longer than any reasonable client waits.
    ending.wait(.seconds(Int64(Bounds.idleSeconds)))
    return .hangUp
  }

  // The server is deinitialised next, and after its last answer the database. The watch ends by
  // itself.
  deinit { ending.come() }
}

/// One after the other: each large edit takes several times its size in memory while it is read.
private final class Turns: Sendable {
  private let turn = Mutex(())

  func take(_ body: () -> ServiceReply) -> ServiceReply { turn.withLock { _ in body() } }
}
