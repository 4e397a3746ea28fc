import BoardSupport
import TrackerCore

// The configuration files of explored races.
extension Swarm {
  static func settings(
    _ families: Set<Family>, board: String, _ random: inout SeededGenerator
  ) -> [String] {
    if board == sleeper, random.once(in: 2) {
      let minutes = random.whole(in: 5...20)
      return [
        "transmit: { interval: \"\(minutes) min\" }",
        "capture: { policy: \"standard\", interval: \"\(minutes) min\" }", "sleep: \"halt\"",
        "receiver: \"dutyCycle\"",
      ]
    }
    var lines = ["transmit: { interval: \"\(random.whole(in: 1...10)) min\" }"]
    lines.append("reconnectFloor: \"\(random.whole(in: 0...3)) min\"")
    lines.append("capture: \(capture(&random))")
    if families.contains(.finish) {
      lines.append("finishAfter: \"\(random.whole(in: 10...90)) min\"")
      lines.append("endAfterFinish: \"\(random.whole(in: 0...20)) min\"")
    }
    guard families.contains(.settings) else { return lines }
    if random.once(in: 3) {
      lines[0] = "transmit: { interval: \"3 min\", betweenUploads: \"attached\" }"
    }
    let goesByTime = ["standard", "adaptive"].contains { policy in
      lines[2].hasPrefix("capture: { policy: \"\(policy)\"")
    }
    if random.once(in: 3), goesByTime { lines.append("receiver: \"dutyCycle\"") }
    // The modem of the Arduino's shield sends no requests by itself, and has the receiver in it.
    let bearers = board.hasPrefix("arduino") ? ["interface"] : ["interface", "modem", "none"]
    let bearer = random.pick(from: bearers)
    lines.append("bearer: \"\(bearer)\"")
    if random.once(in: 3), bearer != "none" {
      lines.append("textAfter: \"1 h\"")
      lines.append("textTo: \"112\"")
    }
    if random.once(in: 8) { lines.append("startsBySelf: false") }
    if random.once(in: 4) { lines.append("accuracy: \"\(random.whole(in: 5...50)) m\"") }
    return lines
  }

  private static func capture(_ random: inout SeededGenerator) -> String {
    let minutes = random.whole(in: 1...5)
    return random.pick(from: [
      "{ policy: \"standard\", interval: \"\(minutes) min\" }",
      "{ policy: \"standard\", interval: \"\(minutes * 10) s\" }",
      "{ policy: \"standard\", interval: \"2 min\", minimumDistance: \"50 m\", "
        + "heartbeat: \"10 min\" }",
      "{ policy: \"significant\" }", "{ policy: \"proximity\" }",
      "{ policy: \"route\", every: \"\(minutes * 50) m\" }",
      "{ policy: \"adaptive\", interval: \"\(minutes) min\" }",
    ])
  }

  /// What is written into a configuration file has to fit the board that is there then.
  func edit(_ race: inout ExploredCase, _ random: inout SeededGenerator) {
    var board = race.board
    for index in race.scenario.restarts.indices {
      // A script is one board's modem.
      if race.scenario.modemScript != nil { race.scenario.restarts[index].board = nil }
      board = race.scenario.restarts[index].board?.identifier ?? board
      guard race.scenario.restarts[index].settings != nil else { continue }
      var settings = Self.settings([.settings], board: board, &random)
      // A modem that hears nothing while it is told to switch off stays on: nobody asks it again.
      if Self.mayBeDeaf(race.scenario.modem, after: race.scenario.restarts[index]) {
        settings = settings.map { $0 == "bearer: \"none\"" ? "bearer: \"interface\"" : $0 }
      }
      let team = "team: \"Els Altres \(random.whole(in: 1...9))\""
      // A race ends when it ends.
      let kept = race.settings.filter { line in
        ["server", "finishAfter", "endAfterFinish"].contains { line.hasPrefix($0) }
      }
      race.scenario.restarts[index].settings = settings + kept + [team]
    }
  }

  /// In one race of five, people change settings while the program runs.
  static func addReloads(to race: inout ExploredCase, until end: Milliseconds) {
    var random = SeededGenerator(seed: race.seed, stream: 805)
    // What is written into a configuration file has to fit the board that is there then.
    let staysOnBoard = race.scenario.restarts.allSatisfy { $0.board == nil }
    guard random.once(in: 5), staysOnBoard else { return }
    let board = race.board
    let kept = race.settings.filter { line in
      ["server", "finishAfter", "endAfterFinish"].contains { line.hasPrefix($0) }
    }
    race.scenario.reloads = (0..<random.whole(in: 1...4)).map { _ in
      let team = "team: \"Els Altres \(random.whole(in: 1...9))\""
      return Reload(
        at: random.time(until: end),
        settings: settings([.settings], board: board, &random) + kept + [team])
    }
    race.scenario.reloads.sort { $0.at < $1.at }
  }

  /// Whether a modem may be mute in the minutes in which the next program tells it to switch off.
  /// One that has fallen mute stays so until its power is cycled.
  private static func mayBeDeaf(
    _ faults: [Window<ModemFault>], after restart: Restart
  ) -> Bool {
    let since = restart.outage == .kill ? 0 : restart.at
    let told = restart.at + restart.time + Outage.bootTime + .minutes(5)
    return faults.contains { fault in
      fault.content == .mute && fault.from < told && fault.to.map { $0 > since } ?? true
    }
  }
}
