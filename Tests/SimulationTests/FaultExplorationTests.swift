import FeatureService
import Foundation
import Testing
import TrackerCore
import Uplink

@testable import Simulation

/// Random days on which everything goes wrong, by seed; what must hold on all of them.
///
/// CI runs a bounded share. Longer: `FAULT_SEEDS=5000 swift test --filter FaultExplorationTests`;
/// one day again: `FAULT_FIRST=17 FAULT_SEEDS=1 swift test --filter FaultExplorationTests`.
@Suite struct FaultExplorationTests {
  static func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test func `No capture is lost, doubled or out of sequence, whatever goes wrong`() throws {
    let first = Self.setting("FAULT_FIRST", 1)
    for seed in first..<first + Self.setting("FAULT_SEEDS", 120) {
      try check(seed: UInt64(seed))
    }
  }

  private func check(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed, stream: 77)
    var race = Race(scenario: Self.scenario(&generator), seed: seed)
    race.configuration.capture = Self.policies[generator.whole(in: 0...Self.policies.count - 1)]
    race.configuration.transmitInterval = .minutes(Int64(generator.whole(in: 1...10)))
    race.configuration.reconnectFloor = .minutes(Int64(generator.whole(in: 0...3)))
    race.configuration.betweenUploads = generator.once(in: 3) ? .attached : .off
    race.configuration.receiverUse = generator.once(in: 3) ? .dutyCycle : .always
    race.configuration.bearer = [.interface, .interface, .modem, .none][generator.whole(in: 0...3)]
    if generator.once(in: 3) {
      race.configuration.textAfter = .minutes(Int64(generator.whole(in: 10...40)))
      race.configuration.textTo = PhoneNumber(Array("112".utf8).span)
    }
    if generator.once(in: 4) {
      race.board = "arduino-uno-3g"
      // Its modem sends no requests by itself.
      if race.configuration.bearer == .modem { race.configuration.bearer = .interface }
    }
    let result = try race.run()
    let again: Comment =
      "repeat with: FAULT_FIRST=\(seed) FAULT_SEEDS=1 swift test --filter FaultExplorationTests"

