import BoardSupport
import Courses
import Foundation
import Testing
import TrackerCore

@testable import Simulation

/// Races of many teams: what the server stored in them, and what they say has happened.
@Suite struct RehearsedRaceTests {
  private static let again: Comment = "repeat with: swift test --filter RehearsedRaceTests"

  /// Twelve teams are enough for one mishap of each kind.
  private static func terms(teams: Int = 12) throws -> RehearsalTerms {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let board = try BoardDescription.load(
      named: folder.appendingPathComponent("boards/pi-zero-2w-sim7600").path)
    var terms = RehearsalTerms(course: .olotToTheSea, map: RaceFixture.course, board: board)
    terms.teams = teams
    return terms
  }

  private static func script(_ seed: UInt64) -> RaceScript {
    RaceScript(seed: seed, start: SynthOptions().start, teams: 12, length: 100_000)
  }

  /// Of a tracker that is smashed and a broken antenna of the receiver, and of the others.
  private static let seeds: [UInt64] = [2, 3]
  private static let races = Result {
    try seeds.map { seed throws in try RehearsedRace.run(try terms(), seed: seed) }
  }

  private static func team(_ race: Int, _ isHit: (Mishap) -> Bool) throws -> RehearsedTeam? {
    let script = script(seeds[race])
    let index = script.teams.firstIndex { $0.mishap.map(isHit) ?? false }
    return try index.map { try races.get()[race].teams[$0] }
  }

  @Test func `A seed gives the same race, whatever the number of threads`() throws {
    let terms = try Self.terms(teams: 3)
    let one = try RehearsedRace.run(terms, seed: 5, threads: 1)
    let again = try RehearsedRace.run(terms, seed: 5, threads: 3)
    let other = try RehearsedRace.run(terms, seed: 6, threads: 1)
    #expect(one.teams.map(\.deliveries) == again.teams.map(\.deliveries))
    #expect(one.teams.map(\.truth) == again.teams.map(\.truth))
    #expect(one.teams.map(\.deliveries) != other.teams.map(\.deliveries))
    #expect(one.teams.allSatisfy { $0.deliveries.count > 100 })
  }

  @Test func `Of forty teams six are hit by five mishaps, in each race`() {
    for seed in UInt64(1)...50 {
      let script = RaceScript(
        seed: seed, start: SynthOptions().start, teams: 40, length: 100_000)
      let names = script.teams.compactMap { $0.mishap.map { "\($0)".prefix { $0 != "(" } } }
      #expect(names.count == 5 && Set(names).count == 5, "\(seed)")
      #expect(script.teams.count(where: \.isCopied) == 1, "\(seed)")
      #expect(script.teams.allSatisfy { !$0.isCopied || $0.mishap == nil }, "\(seed)")
    }
  }

  @Test(arguments: seeds.indices)
  func `A tracker that is dead or has lost an antenna delivers nothing any more`(
    race: Int
  ) throws {
    let race = try Self.races.get()[race]
    let silent = race.teams.compactMap { team in team.truth.silentForGood.map { (team, $0) } }
    #expect(silent.count >= 2, Self.again)
    for (team, period) in silent {
      // What it had captured before goes on being delivered where only the receiver is broken.
      let late = team.deliveries.filter {
        period.cause == .noFix ? $0.taken ?? $0.at > period.from : $0.at > period.from
      }
      #expect(late.isEmpty, "\(team.number) \(period): \(late.count) later; \(Self.again)")
      #expect(team.deliveries.contains { $0.at < period.from }, "\(team.number); \(Self.again)")
    }
  }

  @Test(arguments: seeds.indices)
  func `Nothing is delivered from the valley, or while the server is down`(race: Int) throws {
    let race = try Self.races.get()[race]
    var valleys = 0
    for team in race.teams {
      for period in team.truth.periods where [.deadZone, .server].contains(period.cause) {
        if period.cause == .deadZone { valleys += 1 }
        // A request that was under way when the server failed is still carried out.
        let begin = period.cause == .server ? period.from + .seconds(40) : period.from
        let inside = team.deliveries.filter {
          period.from <= $0.at && $0.at < period.until ?? UTC(milliseconds: .max) && $0.at > begin
        }
        #expect(inside.isEmpty, "\(team.number) \(period): \(inside.count); \(Self.again)")
      }
    }
    #expect(valleys >= 10, Self.again)
  }

  @Test(arguments: seeds.indices)
  func `Two trackers of a copied card deliver under one code, as two devices`(race: Int) throws {
    let cloned = try Self.races.get()[race].teams.filter(\.truth.isCloned)
    #expect(cloned.count == 2)
    let sources = cloned.map { team in
      Set(team.deliveries.map { "\($0.tracker) \($0.team)" })
    }
    #expect(sources.allSatisfy { $0.count == 1 && $0 == sources[0] }, Self.again)
    let identifiers = cloned.flatMap { $0.deliveries.map(\.id) }
    #expect(Set(identifiers).count == identifiers.count, Self.again)
    let others = try Self.races.get()[race].teams.filter { !$0.truth.isCloned }
    #expect(others.allSatisfy { team in team.deliveries.allSatisfy { $0.tracker == team.number } })
  }

