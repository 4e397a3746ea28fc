import FeatureService
import Testing
import TrackerCore
import Uplink
import Wording

@testable import Simulation

/// What is sent in another order, or again too soon, is noticed.
@Suite struct SendingWatchTests {
  private let minute = Instant.start + .minutes(30)
  private let ids = (1...3).map {
    UniqueID(device: UniqueID(high: 0, low: 0), sequence: UInt32($0))
  }

  private let all = UploadOutcome.answered(
    acknowledged: 1, refused: 0, firstRefused: .none, code: 0)

  private func watch(takesGlobalIDs: Bool = false) -> InvariantWatch {
    var scenario = Scenario()
    scenario.service.takesGlobalIDs = takesGlobalIDs
    let watch = InvariantWatch(scenario, Configuration())
    for sequence in 1...2 as ClosedRange<UInt32> {
      watch.pushed(.note(.captured(sequence: sequence)), at: minute)
    }
    return watch
  }

  private func begin(_ watch: InvariantWatch, at now: Instant) {
    watch.pushed(
      .upload(UploadRequest(id: RequestID(1), selection: .oldest(limit: 1))), at: now)
  }

  private func end(_ watch: InvariantWatch, _ outcome: UploadOutcome, at now: Instant) {
    let queue = QueueCounts(pending: 2)
    watch.arrived(.event(.uploadFinished(RequestID(1), outcome, queue: queue)), at: now)
  }

  @Test(arguments: [0, 1])
  func `A contact that does not begin with the newest is noticed`(_ first: Int) {
    let watch = watch()
    begin(watch, at: minute)
    watch.sends([ids[first]], at: minute)
    #expect(watch.broken.map(\.invariant) == (first == 0 ? [.freshestFirst] : []))
    #expect(watch.probes.contains(.freshestSent))
  }

  @Test func `Later in the contact, and once the newest was sent, any may be sent`() {
    let watch = watch()
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    watch.pushed(.note(.captured(sequence: 3)), at: minute)
    end(watch, all, at: minute)
    begin(watch, at: minute)
    watch.sends([ids[0]], at: minute)
    end(watch, all, at: minute)
    #expect(watch.broken == [])
    watch.pushed(.note(.sending(.notDue)), at: minute)
    begin(watch, at: minute + .minutes(5))
    watch.sends([ids[0]], at: minute + .minutes(5))
    #expect(watch.broken.map(\.invariant) == [.freshestFirst])
  }

  @Test func `One that is on disk and is announced later is as new`() {
    let watch = watch()
    begin(watch, at: minute)
    watch.sends([ids[2]], at: minute)
    watch.sends([ids[1]], at: minute)
    #expect(watch.broken == [])
  }

  @Test(arguments: [false, true])
  func `What was sent before it was announced, or may have been, need not be sent`(isOpen: Bool) {
    let watch = watch()
    begin(watch, at: minute)
    if !isOpen {
      watch.sends([ids[2]], at: minute)
      watch.pushed(.note(.captured(sequence: 3)), at: minute)
      end(watch, all, at: minute)
    }
    watch.pushed(.note(.sending(.notDue)), at: minute)
    begin(watch, at: minute)
    watch.sends([ids[0]], at: minute)
    #expect(watch.broken == [] && watch.probes.contains(.withheld) == false)
  }

  @Test(arguments: [9, 10] as [Int64])
  func `What a server may still apply and is sent again is noticed`(_ minutes: Int64) {
    let watch = watch()
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    watch.replied(.lost)
    end(watch, .ambiguous, at: minute + .minutes(1))
    begin(watch, at: minute + .minutes(minutes))
    watch.sends([ids[1]], at: minute + .minutes(minutes))
    #expect(watch.broken.map(\.invariant) == (minutes < 10 ? [.askedBefore] : []))
  }

