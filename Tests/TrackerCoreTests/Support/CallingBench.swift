@testable import TrackerCore

// A team that calls for help, and what is seen of that.
extension Bench {
  /// One that has walked for an hour, with a telephone number to write to.
  static func walking(
    board: Board = .bench, _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> Bench {
    var bench = Bench(board: board) {
      $0.textTo = PhoneNumber(Array("+34600000000".utf8).span)
      adjust(&$0)
    }
    bench.run(until: bench.now + .minutes(61))
    return bench
  }

  var emergency: EmergencyRecord? { tracker.memory.emergency }
  mutating func raise() { handle(.commandGiven(.raiseEmergency, from: .console)) }
  mutating func withdraw() {
    handle(.commandGiven(.withdrawEmergency, from: .console))
  }

  /// What Marta, who has seen the newest capture, has done.
  func read(_ kind: EmergencyAnswer.Kind = .read) -> EmergencyAnswer {
    EmergencyAnswer(
      kind: kind, sequence: stored.last?.sequence ?? 0, by: InlineText("Marta"),
      at: UTC(milliseconds: 1_780_000_000_000) + (now - .start))
  }

  var fetches: Int {
    log.count { if case .fetch = $0.effect { true } else { false } }
  }
  var halts: Int {
    log.count { if case .halt = $0.effect { true } else { false } }
  }
  var lights: [Light] {
    log.compactMap { if case .setLight(let light) = $0.effect { light } else { nil } }
  }

  func late(_ since: Instant) -> String {
    log.filter { $0.at >= since }.map { "\($0.at.milliseconds): \($0.effect)" }
      .joined(separator: "\n")
  }

  mutating func press(_ pin: InputPin, for length: Int64) {
    handle(.pinChanged(pin, isActive: true, since: 0))
    run(until: now + Milliseconds(length))
    handle(.pinChanged(pin, isActive: false, since: 0))
  }
}
