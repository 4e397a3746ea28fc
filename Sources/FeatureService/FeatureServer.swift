public import SQL
import Synchronization
import TrackerCore

/// The settings of a service.
public struct FeatureServerSettings: Sendable {
  /// The credentials for using it; `nil`: none are needed.
  public var credentials: Credentials?
  /// Those of the layer's owner, who alone may change and delete captures; `nil`: nobody may.
  public var owner: Credentials?
  /// The longest lifetime of a token.
  public var tokenLife = Milliseconds.seconds(Int64(Bounds.tokenSeconds))
  /// Whether the layer of captures has GlobalIDs and accepts those of clients.
  public var hasGlobalIDs = true
  /// Whether the layer has the fields Fets, PerFer and Lloc: metres done and to go, and place.
  public var hasCourseFields = false
  /// Whether an edit can keep some of its features and refuse others.
  public var keepsPartOfEdit = true
  /// The largest number of features in an answer.
  public var maximumRecords = 2000
  /// Captures that are always refused, by their attribute `UUID`, in lower case.
  public var refusedCaptures: Set<String> = []
  public var faults: [Fault] = []
  /// Begins a query; what it returns is asked again and again whether that may go on.
  public typealias Patience = @Sendable () -> @Sendable () -> Bool
  /// `nil`: a query may take as long as it likes.
  public var patience: Patience?
  /// Called with captures when they are on disk.
  public var stored: (@Sendable ([TakenCapture]) -> Void)?
  /// Called with captures that were refused; a request that comes again tells of them again.
  public var refused: (@Sendable ([RefusedCapture]) -> Void)?
  /// Called when trackers have confirmed messages, written notes or told histories.
  public var confirmed: (@Sendable () -> Void)?
  public var course = Course()
  /// Coordinate systems beyond degrees and Web Mercator; `nil`: none.
  public var systems: (any CoordinateSystems)?
  /// `http` or `https`.
  public var scheme = "http"
  /// The address for clients that do not send a Host header.
  public var address = ""

  public init() {}
}

/// An ArcGIS FeatureServer without network I/O: a request comes in with its time, the answer goes
/// out. Its data is in a database, which copies of this value share.
///
/// It implements Esri's documentation ("Layer", "Apply Edits", "Add Features", "Query" of the REST
/// API). Requests may come from several threads.
public struct FeatureServer: Sendable {
  let settings: FeatureServerSettings
  let store: FeatureStore
  let catalogue: Catalogue
  let tokens: Tokens?
  let random: RandomSource
  private let faults: FaultPlan

  /// Opens the database or creates it.
  ///
  /// - Parameters:
  ///   - source: SQLite's or a server's.
  ///   - random: for tokens and the server's own GlobalIDs.
  ///   - chance: for random faults.
  /// - Throws: an error whose description is one line.
  public init(
    _ settings: FeatureServerSettings, database source: any SQLSource,
    random: any RandomNumberGenerator & Sendable, chance: any RandomNumberGenerator & Sendable
  ) throws {
    self.settings = settings
    self.random = RandomSource(random)
    catalogue = Catalogue(
      hasGlobalIDs: settings.hasGlobalIDs, keepsPartOfEdit: settings.keepsPartOfEdit,
      hasCourseFields: settings.hasCourseFields)
    store = try FeatureStore(
      source, columns: catalogue.captureColumns, patience: settings.patience,
      stored: settings.stored, refused: settings.refused)
    try store.keep(settings.course)
    let source = self.random
    var accounts: [(Credentials, Access)] = []
    if let credentials = settings.credentials { accounts.append((credentials, .user)) }
    if let owner = settings.owner { accounts.append((owner, .owner)) }
    let store = store
    let tell: @Sendable (String) -> Void = { store.tell($0) }
    let tries = PasswordTries(of: "token", tell: store.isOnServer ? tell : nil)
    let secret = try store.secret()
    tokens =
      accounts.isEmpty
      ? nil
      : Tokens(accounts, longest: settings.tokenLife, shared: secret, tries, source)
    faults = FaultPlan(settings.faults, RandomSource(chance))
  }

  /// The same with SQLite.
  ///
  /// - Parameter path: a file, or ":memory:".
  public init(
    _ settings: FeatureServerSettings, database path: String,
    random: any RandomNumberGenerator & Sendable, chance: any RandomNumberGenerator & Sendable
  ) throws {
    let source = SQLiteSource(path: path, image: path == ":memory:" ? FeatureSchema.blank : nil)
    try self.init(settings, database: source, random: random, chance: chance)
  }

  /// The troubles of a request that arrives now.
  public func troubles(of request: ServiceRequest, at time: HostTime) -> Troubles {
    faults.draw(request, at: time.uptime)
  }

  /// Carries out a request and answers it, subject to its troubles.
  ///
  /// - Parameter troubles: what goes wrong with the request.
  public func answer(
    _ request: ServiceRequest, _ troubles: Troubles = Troubles(), at time: HostTime
  ) -> ServiceReply {
    answer(request, troubles) {
      carryOut(request, isPartial: troubles.refusesOneFeature, at: time)
    }
  }

