import BoardSupport
import Testing
import TrackerCore

@testable import Simulation

/// What people change at a tracker while it is off: settings, the board, the card.
@Suite struct ChangedRestartTests {
  private func race(_ restarts: String, service: String = "{}") throws -> ExploredCase {
    var race = ExploredCase(seed: 3)
    race.settings = [
      #"team: "Els Senglars""#, #"capture: { policy: "standard", interval: "1 min" }"#,
    ]
    let text = "{ service: \(service), restarts: [\(restarts)] }"
    race.scenario = try Scenario(FileNode.parse(Array(text.utf8), path: "scenario.json5")) { _ in []
    }
    var options = SynthOptions()
    options.duration = .minutes(30)
    options.interval = .seconds(5)
    var synthesizer = try Synthesizer(options: options, course: .olotToTheSea, command: "test")
    while let chunk = synthesizer.nextChunk() { race.trace += chunk }
    return race
  }

  private func run(_ race: ExploredCase) throws -> ExploredRace {
    try ExploredRace.run(race, on: FaultExplorationTests.board(Swarm.boards[0]))
  }

  private final class Nobody: HostObserver {
    func arrived(_ arrival: Arrival, at now: Instant) {}
    func pushed(_ effect: Effect, at now: Instant) {}
  }

  /// What is asked of the store when the race is over.
  private func end<Answer>(
    of race: ExploredCase, _ answer: (borrowing World) throws -> Answer
  ) throws -> Answer {
    let board = try FaultExplorationTests.board(Swarm.boards[0])
    return try ExploredRace.play(race, on: board, by: Nobody()) { try answer($1.base) }
  }

  @Test func `Settings edited while the program is away hold from its next start on`() throws {
    let race = try race(
      """
      { at: "0:15:00", kind: "kill", settings: ['team: "Els Isards"',
        'capture: { policy: "standard", interval: "5 min" }'] }
      """)
    let teams = try end(of: race) { try $0.store.page(limit: .max).map(\.capture.team) }
    let (before, after) = (
      teams.count { $0 == InlineText("Els Senglars") },
      teams.count { $0 == InlineText("Els Isards") }
    )
    #expect(before + after == teams.count && before > 10 && (2...5).contains(after), "\(teams)")
    let found = try run(race)
    #expect(found.broken == [] && found.probes.contains(.settingsEdited))
  }

  @Test func `A tracker goes on with what was on its card on another board`() throws {
    let race = try race(
      """
      { at: "0:15:00", kind: "powerCut", board: "arduino-uno-3g",
        settings: ['bearer: "interface"'] }
      """)
    let (family, count) = try end(of: race) { ($0.board.modem.family, $0.tally.acknowledged) }
    let other = try FaultExplorationTests.board("arduino-uno-3g").board
    #expect(family == other.modem.family && count > 14)
    let found = try run(race)
    #expect(found.broken == [] && found.probes.contains(.boardChanged))
  }

  @Test func `A card in another computer brings its captures home and counts from 1`() throws {
    let race = try race(#"{ at: "0:15:00", kind: "powerCut", card: "moved" }"#)
    let captures = try end(of: race) { try $0.store.page(limit: .max) }
    let devices = Dictionary(grouping: captures, by: \.device)
    #expect(devices.count == 2 && captures.allSatisfy { $0.state == .acknowledged })
    #expect(devices.values.allSatisfy { $0.first?.capture.sequence == 1 && $0.count > 8 })
    let found = try run(race)
    #expect(found.broken == [] && found.probes.contains(.cardMoved))
  }

  @Test(arguments: ["{}", "{ globalIDs: false }"])
  func `What waits on a card when it is copied reaches the server once`(service: String) throws {
    let race = try race(#"{ at: "0:15:30", kind: "powerCut", card: "copied" }"#, service: service)
    let found = try run(race)
    #expect(found.broken == [] && found.probes.contains(.secondTracker))
  }

  @Test func `Two trackers of one identity have all their captures on the server`() throws {
    let found = try run(race(#"{ at: "0:15:30", kind: "powerCut", card: "twin" }"#))
    #expect(found.broken == [] && found.probes.isSuperset(of: [.twin]))
  }

  @Test(arguments: [#"board: "arduino-uno-3g""#, #"card: "moved""#])
  func `Board and card are changed without power only`(change: String) {
    #expect(throws: FileError.self) { try race(#"{ at: "0:15:00", kind: "kill", \#(change) }"#) }
  }
}
