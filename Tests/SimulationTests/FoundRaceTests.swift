import BoardSupport
import CaptureStore
import Testing
import TrackerCore

@testable import Simulation

/// Races that `tracker-sim explore` has found and made small. Each broke an invariant until the
/// simulator, the watch or the core was mended.
@Suite struct FoundRaceTests {
  /// Some minutes of a walk: a report at each of these seconds.
  private static func trace(_ lines: String...) -> [UInt8] {
    Array(lines.map { $0 + "\r\n" }.joined().utf8)
  }

  private func broken(
    by scenario: String, _ settings: String..., modem: String = "",
    board: String = Swarm.boards[0], seed: UInt64 = 1, trace: [UInt8]
  ) throws -> [BrokenInvariant] {
    var race = ExploredCase(seed: seed)
    race.board = board
    race.settings = settings
    race.scenario = try Scenario(
      FileNode.parse(Array(scenario.utf8), path: "scenario.json5")
    ) { _ in Array(modem.utf8) }
    race.trace = trace
    return try ExploredRace.run(race, on: FaultExplorationTests.board(board)).broken
  }

  @Test func `A stop that has no date, as the date was in doubt, may be forgotten with the power`()
    throws
  {
    let found = try broken(
      by: """
        { commands: [{ at: "2508822 ms", command: "stop" }],
          restarts: [{ at: "3385904 ms", kind: "powerCut", for: "1 s" }] }
        """,
      seed: 968_003_756,
      trace: Self.trace(
        "$GPGGA,080010.00,4159.01887,N,00237.10362,E,1,10,0.83,179.0,M,49.0,M,,*52",
        "$GPRMC,080020.00,A,4159.01392,N,00237.09998,E,2.051,209.85,180426,,,A*6A",
        "$GPRMC,080030.00,A,4159.00853,N,00237.09624,E,2.167,207.11,180426,,,A*63",
        "$GPGGA,080050.00,4158.99735,N,00237.08933,E,1,10,0.82,182.1,M,49.0,M,,*53",
        "$GPGGA,083500.00,4157.95561,N,00237.83686,E,1,11,0.75,166.0,M,49.0,M,,*50",
        "$GPRMC,083510.00,A,4157.94934,N,00237.84252,E,2.799,150.02,020906,,,A*64",
        "$GPRMC,085740.00,A,4157.37540,N,00238.08327,E,2.649,90.32,020906,,,A*59",
        "$GPGGA,085750.00,4157.37537,N,00238.09308,E,1,10,0.82,176.4,M,49.0,M,,*58",
        "$GPGGA,085800.00,4157.37510,N,00238.10288,E,1,10,0.82,176.9,M,49.0,M,,*5B",
        "$GPRMC,085810.00,A,4157.37472,N,00238.11265,E,2.618,93.42,020906,,,A*5C",
        "$GPRMC,085850.00,A,4157.37155,N,00238.15062,E,2.560,95.72,020906,,,A*50"))
    #expect(found == [])
  }

  /// The program ended as it noted that it was about to send: nothing has left it.
  @Test func `A program that has ended within a write sends nothing any more`() throws {
    let found = try broken(
      by: """
        { service: { globalIDs: false },
          commands: [{ at: "1117516 ms", command: "emergency" }],
          restarts: [{ at: "1388116 ms", writes: 7, kind: "kill", for: "1 s" }] }
        """,
      seed: 1_006_101_175,
      trace: Self.trace(
        "$GPGGA,080020.00,,,,,0,00,99.99,,,,,,*6C", "$GPRMC,080030.00,V,,,,,,,180426,,,N*7F",
        "$GPRMC,081810.00,A,4202.62487,N,00233.93603,E,0.121,,180426,,,A*7D"))
    #expect(found == [])
  }

