import FeatureService
import Foundation
import Synchronization
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// Queries that take long, and what goes on meanwhile.
@Suite(.blocking) struct SlowQueryTests {
  /// What happened, in this order.
  private final class Events: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ event: String) { list.withLock { $0.append(event) } }
    var all: [String] { list.withLock { $0 } }
  }

  private let folder: ScratchFolder
  private static let now = HostTime(utc: UTC(milliseconds: 1_349_517_600_000), uptime: 0)

  init() throws { folder = try ScratchFolder() }

  private func server(_ patience: @escaping FeatureServerSettings.Patience) throws -> FeatureServer
  {
    var settings = FeatureServerSettings()
    settings.course = .carrilet
    settings.patience = patience
    return try FeatureServer(
      settings, database: folder.path("camp.db"), random: SystemRandomNumberGenerator(),
      chance: SystemRandomNumberGenerator())
  }

  private static func text(_ reply: ServiceReply) -> String {
    guard case .answer(_, _, let body, _, _) = reply else { return "\(reply)" }
    return String(decoding: body, as: UTF8.self)
  }

  private static func send(
    _ operation: String, _ form: [String: String], to server: FeatureServer
  ) -> String {
    text(
      server.answer(
        ServiceRequest(
          method: "POST", target: Array("\(OpenCamp.layer)/\(operation)".utf8), type: nil,
          body: Array(WireClient.encoded(["f": "json"].merging(form) { $1 }).utf8)), at: Self.now))
  }

  private static func add(_ numbers: Range<Int>, to server: FeatureServer) -> String {
    Self.send("addFeatures", ["features": Captures.text(numbers)], to: server)
  }

  @Test func `An edit is acknowledged while a query is still running`() throws {
    let events = Events()
    let isRunning = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let server = try server {
      let time = FirstTime()
      return {
        if time.isFirst {
          isRunning.signal()
          _ = mayEnd.wait(timeout: .now() + 60)
        }
        return true
      }
    }
    #expect(Self.add(0..<500, to: server).hasPrefix("{\"addResults\":"))
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let answer = Self.send(
        "query", ["where": "Equip LIKE '%a%'", "returnCountOnly": "true"], to: server)
      events.add("query \(answer)")
      hasEnded.signal()
    }
    #expect(isRunning.wait(timeout: .now() + 60) == .success)
    let edit = Self.add(500..<501, to: server)
    events.add(edit.hasPrefix("{\"addResults\":") ? "edit acknowledged" : edit)
    mayEnd.signal()
    #expect(hasEnded.wait(timeout: .now() + 60) == .success)
    // The query sees the captures of when it began.
    #expect(events.all == ["edit acknowledged", "query {\"count\":500}"])
  }

  @Test func `A client finds what was acknowledged`() throws {
    let server = try server { { true } }
    for number in 0..<20 {
      #expect(Self.add(number..<(number + 1), to: server).hasPrefix("{\"addResults\":"))
      let count = Self.send("query", ["where": "1=1", "returnCountOnly": "true"], to: server)
      #expect(count == "{\"count\":\(number + 1)}")
    }
  }

  @Test(arguments: ["TrailWalker/MapServer/0", "UltimaEntrada/MapServer/0", "rutes/MapServer/1"])
  func `A query that takes too long is ended, and the next one runs`(_ layer: String) throws {
    let isShort = Atomic(true)
    let server = try server { { !isShort.load(ordering: .relaxed) } }
    #expect(Self.add(0..<2000, to: server).hasPrefix("{\"addResults\":"))
    let terms = Array(repeating: "OBJECTID > 0", count: 500).joined(separator: " AND ")
    func query() -> String {
      Self.text(
        server.answer(
          ServiceRequest(
            method: "POST", target: Array("/arcgis/rest/services/\(layer)/query".utf8), type: nil,
            body: Array(
              WireClient.encoded(["f": "json", "where": terms, "returnCountOnly": "true"]).utf8)),
          at: Self.now))
    }
    #expect(query().contains("It takes longer than this server allows; ask for less."))
    isShort.store(false, ordering: .relaxed)
    #expect(query().hasPrefix("{\"count\":"))
  }

  @Test func `A query has so much computing time, and none once the server ends`() {
    let ending = Ending()
    let time = QueryTime(ending)
    #expect(time.isLeft())
    ending.come()
    #expect(!time.isLeft())
    #expect(!QueryTime(Ending(), own: 0, all: 1000).isLeft())
    #expect(!QueryTime(Ending(), own: 1000, all: 0).isLeft())
  }
}

/// Whether it is asked for the first time.
private final class FirstTime: Sendable {
  private let asked = Atomic(false)
  var isFirst: Bool { !asked.exchange(true, ordering: .relaxed) }
}
