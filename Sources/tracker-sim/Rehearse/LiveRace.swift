import CommandLineSupport
import Courses
import HTTPTransfer
import Simulation
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// Where `rehearse --server` sends its race, and how fast.
struct LiveOptions: Sendable {
  let layer: ArcGISConfiguration
  /// Of the race to that of this machine.
  let speed: Int64
  /// How long the race has been going on already.
  let into: Milliseconds
  /// For the course and the teams, as that server needs them.
  let files: String?
  /// What it is not for: the control room is the server's.
  static let others = [
    "--races", "--plan", "--coverage", "--coverage-out", "--flaws", "--json", "--expect", "--part",
  ]

  init(_ arguments: Arguments) throws {
    let password = try arguments.text(.serverPasswordFile).map { path throws(UsageError) in
      try Self.password(inFile: path)
    }
    do throws(AddressError) {
      var layer = ArcGISConfiguration(
        address: try LayerAddress(Self.layer(arguments.text(.server) ?? "")))
      if let name = arguments.text(.serverUser), let password {
        layer.credentials = .user(name: name, password: password, tokenURL: nil)
      }
      try layer.validate()
      self.layer = layer
    } catch {
      throw UsageError("--server: \(error)")
    }
    speed = arguments.number(.speed) ?? 1
    into = .hours(arguments.number(.into) ?? 0)
    files = arguments.text(.files)
  }

  private static func password(inFile path: String) throws(UsageError) -> Secret {
    let bytes = (try? readSecret(path, atMost: 4096)) ?? []
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
    guard let line else { throw UsageError(LivePhrase.noPassword.texts(path)) }
    return Secret(String(line))
  }

  /// The layer that basecamp has, unless the address names one.
  private static func layer(_ address: String) -> String {
    var base = address
    while base.hasSuffix("/") { base.removeLast() }
    let services = "/arcgis/rest/services"
    if base.hasSuffix("/room") { base.removeLast("/room".count) }
    if base.hasSuffix(services) { base.removeLast(services.count) }
    // Scheme and host only.
    guard ServerName.isWeb(base), base.split(separator: "/").count == 2 else { return address }
    return base + services + "/TrailWalker/FeatureServer/0"
  }
}

/// A made-up race that a real server hears, so that people can train with the real page.
struct LiveRace {
  /// Between two looks at what is due.
  private static let look: Int64 = 100
  /// For a connection, and for a whole request: then it counts as lost, and is sent again.
  private static let connecting = Milliseconds.seconds(5)
  private static let answering = Milliseconds.seconds(20)

  private var trackers: [LiveTracker]
  private let sender: RequestSender
  private let language: Language
  private let server: String
  private var sent = 0
  private var refused = 0
  /// Whether people have been told that the server does not take anything.
  private var isDown = false

  /// Sends a race until it is over or somebody ends it.
  ///
  /// - Returns: the exit code.
  /// - Throws: if the server cannot take captures at all.
  static func run(
    _ race: RehearsedRace, on course: MappedCourse, _ live: LiveOptions,
    _ options: RehearseOptions
  ) throws -> Int32 {
    let clock = RaceClock(
      race: race.begin + RaceClock.beforeStart + live.into, here: .now, speed: live.speed)
    if let folder = live.files {
      try TrainingFiles(race, on: course, clock).write(to: folder)
    }
    // After files are written, which takes the signals.
    let signals = HeldSignals([.interrupt, .terminate])
    var live = try LiveRace(race, clock, live, .chosen(options.language))
    try live.send(while: { !signals.isPending })
    if signals.isPending { _ = signals.wait() }
    let counts = ["\(live.sent)", "\(race.teams.count)", "\(live.refused)"]
    try printOut(LivePhrase.sent.text(in: live.language, filling: counts) + "\n")
    return 0
  }