  /// The first capture was lost with the card; the next one of its number, without date and place,
  /// is taken for either, and has another identifier on the server.
  @Test func `A capture that nothing tells from a lost one of its number is there once`() throws {
    let found = try broken(
      by: """
        { coverage: [{ from: "0:12:22", to: "0:20:25", kind: "noService" }],
          battery: { start: "16 %", temperature: [{ from: "0:00:00", celsius: "14 °C" }] },
          commands: [{ at: "273950 ms", command: "captureNow" },
                     { at: "794063 ms", command: "emergency" }],
          restarts: [{ at: "32291 ms", kind: "kill", for: "300 s" },
                     { at: "317274 ms", kind: "powerCut", for: "1 s", loses: "514 s" },
                     { at: "335965 ms", kind: "powerCut", for: "506 s" },
                     { at: "1111255 ms", kind: "powerCut", for: "1 s", card: "copied" }] }
        """,
      seed: 20_708,
      trace: Self.trace(
        "$GPGGA,080208.00,4204.91649,N,00230.61042,E,1,10,0.82,480.4,M,49.0,M,,*51",
        "$GPRMC,080237.00,A,4204.90819,N,00230.62373,E,1.666,152.03,180426,,,A*62"))
    #expect(found == [])
  }

  /// A card that says that it has written what it loses with the program: the numbers that it lost
  /// are in use on the server.
  @Test(arguments: [1119, 1141, 2711] as [UInt64])
  func `What is captured under a number that a card has lost is delivered`(_ seed: UInt64) throws {
    let (scenario, trace) =
      switch seed {
      // A call for help without a place.
      case 1119:
        (
          """
          { commands: [{ at: "305953 ms", command: "emergency" }],
            restarts: [{ at: "422518 ms", kind: "kill", for: "1 s", loses: "306 s" }] }
          """,
          Self.trace(
            "$GPGGA,080550.00,,,,,0,00,99.99,,,,,,*6E",
            "$GPGGA,081300.00,4152.49400,N,00252.68538,E,1,10,0.81,146.2,M,49.0,M,,*5C")
        )
      // A walker who stands still.
      case 1141:
        (
          "{ restarts: [{ at: \"1086825 ms\", kind: \"kill\", for: \"1 s\", loses: \"559 s\" }] }",
          Self.trace(
            "$GPRMC,081005.00,A,4152.99598,N,00252.37174,E,2.459,198.28,020906,,,A*6A",
            "$GPGGA,081006.00,4152.99533,N,00252.37144,E,1,10,0.82,138.8,M,49.0,M,,*50",
            "$GPRMC,081007.00,A,4152.99470,N,00252.37116,E,2.368,197.52,020906,,,A*6C",
            "$GPGGA,081008.00,4152.99408,N,00252.37087,E,1,10,0.82,138.6,M,49.0,M,,*57",
            "$GPGGA,082744.00,4152.62478,N,00252.70760,E,1,11,0.75,124.7,M,49.0,M,,*50",
            "$GPRMC,082813.00,A,4152.62511,N,00252.70735,E,0.041,,020906,,,A*78")
        )
      // The same without a date.
      default:
        (
          "{ restarts: [{ at: \"3563043 ms\", kind: \"kill\", for: \"1 s\", loses: \"411 s\" }] }",
          Self.trace(
            "$GPGGA,080130.00,,,,,0,00,99.99,,,,,,*6C",
            "$GPGGA,085540.00,4204.69868,N,00230.53547,E,1,10,0.82,488.1,M,49.0,M,,*59",
            "$GPGGA,090140.00,4204.69863,N,00230.53493,E,1,11,0.75,490.5,M,49.0,M,,*5E")
        )
      }
    #expect(try broken(by: scenario, seed: seed, trace: trace) == [], "seed \(seed)")
  }

  @Test func `A call for help that the program did not survive is made again`() throws {
    let found = try broken(
      by: """
        { coverage: [{ from: "0:10:30", to: "0:11:58", kind: "denied" }],
          commands: [{ at: "1042361 ms", command: "emergency" }],
          restarts: [{ at: "679880 ms", effects: 35, kind: "kill", for: "1 s" }] }
        """,
      #"transmit: { interval: "5 min" }"#, #"sleep: "halt""#,
      board: "pi-zero-2w-sim7600+pi-batman", seed: 2751,
      trace: Self.trace(
        "$GPRMC,080746.00,A,4209.75179,N,00227.98036,E,0.072,,180426,,,A*70",
        "$GPGGA,080748.00,4209.75181,N,00227.98032,E,1,10,0.82,473.2,M,49.0,M,,*59",
        "$GPGGA,080750.00,4209.75184,N,00227.98024,E,1,10,0.82,473.2,M,49.0,M,,*52",
        "$GPGGA,080752.00,4209.75182,N,00227.98017,E,1,10,0.82,473.0,M,49.0,M,,*54",
        "$GPGGA,081822.00,4209.71434,N,00227.89575,E,1,11,0.75,470.5,M,49.0,M,,*5F",
        "$GPRMC,082258.00,A,4209.55883,N,00227.88251,E,2.523,166.53,180426,,,A*6E"))
    #expect(found == [])
  }

