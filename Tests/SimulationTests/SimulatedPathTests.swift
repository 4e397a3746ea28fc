import FeatureService
import Testing
import TrackerCore

@testable import Simulation

/// Networks that carry only small requests, and servers that give no answer, over each bearer.
@Suite struct SimulatedPathTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: Fault.Kind
    var above: Int
    var bearer: Bearer
    var testDescription: String { "\(kind) above \(above) over \(bearer)" }
  }
  static let limits: [(Fault.Kind, Int)] = [(.timeout, 1500), (.timeout, 2000), (.reset, 2048)]
  static let cases = limits.flatMap { kind, above in
    [Bearer.interface, .modem, .none].map { Case(kind: kind, above: above, bearer: $0) }
  }

  private static func race(_ fault: Fault, _ bearer: Bearer) -> Race {
    var race = Race(trace: "race")
    race.configuration.capture = .standard(
      interval: .minutes(5), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    race.configuration.bearer = bearer
    race.scenario.coverage = [
      Window(from: .minutes(60), to: .minutes(120), content: .noBearer)
    ]
    race.scenario.server = [Window(from: 0, to: nil, content: fault)]
    race.scenario.commands = [TimedCommand(at: .minutes(360), command: .stop)]
    return race
  }

  @Test(arguments: cases)
  func `A path that carries only small requests delivers all once, at a bounded price`(
    _ one: Case
  ) throws {
    var fault = Fault(one.kind)
    fault.above = one.above
    let result = try Self.race(fault, one.bearer).run()
    let again: Comment = "\(one); repeat with: swift test --filter SimulatedPathTests"
    #expect(result.ending == .finished && result.pending == 0 && result.setAside == 0, again)
    #expect(result.duplicates == 0 && result.received == result.sequences.count, again)
    #expect(result.received > 70, again)
    let each = Double(result.radioOn.count) / 1000 / Double(result.received)
    #expect(one.bearer == .none || each <= 30, "\(each) s of radio each; \(again)")
    var plain = Self.race(fault, one.bearer)
    plain.scenario.server = []
    let limit = try plain.run().longestLatency + .minutes(30)
    #expect(result.longestLatency <= limit, "\(result.longestLatency); \(again)")
  }

  @Test(arguments: [Fault.Kind.timeout, .dead], [Bearer.interface, .modem])
  func `A server that gives no answer for hours gets everything once it does`(
    _ kind: Fault.Kind, _ bearer: Bearer
  ) throws {
    var race = Self.race(Fault(kind), bearer)
    race.scenario.coverage = []
    race.scenario.server[0].to = .minutes(180)
    let result = try race.run()
    let again: Comment = "\(kind); repeat with: swift test --filter SimulatedPathTests"
    #expect(result.ending == .finished && result.pending == 0 && result.setAside == 0, again)
    #expect(result.duplicates == 0 && result.received == result.sequences.count, again)
  }
}
