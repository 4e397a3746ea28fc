import Glibc

/// What a receiver is started with.
public struct CampSettings: Sendable {
  public var address = ListenAddress.standard
  /// The directory of the database; made if it is not there.
  public var directory: String
  /// A GeoJSON file; `nil` is the built-in course.
  public var course: String?
  /// `nil` lets everybody in.
  public var credentials: Credentials?
  /// `nil` listens without TLS.
  public var certificate: ServerCertificate?
  /// The longest life of a token.
  public var tokenSeconds = 3600
  /// Whether the layer has GlobalIDs and takes those of clients.
  public var hasGlobalIDs = true
  public var faults: [Fault] = []
  public var faultSeed: UInt64 = 1
  /// How many features an answer has at most.
  public var maximumRecords = 2000

  public init(directory: String) { self.directory = directory }
}

/// A FeatureServer-compatible receiver, listening until it goes away.
///
///     var camp = try Camp(CampSettings(directory: "/tmp/camp"))
///     print(camp.address)
public struct Camp: ~Copyable {
  private let ending = Ending()
  private let server: HTTPServer
  /// `http://127.0.0.1:40123/arcgis/rest/services`
  public let address: String

  /// Opens the database and begins to listen.
  ///
  /// - Throws: an error whose description is one line: what, where, what to do.
  public init(_ settings: CampSettings) throws {
    let course = try settings.course.map { path throws(CampError) in try Course.load(path: path) }
    if mkdir(settings.directory, 0o777) != 0, errno != EEXIST {
      throw CampError(
        "cannot make the directory \(settings.directory): \(String(cString: strerror(errno))); "
          + "check the path")
    }
    let store = try FeatureStore(path: settings.directory + "/basecamp.db")
    try store.keep(course ?? .carrilet)
    let service = RestService(
      store: store, catalogue: Catalogue(hasGlobalIDs: settings.hasGlobalIDs),
      tokens: settings.credentials.map { Tokens($0, longestSeconds: settings.tokenSeconds) },
      maximumRecords: settings.maximumRecords,
      faults: FaultyService(
        plan: FaultPlan(settings.faults, seed: settings.faultSeed), ending: ending),
      scheme: settings.certificate == nil ? "http" : "https",
      address: settings.address.description)
    server = try HTTPServer(at: settings.address, settings.certificate) { service.answer($0) }
    var place = settings.address
    place.port = server.port
    address = "\(service.scheme)://\(place)/arcgis/rest/services"
  }

  // The server goes next, and with its last answer the database.
  deinit { ending.come() }
}
