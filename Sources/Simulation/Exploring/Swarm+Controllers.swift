import BoardSupport
import TrackerCore

// The races of controllers: those troubles that a controller can meet.
extension Swarm {
  /// The one that has its firmware in the project, and a battery.
  public static let controller = "nucleo-l476rg"

  private static let families: [Family] = [
    .coverage, .server, .badCaptures, .receiver, .garbage, .modem, .disk, .orders, .emergency,
    .kills, .powerCuts, .network,
  ]

  /// The race of a seed. In its windows of a full disk, something is wrong with the card.
  public func controllerRace(seed: UInt64) throws -> ExploredCase {
    var random = SeededGenerator(seed: seed, stream: 833)
    let share = random.unit()
    let families = Set(Self.families.filter { _ in random.unit() < share })
    var race = ExploredCase(seed: seed)
    race.board = Self.controller
    let length = try addTrace(to: &race, families, &random)
    let end = max(.minutes(2), length - Self.calm)
    race.settings = Self.settings(families, board: race.board, &random) + ["bearer: \"modem\""]
    race.scenario.service.kind = .osmAnd
    for family in Self.families where families.contains(family) {
      Self.add(family, to: &race.scenario, until: end, &random)
    }
    race.scenario.service.tokenLife = nil
    for index in race.scenario.restarts.indices where random.once(in: 2) {
      race.scenario.restarts[index].afterEffects = 0
      race.scenario.restarts[index].afterWrites = Int32(random.whole(in: 1...12))
    }
    race.scenario.restarts.sort { $0.at < $1.at }
    race.scenario.commands.sort { $0.at < $1.at }
    race.scenario.commands.append(TimedCommand(at: end, command: .start))
    return race
  }
}
