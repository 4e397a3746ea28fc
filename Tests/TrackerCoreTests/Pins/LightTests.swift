import Testing

@testable import TrackerCore

/// What the status light shows, and that only changes are reported.
@Suite struct LightTests {
  static let cases: [(capturing: Reason?, sending: Reason?, pending: UInt32, light: Light)] = [
    (.notDue, .nothingPending, 0, .working), (nil, nil, 0, .working),
    (.notDue, .searching, 3, .waiting), (.notDue, .backingOff(status: 503), 1, .waiting),
    (.noFix, .nothingPending, 0, .noPosition), (.clockUntrusted, .noSIM, 5, .noPosition),
    (.notDue, .noSIM, 5, .modemTrouble), (.atRest, .modemSilent, 0, .modemTrouble),
    (.notDue, .serverRejected(code: 400), 2, .serverTrouble),
    (.storeFailed, .noSIM, 9, .storeTrouble), (.sessionStopped, .noSIM, 9, .stopped),
    (.finished, .nothingPending, 0, .stopped),
  ]

  @Test(arguments: cases.indices)
  func `The light shows what a person has to know first`(_ number: Int) {
    let (capturing, sending, pending, expected) = Self.cases[number]
    let light = Light(capturing: capturing, sending: sending, pending: pending)
    #expect(light == expected, again(Self.self, "case \(number);"))
  }

  @Test func `A board without a light is told nothing, one with a light only changes`() {
    for hasLight in [false, true] {
      var board = Board.bench
      board.hasLight = hasLight
      var bench = Bench(board: board)
      bench.run(until: bench.now + .hours(1))
      let lights = bench.log.compactMap { entry -> Light? in
        if case .setLight(let light) = entry.effect { light } else { nil }
      }
      #expect(lights.isEmpty != hasLight, again(Self.self, "\(lights)"))
      #expect(zip(lights, lights.dropFirst()).allSatisfy { $0 != $1 }, again(Self.self))
      #expect(!hasLight || lights.contains(.working), again(Self.self, "\(lights)"))
    }
  }

  @Test func `The radio's line is released for a contact and held between contacts`() {
    var board = Board.bench
    board.modem.hasFlightMode = true
    var bench = Bench(board: board)
    bench.run(until: bench.now + .hours(1))
    let levels = bench.log.compactMap { entry -> Bool? in
      if case .setPin(.flightMode, let isActive) = entry.effect { isActive } else { nil }
    }
    #expect(
      levels.count > 4 && zip(levels, levels.dropFirst()).allSatisfy { $0 != $1 },
      again(Self.self, "\(levels)"))
    var isReleased = false
    for entry in bench.log {
      switch entry.effect {
      case .setPin(.flightMode, let isActive): isReleased = !isActive
      case .upload: #expect(isReleased, again(Self.self, "at \(entry.at);"))
      default: break
      }
    }
  }

  @Test func `With an external supply there is no battery reserve`() {
    var gauge = BatteryGauge(Board.bench.battery)
    gauge.measure(BatteryReading(millivolts: 6700), at: .start)
    #expect(gauge.isInReserve(ofPercent: 15), again(Self.self))
    gauge.isExternallyPowered = true
    #expect(!gauge.isInReserve(ofPercent: 15), again(Self.self))
  }
}
