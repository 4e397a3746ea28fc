import ControlRoom
import Courses
import FeatureService
import Reports
import SystemCalls
import TrackerCore
import Wording

/// The control room in a browser: its page, what that shows, and what people do there.
///
///     GET  /room            the page
///     GET  /room/state      who is where, and the alarms
///     GET  /room/course     the course and its places
///     GET  /room/diary      a line of JSON for each entry, its hash after a tab; from=NUMBER
///     POST /room/act        by=NAME, and see=ALARM, take=ALARM, resolve=ALARM with text=REASON, or
///                           text=REMARK with tracker=CODE or without
struct ControlPages: Sendable {
  let desk: ControlDesk

  /// - Returns: `nil` if the request is about something else.
  func answer(
    _ request: ServiceRequest, _ features: FeatureServer, at time: HostTime
  ) -> ServiceReply? {
    guard request.isRoom else { return nil }
    let language = request.language ?? .english
    let name = request.path.dropFirst().joined(separator: "/")
    if let file = WebFile(name) { return file.reply }
    guard features.mayUse(request, at: time) else {
      return .figure(.object([.init("error", .text("token"))]), status: 401)
    }
    switch (request.method, name) {
    case ("GET", "state"): return .figure(state(in: language, now: time.utc))
    case ("GET", "course"): return .figure(course)
    case ("GET", "diary"): return diary(request)
    case ("POST", "act"): return act(request, in: language, at: time.utc)
    default: return .figure(.object([.init("error", .text("no such page"))]), status: 404)
    }
  }

  // MARK: What it shows

  private func state(in language: Language, now: UTC) -> Figure {
    desk.update(at: now)
    let view = desk.view
    return .object([
      .init("now", PassageTable.date(now)), .init("language", .text(language.code)),
      .init("version", .integer(view.version)),
      .init("problem", view.problem.map { .text($0) } ?? .none),
      .init("teams", .list(view.board.rows.map { team($0, in: language) })),
      .init("alarms", .list(shown(view.alarms).map { alarm($0, in: language) })),
    ])
  }

  /// All that are open and the last of those that are not, the newest first.
  private func shown(_ alarms: [Alarm]) -> [Alarm] {
    var room = Bounds.closedAlarms
    return alarms.reversed().filter { alarm in
      if alarm.isOpen { return true }
      room -= 1
      return room >= 0
    }
  }

  private func team(_ row: RaceBoard.Row, in language: Language) -> Figure {
    row.figure(in: language).adding("phone", row.phone.map { .text($0) } ?? .none)
  }