  @Test func `A refusal of the network is the reason until the next try, however late that is`()
    throws
  {
    let found = try broken(
      by: """
        { coverage: [{ from: "0:40:10", to: "0:59:11", kind: "denied" }],
          battery: { start: "25 %" } }
        """,
      #"capture: { policy: "adaptive", interval: "5 min" }"#, seed: 968_005_532,
      trace: Self.trace(
        "$GPRMC,080016.00,A,4207.97206,N,00228.18888,E,2.869,124.38,180426,,,A*63",
        "$GPRMC,084048.00,A,4206.57511,N,00228.95730,E,2.752,131.38,180426,,,A*6A"))
    #expect(found == [])
  }

  @Test func `What happens at a run's last moment is told before it ends`() throws {
    let found = try broken(
      by: """
        { coverage: [{ from: "0:12:43", to: "0:14:12", kind: "denied" }],
          modem: [{ from: "0:11:57", to: "0:11:58", fault: "noSIM" },
            { from: "0:14:41", to: "0:21:46", fault: "noSIM" }],
          commands: [{ at: "695958 ms", command: "emergency" }] }
        """,
      #"bearer: "modem""#, seed: 968_003_383,
      trace: Self.trace(
        "$GPGGA,080520.00,4157.81565,N,00241.89394,E,1,10,0.82,129.2,M,49.0,M,,*5D",
        "$GPGGA,082756.00,4157.98368,N,00242.68867,E,1,11,0.75,125.4,M,49.0,M,,*57",
        "$GPRMC,082758.00,A,4157.98317,N,00242.69001,E,2.076,117.37,020906,,,A*6A"))
    #expect(found == [])
  }

  @Test func `A call for help is not taken for a capture that its card has lost`() throws {
    let found = try broken(
      by: """
        { receiver: [{ from: "0:10:27", to: "0:10:33", fault: "silent" }],
          commands: [{ at: "1546726 ms", command: "emergency" }],
          restarts: [{ at: "567035 ms", effects: 26, kind: "kill", for: "1 s" },
            { at: "1414081 ms", kind: "kill", for: "1 s", loses: "386 s" }] }
        """,
      #"transmit: { interval: "3 min" }"#, #"capture: { policy: "standard", interval: "1 min" }"#,
      #"bearer: "none""#, seed: 990_002_731,
      trace: Self.trace(
        "$GPGGA,080002.00,4203.03970,N,00232.72310,E,1,10,0.83,341.8,M,49.0,M,,*53",
        "$GPGGA,081031.00,4202.75021,N,00233.07528,E,1,10,0.81,343.2,M,49.0,M,,*5B",
        "$GPRMC,081822.00,A,4202.73706,N,00233.54930,E,2.789,76.58,020906,,,A*52",
        "$GPGGA,082142.00,4202.72655,N,00233.72192,E,1,04,2.58,281.8,M,49.0,M,,*5E",
        "$GPRMC,082233.00,A,4202.69540,N,00233.78296,E,1.876,113.30,020906,,,A*69",
        "$GPGGA,083123.00,4202.37710,N,00233.98338,E,1,11,0.75,281.4,M,49.0,M,,*5A"))
    #expect(found == [])
  }

  @Test func `A modem that is slow to say that its SIM is ready has one`() throws {
    let found = try broken(
      by: #"{ modemScript: "modem.script" }"#,
      modem: """
        like sim7600
        answers take 3000 ms
        at boot
        0 ms ! set starting
        17 s ! clear starting
        18 s +CPIN: READY if sim
        """,
      seed: 71_000_289,
      trace: Self.trace(
        "$GPRMC,080000.00,A,4158.17350,N,00249.72070,E,0.000,,180426,,,A*74",
        "$GPRMC,080145.00,A,4210.48089,N,00229.06721,E,1.617,170.08,180426,,,A*61"))
    #expect(found == [])
  }

