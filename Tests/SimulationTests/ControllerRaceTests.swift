import BoardSupport
import TestSupport
import Testing
import TrackerCore

@testable import Simulation

/// Races of a controller, with its firmware's own host and card.
@Suite struct ControllerRaceTests {
  private static let again = "repeat with: swift test --filter SimulationTests.ControllerRaceTests"
  private static let board = try? FaultExplorationTests.board(Swarm.controller)

  /// Half an hour's walk with a report each second.
  private static let trace: [UInt8] = {
    var options = SynthOptions()
    options.duration = .minutes(30)
    options.seed = 5
    guard
      var synthesizer = try? Synthesizer(options: options, course: .olotToTheSea, command: "test")
    else { return [] }
    var bytes: [UInt8] = []
    while let chunk = synthesizer.nextChunk() { bytes += chunk }
    return bytes
  }()

  private func race(
    _ scenario: String, _ troubles: SimulatedCard.Trouble..., settings: String...
  ) throws -> ExploredRace {
    try ControllerRace.run(
      explored(scenario, settings: settings), on: #require(Self.board), cardTroubles: troubles)
  }

  private func explored(_ scenario: String, settings: [String]) throws -> ExploredCase {
    var race = ExploredCase(seed: 1)
    race.board = Swarm.controller
    race.settings = ["bearer: \"modem\"", "transmit: { interval: \"2 min\" }"] + settings
    race.scenario = try Scenario(
      FileNode.parse(Array(scenario.utf8), path: "scenario.json5")
    ) { _ in [] }
    race.scenario.service.kind = .osmAnd
    race.trace = Self.trace
    return race
  }

  @Test func `Without troubles all that it takes is delivered`() throws {
    let race = try race("{}")
    #expect(race.broken == [], "\(Self.again)")
    #expect(race.probes == [.capture, .delivery, .freshestSent], "\(Self.again)")
  }

  @Test func `A card that does not answer at a start is found when it does`() throws {
    let race = try race(
      """
      { store: [{ from: "0:05:00", to: "0:12:00", fault: "full" }],
        restarts: [{ at: "0:06:00", kind: "powerCut", for: "10 s" }] }
      """, .isDead)
    #expect(race.broken == [], "\(Self.again)")
    #expect(race.probes.isSuperset(of: [.diskLoss, .powerCut, .delivery]), "\(Self.again)")
  }

  @Test func `A call for help that was raised while there was no card is heard after that`() throws
  {
    let race = try race(
      """
      { store: [{ from: "0:05:00", to: "0:12:00", fault: "full" }],
        commands: [{ at: "0:08:00", command: "emergency" }],
        restarts: [{ at: "0:06:00", kind: "powerCut", for: "10 s" }] }
      """, .isDead)
    #expect(race.broken == [], "\(Self.again)")
    #expect(race.probes.isSuperset(of: [.diskLoss, .emergencyDelivered]), "\(Self.again)")
  }

  /// It is looked at each minute, for the second time at 8:11.
  @Test func `One that is being raised when the card can be read again is heard`() throws {
    let race = try race(
      """
      { store: [{ from: "0:05:00", to: "0:07:40", fault: "full" }],
        commands: [{ at: "0:08:06", command: "emergency" }],
        restarts: [{ at: "0:06:00", kind: "powerCut", for: "10 s" }] }
      """, .isDead)
    #expect(race.broken == [], "\(Self.again)")
    #expect(race.probes.isSuperset(of: [.diskLoss, .emergencyDelivered]), "\(Self.again)")
  }

  @Test func `One that was withdrawn again meanwhile is not raised`() throws {
    let race = try race(
      """
      { store: [{ from: "0:05:00", to: "0:12:00", fault: "full" }],
        commands: [{ at: "0:07:00", command: "emergency" },
                   { at: "0:09:00", command: "emergencyOver" }],
        restarts: [{ at: "0:06:00", kind: "powerCut", for: "10 s" }] }
      """, .isDead)
    #expect(race.broken == [], "\(Self.again)")
    #expect(!race.probes.contains(.emergency), "\(Self.again)")
  }

  @Test func `A start that was ordered while there was no card holds after that`() throws {
    let race = try explored(
      """
      { store: [{ from: "0:05:00", to: "0:12:00", fault: "full" }],
        commands: [{ at: "0:02:00", command: "stop" }, { at: "0:08:00", command: "start" }],
        restarts: [{ at: "0:06:00", kind: "powerCut", for: "10 s" }] }
      """, settings: [#"capture: { policy: "standard", interval: "30 s" }"#])
    let watch = try ControllerRace.play(
      race, PreparedTrace(race.trace), on: #require(Self.board), [.isDead], keepsEffects: false)
    #expect(
      watch.broken == [] && watch.announced.count > 20, "\(watch.announced.count) \(Self.again)")
  }

  @Test func `A card that is gone when it is time to send is tried like a server that is`() throws {
    let race = try race(
      """
      { store: [{ from: "0:09:20", to: "0:20:00", fault: "full" }],
        commands: [{ at: "0:09:00", command: "emergency" }] }
      """, .isDead, settings: #"capture: { policy: "standard", interval: "10 s" }"#)
    #expect(race.broken == [], "\(Self.again)")
    #expect(race.probes.isSuperset(of: [.storeFailed, .unreachable]), "\(Self.again)")
  }

  /// One that a card does not give is set aside, unless the card gives nothing at all.
  @Test func `A call for help on a card that is gone for a while is not set aside`() throws {
    let race = try race(
      """
      { store: [{ from: "0:09:12", to: "0:20:00", fault: "full" }],
        commands: [{ at: "0:09:00", command: "emergency" }] }
      """, .isDead, settings: #"capture: { policy: "standard", interval: "10 min" }"#)
    #expect(race.broken == [], "\(Self.again)")
    #expect(race.probes.isSuperset(of: [.unreachable, .emergencyDelivered]), "\(Self.again)")
  }

  @Test(arguments: SimulatedCard.Trouble.allCases)
  func `Whatever is wrong with the card at a power cut, nothing is lost`(
    _ trouble: SimulatedCard.Trouble
  ) throws {
    for writes in [1, 4, 7] {
      let race = try race(
        """
        { store: [{ from: "0:04:00", to: "0:20:00", fault: "full" }],
          restarts: [{ at: "0:08:00", writes: \(writes), kind: "powerCut", for: "5 s" },
                     { at: "0:15:00", kind: "powerCut", for: "5 s" }] }
        """, trouble, settings: "capture: { policy: \"standard\", interval: \"10 s\" }")
      #expect(race.broken == [], "\(writes) \(Self.again)")
    }
  }

  @Test func `Drawn races hold, and are the same again`() throws {
    let swarm = Swarm()
    let board = try #require(Self.board)
    for seed in Share.of(Array(UInt64(1)...16), atOnce: 4) {
      let race = try ControllerRace.run(swarm.controllerRace(seed: seed), on: board, twice: true)
      #expect(
        race.broken == [],
        "repeat with: tracker-sim explore --controller --seeds \(seed)")
    }
  }
}
