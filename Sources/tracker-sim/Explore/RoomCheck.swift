import BoardSupport
import ControlRoom
import Courses
import Reports
import Simulation
import TrackerCore

/// Holds what a control room makes of a race against the invariants.
enum RoomCheck {
  /// Promises may be broken by then.
  private static let calm = Milliseconds.hours(3)
  private static let plan: RacePlan = {
    let names = ("Olot - la mar", "Olot", "Sant Feliu de Guíxols")
    let file = Course.olotToTheSea.geoJSON(names: names)
    guard let course = try? MappedCourse(Array(file.utf8)) else {
      preconditionFailure("the program's own course is one")
    }
    return RacePlan(course: course)
  }()

  /// - Parameter seed: of what the server says besides, and of the order in which all arrives a
  ///   second time.
  static func broken(by deliveries: [Delivery], seed: UInt64) -> BrokenInvariant? {
    var random = SeededGenerator(seed: seed, stream: 790)
    let arrivals = told(of: deliveries, &random)
    guard let last = arrivals.map(\.at).max() else { return nil }
    let ordered = board(arrivals.sorted { $0.at < $1.at }, at: last)
    let mixed = board(arrivals.shuffled(using: &random), at: last)
    guard let difference = difference(ordered, mixed) else { return nil }
    return BrokenInvariant(invariant: .roomUnordered, at: .start, finding: difference)
  }

  /// The server also repeats captures, stores some that it has refused before, and tells what
  /// people there have changed or deleted.
  private static func told(
    of deliveries: [Delivery], _ random: inout SeededGenerator
  ) -> [DeliveredCapture] {
    let share = random.unit() < 0.5 ? 0 : random.unit() / 4
    return deliveries.flatMap { delivery -> [DeliveredCapture] in
      var capture = DeliveredCapture(delivery)
      // The code is in the configuration, which is copied with a card.
      capture.tracker = "7"
      guard random.unit() < share else { return [capture] }
      var other = capture
      let apart = Milliseconds.seconds(Int64(random.whole(in: 1...7200)))
      switch random.whole(in: 0...3) {
      case 0: other.at = capture.at + apart
      case 1: (other.at, other.refusal) = (capture.at + (0 - apart), "code 1000")
      case 2: (other.revision, other.position.latitude) = (1, capture.position.latitude + 5000)
      default: (other.revision, other.isGone) = (1, true)
      }
      return [capture, other]
    }
  }

  /// The first line that is not the same; `nil`: all are.
  static func difference(_ ordered: [String], _ mixed: [String]) -> String? {
    guard ordered != mixed else { return nil }
    let pair = zip(ordered, mixed).first { $0 != $1 }
    let (line, other) = pair ?? ("\(ordered.count) lines", "\(mixed.count)")
    return "\(line) becomes \(other)"
  }

  private static func board(_ arrivals: [DeliveredCapture], at last: UTC) -> [String] {
    var room = Room(plan)
    for arrival in arrivals { _ = room.take([arrival]) }
    _ = room.advance(to: last + calm)
    return room.board.rows.flatMap { row in
      row.figure().json.split(separator: "\n").map { $0.drop { $0 == " " } }.map(String.init)
    }
  }
}

extension ExploredRace {
  /// Plays a race and holds it, and what a control room makes of it, against the invariants.
  static func judge(
    _ explored: ExploredCase, on board: BoardDescription, twice: Bool = false
  ) throws -> ExploredRace {
    var race = try run(explored, on: board, twice: twice)
    RoomCheck.broken(by: race.deliveries, seed: explored.seed).map { race.broken.append($0) }
    return race
  }
}
