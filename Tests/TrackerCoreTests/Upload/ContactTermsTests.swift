import Testing

@testable import TrackerCore

@Suite struct ContactTermsTests {
  /// The terms when so much is left in a battery whose reserve is 10 %.
  private func terms(millivolts: Int32?, isSessionRunning: Bool = true) -> ContactTerms {
    let configuration = Configuration()
    var gauge = BatteryGauge(Board.bench.battery)
    if let millivolts { gauge.measure(BatteryReading(millivolts: millivolts), at: .start) }
    return ContactTerms(
      configuration, budget: EnergyBudget(), gauge: gauge, isSessionRunning: isSessionRunning)
  }

  // Six cells in series: 10 % is 1100 mV in each.
  @Test func `The reserve begins at its percentage, in a running session, once measured`() {
    #expect(terms(millivolts: 6600).isInReserve, again(Self.self))
    #expect(!terms(millivolts: 6700).isInReserve, again(Self.self))
    #expect(!terms(millivolts: nil).isInReserve, again(Self.self))
    #expect(!terms(millivolts: 6000, isSessionRunning: false).isInReserve, again(Self.self))
  }

  @Test func `In the reserve contacts are an hour apart, unless a person wants one`() {
    let full = terms(millivolts: nil)
    let reserve = terms(millivolts: 6000)
    var tape = UploaderTape(Self.self, pending: 1)
    tape.isInReserve = true
    #expect(tape.uploader.contactDue(reserve) == .start, "the first contact is not held back")
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(2, .uploaded(1, .took(1), pending: 0))
    tape.at(500, .stored(pending: 1))
    let held = Instant.start + Bounds.reserveTransmitInterval
    #expect(tape.uploader.contactDue(full) == .at(600_000), again(Self.self))
    #expect(tape.uploader.contactDue(reserve) == held, again(Self.self))
    let now = Instant.at(700_000)
    #expect(tape.uploader.deadline(reserve, connectableAt: nil) == held, again(Self.self))
    #expect(tape.uploader.reason(reserve, link: nil, at: now) == .batteryReserve)
    #expect(tape.uploader.reason(reserve, link: nil, at: .at(599_999)) == .notDue)
    #expect(tape.uploader.reason(reserve, link: nil, at: .at(600_000)) == .batteryReserve)
    tape.uploader.waiveReserve()
    #expect(tape.uploader.contactDue(reserve) == .at(600_000), again(Self.self))
  }

  @Test func `A contact that was promised before the reserve began comes, and then they are rare`()
  {
    let reserve = terms(millivolts: 6000)
    var tape = UploaderTape(Self.self, pending: 1)
    tape.at(0, .begin, .upload(1, .freshest(limit: 100)))
    tape.at(2, .uploaded(1, .took(1), pending: 0))
    tape.at(500, .stored(pending: 1))
    #expect(tape.uploader.contactDue(reserve) == .at(600_000), again(Self.self))
    tape.isInReserve = true
    tape.at(600, .begin, .upload(2, .freshest(limit: 100)))
    tape.at(602, .uploaded(2, .took(1), pending: 0))
    tape.at(1100, .stored(pending: 1))
    #expect(tape.uploader.contactDue(reserve) == .at(4_200_000), again(Self.self))
  }

  @Test func `In the reserve the modem stays attached only if it is configured to`() {
    func use(_ millivolts: Int32, configured: BetweenUploads) -> BetweenUploads {
      var configuration = Configuration()
      configuration.betweenUploads = configured
      var gauge = BatteryGauge(Board.bench.battery)
      gauge.measure(BatteryReading(millivolts: millivolts), at: .start)
      let chosen = configured == .off ? BetweenUploads.attached : .off
      return ContactTerms(
        configuration, budget: EnergyBudget(.init(betweenUploads: chosen)), gauge: gauge,
        isSessionRunning: true
      ).betweenUploads
    }
    #expect(use(8000, configured: .off) == .attached, again(Self.self))
    #expect(use(6000, configured: .off) == .off, again(Self.self))
    #expect(use(8000, configured: .attached) == .off, again(Self.self))
    #expect(use(6000, configured: .attached) == .off, again(Self.self))
  }

  @Test func `While it connects, the link says why nothing is sent and when it can be`() {
    let full = terms(millivolts: nil)
    var uploader = Uploader(pending: 1, seed: 7)
    uploader.beginContact(interval: .minutes(10), isInReserve: false, at: .start)
    #expect(uploader.reason(full, link: .searching, at: .start) == .searching, again(Self.self))
    #expect(uploader.deadline(full, connectableAt: nil) == nil, again(Self.self))
    #expect(uploader.deadline(full, connectableAt: .at(5000)) == .at(5000), again(Self.self))
    _ = uploader.nextRequest(at: .at(100_000))
    #expect(uploader.reason(full, link: .searching, at: .at(100_000)) == nil, again(Self.self))
  }

  @Test func `The first slot from an instant on lies on the grid, not before it`() {
    let policy = CapturePolicy.standard(
      interval: .minutes(10), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    let schedule = CaptureSchedule(policy, at: .at(1000))
    for (from, expected) in [
      (Int64(0), Int64(1000)), (1000, 1000), (1001, 601_000), (601_000, 601_000),
      (601_001, 1_201_000),
    ] {
      #expect(
        schedule.firstSlot(from: .at(from), budget: nil) == .at(expected),
        again(Self.self, "from \(from);"))
    }
    let byDistance = CaptureSchedule(.proximity, at: .start)
    #expect(byDistance.firstSlot(from: .at(5000), budget: nil) == nil, again(Self.self))
  }
}
