import BoardSupport
import CaptureStore
import Testing
import TrackerCore

@testable import Simulation

/// Invariants notice what breaks them.
@Suite struct InvariantWatchTests {
  private let minute = Instant.start + .minutes(30)

  private func watch(_ change: (inout Scenario) -> Void = { _ in }) -> InvariantWatch {
    var scenario = Scenario()
    change(&scenario)
    return InvariantWatch(scenario, Configuration())
  }

  /// What the end of a run without captures shows.
  private func end(_ watch: InvariantWatch) throws -> [Invariant] {
    let board = try FaultExplorationTests.board("pi-zero-2w-sim7600")
    let identity = Identity(device: Race.device, team: InlineText("Test"), seed: 1)
    let store = try CaptureStore.open(
      .memory, for: .device(identity.device), at: UTC(milliseconds: 0))
    let trace = try PreparedTrace.walk(.minutes(1), every: .seconds(10), seed: 1)
    let world = try World(
      TracePlayer(trace), on: board, ConfigurationFile(), Scenario(), store: store, seed: 1)
    let tracker = Tracker(
      board: board.board, configuration: Configuration(), identity: identity, at: .start)
    try watch.finish(tracker, world)
    return watch.broken.map(\.invariant)
  }

  @Test func `An announced capture that is not in the store is lost`() throws {
    let watch = watch()
    watch.pushed(.note(.captured(sequence: 5)), at: minute)
    #expect(try end(watch).first == .nothingLost)
    #expect(watch.broken.first?.description.contains("capture 5") ?? false)
  }

  @Test func `A reason that stands without a cause is untrue, one that slips by is not`() {
    let reasons: [Reason] = [
      .noSIM, .simLocked, .registrationDenied, .backingOff(status: 503), .unauthorised,
      .serverRejected(code: 400),
    ]
    for reason in reasons {
      let watch = watch()
      watch.pushed(.note(.sending(reason)), at: minute)
      watch.pushed(.note(.sending(nil)), at: minute + .seconds(9))
      #expect(watch.broken == [], "\(reason)")
      watch.pushed(.note(.sending(reason)), at: minute)
      watch.pushed(.note(.sending(nil)), at: minute + .seconds(11))
      #expect(watch.broken.map(\.invariant) == [.reasonTrue], "\(reason)")
    }
    let caused = self.watch {
      $0.modem = [Window(from: .minutes(25), to: .minutes(31), content: .noSIM)]
    }
    caused.pushed(.note(.sending(.noSIM)), at: minute)
    caused.pushed(.note(.sending(nil)), at: minute + .minutes(1))
    #expect(caused.broken == [])
  }

  @Test(arguments: [Reason.noFix, .sessionStopped], [false, true])
  func `A session that runs is not said to be stopped, nor one that is stopped to wait`(
    _ reason: Reason, isRunning: Bool
  ) {
    let watch = watch()
    watch.pushed(.note(.capturing(reason)), at: minute)
    watch.checkStopped(isRunning: isRunning, isUrgent: false, at: minute)
    let isTrue = (reason == .sessionStopped) != isRunning
    #expect(watch.broken.map(\.invariant) == (isTrue ? [] : [.reasonTrue]))
  }

  @Test func `A server in trouble asked every 15 s is noticed, unless it takes something`() {
    let queue = QueueCounts(pending: 1)
    let all = UploadOutcome.answered(acknowledged: 1, refused: 0, firstRefused: .none, code: 0)
    for takes in [false, true] {
      let watch = watch()
      for number in 1...16 as ClosedRange<Int64> {
        #expect(watch.broken == [])
        let busy = Event.uploadFinished(
          RequestID(1), .busy(status: 503, retryAfter: nil), queue: queue)
        watch.arrived(.event(busy), at: minute + .seconds(15 * number))
        guard takes, number == 8 else { continue }
        let answer = Event.uploadFinished(RequestID(1), all, queue: queue)
        watch.arrived(.event(answer), at: minute + .seconds(15 * number))
      }
      #expect(watch.broken.map(\.invariant) == (takes ? [] : [.fewRequests]))
    }
  }

  @Test func `A capture that is set aside while the server takes no other is noticed`() {
    let watch = watch()
    watch.pushed(.setAside(.capture(CaptureKey(1), code: 400)), at: minute)
    #expect(watch.broken.map(\.invariant) == [.onlyBadSetAside])
    let caused = self.watch { $0.badCaptures = [1] }
    caused.pushed(.setAside(.capture(CaptureKey(1), code: 400)), at: minute)
    #expect(caused.broken == [])
  }

  @Test func `A silence without a reason is noticed`() {
    let watch = watch()
    watch.pushed(.note(.capturing(nil)), at: minute)
    watch.pushed(.note(.sending(.nothingPending)), at: minute)
    watch.checkSilence(at: minute + .minutes(3))
    #expect(watch.broken == [])
    watch.checkSilence(at: minute + .minutes(4))
    #expect(watch.broken.map(\.invariant) == [.silenceExplained])
  }

  @Test func `A promise that is broken while something waits is noticed`() {
    for waiting in [0, 1] as [UInt32] {
      let watch = watch()
      let date = UTC(milliseconds: 1_776_500_000_000)
      watch.pushed(.note(.clockTrusted(date)), at: minute)
      let request = UploadRequest(
        id: RequestID(1), selection: .freshest(limit: 1), nextContactBy: date + .minutes(10))
      watch.pushed(.upload(request), at: minute)
      let all = UploadOutcome.answered(acknowledged: 1, refused: 0, firstRefused: .none, code: 0)
      let queue = QueueCounts(pending: 0)
      watch.arrived(.event(.uploadFinished(RequestID(1), all, queue: queue)), at: minute)
      watch.checkPromise(waiting, at: minute + .minutes(12))
      #expect(watch.broken == [])
      watch.checkPromise(1, at: minute + .minutes(17))
      #expect(watch.broken.map(\.invariant) == (waiting > 0 ? [.promiseKept] : []))
    }
  }

  @Test func `A request for more captures than servers take is noticed`() {
    let watch = watch()
    for limit in [1, 100, 101] as [UInt32] {
      #expect(watch.broken == [])
      watch.pushed(
        .upload(UploadRequest(id: RequestID(1), selection: .oldest(limit: limit))), at: minute)
    }
    #expect(watch.broken.map(\.invariant) == [.queuesBounded])
  }

  @Test func `A call for help that nobody hears is noticed`() {
    let watch = watch()
    watch.arrived(.event(.commandGiven(.raiseEmergency, from: .button)), at: minute)
    watch.checkCall(at: minute + .minutes(15))
    #expect(watch.broken == [])
    watch.checkCall(at: minute + .minutes(16))
    #expect(watch.broken.map(\.invariant) == [.callSoonHeard])
  }

  @Test func `A tracker that is called too often is noticed`() {
    let watch = watch()
    for number in 0..<2999 as Range<Int64> {
      watch.arrived(.event(.deadlineReached), at: minute + Milliseconds(number))
    }
    #expect(watch.broken == [])
    watch.arrived(.event(.deadlineReached), at: minute + .seconds(4))
    #expect(watch.broken.map(\.invariant) == [.fewWakes])
  }
}
