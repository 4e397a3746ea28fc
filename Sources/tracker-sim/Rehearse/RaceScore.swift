import ControlRoom
import Simulation
import TrackerCore
import Wording

/// What the control room said of one race, compared with what is true. Only what figures
/// need is encoded.
struct RaceScore: Sendable, Codable {
  typealias Stated = SilenceClass.Kind

  /// From a broken promise until the next contact, or the end of the race.
  struct Silence: Sendable, Equatable, Codable {
    var tracker: String
    var from: UTC
    var until: UTC
    /// `nil`: nothing has happened to it.
    var cause: TeamTruth.Cause?
    /// What holds at some time of it: a team may walk into a valley while the server is down.
    @InOrder var causes: Set<TeamTruth.Cause> = []
    /// What the room says of it at first, and in its last minute.
    var first = Stated.planned
    var last = Stated.planned
    /// What it says in the end of the race, when it knows what the tracker delivered later.
    var afterwards = Stated.planned
    /// Minutes in which what it says is right, and all.
    var rightMinutes = 0
    var minutes = 0
  }

  /// Something that has stopped for good.
  struct Stop: Sendable, Equatable, Codable {
    var tracker: String
    /// What was to be seen of it: its promise passed, or the team stopped.
    var from: UTC
    /// From what was to be seen of it to the alarm; `nil`: there was none.
    var delay: Milliseconds?
    /// How much later it would have been heard if it lived: it was in the valley, or the server was
    /// down. Until then nobody can know.
    var hidden = Milliseconds(0)

    var isInTime: Bool { delay.map { $0 <= RaceScore.grace } ?? false }
  }

  /// A promise that is kept within this time is kept.
  static let grace = Milliseconds.minutes(5)
  /// A team that stands for so long off a place of rest may need help, and so may one that has been
  /// off the course for so long.
  private static let standing = Milliseconds.minutes(60)
  private static let offCourse = Milliseconds.minutes(15)

  private(set) var silences: [Silence] = []
  /// Trackers that will not be heard again; from the promise.
  private(set) var silentStops: [Stop] = []
  /// Teams that have given up, with a tracker that is heard; from when they stopped.
  private(set) var teamStops: [Stop] = []
  private(set) var alarms = 0
  /// Those for which there is no reason.
  private(set) var falseAlarms: [RoomLog.Raised] = []
  private(set) var falseNeeds: [Need] = []
  /// In any ten minutes.
  private(set) var worstAlarms = 0
  @ExactNumber private(set) var meanAlarms = 0.0
  /// A time in which somebody could know that a team needs a human most, and it was not first.
  struct Misplaced: Sendable, Equatable {
    /// Of those that need one equally.
    var tracker: String
    var from: UTC
    var until: UTC
    /// Who was first; `nil`: nobody was said to need a human.
    var first: String?
  }

  private(set) var misplaced: [Misplaced] = []
  /// In which a team needs a human, and in which the one that does most is first.
  private(set) var urgentMinutes = 0
  private(set) var firstMinutes = 0
  /// The same without those minutes in which nobody can know of it.
  private(set) var knowableMinutes = 0
  private(set) var knowableFirstMinutes = 0

  private enum CodingKeys: CodingKey {
    case silences, silentStops, teamStops, alarms, falseNeeds, worstAlarms, meanAlarms
    case urgentMinutes, firstMinutes, knowableMinutes, knowableFirstMinutes
  }

  init(_ race: RehearsedRace, _ log: RoomLog) {
    for team in race.teams where !team.truth.isCloned {
      addSilences(of: team, race, log)
      addStops(of: team, race, log)
    }
    alarms = log.raised.count
    falseAlarms = log.raised.filter { !Self.hasReason($0, race) }
    falseNeeds = falseAlarms.map(\.need)
    let times = log.raised.map(\.at).sorted()
    var first = 0
    for (index, time) in times.enumerated() {
      while time - times[first] >= .minutes(10) { first += 1 }
      worstAlarms = max(worstAlarms, index - first + 1)
    }
    let length = Double((race.end - race.begin).count) / 600_000
    meanAlarms = length > 0 ? Double(alarms) / length : 0
    addUrgency(race, log)
  }

  // MARK: Silences

