import ControlRoom
import FeatureService
import History
import Notes
import SQL
import Synchronization
import SystemCalls
import TrackerCore
import Wording

/// The control room of a server: fed with the captures that are on disk, its diary on disk, too.
///
/// It reads the captures from their database instead of being told of them. So whatever ends the
/// program, and whenever, those that the diary lacks are read at the next start.
final class ControlDesk: Sendable {
  private struct State: ~Copyable {
    /// As the diary tells of it.
    var room: Room
    /// With what could not be written down yet: a full disk must not hide an emergency.
    var shown: Room
    var mark: DiaryMark
    var diary: DiaryFile
    /// Grows with each change of what people see.
    var version = 0
    var lastProblem: Texts?
    /// There are captures that it does not have yet.
    var isBehind = false
    /// When it was last up to date.
    var updated = UTC(milliseconds: 0)
    /// Trackers may not have been told yet what people did about their emergencies.
    var owesAnswers = true
    var answerProblem: Texts?
  }

  /// The room as it was some time ago.
  private struct Earlier {
    var room: Room
    /// The last capture that it has, and the last revision of one.
    var object: Int64 = 0
    var revision: Int64 = 0
  }

  /// The messages to each tracker, and the notes of its team.
  private struct Mail {
    var version = -1
    var all: [String: [TrackerMessage]] = [:]
    var notes: [String: Notebook] = [:]
  }

  private let features: FeatureServer
  private let seat: CampSeat?
  private let mail = Mutex(Mail())
  private let state: Mutex<State>
  private let earlier: Mutex<Earlier>
  /// The teams of the organisers' table.
  private let table: [RosterTeam]
  /// What people should know beside what is wrong with the diary; `nil`: nothing.
  private let concerns = Mutex<[Surrounding: String]>([:])
  /// Outside of the room, what it depends on.
  enum Surrounding { case layer, modem, broker }

  /// Tells one line.
  private let say: @Sendable (String) -> Void

  /// - Parameters:
  ///   - place: of the diary.
  ///   - seat: whether another basecamp evaluates alarms; `nil`: there is none.
  ///   - say: is told what went wrong, in one line.
  /// - Throws: an error of one line if the diary cannot be opened.
  init(
    _ plan: RacePlan, at place: CampPlace, _ features: FeatureServer, _ access: AccessStore,
    seat: CampSeat? = nil, say: @escaping @Sendable (String) -> Void
  ) throws {
    table = plan.teams
    var plan = plan
    plan.teams = try access.roster(of: table)
    self.features = features
    self.say = say
    self.seat = seat
    let diary = try DiaryFile.open(
      at: place, plan, table: table, isAlone: seat?.isAlone ?? true, say: say)
    let (room, mark) = (diary.room, diary.mark)
    earlier = Mutex(Earlier(room: Room(plan)))
    state = Mutex(State(room: room, shown: room, mark: mark, diary: diary))
    update(at: HostTime.now.utc)
  }

  /// Takes what has been stored since, and the time. Of a great many captures some are left for the
  /// next time, so that a start does not wait for all of them.
  ///
  /// - Parameter readings: at most.
  func update(at now: UTC, readings: Int = Bounds.readingsAtOnce) {
    for reading in 1...readings {
      // Others have their turn in between.
      let isDone = state.withLock { state in
        let isDone = takeSome(&state, at: now)
        if isDone || reading == readings { state.isBehind = !isDone }
        return isDone
      }
      if isDone { return }
    }
  }

  /// - Returns: whether that was all, or cannot go on now.
  private func takeSome(_ state: inout State, at now: UTC) -> Bool {
    var turnsLost = 0
    while true {
      do {
        try follow(&state)
        guard isFirst else {
          show(&state, at: now)
          return true
        }
        let isAll = try takeStored(&state, at: now)
        if state.lastProblem != nil {
          say("the control room's diary is written again")
          state.lastProblem = nil
        }
        if isAll {
          state.updated = now
          answerEmergencies(&state, at: now)
        }
        return isAll
      } catch let error as SQLError
        where error.kind == .constraint && seat != nil && turnsLost < Bounds.actTries
      {
        // Another one has written since: it is followed first.
        turnsLost += 1
      } catch {
        // It is taken again the next time.
        let problem = DatabasePhrase.texts(for: error)
        if state.lastProblem != problem { say("control room: \(error)") }
        state.lastProblem = problem
        return true
      }
    }
  }

