import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// What happens to captures on a broker when one of the three is killed, replaced or flooded.
@Suite(.blocking, .enabled(if: MosquittoBroker.missing == nil, MosquittoBroker.missing))
struct BrokerTroubleTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `A broker that is killed and has forgotten everything costs no capture`() throws {
    let broker = try MosquittoBroker(folder)
    let camp = try BrokerCamp(folder, broker)
    let path = try folder.store(3000)
    let config = try folder.configuration(broker.address, store: path, kind: "mqtt")
    let push = try RunningProgram(
      [Built.program("trackerctl").path, "push", "--config", config], output: .pipe)
    try eventually("captures in the layer", pause: 0.002) { try camp.server.count() > 0 }
    broker.kill()
    try eventually("basecamp says that the broker is away") {
      camp.log.contains("the broker is not heard: \(broker.address)")
    }
    try broker.start()
    #expect(push.outputToEnd() == "pushed 3000, 0 left, 0 set aside\n", "\(camp.server.command)")
    #expect(camp.log.contains("\(broker.address) is heard again"), "\(camp.server.command)")
    let identifiers = try camp.server.identifiers()
    #expect(identifiers.count == 3000 && Set(identifiers).count == 3000)
  }

  @Test(.enabled(if: Tool.url("cc") != nil, "needs a C compiler; install it with .ci/setup"))
  func `basecamp that dies between commit and acknowledgement stores nothing twice`() throws {
    let broker = try MosquittoBroker(folder)
    let source = try folder.write(
      "dies.c", "#include <signal.h>\nint mosquitto_publish_v5(void) { return raise(SIGKILL); }\n")
    let library = folder.path("dies.so")
    let made = try ProgramResult(running: ["cc", "-shared", "-fPIC", "-o", library, source])
    #expect(made.code == 0, "\(made.errors)")
    let first = try BrokerCamp(folder, broker, environment: ["LD_PRELOAD": library])
    let tracker = try PublishingTracker(broker, 100, patience: .seconds(2))
    let (lost, problem) = tracker.upload()
    #expect(lost?.outcome == .upload(.ambiguous) && lost?.acknowledged == [])
    #expect(lost?.doubtful.count == 100)
    #expect(
      problem?.contains("nobody has confirmed on \(tracker.topic)/ack") == true, "\(problem ?? "")")
    first.server.wait()
    #expect(!first.server.hasExited, "it was killed; \(first.server.command)")
    let second = try BrokerCamp(folder, broker)
    let stored = try second.server.count()
    #expect(stored > 0, "\(second.server.command)")
    #expect(tracker.upload().result?.acknowledged.count == 100, "\(second.server.command)")
    let identifiers = try second.server.identifiers()
    #expect(identifiers.count == 100 && Set(identifiers).count == 100)
  }

  @Test func `A session that a clone takes over is taken back, and nothing is lost`() throws {
    let broker = try MosquittoBroker(folder)
    let camp = try BrokerCamp(folder, broker)
    let line = broker.log("Sending SUBACK to bc-")
    let own = try #require(line.split(separator: " ").last { $0.hasPrefix("bc-") })
    let clone = try MQTTWire(broker, String(own))
    try eventually("basecamp is back") { camp.log.contains("is heard again") }
    #expect(throws: Problem.self) { try clone.ping() }
    let tracker = try PublishingTracker(broker, 50)
    #expect(tracker.upload().result?.acknowledged.count == 50, "\(camp.server.command)")
    #expect(try camp.server.count() == 50, "\(camp.server.command)")
  }

  @Test func `Five thousand retained messages of others are counted and left out`() throws {
    let broker = try MosquittoBroker(folder)
    let others = try MQTTWire(broker, "others")
    for number in 0..<5000 {
      try others.publish(
        #"{"_type":"location","lat":41.9,"lon":2.8,"tst":1349517610,"tid":"ab"}"#,
        on: "owntracks/others/\(number)", isRetained: true)
    }
    try others.ping()
    let camp = try BrokerCamp(folder, broker)
    try eventually("a line of the log", pause: 0.02) {
      camp.log.contains("no captures of trackers")
    }
    let tracker = try PublishingTracker(broker, 50)
    #expect(tracker.upload().result?.acknowledged.count == 50, "\(camp.server.command)")
    #expect(try camp.server.count() == 50, "\(camp.server.command)")
    let lines = camp.log.split(separator: "\n").filter { $0.contains("no captures of trackers") }
    #expect(lines.count == 1, "\(lines)")
  }

  @Test(.enabled(if: PostgreSQLServer.missing == nil, PostgreSQLServer.missing))
  func `Basecamps on one database share what comes, and acknowledge nothing while it is away`()
    throws
  {
    let broker = try MosquittoBroker(folder)
    let database = try PostgreSQLServer()
    let camps = try (0..<2).map { _ in
      try BrokerCamp(
        folder, broker, ["--database", database.address(), "--race", "girona"])
    }
    let tracker = try PublishingTracker(broker, 200, patience: .seconds(2))
    #expect(tracker.upload().result?.acknowledged.count == 200, "\(camps[0].server.command)")
    for camp in camps { #expect(camp.log.contains("capture stored"), "\(camp.log)") }
    try database.stop()
    let later = try PublishingTracker(broker, 100, patience: .seconds(2))
    #expect(later.upload().result?.acknowledged == [], "\(camps[0].server.command)")
    let log = camps.map(\.log).joined()
    #expect(log.contains("captures are not stored, and come again"), "\(log)")
    try database.start()
    try eventually("all acknowledged; \(camps[0].server.command)") {
      later.upload().result?.acknowledged.count == 100
    }
    let identifiers = try camps[1].server.identifiers()
    #expect(identifiers.count == 300 && Set(identifiers).count == 300)
  }
}
