import BoardSupport
import FeatureService
import Foundation
import Simulation
import Testing
import TrackerCore

@testable import tracker_sim

@Suite("A scenario file")
struct ScenarioFileTests {
  static let directory =
    URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/traces/scenarios"

  private func read(_ bytes: [UInt8]) throws(FileError) -> Scenario {
    try Scenario(try FileNode.parse(bytes, path: "x.json5")) { _ in [] }
  }

  private func error(_ text: String) -> String? {
    do {
      _ = try read(Array(text.utf8))
      return nil
    } catch {
      return error.description
    }
  }

  @Test("that says nothing is a day on which nothing goes wrong")
  func empty() throws {
    #expect(try read(Array("{}".utf8)) == Scenario())
  }

  private static let everything = """
    { coverage: [ { from: "2:00:00", to: "3:00:00", kind: "denied" },
                  { from: "5 min", to: "1:00:00", kind: "noService" },
                  { from: "1:00:00", to: "1:30:00", kind: "noBearer" } ],
      server: [ { from: "0 s", to: "10 s", fault: "http", status: 503, retryAfter: "2 min" },
                { from: "10 s", to: "20 s", fault: "refuse", every: 3 },
                { from: "20 s", to: "30 s", fault: "timeout", above: 1500, probability: "20 %" },
                { from: "30 s", to: "40 s", fault: "loseAcknowledgement" },
                { from: "40 s", to: "50 s", fault: "unauthorised" },
                { from: "50 s", to: "55 s", fault: "cutAnswer" },
                { from: "55 s", to: "60 s", fault: "portal" },
                { from: "60 s", to: "61 s", fault: "late", delay: "2 min", on: "edits" },
                { from: "61 s", to: "62 s", fault: "httpAfter", status: 504, on: "both" },
                { from: "62 s", to: "63 s", fault: "reset", on: "queries" },
                { from: "63 s", to: "64 s", fault: "partial", on: "all" },
                { from: "64 s", fault: "rejectRequest", code: -2147217395 } ],
      service: { kind: "osmAnd", globalIDs: false, partialEdits: false, tokens: "60 min" },
      badCaptures: [40, 7],
      receiver: [ { from: "1 h", to: "1:00:30", fault: "silent" } ],
      modem: [
        { from: "0 s", to: "1 s", fault: "mute" },
        { from: "1 s", to: "2 s", fault: "noSIM" },
               { from: "2 s", to: "3 s", fault: "simLocked" } ],
      battery: { start: "90 %", weakCell: "60 %",
                 temperature: [ { from: "1 h", celsius: "-4 °C" } ] },
      store: [ { from: "1 h", to: "2 h", fault: "full" } ],
      commands: [ { at: "2 h", command: "stop" }, { at: "0 s", command: "start" },
                  { at: "1 h", command: "captureNow" }, { at: "1 h", command: "sendNow" },
                  { at: "1 h", command: { setTeam: "Ànecs" } } ],
      network: { latency: "2 s", bytesPerSecond: 4000, registration: "15 s" } }
    """

  @Test("that says everything arrives whole, each track sorted")
  func everything() throws {
    var expected = Scenario()
    expected.coverage = [
      Window(from: .minutes(5), to: .hours(1), content: .noService),
      Window(from: .hours(1), to: .minutes(90), content: .noBearer),
      Window(from: .hours(2), to: .hours(3), content: .denied),
    ]
    expected.server = [
      Window(
        from: 0, to: 10_000,
        content: Fault(.http(status: 503, retryAfter: .minutes(2)))),
      Window(from: 10_000, to: 20_000, content: Fault(.refuse, .every(3))),
      Window(
        from: 20_000, to: 30_000, content: Fault(.timeout, .probability(percent: 20))),
      Window(from: 30_000, to: 40_000, content: Fault(.loseAcknowledgement)),
      Window(from: 40_000, to: 50_000, content: Fault(.unauthorised)),
      Window(from: 50_000, to: 55_000, content: Fault(.cutAnswer)),
      Window(from: 55_000, to: 60_000, content: Fault(.portal)),
      Window(from: 60_000, to: 61_000, content: Fault(.late(.minutes(2)), on: .edits)),
      Window(from: 61_000, to: 62_000, content: Fault(.httpAfter(status: 504), on: .both)),
      Window(from: 62_000, to: 63_000, content: Fault(.reset, on: .queries)),
      Window(from: 63_000, to: 64_000, content: Fault(.partial)),
      Window(from: 64_000, to: nil, content: Fault(.rejectRequest(code: -2_147_217_395))),
    ]
    expected.server[2].content.above = 1500
    expected.service.kind = .osmAnd
    expected.service.takesGlobalIDs = false
    expected.service.keepsPartOfRequest = false
    expected.service.tokenLife = .minutes(60)
    expected.badCaptures = [7, 40]
    expected.receiver = [Window(from: .hours(1), to: 3_630_000, content: .silent)]
    expected.modem = [
      Window(from: 0, to: 1000, content: .mute), Window(from: 1000, to: 2000, content: .noSIM),
      Window(from: 2000, to: 3000, content: .simLocked),
    ]
    expected.batteryStartPercent = 90
    expected.weakCellPercent = 60
    expected.batteryCelsius = [Window(from: .hours(1), to: nil, content: -4)]
    expected.store = [Window(from: .hours(1), to: .hours(2), content: .full)]
    expected.commands = [
      TimedCommand(at: 0, command: .start), TimedCommand(at: .hours(1), command: .captureNow),
      TimedCommand(at: .hours(1), command: .sendNow),
      TimedCommand(at: .hours(1), command: .setTeam(InlineText("Ànecs"))),
      TimedCommand(at: .hours(2), command: .stop),
    ]
    expected.network.latency = 2000
    expected.network.bytesPerSecond = 4000
    expected.network.registration = .seconds(15)
    #expect(try read(Array(Self.everything.utf8)) == expected)
  }

