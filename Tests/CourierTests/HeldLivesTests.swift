import CaptureStore
import Courier
import FeatureService
import Foundation
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// Lives of a tracker whose server acts late, whose program dies, whose machine restarts and whose
/// date steps, by seed.
///
/// Longer: `HELD_SEEDS=5000 swift test --filter HeldLivesTests`; one again: `HELD_FIRST=17
/// HELD_SEEDS=1 swift test --filter HeldLivesTests`.
@Suite struct HeldLivesTests {
  static func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test func `Each capture is there once, whatever dies, starts anew or steps`() throws {
    let first = Self.setting("HELD_FIRST", 1)
    var late = 0
    for seed in first..<first + Self.setting("HELD_SEEDS", 112) {
      var life = try HeldLife(seed: UInt64(seed))
      try life.run()
      late += life.lateCount
      let again: Comment =
        "repeat with: HELD_FIRST=\(seed) HELD_SEEDS=1 swift test --filter HeldLivesTests"
      #expect(try life.server.duplicates == 0, again)
      #expect(life.store.tally.pending == 0 && life.store.tally.setAside == 0, again)
      #expect(try life.server.received == life.store.tally.acknowledged, again)
    }
    #expect(late > 0, "no server was late")
  }

  @Test func `Without the wait some of these lives double captures`() throws {
    var doubled = 0
    for seed in 1...30 as ClosedRange<UInt64> {
      var life = try HeldLife(seed: seed, mayActFor: 0)
      try life.run()
      doubled += try life.server.duplicates > 0 ? 1 : 0
    }
    #expect(doubled > 3, "\(doubled) lives; repeat with: swift test --filter HeldLivesTests")
  }
}

struct HeldLife {
  /// How long the server acts late at the most, after the client has gone.
  static let latest = 600
  static let patience = Milliseconds.seconds(30)

  let store: CaptureStore
  let server: SimulatedServer
  var lateCount = 0
  private let mayActFor: Milliseconds
  private var generator: SeededGenerator
  private var courier: Courier<ArcGISDialogue>
  /// What nobody but the test can see: true time since the beginning.
  private var now = Milliseconds(0)
  /// When the machine was started, and which start that was.
  private var bootedAt = Milliseconds(0)
  private var boots = 1
  private var utcOffset = Milliseconds(0)
  /// What the server will do of its own.
  private var acts: [(at: Milliseconds, request: HTTPRequest)] = []

  init(seed: UInt64, mayActFor: Milliseconds = .seconds(Int64(latest))) throws {
    generator = SeededGenerator(seed: seed, stream: 5)
    self.mayActFor = mayActFor
    var scenario = Scenario()
    scenario.service.takesGlobalIDs = false
    scenario.service.keepsPartOfRequest = generator.once(in: 2)
    store = try CaptureStore.open(.memory, at: Walk.start)
    server = try SimulatedServer(scenario, device: store.device, seed: seed)
    courier = Courier(
      store, try SimulatedServer.dialogue(), mayActFor: mayActFor, boot: "boot 1")
  }

  private var moment: HostTime {
    HostTime(utc: Walk.start + now + utcOffset, uptime: now - bootedAt)
  }

  mutating func run() throws {
    for _ in 0..<150 {
      advance(by: .seconds(Int64(generator.whole(in: 1...120))))
      if generator.once(in: 3) { try Walk.append(store) }
      if generator.once(in: 9) { try restart(isReboot: generator.once(in: 2)) }
      // From 1970 to today, and back.
      if generator.once(in: 9) { utcOffset = Milliseconds(utcOffset == 0 ? 400_000_000_000 : 0) }
      try work(isHealthy: false)
    }
    for _ in 0..<100 where store.tally.pending > 0 {
      advance(by: .minutes(1))
      try work(isHealthy: true)
    }
  }

  private mutating func advance(by time: Milliseconds) {
    now = now + time
    for act in acts where act.at <= now { _ = server.answer(act.request) }
    acts.removeAll { $0.at <= now }
  }

  /// The program dies, perhaps with its machine; the store stays.
  private mutating func restart(isReboot: Bool) throws {
    if isReboot {
      advance(by: .seconds(Int64(generator.whole(in: 1...300))))
      bootedAt = now
      boots += 1
    }
    courier = Courier(
      store, try SimulatedServer.dialogue(), mayActFor: mayActFor, boot: "boot \(boots)")
  }

  private mutating func work(isHealthy: Bool) throws {
    let counts = courier.counts(at: moment)
    let canAsk = counts.held > 0 && counts.heldFor == 0
    let id = RequestID(1)
    var step: Courier<ArcGISDialogue>.Step
    if canAsk, generator.once(in: 2) || counts.held == counts.pending {
      step = courier.reconcile(id, at: moment)
    } else {
      let limit = UInt32(generator.whole(in: 1...8))
      let selection: Selection =
        generator.once(in: 2) ? .freshest(limit: limit) : .oldest(limit: limit)
      step = courier.upload(UploadRequest(id: id, selection: selection), at: moment)
    }
    while case .send(let request) = step {
      guard let reply = try fate(of: request, isHealthy: isHealthy) else { return }
      step = courier.receive(reply, at: moment)
    }
  }

  /// What comes back of a request; `nil`: the program dies while it waits.
  private mutating func fate(of request: HTTPRequest, isHealthy: Bool) throws -> HTTPReply? {
    let isLucky = isHealthy || !generator.once(in: 3)
    if isLucky { return HTTPReply(server.answer(request)) }
    advance(by: .seconds(Int64(generator.whole(in: 0...Int(Self.patience.count / 1000)))))
    if generator.once(in: 4) { return .lost }
    // It arrived, and is acted upon some time after the client has gone.
    acts.append((now + .seconds(Int64(generator.whole(in: 0...Self.latest))), request))
    lateCount += 1
    if generator.once(in: 4) {
      try restart(isReboot: generator.once(in: 2))
      return nil
    }
    let status: Int32 = [0, 500, 502, 504][generator.whole(in: 0...3)]
    return status == 0 ? .lost : .response(status: status, headers: [], body: [])
  }
}
