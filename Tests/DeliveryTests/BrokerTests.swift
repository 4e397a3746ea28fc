import CaptureStore
import Courier
import Foundation
import HTTPTransfer
import SQLite
import TestSupport
import Testing
import TrackerCore
import Uplink

/// Captures over Debian's mosquitto to basecamp, as trackers of kind "mqtt" send them.
@Suite(.blocking, .enabled(if: MosquittoBroker.missing == nil, MosquittoBroker.missing))
struct BrokerTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `A capture comes by a broker as it comes to the layer itself`() throws {
    let broker = try MosquittoBroker(folder)
    let camp = try BrokerCamp(folder, broker)
    let store = try folder.store(300)
    let other = try ScratchFolder()
    try FileManager.default.copyItem(atPath: store, toPath: other.path("race.store"))
    let run = try push(broker, store, "device: 'dorsal-7'")
    #expect(run.output == "pushed 300, 0 left, 0 set aside\n", "\(run.errors)\(run.command)")
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    let direct = try CampServer(other)
    let config = try other.configuration(
      direct.layer, store: other.path("race.store"), more: "device: 'dorsal-7'")
    #expect(try controlRun(["push", "--config", config]).code == 0)
    let (own, expected) = (try camp.server.features(), try direct.features())
    #expect(own.count == 300 && own.map(Self.rounded) == expected.map(Self.rounded))
  }

  /// With coordinates to the decimetre: a tracker projects them itself for a layer.
  private static func rounded(_ feature: String) -> String {
    feature.replacing(/([xy])=(-?\d+\.\d)\d*/) { "\($0.1)=\($0.2)" }
  }

  private func push(
    _ broker: MosquittoBroker, _ store: String, _ more: String
  ) throws -> ProgramResult {
    try controlRun([
      "push", "--config",
      try folder.configuration(broker.address, store: store, kind: "mqtt", more: more),
    ])
  }

  @Test(arguments: [Publication.Acknowledger.receiver, .broker])
  func `A broker to which nobody listens is a problem at once, and what it is`(
    _ word: Publication.Acknowledger
  ) throws {
    let broker = try MosquittoBroker(folder)
    let tracker = try PublishingTracker(broker, 3, acknowledger: word)
    let (result, problem) = tracker.upload()
    #expect(result?.acknowledged == [] && result?.doubtful == [])
    #expect(result?.outcome == .upload(.busy(status: 503, retryAfter: nil)))
    #expect(
      problem?.hasPrefix("\(broker.address): nobody listens on \(tracker.topic); check") == true,
      "\(problem ?? "")")
  }

  @Test func `Recorders of OwnTracks get what they understand, and the broker's word counts`()
    throws
  {
    let broker = try MosquittoBroker(folder)
    let recorder = try MQTTWire(broker, "recorder")
    try recorder.subscribe("owntracks/#")
    let path = try folder.store(3)
    let run = try push(broker, path, "user: 't7', device: 'x7', acknowledgedBy: 'broker'")
    #expect(run.output == "pushed 3, 0 left, 0 set aside\n", "\(run.errors)\(run.command)")
    for _ in 0..<3 {
      let (topic, payload) = try recorder.message()
      #expect(topic == "owntracks/t7/x7")
      let location = try #require(
        try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
      #expect(location["_type"] as? String == "location" && location["tid"] as? String == "x7")
      #expect(abs(try #require(location["lat"] as? Double) - 41.8) < 0.001, "\(payload)")
      #expect(location["lon"] as? Double == 2.1, "\(payload)")
      let time = try #require(location["tst"] as? Int64)
      #expect((1_349_517_610...1_349_517_630).contains(time), "\(payload)")
    }
    let config = try folder.configuration(
      broker.address, store: path, kind: "mqtt", more: "acknowledgedBy: 'broker'")
    let check = try ProgramResult(
      "trackerd", ["--board", "pi-zero-2w-sim7600", "--config", config, "--check"])
    #expect(check.code == 0 && check.output.contains("server.acknowledgedBy: "), "\(check.output)")
  }

  @Test func `Passwords, rights and TLS are those of the README`() throws {
    let authority = try TestAuthority()
    try authority.issue("server", host: "IP:127.0.0.1")
    let broker = try Self.guarded(folder, authority, users: ["basecamp", "t7", "t8"])
    let camp = try BrokerCamp(
      folder, broker,
      [
        "--mqtt-user", "basecamp", "--mqtt-password-file",
        try folder.write("camp-password", "of basecamp\n"), "--mqtt-ca", authority.certificate,
      ])
    let tracker = try PublishingTracker(
      broker, 5, user: "t7", device: "t7", authorities: authority.certificate)
    #expect(tracker.upload().result?.acknowledged.count == 5, "\(camp.server.command)")
    let wrong = try PublishingTracker(
      broker, 5, user: "t7", password: "of t8", device: "t7", authorities: authority.certificate)
    let (refused, why) = wrong.upload()
    #expect(refused?.outcome == .upload(.unauthorised))
    #expect(why?.contains("the broker refuses user or password") == true, "\(why ?? "")")
    // Another tracker's name in the topic.
    let posing = try PublishingTracker(
      broker, 5, user: "t8", device: "t7", authorities: authority.certificate)
    let (denied, whyDenied) = posing.upload()
    #expect(denied?.acknowledged == [] && whyDenied?.contains("ACL") == true, "\(whyDenied ?? "")")
    #expect(wrong.check()?.outcome == .notReady(.unauthorised))
    #expect(tracker.check()?.outcome == .ready, "it sends no capture; \(camp.server.command)")
    let other = try TestAuthority()
    let distrustful = try PublishingTracker(broker, 5, user: "t7", authorities: other.certificate)
    let (unsent, whyUnsent) = distrustful.upload()
    #expect(unsent?.outcome == .upload(.unreachable))
    #expect(
      whyUnsent?.contains("check the date, the server's name and the authorities' file") == true,
      "\(whyUnsent ?? "")")
    #expect(try camp.server.count() == 5, "\(camp.server.command)")
  }

  /// mosquitto with the settings that Sources/basecamp/README.md shows, in a folder of its own.
  /// Each user's password is `of USER`.
  static func guarded(
    _ folder: ScratchFolder, _ authority: TestAuthority, users: [String]
  ) throws -> MosquittoBroker {
    let readme = try String(
      contentsOf: Built.repository.appendingPathComponent("Sources/basecamp/README.md"),
      encoding: .utf8)
    func block(_ name: String) throws -> String {
      let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
      let start = try #require(lines.firstIndex { $0 == "    # /etc/mosquitto/\(name)" })
      return lines[(start + 1)...].prefix { $0.hasPrefix("    ") && !$0.hasPrefix("    #") }
        .map { $0.dropFirst(4) }.joined(separator: "\n")
    }
    let passwords = try folder.write("passwords", "")
    for user in users {
      let run = try ProgramResult(running: [
        "mosquitto_passwd", "-b", passwords, user, "of \(user)",
      ])
      #expect(run.code == 0, "\(run.errors)")
    }
    let settings = try block("conf.d/race.conf")
      .replacing("listener 8883\n", with: "")
      .replacing("/etc/mosquitto/certs", with: authority.folder.path)
      .replacing("/etc/mosquitto/passwords", with: passwords)
      .replacing("/etc/mosquitto/acl", with: try folder.write("acl", try block("acl") + "\n"))
    return try MosquittoBroker(folder, settings, isEncrypted: true)
  }

  @Test func `What the layer never takes is set aside, and the rest is stored`() throws {
    let broker = try MosquittoBroker(folder)
    let camp = try BrokerCamp(folder, broker)
    // Beyond the map's edge, which is at 85 degrees.
    let polar = try PublishingTracker(broker, 3, latitude: 899_000_000)
    let result = polar.upload().result
    #expect(result?.refused.map(\.key) == [1, 2, 3] && result?.acknowledged == [])
    let long = try PublishingTracker(broker, 2, device: String(repeating: "x", count: 60))
    #expect(long.upload().result?.acknowledged.count == 2, "a long name is cut")
    #expect(try camp.server.count() == 2, "\(camp.server.command)")
  }

  @Test func `Messages of the room go down with what is acknowledged, until they have arrived`()
    throws
  {
    let broker = try MosquittoBroker(folder)
    let camp = try BrokerCamp(folder, broker)
    let database = try SQLiteDatabase(path: folder.path("camp/basecamp.db"))
    try database.execute(
      """
      INSERT INTO message (Desti, Numero, Classe, Text, Autor, Creat)
      VALUES ('dorsal-7', 1, 'message', 'Bona nit', 'Marta', 1349517600000)
      """)
    let tracker = try PublishingTracker(broker, 3, device: "dorsal-7")
    func upload() -> Int { tracker.upload().result?.acknowledged.count ?? 0 }
    #expect(upload() == 3, "\(camp.server.command)")
    let messages = tracker.fetch(after: 0)
    #expect(messages.map(\.text) == ["Bona nit"] && messages.map(\.author) == ["Marta"])
    // It comes again as long as the tracker does not say that it has it.
    #expect(upload() == 3 && tracker.fetch(after: 1).isEmpty, "\(camp.server.command)")
    #expect(try fetched(database) == 0, "\(camp.server.command)")
    #expect(upload() == 3 && tracker.fetch(after: 1).isEmpty, "\(camp.server.command)")
    #expect(try fetched(database) == 1, "\(camp.server.command)")
  }

  private func fetched(_ database: borrowing SQLiteDatabase) throws -> Int64 {
    try database.integer("SELECT count(*) FROM message WHERE Rebut IS NOT NULL") ?? 0
  }
}