  private init(
    _ race: RehearsedRace, _ clock: RaceClock, _ live: LiveOptions, _ language: Language
  ) throws {
    trackers = try race.teams.map { team throws in
      try LiveTracker(team, clock, live.layer)
    }
    var network = HTTPClientConfiguration()
    network.connectTimeout = Self.connecting
    network.totalTimeout = Self.answering
    sender = try RequestSender(network)
    server = ServerName.shown(live.layer.address.layer)
    self.language = language
    try printOut(
      LivePhrase.begins.text(
        in: language, "\(race.teams.count)", server,
        CalendarText.text(clock.date(race.end))) + "\n")
  }

  private mutating func send(while isWanted: () -> Bool) throws {
    while isWanted(), trackers.contains(where: { !$0.isOver }) {
      for index in trackers.indices {
        let now = UTC.now
        guard isWanted(), let task = trackers[index].task(at: now) else { continue }
        let (result, failure) = perform(task, of: index)
        let news = trackers[index].take(result, at: .now)
        sent += news.sent
        refused += news.refused
        try tell(news, result.problem, failure)
      }
      pause(milliseconds: Self.look)
    }
  }

  private mutating func perform(
    _ task: UplinkTask, of index: Int
  ) -> (UplinkResult, HTTPError?) {
    var step = trackers[index].dialogue.begin(task, at: .now)
    var failure: HTTPError?
    while true {
      switch step {
      case .send(let request):
        let answer = sender.perform(request)
        failure = answer.failure
        step = trackers[index].dialogue.receive(answer.reply, at: .now)
      case .done(let result): return (result, failure)
      }
    }
  }

  /// Says once that nothing gets through, and once that it does again.
  private mutating func tell(
    _ news: LiveTracker.News, _ problem: Texts?, _ failure: HTTPError?
  ) throws {
    let reason = failure.map { Texts(of: $0) } ?? problem
    if news.isHopeless, sent == 0 {
      throw UsageError(LivePhrase.unsuitable.texts(server, reason?[.english] ?? ""))
    }
    guard isDown == news.isThrough else { return }
    isDown = !news.isThrough
    let phrase = isDown ? LivePhrase.down : .back
    complain(phrase.text(in: language, server, reason?[language] ?? "-"))
  }
}

/// How the time of a made-up race becomes that of this machine.
struct RaceClock: Sendable {
  /// From the begin of a race to the first start.
  static let beforeStart = Milliseconds.minutes(30)

  /// The moment of the race that is this machine's `here`.
  let race: UTC
  let here: UTC
  let speed: Int64

  func date(_ utc: UTC) -> UTC { here + Milliseconds((utc - race).count / speed) }
}

/// One team's tracker as the server hears it: at the times of its contacts, or, when the server was
/// down or the race is under way already, with all that is waiting and the promise of the last one.
struct LiveTracker {
  /// What one task has come to.
  struct News: Equatable {
    var sent = 0
    var refused = 0
    var isThrough = true
    /// Whether the server will never take anything.
    var isHopeless = false
  }

  private struct Waiting {
    var due: UTC
    var capture: OutgoingCapture
    var promise: UTC?
    var silence = PlannedSilence.none
  }

  /// As many as trackers send at a time.
  private static let batch = 100
  /// After a failure, and after several: trackers wait longer.
  private static let waits: [Milliseconds] = [.seconds(2), .seconds(5), .seconds(15), .seconds(30)]

  var dialogue: AnyDialogue
  /// By the time at which they are sent.
  private var waiting: [Waiting]
  private var failures = 0
  private var again = UTC(milliseconds: 0)

  var isOver: Bool { waiting.isEmpty }

