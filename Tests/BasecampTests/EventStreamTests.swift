import FeatureService
import Foundation
import TestSupport
import Testing
import TrackerCore
import Wording

@testable import Basecamp

/// A client of a stream of events.
final class EventClient {
  struct Event: Equatable {
    var name = ""
    var id = ""
    var data: [String: Any] = [:]

    static func == (a: Event, b: Event) -> Bool { (a.name, a.id) == (b.name, b.id) }

    /// The teams that it tells of.
    var teams: [String] {
      (data["teams"] as? [[String: Any]] ?? []).compactMap { $0["tracker"] as? String }
    }
  }

  let wire: WireClient
  private var bytes = Data()
  private var body = Data()
  private var isBody = false
  /// What has come and was not asked for yet.
  private var events: [Event] = []
  /// The identifier of the last event.
  private(set) var last: String?

  init(
    port: UInt16, client: UInt32 = 1, after last: String? = nil, headers: String = "",
    receiveBytes: Int32? = nil
  ) throws {
    wire = try WireClient(port: port, client: client, receiveBytes: receiveBytes)
    let resume = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    try wire.send("GET /room/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\(resume)\(headers)\r\n")
  }

  /// The next event that is no beat, or the next one of a name.
  func next(_ name: String? = nil) throws -> Event {
    while true {
      while events.isEmpty { try read() }
      let event = events.removeFirst()
      if event.name == name || (name == nil && event.name != "beat") { return event }
    }
  }

  private func read() throws {
    bytes.append(try wire.piece())
    if !isBody {
      guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return }
      bytes = Data(bytes[end.upperBound...])
      isBody = true
    }
    // Each chunk has its size before it.
    while let line = bytes.range(of: Data("\r\n".utf8)),
      let size = Int(String(decoding: bytes[..<line.lowerBound], as: UTF8.self), radix: 16),
      bytes.endIndex >= line.upperBound + size + 2
    {
      body.append(bytes[line.upperBound..<line.upperBound + size])
      bytes = Data(bytes[(line.upperBound + size + 2)...])
    }
    while let end = body.range(of: Data("\n\n".utf8)) {
      let lines = String(decoding: body[..<end.lowerBound], as: UTF8.self)
        .split(separator: "\n")
      body = Data(body[end.upperBound...])
      var event = Event()
      for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2 else { continue }
        switch parts[0] {
        case "event": event.name = parts[1]
        case "id": event.id = parts[1]
        case "data":
          event.data =
            (try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any]) ?? [:]
        default: break
        }
      }
      if !event.id.isEmpty { last = event.id }
      if !event.name.isEmpty { events.append(event) }
    }
  }
}

