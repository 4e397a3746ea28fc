import BoardSupport
import Foundation
import Testing
import TrackerCore

@testable import Simulation

/// Races of one team with one emergency each: what happens in them, and how they are judged.
@Suite struct EmergencyRaceTests {
  private static let terms = Result {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try EmergencyTerms(
      course: .olotToTheSea,
      board: BoardDescription.load(
        named: folder.appendingPathComponent("boards/pi-zero-2w-sim7600").path))
  }

  private static func again(_ seed: UInt64, _ note: String = "") -> Comment {
    "repeat with: tracker-sim rehearse --emergencies --races 1 --seed \(seed) \(note)"
  }

  /// The first races with exactly these troubles.
  private static func seeds(_ troubles: Set<EmergencyTrouble>, _ count: Int) -> [UInt64] {
    Array((UInt64(1)...).lazy.filter { EmergencyPlan(seed: $0).troubles == troubles }.prefix(count))
  }

  private static func race(_ seed: UInt64) throws -> EmergencyOutcome {
    try EmergencyRace.run(try terms.get(), seed: seed, keepsStory: true)
  }

  // MARK: Plans

  @Test func `Each trouble is drawn, alone and with others, and some races have none`() {
    let plans = (UInt64(1)...600).map(EmergencyPlan.init)
    #expect(plans.contains { $0.troubles.isEmpty })
    for trouble in EmergencyTrouble.allCases {
      let with = plans.filter { $0.troubles.contains(trouble) }
      #expect(with.contains { $0.troubles.count == 1 } && with.contains { $0.troubles.count > 1 })
    }
    for plan in plans {
      #expect(plan.acts.last?.calls == true && plan.call < plan.end, Self.again(plan.seed))
      #expect(plan.ends.isEmpty || !plan.troubles.isDisjoint(with: [.killed, .powerCut]))
    }
  }

  @Test func `A seed gives the same race, whatever the number of threads`() throws {
    let terms = try Self.terms.get()
    let one = try Workers.run(6, threads: 1) { try EmergencyRace.run(terms, seed: UInt64($0 + 1)) }
    let two = try Workers.run(6, threads: 2) { try EmergencyRace.run(terms, seed: UInt64($0 + 1)) }
    #expect(one == two && Set(one.map(\.joules)).count == 6)
  }

  // MARK: Races

  @Test func `With nothing in the way a human has read it within a minute of the registration`()
    throws
  {
    for seed in Self.seeds([], 4) {
      let outcome = try Self.race(seed)
      #expect(outcome.verdict == .data && outcome.barriers.isEmpty, Self.again(seed))
      let time = try #require(outcome.readAfterRegistration, Self.again(seed))
      #expect(time >= .seconds(5) && time <= .minutes(1), "\(time); \(Self.again(seed))")
      #expect(!outcome.isForgotten && !outcome.isToldTooEarly && !outcome.isReadUnknown)
    }
  }

  @Test(arguments: [EmergencyTrouble.killed, .powerCut])
  func `A tracker that is killed while it calls for help goes on calling`(
    trouble: EmergencyTrouble
  ) throws {
    var restarts = 0
    for seed in Self.seeds([trouble], 4) {
      let outcome = try Self.race(seed)
      // An emergency may be over before its tracker was to be killed.
      restarts += outcome.story.count { $0.text.hasPrefix("starts again; remembers") }
      #expect(outcome.verdict == .data && !outcome.isForgotten, Self.again(seed))
    }
    #expect(restarts >= 4)
  }

  @Test func `A power cut takes the date and the modem with it, a kill takes neither`() throws {
    for (trouble, loses) in [(EmergencyTrouble.killed, false), (.powerCut, true)] {
      let seed = try #require(Self.seeds([trouble], 1).first)
      let plan = EmergencyPlan(seed: seed)
      let terms = try Self.terms.get()
      var world = try terms.world(of: plan)
      var tracker = terms.tracker(of: plan)
      world.breaksOffAt = .start + .minutes(6)
      TrackerCore.run(&tracker, in: &world)
      let (date, boot) = (world.boardDate, world.boot)
      #expect(date.milliseconds > 1_000_000_000_000)
      try world.end(by: loses ? .powerCut : .kill, for: .seconds(5))
      #expect((world.boardDate < date) == loses && (world.boot != boot) == loses)
      #expect(world.isModemCut == loses && world.isReceiverCut == loses)
      #expect((world.boardMicroamps == 0) == loses)
    }
  }