  /// Its contacts follow each other at once, and each may switch it off and on twice.
  @Test func `For a call for help a modem that switches itself off is tried again and again`()
    throws
  {
    let found = try broken(
      by: """
        { modemScript: "modem.script",
          commands: [{ at: "575781 ms", command: "emergency" }],
          restarts: [{ at: "238578 ms", kind: "kill", for: "1 s",
            settings: ['reconnectFloor: "1 min"', 'capture: { policy: "proximity" }',
              'textAfter: "1 h"', 'textTo: "112"', 'finishAfter: "81 min"'] }] }
        """,
      modem: "at boot\n37 s ! off\n", board: "arduino-uno-3g", seed: 70_005_178,
      trace: Self.trace(
        "$GPRMC,080145.00,A,4210.48089,N,00229.06721,E,1.617,170.08,180426,,,A*61"))
    #expect(found == [])
  }

  @Test func `After a power cut a finish comes by the dates, which may be ahead`() throws {
    let found = try broken(
      by: #"{ restarts: [{ at: "861872 ms", kind: "powerCut", for: "1 s" }] }"#,
      #"finishAfter: "12 min""#, #"endAfterFinish: "15 min""#, seed: 476,
      trace: Self.trace(
        "$GPGGA,080000.00,4159.02300,N,00237.10727,E,1,10,0.83,177.1,M,49.0,M,,*5E",
        "$GPRMC,080005.00,A,4159.02047,N,00237.10534,E,2.018,210.39,180426,,,A*65",
        "$GPGGA,080020.00,4159.01256,N,00237.10041,E,1,10,0.83,178.1,M,49.0,M,,*55",
        "$GPGGA,080025.00,4159.00984,N,00237.09890,E,1,10,0.83,178.1,M,49.0,M,,*59",
        "$GPGGA,080030.00,4159.00736,N,00237.09733,E,1,10,0.82,178.4,M,49.0,M,,*58",
        "$GPRMC,082255.00,A,4158.45599,N,00237.67698,E,1.963,131.27,180426,,,A*68",
        "$GPGGA,082300.00,4158.45416,N,00237.67973,E,1,11,0.75,176.6,M,49.0,M,,*5C",
        "$GPRMC,082305.00,A,4158.45224,N,00237.68244,E,2.088,132.63,020906,,,A*6F",
        "$GPGGA,082335.00,4158.43917,N,00237.69909,E,1,11,0.75,175.7,M,49.0,M,,*51",
        "$GPRMC,082705.00,A,4158.30876,N,00237.63939,E,2.364,195.67,020906,,,A*66"))
    #expect(found == [])
  }

  /// A capture without a position makes a smaller request than those before it.
  @Test func `A server that takes small requests only seems to refuse a capture`() throws {
    let found = try broken(
      by: """
        { server: [{ from: "0:39:05", to: "0:39:27", fault: "rejectRequest", code: 400,
            above: 576 }],
          commands: [{ at: "1430428 ms", command: "emergency" }],
          restarts: [{ at: "2079204 ms", writes: 39, kind: "powerCut", for: "60 s" }] }
        """,
      board: "pi-zero-2w-sim7600", seed: 1_096_002_244,
      trace: Self.trace(
        "$GPRMC,080808.00,A,4203.11866,N,00232.55742,E,3.021,166.57,180426,,,A*63",
        "$GPRMC,083248.00,A,4202.75206,N,00233.65829,E,2.857,90.99,180426,,,A*53"))
    #expect(found == [])
  }

  @Test func `A contact keeps the reconnect floor of the settings under which it begins`() throws {
    let found = try broken(
      by: #"{ reloads: [{ at: "973175 ms", settings: [] }] }"#, #"reconnectFloor: "1 min""#,
      board: "pi-zero-2w-sim7600", seed: 1_098_002_816,
      trace: Self.trace(
        "$GPRMC,080004.00,A,4157.35674,N,00237.77648,E,1.330,177.72,180426,,,A*66",
        "$GPGGA,081512.00,4157.36793,N,00238.23141,E,1,10,0.81,188.4,M,49.0,M,,*50",
        "$GPGGA,081552.00,4157.36878,N,00238.23154,E,1,10,0.81,187.7,M,49.0,M,,*56"))
    #expect(found == [])
  }