  init(_ team: RehearsedTeam, _ clock: RaceClock, _ layer: ArcGISConfiguration) throws {
    var configuration = layer
    configuration.deviceCode = team.deliveries.first?.tracker ?? team.number
    dialogue = AnyDialogue(try ArcGISDialogue(configuration))
    // Who gives up rings for help, once.
    let help = team.truth.gaveUp.flatMap { gaveUp in
      team.deliveries.first { $0.taken.map { $0 >= gaveUp } ?? false }?.id
    }
    let order = team.deliveries.sorted {
      ($0.taken?.milliseconds ?? 0, $0.id.low) < ($1.taken?.milliseconds ?? 0, $1.id.low)
    }
    let numbers = [UniqueID: Int](
      order.enumerated().map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    waiting = team.deliveries.enumerated().map { index, delivery in
      var capture = Capture(
        sequence: UInt32(numbers[delivery.id] ?? 0), utc: delivery.taken.map(clock.date),
        isTimeTrusted: delivery.taken != nil, position: delivery.position,
        team: InlineText(Array(delivery.team.utf8).span), trigger: delivery.trigger ?? .interval)
      capture.batteryPercent = delivery.batteryPercent.map { UInt8(min(max(0, $0.rounded()), 100)) }
      // The same race may be sent to the same server once more.
      let id = UniqueID(
        high: delivery.id.high ^ UInt64(clock.here.milliseconds) << 24, low: delivery.id.low)
      var outgoing = OutgoingCapture(
        capture, key: CaptureKey(UInt32(index + 1)), device: id, id: id)
      outgoing.asksForHelp = delivery.id == help
      return Waiting(
        due: clock.date(delivery.at), capture: outgoing, promise: delivery.promise.map(clock.date),
        silence: Self.silence(delivery.silence))
    }
  }

  private static func silence(_ name: String?) -> PlannedSilence {
    [.reserve, .finished, .stoppedByPerson].first { $0.name.map { "\($0)" } == name } ?? .none
  }

  /// What it sends now; `nil`: nothing.
  func task(at now: UTC) -> UplinkTask? {
    guard now >= again else { return nil }
    let due = waiting.prefix { $0.due <= now }
    guard let last = due.last else { return nil }
    // No tracker that is heard now promises what is past: it promises the same time anew.
    let promise = last.promise.map { $0 > now ? $0 : now + ($0 - last.due) }
    return .upload(
      due.prefix(Self.batch).map(\.capture), nextContactBy: promise, silence: last.silence)
  }

  mutating func take(_ result: UplinkResult, at now: UTC) -> News {
    var news = News()
    let refused = Set(result.refused.map(\.key) + result.displaced)
    let gone = Set(result.acknowledged).union(refused)
    news.sent = result.acknowledged.count
    news.refused = refused.count
    waiting.removeAll { gone.contains($0.capture.key) }
    let doubtful = Set(result.doubtful)
    for index in waiting.indices where doubtful.contains(waiting[index].capture.key) {
      waiting[index].capture.wasSent = true
    }
    news.isThrough = !gone.isEmpty
    switch result.outcome {
    case .upload(.refused), .upload(.unauthorised): news.isHopeless = gone.isEmpty
    case .upload, .ready, .notReady, .reconcile, .mail, .notes, .history: break
    }
    failures = news.isThrough ? 0 : failures + 1
    if failures > 0 { again = now + Self.waits[min(failures, Self.waits.count) - 1] }
    return news
  }
}

extension UTC {
  /// By this machine's clock.
  static var now: UTC { UTC(milliseconds: KernelTimer.date.milliseconds) }
}

extension Option {
  static let server = Option("--server", .like("http://127.0.0.1:8080", "URL")).says(
    ca: "envia la marxa a aquest basecamp, per a assajos amb la pàgina de debò",
    es: "envía la marcha a este basecamp, para ensayos con la página de verdad",
    en: "send the race to this basecamp, for training with the real page",
    fr: "envoie la marche à ce basecamp, pour s'exercer avec la vraie page")
  static let serverUser = Option(
    "--user", .name, needs: ["--server", "--password-file"]
  ).says(
    ca: "l'usuari que hi desa les captures", es: "el usuario que guarda allí las capturas",
    en: "the user who stores the captures there", fr: "l'utilisateur qui y met les captures")
  static let serverPasswordFile = Option("--password-file", .file, needs: ["--user"]).says(
    ca: "la seva contrasenya, a la primera línia d'un fitxer de mode 0600",
    es: "su contraseña, en la primera línea de un fichero de modo 0600",
    en: "that user's password, in the first line of a file of mode 0600",
    fr: "son mot de passe, sur la première ligne d'un fichier de mode 0600")
  static let speed = Option(
    "--speed", .number(1...10_000), usual: "1", needs: ["--server"]
  ).says(
    ca: "quantes vegades més de pressa passa tot; els terminis de la sala no s'escurcen",
    es: "cuántas veces más deprisa pasa todo; los plazos de la sala no se acortan",
    en: "how many times faster all happens; the room's own delays do not shrink",
    fr: "combien de fois plus vite tout se passe ; les délais de la salle ne raccourcissent pas")
  static let into = Option("--into", .number(0...40, "HOURS"), usual: "0", needs: ["--server"])
    .says(
      ca: "quantes hores fa que ha sortit", es: "cuántas horas hace que ha salido",
      en: "how many hours ago it started", fr: "depuis combien d'heures elle est partie")
  static let files = Option("--files", .folder, needs: ["--server"]).says(
    ca: "hi escriu course.geojson, amb l'hora de tancament dels llocs, i teams.csv per al basecamp",
    es: "escribe en ella course.geojson, con la hora de cierre de los lugares, y teams.csv para el "
      + "basecamp",
    en: "write course.geojson, with the hours at which places close, and teams.csv for basecamp "
      + "there",
    fr: "y écrit course.geojson, avec l'heure de fermeture des lieux, et teams.csv pour basecamp")
}

/// What `rehearse --server` says.
enum LivePhrase: Catalogue {
  case begins, sent, down, back, unsuitable, noPassword