/// basecamp with a broker, once it listens there; its log is kept.
final class BrokerCamp {
  let server: CampServer
  private let path: String

  init(
    _ folder: ScratchFolder, _ broker: MosquittoBroker, _ words: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    path = folder.path("camp-\(UUID().uuidString).log")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let before = broker.log("Sending SUBACK to bc-").count
    server = try CampServer(
      folder, ["--mqtt", broker.address] + words, environment: environment, errors: .file(file))
    let command = server.command
    try eventually("basecamp listens; \(command)") {
      broker.log("Sending SUBACK to bc-").count > before
    }
  }

  var log: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

/// A tracker's dialogue and client, with captures that it sends as often as it is told.
final class PublishingTracker {
  private let captures: [OutgoingCapture]
  private var dialogue: PostingDialogue
  private let sender: RequestSender
  let topic: String

  /// - Parameters:
  ///   - patience: for an answer.
  init(
    _ broker: MosquittoBroker, _ count: UInt32, user: String? = nil, password: String? = nil,
    device: String? = nil, authorities: String? = nil,
    acknowledger: Publication.Acknowledger = .receiver, patience: Milliseconds = .seconds(20),
    latitude: Int32? = nil
  ) throws {
    let own = UniqueID(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
    captures = (1...count).map { number in
      var capture = Walk.capture(number)
      if let latitude { capture.position?.latitude = latitude }
      return OutgoingCapture(capture, device: own)
    }
    let name = user ?? "trailtracker"
    var configuration = try PostingConfiguration(
      format: .mqtt(user: name, acknowledger), url: broker.address,
      credentials: user.map { .basic(user: $0, password: Secret(password ?? "of \($0)")) } ?? .none)
    configuration.deviceCode = device
    topic = "owntracks/\(name)/\(device ?? own.lowercaseText)"
    dialogue = PostingDialogue(configuration)
    var network = HTTPClientConfiguration()
    network.slowPeriod = patience
    network.authoritiesFile = authorities
    sender = try RequestSender(network)
  }

  /// Sends all.
  func upload() -> (result: UplinkResult?, problem: String?) {
    perform(.upload(captures, nextContactBy: nil))
  }

  func check() -> UplinkResult? { perform(.check).result }

  private func perform(_ task: UplinkTask) -> (result: UplinkResult?, problem: String?) {
    var step = dialogue.begin(task, at: Walk.start)
    var problem: String?
    while case .send(let request) = step {
      let answer = sender.perform(request)
      problem = answer.failure?.texts.english
      step = dialogue.receive(answer.reply, at: Walk.start)
    }
    guard case .done(let result) = step else { return (nil, problem) }
    return (result, problem)
  }

  func fetch(after number: UInt32) -> [ServedMessage] {
    let question = MailQuestion(device: captures[0].device, after: number)
    guard case .done(let result) = dialogue.fetch(question, at: Walk.start),
      case .mail(.fetched(let messages)) = result.outcome
    else { return [] }
    return messages
  }
}
