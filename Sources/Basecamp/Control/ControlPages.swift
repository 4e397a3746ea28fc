import ControlRoom
import Courses
import FeatureService
import Reports
import SystemCalls
import TrackerCore
import Wording

/// The control room in a browser: its page, what that shows, and what people do there. Who may do
/// what is in `RoomRights`.
///
///     GET  /room            the page
///     GET  /room/beat       for a watchdog, without a login: when the room was last up to date
///     POST /room/login      user=NAME, password=PASSWORD: a session, as a cookie
///     POST /room/enter      key=KEY, the end of a follower's link: a session, too
///     GET  /room/session    who one is, and what later requests carry in X-CSRF-Token
///     POST /room/logout
///     GET  /room/state      who is where, and the alarms
///     GET  /room/events     the same as a stream: the state, and then what changes
///     GET  /room/course     the course and its places
///     GET  /room/coverage   what this race has found out about coverage, for the next one
///     GET  /room/tiles/Z/X/Y  the picture below the map
///     GET  /room/team       tracker=CODE: captures, contacts, passages and forecasts of one team
///     GET  /room/diary      a line of JSON, its hash, salt and seal, after tabs; from=NUMBER
///     GET  /room/records    what the diary tells people; tracker=CODE, kind=KIND,KIND, by=NAME,
///                           text=WORDS, from=DATE, until=DATE: of these; format=csv: as a table
///     GET  /room/handover   since=DATE: what whoever takes over has to know
///     POST /room/act        see=ALARM, take=ALARM, resolve=ALARM with text=REASON, or text=REMARK
///                           with tracker=CODE or without; by=NAME where nobody logs in
///     POST /room/roster     tracker=CODE with name=, phone=, public=yes or no: what a team is
///                           from now on; with forget=yes: what the table of teams says
///     GET  /room/links      the links of followers
///     POST /room/links      label=TEXT: a new one; revoke=NUMBER
///     GET  /room/phones     the telephones that may report
///     POST /room/phones     name=NAME, with tracker=CODE or without: a new one; revoke=NUMBER
///     GET  /room/messages   tracker=CODE: what was sent to a team, and when its tracker had it
///     POST /room/messages   tracker=CODE, text=TEXT: a new one
///     GET  /room/notes      tracker=CODE: notes of a team, each with all its versions
///     POST /room/notes      tracker=CODE, text=TEXT, category=CATEGORY: a new one; with note=ID an
///                           edit of that one; note=ID, delete=yes: deletes it
///     GET  /room/history    tracker=CODE: histories that were asked for, with positions;
///                           number=ORDER, format=csv or gpx: that one as a file
struct ControlPages: Sendable {
  let desk: ControlDesk
  let access: RoomAccess
  /// `nil`: the map has no background.
  let background: MapBackground?
  private let figures = TeamFigures()

  /// - Returns: `nil` if the request is about something else.
  func answer(_ request: ServiceRequest, at time: HostTime) -> ServiceReply? {
    guard request.isRoom else { return nil }
    let language = request.language ?? .english
    let name = request.path.dropFirst().joined(separator: "/")
    do throws(RoomRefusal) {
      try access.checkSource(of: request)
      if let file = WebFile(name) { return file.reply }
      if name == "beat" { return .figure(beat) }
      if let reply = try access.enter(request, name, in: language, at: time) { return reply }
      // A tile's address follows in the path.
      let isTile = request.path.dropFirst().first == "tiles"
      guard let page = isTile ? .tiles : RoomRights.Page(rawValue: name) else {
        throw RoomRefusal(404, .noPage)
      }
      let viewer = try access.viewer(of: request, at: time)
      try access.check(request, page, viewer)
      return try answer(request, page, viewer, in: language, at: time.utc)
    } catch {
      return error.reply(in: language)
    }
  }

