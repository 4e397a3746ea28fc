import FeatureService
import Foundation
import PostgreSQL
import SQL
import TestSupport
import Testing
import TrackerCore

/// Where a service has its data.
enum Storage: String, Sendable, CaseIterable {
  case sqlite, postgreSQL

  @TaskLocal static var current = Storage.sqlite

  /// `STORAGE=postgreSQL swift test --filter FeatureServiceTests` has only that.
  static let all: [Storage] = {
    if let name = ProcessInfo.processInfo.environment["STORAGE"] {
      return Storage(rawValue: name).map { [$0] } ?? []
    }
    return PostgreSQLServer.missing == nil ? allCases : [.sqlite]
  }()

  /// An empty one.
  func newDatabase() throws -> any SQLSource {
    switch self {
    case .sqlite: return SQLiteSource(path: ":memory:")
    case .postgreSQL:
      let server = try PostgreSQLServer.shared.get()
      return try PostgreSQLAddress(server.address(), schema: server.newSchema())
    }
  }
}

/// Runs each test of a suite once with each storage that this machine has.
struct StorageTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // Once around a test case, not around a suite.
    guard testCase != nil else { return try await function() }
    for storage in Storage.all {
      try await Storage.$current.withValue(storage) { try await function() }
    }
  }
}

extension Trait where Self == StorageTrait {
  /// The contract of all storages.
  static var onEachStorage: Self { Self() }
}

/// A service in this process.
struct Service {
  static let layer = "/arcgis/rest/services/TrailWalker/FeatureServer/0"

  let server: FeatureServer
  var now = HostTime(utc: UTC(milliseconds: 1_349_517_600_000), uptime: 0)

  init(seed: UInt64 = 1, _ change: (inout FeatureServerSettings) -> Void = { _ in }) throws {
    var settings = FeatureServerSettings()
    settings.scheme = "https"
    settings.address = "gis.example.org"
    change(&settings)
    server = try FeatureServer(
      settings, database: try Storage.current.newDatabase(), random: Numbers(state: seed),
      chance: Numbers(state: seed))
  }

  /// Numbers that a test can count on.
  struct Numbers: RandomNumberGenerator, Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  func request(
    _ method: String = "POST", _ target: String, _ form: [(String, String)] = []
  ) -> ServiceRequest {
    let fields = form.map { name, value in
      "\(name)=" + value.utf8.map { "%" + (String(Int($0) + 256, radix: 16).suffix(2)) }.joined()
    }
    return ServiceRequest(
      method: method, target: Array(target.utf8), type: nil,
      body: Array(fields.joined(separator: "&").utf8))
  }

  /// The answer to an operation on the layer of captures.
  func ask(
    _ operation: String, _ form: [String: String], layer: String = layer
  ) -> [String: Any] {
    let fields = ["f": "json"].merging(form) { $1 }.map { ($0.key, $0.value) }
    return send(request("POST", "\(layer)/\(operation)", fields)).json ?? [:]
  }

  /// The answer to a query.
  func ask(_ form: [String: String], layer: String = layer) -> [String: Any] {
    ask("query", form, layer: layer)
  }

  /// How many features a query finds; the error's code, negative, if it is refused.
  func count(_ form: [String: String], layer: String = layer) -> Int {
    let answer = ask(form.merging(["returnCountOnly": "true"]) { $1 }, layer: layer)
    return answer["count"] as? Int ?? -Self.errorCode(answer)
  }

  static func errorCode(_ answer: [String: Any]) -> Int {
    (answer["error"] as? [String: Any])?["code"] as? Int ?? 0
  }

  /// Meets the faults as a host lets it.
  func send(_ request: ServiceRequest) -> ServiceReply {
    server.answer(request, server.troubles(of: request, at: now), at: now)
  }

  func add(_ numbers: Range<Int>, _ more: [(String, String)] = []) -> ServiceReply {
    send(adding(numbers, more))
  }

  func adding(_ numbers: Range<Int>, _ more: [(String, String)] = []) -> ServiceRequest {
    let features = numbers.map { number in
      let place = "{\"x\":\(number),\"y\":5180000}"
      return "{\"geometry\":\(place),\"attributes\":{\"UUID\":\"\(Self.identifier(number))\"}}"
    }
    let list = "[\(features.joined(separator: ","))]"
    return request("POST", "\(Self.layer)/addFeatures", [("f", "json"), ("features", list)] + more)
  }

  static func identifier(_ number: Int) -> String {
    "00000000-0000-4000-8000-" + String(1_000_000_000_000 + number).suffix(12)
  }
}

extension ServiceReply {
  /// `ok 2`, `refused 1016,1003`, `error 498`, `503`, `503 after 90`, `page`, or how the connection
  /// ends.
  var summary: String {
    switch self {
    case .hangUp: return "hangUp"
    case .reset: return "reset"
    case .silence: return "silence"
    case .answer(let status, _, _, let retryAfter, _) where status != 200:
      return "\(status)" + (retryAfter.map { " after \($0)" } ?? "")
    case .answer:
      guard let body = json else { return "page" }
      if let error = body["error"] as? [String: Any] { return "error \(error["code"] ?? "")" }
      guard let results = body["addResults"] as? [[String: Any]] else { return "answer" }
      let codes = results.compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
      return codes.isEmpty
        ? "ok \(results.count)"
        : "refused \(codes.map { String($0) }.joined(separator: ","))"
    }
  }

  var json: [String: Any]? {
    guard case .answer(_, _, let body, _, _) = self else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
  }
}
