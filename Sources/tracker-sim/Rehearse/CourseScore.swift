import ControlRoom
import Courses
import Reports
import Simulation
import TrackerCore
import Wording

/// What the control room said of places, hours and ranks in one race, compared with what is true.
/// Teams whose card is copied are left out: nobody can tell two ways under one code apart.
struct CourseScore: Sendable, Codable {
  /// A team that walks on, with a tracker that is heard, and will not reach a place in time.
  struct Late: Sendable, Equatable, Codable {
    /// From its first alarm to the closing of the first place that it misses, negative: too late;
    /// `nil`: there was no alarm.
    var lead: Milliseconds?
  }

  private(set) var late: [Late] = []
  /// How far the room's times of passages are off.
  private(set) var passageErrors: [Milliseconds] = []
  /// Passages that the room does not have, although captures from later on have arrived.
  private(set) var missedPassages = 0
  /// The same as `passageErrors` for how far behind the timetable a team was.
  private(set) var planErrors: [Milliseconds] = []
  /// Pairs of teams that both have a rank in the end, and those in the right order.
  private(set) var pairs = 0
  private(set) var rightPairs = 0

  init(_ race: RehearsedRace, _ log: RoomLog, _ plan: RacePlan) {
    guard let course = plan.course else { return }
    let teams = race.teams.filter { !$0.truth.isCloned }
    for team in teams {
      addLate(team, log, course)
      addPassages(of: team, log, plan.timetable)
    }
    addRanks(of: teams, log)
  }

  private mutating func addLate(_ team: RehearsedTeam, _ log: RoomLog, _ course: MappedCourse) {
    let truth = team.truth
    let missed = zip(course.places, truth.passages).lazy.compactMap { place, passage -> UTC? in
      guard let closes = place.place.closes else { return nil }
      return passage.map { $0 > closes } ?? true ? closes : nil
    }.first
    // A team that has stopped, or is not heard, needs a human for another reason.
    guard let closes = missed, truth.gaveUp.map({ $0 > closes }) ?? true,
      truth.silentForGood.map({ $0.from > closes }) ?? true
    else { return }
    let alarm = log.raised.first {
      $0.need == .late && $0.subject == .tracker(team.number)
    }
    late.append(Late(lead: alarm.map { closes - $0.at }))
  }

  private mutating func addPassages(
    of team: RehearsedTeam, _ log: RoomLog, _ timetable: CoursePlan?
  ) {
    let due = timetable?.due(team.name, started: team.truth.start)
    let calls = log.ways[team.number]?.calls ?? []
    for (index, passage) in team.truth.passages.enumerated() {
      // Where everybody starts, a team is before its time runs.
      guard index > 0, let passage else { continue }
      guard index < calls.count, case .passed(let said, _) = calls[index].state else {
        if team.deliveries.contains(where: { $0.taken.map { $0 > passage } ?? false }) {
          missedPassages += 1
        }
        continue
      }
      passageErrors.append(max(said - passage, passage - said))
      if let due = due?[index], let behind = calls[index].behind {
        planErrors.append(max(behind - (passage - due), (passage - due) - behind))
      }
    }
  }

  private mutating func addRanks(of teams: [RehearsedTeam], _ log: RoomLog) {
    let ranked = teams.compactMap { team -> (rank: Int, place: Int, time: Milliseconds)? in
      let passages = team.truth.passages
      guard team.truth.silentForGood == nil, let rank = log.ranks[team.number],
        let place = passages.lastIndex(where: { $0 != nil }), let passage = passages[place]
      else { return nil }
      return (rank, place, passage - team.truth.start)
    }
    for (index, a) in ranked.enumerated() {
      for b in ranked[(index + 1)...] where (a.place, a.time) != (b.place, b.time) {
        pairs += 1
        let isAhead = (b.place, a.time) < (a.place, b.time)
        if isAhead ? a.rank < b.rank : b.rank < a.rank { rightPairs += 1 }
      }
    }
  }
}