  var texts: Texts {
    switch self {
    case .begins:
      Texts(
        ca: "{1} equips cap a {2}/room fins al {3} UTC; Ctrl-C ho atura",
        es: "{1} equipos hacia {2}/room hasta el {3} UTC; Ctrl-C lo para",
        en: "{1} teams to {2}/room until {3} UTC; Ctrl-C ends it",
        fr: "{1} équipes vers {2}/room jusqu'à {3} UTC ; Ctrl-C l'arrête")
    case .sent:
      Texts(
        ca: "{1} captures de {2} equips enviades, {3} de refusades",
        es: "{1} capturas de {2} equipos enviadas, {3} rechazadas",
        en: "{1} captures of {2} teams sent, {3} refused",
        fr: "{1} captures de {2} équipes envoyées, {3} refusées")
    case .down:
      Texts(
        ca: "{1} no rep res: {2}; ho torno a provar",
        es: "{1} no recibe nada: {2}; vuelvo a probar",
        en: "{1} takes nothing: {2}; trying again", fr: "{1} ne prend rien : {2} ; nouvel essai")
    case .back:
      Texts(
        ca: "{1} torna a rebre", es: "{1} vuelve a recibir", en: "{1} takes captures again",
        fr: "{1} reçoit de nouveau")
    case .unsuitable:
      Texts(
        ca: "--server {1}: {2}; doneu l'adreça d'un basecamp, i --user si el demana",
        es: "--server {1}: {2}; dé la dirección de un basecamp, y --user si lo pide",
        en: "--server {1}: {2}; give the address of a basecamp, and --user if it wants one",
        fr: "--server {1} : {2} ; donnez l'adresse d'un basecamp, et --user s'il le demande")
    case .noPassword:
      Texts(
        ca:
          "--password-file {1}: no té cap contrasenya que es pugui llegir; doneu un fitxer vostre "
          + "de mode 0600 que la tingui a la primera línia",
        es: "--password-file {1}: no tiene una contraseña que se pueda leer; dé un fichero suyo de "
          + "modo 0600 que la tenga en la primera línea",
        en: "--password-file {1}: has no password that can be read; give a file of your own, of "
          + "mode 0600, with it in the first line",
        fr: "--password-file {1} : n'a pas de mot de passe lisible ; donnez un fichier à vous, de "
          + "mode 0600, qui l'a sur la première ligne")
    }
  }
}