  @Test func `While nobody is there it is not read, and soon after`() throws {
    let silent = Self.seeds([.nobodyThere], 9).filter {
      EmergencyPlan(seed: $0).textAnswerAfter == nil
    }
    try #require(silent.count >= 2)
    for seed in silent.prefix(2) {
      let outcome = try Self.race(seed)
      let barrier = try #require(outcome.barriers.first { $0.kind == .nobodyThere })
      let said = try #require(
        outcome.story.first { $0.text.hasSuffix("says read") }, Self.again(seed))
      let plan = EmergencyPlan(seed: seed)
      let from = barrier.to - (.start + plan.call)
      #expect(said.at >= from && said.at - from <= .seconds(21), Self.again(seed))
      #expect(outcome.read.map { $0 > from } ?? false, Self.again(seed))
    }
  }

  @Test func `Where only text messages get through, the answer of a telephone is shown`() throws {
    let answered = Self.seeds([.deadData], 9).filter {
      EmergencyPlan(seed: $0).textAnswerAfter != nil
    }
    try #require(answered.count >= 3)
    for seed in answered.prefix(3) {
      let outcome = try Self.race(seed)
      #expect(outcome.isReadByText && !outcome.isToldTooEarly, Self.again(seed))
      let said = try #require(
        outcome.story.first { $0.text == "whoever has the telephone says read" }, Self.again(seed))
      // Texts are looked for once a minute.
      let shown = try #require(outcome.read, Self.again(seed))
      #expect(shown > said.at && shown - said.at < .minutes(2), Self.again(seed, "\(shown)"))
    }
  }

  // MARK: Verdicts

  private static func barrier(
    _ kind: EmergencyOutcome.Barrier.Kind, _ from: Int64, _ to: Int64?
  ) -> EmergencyOutcome.Barrier {
    .init(
      kind: kind, from: .start + .minutes(from),
      to: to.map { .start + .minutes($0) } ?? .distantFuture)
  }

  @Test(arguments: [
    ([], 0), ([barrier(.server, 0, 20)], 20), ([barrier(.noNetwork, 7, nil)], 0),
    ([barrier(.noNetwork, 6, nil)], nil),
    ([barrier(.noNetwork, 0, 30), barrier(.server, 20, 53)], 53),
    ([barrier(.server, 50, 55), barrier(.noNetwork, 0, 44)], nil),
    ([barrier(.noNetwork, 0, nil), barrier(.server, 10, 20)], nil),
  ])
  func `It could be heard from the first time on that is long enough for a contact`(
    barriers: [EmergencyOutcome.Barrier], minutes: Int?
  ) {
    let end = Instant.start + .minutes(60)
    let chance = EmergencyOutcome.chance(among: barriers, from: .start, to: end)
    #expect(chance == minutes.map { .start + .minutes(Int64($0)) })
  }

  @Test func `One that had charge and coverage for a contact and reached nobody is unheard`() {
    func verdict(_ server: Instant?, _ text: Instant?, _ chance: Instant?)
      -> EmergencyOutcome.Verdict
    {
      .init(server: server, text: text, chance: chance)
    }
    #expect(verdict(nil, nil, .start) == .unheard && verdict(nil, nil, nil) == .couldNot)
    #expect(verdict(nil, .start, nil) == .text && verdict(.start, .start, nil) == .data)
  }

  @Test func `Whatever is in the way, who could be heard is heard in the first contact`() throws {
    let terms = try Self.terms.get()
    let outcomes = try Workers.run(40, threads: 2) {
      try EmergencyRace.run(terms, seed: UInt64($0 + 1))
    }
    for outcome in outcomes {
      #expect(!outcome.isFailure, Self.again(outcome.seed))
    }
    #expect(outcomes.count { $0.verdict == .data } > 25)
  }
}
