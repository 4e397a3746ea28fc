public import ControlRoom
import Courses
import FeatureService
import PostgreSQL
import Reports
import SQL
import Synchronization
import SystemCalls
import TrackerCore
public import Uplink
import Wording

/// The settings of a server.
public struct CampSettings: Sendable {
  public var address = ListenAddress.standard
  /// A directory is created if it does not exist.
  var place: CampPlace
  /// A GeoJSON file; `nil`: the built-in course.
  public var course: String?
  /// A timetable (CSV) of that course, for the control room; `nil`: it has none.
  public var timetable: String?
  /// `nil`: without TLS.
  public var certificate: ServerCertificate?
  /// Of the pages for people.
  public var language = PageLanguage()
  /// The web pages that may use it.
  public var pages = CrossOrigin()
  /// The addresses of proxies that say whom requests are from (`X-Forwarded-For`).
  public var proxies: Set<String> = []
  /// With slow clients.
  public var patience = ConnectionPatience()
  /// For the bodies of all requests.
  var room = BodyRoom()
  /// The seed for random faults.
  public var faultSeed: UInt64 = 1
  /// Of the race; they have a row in the control room before they are heard.
  public var teams: [RosterTeam] = []
  /// Commands of the shell, one for each person who is told of alarms that nobody takes.
  public var alerts: [String] = []
  /// How long each of them, and the control room before, has to take one.
  public var alertPatience = Milliseconds.minutes(5)
  /// The same of an emergency that nobody has read.
  public var emergencyPatience = Milliseconds.minutes(5)
  /// A file with the coverage that an earlier race on the course has found; `nil`: none is known.
  public var coverage: String?
  /// An MBTiles file for the control room's map; `nil`: it has none.
  public var tiles: String?
  /// How much later followers see where teams are.
  public var followersDelay = Milliseconds.minutes(15)
  /// What is older is erased at the start; `nil`: nothing is.
  public var keptDays: Int64?
  /// Another server's layer whose captures come into this room, too.
  public var followed: ArcGISConfiguration?
  /// A broker on which trackers publish their captures; `nil`: there is none.
  public var broker: BrokerSettings?
  /// The port of a modem for text messages; `nil`: there is none.
  public var modem: String?
  /// Who may confirm emergencies by text message.
  public var textPersons: [TextPerson] = []
  /// Between two looks at it, and between two for what was deleted there.
  var followPause = Milliseconds.seconds(Bounds.followSeconds)
  var followGone = Bounds.followGone
  /// The settings of the service; course and address are filled in by `Camp`.
  public var service = FeatureServerSettings()

  /// The data are on a database server, which may be away.
  public var isOnServer: Bool { place.folder == nil }

  public init(at place: CampPlace) { self.place = place }
  public init(directory: String) { place = .folder(directory) }
}

/// A server compatible with ArcGIS FeatureServer, which listens until it is deinitialised.
///
///     var camp = try Camp(CampSettings(directory: "/tmp/camp"))
///     print(camp.address)
public struct Camp: ~Copyable {
  private let seat: CampSeat
  private let ending: Ending
  private let server: HTTPServer
  private let watch: Watch
  private let bell: Bell
  private let publisher: Watch
  private let follower: Watch?
  private let texts: Watch?
  private let listener: Watch?
  private let broker: Watch?
  /// `http://127.0.0.1:40123/arcgis/rest/services`
  public let address: String
  /// Of the control room: `http://127.0.0.1:40123/room`
  public let room: String