  private func alarm(_ alarm: Alarm, in language: Language) -> Figure {
    var trackers: [String] = []
    switch alarm.subject {
    case .tracker(let tracker): trackers = [tracker]
    case .stretch(let several): trackers = several
    case .everyone: break
    }
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
      .init("trackers", .list(trackers.map { .text($0) })),
      .init("since", PassageTable.date(alarm.since)),
      .init("raised", PassageTable.date(alarm.raisedAt)),
      .init("open", .boolean(alarm.isOpen)), .init("state", .text(state)),
      .init("by", person.map { .text($0) } ?? .none),
      .init("reason", reason.map { .text($0) } ?? .none),
      .init("evidence", .text(evidence(alarm, in: language))),
    ])
  }

  /// Dates stand in brackets: only the browser knows its zone.
  private func evidence(_ alarm: Alarm, in language: Language) -> String {
    alarm.evidence.text(in: language) { utc in
      if case .text(let date) = PassageTable.date(utc) { "[\(date)]" } else { "" }
    }
  }

  private var course: Figure {
    guard let course = desk.plan.course else { return .object([]) }
    func place(_ position: Coordinate) -> [Figure] {
      [position.latitude, position.longitude].map { .real(Double($0) / 1e7, decimals: 6) }
    }
    return .object([
      .init("name", .text(course.name)),
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

  private func diary(_ request: ServiceRequest) -> ServiceReply {
    let from = request.text("from").flatMap { Int($0) } ?? 1
    do {
      let lines = try desk.diary(from: from, atMost: Bounds.diaryLines)
      let text = lines.map { "\($0.line)\t\($0.hash)\n" }.joined()
      return .answer(type: "text/plain; charset=utf-8", body: Array(text.utf8))
    } catch {
      return .figure(.object([.init("error", .text("\(error)"))]), status: 500)
    }
  }

  // MARK: What people do

  private func act(
    _ request: ServiceRequest, in language: Language, at now: UTC
  ) -> ServiceReply {
    func refuse(_ phrase: ControlPhrase, _ status: Int32 = 400) -> ServiceReply {
      .figure(.object([.init("error", .text(phrase.text(in: language)))]), status: status)
    }
    let person = request.text("by").map { String($0.prefix(100)) } ?? ""
    guard person.contains(where: { !$0.isWhitespace }) else { return refuse(.noName) }
    func number(_ name: String) -> Int? { request.text(name).flatMap { Int($0) } }
    let text = request.text("text") ?? ""
    let act: Act
    if let alarm = number("see") {
      act = .see(alarm: alarm)
    } else if let alarm = number("take") {
      act = .take(alarm: alarm)
    } else if let alarm = number("resolve") {
      act = .resolve(alarm: alarm, reason: text)
    } else if text.contains(where: { !$0.isWhitespace }) {
      act = .note(tracker: request.text("tracker"), text: text)
    } else {
      return refuse(.noAct)
    }
    do {
      try desk.act(act, by: person, at: now)
      return .figure(state(in: language, now: now))
    } catch let error as ActError {
      return .figure(.object([.init("error", .text(error.texts[language]))]), status: 409)
    } catch {
      return .figure(.object([.init("error", .text("\(error)"))]), status: 500)
    }
  }
}

extension ServiceReply {
  static func figure(_ figure: Figure, status: Int32 = 200) -> ServiceReply {
    .answer(
      status: status, type: "application/json; charset=utf-8", body: Array(figure.line.utf8))
  }
}

/// What the control room's pages refuse.
enum ControlPhrase: Catalogue {
  case noName, noAct

  var texts: Texts {
    switch self {
    case .noName:
      Texts(
        ca: "digueu qui sou", es: "diga quién es", en: "say who you are", fr: "dites qui vous êtes")
    case .noAct:
      Texts(
        ca: "no hi ha res a fer: doneu una alarma o un text",
        es: "no hay nada que hacer: dé una alarma o un texto",
        en: "there is nothing to do: give an alarm or a text",
        fr: "il n'y a rien à faire : donnez une alarme ou un texte")
    }
  }
}

/// The files of the page.
enum WebFile: String, CaseIterable {
  case page = ""
  case style = "room.css"
  case script = "room.js"
  case words = "words.js"
  case leaflet = "leaflet.js"
  case leafletStyle = "leaflet.css"

  init?(_ name: String) { self.init(rawValue: name) }

  /// Debian's libjs-leaflet; without it the page has no map.
  private static let leafletFolder = "/usr/share/javascript/leaflet/"

  var reply: ServiceReply {
    switch self {
    case .page: .answer(type: "text/html; charset=utf-8", body: PackageResources.room_html)
    case .style: .answer(type: "text/css; charset=utf-8", body: PackageResources.room_css)
    case .script: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.room_js)
    case .words: .answer(type: "text/javascript; charset=utf-8", body: PackageResources.words_js)
    case .leaflet: Self.library(rawValue, "text/javascript; charset=utf-8")
    case .leafletStyle: Self.library(rawValue, "text/css; charset=utf-8")
    }
  }

  private static func library(_ name: String, _ type: String) -> ServiceReply {
    guard let bytes = try? readFile(leafletFolder + name, atMost: Bounds.libraryBytes) else {
      return .answer(status: 404, type: "text/plain; charset=utf-8", body: [])
    }
    return .answer(type: type, body: bytes)
  }
}