    let taken = UInt32(result.sequences.count)
    #expect(result.sequences.elementsEqual(1..<taken + 1), again)
    #expect(result.tally.taken == taken, again)
    #expect(result.duplicates == 0, again)
    checkBook(result, again)
    let accounted = result.acknowledged + result.pending + result.setAside
    #expect(accounted == taken, again)
    #expect(result.received >= Int(result.acknowledged), again)
    #expect(result.tracker.pending == result.pending, again)
    #expect(result.ending != nil, again)
    // The faults end before the trace does: what can be sent is sent in the two hours after it.
    if result.ending == .finished { #expect(result.pending == 0, again) }
    let bad = race.scenario.badCaptures.filter { $0 <= taken }.count
    // A server that refuses whole requests by a throw of dice, or every second one, looks, now and
    // then, like one that refuses a capture: three refusals alone among acceptances. Nothing else
    // may be blamed.
    let isDice = race.scenario.server.contains {
      guard case .rejectRequest = $0.content.kind else { return false }
      switch $0.content.occasion {
      case .probability, .every: return true
      default: return false
      }
    }
    #expect(result.setAside <= UInt32(bad) || isDice, again)
    #expect(
      result.ending == .finished || bad > 0,
      "ended as \(String(describing: result.ending)), \(result.pending) wait; \(again)")
  }

  /// What the server has in its book is what the queue has: each capture once, all that count as
  /// acknowledged, and each where and when it was taken.
  private func checkBook(_ result: Race.Result, _ again: Comment) {
    #expect(Set(result.rows.map(\.identifier)).count == result.rows.count, again)
    let stored = Dictionary(uniqueKeysWithValues: result.captures.map { ($0.id, $0) })
    var there: Set<UInt32> = []
    for row in result.rows {
      guard let id = UniqueID(text: row.identifier), let capture = stored[id]?.capture,
        let position = capture.position
      else {
        Issue.record("the server has \(row.identifier), the queue has not; \(again)")
        continue
      }
      there.insert(capture.sequence)
      // Web Mercator by its definition; a millimetre is what the request rounds to.
      let longitude = Double(position.longitude) * 1e-7 * .pi / 180
      let latitude = Double(position.latitude) * 1e-7 * .pi / 180
      #expect(abs(row.x - 6_378_137 * longitude) < 0.001, again)
      #expect(abs(row.y - 6_378_137 * log(tan(.pi / 4 + latitude / 2))) < 0.001, again)
      #expect(row.time == (capture.isTimeTrusted ? capture.utc?.milliseconds : nil), again)
    }
    let acknowledged = result.captures.filter { $0.state == .acknowledged }
    #expect(there.isSuperset(of: acknowledged.map(\.capture.sequence)), again)
  }

  static let policies: [CapturePolicy] = [
    .standard(interval: .minutes(1), minimumDistanceMetres: 0, heartbeat: .minutes(30)),
    .standard(interval: .minutes(2), minimumDistanceMetres: 50, heartbeat: .minutes(10)),
    .significant, .proximity, .route(everyMetres: 100), .adaptive(interval: .minutes(1)),
  ]

  /// Up to three windows on each track, all over before minute 65.
  static func scenario(_ generator: inout SeededGenerator) -> Scenario {
    var scenario = Scenario()
    scenario.coverage = windows(&generator) { generator in
      [.noService, .noBearer, .denied][generator.whole(in: 0...2)]
    }
    scenario.server = windows(&generator) { generator in
      Fault(
        faults[generator.whole(in: 0...faults.count - 1)],
        [.always, .every(2), .probability(percent: 50)][generator.whole(in: 0...2)])
    }
    scenario.receiver = windows(&generator) { _ in .silent }
    scenario.modem = windows(&generator) { generator in
      [.mute, .noSIM, .simLocked][generator.whole(in: 0...2)]
    }
    scenario.store = windows(&generator) { _ in .full }
    scenario.badCaptures = (0..<generator.whole(in: 0...4)).map { _ in
      UInt32(generator.whole(in: 1...60))
    }
    scenario.badCaptures = Set(scenario.badCaptures).sorted()
    scenario.commands = (0..<generator.whole(in: 0...5)).map { _ in
      TimedCommand(
        at: .seconds(Int64(generator.whole(in: 0...3600))),
        command: [.stop, .start, .captureNow, .sendNow][generator.whole(in: 0...3)])
    }.sorted { $0.at < $1.at }
    // Whatever the commands, the session runs at the end, as on every real day.
    scenario.commands.append(TimedCommand(at: .seconds(3700), command: .start))
    scenario.service.takesGlobalIDs = generator.once(in: 2)
    scenario.service.keepsPartOfRequest = generator.once(in: 2)
    if generator.once(in: 3) {
      scenario.service.tokenLife = .minutes(Int64(generator.whole(in: 1...30)))
    }
    return scenario
  }

  static let faults: [Fault.Kind] = [
    .http(status: 503, retryAfter: .seconds(90)), .http(status: 500, retryAfter: nil),
    .http(status: 504, retryAfter: nil), .refuse, .timeout, .loseAcknowledgement, .cutAnswer,
    .unauthorised, .rejectRequest(code: 400), .portal, .late(.seconds(90)), .late(.minutes(10)),
  ]

  static func windows<Content>(
    _ generator: inout SeededGenerator, _ content: (inout SeededGenerator) -> Content
  ) -> [Window<Content>] {
    var windows: [Window<Content>] = []
    var second = generator.whole(in: 0...1200)
    for _ in 0..<generator.whole(in: 0...3) {
      let end = second + generator.whole(in: 10...900)
      guard end < 3900 else { break }
      windows.append(
        Window(
          from: .seconds(Int64(second)), to: .seconds(Int64(end)), content: content(&generator)))
      second = end + generator.whole(in: 0...600)
    }
    return windows
  }
}
