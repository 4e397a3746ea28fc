import BoardSupport
import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import Simulation

/// Random days on which everything goes wrong, by seed: `tracker-sim explore`, a few of its races.
@Suite struct FaultExplorationTests {
  private static let seeds: UInt64 = 40
  private let note: Comment = "repeat with: tracker-sim explore --seeds SEED --keep DIR"

  static func board(_ name: String) throws -> BoardDescription {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let parts = name.split(separator: "+").map {
      folder.appendingPathComponent("boards/\($0)").path
    }
    return try BoardDescription.load(named: parts.joined(separator: "+"))
  }

  private func swarm() throws -> Swarm {
    Swarm(others: try Swarm.boards.map { try BoardDescription.load(named: $0) })
  }

  @Test func `Whatever goes wrong, the invariants hold`() throws {
    let swarm = try swarm()
    for seed in 1...Self.seeds {
      let race = try swarm.race(seed: seed)
      let played = try ExploredRace.run(race, on: try Self.board(race.board), twice: seed % 8 == 0)
      #expect(played.broken == [], "seed \(seed); \(note)")
    }
  }

  @Test func `What is written of a race is the race`() throws {
    let swarm = try swarm()
    let hint = "repeat with: SHARE=all swift test --filter FaultExplorationTests"
    for seed in Share.of(Array(UInt64(1)...400), atOnce: 100) {
      let race = try seed % 2 == 0 ? swarm.race(seed: seed) : swarm.controllerRace(seed: seed)
      let node = try FileNode.parse(Array(race.scenario.text.utf8), path: "scenario.json5")
      let again = try Scenario(node) { name in
        #expect(name == Scenario.scriptName)
        return Array((race.scenario.modemScript?.text ?? "").utf8)
      }
      #expect(again == race.scenario, "seed \(seed); \(hint)")
      _ = try race.configuration(on: try Self.board(race.board))
    }
  }

  @Test func `A modem's script is made as small as it can be read`() throws {
    var race = ExploredCase(seed: 1)
    race.scenario.modemScript = try ModemScript(
      """
      # A comment.
      like sim7600
      at boot
        0 ms ! set starting
        5 s  ! clear starting
        9 s  ! mute
      > AT+CSQ
      < ERROR
      """, name: "test")
    var minimiser = Minimiser(race) { $0.scenario.modemScript?.text.contains("mute") ?? false }
    minimiser.run()
    #expect(minimiser.smallest.scenario.modemScript?.text == "at boot\n  9 s  ! mute\n")
  }

  @Test func `A modem that keeps to its family's answers delivers, another one may not`() throws {
    let orderly = ["search takes 30 s", "answers take 3000 ms", "is numeric", "at boot\n5 s RDY"]
    for line in orderly {
      #expect(try ModemScript("like sim7600\n\(line)\n", name: "test").isOrderly)
    }
    for line in ["> AT\n< OK", "at boot\n5 s ! mute", "at boot\n5 s every 3 s RING"] {
      #expect(try !ModemScript("like sim7600\n\(line)\n", name: "test").isOrderly)
    }
  }

  @Test func `A finding is made as small as it can be`() throws {
    let race = try Swarm().race(seed: 7)
    // As if a kill were what breaks something.
    var minimiser = Minimiser(race) { race in
      race.scenario.restarts.contains { $0.outage == .kill } && race.trace.count > 100
    }
    minimiser.run()
    var expected = Scenario()
    expected.restarts = [
      Restart(at: .seconds(0), outage: .kill, time: .seconds(1))
    ]
    expected.restarts[0].at = minimiser.smallest.scenario.restarts[0].at
    #expect(minimiser.smallest.scenario == expected)
    #expect(minimiser.smallest.settings == [])
    #expect((101...300).contains(minimiser.smallest.trace.count))
  }
}
