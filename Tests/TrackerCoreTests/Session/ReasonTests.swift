import Testing

@testable import TrackerCore

/// Silence explains itself: every reason comes about, and is reported when it does.
@Suite struct ReasonTests {
  @Test(arguments: ReasonRoster.all)
  func `Every reason can be reached and is told`(_ reason: Reason) {
    let bench = Self.bench(for: reason)
    let name = reason.key.description
    let stated = [bench.tracker.captureReason, bench.tracker.sendReason]
    #expect(stated.contains(reason), again(Self.self, "\(name): \(stated);"))
    let isTold = bench.notes.contains(.capturing(reason)) || bench.notes.contains(.sending(reason))
    #expect(isTold, again(Self.self, name))
  }

  /// A tracker that was brought to that reason.
  private static func bench(for reason: Reason) -> Bench {
    switch reason {
    case .sessionStopped: return after(1, configured: { $0.startsBySelf = false })
    case .noFix: return after(60, world: { $0.sky = .noFix })
    case .poorAccuracy: return after(60, world: { $0.sky = .fix(accuracyMetres: 300) })
    case .clockUntrusted: return after(2)
    case .atRest:
      let policy = CapturePolicy.standard(
        interval: .minutes(10), minimumDistanceMetres: 50, heartbeat: .minutes(30))
      return after(606, configured: { $0.capture = policy })
    case .notDue: return after(60)
    case .batteryReserve:
      return after(
        700, world: { $0.handle(.batteryMeasured(BatteryReading(millivolts: 6400))) })
    case .modemOff: return after(8, world: { $0.isModemMute = true })
    case .modemSilent: return after(90, world: { $0.isModemMute = true })
    case .noSIM: return after(8, world: { $0.simAnswer = "+CME ERROR: 10" })
    case .simLocked: return after(8, world: { $0.simAnswer = "+CPIN: SIM PIN" })
    case .simRefused: return locked(.untried, tries: "+SPIC: 3,10,3,10")
    case .simLastTry: return locked(.untried, tries: "+SPIC: 1,10,3,10")
    case .simUncertain: return locked(.tried, tries: nil)
    case .simBlocked: return after(8, world: { $0.simAnswer = "+CPIN: SIM PUK" })
    case .operatorLocked: return after(8, world: { $0.simAnswer = "+CPIN: PH-NET PIN" })
    case .searching: return after(8, world: { $0.registrationAnswer = "+CREG: 0,2" })
    case .registrationDenied: return after(8, world: { $0.registrationAnswer = "+CREG: 0,3" })
    case .noBearer: return after(8, world: { $0.hasBearer = false })
    case .reconnectFloor:
      return after(
        200,
        configured: {
          $0.transmitInterval = .minutes(2)
          $0.capture = .proximity
        }, world: { $0.metresPerReport = 10 })
    case .backingOff(let status):
      let busy = UploadOutcome.busy(status: status, retryAfter: nil)
      return after(12, world: { $0.server = .ends(busy) })
    case .serverRejected(let code): return after(14, world: { $0.server = .refuses(code: code) })
    case .unauthorised: return after(12, world: { $0.server = .ends(.unauthorised) })
    case .storeFailed: return after(8, world: { $0.disk = .fails })
    case .nothingPending: return after(60)
    case .finished:
      return after(
        700,
        configured: {
          $0.finish = .after(.minutes(10))
          $0.endAfterFinish = .minutes(1)
        })
    }
  }

  /// With a wrong PIN, and a SIM that says so much of its tries.
  private static func locked(_ state: PINState, tries: String?) -> Bench {
    var identity = Identity.bench
    identity.simPIN = state
    var bench = Bench(identity: identity)
    bench.pin = "1111"
    bench.pinTriesAnswer = tries
    bench.run(seconds: 12)
    return bench
  }

  private static func after(
    _ seconds: Int64, configured configure: (inout Configuration) -> Void = { _ in },
    world: (inout Bench) -> Void = { _ in }
  ) -> Bench {
    var bench = Bench(configure)
    world(&bench)
    bench.run(seconds: seconds)
    return bench
  }

  @Test func `While a capture or an upload is under way there is no reason`() {
    var bench = Bench()
    bench.disk = .mute
    bench.run(seconds: 5)
    #expect(bench.tracker.captureReason == nil, again(Self.self))
    bench = Bench()
    bench.server = .mute
    bench.run(seconds: 20)
    #expect(bench.tracker.sendReason == nil && bench.uploads.count == 1, again(Self.self))
  }

  @Test func `A slot that passes without a capture is counted with its reason`() {
    var bench = Bench()
    bench.run(seconds: 60)
    bench.sky = .noFix
    bench.run(until: .at(3_700_000))
    let missed = bench.notes.filter { $0 == .notCaptured(.noFix) }
    #expect(missed.count == 5, again(Self.self))
  }

  @Test func `A receiver that falls silent lacks a fix, whatever it said before`() {
    var bench = Bench()
    bench.sky = .fix(accuracyMetres: 300)
    bench.run(seconds: 60)
    #expect(bench.tracker.captureReason == .poorAccuracy, again(Self.self))
    bench.sky = .silent
    bench.run(seconds: 31)
    #expect(bench.notes.contains(.receiverSilent), again(Self.self))
    #expect(bench.tracker.captureReason == .noFix, again(Self.self))
    bench.sky = .fix(accuracyMetres: 5)
    bench.run(seconds: 2)
    #expect(bench.notes.contains(.receiverHeard), again(Self.self))
  }

  @Test func `Only changes are told`() {
    var lastReported = LastReported()
    var sink = Sink()
    func tell(_ capturing: Reason?, _ sending: Reason?, _ phase: ModemPhase) -> [Effect] {
      lastReported.report(capturing: capturing, sending: sending, modem: phase, into: &sink)
      return sink.take()
    }
    #expect(
      tell(nil, nil, .off) == [.note(.capturing(nil)), .note(.sending(nil))], again(Self.self))
    #expect(tell(nil, nil, .off) == [], again(Self.self))
    #expect(tell(.noFix, nil, .off) == [.note(.capturing(.noFix))], again(Self.self))
    let first = tell(.noFix, .backingOff(status: 500), .inUse)
    #expect(
      first == [.note(.sending(.backingOff(status: 500))), .note(.modem(.inUse))],
      again(Self.self))
    let second = tell(.noFix, .backingOff(status: 503), .inUse)
    #expect(second == [.note(.sending(.backingOff(status: 503)))], again(Self.self))
  }
}