  @Test(
    "of the project loads",
    arguments: [
      "valleys", "bad-server", "old-server", "cold-night", "locked-sim", "stubborn-modem",
      "path-swallows", "path-resets", "silent-server", "dead-address",
    ])
  func samples(_ name: String) throws {
    #expect(try Scenario.load(path: "\(Self.directory)/\(name).json5") != Scenario())
  }

  @Test("is in the list above")
  func complete() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory)
    #expect(
      names.sorted() == [
        "bad-server.json5", "cold-night.json5", "dead-address.json5", "locked-sim.json5",
        "old-server.json5", "path-resets.json5", "path-swallows.json5", "silent-server.json5",
        "stubborn-modem.json5", "valleys.json5",
      ])
  }

  @Test("a window begins with its first instant and ends before its last")
  func windows() {
    let window = Window(from: 10, to: 20, content: CoverageHole.denied)
    #expect(!window.contains(9) && window.contains(10) && window.contains(19))
    #expect(!window.contains(20))
    #expect(Window(from: 10, to: nil, content: 1).contains(.hours(100)))
  }

  static let mistakes: [(text: String, error: String)] = [
    (
      "{ sim: { pin: \"74\" } }",
      "1: sim.pin: is not a PIN; write four to eight digits, for example \"0742\""
    ),
    (
      """
      { coverage: [
        { from: "1:00:00", to: "2:00:00", kind: "noService" },
        { from: "0:10:00", to: "1:00:01", kind: "denied" } ] }
      """,
      "2: coverage[0]: overlaps coverage[1] on line 3; end the one before the other begins"
    ),
    (
      "{ store: [ { from: '0 s', fault: 'full' },\n { from: '9 h', to: '10 h', fault: 'full' } ] }",
      "2: store[1]: overlaps store[0] on line 1; end the one before the other begins"
    ),
    (
      "{ coverage: [\n { from: '2 h', to: '1 h', kind: 'denied' } ] }",
      "2: coverage[0].to: is not after \"from\"; swap the two, or leave \"to\" out for the end"
    ),
    (
      "{ coverage: [ { from: '2 h', to: '2 h', kind: 'denied' } ] }",
      "1: coverage[0].to: is not after \"from\"; swap the two, or leave \"to\" out for the end"
    ),
    (
      "{ coverage: [ { from: '1:60:00', kind: 'denied' } ] }",
      "1: coverage[0].from: \"1:60:00\" is not a time since the start; write for "
        + "example \"4:30:00\""
    ),
    (
      "{ coverage: [ { from: '4:30', kind: 'denied' } ] }",
      "1: coverage[0].from: \"4:30\" is not a time since the start; write for "
        + "example \"4:30:00\""
    ),
    (
      "{ coverage: [ { from: '1000:00:01', kind: 'denied' } ] }",
      "1: coverage[0].from: \"1000:00:01\" is out of range; write at most \"1000:00:00\""
    ),
    (
      "{ coverage: [ { from: '-1 s', kind: 'denied' } ] }",
      "1: coverage[0].from: \"-1 s\" is negative; write a length of time from 0 ms to 1000 h"
    ),
    (
      "{ coverage: { from: '1 h', kind: 'denied' } }",
      "1: coverage: is an object { … }; write a list [ … ]"
    ),
    (
      "{ coverage: [ { from: '1 h', kind: 'nosevice' } ] }",
      "1: coverage[0].kind: \"nosevice\" is not a valid choice; did you mean \"noService\"?"
    ),
    (
      "{ coverage: [ { kind: 'denied' } ] }",
      "1: coverage[0].from: is missing; add for example from: \"4:30:00\""
    ),
    (
      "{ server: [ { from: '1 h', fault: 'timeout',\n status: 503 } ] }",
      "2: server[0].status: does not belong to the fault \"timeout\"; remove it, or choose \"http\""
    ),
    (
      "{ server: [ { from: '1 h', fault: 'portal', on: 'mondays' } ] }",
      "1: server[0].on: \"mondays\" is not a valid choice; write \"edits\", \"queries\", \"both\" "
        + "or \"all\""
    ),
    (
      "{ server: [ { from: '1 h', fault: 'http', status: 200 } ] }",
      "1: server[0].status: 200 is out of range; write a whole number from 300 to 599 "
        + "(a lower status is not a fault)"
    ),
    (
      "{ server: [ { from: '1 h', fault: 'http' } ] }",
      "1: server[0].status: is missing; add for example status: 503"
    ),
    (
      "{ server: [ { from: '1 h', fault: 'timeout', every: 2, probability: '5 %' } ] }",
      "1: server[0].probability: cannot be combined with \"every\"; remove one of the two"
    ),
    (
      "{ service: { tokens: '20 s' } }",
      "1: service.tokens: \"20 s\" is out of range; write a length of time from 1 min to 1000 h "
        + "(a token's lifetime)"
    ),
    (
      "{ badCaptures: [1, 2, 1] }",
      "1: badCaptures[2]: 1 is listed twice; remove one"
    ),
    (
      "{ badCaptures: [0] }",
      "1: badCaptures[0]: 0 is out of range; write a whole number from 1 to 4294967295 "
        + "(sequence numbers begin at 1)"
    ),
    (
      "{ battery: { temperature: [ { from: '0 s', celsius: 5 } ] } }",
      "1: battery.temperature[0].celsius: is a number without a unit; write for example \"5 °C\""
    ),
    (
      "{ commands: [ { at: '0 s', command: 'explode' } ] }",
      "1: commands[0].command: \"explode\" is not a valid choice; write \"start\", \"stop\", "
        + "\"captureNow\", \"sendNow\", \"unsetTeam\", \"emergency\", \"emergencyOver\", "
        + "\"askForCall\", \"endCallRequest\" or \"tryPIN\""
    ),
    (
      "{ commands: [ { at: '0 s', command: { setteam: 'x' } } ] }",
      "1: commands[0].command.setteam: is not a known key; did you mean \"setTeam\"?"
    ),
    (
      "{ netwrok: {} }",
      "1: netwrok: is not a known key; did you mean \"network\"?"
    ),
  ]

  @Test("with a mistake is one line with its place and its cure", arguments: 0..<mistakes.count)
  func told(_ index: Int) {
    let (text, expected) = Self.mistakes[index]
    #expect(
      error(text) == "x.json5:" + expected, "swift test --filter ScenarioFileTests/told")
  }

  /// Bytes of the project's scenarios deleted, changed and doubled; the seed is fixed.
  @Test("that was mutated yields a scenario or one line, and never a trap")
  func fuzz() throws {
    var texts: [[UInt8]] = []
    for name in ["valleys", "bad-server", "old-server", "cold-night"] {
      texts.append(Array(try Data(contentsOf: URL(filePath: "\(Self.directory)/\(name).json5"))))
    }
    var state: UInt64 = 1
    func random(_ bound: Int) -> Int {
      // Knuth's MMIX generator; its high bits are good enough to break a text.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, bound)
    }
    for index in 0..<6000 {
      var bytes = texts[index % texts.count]
      for _ in 0...random(3) {
        let position = random(bytes.count)
        let end = min(bytes.count, position + random(10))
        switch random(4) {
        case 0: bytes.removeSubrange(position..<end)
        case 1: bytes.insert(contentsOf: Array(bytes[position..<end]), at: random(bytes.count))
        case 2 where position < bytes.count: bytes[position] = UInt8(random(256))
        default: bytes.replaceSubrange(position..<end, with: "9999999999".utf8.prefix(random(11)))
        }
      }
      do {
        _ = try read(bytes)
      } catch {
        let isOneLine = !error.description.contains { $0.isNewline }
        #expect(isOneLine, "case \(index): swift test --filter ScenarioFileTests/fuzz")
      }
    }
  }
}
