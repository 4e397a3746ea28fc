import Courses
import Reports
public import TrackerCore

/// The organisers' control room: what arrives, what people do and the time go in; who is where, who
/// needs a human and why a tracker is silent come out.
///
/// It is a value without clocks, files or sockets. The same input at the same times gives the same
/// room, however often the host calls in between.
public struct Room: Sendable {
  public private(set) var plan: RacePlan
  /// The latest time that it was told.
  public private(set) var now: UTC?
  private var tracks: [String: Int] = [:]
  /// In the order in which they were heard first.
  private var stories: [Story] = []
  /// What the captures of each story show.
  private var shown: [[Concern]] = []
  /// When each was at which place; `nil`: there is no course.
  private var ways: [TeamWay?] = []
  /// Stories whose way is to be walked again: each time all of it.
  private var unwalked: Set<Int> = []
  /// How many ways were walked, for tests.
  private(set) var walks = 0
  /// While a diary is replayed nobody asks for ways, and no alarm depends on them.
  var isReplaying = false { didSet { if !isReplaying { walk() } } }
  private var traffic = Traffic()
  private var votes = CoverageVotes()
  /// What came is older than what had come before.
  private var isTrafficOld = false
  private var changed: Set<Int> = []
  private var state = Alarms()
  /// When it wants to be told the time; `nil`: nothing changes by itself.
  public private(set) var nextDeadline: UTC?
  /// Captures that could not be used, and those of trackers that had no room.
  public private(set) var refused = 0
  /// What has happened, until the host takes it.
  private var entries: [DiaryEntry.Content] = []
  /// Entries of its diary.
  public private(set) var entryCount = 0
  /// What people did with alarms that are not raised yet.
  private var kept: [KeptAct] = []

  public init(_ plan: RacePlan) { self.plan = plan }

  public var alarms: [Alarm] { state.all }

  // MARK: Input

  /// What the teams are called, and where they are called. No alarm depends on it, but that of the
  /// teams that were never heard.
  public mutating func use(_ teams: [RosterTeam]) {
    plan.teams = teams
    // The timetable may know them by their names.
    changed = Set(stories.indices)
    if let now { nextDeadline = min(nextDeadline ?? now, now) }
  }

  /// Captures that the server has stored.
  ///
  /// - Returns: what the diary says of it.
  public mutating func take(_ arrivals: [DeliveredCapture]) -> [DiaryEntry] {
    let usable = arrivals.compactMap(\.usable)
    refused += arrivals.count - usable.count
    guard let at = usable.map(\.at).max() else { return [] }
    var written = advance(to: at)
    for arrival in usable where take(arrival) { entries.append(.arrived(arrival)) }
    for index in changed { stories[index].settle(on: plan.course) }
    judge(at: max(at, now ?? at))
    written += write(at: now ?? at)
    return written
  }

  private mutating func take(_ arrival: DeliveredCapture) -> Bool {
    let index: Int
    if let known = tracks[arrival.tracker] {
      index = known
    } else {
      let isOurs = plan.teams.contains { $0.number == arrival.tracker }
      // What was refused may be of nobody: it does not fill the board.
      var room = arrival.refusal == nil ? Bounds.trackers : Bounds.refusedTrackers
      if arrival.isEmergency { room = Bounds.trackers + Bounds.callingTrackers }
      guard isOurs || stories.count < room else {
        refused += 1
        return false
      }
      index = stories.count
      tracks[arrival.tracker] = index
      stories.append(Story(tracker: arrival.tracker))
      shown.append([])
      ways.append(nil)
    }
    guard stories[index].take(arrival, on: plan.course) else { return false }
    changed.insert(index)
    let isNoContact = arrival.revision == 0 && !arrival.isContact
    if !isNoContact,
      arrival.revision > 0 || stories[index].contact?.at != arrival.at
        || !traffic.note(stories[index], stories)
    {
      isTrafficOld = true
    }
    return true
  }