  /// Answers a request that somebody else carries out, subject to its troubles.
  public func answer(
    _ request: ServiceRequest, _ troubles: Troubles, byDoing work: () -> ServiceReply
  ) -> ServiceReply {
    if let reply = troubles.insteadOfWork(in: request.language) { return reply }
    let reply = work()
    return troubles.insteadOfAnswer(in: request.language) ?? reply
  }

  /// The number of features in the layer of captures, and of different captures: a capture that
  /// arrived twice is two features with the same `UUID`.
  public func tally() throws -> (features: Int, captures: Int) { try store.tally() }

  /// Another server of the same data has told something about passwords.
  public func hear(_ word: String, at time: HostTime) {
    tokens?.tries.hear(word, at: time.uptime)
  }

  /// Dispatches a request by its path and checks its token.
  private func carryOut(
    _ request: ServiceRequest, isPartial: Bool, at time: HostTime
  ) -> ServiceReply {
    guard ["GET", "POST", "HEAD"].contains(request.method) else {
      return .page(status: 405, title: "405", .methods, language: request.language)
    }
    if let problem = request.problem {
      return reply(request) { () throws(ArcGISError) in throw problem }
    }
    if request.path.isEmpty {
      return StartPage(catalogue: catalogue).reply(in: request.language)
    }
    guard request.path.first == "arcgis" else {
      return .page(
        status: 404, title: "404", .notFound, "/arcgis/rest/services", language: request.language)
    }
    let path = Array(request.path.dropFirst())
    if path.isEmpty || path == ["rest"] {
      return StartPage(catalogue: catalogue).reply(in: request.language)
    }
    let answers = TokenAnswers(tokens: tokens, isSecure: settings.scheme == "https")
    switch path {
    case ["tokens"], ["tokens", "generateToken"], ["sharing", "rest", "generateToken"],
      ["sharing", "generateToken"]:
      if let refusal = answers.begin(request, "username", at: time) { return refusal }
      return reply(request) { () throws(ArcGISError) in try answers.token(request, at: time) }
    case ["sharing", "rest", "oauth2", "token"], ["sharing", "oauth2", "token"]:
      return answers.begin(request, "client_id", at: time) ?? answers.appToken(request, at: time)
    case ["rest", "info"]: return reply(request) { metadata(for: request).information }
    case ["sharing", "rest", "info"], ["sharing", "info"]:
      return reply(request) { metadata(for: request).portalInformation }
    case ["sharing", "rest"], ["sharing", "rest", "portals", "self"]:
      return reply(request) { metadata(for: request).portal }
    default: break
    }
    guard path.starts(with: ["rest", "services"]) else {
      return reply(request) { () throws(ArcGISError) in
        throw ArcGISError(code: 404, message: "Not found.")
      }
    }
    return reply(request) {
      let access = try access(request, at: time)
      let path = Array(path.dropFirst(2))
      if request.isEdit {
        let layer = try editedLayer(request, path, access)
        return try edit(request, layer, access, isPartial: isPartial, now: time.utc)
      }
      if request.isQuery { return try query(request, layer(path).1) }
      return try describe(request, path, access, at: time.uptime)
    }
  }

  private func access(_ request: ServiceRequest, at time: HostTime) throws(ArcGISError) -> Access {
    guard let tokens else { return .user }
    guard let token = request.text("token") ?? request.bearer else {
      if settings.credentials == nil { return .user }
      throw .tokenRequired
    }
    guard let access = tokens.access(token, at: time) else { throw .invalidToken }
    return access
  }

  // MARK: Metadata

  private func metadata(for request: ServiceRequest) -> Metadata {
    Metadata(
      catalogue: catalogue, maximumRecords: settings.maximumRecords,
      root: "\(settings.scheme)://\(request.host ?? settings.address)", hasTokens: tokens != nil)
  }

  private func describe(
    _ request: ServiceRequest, _ path: [String], _ access: Access, at uptime: Milliseconds
  ) throws -> JSON {
    var metadata = metadata(for: request)
    metadata.access = access
    func described(_ layer: Layer, _ service: Service) throws -> JSON {
      let reach = try store.reach(layer, at: uptime)
      return metadata.layer(layer, of: service, extent: reach.extent, times: reach.times)
    }
    if path.isEmpty { return metadata.services }
    let service = try service(path)
    if path.count == 2 {
      let reach = try service.layers.first.map { try store.reach($0, at: uptime) }
      return metadata.service(service, extent: reach?.extent)
    }
    if path[2...] == ["layers"] {
      return [
        "layers": .list(try service.layers.map { try described($0, service) }),
        "tables": .list(try service.tables.map { try described($0, service) }),
      ]
    }
    let (_, layer) = try layer(path)
    guard path.count == 3 else {
      throw ArcGISError(code: 400, message: "Unsupported operation: \(path[3].prefix(40))")
    }
    return try described(layer, service)
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
      let layer = (service.layers + service.tables).first(where: { $0.id == id })
    else {
      throw ArcGISError(
        code: 400, message: "Invalid or missing input parameters.",
        details: ["Layer \(path.dropFirst(2).first?.prefix(40) ?? "") not found"])
    }
    return (service, layer)
  }

