import FeatureService
import Foundation
import Synchronization
import TestSupport
import Testing
import TrackerCore

@testable import Basecamp

/// Who carries requests out, and in which order.
@Suite(.blocking) struct WorkerTests {
  /// What happened, in this order.
  private final class Events: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ event: String) { list.withLock { $0.append(event) } }
    var all: [String] { list.withLock { $0 } }
  }

  private static func names(_ turns: inout Turns, _ count: Int) -> [String] {
    (0..<count).compactMap { _ in turns.next()?.client }
  }

  @Test func `Addresses take turns, and each keeps its order`() {
    var turns = Turns(ofClient: 9)
    let events = Events()
    for number in 1...3 { turns.add({ events.add("a\(number)") }, of: "a") }
    for number in 1...2 { turns.add({ events.add("b\(number)") }, of: "b") }
    turns.add({ events.add("c1") }, of: "c")
    while let turn = turns.next() { turn.job() }
    #expect(events.all == ["a1", "b1", "c1", "a2", "b2", "a3"])
    #expect(turns.isEmpty)
  }

  @Test func `One address has no more than its share at once`() {
    var turns = Turns(ofClient: 2)
    for _ in 0..<5 { turns.add({}, of: "a") }
    #expect(Self.names(&turns, 3) == ["a", "a"])
    turns.add({}, of: "b")
    #expect(Self.names(&turns, 3) == ["b"])
    turns.end(of: "a")
    #expect(Self.names(&turns, 3) == ["a"])
  }

  @Test func `No kind of work waits for another kind`() throws {
    let workers = try Workers()
    let mayEnd = DispatchSemaphore(value: 0)
    let events = Events()
    for client in 0..<20 {
      let isTaken = workers.submit(.query, of: "\(client)") {
        _ = mayEnd.wait(timeout: .now() + 60)
        events.add("query")
      }
      #expect(isTaken)
    }
    for lane in Workers.Lane.allCases where lane != .query {
      _ = workers.submit(lane, of: "a") { events.add("\(lane)") }
    }
    try eventually("the others") { events.all.count == Workers.Lane.allCases.count - 1 }
    for _ in 0..<20 { mayEnd.signal() }
    workers.close()
    #expect(events.all.filter { $0 == "query" }.count == 20)
  }

  @Test func `Where more backlogs wait than are stored in time, it is behind until they are`()
    throws
  {
    let workers = try Workers()
    let mayEnd = DispatchSemaphore(value: 0)
    let total = Bounds.backlogsWaiting + Bounds.backlogThreads
    for client in 0..<total {
      #expect(!workers.isBehind(.backlog))
      _ = workers.submit(.backlog, of: "\(client)") { _ = mayEnd.wait(timeout: .now() + 60) }
      // Those that are begun do not wait.
      if client < Bounds.backlogThreads {
        try eventually("its begin") { workers.waiting(.backlog) == 0 }
      }
    }
    #expect(workers.isBehind(.backlog) && !workers.isBehind(.edit) && !workers.isBehind(.largeEdit))
    mayEnd.signal()
    try eventually("room for another") { !workers.isBehind(.backlog) }
    for _ in 1..<total { mayEnd.signal() }
    workers.close()
  }

  @Test func `A call for help is no backlog, however much comes with it`() {
    func weight(_ body: String) -> Exchange.Weight {
      let exchange = Exchange(target: [], client: "", BodyRoom())
      Array(body.utf8).withUnsafeBytes { exchange.take($0) }
      return exchange.weight
    }
    let contact = String(repeating: "e", count: Bounds.contactBytes)
    #expect(weight("") == .small && weight(contact) == .small)
    #expect(weight(contact + "e") == .backlog)
    #expect(weight(contact + "emergency") == .small && weight(contact + "emergenc") == .backlog)
    #expect(weight("%22emergency%22" + contact) == .small)
    #expect(weight(String(repeating: contact, count: 5) + "emergency") == .large)
  }

  @Test func `What is to be done later holds no thread, and a close does not wait for it`() throws {
    let workers = try Workers()
    let events = Events()
    for _ in 0..<50 {
      workers.submit(.edit, of: "a", after: .seconds(3600)) { events.add("an hour later") }
    }
    // A kind of work that has one thread.
    workers.submit(.other, of: "a", after: 20) { events.add("soon") }
    workers.submit(.other, of: "a", after: 10) { events.add("sooner") }
    try eventually("both") { events.all == ["sooner", "soon"] }
    workers.close()
    #expect(events.all.count == 52)
    #expect(!workers.submit(.edit, of: "a") {}, "it is closed")
  }

  @Test func `Answers that are late on purpose keep nobody waiting`() throws {
    let folder = try ScratchFolder()
    var settings = CampSettings(directory: folder.path("camp"))
    settings.service.faults = [try Fault("late 60s every 1st on edits")]
    let camp = try OpenCamp(settings)
    let body = WireClient.encoded(["f": "json", "features": Captures.text(0..<1)])
    let late = try (0..<40).map { _ in try WireClient(port: camp.port, client: 2) }
    for client in late {
      try client.send(
        "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\nContent-Type: "
          + "application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      )
    }
    let start = ContinuousClock.now
    for client in [1, 2] as [UInt32] { #expect(try camp.serves(client: client)) }
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `What a stop finds begun is done and answered`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--fault", "late 60s every 1st"])
    let client = try WireClient(port: camp.port)
    let body = WireClient.encoded(["f": "json", "features": Captures.text(0..<1)])
    try client.send(
      "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\nContent-Type: "
        + "application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    // Answered by the same event loop, after it has read the edit.
    _ = try camp.count()
    #expect(camp.end() == 0)
    #expect(try client.receive().text.hasPrefix("{\"addResults\":"), "\(camp.command)")
    #expect(try CampServer(folder).count() == 1)
  }
}

/// Clients behind a proxy.
@Suite(.blocking) struct ProxyTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func camp(_ proxies: Set<String>) throws -> OpenCamp {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.proxies = proxies
    settings.service.credentials = Credentials(user: "a", password: "secret")
    return try OpenCamp(settings)
  }

  /// The status of a login with a wrong password.
  private func guess(_ camp: OpenCamp, of forwarded: String, by client: UInt32 = 1) throws -> String
  {
    let answer = try WireClient(port: camp.port, client: client).request(
      "POST", "/arcgis/tokens/generateToken",
      form: ["f": "json", "username": "a", "password": "wrong", "client": "requestip"],
      headers: forwarded.split(separator: "|").map { "X-Forwarded-For: \($0)\r\n" }.joined())
    return answer.status == 429 ? "429" : "wrong"
  }

  @Test func `Wrong passwords count for whom a trusted proxy names`() throws {
    let camp = try camp(["127.0.0.1"])
    for _ in 0..<10 { #expect(try guess(camp, of: "192.0.2.1") == "wrong") }
    #expect(try guess(camp, of: "192.0.2.1") == "429")
    #expect(try guess(camp, of: "192.0.2.2") == "wrong")
    // What a client writes itself stands before what the proxy adds, in one line or in its own.
    #expect(try guess(camp, of: "192.0.2.9, 192.0.2.1") == "429")
    #expect(try guess(camp, of: "192.0.2.9|192.0.2.1") == "429")
    #expect(try guess(camp, of: "192.0.2.9, 192.0.2.1, 127.0.0.1") == "429")
    // With the port that the client has, as some proxies write it.
    #expect(try guess(camp, of: "192.0.2.1:4711") == "429")
    #expect(try guess(camp, of: "[2001:db8::7]:4711") == "wrong")
  }

  @Test func `What anybody else says of whom a request is from is ignored`() throws {
    let camp = try camp(["127.0.0.1"])
    for number in 0..<10 { #expect(try guess(camp, of: "192.0.2.\(number)", by: 2) == "wrong") }
    #expect(try guess(camp, of: "192.0.2.100", by: 2) == "429")
    #expect(try guess(camp, of: "192.0.2.100", by: 1) == "wrong")
  }

  @Test func `A trusted proxy has as many connections as its clients need`() throws {
    let camp = try camp(["127.0.0.2"])
    let open = try (0..<300).map { _ in try WireClient(port: camp.port, client: 2) }
    for (number, client) in open.enumerated() {
      let answer = try client.request(
        "GET", "/arcgis/rest/info?f=json", headers: "X-Forwarded-For: 192.0.2.\(number % 200)\r\n")
      #expect(answer.status == 200)
    }
    let other = try WireClient(port: camp.port, client: 3)
    #expect(try other.request("GET", "/arcgis/rest/info?f=json").status == 200)
  }

  @Test func `One client behind a proxy has a bound of requests at once`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.proxies = ["127.0.0.1"]
    settings.service.faults = [try Fault("timeout every 1st on edits")]
    let camp = try OpenCamp(settings)
    let edit = "POST \(OpenCamp.layer)/addFeatures HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
    let waiting = try (0..<Bounds.connectionsOfClient).map { _ in try WireClient(port: camp.port) }
    for client in waiting { try client.send(edit + "X-Forwarded-For: 192.0.2.1\r\n\r\n") }
    func status(_ client: String) throws -> Int {
      try WireClient(port: camp.port).request(
        "GET", "/arcgis/rest/info?f=json", headers: "X-Forwarded-For: \(client)\r\n"
      ).status
    }
    try eventually("a refusal") { try status("192.0.2.1") == 503 }
    #expect(try status("192.0.2.2") == 200)
  }

  @Test func `A limit of open files that is too low is said in one line`() throws {
    let run = try ProgramResult(running: [
      "bash", "-c",
      "ulimit -n 200; exec \(Built.program("basecamp").path) --listen 127.0.0.1:0 "
        + "--database \(folder.path("camp"))",
    ])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run)")
    #expect(run.errors.contains("may have 200 files open, and needs 320"), "\(run.errors)")
  }
}