  /// What a person does.
  ///
  /// - Returns: what the diary says of it.
  public mutating func act(
    _ act: Act, by person: String, at: UTC
  ) throws(ActError) -> [DiaryEntry] {
    let written = advance(to: at)
    let (act, person) = (act.bounded, person.bounded)
    try state.act(act, by: person, at: at)
    let topic = act.alarm.map { state.all[$0 - 1].topic }
    entries.append(.acted(act, by: person, about: topic))
    return written + write(at: now ?? at)
  }

  /// What the host has to say in the diary.
  mutating func note(_ content: DiaryEntry.Content) -> [DiaryEntry] {
    entries.append(content)
    return write(at: now ?? UTC(milliseconds: 0))
  }

  /// Does again what somebody did with an alarm about the same, now or as soon as there is one.
  mutating func repeatAct(_ act: KeptAct) {
    kept.append(act)
    repeatActs()
  }

  private mutating func repeatActs() {
    guard !kept.isEmpty else { return }
    kept.removeAll { act in
      guard let number = state.number(of: act.topic, at: act.at) else { return false }
      // One that is over is over.
      try? state.act(act.act.about(alarm: number), by: act.person, at: act.at)
      return true
    }
  }

  mutating func continueDiary(after count: Int) {
    entryCount = count
    entries = []
  }

  /// The time goes on.
  public mutating func advance(to utc: UTC) -> [DiaryEntry] {
    var written: [DiaryEntry] = []
    // Teams may be overdue by then.
    if now == nil {
      judge(at: utc)
      written += write(at: utc)
    }
    while let deadline = nextDeadline, deadline <= utc {
      judge(at: deadline)
      written += write(at: deadline)
    }
    now = max(utc, now ?? utc)
    return written
  }

  // MARK: Judgement

  private mutating func judge(at utc: UTC) {
    now = max(utc, now ?? utc)
    refresh()
    let silences = silences(at: utc)
    let unheard = unheard(at: utc)
    nextDeadline = [silences.nextChange, unheard.nextChange].compactMap(\.self).min()
    var found = unheard.concerns
    if let outage = silences.outage {
      let promises = silences.classes.values.count { $0.kind == .server }
      found.append(
        (
          .everyone,
          Concern(need: .silent, since: outage.from, evidence: .silentServer(promises: promises))
        ))
    }
    for stretch in silences.stretches {
      guard traffic.isHearing(since: stretch.since, at: utc) else { continue }
      let evidence = Evidence.silentStretch(
        from: stretch.from, to: stretch.to, trackers: stretch.trackers.count)
      found.append(
        (
          .stretch(stretch.trackers),
          Concern(need: .silent, since: stretch.since, evidence: evidence)
        ))
    }
    for index in order {
      for concern in concerns(of: index, silences, at: utc) {
        found.append((.tracker(stories[index].tracker), concern))
      }
    }
    for change in state.update(found, at: utc) {
      switch change {
      case .raised(let alarm): entries.append(.raised(alarm))
      case .cleared(let alarm): entries.append(.cleared(alarm: alarm.number))
      }
    }
    repeatActs()
  }

  /// Works out again what new captures have changed.
  private mutating func refresh() {
    if isTrafficOld {
      traffic = Traffic(stories)
      isTrafficOld = false
      changed = Set(stories.indices)
    }
    for index in changed {
      shown[index] = stories[index].concerns(on: plan.course)
      if let course = plan.course {
        votes.take(
          stories[index].ballot(on: course, traffic.outages), from: stories[index].tracker)
      }
    }
    unwalked.formUnion(changed)
    changed = []
    if !isReplaying { walk() }
  }

  private mutating func walk() {
    guard let course = plan.course else { return }
    for index in unwalked {
      ways[index] = stories[index].isPhone ? nil : stories[index].teamWay(on: course, plan)
    }
    walks += unwalked.count
    unwalked = []
  }

  /// Whether something has come of it, and is not gone.
  private func isHeard(_ tracker: String) -> Bool {
    tracks[tracker].map { !stories[$0].isEmpty } ?? false
  }

  /// By the codes, so that the order of arrivals does not matter.
  private var order: [Int] {
    stories.indices.filter { !stories[$0].isEmpty }
      .sorted { stories[$0].tracker < stories[$1].tracker }
  }