  private func answer(
    _ request: ServiceRequest, _ page: RoomRights.Page, _ viewer: Viewer, in language: Language,
    at now: UTC
  ) throws(RoomRefusal) -> ServiceReply {
    switch (request.method, page) {
    case ("GET", .state): return .figure(state(for: viewer, in: language, now: now))
    case ("GET", .course): return .figure(course)
    case ("GET", .coverage):
      guard let text = desk.room.coverageText else { throw RoomRefusal(404, .noCourse) }
      return .answer(type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
    case ("GET", .tiles):
      guard let background else { throw RoomRefusal(404, .noPage) }
      return try background.answer(Array(request.path.dropFirst(2)))
    case ("GET", .team): return .figure(try story(request, for: viewer, now: now))
    case ("GET", .diary): return try diary(request)
    case ("GET", .records): return try records(request, in: language)
    case ("GET", .handover): return .figure(try handover(request, at: now))
    case ("POST", .act): return try act(request, viewer, in: language, at: now)
    case ("GET", .session): return .figure(access.figure(of: viewer))
    case ("POST", .logout): return try access.leave(request)
    case ("POST", .roster): return try changeRoster(request, viewer, in: language, at: now)
    case ("GET", .links): return .figure(try access.links())
    case ("GET", .phones): return .figure(try phones())
    case ("POST", .phones): return .figure(try changePhones(request, viewer, at: now))
    case ("GET", .messages): return .figure(messages(request))
    case ("POST", .messages): return try send(request, viewer, at: now)
    case ("GET", .notes): return .figure(notes(request))
    case ("GET", .history): return try histories(request)
    case ("POST", .notes): return try write(request, viewer, at: now)
    case ("POST", .links):
      return .figure(try access.changeLinks(request, finish: desk.plan.finish, at: now))
    default: throw RoomRefusal(405, .noPage)
    }
  }

  // MARK: What it shows

  private var beat: Figure {
    let (updated, isWritten) = desk.health
    return .object([
      .init("updated", PassageTable.date(updated)), .init("written", .boolean(isWritten)),
    ])
  }

  func state(for viewer: Viewer, in language: Language, now: UTC) -> Figure {
    desk.update(at: now)
    let view = desk.view
    let isFollower = viewer.role == .follower
    let rows =
      isFollower
      ? desk.earlierRoom(at: now + (0 - access.followersDelay)).board.rows : view.board.rows
    // The board's own order tells who needs help.
    let order =
      viewer.role == .control ? rows : rows.sorted { ($0.name, $0.tracker) < ($1.name, $1.tracker) }
    let alarms = shown(view.alarms, to: viewer.role)
    let calling = Set(alarms.filter { $0.isOpen && $0.need == .emergency }.flatMap(\.trackers))
    let teams = figures.figures(
      of: order.filter { isShown($0, to: viewer, calling) },
      for: TeamFigures.Channel(role: viewer.role, language: language)
    ) { row in
      TeamFigures.Extras(
        mail: mail(of: row.tracker), notes: noteCount(of: row.tracker),
        shownFrom: isFollower ? shownFrom(row) : .none)
    } _: { row, extras in
      team(row, extras, in: language).seen(by: viewer.role, RoomRights.ofTeam)
    }
    let state = Figure.object([
      .init("now", PassageTable.date(now)), .init("language", .text(language.code)),
      .init("version", .integer(view.version)), .init("role", .text(viewer.role.rawValue)),
      .init("delay_s", .integer(isFollower ? access.followersDelay.count / 1000 : 0)),
      .init("place", viewer.place.map { .text($0) } ?? .none),
      .init("problem", view.problem.map { .text($0[language]) } ?? .none),
      .init("teams", .list(teams)),
      .init("alarms", .list(alarms.map { alarm($0, in: language) })),
    ])
    return state.seen(by: viewer.role, RoomRights.ofState)
  }

  private func story(
    _ request: ServiceRequest, for viewer: Viewer, now: UTC
  ) throws(RoomRefusal) -> Figure {
    desk.update(at: now)
    let tracker = request.text("tracker") ?? ""
    let isFollower = viewer.role == .follower
    let agreed = desk.plan.teams.contains { $0.number == tracker && $0.isPublic }
    let room = isFollower ? desk.earlierRoom(at: now + (0 - access.followersDelay)) : desk.room
    guard !isFollower || agreed, let story = room.story(of: tracker) else {
      throw RoomRefusal(404, .noTeam)
    }
    return story.figure.seen(by: viewer.role, RoomRights.ofStory)
      .mapping("captures") { $0.seen(by: viewer.role, RoomRights.ofCapture) }
  }

  /// When followers will see a team that the room has heard already.
  private func shownFrom(_ row: RaceBoard.Row) -> Figure {
    guard row.heard == nil, let heard = desk.room.story(of: row.tracker)?.firstHeard else {
      return .none
    }
    return PassageTable.date(heard + access.followersDelay)
  }

  /// - Parameter calling: trackers with an open emergency, which all of the staff sees.
  private func isShown(
    _ row: RaceBoard.Row, to viewer: Viewer, _ calling: Set<String>
  ) -> Bool {
    switch viewer.role {
    case .control: true
    case .checkpoint:
      calling.contains(row.tracker) || viewer.place.map { desk.plan.isDue(row, at: $0) } ?? false
    case .follower: row.isPublic
    }
  }

  /// All that are open and the last of those that are not, the newest first. Of these a volunteer
  /// at a place is told of open emergencies alone.
  private func shown(_ alarms: [Alarm], to role: Role) -> [Alarm] {
    switch role {
    case .control: break
    case .checkpoint: return alarms.reversed().filter { $0.isOpen && $0.need == .emergency }
    case .follower: return []
    }
    var room = Bounds.closedAlarms
    return alarms.reversed().filter { alarm in
      if alarm.isOpen { return true }
      room -= 1
      return room >= 0
    }
  }

  private func team(
    _ row: RaceBoard.Row, _ extras: TeamFigures.Extras, in language: Language
  ) -> Figure {
    row.figure(in: language).adding("phone", row.phone.map { .text($0) } ?? .none)
      .adding("public", .boolean(row.isPublic)).adding("mail", extras.mail)
      .adding("notes", extras.notes).adding("shown_from", extras.shownFrom)
  }

  private func alarm(_ alarm: Alarm, in language: Language) -> Figure {
    var (state, person, reason): (String, String?, String?) = ("raised", nil, nil)
    switch alarm.state {
    case .raised: break
    case .seen(let by): (state, person) = ("seen", by)
    case .taken(let by): (state, person) = ("taken", by)
    case .cleared: state = "cleared"
    case .resolved(let by, let why): (state, person, reason) = ("resolved", by, why)
    }
    return .object([
      .init("number", .integer(alarm.number)), .init("need", .text(alarm.need.name)),
      .init("trackers", .list(alarm.trackers.map { .text($0) })),
      .init("since", PassageTable.date(alarm.since)),
      .init("raised", PassageTable.date(alarm.raisedAt)),
      .init("open", .boolean(alarm.isOpen)), .init("state", .text(state)),
      .init("by", person.map { .text($0) } ?? .none),
      .init("reason", reason.map { .text($0) } ?? .none),
      .init("evidence", .text(evidence(alarm, in: language))),
      .init("answer", answer(to: alarm)),
    ])
  }

  func evidence(_ alarm: Alarm, in language: Language) -> String {
    alarm.evidence.text(in: language, time: inBrackets)
  }

  /// Only the browser knows its zone.
  func inBrackets(_ utc: UTC) -> String {
    if case .text(let date) = PassageTable.date(utc) { "[\(date)]" } else { "" }
  }

  private var course: Figure {
    let tiles = background?.figure ?? .none
    guard let course = desk.plan.course else { return .object([.init("tiles", tiles)]) }
    func place(_ position: Coordinate) -> [Figure] {
      [position.latitude, position.longitude].map { .real(Double($0) / 1e7, decimals: 6) }
    }
    return .object([
      .init("name", .text(course.name)), .init("tiles", tiles),
      .init("length_m", .integer(Int64(course.lengthMetres))),
      .init("line", .list(course.points.map { .list(place($0.position)) })),
      .init(
        "places",
        .list(
          course.places.map {
            .object([
              .init("name", .text($0.name)), .init("kind", .text("\($0.place.kind)")),
              .init("metres", .integer($0.place.alongMillimetres / 1000)),
              .init("at", .list(place($0.place.position))),
              .init("closes", PassageTable.date($0.place.closes)),
            ])
          })),
    ])
  }

  // MARK: What people do

  private func act(
    _ request: ServiceRequest, _ viewer: Viewer, in language: Language, at now: UTC
  ) throws(RoomRefusal) -> ServiceReply {
    let person = try person(request, viewer)
    let act = try act(request)
    if case .note = act {} else if viewer.role != .control { throw RoomRefusal(403, .notYours) }
    do {
      try desk.act(act, by: person, at: now)
    } catch let error as ActError {
      throw RoomRefusal(409, error.texts)
    } catch {
      throw RoomRefusal(of: error)
    }
    return .figure(state(for: viewer, in: language, now: now))
  }

  /// Who it is: by the session, or by name where nobody logs in.
  func person(_ request: ServiceRequest, _ viewer: Viewer) throws(RoomRefusal) -> String {
    let person = viewer.person ?? request.text("by").map { String($0.prefix(100)).visible } ?? ""
    guard person.contains(where: { !$0.isWhitespace }) else { throw RoomRefusal(400, .noName) }
    return person
  }

  private func act(_ request: ServiceRequest) throws(RoomRefusal) -> Act {
    func number(_ name: String) -> Int? { request.text(name).flatMap { Int($0) } }
    let text = (request.text("text") ?? "").visible
    if let alarm = number("see") { return .see(alarm: alarm) }
    if let alarm = number("take") { return .take(alarm: alarm) }
    if let alarm = number("resolve") { return .resolve(alarm: alarm, reason: text) }
    guard text.contains(where: { !$0.isWhitespace }) else { throw RoomRefusal(400, .noAct) }
    return .note(tracker: request.text("tracker"), text: text)
  }
}

extension RacePlan {
  /// When the last place closes; `nil`: the course has no hours.
  var finish: UTC? { course?.places.compactMap(\.place.closes).max() }

