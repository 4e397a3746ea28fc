import Testing

@testable import TrackerCore

/// How often the server is asked for messages while nobody calls for help.
@Suite struct MailAccountTests {
  /// A day, and what the questions take of what the modem takes by the tracker's own plan.
  private func day(_ adjust: (inout Configuration) -> Void) -> (bench: Bench, share: Double) {
    var bench = Bench {
      $0.fetchesMessages = true
      adjust(&$0)
    }
    bench.run(until: bench.now + .hours(24))
    let loads = Board.bench.loads
    let contacts = Double(bench.uploads.count)
    let isAttached = bench.tracker.configuration.betweenUploads == .attached
    let rest = isAttached ? loads.modemIdleMicroamps : loads.modemOffMicroamps
    let all =
      contacts
      * (isAttached
        ? Double(loads.modemTransmittingMicroamps) * Double(Bounds.attachedContact.count)
        : Double(loads.modemSearchingMicroamps) * Double(Bounds.usualContact.count))
      + Double(rest) * Double(Milliseconds.hours(24).count)
    // Each is answered after half a second.
    let questions = Double(bench.fetches * 500) * Double(loads.modemTransmittingMicroamps)
    return (bench, questions / all)
  }

  @Test(arguments: [BetweenUploads.off, .attached])
  func `Questions take at most three percent of the modem's charge, and there are some`(
    _ use: BetweenUploads
  ) {
    let (bench, share) = day { $0.betweenUploads = use }
    #expect(share <= 0.033, again(Self.self, "\(share)"))
    #expect(bench.fetches >= 24, again(Self.self, "one an hour; \(bench.fetches)"))
  }

  @Test func `It never asks where that is off, and not again where there is no table`() {
    #expect(day { $0.fetchesMessages = false }.bench.fetches == 0, again(Self.self))
    var bench = Bench { $0.fetchesMessages = true }
    bench.answer = .unsupported
    bench.run(until: bench.now + .hours(6))
    #expect(bench.fetches == 1, again(Self.self))
  }

  @Test func `The first contact asks`() {
    var bench = Bench { $0.fetchesMessages = true }
    bench.run(until: bench.now + .minutes(5))
    #expect(bench.fetches == 1, again(Self.self))
  }
}