  private func silences(at utc: UTC) -> Silences {
    Silences(order.map { stories[$0] }, traffic, votes, on: plan.course, at: utc)
  }

  private func concerns(of index: Int, _ silences: Silences, at utc: UTC) -> [Concern] {
    let story = stories[index]
    let silence = silences.classes[story.tracker] ?? .planned(.none)
    let broken = story.concern(silence, traffic, at: utc)
    return (shown[index] + (broken.map { [$0] } ?? [])).sorted { $0.need < $1.need }
  }

  // MARK: Output

  /// - Returns: all that one tracker has told; `nil`: nothing of such a tracker has arrived.
  public func story(of tracker: String) -> TeamStory? {
    var room = self
    room.refresh()
    guard isHeard(tracker), let index = tracks[tracker] else { return nil }
    return TeamStory(room.stories[index], room.ways[index], plan, now: now)
  }

  /// Who is where and who needs a human, at the latest time that it was told.
  public var board: RaceBoard {
    var room = self
    room.refresh()
    return room.makeBoard()
  }

  private func makeBoard() -> RaceBoard {
    guard let now else { return RaceBoard(at: nil, rows: plan.teams.map { RaceBoard.Row($0) }) }
    let silences = silences(at: now)
    let unheard = unheard(at: now)
    var rows = plan.teams.filter { !isHeard($0.number) }.map {
      RaceBoard.Row($0, unheard.concern(of: $0.number))
    }
    let concerns = stories.indices.map { self.concerns(of: $0, silences, at: now) }
    // Where two devices are in turn is nobody's way.
    let ways = zip(ways, concerns).map { way, needs in
      needs.contains { $0.need == .cloned } ? nil : way
    }
    let ranking = Ranking(ways)
    for index in order {
      let story = stories[index]
      rows.append(
        RaceBoard.Row(
          story, ways[index], plan, silence: silences.classes[story.tracker] ?? .planned(.none),
          concerns: concerns[index], standing: ranking.standings[index]))
    }
    return RaceBoard(at: now, rows: rows)
  }

  private func unheard(at utc: UTC) -> Unheard {
    Unheard(plan, at: utc) { isHeard($0) }
  }

  /// The silences of a tracker that are over, by their time. What each was is known better the more
  /// is known of where others were heard.
  public func pastSilences(of tracker: String) -> [PastSilence] {
    var room = self
    room.refresh()
    guard let index = tracks[tracker] else { return [] }
    return room.stories[index].pastSilences(room.traffic.outages, room.votes, on: plan.course)
  }

  /// What this race has found out about coverage along the course, for the next one.
  public var coverage: CourseCoverage? {
    plan.course.map { votes.map(known: $0.coverage) }
  }

  /// The same as a line of text; `nil`: there is no course.
  public var coverageText: String? {
    coverage.flatMap { coverage in plan.course.map { $0.text(of: coverage) } }
  }

  /// A tracker's last call for help by text message; `nil`: there is none.
  public func caller(of tracker: String) -> DeliveredCapture? {
    tracks[tracker].flatMap { stories[$0].caller }
  }

  /// The telephones from which a tracker has sent text messages.
  public func phones(of tracker: String) -> [String] {
    tracks[tracker].map { stories[$0].phones } ?? []
  }

  /// The trackers of which the server has captures of such a device.
  ///
  /// - Parameter isMeant: is given an identifier that a capture of the device could have.
  public func trackers(where isMeant: (UniqueID) -> Bool) -> [String] {
    stories.filter { story in
      story.devices.contains { isMeant(UniqueID(high: $0.high, low: $0.low << 32)) }
    }.map(\.tracker).sorted()
  }

  private mutating func write(at utc: UTC) -> [DiaryEntry] {
    let written = entries.map { content in
      entryCount += 1
      let line = DiaryText.line(content, number: entryCount, at: utc)
      return DiaryEntry(number: entryCount, at: utc, content: content, line: line)
    }
    entries = []
    return written
  }
}
