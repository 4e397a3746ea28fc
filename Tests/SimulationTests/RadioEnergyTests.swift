import Testing
import TrackerCore

@testable import Simulation

/// What the radio takes around a transfer, and what that means for batches and for sleep.
@Suite struct RadioEnergyTests {
  private let again: Comment = "repeat with: swift test --filter RadioEnergyTests"

  /// A handset's figures (github.com/attdevsupport/VideoOptimizer, ARO.Core/src/main/resources), on
  /// a rail of 5 V.
  struct Handset: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var promotion: (seconds: Double, watts: Double)
    /// 3G has two: in the dedicated channel and in the shared one.
    var tails: [(seconds: Double, watts: Double)]
    /// Of one small upload, by the profile's own sum.
    var joules: Double

    var figures: RadioFigures {
      var figures = RadioFigures()
      figures.promotion = Self.time(promotion.seconds)
      figures.promotionMicroamps = Self.microamps(promotion.watts)
      let seconds = tails.reduce(0) { $0 + $1.seconds }
      figures.tail = Self.time(seconds)
      figures.tailMicroamps = Self.microamps(
        tails.reduce(0) { $0 + $1.seconds * $1.watts } / seconds)
      return figures
    }

    private static func time(_ seconds: Double) -> Milliseconds {
      Milliseconds(Int64((seconds * 1000).rounded()))
    }
    private static func microamps(_ watts: Double) -> Int32 {
      Int32((watts / 5 * 1e6).rounded())
    }
  }

  static let handsets = [
    // lte.conf
    Handset(
      testDescription: "LTE", promotion: (0.26, 1.21), tails: [(10, 1.06)], joules: 10.9),
    // inspire.conf
    Handset(
      testDescription: "3G, HTC Inspire", promotion: (2, 0.30), tails: [(4, 0.60), (10, 0.38)],
      joules: 6.8),
    // i997.conf
    Handset(
      testDescription: "3G, Samsung i997", promotion: (2, 0.65), tails: [(4, 1.30), (10, 0.30)],
      joules: 9.5),
  ]

  /// 21 captures, a minute apart, from a modem that stays registered. Idle it takes nothing, as in
  /// the profiles; nor does the transfer itself, which they leave out for a small upload.
  private static func race(_ handset: Handset, every interval: Milliseconds) throws -> Race.Result {
    var race = Race(walk: try .walk(.seconds(1230), every: .seconds(1), seed: 1))
    race.isModemAlwaysOn = true
    race.radio = handset.figures
    race.adjust = { board in
      board.loads.modemIdleMicroamps = 0
      board.loads.modemStartingMicroamps = 0
      board.loads.modemSearchingMicroamps = 0
      board.loads.modemTransmittingMicroamps = 0
    }
    race.configuration.capture = .standard(
      interval: .minutes(1), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    race.configuration.betweenUploads = .attached
    race.configuration.transmitInterval = interval
    return try race.run()
  }

  // 5 %: the profiles' sums are rounded to a tenth of a joule, which is 1 %.
  @Test(arguments: handsets)
  func `An isolated small upload costs what the profile says, within 5 %`(
    _ handset: Handset
  ) throws {
    let result = try Self.race(handset, every: .minutes(1))
    #expect(result.acknowledged == 22, again)
    let each = result.modemJoules / 22
    #expect(abs(each / handset.joules - 1) < 0.05, "\(each) J; \(again)")
  }

  // Three uploads, of one capture, of ten, and of ten; and in both races that of the last capture.
  @Test(arguments: handsets)
  func `Ten captures in one upload save nine tenths of the energy of ten uploads`(
    _ handset: Handset
  ) throws {
    let alone = try Self.race(handset, every: .minutes(1))
    let batched = try Self.race(handset, every: .minutes(10))
    #expect(alone.acknowledged == 22 && batched.acknowledged == 22, again)
    let saved = (alone.modemJoules - batched.modemJoules) / 2
    #expect(
      abs(saved / (9 * handset.joules) - 1) < 0.05, "\(saved) J of ten uploads; \(again)")
  }

  @Test func `A SIM7600 that sleeps takes more than one that is switched off between contacts`()
    throws
  {
    func joules(asleep microamps: Int32?) throws -> Double {
      var race = Race()
      if let microamps {
        race.configuration.betweenUploads = .attached
        race.adjust = { $0.loads.modemIdleMicroamps = microamps }
      }
      let result = try race.run()
      #expect(result.acknowledged == 8 && result.ending == .finished, again)
      return result.modemJoules
    }
    let off = try joules(asleep: nil)
    // T-SIM7600X, issues 13 and 142: 20 mA with CSCLK, where the manual lets one expect 2 to 5.
    let measured = try joules(asleep: 20_000)
    // SIM7600E/-H Hardware Design V1.01: LTE 4.6 mA. If that were true, sleep would be better.
    let promised = try joules(asleep: 4600)
    #expect(promised < off && off < measured / 2, "\(promised), \(off), \(measured) J; \(again)")
  }
}
