import BoardSupport
import FeatureService
import Testing
import TrackerCore

@testable import Simulation

/// What races have taken of the core's tables.
@Suite struct TransitionCoverageTests {
  private func walk(_ settings: String...) throws -> ExploredCase {
    var race = ExploredCase(seed: 1)
    race.settings = settings
    race.trace = try PreparedTrace.walk(.minutes(40), every: .seconds(10), seed: 1).bytes
    return race
  }

  private func untaken(_ scenario: Scenario) throws -> [String] {
    var race = try walk()
    race.scenario = scenario
    let played = try ExploredRace.run(race, on: FaultExplorationTests.board(race.board))
    #expect(played.broken == [] && played.transitions.count > 100)
    return played.transitions.untaken
  }

  @Test func `What went well has taken no way to a wait, and trouble has, also before a restart`()
    throws
  {
    let wait = "sending to backingOff"
    let quiet = try untaken(Scenario())
    #expect(quiet.contains(wait) && !quiet.contains("connecting to sending"))
    var trouble = Scenario()
    let down = Fault(.http(status: 503, retryAfter: nil), .always, on: .edits)
    trouble.server = [Window(from: 0, to: .minutes(20), content: down)]
    trouble.restarts = [Restart(at: .minutes(25), outage: .kill, time: .seconds(5))]
    #expect(try !untaken(trouble).contains(wait))
  }

  @Test func `What one of two races has taken is taken`() throws {
    let board = try FaultExplorationTests.board(Swarm.boards[0])
    let (wired, modem) = try (
      ExploredRace.run(walk("bearer: \"none\""), on: board).transitions,
      ExploredRace.run(walk(), on: board).transitions
    )
    // Without a modem it has no table of one.
    #expect(wired.count < 30 && modem.count > 100)
    var sum = wired
    sum.formUnion(modem)
    #expect(sum.count == modem.count)
    #expect(Set(sum.untaken) == Set(modem.untaken).subtracting(["idle to connecting"]))
  }
}
