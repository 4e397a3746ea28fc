import Reports
import Simulation
import TrackerCore
import Wording

/// What was wrong in races with an emergency, and which promises could not be kept: a line of CSV
/// each, with the command that plays the race again.
struct EmergencyFlaws {
  static let header = "seed,flaw,troubles,server_s,text_s,read_s,in_the_way,again\n"
  /// From the modem's registration, or the return of the network, to *read*, with nothing in the
  /// way: anything longer is a flaw.
  static let slow = Milliseconds.minutes(2)

  private(set) var lines = ""

  /// - Parameter board: as on the command line.
  init(_ outcome: EmergencyOutcome, board: String) {
    for flaw in Self.flaws(of: outcome) {
      let troubles = EmergencyTrouble.allCases.filter { outcome.troubles.contains($0) }
      let columns = [
        "\(outcome.seed)", flaw, troubles.map(\.rawValue).joined(separator: " "),
        Self.seconds(outcome.server), Self.seconds(outcome.text), Self.seconds(outcome.read),
        outcome.barriers.map(Self.text).joined(separator: " "),
        Self.command(seed: outcome.seed, board: board),
      ]
      lines += columns.joined(separator: ",") + "\n"
    }
  }

  static func command(seed: UInt64, board: String) -> String {
    let usual = board == SimulateOptions.usualBoard ? "" : " --board \(board)"
    return "tracker-sim rehearse --emergencies --races 1 --seed \(seed)\(usual)"
  }

  static func flaws(of outcome: EmergencyOutcome) -> [String] {
    var flaws: [String] = []
    switch outcome.verdict {
    case .unheard: flaws.append("unheard")
    case .couldNot: flaws.append("could_not")
    case .data, .text: break
    }
    if outcome.isLate { flaws.append("late") }
    if outcome.isStuck { flaws.append("stuck") }
    if outcome.isForgotten { flaws.append("forgotten") }
    if outcome.isToldTooEarly { flaws.append("told_too_early") }
    if outcome.isReadUnknown { flaws.append("read_unknown") }
    let times = [outcome.readAfterRegistration, outcome.readAfterCoverage].compactMap(\.self)
    if times.contains(where: { $0 > slow }) { flaws.append("slow") }
    return flaws
  }

  private static func seconds(_ time: Milliseconds?) -> String {
    time.map { "\($0.count / 1000)" } ?? ""
  }

  /// `noNetwork 0:03:12-0:47:00`, counted from when the tracker was switched on.
  static func text(_ barrier: EmergencyOutcome.Barrier) -> String {
    let to = barrier.to < .distantFuture ? clock(barrier.to) : "end"
    return "\(barrier.kind.rawValue) \(clock(barrier.from))-\(to)"
  }

  private static func clock(_ instant: Instant) -> String {
    TextReport.clock(instant.milliseconds)
  }
}