  /// Opens the database and begins to listen.
  ///
  /// - Throws: an error whose description is one line: what, where, what to do.
  public init(_ settings: CampSettings) throws {
    var service = settings.service
    service.course =
      try settings.course.map { path throws(ServiceError) in
        try Course(geoJSON: readFile(path, atMost: Bounds.courseBytes), path: path)
      } ?? .carrilet
    service.scheme = settings.certificate == nil ? "http" : "https"
    service.address = settings.address.description
    service.systems = PROJSystems()
    let place = settings.place
    try place.make()
    let seat = try CampSeat(at: place)
    let isNew = !place.has(.captures)
    try Self.eraseOld(settings, isAlone: seat.isAlone)
    let ending = Ending()
    let log = CaptureLog()
    let bell = Bell()
    service.stored = {
      log.write($0)
      bell.ring()
    }
    service.refused = {
      log.write(refused: $0)
      bell.ring()
    }
    service.confirmed = { bell.ring() }
    service.patience = { QueryTime(ending).isLeft }
    let features = try FeatureServer(
      service, database: place.source(.captures),
      random: SystemRandomNumberGenerator(), chance: SplitMix64(seed: settings.faultSeed))
    let say = Self.say
    let wasThere = place.has(.accounts)
    let accounts = try AccessStore(at: place)
    if try !accounts.hasAccounts, try Self.hadAccounts(settings, orDamaged: !wasThere) {
      throw ServiceError(
        "\(place.name(.accounts)): the accounts of the control room are gone; put the file "
          + "back, or make new ones with basecamp staff")
    }
    let desk = try ControlDesk(
      try Self.plan(settings, say), at: place, features, accounts,
      seat: place.folder == nil ? seat : nil, say: say)
    let access = RoomAccess(
      accounts, ownCredentials: settings.service.owner ?? settings.service.credentials,
      followersDelay: settings.followersDelay, isSecure: settings.certificate != nil)
    if try access.store.hasAccounts { try desk.noteAccounts() }
    seat.admitOthers()
    for account in try access.store.accounts() {
      guard let name = account.place, let course = desk.plan.course,
        !course.places.contains(where: { $0.name == name })
      else { continue }
      say("\(account.name): there is no '\(name)' on the course, so this account sees no team")
    }
    if service.credentials == nil, try access.store.hasAccounts {
      say(
        "whoever reaches this server can read all captures and messages at /arcgis/rest/services, "
          + "followers too; close that with --user")
    }
    let pages = ControlPages(
      desk: desk, access: access,
      background: try settings.tiles.map { path throws(ServiceError) in
        try MapBackground(path: path)
      })
    let phones = PhoneDoor(accounts, features)
    let calls = AlarmCalls(
      settings.alerts,
      patience: .init(usual: settings.alertPatience, emergency: settings.emergencyPatience),
      language: settings.language.always ?? settings.language.otherwise ?? .english, say: say)
    let connections = Connections(
      settings.patience, proxies: settings.proxies, limit: try Self.connections(settings, say))
    var manners = HTTPServer.Manners(
      language: settings.language, pages: settings.pages, scheme: service.scheme)
    manners.room = settings.room
    manners.pages.needsToken = service.credentials != nil
    let hub = EventHub { pages.state(for: $0, at: $1) }
    let handler = HTTPServer.Handler(lane: Self.lane) { request, head in
      if let (channel, audience) = pages.stream(request, at: .now) {
        let stream = hub.subscribe(channel, audience: audience, after: head.lastEvent)
        return stream.map { .stream($0) } ?? .reply(.hangUp)
      }
      if let reply = pages.answer(request, at: .now) {
        if request.method == "POST" { bell.ring() }
        return .reply(reply)
      }
      if let reply = phones.answer(request, at: .now) { return .reply(reply) }
      return Self.answer(request, features)
    }
    let server = try HTTPServer(
      at: settings.address, settings.certificate, manners, connections, hub, handler)
    if isNew { say("\(place.folder ?? ""): has no captures yet; a new database begins") }
    if let finish = desk.plan.finish, HostTime.now.utc - finish > .hours(24) {
      let text = "\(CalendarText.text(finish)) UTC"
      say("\(settings.course ?? ""): its places closed at \(text); correct their hours")
    }
    var listening = settings.address
    listening.port = server.port
    self.init(
      seat: seat, ending: ending, server: server,
      watch: Watch {
        connections.watch(until: ending) { log.flush() }
      },
      bell: bell,
      publisher: Watch {
        bell.answer { now in
          desk.update(at: now.utc)
          for audience in hub.audiences where !pages.mayStay(audience, at: now) {
            hub.end(audience: audience)
          }
          hub.publish(at: now)
          // Nobody is called for what captures that are not read yet may have ended.
          if desk.isBehind { bell.ring() } else if desk.isFirst { calls.look(desk, at: now) }
        }
      },
      follower: settings.followed.map { layer in
        let follower = LayerFollower(
          layer, features, every: (usual: settings.followPause, gone: settings.followGone),
          until: ending,
          language: settings.language.always ?? settings.language.otherwise ?? .english, say: say,
          note: { text in
            try? desk.act(
              .note(tracker: nil, text: text), by: layer.address.layer, at: HostTime.now.utc)
          }
        ) {
          desk.show(concern: $0, of: .layer)
          bell.ring()
        }
        return Watch { follower.run() }
      },
      texts: settings.modem.map { path in
        let language = settings.language.always ?? settings.language.otherwise ?? .english
        let modem = TextModem(path, until: ending, language: language, say: say) {
          desk.show(concern: $0, of: .modem)
        }
        return Watch {
          modem.run(TextDesk(desk, settings.textPersons, language: language, say: say)) {
            bell.ring()
          }
        }
      },
      listener: Self.listener(place, until: ending) { words in
        if words?.contains(FeatureServer.letters) ?? true { features.noteLetters() }
        if words?.contains(AccessStore.teamsChanged) ?? true { try? desk.use(accounts) }
        for word in words ?? [] {
          features.hear(word, at: .now)
          access.tries.hear(word, at: HostTime.now.uptime)
        }
        bell.ring()
      },
      broker: settings.broker.map { broker in
        let language = settings.language.always ?? settings.language.otherwise ?? .english
        let door = BrokerDoor(
          broker, place, listening: "\(settings.address)", features, until: ending,
          language: language, say: say
        ) {
          desk.show(concern: $0, of: .broker)
          bell.ring()
        }
        return Watch { door.run() }
      },
      base: "\(service.scheme)://\(listening)")
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(
    seat: CampSeat, ending: Ending, server: consuming HTTPServer,
    watch: consuming Watch, bell: Bell,
    publisher: consuming Watch, follower: consuming Watch?, texts: consuming Watch?,
    listener: consuming Watch?, broker: consuming Watch?, base: String
  ) {
    self.seat = seat
    self.ending = ending
    self.server = server
    self.watch = watch
    self.bell = bell
    self.publisher = publisher
    self.follower = follower
    self.texts = texts
    self.listener = listener
    self.broker = broker
    address = base + "/arcgis/rest/services"
    room = base + "/room"
  }

  /// Hears of what other basecamps write.
  ///
  /// - Parameter body: is told of what; `nil`: it may be anything.
  private static func listener(
    _ place: CampPlace, until ending: Ending, _ body: @escaping @Sendable ([String]?) -> Void
  ) -> Watch? {
    guard case .server(let address) = place else { return nil }
    return Watch {
      let connection = PostgreSQLConnection(address)
      while !ending.isHere {
        do {
          let words = try connection.heard(within: 200)
          guard words?.isEmpty != true else { continue }
          body(words)
          // What comes meanwhile, hundreds in a second, is heard at once.
          ending.wait(Milliseconds(Bounds.hearingMilliseconds))
        } catch { ending.wait(.seconds(1)) }
      }
    }
  }

  private static func eraseOld(_ settings: CampSettings, isAlone: Bool) throws {
    guard let days = settings.keptDays, settings.place.has(.captures) else { return }
    guard isAlone else { return say("--keep-days: another basecamp is at work; nothing is erased") }
    let now = HostTime.now.utc
    let erased = try CampArchive(at: settings.place)
      .erase(before: now + (0 - Milliseconds.hours(24 * days)), at: now)
    guard erased != CampArchive.Erased() else { return }
    say(
      "erased what is older than \(days) days: \(erased.captures) captures, \(erased.entries) "
        + "entries of the diary")
    for path in erased.otherDiaries { say("\(path): is an earlier diary; remove it yourself") }
  }

  /// - Parameter isDoubtful: what a damaged diary, which is put aside later, stands for.
  private static func hadAccounts(
    _ settings: CampSettings, orDamaged isDoubtful: Bool
  ) throws -> Bool {
    do { return try DiaryFile.hadAccounts(at: settings.place) } catch is SQLError {
      return isDoubtful
    }
  }

  private static let say: @Sendable (String) -> Void = { line in
    _ = LogOutlet(StandardStream.error).write(Array("basecamp: \(line)\n".utf8)[...])
  }

  /// A course that is for maps only, or none, leaves the control room without distances and places.
  private static func plan(
    _ settings: CampSettings, _ say: (String) -> Void
  ) throws(ServiceError) -> RacePlan {
    var plan = RacePlan(teams: settings.teams)
    guard let path = settings.course else { return plan }
    let bytes = try readFile(path, atMost: Bounds.courseBytes)
    let course: MappedCourse
    do throws(CourseError) { course = try MappedCourse(bytes) } catch {
      guard settings.timetable == nil else {
        throw ServiceError("\(path): \(error); --plan needs a course with places")
      }
      say("\(path): \(error); the control room goes without a course")
      return plan
    }
    plan.course = course
    plan.timetable = try settings.timetable.map { path throws(ServiceError) in
      let bytes = try readFile(path, atMost: ReportBounds.timetableBytes)
      do {
        return try CoursePlan(try Timetable(bytes), on: course)
      } catch {
        throw ServiceError("\(path): \(error)")
      }
    }
    if let path = settings.coverage {
      let text = String(decoding: try readFile(path, atMost: Bounds.coverageBytes), as: UTF8.self)
      if let problem = plan.use(coverage: text) { say("\(path): \(problem)") }
    }
    return plan
  }

  /// The threads that carry out a request.
  @Sendable private static func lane(
    _ request: ServiceRequest, _ weight: Exchange.Weight
  ) -> Workers.Lane {
    if request.isEdit {
      switch weight {
      case .small: return .edit
      case .backlog: return .backlog
      case .large: return .largeEdit
      }
    }
    if request.isPhone { return .edit }
    if request.isQuery { return .query }
    if request.isLogin { return .login }
    return request.isRoom ? .room : .other
  }

  /// The service never waits; delays are handled here.
  private static func answer(_ request: ServiceRequest, _ features: FeatureServer) -> Outcome {
    let troubles = features.troubles(of: request, at: .now)
    let work: @Sendable () -> ServiceReply = { features.answer(request, troubles, at: .now) }
    return troubles.delay > 0 ? .later(troubles.delay, work) : .reply(work())
  }

  /// How many connections there may be at once.
  private static func connections(
    _ settings: CampSettings, _ say: (String) -> Void
  ) throws(ServiceError) -> Int {
    let wanted = Bounds.connections + (settings.proxies.isEmpty ? 0 : Bounds.proxyConnections)
    let files = raiseFileLimit(to: wanted + Bounds.ownFiles)
    let least = Bounds.connections + Bounds.ownFiles
    guard files >= least else {
      throw ServiceError(
        "this process may have \(files) files open, and needs \(least); raise the limit (ulimit -n)"
      )
    }
    let limit = min(wanted, files - Bounds.ownFiles)
    if limit < wanted {
      say("there can be \(limit) connections at once, not \(wanted); raise the limit (ulimit -n)")
    }
    return limit
  }

  // The server is deinitialised next, and after its last answer the database. The others end by
  // themselves.
  deinit {
    ending.come()
    bell.end()
  }
}

/// Logs each capture on standard error, one line each. More than some a second are only counted,
/// and a reader that is too slow is not waited for: then lines are lost, never captures.
final class CaptureLog: Sendable {
  private struct State: ~Copyable {
    let outlet: LogOutlet
    /// Lines that may be written now.
    var credit = Bounds.logLinesAtOnce
    var refilled: Milliseconds
    /// Captures without a line of their own since the last count.
    var uncounted = 0
  }