  @Test func `What was answered for, or not sent, may be sent again at once`() {
    let watch = watch()
    for status in [200, 429, 503] as [Int32] {
      begin(watch, at: minute)
      watch.sends([ids[1]], at: minute)
      watch.replied(.response(status: status, headers: [], body: []))
      end(watch, .ambiguous, at: minute)
    }
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    end(watch, .stalled, at: minute)
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    #expect(watch.broken == [])
    watch.replied(.response(status: 502, headers: [], body: []))
    end(watch, .busy(status: 502, retryAfter: nil), at: minute)
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    #expect(watch.broken.map(\.invariant) == [.askedBefore])
  }

  @Test(arguments: [false, true])
  func `Who refuses second copies is asked before, or that is noticed`(isAsked: Bool) {
    let watch = watch(takesGlobalIDs: true)
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    end(watch, .ambiguous, at: minute)
    if isAsked {
      let queue = QueueCounts(pending: 2)
      let settled = Event.reconcileFinished(RequestID(2), .settled(confirmed: 0), queue: queue)
      watch.arrived(.event(settled), at: minute)
    }
    begin(watch, at: minute)
    watch.sends([ids[1]], at: minute)
    #expect(watch.broken.map(\.invariant) == (isAsked ? [] : [.askedBefore]))
  }

  @Test func `A server that cannot be asked gets all again`() {
    var scenario = Scenario()
    scenario.service.kind = .osmAnd
    let watch = InvariantWatch(scenario, Configuration())
    for _ in 1...2 {
      begin(watch, at: minute)
      watch.sends([ids[1]], at: minute)
      end(watch, .ambiguous, at: minute)
    }
    #expect(watch.broken == [] && watch.probes.contains(.positionPosted))
  }

  @Test(arguments: [40, 41] as [Int64])
  func `Who waits longer for a server than any wait is noticed`(_ minutes: Int64) {
    let watch = watch()
    watch.pushed(.note(.sending(.backingOff(status: 0))), at: minute)
    watch.checkWait(at: minute + .minutes(minutes))
    #expect(watch.broken.map(\.invariant) == (minutes > 40 ? [.soonBack] : []))
    #expect(watch.probes.contains(.longWait))
  }

  @Test func `After a question without an answer it takes one for each message to have all`() {
    var fetch = FetchWatch()
    func ask(_ outcome: FetchOutcome, _ number: Int64) {
      fetch.begins(at: minute + .minutes(number))
      fetch.finished(outcome, messages: 2, calmFrom: .start)
    }
    ask(.answered(nil), 0)
    ask(.failed(status: 0), 1)
    ask(.answered(nil), 2)
    #expect(fetch.complete == [minute])
    ask(.answered(nil), 3)
    #expect(fetch.complete == [minute, minute + .minutes(3)])
    ask(.answered(nil), 4)
    #expect(fetch.complete == [minute + .minutes(3), minute + .minutes(4)])
  }

  @Test func `A confirmation may be lost in trouble, and then fewer messages are asked for, too`() {
    var fetch = FetchWatch()
    for number in 0...3 as ClosedRange<Int64> {
      fetch.begins(at: minute + .minutes(number))
      fetch.finished(.answered(nil), messages: 2, calmFrom: minute + .minutes(1))
    }
    #expect(fetch.complete == [minute + .minutes(3)])
  }

  @Test func `The captures of a request are read from its form`() {
    let features = ids.map { "{\"attributes\":{\"UUID\":\"\($0.bracedText)\",\"Ordre\":1}}" }
    func request(_ layer: Int, _ operation: String) -> ServiceRequest {
      ServiceRequest(
        method: "POST",
        target: Array("/arcgis/rest/services/T/FeatureServer/\(layer)/\(operation)".utf8),
        type: nil, body: Array("f=json&adds=[\(features.joined(separator: ","))]".utf8))
    }
    #expect(request(0, "applyEdits").sentCaptures == ids)
    let position = Array("/positions?id=7&uuid=\(ids[0].lowercaseText)&sequence=1".utf8)
    let posted = ServiceRequest(method: "POST", target: position, type: nil, body: [])
    #expect(posted.sentCaptures == [ids[0]])
    #expect(request(1, "applyEdits").sentCaptures == [])
    #expect(request(0, "query").sentCaptures == [])
  }
}
