import BoardSupport
import Testing
import TrackerCore

@testable import Simulation

/// What people change at a tracker while it is off: settings, the board, the card. Settings also
/// while it runs.
@Suite struct ChangedRestartTests {
  private func race(
    _ restarts: String, reloads: String = "", service: String = "{}"
  ) throws -> ExploredCase {
    var race = ExploredCase(seed: 3)
    race.settings = [
      #"team: "Els Senglars""#, #"capture: { policy: "standard", interval: "1 min" }"#,
    ]
    let text = "{ service: \(service), restarts: [\(restarts)], reloads: [\(reloads)] }"
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

  @Test func `Settings that are changed while the program runs hold at once, and after a restart`()
    throws
  {
    let race = try race(
      #"{ at: "0:20:00", kind: "kill" }"#,
      reloads: """
        { at: "0:10:00", settings: ['team: "Els Isards"', 'bearer: "none"',
          'capture: { policy: "standard", interval: "2 min" }'] }
        """)
    let (teams, tally) = try end(of: race) {
      (try $0.store.page(limit: .max).map(\.capture.team), $0.tally)
    }
    let before = teams.prefix { $0 == InlineText("Els Senglars") }.count
    #expect((9...11).contains(before) && (9...12).contains(teams.count - before), "\(teams)")
    #expect(teams.dropFirst(before).allSatisfy { $0 == InlineText("Els Isards") }, "\(teams)")
    // The bearer is another one from a start on only, and the reload's not even then.
    #expect(Int(tally.acknowledged) == teams.count)
    let found = try run(race)
    #expect(found.broken == [] && found.probes.contains(.settingsReloaded))
    let text = race.scenario.text
    #expect(try Scenario(FileNode.parse(Array(text.utf8), path: "s")) { _ in [] } == race.scenario)
  }

  @Test(arguments: [18, 22, 26])
  func `A modem that a kill has left on is off soon, though its bearer was edited away`(
    second: Int
  ) throws {
    let found = try run(
      race(#"{ at: "\#(second) s", kind: "kill", settings: ['bearer: "none"'] }"#))
    #expect(found.broken == [] && found.probes.contains(.modemLeft))
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

  @Test func `A tracker with a copied card sends while the first one does`() throws {
    let race = try race(#"{ at: "0:15:30", kind: "powerCut", card: "copied" }"#)
    let board = try FaultExplorationTests.board(Swarm.boards[0])
    let settings = try race.configuration(on: board)
    let watch = InvariantWatch(race.scenario, settings.configuration)
    let trace = try PreparedTrace(race.trace)
    watch.playCopies(of: trace, on: board, settings, seed: race.seed)
    let isFirst = try ExploredRace.play(
      race, trace, on: board, by: watch, preparing: { watch.look(at: &$0) },
      judging: { tracker, host in
        try watch.finish(tracker, host.base)
        let own = Set(try host.base.store.page(limit: .max).map(\.id))
        return watch.taken.map { $0.id.map(own.contains) ?? false }
      })
    #expect(watch.broken == [])
    let changes = zip(isFirst, isFirst.dropFirst()).count { $0 != $1 }
    #expect(changes > 1, "one after the other")
  }

  @Test func `What people write comes to the others once`() throws {
    var race = try race("")
    // Of a modem's contacts only some ask for messages, to save energy.
    race.settings += ["server: {}", #"bearer: "none""#, #"transmit: { interval: "3 min" }"#]
    race.scenario.people = [
      Writing(at: .minutes(5), kind: .note, text: "a blister"),
      Writing(at: .minutes(9), kind: .message, text: "well done"),
      Writing(at: .minutes(12), kind: .note, text: "none any more"),
    ]
    let found = try run(race)
    #expect(found.broken == [])
    #expect(found.probes.isSuperset(of: [.noteArrived, .messageArrived]))
  }

  @Test(arguments: ["", #"{ at: "0:12:00", kind: "kill" }"#])
  func `What the control room orders is obeyed once, and it learns so`(restart: String) throws {
    var race = try race(restart)
    race.settings += ["server: {}", #"bearer: "none""#, #"transmit: { interval: "3 min" }"#]
    race.scenario.people = [
      Writing(at: .minutes(5), kind: .order, text: "capture"),
      Writing(at: .minutes(11), kind: .order, text: "call"),
      Writing(at: .minutes(16), kind: .order, text: "undo call"),
    ]
    let found = try run(race)
    #expect(found.broken == [] && found.probes.contains(.orderObeyed))
    let (triggers, results) = try end(of: race) { world in
      let orders = try world.server.messages().filter { $0.kind == .order }
      return (try world.store.page(limit: .max).map(\.capture.trigger), orders.map(\.result))
    }
    #expect(triggers.count { $0 == .command } == 1)
    #expect(results == ["in force", "undone", "in force"])
  }

  @Test func `Whoever calls for help is shown that somebody has read it, and its end`() throws {
    var race = try race("")
    race.settings += ["server: {}", #"bearer: "none""#]
    race.scenario.commands = [TimedCommand(at: .minutes(5), command: .raiseEmergency)]
    race.scenario.people = [Writing(at: .minutes(6), kind: .read, text: "")]
    #expect(try end(of: race) { try $0.store.messages().map(\.kind) } == [.read])
    race.scenario.people.append(Writing(at: .minutes(12), kind: .ended, text: ""))
    let found = try run(race)
    #expect(found.broken == [] && found.probes.isSuperset(of: [.callRead, .callEnded]))
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
