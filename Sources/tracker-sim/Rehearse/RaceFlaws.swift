import ControlRoom
import Simulation
import TrackerCore
import Wording

/// What the control room got wrong in one race, a line of CSV each, to be looked into.
struct RaceFlaws {
  static let header = "seed,flaw,trackers,from,until,said,true\n"

  private let seed: UInt64
  private let race: RehearsedRace
  private(set) var lines = ""

  /// - Parameter seed: of the race.
  init(_ seed: UInt64, _ race: RehearsedRace, _ log: RoomLog, _ score: RaceScore) {
    (self.seed, self.race) = (seed, race)
    for alarm in score.falseAlarms {
      add("false_alarm", alarm.trackers, alarm.since, alarm.at, said: [alarm.need.name])
    }
    for stop in score.silentStops where !stop.isInTime {
      let found = stop.delay.map { stop.from + $0 }
      let said = log.classes(of: stop.tracker, from: stop.from, until: found ?? race.end)
      let flaw = stop.hidden.count > 0 ? "late_hidden" : "late"
      add(flaw, [stop.tracker], stop.from, found, said: said.map(\.rawValue))
    }
    for silence in score.silences where !RaceScore.isRightAfterwards(silence) {
      let said = [silence.afterwards.rawValue]
      add("misjudged", [silence.tracker], silence.from, silence.until, said: said)
    }
    for time in score.misplaced {
      add("not_first", [time.tracker], time.from, time.until, said: time.first.map { [$0] } ?? [])
    }
  }

  private mutating func add(
    _ flaw: String, _ trackers: [String], _ from: UTC, _ until: UTC?, said: [String]
  ) {
    let truth = race.teams.filter { trackers.contains($0.number) }.reduce(into: Set<String>()) {
      $0.formUnion($1.truth.causes(from: from, until: until ?? race.end).map(\.rawValue))
    }.sorted()
    let lists = [trackers, said, truth].map { $0.joined(separator: " ") }
    let times = [from, until].map { $0.map { CalendarText.text($0) } ?? "" }
    lines += "\(seed),\(flaw),\(lists[0]),\(times[0]),\(times[1]),\(lists[1]),\(lists[2])\n"
  }
}

extension RoomLog.Raised {
  /// The codes of those whom it is about; none: of all.
  fileprivate var trackers: [String] {
    switch subject {
    case .tracker(let tracker): [tracker]
    case .stretch(let several): several
    case .everyone: []
    }
  }
}

extension RoomLog {
  /// What was said of a tracker's silence, one after another.
  fileprivate func classes(of tracker: String, from: UTC, until: UTC) -> [SilenceClass.Kind] {
    minutes(from: from, until: until).reduce(into: []) { classes, minute in
      let said = minute.silent[tracker] ?? .planned
      if classes.last != said { classes.append(said) }
    }
  }
}
