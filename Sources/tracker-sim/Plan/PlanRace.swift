import Simulation
import TrackerCore
import Wording

/// What a plan needs of one race.
struct PlanRace: Sendable, Codable {
  /// The time until the battery was empty, or until the race was broken off.
  let lifetime: Milliseconds
  let isDead: Bool
  /// At the finish.
  let isAlive: Bool
  /// Captures by the finish; the joules, too, are those until then.
  let delivered: Int
  @ExactNumber private(set) var boardJoules: Double
  @ExactNumber private(set) var receiverJoules: Double
  @ExactNumber private(set) var modemJoules: Double
  @ExactNumber private(set) var conversionJoules: Double

  init(_ race: PlannedRace, finish: Instant) {
    isAlive = race.isAlive(at: finish)
    (lifetime, isDead) = (race.lifetime, race.isDead)
    delivered = race.atFinish.delivered
    boardJoules = race.atFinish.boardJoules
    receiverJoules = race.atFinish.receiverJoules
    modemJoules = race.atFinish.modemJoules
    conversionJoules = race.atFinish.conversionJoules
  }

  private enum CodingKeys: String, CodingKey {
    case lifetime = "lifetime_ms"
    case isDead = "dead"
    case isAlive = "alive"
    case delivered
    case boardJoules = "board_j"
    case receiverJoules = "receiver_j"
    case modemJoules = "modem_j"
    case conversionJoules = "conversion_j"
  }
}

/// The same on its way from a part to the plan.
struct PlayedPlanRace: Codable {
  /// The terms of its row.
  let row: String
  /// From 0 on, among the races of a row.
  let number: Int
  let race: PlanRace
}
