import CaptureStore
import TestSupport
import Testing
import TrackerCore

@testable import FieldConsole

/// What the stores of a tracker that does not run say.
@Suite struct StoreFactsTests {
  private let again: Comment = "repeat with: swift test --filter StoreFactsTests"
  private let date = UTC(milliseconds: 1_349_517_600_000)

  /// A store whose captures were delivered, refused, or wait.
  private func store(delivered: Int, refused: Int, waiting: Int) throws -> CaptureStore {
    let store = try CaptureStore.open(.memory, at: date)
    func append(_ count: Int) throws -> [CaptureKey] {
      let keys = try (0..<count).map { _ in
        let capture = Capture(
          sequence: store.nextSequence, utc: date, isTimeTrusted: true,
          position: Coordinate(latitude: 0, longitude: 0), team: InlineText("A"),
          trigger: .interval)
        try store.append(capture, at: date)
        return try #require(store.newest(1).last).key
      }
      return keys
    }
    _ = try store.acknowledge(append(delivered), at: date)
    _ = try store.setAside(append(refused), code: 400, at: date)
    _ = try append(waiting)
    return store
  }

  private func facts(
    of stores: [CaptureStore], at offset: Milliseconds = .hours(1)
  ) -> TrackerFacts {
    let time = MachineTime(
      boot: "b", now: .start, sinceBoot: .minutes(90), date: date + offset)
    return TrackerFacts(of: stores, at: time)
  }

  @Test func `The counts of a second store are added to those of the first`() throws {
    let stores = [
      try store(delivered: 1, refused: 2, waiting: 3),
      try store(delivered: 10, refused: 20, waiting: 30),
    ]
    let queue = facts(of: stores).queue
    #expect(queue.pending == 33 && queue.setAside == 22 && queue.acknowledged == 11, again)
    #expect(queue.bytes == 33 * QueueBytes.each && queue.oldest == .hours(1), again)
  }

  @Test func `A second store is told with its place and what becomes of it`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("race.store.second")
    let stores = [
      try store(delivered: 0, refused: 0, waiting: 1),
      try CaptureStore.open(.file(path), at: date),
    ]
    let told = try #require(facts(of: stores).store.second, again)
    #expect(
      told[.english] == "there is a second one, \(path); the next start will take it over", again)
    #expect(told[.catalan].contains("n'hi ha un segon, \(path)"), again)
  }

  @Test func `A delivery that is still to come by the clock is not told`() throws {
    let store = try store(delivered: 1, refused: 0, waiting: 0)
    #expect(facts(of: [store]).sending.lastDelivery == .hours(1), again)
    #expect(facts(of: [store], at: 0 - .hours(1)).sending.lastDelivery == nil, again)
  }

  @Test func `Who ordered the team is told as long as it is the team`() {
    for (ordered, who) in [("Els Tardans", "anna"), ("Els Senglars", "socket")] {
      var facts = TrackerFacts()
      facts.identity.team = "Els Tardans"
      facts.session.teamOrder = TrackerFacts.Origin(age: nil, who: "socket")
      let order = SettingOrder(
        path: SettingOrder.teamPath, value: ordered, who: "anna", given: Moment(at: .start),
        session: 1, configured: "")
      facts.take([order], age: { _ in .hours(1) })
      #expect(facts.session.teamOrder?.who == who, "\(ordered); \(again)")
    }
  }
}
