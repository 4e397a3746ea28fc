import BoardSupport
import CaptureStore
import CommandLineSupport
import FieldConsole
import NMEA
import Notes
import Reports
import Simulation
import TrackerCore
import Wording

/// All that is known of a simulated tracker at one moment.
struct SimulatedMoment {
  var facts = TrackerFacts()
  var board = StatusBoard()
  var at = Instant.start
  /// By the board's clock.
  var date = UTC(milliseconds: 0)
  var isOver = false
  var hasPIN = false
}

/// A simulated tracker, as a console sees it.
struct SimulatedBackend: ConsoleBackend {
  /// What a person wants of the simulated world; the host carries it out.
  enum Order {
    case event(Event)
    case settings(NewSettings)
    /// Captures are in the queue again.
    case recount
  }

  private static let who = "console"

  var moment = SimulatedMoment()
  private(set) var settings: SettingsInForce
  private(set) var orders: [Order] = []
  /// The world's; after a restart it may be another one.
  var store: CaptureStore
  private let team: InlineText<64>
  private let configuration: Configuration

  /// - Parameter file: of the run.
  init(_ file: SettingsFile, _ store: CaptureStore) {
    settings = SettingsInForce(file)
    self.store = store
    team = file.plain.core.team
    configuration = file.plain.core.configuration
  }

  mutating func takeOrders() -> [Order] {
    defer { orders = [] }
    return orders
  }

  mutating func facts() -> TrackerFacts {
    var facts = moment.facts
    facts.identity.language = settings.reading.language
    facts.take(settings) { moment.board.age(of: $0, at: moment.at) }
    return facts
  }

  mutating func stores() throws(ConsoleError) -> [CaptureStore] { [store] }

  /// There is no log but the events.
  mutating func log(newest: Int) throws(ConsoleError) -> [String] {
    moment.board.events.lines(newest: newest, at: moment.at).split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      let age = words.first.flatMap { Int64($0) } ?? 0
      return TextReport.clock(max(0, moment.at.milliseconds - age)) + " " + (words.last ?? "")
    }
  }

  mutating func ask(_ line: String) throws(ConsoleError) -> String {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first ?? "" {
    case "events":
      let count = try LineCount.of(rest.isEmpty ? nil : rest, for: "events")
      return moment.board.events.lines(newest: count, at: moment.at)
    case "why": return moment.board.events.shares(at: moment.at)
    case "get": return request.all
    case let word:
      guard !moment.isOver else { throw ConsoleError(ProblemPhrase.runIsOver.texts) }
      return try obey(word, rest)
    }
  }

  private mutating func obey(_ word: String, _ rest: String) throws(ConsoleError) -> String {
    switch word {
    case "start": give(.start)
    case "stop": give(.stop)
    case "send": give(.sendNow)
    case "try": give(.test(overFloor: rest == "now"))
    case "capture": give(.captureNow)
    case "pin":
      guard moment.hasPIN else {
        throw ConsoleError(ProblemPhrase.noPIN.texts)
      }
      give(.tryPIN)
    case "emergency": give(rest == "over" ? .withdrawEmergency : .raiseEmergency)
    case "note":
      guard let order = NoteOrder(line: rest) else {
        throw ConsoleError(ProblemPhrase.unknownHere.texts(word))
      }
      do {
        return try store.write(order, by: Self.who, at: moment.board.date(at: moment.at))
      } catch { throw ConsoleError(Texts(of: error)) }
    case "retry": return try retry(rest)
    case "set": return carryOut(try request.set(rest, by: Self.who))
    case "undo": return carryOut(try request.undo(rest.isEmpty ? nil : rest))
    default: throw ConsoleError(ProblemPhrase.unknownHere.texts(word))
    }
    return ""
  }

  private mutating func give(_ command: Command) {
    orders.append(.event(.commandGiven(command, from: .console)))
  }

  private mutating func retry(_ what: String) throws(ConsoleError) -> String {
    guard let selection = CaptureSelection(what) else {
      throw ConsoleError(CaptureSelection.wanted)
    }
    do throws(StoreError) {
      let count = try store.requeue(selection, at: moment.date)
      orders.append(.recount)
      return "\(count)"
    } catch {
      throw ConsoleError(error)
    }
  }

  // MARK: Settings

  private var request: SettingsRequest {
    let moment = moment
    return SettingsRequest(
      settings, memory: moment.board.memory, team: String(team),
      at: Moment(at: moment.at, utc: moment.board.date(at: moment.at)), date: moment.date,
      age: { moment.board.age(of: $0, at: moment.at) })
  }

  private mutating func carryOut(_ outcome: SettingsRequest.Outcome) -> String {
    switch outcome {
    case .change(let new, _, let lines):
      settings = new
      announce()
      return lines
    case .command(let command, let new, let lines):
      settings = new
      give(command)
      return lines
    }
  }

  private mutating func announce() { orders.append(.settings(newSettings)) }

  private var newSettings: NewSettings {
    NewSettings(
      settings.reading.core.configuration.keepingFixed(of: configuration), team: team)
  }

  /// A session has begun.
  ///
  /// - Returns: the settings, if that changes them.
  mutating func begin(session: UInt32) -> NewSettings? {
    settings.begin(session: session) ? newSettings : nil
  }
}