  // MARK: Queries and edits

  private func query(_ request: ServiceRequest, _ layer: Layer) throws -> JSON {
    let query = try store.resolvingShape(
      QueryRequest(
        request, layer: layer, maximumRecords: settings.maximumRecords, systems: settings.systems),
      layer)
    let isGeoJSON = try Format(request) == .geojson
    return try QueryAnswer(query: query, layer: layer, isGeoJSON: isGeoJSON).body(from: store)
  }

  /// The layer of an edit.
  ///
  /// - Throws: `ArcGISError` if it takes no edits, or none of this client.
  private func editedLayer(
    _ request: ServiceRequest, _ path: [String], _ access: Access
  ) throws(ArcGISError) -> Layer {
    let layer = try layer(path).1
    if layer.isMailbox {
      guard request.operation == "updateFeatures" || request.operation == "applyEdits" else {
        throw ArcGISError(code: 400, message: "Unsupported operation: \(Self.onlyTheRoom)")
      }
      guard request.method == "POST" else { throw .needsPost }
      return layer
    }
    if layer.isNotes || layer.isHistory {
      guard request.operation == "addFeatures" else {
        throw ArcGISError(code: 400, message: "Unsupported operation: \(Self.onlyAdds)")
      }
      guard request.method == "POST" else { throw .needsPost }
      return layer
    }
    guard layer.isEditable, !request.isOwnersEdit || settings.owner != nil else {
      let what = layer.isEditable ? "takes no changes and deletes" : "takes no edits"
      throw ArcGISError(
        code: 400, message: "Unsupported operation: the layer \(layer.name) \(what).")
    }
    guard request.method == "POST" else { throw .needsPost }
    if request.isOwnersEdit, access != .owner {
      let hasToken = request.text("token") != nil || request.bearer != nil
      throw hasToken ? .notOwner : .tokenRequired
    }
    return layer
  }

  static let onlyTheRoom = "only the control room adds and deletes messages."

  private func edit(
    _ request: ServiceRequest, _ layer: Layer, _ access: Access, isPartial: Bool, now: UTC
  ) throws -> JSON {
    let service = EditService(
      store: store, layer: layer, systems: settings.systems, random: random,
      isOwner: access == .owner, now: now, refused: settings.refusedCaptures,
      chooseRefused: { isPartial ? faults.choose(from: $0) : nil })
    let answer = try service.perform(request)
    if layer.isMailbox || layer.isNotes || layer.isHistory { settings.confirmed?() }
    return answer
  }

  // MARK: Answers

  /// Turns every error into an answer.
  private func reply(_ request: ServiceRequest, _ body: () throws -> JSON) -> ServiceReply {
    let title = request.path.joined(separator: "/")
    do {
      let format = try Format(request)
      func refusal(_ error: ArcGISError) -> ServiceReply {
        format.reply(error.body, title: title, about: .refused, language: request.language)
      }
      do {
        return format.reply(
          try body(), title: title, about: about(request), language: request.language)
      } catch let error as ArcGISError {
        return refusal(error)
      } catch let error as SQLError where error.kind.isPassing {
        // Where a database server is, is the organisers' to know.
        let reason =
          store.isOnServer
          ? "The server's database cannot be used now; try again later." : "\(error)"
        return refusal(
          ArcGISError(code: 503, message: "Service unavailable.", details: [reason])
        ).status(503).after(Bounds.unavailableSeconds)
      } catch is SQLError where store.isOnServer {
        return refusal(ArcGISError(code: 500, message: "Error performing the operation."))
      } catch {
        return refusal(
          ArcGISError(
            code: 500, message: "Error performing the operation.", details: ["\(error)"]))
      }
    } catch {
      return Format.json.reply(error.body, title: title)
    }
  }

  /// What a page says about an address.
  private func about(_ request: ServiceRequest) -> PagePhrase? {
    let services = ["arcgis", "rest", "services"]
    guard request.path.starts(with: services) else { return nil }
    let path = Array(request.path.dropFirst(services.count))
    if path.isEmpty { return .services }
    return path.count > 1 ? catalogue.service(path[0], path[1])?.about : nil
  }
}

/// A random number generator that can be shared by threads.
final class RandomSource: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

  func next() -> UInt64 { generator.withLock { $0.next() } }

  /// A number in 0..<1.
  func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Sixteen hexadecimal digits for each of `count` numbers.
  func digits(_ count: Int) -> String {
    (0..<count).map { _ in
      let digits = String(next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// A GlobalID, `{0F8FAD5B-D9CB-469F-A165-70867728950E}`: a random UUID (RFC 9562 §5.4).
  func globalID() -> String {
    var digits = Array(digits(2).uppercased())
    digits[12] = "4"
    digits[16] = "A"
    for hyphen in [20, 16, 12, 8] { digits.insert("-", at: hyphen) }
    return "{\(String(digits))}"
  }
}

/// Why a service cannot start, in one line: what, where, what to do.
public struct ServiceError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