  /// - Returns: whether there is no more.
  private func takeStored(_ state: inout State, at now: UTC) throws -> Bool {
    let limit = Bounds.capturesAtOnce
    let new = try features.captures(after: state.mark.object, atMost: limit)
    let refused = try features.refusals(after: state.mark.refusal, atMost: limit)
    let notes = try features.notes(after: state.mark.note, atMost: limit)
    let revised = try features.revisions(after: state.mark.revision, atMost: limit)
    let isAll = new.count < limit && refused.count < limit && revised.count < limit
    var room = state.room
    var entries = room.take(
      new.compactMap { DeliveredCapture($0, now: now) }
        + refused.compactMap { DeliveredCapture($0, now: now) }
        + revised.compactMap { DeliveredCapture($0, now: now) })
    // An act has the time of now, at which the room would miss what it has not read yet.
    if isAll {
      entries += try tell(notes, in: &room, at: now)
      entries += room.advance(to: now)
    }
    var mark = state.mark
    mark.object = new.last?.objectID ?? mark.object
    if isAll { mark.note = notes.last?.object ?? mark.note }
    mark.refusal = refused.last?.number ?? mark.refusal
    mark.revision = revised.last?.number ?? mark.revision
    state.shown = room
    if !entries.isEmpty || mark != state.mark { try state.diary.add(entries, upTo: mark) }
    if !entries.isEmpty { state.version += 1 }
    // Without the time, it is what the diary tells.
    if isAll || entries.isEmpty { try keep(room, entries, &state) } else { state.room = room }
    state.mark = mark
    return isAll && notes.count < limit
  }

  /// Takes what another basecamp has written into the diary.
  private func follow(_ state: inout State) throws {
    guard seat != nil else { return }
    var news: (room: Room, mark: DiaryMark)?
    let room = state.room
    do {
      try state.diary.follow { entries, mark in
        news = (entries.isEmpty ? room : try room.following(entries), mark)
        if entries.isEmpty { return }
        state.version += 1
        // Whoever has acted there leaves it to the first one.
        state.owesAnswers = true
      }
    } catch is DiaryError {
      // A table of teams that came in between, perhaps.
      news = (try state.diary.reread(room.plan), state.diary.mark)
      state.version += 1
    }
    guard let news else { return }
    (state.room, state.mark) = (news.room, news.mark)
  }

  /// What the first basecamp will write now is shown before it has.
  private func show(_ state: inout State, at now: UTC) {
    var room = state.room
    if !room.advance(to: now).isEmpty { state.version += 1 }
    (state.shown, state.updated, state.lastProblem) = (room, now, nil)
  }

  /// Whether this basecamp evaluates alarms, and calls people.
  var isFirst: Bool { seat?.isFirst(at: HostTime.now.uptime) ?? true }

  /// Has the room do something, and writes it down; what another basecamp wrote first is taken
  /// before it.
  private func write(
    _ state: inout State, _ body: (inout Room) throws -> [DiaryEntry]
  ) throws {
    for turn in 1... {
      try follow(&state)
      var room = state.room
      let entries = try body(&room)
      do { try state.diary.add(entries, upTo: state.mark) } catch let error as SQLError
        where error.kind == .constraint && seat != nil && turn < Bounds.actTries
      { continue }
      try keep(room, entries, &state)
      state.shown = room
      state.version += 1
      return
    }
  }

  /// Where others write, too, the room is what the diary tells, and no later.
  private func keep(_ room: Room, _ entries: [DiaryEntry], _ state: inout State) throws {
    state.room = seat == nil ? room : try state.room.following(entries)
  }

  /// - Throws: `ActError`, or why it could not be written down.
  func act(_ act: Act, by person: String, at now: UTC) throws {
    update(at: now, readings: .max)
    try state.withLock { state in
      try write(&state) { try $0.act(act, by: person, at: now) }
      state.owesAnswers = true
    }
    // Its diary has it: if it cannot be told now it is told with the next update.
    update(at: now)
  }