  /// Whether a team is to come to a place next, or is there.
  func isDue(_ row: RaceBoard.Row, at place: String) -> Bool {
    if row.next?.place == place { return true }
    guard let done = row.done,
      let along = course?.places.first(where: { $0.name == place })?.place
        .alongMillimetres
    else { return false }
    return abs(Int64(done) * 1000 - Int64(along)) <= Bounds.placeMillimetres
  }
}

extension ServiceReply {
  static let jsonType = "application/json; charset=utf-8"

  static func figure(_ figure: Figure, status: Int32 = 200) -> ServiceReply {
    .answer(status: status, type: jsonType, body: Array(figure.line.utf8))
  }
}

/// The files of the page.
enum WebFile: String, CaseIterable {
  case page = ""
  case style = "room.css"
  case script = "room.js"
  case words = "words.js"
  case team = "team.js"
  case alarms = "alarms.js"
  case notes = "notes.js"
  case history = "history.js"
  case siren = "siren.js"
  case map = "map.js"
  case staff = "staff.js"
  case diary = "diary.js"
  case phones = "phones.js"
  case codes = "qrcode.js"
  case leaflet = "leaflet.js"
  case leafletStyle = "leaflet.css"

  init?(_ name: String) { self.init(rawValue: name) }

  /// Debian's libjs-leaflet; without it the page has no map.
  private static let leafletFolder = "/usr/share/javascript/leaflet/"
  /// Debian's node-qrcode-generator; without it the page has links only.
  static let codesPath = "/usr/share/javascript/qrcode-generator/qrcode.js"