  private mutating func addSilences(
    of team: RehearsedTeam, _ race: RehearsedRace, _ log: RoomLog
  ) {
    let contacts = team.contacts
    for (index, contact) in contacts.enumerated() {
      // A tracker that has been stopped owes nothing, nor does one that has told of its arrival.
      guard let promise = contact.promise, !contact.isLast,
        !team.hasTold(ofArrivalBy: contact.at)
      else { continue }
      let until = index + 1 < contacts.count ? contacts[index + 1].at : race.end
      guard until > promise + Self.grace else { continue }
      var silence = Silence(tracker: team.number, from: promise, until: until)
      silence.cause = team.truth.cause(of: promise, after: contact.at)
      let right = Self.right(silence.cause)
      for minute in log.minutes(from: promise + Self.grace, until: until) {
        let stated = minute.silent[team.number] ?? .planned
        if silence.minutes == 0 { silence.first = stated }
        silence.last = stated
        silence.minutes += 1
        if right.contains(stated) { silence.rightMinutes += 1 }
      }
      silence.causes = team.truth.causes(from: promise, until: until)
      let past = log.past[team.number]?.first { $0.from == promise }
      silence.afterwards = past?.kind ?? silence.last
      if silence.minutes > 0 { silences.append(silence) }
    }
  }

  /// What may be said of a silence.
  static func right(_ cause: TeamTruth.Cause?) -> [Stated] {
    switch cause {
    case .smashed, .antenna, .noFix, nil: [.unknown]
    case .battery: [.battery]
    case .deadZone: [.deadZone, .network]
    case .server: [.server]
    case .over: [.planned]
    }
  }

  /// Whether what is said in the end names something that held.
  static func isRightAfterwards(_ silence: Silence) -> Bool {
    ([silence.cause] + silence.causes.map(\.self)).contains {
      right($0).contains(silence.afterwards)
    }
  }

  // MARK: Stops

  private mutating func addStops(
    of team: RehearsedTeam, _ race: RehearsedRace, _ log: RoomLog
  ) {
    func alarm(_ need: Need, after utc: UTC) -> UTC? {
      log.raised.first {
        $0.need == need && $0.subject == .tracker(team.number) && $0.at > utc
      }?.at
    }
    if team.isLostForGood, let last = team.lastContact {
      let due = last.promise ?? last.at
      if due + Self.grace < race.end {
        let delay = alarm(.silent, after: last.at).map { $0 - due }
        silentStops.append(
          Stop(
            tracker: team.number, from: due, delay: delay,
            hidden: team.heardAgain(after: last) - due))
      }
    } else if let gaveUp = team.truth.gaveUp, !team.isMissed, gaveUp + Self.standing < race.end {
      let delay = alarm(.standing, after: gaveUp).map { $0 - gaveUp }
      teamStops.append(Stop(tracker: team.number, from: gaveUp, delay: delay))
    }
  }

  // MARK: Alarms

  /// Whether what is true gives a person something to do about an alarm.
  static func hasReason(_ alarm: RoomLog.Raised, _ race: RehearsedRace) -> Bool {
    let now = alarm.at
    func isBlocked(_ team: RehearsedTeam, _ cause: TeamTruth.Cause) -> Bool {
      team.truth.periods.contains {
        $0.cause == cause && $0.from <= now && $0.until.map { $0 >= alarm.since } ?? true
      }
    }
    switch alarm.subject {
    case .everyone: return race.teams.contains { isBlocked($0, .server) }
    case .stretch(let trackers):
      return race.teams.contains { trackers.contains($0.number) && isBlocked($0, .deadZone) }
    case .tracker(let code):
      guard let team = race.teams.first(where: { $0.number == code }) else { return false }
      return team.truth.isCloned || team.hasReason(alarm.need, since: alarm.since, at: now)
    }
  }

  // MARK: Urgency

