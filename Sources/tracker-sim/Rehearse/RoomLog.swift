import ControlRoom
import Reports
import Simulation
import TrackerCore

/// What the control room said of a race, minute by minute.
struct RoomLog: Sendable {
  /// An alarm, each time that it was raised.
  struct Raised: Sendable, Equatable {
    var at: UTC
    var need: Need
    var subject: Subject
    var since: UTC
  }

  struct Minute: Sendable, Equatable {
    var at: UTC
    /// The tracker that needs a human most urgently, if any does.
    var first: String?
    /// Of the trackers whose silence is not planned.
    var silent: [String: SilenceClass.Kind] = [:]
  }

  var raised: [Raised] = []
  var minutes: [Minute] = []
  /// What the room says in the end of silences that are over, by their trackers.
  var past: [String: [PastSilence]] = [:]
  /// When each team was where, by its tracker, and how it ranks in the end.
  private(set) var ways: [String: TeamWay] = [:]
  private(set) var ranks: [String: Int] = [:]
  /// What the race has found out about coverage, for the next one.
  private(set) var coverage: String?

  /// Lets a race arrive in a room, request by request, with the time going on to its end.
  init(of race: RehearsedRace, _ plan: RacePlan) {
    var plan = plan
    plan.teams = race.teams.map { RosterTeam(number: $0.number, name: $0.name) }
    var room = Room(plan)
    let requests = Self.requests(of: race)
    var next = 0
    var minute = race.begin
    while minute <= race.end {
      while next < requests.count, requests[next][0].at <= minute {
        note(room.take(requests[next]))
        next += 1
      }
      note(room.advance(to: minute))
      look(at: room.board, minute)
      minute = minute + .minutes(1)
    }
    coverage = room.coverageText
    for team in race.teams {
      past[team.number] = room.pastSilences(of: team.number)
      ways[team.number] = room.story(of: team.number)?.way
    }
    for row in room.board.rows { ranks[row.tracker] = row.standing?.rank }
  }

  init(
    raised: [Raised], minutes: [Minute], past: [String: [PastSilence]] = [:],
    ways: [String: TeamWay] = [:], ranks: [String: Int] = [:]
  ) {
    (self.raised, self.minutes, self.past) = (raised, minutes, past)
    (self.ways, self.ranks) = (ways, ranks)
  }

  /// What each tracker delivered at once, in the order of the server's clock.
  private static func requests(of race: RehearsedRace) -> [[DeliveredCapture]] {
    var requests: [(at: UTC, team: Int, captures: [DeliveredCapture])] = []
    for (number, team) in race.teams.enumerated() {
      for delivery in team.deliveries {
        let capture = DeliveredCapture(delivery)
        if let last = requests.last, last.team == number, last.at == delivery.at {
          requests[requests.count - 1].captures.append(capture)
        } else {
          requests.append((delivery.at, number, [capture]))
        }
      }
    }
    return requests.sorted { ($0.at.milliseconds, $0.team) < ($1.at.milliseconds, $1.team) }
      .map(\.captures)
  }

  private mutating func note(_ entries: [DiaryEntry]) {
    for entry in entries {
      guard case .raised(let alarm) = entry.content else { continue }
      raised.append(
        Raised(at: entry.at, need: alarm.need, subject: alarm.subject, since: alarm.since))
    }
  }

  private mutating func look(at board: RaceBoard, _ now: UTC) {
    var minute = Minute(at: now)
    minute.first = board.rows.first.flatMap { $0.concerns.isEmpty ? nil : $0.tracker }
    for row in board.rows where row.silence.kind != .planned {
      minute.silent[row.tracker] = row.silence.kind
    }
    minutes.append(minute)
  }
}

extension DeliveredCapture {
  init(_ delivery: Delivery) {
    self.init(
      at: delivery.at, tracker: delivery.tracker, team: delivery.team, id: delivery.id,
      taken: delivery.taken, position: delivery.position)
    batteryPercent = delivery.batteryPercent
    trigger = delivery.trigger
    promise = delivery.promise
    silence = PlannedSilence(named: delivery.silence)
    sequence = delivery.sequence
  }
}