  /// A number that a card gives again, 28 minutes later by a clock that had jumped as far ahead.
  @Test func `Captures of one number and one time of the board's clock are two captures`() throws {
    let found = try broken(
      by: """
        { restarts: [{ at: "611438 ms", kind: "powerCut", for: "1 s", loses: "437 s" },
            { at: "1116665 ms", kind: "kill", for: "442 s" }],
          clock: [{ at: "209110 ms", forward: "1680 s" }] }
        """,
      #"capture: { policy: "standard", interval: "2 min", minimumDistance: "50 m", "#
        + #"heartbeat: "10 min" }"#, #"bearer: "none""#,
      board: "pi-zero-2w-sim7600", seed: 98_004_391,
      trace: Self.trace(
        "$GPRMC,080000.00,A,4149.86742,N,00253.38714,E,0.000,,180426,,,A*7B",
        "$GPGGA,080002.00,4149.86646,N,00253.38595,E,1,10,0.83,155.0,M,49.0,M,,*54",
        "$GPGGA,080004.00,4149.86553,N,00253.38477,E,1,10,0.83,154.8,M,49.0,M,,*51",
        "$GPGGA,080006.00,4149.86457,N,00253.38349,E,1,10,0.83,154.7,M,49.0,M,,*53",
        "$GPGGA,080436.00,4149.76377,N,00253.40478,E,1,10,0.82,164.9,M,49.0,M,,*58",
        "$GPGGA,080636.00,4149.73260,N,00253.49458,E,1,10,0.82,163.9,M,49.0,M,,*54",
        "$GPGGA,080806.00,4149.71220,N,00253.56769,E,1,10,0.82,159.0,M,49.0,M,,*50",
        "$GPGGA,081836.00,4149.68530,N,00253.63452,E,1,11,0.75,160.7,M,49.0,M,,*55",
        "$GPRMC,082600.00,A,4149.68546,N,00253.63581,E,0.056,,180426,,,A*7A",
        "$GPGGA,082602.00,4149.68547,N,00253.63581,E,1,11,0.75,167.8,M,49.0,M,,*58",
        "$GPGGA,082604.00,4149.68545,N,00253.63575,E,1,11,0.75,167.8,M,49.0,M,,*57",
        "$GPRMC,082606.00,A,4149.68544,N,00253.63574,E,0.051,,180426,,,A*73",
        "$GPRMC,083606.00,A,4149.68368,N,00253.63393,E,0.148,,180426,,,A*7C"))
    #expect(found == [])
  }

  /// As after a power cut in the middle of it.
  @Test func `A modem that falls mute as it is told the right PIN is told it again`() throws {
    let found = try broken(
      by: """
        { sim: { pin: "0742", secret: "0742" },
          modem: [{ from: "134480 ms", to: "135 s", fault: "mute" }] }
        """,
      trace: Self.trace(
        "$GPRMC,080000.00,A,4210.93251,N,00229.33994,E,0.000,,180426,,,A*77",
        "$GPRMC,080200.00,A,4210.84933,N,00229.35468,E,2.980,178.28,180426,,,A*6D",
        "$GPRMC,085900.00,A,4209.21244,N,00227.98171,E,2.951,168.66,180426,,,A*6C"))
    #expect(found == [])
  }

  /// After answers that did not come one message is asked for at a time, the newest first.
  @Test func `The oldest of several messages comes, too, where they come one by one`() throws {
    let found = try broken(
      by: """
        { server: [{ from: "0:25:53", to: "0:48:20", fault: "reset", on: "queries" }],
          commands: [{ at: "1722798 ms", command: "emergency" }],
          people: [{ at: "1475705 ms", message: "word 0" }, { at: "1796493 ms", order: "call" },
                   { at: "2579174 ms", order: "capture" }] }
        """,
      seed: 40_000_090,
      trace: Self.trace(
        "$GPGGA,080130.00,,,,,0,00,99.99,,,,,,*6C",
        "$GPGGA,081325.00,4207.97814,N,00228.17319,E,1,10,0.81,494.9,M,49.0,M,,*53",
        "$GPRMC,081425.00,A,4207.94281,N,00228.21687,E,2.892,174.79,020906,,,A*61",
        "$GPRMC,082915.00,V,,,,,,,020906,,,N*77"))
    #expect(found == [])
  }