  /// What is true of a team, the most urgent first: it will not be heard again, it has stopped, it
  /// is off the course, its card is copied. Each counts from when it could be known.
  private static func urgency(of team: RehearsedTeam, _ race: RehearsedRace) -> [Urgency] {
    let truth = team.truth
    var found: [Urgency] = []
    func seen(_ utc: UTC) -> UTC? {
      team.deliveries.first { $0.taken.map { $0 >= utc } ?? false }?.at
    }
    if truth.isCloned {
      let both = race.teams.filter(\.truth.isCloned)
      // Whose code it is: that has a row.
      let code = both.first { $0.deliveries.first?.tracker == $0.number }?.number
      if let from = alternation(of: both), let code {
        found.append(Urgency(rank: 3, tracker: code, from: from + grace, until: race.end))
      }
      return found
    }
    if team.isLostForGood, let last = team.lastContact {
      // In the end somebody has the tracker in hand, and stops it.
      let stopped = truth.periods.first { $0.cause == .over }?.from
      found.append(
        Urgency(
          rank: 0, tracker: team.number, from: (last.promise ?? last.at) + grace,
          until: stopped ?? race.end, knowable: team.heardAgain(after: last) + grace))
    }
    if let gaveUp = truth.gaveUp, let from = seen(gaveUp + standing) {
      found.append(
        Urgency(rank: 1, tracker: team.number, from: from + grace, until: race.end))
    }
    if let lost = truth.lost, let from = seen(lost.from + offCourse),
      from < seen(lost.until) ?? race.end
    {
      found.append(
        Urgency(
          rank: 2, tracker: team.number, from: from + grace, until: seen(lost.until) ?? race.end))
    }
    return found
  }

  /// When it could be known that two devices send in turn: one that only follows the other may have
  /// replaced it.
  private static func alternation(of both: [RehearsedTeam]) -> UTC? {
    guard both.count == 2, let a = both[0].deliveries.first, let b = both[1].deliveries.first,
      let begins = a.taken, let joins = b.taken
    else { return nil }
    let first = begins < joins ? both[0] : both[1]
    let again = first.deliveries.first { $0.taken.map { $0 > max(begins, joins) } ?? false }
    return again.map { max($0.at, a.at, b.at) }
  }

  private struct Urgency {
    var rank: Int
    var tracker: String
    var from: UTC
    var until: UTC
    /// From when somebody can know of it; `nil`: as `from`.
    var knowable: UTC?
  }

  private mutating func addUrgency(_ race: RehearsedRace, _ log: RoomLog) {
    let urgency = race.teams.flatMap { Self.urgency(of: $0, race) }
    for minute in log.minutes {
      let now = urgency.filter { $0.from <= minute.at && minute.at < $0.until }
      if let isFirst = Self.isFirst(now, minute) {
        urgentMinutes += 1
        if isFirst { firstMinutes += 1 }
      }
      let known = now.filter { $0.knowable ?? $0.from <= minute.at }
      if let isFirst = Self.isFirst(known, minute), let rank = known.map(\.rank).min() {
        knowableMinutes += 1
        if isFirst || Self.isEarly(minute, before: rank, race) {
          knowableFirstMinutes += 1
        } else if let team = known.first(where: { $0.rank == rank }) {
          misplace(team.tracker, minute)
        }
      }
    }
  }

  private mutating func misplace(_ tracker: String, _ minute: RoomLog.Minute) {
    if let last = misplaced.last, last.tracker == tracker, last.first == minute.first,
      last.until == minute.at
    {
      misplaced[misplaced.count - 1].until = minute.at + .minutes(1)
    } else {
      misplaced.append(
        Misplaced(
          tracker: tracker, from: minute.at, until: minute.at + .minutes(1), first: minute.first))
    }
  }

  /// Whether the first one needs a human in truth, and for something that is no less urgent, but
  /// has not lasted so long yet that it has to be known; or it will find a place closed, or its
  /// battery will be empty, which come before a copied card.
  private static func isEarly(
    _ minute: RoomLog.Minute, before rank: Int, _ race: RehearsedRace
  ) -> Bool {
    guard let team = race.teams.first(where: { $0.number == minute.first }) else { return false }
    let truth = team.truth
    // Of one whose battery ended behind the finish nobody knows that it got there.
    if team.isLostForGood || !team.hasTold(ofArrivalBy: minute.at),
      truth.silentForGood.map({ $0.from <= minute.at }) ?? false
    {
      return true
    }
    if team.isMissed, truth.gaveUp.map({ $0 <= minute.at }) ?? false { return true }
    if rank >= 1, truth.gaveUp.map({ $0 <= minute.at }) ?? false { return true }
    if rank >= 2, truth.lost.map({ $0.from <= minute.at && minute.at < $0.until }) ?? false {
      return true
    }
    return rank >= 3 && (truth.missesClosing || truth.periods.contains { $0.cause == .battery })
  }

  private static func isFirst(_ urgency: [Urgency], _ minute: RoomLog.Minute) -> Bool? {
    urgency.map(\.rank).min().map { rank in
      urgency.contains { $0.rank == rank && $0.tracker == minute.first }
    }
  }
}