  @Test(arguments: seeds.indices)
  func `A team that is lost is seen off the course, and comes back`(race: Int) throws {
    let found = try Self.team(race) { if case .getsLost = $0 { true } else { false } }
    let team = try #require(found)
    let lost = try #require(team.truth.lost)
    func away(_ delivery: Delivery) -> Double {
      let place = GroundPoint(delivery.position)
      return Course.olotToTheSea.points.map { $0.distance(to: place) }.min() ?? 0
    }
    let during = team.deliveries.filter {
      $0.taken.map { lost.from < $0 && $0 < lost.until } ?? false
    }
    let after = team.deliveries.filter { $0.taken.map { $0 > lost.until } ?? false }
    #expect((during.map(away).max() ?? 0) > 300, Self.again)
    #expect(after.allSatisfy { away($0) < 60 } && !after.isEmpty, Self.again)
  }

  @Test(arguments: seeds.indices)
  func `A team that gives up stays where it is, and arrives nowhere`(race: Int) throws {
    let found = try Self.team(race) { if case .givesUp = $0 { true } else { false } }
    let team = try #require(found)
    let gaveUp = try #require(team.truth.gaveUp)
    let after = team.deliveries.filter { $0.taken.map { $0 > gaveUp } ?? false }
    let place = try #require(after.first.map { GroundPoint($0.position) })
    #expect(
      after.count > 3 && after.allSatisfy { GroundPoint($0.position).distance(to: place) < 40 })
    #expect(team.truth.arrival == nil)
    #expect(team.truth.stops.contains { $0.from == gaveUp && $0.until == nil && !$0.isAtPlace })
  }

  @Test(arguments: seeds.indices)
  func `Deliveries come in the order of the server's clock, at the place of the team`(
    race: Int
  ) throws {
    let script = Self.script(Self.seeds[race])
    let race = try Self.races.get()[race]
    #expect(race.begin == script.begin + script.serverClockAhead)
    for (team, planned) in zip(race.teams, script.teams) {
      let times = team.deliveries.map(\.at.milliseconds)
      #expect(times == times.sorted())
      #expect(times.allSatisfy { race.begin.milliseconds < $0 && $0 <= race.end.milliseconds })
      // By the receiver's clock, which is not the server's.
      let way = WalkedWay(planned, begin: script.begin, course: .olotToTheSea)
      for delivery in team.deliveries {
        guard let taken = delivery.taken else { continue }
        var steps = WalkedWay.Steps(way, on: .olotToTheSea)
        let metres = steps.place(at: taken - script.begin).distance(
          to: GroundPoint(delivery.position))
        #expect(metres < 40, "\(team.number) \(taken): \(metres); \(Self.again)")
      }
    }
  }

  @Test(arguments: seeds.indices)
  func `Deliveries have what the tracker said with them: promise and trigger`(race: Int) throws {
    let race = try Self.races.get()[race]
    for team in race.teams {
      let promising = team.deliveries.filter { delivery in
        delivery.promise.map { $0 > delivery.at && $0 - delivery.at < .hours(3) } ?? false
      }
      #expect(
        promising.count * 10 > team.deliveries.count * 9,
        "\(team.number): \(promising.count) of \(team.deliveries.count); \(Self.again)")
      let triggers = Set(team.deliveries.compactMap { $0.trigger?.rawValue })
      #expect(triggers.isSuperset(of: [Trigger.start, .interval].map(\.rawValue)), Self.again)
    }
    let stopped = race.teams.filter { team in
      team.truth.periods.contains { $0.cause == .over } && team.deliveries.last?.silence != nil
    }
    #expect(stopped.allSatisfy { $0.deliveries.last?.silence == "stoppedByPerson" }, Self.again)
  }

  @Test func `What a scenario says happens in the time of the race`() throws {
    var terms = try Self.terms(teams: 2)
    let hole = Window(from: .hours(2), to: .hours(4), content: CoverageHole.noService)
    terms.scenario.coverage = [hole]
    let race = try RehearsedRace.run(terms, seed: 9)
    let (from, to) = (race.begin + .hours(2), race.begin + .hours(4))
    for team in race.teams {
      #expect(team.deliveries.contains { $0.at < from } && team.deliveries.contains { $0.at > to })
      #expect(!team.deliveries.contains { from < $0.at && $0.at < to }, Self.again)
      #expect(team.truth.periods.contains { $0.from == from && $0.until == to })
    }
  }
}
