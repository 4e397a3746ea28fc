import Courses
import Reports
import TrackerCore

/// The teams of the table of which nothing has come, and since when that needs a human.
struct Unheard {
  /// Those that should have been heard by now, by their start.
  private(set) var overdue: [(start: UTC, trackers: [String])] = []
  /// When there are more; `nil`: never.
  private(set) var nextChange: UTC?

  /// - Parameter heard: whether something has come from a tracker.
  init(_ plan: RacePlan, at now: UTC, heard: (String) -> Bool) {
    for team in plan.teams where !heard(team.number) {
      guard let start = plan.start(of: team) else { continue }
      let due = start + Bounds.firstContact
      // A course from last year has last year's hours.
      guard now - start < Bounds.raceSpan else { continue }
      if due > now {
        nextChange = min(nextChange ?? due, due)
      } else if let index = overdue.firstIndex(where: { $0.start == start }) {
        overdue[index].trackers.append(team.number)
      } else {
        overdue.append((start, [team.number]))
      }
    }
    for index in overdue.indices { overdue[index].trackers.sort() }
    overdue.sort { $0.start < $1.start }
  }

  /// One for all that were to start together: at a start nobody needs forty alarms.
  var concerns: [(subject: Subject, concern: Concern)] {
    overdue.map { (.stretch($0.trackers), Self.concern($0.start)) }
  }

  func concern(of tracker: String) -> Concern? {
    overdue.first { $0.trackers.contains(tracker) }.map { Self.concern($0.start) }
  }

  private static func concern(_ start: UTC) -> Concern {
    Concern(need: .unheard, since: start, evidence: .unheard(start: start))
  }
}

extension RacePlan {
  /// When a team is to start: by the timetable, else when the course's start opens; `nil`: nobody
  /// has said so.
  func start(of team: RosterTeam) -> UTC? {
    timetable?.start(of: team.name)
      ?? course?.places.first { $0.place.kind == .start }?.place.opens
  }
}