extension RoomLog {
  func minutes(from: UTC, until: UTC) -> [Minute] {
    minutes.filter { $0.at >= from && $0.at < until }
  }
}

// MARK: What a team's truth says

extension RehearsedTeam {
  struct Contact {
    var at: UTC
    var promise: UTC?
    /// It has said that none will follow.
    var isLast = false
  }

  /// When its captures were stored.
  var contacts: [Contact] {
    var contacts: [Contact] = []
    for delivery in deliveries {
      if contacts.last?.at != delivery.at { contacts.append(Contact(at: delivery.at)) }
      let index = contacts.count - 1
      contacts[index].promise = [contacts[index].promise, delivery.promise].compactMap(\.self).max()
      if let silence = delivery.silence, silence != "reserve" { contacts[index].isLast = true }
    }
    return contacts
  }

  /// The last one that another should have followed. A tracker without positions still says that it
  /// is stopped.
  var lastContact: Contact? { contacts.last { !$0.isLast } ?? contacts.last }

  /// Whether it is silent for good, and was before it arrived.
  var isLostForGood: Bool {
    guard let silent = truth.silentForGood else { return false }
    return truth.arrival.map { silent.from < $0 } ?? true
  }

  /// Whether it has given up where it cannot be heard: somebody has to go and look, too.
  var isMissed: Bool {
    guard let gaveUp = truth.gaveUp else { return false }
    return truth.periods.contains {
      $0.cause == .deadZone && $0.from <= gaveUp && $0.until == nil
    }
  }

  /// Whether a capture has been stored by then that was taken after it arrived.
  func hasTold(ofArrivalBy utc: UTC) -> Bool {
    guard let arrival = truth.arrival else { return false }
    return deliveries.contains { $0.at <= utc && $0.taken.map { $0 >= arrival } ?? false }
  }

  /// When it would be heard again if it lived: not in the valley, nor while the server is down, but
  /// as soon afterwards as a tracker tries again.
  func heardAgain(after last: Contact) -> UTC {
    var due = last.promise ?? last.at
    let interval = max(due - last.at, .minutes(10))
    for period in truth.periods where !period.cause.isForGood && period.cause != .over {
      guard let until = period.until, period.from < due + RaceScore.grace, until > due else {
        continue
      }
      let wait = period.cause == .server ? Self.longestBackoff : .minutes(0)
      due = until + wait + interval
    }
    return due
  }

  /// Of a tracker whose server fails.
  private static let longestBackoff = Milliseconds.minutes(38)

  /// Whether a need of this team is a real one.
  func hasReason(_ need: Need, since: UTC, at now: UTC) -> Bool {
    switch need {
    case .emergency, .cloned: return false
    case .incomplete: return truth.setAside > 0
    case .silent, .unheard:
      return truth.periods.contains { $0.cause.isForGood && $0.from <= now }
        || isMissed && truth.gaveUp.map { $0 <= now } ?? false
    case .standing:
      return truth.stops.contains { stop in
        let end = min(stop.until ?? now, now)
        let least = stop.isAtPlace ? Milliseconds.minutes(210) : .minutes(40)
        return end >= since && end - stop.from >= least
      }
    case .offCourse, .backwards:
      // It is told of by captures that come later.
      return truth.lost.map { $0.from <= now && $0.until + .minutes(30) >= since } ?? false
    case .late: return truth.missesClosing
    case .battery:
      return truth.batteryPercent <= Self.lowBattery
        || truth.periods.contains { $0.cause == .battery }
    }
  }

  /// What is left in the end of a battery that was about to end, percent.
  private static let lowBattery = 15.0
}

extension TeamTruth {
  /// What holds at some time of a silence.
  func causes(from: UTC, until: UTC) -> Set<Cause> {
    Set(periods.filter { $0.from < until && $0.until.map { $0 > from } ?? true }.map(\.cause))
  }

  /// Why a promise was not kept that was made at a contact; `nil`: for no reason.
  func cause(of promise: UTC, after contact: UTC) -> Cause? {
    // A tracker tries again before and after the promised time.
    let found = periods.filter {
      $0.from < promise + RaceScore.grace && $0.until.map { $0 > contact } ?? true
    }
    let order: [Cause] = [.smashed, .battery, .antenna, .noFix, .over, .deadZone, .server]
    let current = found.filter { $0.until.map { $0 >= promise } ?? true }
    return order.first { cause in (current.isEmpty ? found : current).contains { $0.cause == cause }
    }
  }
}
