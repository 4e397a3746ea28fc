import FeatureService
import Foundation
import TrackerCore

@testable import Simulation

/// Random days with faults, by seed, for tests of one thing; with all faults explores `Swarm`.
enum RandomDay {
  static func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
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