  /// Takes a call for help that came by text message: the diary alone keeps it.
  ///
  /// - Parameter text: the message, for people.
  func take(_ call: DeliveredCapture, text: String, at now: UTC) throws {
    update(at: now, readings: .max)
    try state.withLock { state in
      let changed = { (room: inout Room) throws -> [DiaryEntry] in
        var entries = room.take([call])
        // Else it was taken before a restart, and not deleted.
        if entries.contains(where: { if case .arrived = $0.content { true } else { false } }) {
          entries += try room.act(
            .note(tracker: call.tracker, text: text), by: call.phone ?? "?", at: now)
        }
        return entries
      }
      do { try write(&state, changed) } catch {
        // A full disk must not hide it.
        var room = state.room
        _ = try changed(&room)
        state.shown = room
        state.version += 1
        throw error
      }
    }
  }

  /// Has trackers told who has taken or ended their emergencies. The diary comes first, so after a
  /// kill in between this follows at the next start.
  private func answerEmergencies(_ state: inout State, at now: UTC) {
    guard state.owesAnswers else { return }
    do {
      try tellAnswers(state, at: now)
      (state.owesAnswers, state.answerProblem) = (false, nil)
    } catch {
      let problem = DatabasePhrase.texts(for: error)
      if state.answerProblem != problem { say("messages to trackers: \(error)") }
      state.answerProblem = problem
    }
  }

  private func tellAnswers(_ state: borrowing State, at now: UTC) throws {
    for alarm in state.room.alarms where alarm.need == .emergency {
      // A telephone asks no server.
      guard case .tracker(let tracker) = alarm.subject,
        !tracker.hasPrefix(DeliveredCapture.telephone),
        case .device(let device) = CaptureSender(tracker)
      else { continue }
      func answer(_ kind: TrackerMessage.Kind, by person: String) -> AnsweredEmergency {
        AnsweredEmergency(
          device: device, since: alarm.since, object: state.mark.object,
          refusal: state.mark.refusal, kind: kind, author: person)
      }
      switch alarm.state {
      case .raised, .seen, .cleared: continue
      case .taken(let person): try features.answer(answer(.read, by: person), at: now)
      case .resolved(let person, let reason):
        var ended = answer(.ended, by: person)
        (ended.text, ended.until) = (reason, alarm.resolvedAt)
        try features.answer(ended, at: now)
      }
    }
  }

  // MARK: Messages to trackers

  func send(_ text: String, to tracker: String, by person: String, at now: UTC) throws {
    // Only a tracker with a code can ask for its messages.
    if case .device(let code) = CaptureSender(tracker) {
      try features.send(text, to: code, by: person, at: now)
    }
    try act(.note(tracker: tracker, text: "✉ \(text)"), by: person, at: now)
  }

  /// Orders something of a tracker.
  func order(_ text: String, of tracker: String, by person: String, at now: UTC) throws {
    guard case .device(let code) = CaptureSender(tracker) else { return }
    try features.order(text, of: code, by: person, until: now + Bounds.orderLife, at: now)
    try act(.note(tracker: tracker, text: "⚙ \(text)"), by: person, at: now)
  }

  /// What was sent to a tracker, the oldest first.
  func mail(of tracker: String) -> [TrackerMessage] {
    withMail { $0.all[tracker] } ?? []
  }

  func notebook(of tracker: String) -> Notebook { withMail { $0.notes[tracker] } ?? Notebook() }

  /// What a tracker has told of a history on request.
  func history(of device: String) throws -> [HistoryPart] { try features.history(of: device) }

  private func withMail<Result: Sendable>(_ body: (Mail) -> Result) -> Result {
    mail.withLock { mail in
      let version = features.messageVersion
      if mail.version != version, let all = try? features.messages(),
        let notes = try? features.notes(after: 0, atMost: .max)
      {
        mail = Mail(
          version: version,
          all: Dictionary(grouping: all) { CaptureSender.device($0.device).text },
          notes: Dictionary(grouping: notes) { CaptureSender.device($0.device).text }
            .mapValues { Notebook($0.map(\.version)) })
      }
      return body(mail)
    }
  }

  /// Writes a note of a team; the diary tells it as it does those of trackers.
  func write(_ change: NoteChange, of device: String, by person: String, at now: UTC) throws {
    try features.write(change, of: device, by: person, at: now)
    update(at: now)
  }

