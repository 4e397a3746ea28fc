import BoardSupport
import CaptureStore
import FieldConsole
import Reports
import TrackerCore

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
    /// Captures are in the queue again.
    case recount
  }

  var moment = SimulatedMoment()
  private(set) var settings: SimulatedSettings
  private(set) var orders: [Order] = []
  private let store: CaptureStore
  private let team: InlineText<64>
  private let configuration: Configuration

  /// - Parameter file: of the run.
  init(_ file: SettingsFile, _ store: CaptureStore) {
    settings = SimulatedSettings(file)
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
    facts.language = settings.reading.language?.code
    facts.settingOrders = settings.orders(at: moment.at)
    return facts
  }

  mutating func stores() throws(ConsoleProblem) -> [CaptureStore] { [store] }

  /// There is no log but the events.
  mutating func log(newest: Int) throws(ConsoleProblem) -> [String] {
    moment.board.events.lines(newest: newest, at: moment.at).split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 1)
      let age = words.first.flatMap { Int64($0) } ?? 0
      return TextReport.clock(max(0, moment.at.milliseconds - age)) + " " + (words.last ?? "")
    }
  }

  mutating func ask(_ line: String) throws(ConsoleProblem) -> String {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first ?? "" {
    case "events": return moment.board.events.lines(newest: Int(rest) ?? .max, at: moment.at)
    case "why": return moment.board.events.shares(at: moment.at)
    case "get": return settings.lines(at: moment.at) + teamLine
    case let word:
      guard !moment.isOver else { throw ConsoleProblem("the run is over; start tracker-sim again") }
      return try obey(word, rest)
    }
  }

  private mutating func obey(_ word: String, _ rest: String) throws(ConsoleProblem) -> String {
    switch word {
    case "start": give(.start)
    case "stop": give(.stop)
    case "send": give(.sendNow)
    case "capture": give(.captureNow)
    case "pin":
      guard moment.hasPIN else {
        throw ConsoleProblem("no PIN is configured; add it to the scenario, as sim.secret")
      }
      give(.tryPIN)
    case "team": return try setTeam(rest)
    case "retry": return try retry(rest)
    case "set": return try set(rest)
    case "undo": return try undo(rest)
    default: throw ConsoleProblem("a simulated tracker does not know \(word); type help")
    }
    return ""
  }

  private mutating func give(_ command: Command) {
    orders.append(.event(.commandGiven(command, from: .console)))
  }

  private mutating func retry(_ what: String) throws(ConsoleProblem) -> String {
    guard let selection = CaptureSelection(what) else {
      throw ConsoleProblem(CaptureSelection.wanted)
    }
    do throws(StoreError) {
      let count = try store.requeue(selection, at: moment.date)
      orders.append(.recount)
      return "\(count)"
    } catch {
      throw ConsoleProblem("\(error)")
    }
  }

  // MARK: Settings

  private var teamLine: String {
    "setting team \(moment.facts.team.isEmpty ? "-" : moment.facts.team)\n"
  }

  private mutating func setTeam(_ name: String) throws(ConsoleProblem) -> String {
    guard (1...64).contains(name.utf8.count),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw ConsoleProblem("a team's name has 1 to 64 bytes and no control characters")
    }
    give(.setTeam(InlineText(Array(name.utf8).span)))
    let before = moment.facts.team
    return "key team\nvalue \(name)\n" + (before.isEmpty ? "" : "before \(before)\n")
  }

  /// - Parameter order: `interval 5 min`
  private mutating func set(_ order: String) throws(ConsoleProblem) -> String {
    let words = order.split(separator: " ", maxSplits: 1).map(String.init)
    if words.first == "team" { return try setTeam(words.dropFirst().first ?? "") }
    let key = try key(words.first ?? "")
    do throws(FileError) {
      let session = moment.board.memory.session?.number ?? 0
      let lines = try settings.set(
        key, words.count > 1 ? words[1] : "", at: moment.at, date: moment.date,
        session: moment.board.isSessionRunning ? session : session &+ 1)
      announce()
      return lines
    } catch {
      throw ConsoleProblem("\(error)")
    }
  }

  private mutating func undo(_ word: String) throws(ConsoleProblem) -> String {
    let team = moment.board.memory.teamOrder
    let last = settings.lastOrder
    let isTeamLast =
      team.map { team in
        last.map { order in team.given.at.map { $0 > order.given } ?? false } ?? true
      } ?? false
    guard !word.isEmpty || isTeamLast || last != nil else {
      throw ConsoleProblem("nothing is ordered that could be undone")
    }
    if word == "team" || word.isEmpty && isTeamLast {
      let name = String(self.team)
      give(.unsetTeam)
      return "key team\nvalue \(name.isEmpty ? "-" : name)\n"
    }
    let wanted = word.isEmpty ? last?.key.rawValue ?? "" : word
    let key = try key(wanted)
    let lines: String?
    do throws(FileError) { lines = try settings.undo(key, at: moment.at) } catch {
      throw ConsoleProblem("\(error)")
    }
    guard let lines else {
      throw ConsoleProblem("no order about the \(key) is in force; see get")
    }
    announce()
    return lines
  }

  private func key(_ word: String) throws(ConsoleProblem) -> SettingKey {
    if let key = SettingKey(rawValue: word) { return key }
    let keys = SettingKey.allCases.map(\.rawValue) + ["team"]
    throw ConsoleProblem("unknown setting; there are \(keys.joined(separator: ", "))")
  }

  private mutating func announce() { orders.append(.event(settingsChanged)) }

  private var settingsChanged: Event {
    .configurationChanged(
      settings.reading.core.configuration.keepingFixed(of: configuration), team: team)
  }

  /// A session has begun.
  ///
  /// - Returns: the event, if that changes the settings.
  mutating func begin(session: UInt32) -> Event? {
    settings.begin(session: session) ? settingsChanged : nil
  }
}