  private let state: Mutex<State>

  init(descriptor: Int32 = StandardStream.error, at now: Milliseconds = HostTime.now.uptime) {
    state = Mutex(State(outlet: LogOutlet(descriptor), refilled: now))
  }

  func write(_ captures: [TakenCapture], at now: Milliseconds = HostTime.now.uptime) {
    state.withLock { state in
      Self.refill(&state, now)
      for capture in captures {
        guard state.credit > 0, Self.put(Self.line(capture), state.outlet) else {
          state.uncounted += 1
          continue
        }
        state.credit -= 1
      }
    }
  }

  func write(refused: [RefusedCapture], at now: Milliseconds = HostTime.now.uptime) {
    state.withLock { state in
      Self.refill(&state, now)
      for one in refused where state.credit > 0 {
        let line =
          "capture refused\(Self.names(one.capture)) reason=\(quotedForLog(one.reason))"
        if Self.put(line, state.outlet) { state.credit -= 1 }
      }
    }
  }

  /// Says how many captures had no line, as soon as there is room for one.
  func flush(at now: Milliseconds = HostTime.now.uptime) {
    state.withLock { state in
      Self.refill(&state, now)
      guard state.uncounted > 0, state.credit > 0,
        Self.put("more captures stored count=\(state.uncounted)", state.outlet)
      else { return }
      state.credit -= 1
      state.uncounted = 0
    }
  }