/// The stream of what happens in the control room.
@Suite(.blocking) struct EventStreamTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Stores a capture of a tracker.
  private static func send(_ device: Int, _ number: UInt32 = 1, to port: UInt16) throws {
    let id = UniqueID(device: UniqueID(high: 1, low: UInt64(device)), sequence: number)
    let feature = """
      [{"geometry": {"x": 277000, "y": \(5_180_000 + number * 300), "spatialReference":
      {"wkid": 102100}}, "attributes": {"CodiEquip": "\(device)", "Equip": "Team \(device)",
      "Entrada": \(Int(Date().timeIntervalSince1970 * 1000)), "UUID": "\(id.lowercaseText)"}}]
      """
    let answer = try WireClient(port: port).request(
      "POST", "\(OpenCamp.layer)/addFeatures", form: ["f": "json", "features": feature])
    try #require(answer.text.contains("\"success\":true"), "\(answer.text)")
  }

  private func act(_ form: [String: String], at port: UInt16) throws {
    let answer = try WireClient(port: port).request("POST", "/room/act", form: form)
    try #require(answer.status == 200, "\(answer.text)")
  }

  @Test func `A stream begins with the state, and tells only what changes then`() throws {
    let camp = try CampServer(folder, ["--language", "en"])
    for device in 1...3 { try Self.send(device, to: camp.port) }
    let client = try EventClient(port: camp.port)
    let first = try client.next()
    #expect(first.name == "state" && first.teams == ["1", "2", "3"], "\(first); \(camp.command)")
    let asked = try camp.get("/room/state")
    #expect(Set(first.data.keys) == Set(asked.keys))
    #expect(first.data["teams"] as? NSArray == asked["teams"] as? NSArray)
    try Self.send(2, 2, to: camp.port)
    let second = try client.next()
    #expect(second.name == "change" && second.teams == ["2"])
    #expect(second.data["teams_order"] == nil && second.data["language"] == nil)
    try Self.send(0, to: camp.port)
    let third = try client.next()
    #expect(third.teams == ["0"])
    #expect(third.data["teams_order"] as? [String] == ["0", "1", "2", "3"])
  }

  @Test func `Alarms and what people do with them are told`() throws {
    let camp = try CampServer(folder)
    let client = try EventClient(port: camp.port)
    _ = try client.next("state")
    let emergency = """
      [{"geometry": {"x": 277000, "y": 5180000, "spatialReference": {"wkid": 102100}},
      "attributes": {"CodiEquip": "7", "Motiu": "emergency", "Entrada": 1776499200000,
      "UUID": "00000001-0000-4000-a000-000000000001"}}]
      """
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": emergency])
    func alarm(_ event: EventClient.Event) -> String? {
      (event.data["alarms"] as? [[String: Any]])?.first?["state"] as? String
    }
    #expect(alarm(try client.next()) == "raised")
    try act(["take": "1", "by": "Pau"], at: camp.port)
    #expect(alarm(try client.next()) == "taken")
  }

  @Test func `A stream is heard even if nothing happens`() throws {
    let camp = try CampServer(folder)
    let client = try EventClient(port: camp.port)
    for _ in 0..<3 { #expect(try client.next("beat").data["now"] is String) }
  }

  @Test func `A lost stream goes on where it ended`() throws {
    let camp = try CampServer(folder)
    var client: EventClient? = try EventClient(port: camp.port)
    _ = try client?.next("state")
    try Self.send(1, to: camp.port)
    _ = try client?.next("change")
    let last = try #require(client?.last)
    client = nil
    // Nobody listens now, or somebody else does.
    try Self.send(2, to: camp.port)
    let other = try EventClient(port: camp.port)
    var seen = try other.next("state").teams
    while !seen.contains("2") { seen += try other.next("change").teams }
    try Self.send(3, to: camp.port)
    #expect(try other.next("change").teams == ["3"])
    let again = try EventClient(port: camp.port, after: last)
    var missed: [String] = []
    while missed.count < 2 { missed += try again.next("change").teams }
    #expect(missed == ["2", "3"])
  }

  @Test(arguments: ["nonsense", "1.2.3.4", "..", "a.1.1.99999999999999999999"])
  func `An identifier of another start or of nothing gives the whole state`(_ last: String) throws {
    let camp = try CampServer(folder)
    try Self.send(1, to: camp.port)
    #expect(try EventClient(port: camp.port, after: last).next().name == "state")
  }

  @Test func `An identifier of another language gives the whole state`() throws {
    let camp = try CampServer(folder)
    let client = try EventClient(port: camp.port, headers: "Accept-Language: ca\r\n")
    #expect(try client.next().data["language"] as? String == "ca")
    let other = try EventClient(
      port: camp.port, after: client.last, headers: "Accept-Language: fr\r\n")
    let event = try other.next()
    #expect(event.name == "state" && event.data["language"] as? String == "fr")
  }

  @Test func `Nothing between the state and the subscription is lost`() throws {
    let camp = try CampServer(folder)
    let isOver = DispatchSemaphore(value: 0)
    let port = camp.port
    Thread.detachNewThread {
      for number in 1...30 { try? Self.send(7, UInt32(number), to: port) }
      isOver.signal()
    }
    // Whatever has been stored before, during and after: the last capture reaches each of them.
    let clients = try (0..<20).map { _ in try EventClient(port: port) }
    #expect(isOver.wait(timeout: .now() + 60) == .success)
    let wanted = (try camp.get("/room/state")["teams"] as? [[String: Any]])?.first?["taken"]
    for client in clients {
      var seen: String?
      while seen != wanted as? String {
        let event = try client.next()
        seen = (event.data["teams"] as? [[String: Any]])?.first?["taken"] as? String ?? seen
      }
    }
  }

  // MARK: Who may

  /// A session of a form: its cookie, and what its own requests carry.
  private func session(
    _ page: String, _ form: [String: String], at port: UInt16
  ) throws -> String {
    let answer = try WireClient(port: port).request("POST", "/room/\(page)", form: form)
    let cookie = try #require(answer.header("Set-Cookie")?.prefix { $0 != ";" }, "\(answer)")
    let body = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    return "Cookie: \(cookie)\r\nX-CSRF-Token: \(body?["csrf"] as? String ?? "")\r\n"
  }

  /// A server with an account, and the session of whoever has it.
  private func staffed() throws -> (camp: CampServer, marta: String) {
    let store = try AccessStore(folder: folder.path("camp"))
    try store.add(.init(name: "marta", role: .control, place: nil), password: "correct horse")
    let table = try folder.write("teams.csv", "team;number;phone;public\nA;1;600;sí\nB;2;601;\n")
    let camp = try CampServer(folder, ["--teams", table, "--follower-delay", "0"])
    let form = ["user": "marta", "password": "correct horse"]
    return (camp, try session("login", form, at: camp.port))
  }

  private func links(
    _ form: [String: String], _ session: String, at port: UInt16
  ) throws -> [String: Any] {
    let answer = try WireClient(port: port).request(
      "POST", "/room/links", form: form, headers: session)
    let body = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    return try #require(body, "\(answer)")
  }

  @Test func `A stream needs what the state needs, and shows what it shows`() throws {
    let (camp, marta) = try staffed()
    #expect(try WireClient(port: camp.port).request("GET", "/room/events").status == 401)
    let foreign = try WireClient(port: camp.port).request(
      "GET", "/room/events", headers: "Origin: https://evil.example.org\r\n")
    #expect(foreign.status == 401)
    #expect(try EventClient(port: camp.port, headers: marta).next().teams == ["1", "2"])
    let key = try links(["label": "x"], marta, at: camp.port)["key"] as? String ?? ""
    let follower = try session("enter", ["key": key], at: camp.port)
    let state = try EventClient(port: camp.port, headers: follower).next()
    #expect(state.teams == ["1"] && state.data["alarms"] == nil, "\(state)")
    #expect((state.data["teams"] as? [[String: Any]])?.first?["phone"] == nil)
  }

  @Test func `A revoked link's streams end within five seconds, and nobody else's`() throws {
    let (camp, marta) = try staffed()
    func follower() throws -> EventClient {
      let key = try links(["label": "x"], marta, at: camp.port)["key"] as? String ?? ""
      let session = try session("enter", ["key": key], at: camp.port)
      let client = try EventClient(port: camp.port, headers: session)
      _ = try client.next("state")
      return client
    }
    let (revoked, other) = (try follower(), try follower())
    let start = ContinuousClock.now
    _ = try links(["revoke": "1"], marta, at: camp.port)
    try revoked.wire.waitForEnd()
    #expect(ContinuousClock.now - start < .seconds(5))
    for _ in 0..<2 { _ = try other.next("beat") }
  }

  @Test func `A session that ends, ends its stream`() throws {
    let (camp, marta) = try staffed()
    let client = try EventClient(port: camp.port, headers: marta)
    _ = try client.next("state")
    let answer = try WireClient(port: camp.port).request(
      "POST", "/room/logout", form: [:], headers: marta)
    #expect(answer.status == 200)
    try client.wire.waitForEnd()
  }

  // MARK: Their end

  @Test func `A stop ends streams that sleep`() throws {
    let camp = try CampServer(folder)
    let clients = try (0..<20).map { _ in try EventClient(port: camp.port) }
    for client in clients { _ = try client.next() }
    #expect(camp.end() == 0)
    for client in clients { try client.wire.waitForEnd() }
  }

  @Test func `A client that does not read is cut, and told so when it comes again`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.patience.look = 20
    settings.patience.stream = 300
    let camp = try OpenCamp(settings)
    let slow = try EventClient(port: camp.port, receiveBytes: 4096)
    let quick = try EventClient(port: camp.port)
    _ = try slow.next("state")
    _ = try quick.next("state")
    // More than both kernels keep.
    let note = String(repeating: "x", count: 400)
    var teams = 100
    for _ in 0..<40 {
      let features = (0..<25).map { number in
        teams += 1
        let id = UniqueID(device: UniqueID(high: 1, low: UInt64(teams)), sequence: 1).lowercaseText
        return """
          {"geometry": {"x": 277000, "y": 5180000, "spatialReference": {"wkid": 102100}},
          "attributes": {"CodiEquip": "\(teams)", "Equip": "\(note.prefix(60))", "Motiu":
          "emergency", "Entrada": \(1_776_499_200_000 + number), "UUID": "\(id)"}}
          """
      }
      let answer = try WireClient(port: camp.port).request(
        "POST", "\(OpenCamp.layer)/addFeatures",
        form: ["f": "json", "features": "[\(features.joined(separator: ","))]"])
      try #require(answer.text.contains("\"success\":true"))
      _ = try quick.next("change")
    }
    let last = try #require(slow.last)
    try slow.wire.waitForEnd()
    let again = try EventClient(port: camp.port, after: last)
    #expect(try again.next().name == "cut")
    #expect(try camp.serves())
  }

  @Test func `Many streams are all told, a part at a time`() throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.proxies = ["127.0.0.1"]
    let camp = try OpenCamp(settings)
    let clients = try (0..<(Bounds.wokenAtOnce * 2 + 1)).map { number in
      try EventClient(
        port: camp.port, headers: "X-Forwarded-For: 192.0.2.\(number % 200)\r\n")
    }
    for client in clients { _ = try client.next("state") }
    try Self.send(1, to: camp.port)
    for client in clients { #expect(try client.next().teams == ["1"]) }
  }

  @Test func `Streams of one address leave some of its connections for other things`() throws {
    let camp = try OpenCamp(CampSettings(directory: folder.path("camp")))
    let streams = try (0..<Bounds.streamsOfClient).map { _ in
      try EventClient(port: camp.port, client: 2)
    }
    for stream in streams { _ = try stream.next("state") }
    func status(_ client: UInt32) throws -> String {
      let wire = try WireClient(port: camp.port, client: client)
      try wire.send("GET /room/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      return String(decoding: try wire.piece().prefix(12), as: UTF8.self)
    }
    #expect(try status(2) == "HTTP/1.1 503")
    #expect(try status(3) == "HTTP/1.1 200")
    #expect(try camp.serves(client: 2))
    withExtendedLifetime(streams) {}
  }

  // MARK: The hub

  @Test func `A stream that has missed more than is kept ends, and its client is told`() throws {
    let counter = Counter()
    let hub = EventHub { _, _ in .object([.init("number", .integer(counter.next()))]) }
    let channel = EventChannel(role: .control, language: .english)
    // Nothing is suspended as long as there is something to send.
    let connection = StreamedConnection(try #require(OpaquePointer(bitPattern: 1)))
    func read(_ stream: EventStream?) -> String? {
      var buffer = [UInt8](repeating: 0, count: 8192)
      let count = buffer.withUnsafeMutableBytes { stream?.read(into: $0, connection) }
      return count.map { String(decoding: buffer[..<$0], as: UTF8.self) }
    }
    let stream = hub.subscribe(channel, audience: .everybody, after: nil)
    hub.publish(at: .now)
    let first = try #require(read(stream))
    #expect(first.contains("event: state") && first.contains("\"number\": 2"), "\(first)")
    let ids = first.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { $0.dropFirst(4) }
    let last = String(try #require(ids.last))
    for _ in 0...Bounds.keptChanges { hub.publish(at: .now) }
    #expect(read(stream) == nil)
    let again = read(hub.subscribe(channel, audience: .everybody, after: last))
    #expect(again?.contains("event: cut") == true && again?.contains("event: state") == true)
    let other = read(hub.subscribe(channel, audience: .everybody, after: nil))
    #expect(other?.contains("event: cut") == false)
  }

  @Test func `An audience's streams end at once, and nobody else's`() throws {
    let hub = EventHub { _, _ in .object([.init("teams", .list([]))]) }
    let connections = Connections(ConnectionPatience(), proxies: [], limit: 100)
    var manners = HTTPServer.Manners()
    manners.pages.needsToken = true
    let answer: @Sendable (ServiceRequest, RequestHead) -> Outcome = { request, head in
      let link = request.text("link").flatMap { Int64($0) } ?? 0
      let channel = EventChannel(role: .follower, language: .english)
      let stream = hub.subscribe(channel, audience: .link(link), after: head.lastEvent)
      return stream.map { .stream($0) } ?? .reply(.hangUp)
    }
    let handler = HTTPServer.Handler(lane: { _, _ in .other }, answer: answer)
    let server = try HTTPServer(
      at: ListenAddress(address: ListenAddress.standard.address, port: 0), nil, manners,
      connections, hub, handler)
    func open(_ link: Int) throws -> WireClient {
      let client = try WireClient(port: server.port)
      try client.send("GET /room/events?link=\(link) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      _ = try client.piece()
      return client
    }
    let revoked = try (0..<3).map { _ in try open(1) }
    let other = try open(2)
    let start = ContinuousClock.now
    hub.end(audience: .link(1))
    for client in revoked { try client.waitForEnd() }
    #expect(ContinuousClock.now - start < .seconds(5))
    hub.publish(at: HostTime(utc: HostTime.now.utc, uptime: HostTime.now.uptime + .seconds(60)))
    #expect(try other.piece().count > 0)
  }

  @Test func `A channel is rendered once for all its subscribers`() throws {
    let renderings = Counter()
    let hub = EventHub { _, _ in
      .object([.init("number", .integer(renderings.next()))])
    }
    let english = EventChannel(role: .control, language: .english)
    let streams = (0..<100).compactMap { _ in
      hub.subscribe(english, audience: .everybody, after: nil)
    }
    #expect(streams.count == 100 && renderings.count == 1)
    hub.publish(at: .now)
    #expect(renderings.count == 2)
    let other = EventChannel(role: .control, language: .catalan)
    let more = hub.subscribe(other, audience: .everybody, after: nil)
    hub.publish(at: .now)
    #expect(more != nil && renderings.count == 5)
  }

  private typealias Entry = (String, Int)

  private func state(_ teams: [Entry], version: Int = 0) -> SharedState {
    let rows = teams.map {
      Figure.object([.init("tracker", .text($0.0)), .init("done_m", .integer($0.1))])
    }
    return SharedState(
      .object([
        .init("now", .text("\(version)")), .init("version", .integer(version)),
        .init("problem", .none), .init("teams", .list(rows)),
      ]))
  }

  @Test func `What changes is told, and nothing if only the time does`() {
    let before = state([("a", 1), ("b", 2)])
    #expect(state([("a", 1), ("b", 2)], version: 1).changes(since: before) == nil)
    let row = "{\"tracker\": \"b\", \"done_m\": 3}"
    let head = "{\"now\": \"1\", \"version\": 1"
    #expect(
      state([("a", 1), ("b", 3)], version: 1).changes(since: before)?.line
        == "\(head), \"teams\": [\(row)]}")
    #expect(
      state([("b", 2), ("a", 1)], version: 1).changes(since: before)?.line
        == "\(head), \"teams_order\": [\"b\", \"a\"]}")
    #expect(
      state([("b", 3)], version: 1).changes(since: before)?.line
        == "\(head), \"teams\": [\(row)], \"teams_order\": [\"b\"]}")
  }
}

/// Counts from several threads.
private final class Counter: Sendable {
  private let mutex = NSLock()
  nonisolated(unsafe) private var value = 0
  var count: Int { mutex.withLock { value } }
  func next() -> Int {
    mutex.withLock {
      value += 1
      return value
    }
  }
}