  var reply: ServiceReply {
    switch self {
    case .page: .answer(type: "text/html; charset=utf-8", body: PackageResources.room_html)
    case .style: .answer(type: "text/css; charset=utf-8", body: PackageResources.room_css)
    case .script: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.room_js)
    case .words: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.words_js)
    case .team: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.team_js)
    case .alarms:
      .answer(type: "text/javascript; charset=utf-8", body: PackageResources.alarms_js)
    case .siren: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.siren_js)
    case .map: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.map_js)
    case .staff: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.staff_js)
    case .diary: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.diary_js)
    case .notes: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.notes_js)
    case .history:
      .answer(type: "text/javascript; charset=utf-8", body: PackageResources.history_js)
    case .phones:
      .answer(type: "text/javascript; charset=utf-8", body: PackageResources.phones_js)
    case .leaflet: Self.library(Self.leafletFolder + rawValue, "text/javascript; charset=utf-8")
    case .leafletStyle: Self.library(Self.leafletFolder + rawValue, "text/css; charset=utf-8")
    case .codes: Self.library(Self.codesPath, "text/javascript; charset=utf-8")
    }
  }

  private static func library(_ path: String, _ type: String) -> ServiceReply {
    guard let bytes = try? readFile(path, atMost: Bounds.libraryBytes) else {
      return .answer(status: 404, type: "text/plain; charset=utf-8", body: [])
    }
    return .answer(type: type, body: bytes)
  }
}