/// A world that stops for the questions of a console.
struct ConsoleHost: Host, ~Copyable {
  var base: Observed<World, RunRecord>
  let door: SimulatedConsole

  init(_ base: consuming Observed<World, RunRecord>, _ door: SimulatedConsole) {
    self.base = base
    self.door = door
    self.base.base.pausesAt = .start
    var status = StatusBoard()
    status.course = self.base.base.course
    self.base.observer.status = status
  }

  // MARK: Host

  var now: Instant { base.now }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    base.wait(until: deadline, filling: &buffer)
  }

  var coursePointCount: Int32 { base.coursePointCount }
  func coursePoint(_ index: Int32) -> CoursePoint { base.coursePoint(index) }
  var coursePlaceCount: Int32 { base.coursePlaceCount }
  func coursePlace(_ index: Int32) -> CoursePlace { base.coursePlace(index) }
  var courseErrorMetres: Int32 { base.courseErrorMetres }
  var courseLimits: CourseLimits { base.courseLimits }
  var courseCoverage: CourseCoverage { base.courseCoverage }

  mutating func push(_ effect: Effect) {
    base.push(effect)
  }

  mutating func remember(_ memory: Memory) {
    base.remember(memory)
    guard let session = memory.session else { return }
    if let new = door.console.backend.begin(session: session.number) {
      base.base.give(new, at: now)
    }
  }

  mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {
    base.heard(kind, talker, fields)
  }
  mutating func heard(_ report: Epoch) { base.heard(report) }
  mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {
    base.heard(counts, isReportOpen: isReportOpen)
  }

  var newSettings: NewSettings? { base.newSettings }
  mutating func restart(_ tracker: inout Tracker) { base.restart(&tracker) }

  /// Between two events: one line is answered. What it asks for happens before the next one.
  mutating func inspect(_ tracker: borrowing Tracker) {
    turn(tracker, at: base.base.pausesAt, isOver: false)
  }

  /// After the run, until nobody asks any more.
  mutating func answerRest(_ tracker: borrowing Tracker) {
    while !door.isLeft { turn(tracker, at: base.now, isOver: true) }
  }

  private mutating func turn(_ tracker: borrowing Tracker, at moment: Instant, isOver: Bool) {
    look(tracker, at: moment, isOver: isOver)
    let next = door.turn()
    for order in door.console.backend.takeOrders() {
      switch order {
      case .event(let event): base.base.give(event, at: moment)
      case .settings(let new): base.base.give(new, at: moment)
      case .recount: base.base.give(.queueChanged(base.base.queue), at: moment)
      }
    }
    switch next {
    case .again: break
    case .pause(let instant): base.base.pausesAt = instant
    case .leave: base.base.breaksOffAt = .start
    }
  }

  /// Passes all that is known to the console.
  private mutating func look(_ tracker: borrowing Tracker, at moment: Instant, isOver: Bool) {
    let board = lookedAtBoard
    var facts = TrackerFacts(tracker, board, at: moment)
    let store = base.base.store
    facts.identity.version = version
    facts.identity.device = store.device.lowercaseText
    facts.identity.number = String(facts.identity.device.prefix(CaptureName.shownDigits))
    facts.take(
      StoreFacts(store, date: base.base.boardDate + (moment - base.now)),
      oldest: (try? store.oldestWaiting()) ?? nil)
    let queue = base.base.queue
    facts.queue.held = Int64(queue.held)
    facts.queue.heldFor = queue.held > 0 ? queue.heldFor : nil
    facts.store.displaced = Int64(base.base.serverNews.displaced)
    facts.sending.pathLimit = base.base.pathLimit.map { Int64($0) }
    facts.store.problem = base.base.storeProblem?.texts
    facts.receiver.port = .connected
    if facts.modem.isPresent { facts.modem.port = .connected }
    facts.battery.state = batteryState(board)
    if let reading = board.reading {
      let percent = tracker.board.battery.percent(atMillivolts: reading.millivolts)
      facts.battery.percent = Int64(percent)
    }
    door.console.backend.store = store
    door.look(
      SimulatedMoment(
        facts: facts, board: board, at: moment, date: base.base.boardDate, isOver: isOver,
        hasPIN: base.base.hasPIN))
  }

  private func batteryState(_ board: StatusBoard) -> TrackerFacts.Battery.State {
    if board.reading != nil { return .measured }
    switch base.base.sensor {
    case .iio, .hwmon, .powerSupply, .adc: return .notYet
    case .modem: return .modemNotYet
    case nil: return .noSensor
    }
  }

  private var lookedAtBoard: StatusBoard {
    var board = base.observer.status ?? StatusBoard()
    let news = base.base.serverNews
    if let problem = news.problem, let at = news.problemAt {
      board.learned(StatusBoard.Trouble(text: problem, cause: news.cause, at: at))
    }
    return board
  }
}