  /// What the diary says of new versions of notes.
  private func tell(_ notes: [StoredNote], in room: inout Room, at now: UTC) throws -> [DiaryEntry]
  {
    var entries: [DiaryEntry] = []
    for one in notes {
      let tracker = CaptureSender.device(one.device).text
      let before =
        try features.notebook(of: one.device).notes
        .first { $0.id == one.version.note }?.history ?? []
      let sign = one.version.text == nil ? "✗" : one.version.id == one.version.note ? "✎" : "↻"
      // Of a deletion, what is gone.
      let text = one.version.text ?? before.last { $0.text != nil }?.text ?? ""
      let author = one.version.author.contains { $0 != " " } ? one.version.author : "?"
      entries += try room.act(
        .note(
          tracker: tracker,
          text: "\(sign) \(Notebook.name(one.version.note, for: "")) \(text)".visible),
        by: author.visible, at: now)
    }
    return entries
  }

  var plan: RacePlan { state.withLock { $0.shown.plan } }

  /// Takes what was written down of teams.
  func use(_ access: AccessStore) throws {
    let teams = try access.roster(of: table)
    state.withLock { state in
      state.room.use(teams)
      state.shown.use(teams)
      state.version += 1
    }
    earlier.withLock { $0.room.use(teams) }
  }

  /// What people see.
  struct View {
    var board: RaceBoard
    var alarms: [Alarm]
    var version: Int
    /// Why the diary is not written, or captures do not come; `nil`: all is well.
    var problem: Texts?

    static let behind = Texts(
      ca: "s'estan llegint captures que han arribat; no es mostren totes",
      es: "se están leyendo capturas que han llegado; no se muestran todas",
      en: "captures that have come are being read; not all are shown",
      fr: "des captures arrivées sont en cours de lecture ; toutes ne sont pas montrées")
  }

  var view: View {
    state.withLock { state in
      View(
        board: state.shown.board, alarms: state.shown.alarms, version: state.version,
        problem: state.lastProblem ?? state.answerProblem
          ?? (state.isBehind ? View.behind : nil)
          ?? concerns.withLock { ($0[.modem] ?? $0[.broker] ?? $0[.layer])?.texts })
    }
  }

  /// What is wrong outside of the room; `nil`: nothing any more.
  func show(concern text: String?, of what: Surrounding) { concerns.withLock { $0[what] = text } }

  var alarms: [Alarm] { state.withLock { $0.shown.alarms } }

  /// Whether there are captures that it does not have yet.
  var isBehind: Bool { state.withLock { $0.isBehind } }

  /// When it was last up to date, and whether it is written down.
  var health: (updated: UTC, isWritten: Bool) {
    state.withLock { ($0.updated, $0.lastProblem == nil) }
  }

  /// The room as people see it.
  var room: Room { state.withLock { $0.shown } }

  /// The room as it was at an earlier time, with the captures that had arrived by then.
  ///
  /// - Parameter then: not earlier than the time before.
  func earlierRoom(at then: UTC) -> Room {
    earlier.withLock { earlier in
      while let new = try? features.captures(after: earlier.object, atMost: Bounds.capturesAtOnce) {
        let due = new.prefix { $0.arrived.map { $0 <= then } ?? true }
        _ = earlier.room.take(due.compactMap { DeliveredCapture($0, now: then) })
        earlier.object = due.last?.objectID ?? earlier.object
        if due.count < Bounds.capturesAtOnce { break }
      }
      while let new = try? features.revisions(
        after: earlier.revision, atMost: Bounds.capturesAtOnce)
      {
        let due = new.prefix { $0.capture.arrived.map { $0 <= then } ?? true }
        _ = earlier.room.take(due.compactMap { DeliveredCapture($0, now: then) })
        earlier.revision = due.last?.number ?? earlier.revision
        if due.count < Bounds.capturesAtOnce { break }
      }
      _ = earlier.room.advance(to: then)
      return earlier.room
    }
  }

  /// From now on the room does not open without accounts.
  func noteAccounts() throws { try state.withLock { try $0.diary.noteAccounts() } }

  /// The lines of the diary, from one on.
  func diary(from number: Int, atMost count: Int) throws -> [KeptEntry] {
    try state.withLock { state in try state.diary.read(from: number, atMost: count) }
  }
}