  @Test func `A capture that was just taken has not waited for a network that is back`() throws {
    let found = try broken(
      by: "{ restarts: [{ at: '3184409 ms', kind: 'kill', for: '1 s' }] }",
      "transmit: { interval: '1 min' }", seed: 1_085_001_937,
      trace: Self.trace(
        "$GPRMC,080001.00,A,4155.64062,N,00250.88016,E,2.206,146.18,180426,,,A*61",
        "$GPRMC,093958.00,A,4154.28171,N,00251.81606,E,1.586,119.97,180426,,,A*62"))
    #expect(found == [])
  }

  @Test func `A write that took a while comes with the counts of its end`() throws {
    let board = try FaultExplorationTests.board(Swarm.boards[0])
    let trace = try PreparedTrace.walk(.minutes(1), every: .seconds(10), seed: 1)
    let store = try CaptureStore.open(
      .memory, for: .device(Race.device), at: UTC(milliseconds: 0))
    let world = try World(
      TracePlayer(trace), on: board, ConfigurationFile(), Scenario(), store: store, seed: 1)
    let old = QueueCounts(pending: 4, setAside: 1, held: 2)
    let now = QueueCounts(pending: 0, setAside: 0, held: 2)
    #expect(world.counted(.queueChanged(old)) == .queueChanged(now))
    #expect(
      world.counted(.captureStored(sequence: 7, queue: old))
        == .captureStored(sequence: 7, queue: now))
  }

  /// Counts when the program began again.
  private final class Starts: HostObserver {
    var times: [Instant] = []

    func arrived(_ arrival: Arrival, at now: Instant) {
      if arrival == .restart { times.append(now) }
    }
    func pushed(_ effect: Effect, at now: Instant) {}
  }

  @Test func `A power cut leaves no log that looks like one with a wrong byte`() throws {
    let found = try broken(
      by: """
        { server: [{ from: "0:00:00", to: "0:36:00", fault: "loseAcknowledgement",
            probability: "50 %", on: "edits" }],
          store: [{ from: "0:07:23", to: "0:18:25", fault: "full" },
            { from: "0:24:53", to: "0:24:55", fault: "full" }],
          commands: [{ at: "250736 ms", command: "emergency" },
            { at: "543263 ms", command: "emergencyOver" }],
          restarts: [{ at: "832308 ms", kind: "kill", for: "300 s" },
            { at: "1140879 ms", effects: 21, kind: "powerCut", for: "60 s", loses: "388 s" },
            { at: "1595653 ms", writes: 21, kind: "powerCut", for: "1 s" }],
          people: [{ at: "226897 ms", message: "word 0" }, { at: "1074388 ms", message: "word 2" },
            { at: "1185973 ms", order: "capture" }, { at: "0:20:58", order: "capture" }] }
        """, "server: {}",
      board: "arduino-uno-3g", seed: 1_070_002_866,
      trace: Self.trace(
        "$GPRMC,080000.00,A,4158.16193,N,00246.91059,E,0.000,,180426,,,A*71",
        "$GPGGA,080002.00,4158.16307,N,00246.91174,E,1,10,0.83,84.5,M,49.0,M,,*69",
        "$GPGGA,080004.00,4158.16423,N,00246.91291,E,1,10,0.83,84.4,M,49.0,M,,*67",
        "$GPRMC,080006.00,A,4158.16544,N,00246.91404,E,2.657,33.84,180426,,,A*51",
        "$GPGGA,081854.00,4158.51439,N,00247.62568,E,1,11,0.75,81.2,M,49.0,M,,*64",
        "$GPGGA,082448.00,4158.64680,N,00247.84742,E,1,11,0.75,85.2,M,49.0,M,,*66",
        "$GPRMC,082452.00,A,4158.64892,N,00247.84906,E,2.167,29.97,180426,,,A*52",
        "$GPGGA,082500.00,4158.65311,N,00247.85229,E,1,11,0.75,85.6,M,49.0,M,,*6A",
        "$GPGGA,082552.00,4158.68207,N,00247.87167,E,1,11,0.75,89.5,M,49.0,M,,*62",
        "$GPRMC,082726.00,A,4158.74134,N,00247.90354,E,2.494,21.33,180426,,,A*51"))
    #expect(found == [])
  }

  /// Half an hour.
  private static func walk() throws -> [UInt8] {
    var options = SynthOptions()
    options.duration = .minutes(30)
    var synthesizer = try Synthesizer(options: options, course: .olotToTheSea, command: "test")
    var trace: [UInt8] = []
    while let chunk = synthesizer.nextChunk() { trace += chunk }
    return trace
  }

  /// Counts how often the PIN was entered.
  private final class Entries: HostObserver {
    var count = 0

    func arrived(_ arrival: Arrival, at now: Instant) {}
    func pushed(_ effect: Effect, at now: Instant) {
      if effect == .sendToModem(.enterPIN) { count += 1 }
    }
  }

  /// What becomes of a SIM with another PIN than the configured one.
  private func tryPIN(restarts: Int64..., ordered: Int64?) throws -> (entries: Int, Reason?) {
    var race = ExploredCase(seed: 1)
    race.scenario.sim.pin = "0742"
    race.scenario.sim.secret = "1111"
    race.scenario.restarts = restarts.map { minute in
      Restart(at: .minutes(minute), outage: .powerCut, time: .seconds(5))
    }
    race.scenario.commands =
      ordered.map { [TimedCommand(at: .minutes($0), command: .tryPIN)] } ?? []
    race.trace = try Self.walk()
    let entries = Entries()
    let board = try FaultExplorationTests.board(race.board)
    let reason = try ExploredRace.play(race, on: board, by: entries) { tracker, _ in
      tracker.sendReason
    }
    #expect(try ExploredRace.run(race, on: board).broken == [])
    return (entries.count, reason)
  }

  @Test func `A SIM counts wrong PINs through power cuts, and its last try is left`() throws {
    #expect(try tryPIN(restarts: 5, 10, 15, ordered: nil) == (2, .simLastTry))
  }

  @Test func `A person may order the last try, and then the SIM wants its PUK`() throws {
    #expect(try tryPIN(restarts: 5, 10, 15, ordered: 20) == (3, .simBlocked))
  }

  @Test func `A person may order the last try of a SIM that was locked meanwhile`() throws {
    let found = try broken(
      by: """
        { coverage: [{ from: "0:04:27", to: "0:06:17", kind: "denied" }],
          modem: [{ from: "0:07:57", to: "0:14:24", fault: "simLocked" }],
          modemScript: "modem.script", sim: { secret: "0742" },
          commands: [{ at: "478492 ms", command: "emergency" },
                     { at: "772627 ms", command: "tryPIN" }],
          restarts: [{ at: "535810 ms", kind: "kill", for: "1 s" }] }
        """,
      modem: "like sim5320\nanswers take 7000 ms\n", board: "arduino-uno-3g", seed: 1_088_002_523,
      trace: Array(String(repeating: "$GPRMC,,V,,,,,,,,,,N*53\r\n", count: 7).utf8)
        + Self.trace(
          "$GPRMC,080140.00,V,,,,,,,180426,,,N*79",
          "$GPRMC,080450.00,A,4205.37686,N,00229.77518,E,2.276,148.97,180426,,,A*66"))
    #expect(found == [])
  }

  private func starts(
    _ restarts: Restart..., commands: [TimedCommand] = [], board: String = Swarm.boards[0],
    settings: [String] = []
  ) throws -> [Instant] {
    var race = ExploredCase(seed: 1)
    race.board = board
    race.settings = settings
    race.scenario.restarts = restarts
    race.scenario.commands = commands
    race.trace = try Self.walk()
    let starts = Starts()
    try ExploredRace.play(race, on: FaultExplorationTests.board(board), by: starts) { _, _ in }
    return starts.times
  }

  @Test func `The power may be cut while it is away, or while the program is`() throws {
    let long = Restart(at: .minutes(10), outage: .powerCut, time: .minutes(10))
    let short = Restart(at: .minutes(12), outage: .powerCut, time: .seconds(5))
    let killed = Restart(at: .minutes(10), outage: .kill, time: .minutes(10))
    #expect(try starts(long) == [.start + .minutes(20) + Outage.bootTime])
    let cut = Instant.start + .minutes(12) + .seconds(5) + Outage.bootTime
    #expect(try starts(long, short) == [cut])
    #expect(try starts(killed, short) == [cut])
  }
}