  private static func refill(_ state: inout State, _ now: Milliseconds) {
    let seconds = (now - state.refilled).count / 1000
    guard seconds > 0 else { return }
    state.credit = min(
      Bounds.logLinesAtOnce, state.credit + Int(min(seconds, 3600)) * Bounds.logLinesPerSecond)
    state.refilled = state.refilled + .seconds(seconds)
  }

  /// A line is written whole, or cut where the reader's room ends.
  private static func put(_ line: String, _ outlet: borrowing LogOutlet) -> Bool {
    outlet.write(Array("\(line)\n".utf8)[...]) > 0
  }

  /// `2026-04-18T09:30:00.250Z`
  private static func text(_ moment: Int64) -> String {
    guard let time = CivilTime(UTC(milliseconds: moment)) else { return String(moment) }
    var bytes: [UInt8] = []
    time.forEachByte { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func line(_ capture: TakenCapture) -> String {
    "capture stored object=\(capture.objectID)\(names(capture))"
  }

  private static func names(_ capture: TakenCapture) -> String {
    var line = ""
    if let device = capture.device { line += " device=\(quotedForLog(device))" }
    if let team = capture.team { line += " team=\(quotedForLog(team))" }
    if let moment = capture.moment { line += " taken=\(Self.text(moment))" }
    return line
  }
}
