import BoardSupport
import CommandLineSupport
import Simulation
import TrackerCore
import Wording

/// `tracker-sim plan`: how long the battery lasts, before the race.
final class Plan {
  let options: PlanOptions
  let description: BoardDescription
  /// A search may replace it.
  private(set) var pack: Pack
  /// The settings besides the intervals.
  let settings: Configuration
  /// Of the text and the page.
  let language: Language
  private let scenario: Scenario
  private var traces: [Int64: PreparedTrace] = [:]
  /// By the terms of their row, then by the number of the race.
  private var played: [String: [Int: PlanRace]] = [:]

  /// Lifetimes are counted up to so many times the hours.
  static let boundFactor: Int64 = 4

  /// - Parameter played: races that need not be played again.
  /// - Throws: for a board, pack, voltage, coverage or configuration that cannot be used.
  init(_ options: PlanOptions, played: [PlayedPlanRace] = []) throws {
    self.options = options
    for one in played { self.played[one.row, default: [:]][one.number] = one.race }
    description = try BoardDescription.load(named: options.board)
    do {
      pack =
        try options.pack.map { [description] in try Pack($0, on: description) }
        ?? Pack(of: description)
    } catch let error as PackError {
      throw UsageError("--pack \(error)")
    }
    if let measured = options.measuredMillivolts { try Self.check(measured, pack) }
    var file = ConfigurationFile()
    if let path = options.config { file = try ConfigurationFile.load(path: path) }
    file.adoptDefaults(of: description)
    if let path = options.config { try file.check(on: description, path: path) }
    settings = file.configuration
    language = .chosen(options.language, configured: file.language)
    if let path = options.config {
      complain(of: file, on: description, path: path, in: language)
    }
    scenario = try Self.coverage(options.coverage)
  }

  private static func check(_ measured: Int32, _ pack: Pack) throws {
    let cells = pack.battery.cellsInSeries
    let empty = cells * pack.battery.cellMillivolts[0]
    let full = cells * pack.battery.cellMillivolts[Battery.curvePoints - 1]
    // Fresh from the charger, and with a poor meter, it may have a little more.
    guard measured > empty, measured <= full / 20 * 21 else {
      func volts(_ value: Int32) -> String { PlanText.number(Double(value) / 1000, 2) + " V" }
      throw UsageError(
        "--measured \(volts(measured)): this pack (\(pack.text)) has \(volts(empty)) when empty "
          + "and \(volts(full)) when full; measure the whole pack at rest, or give its --pack")
    }
  }

  private static func coverage(_ name: String) throws -> Scenario {
    if name == "good" { return Scenario() }
    if name.contains("/") || name.hasSuffix(".json5") {
      let scenario = try Scenario.load(path: name)
      guard scenario.restarts.isEmpty, scenario.reloads.isEmpty, scenario.clock.isEmpty else {
        throw UsageError(
          "--coverage '\(name)': has restarts, reloads or clock steps, which no plan plays; "
            + "remove them")
      }
      return scenario
    }
    let folder = "traces/scenarios"
    guard let path = PackageFolder.file(named: name, in: folder) else {
      let names = (["good"] + PackageFolder.names(in: folder)).joined(separator: ", ")
      throw UsageError("--coverage '\(name)': give a scenario file, or one of \(names)")
    }
    return try Scenario.load(path: path)
  }

  /// How far the board's and the pack's figures may be off.
  var doubts: [Doubt] { description.doubts.filter { !$0.isOfBattery } + pack.doubts }

  var finish: Instant { .start + options.hours }
  var bound: Milliseconds { Milliseconds(options.hours.count * Self.boundFactor) }

  /// Whether the receiver is asleep between captures.
  func isDutyCycled(_ receiver: ReceiverUse) -> Bool {
    receiver == .dutyCycle && description.board.receiver.canSleep
  }

  /// With a call for help until the finish, which nobody answers.
  private var withEmergency: Scenario {
    guard options.emergency > 0 else { return scenario }
    var scenario = scenario
    let end = finish - .start
    scenario.commands += [
      TimedCommand(at: max(0, end - options.emergency), command: .raiseEmergency),
      TimedCommand(at: end, command: .withdrawEmergency),
    ]
    return scenario
  }

  /// Runs all races for one interval, or those of the part.
  ///
  /// - Parameters:
  ///   - pack: `nil`: the plan's.
  ///   - receiver: `nil`: as configured.
  ///   - isShort: break the races off at the finish; lifetimes are no longer than that then.
  func evaluate(
    _ interval: Milliseconds, pack: Pack? = nil, receiver: ReceiverUse? = nil,
    isShort: Bool = false
  ) throws -> PlanRow {
    let pack = pack ?? self.pack
    let length = isShort ? "short" : "long"
    let use = receiver.map { "\($0)" } ?? "configured"
    let row =
      "\(interval.count) \(pack.battery.cellsInSeries)s\(pack.battery.cellsInParallel)p "
      + "\(use) \(length)"
    let numbers = options.part?.races(of: options.runs) ?? 0..<options.runs
    let missing = numbers.filter { played[row]?[$0] == nil }
    if !missing.isEmpty {
      let races = try races(interval, pack, receiver, isShort: isShort)
      let (first, finish) = (options.seed, finish)
      let results = try Workers.run(missing.count, threads: options.threads) { index in
        let race = try PlannedRace.run(races, seed: first + UInt64(missing[index]))
        return PlanRace(race, finish: finish)
      }
      for (number, race) in zip(missing, results) { played[row, default: [:]][number] = race }
    }
    return PlanRow(
      interval, numbers.compactMap { played[row]?[$0] }, bound: isShort ? options.hours : bound)
  }

  /// All races that were played, in the same order always.
  var playedRaces: [PlayedPlanRace] {
    played.sorted { $0.key < $1.key }.flatMap { row, races in
      races.sorted { $0.key < $1.key }.map {
        PlayedPlanRace(row: row, number: $0.key, race: $0.value)
      }
    }
  }

  private func races(
    _ interval: Milliseconds, _ pack: Pack, _ receiver: ReceiverUse?, isShort: Bool
  ) throws -> PlannedRaces {
    var configuration = configuration(interval)
    if let receiver { configuration.receiverUse = receiver }
    var races = PlannedRaces(
      description, configuration, scenario: withEmergency, trace: try trace(configuration),
      finish: finish)
    races.board.battery = pack.battery
    races.doubts = doubts
    if isShort { races.end = finish }
    races.measuredMillivolts = options.measuredMillivolts
    return races
  }

  /// The settings with captures and contacts at one interval.
  private func configuration(_ interval: Milliseconds) -> Configuration {
    var configuration = settings
    configuration.transmitInterval = interval
    // The battery, not the calendar, ends these races.
    configuration.finish = nil
    if case .adaptive = settings.capture {
      configuration.capture = .adaptive(interval: interval)
      configuration.finish = .after(options.hours)
      configuration.endAfterFinish = nil
    } else {
      configuration.capture = .standard(
        interval: interval, minimumDistanceMetres: 0, heartbeat: max(interval, .minutes(30)))
    }
    return configuration
  }

  /// A receiver that is always on costs the same whatever it reports, so a report each 6 s will do,
  /// as in race.nmea; one that is woken should report as soon as it can.
  private func trace(_ configuration: Configuration) throws -> PreparedTrace {
    let interval = Milliseconds.seconds(isDutyCycled(configuration.receiverUse) ? 1 : 6)
    if let trace = traces[interval.count] { return trace }
    let trace = try PreparedTrace.walk(bound, every: interval, seed: options.seed)
    traces[interval.count] = trace
    return trace
  }
}

extension Plan {
  /// - Parameter parts: what was played already. Whatever else is needed is played now: the search
  ///   of a part goes by the part's own races, and may take another way than that of all.
  /// - Returns: the exit code.
  static func run(_ arguments: Arguments, merging parts: Parts? = nil) throws -> Int32 {
    let options = try PlanOptions(arguments)
    if let part = options.part {
      let plan = try Plan(options)
      if let rows = try plan.rows(), options.hasAdvice { _ = try PlanAdvice(rows, plan) }
      return try say(try PartFile.text(part, PartOrigin(arguments), plan.playedRaces))
    }
    let page = try options.page.map { path throws in try OutputFile(path: path) }
    let plan = try Plan(options, played: try parts?.races(PlayedPlanRace.self) ?? [])
    guard let rows = try plan.rows() else {
      complain(plan.nothingFound)
      return 1
    }
    if options.json { try printOut(PlanFigures.of(rows, plan).json) }
    guard options.hasAdvice else { return 0 }
    let advice = try PlanAdvice(rows, plan)
    if !options.json { try printOut(PlanText.table(rows, plan) + "\n" + advice.text) }
    try page?.write(Array(PlanPage.html(rows, plan, advice).utf8))
    try page?.finish()
    return 0
  }

  /// The rows that were asked for; `nil` if a search finds nothing.
  private func rows() throws -> [PlanRow]? {
    switch options.search {
    case nil: break
    case .interval:
      guard let found = try shortestInterval(of: PlanAdvice.ladder) else { return nil }
      return [try evaluate(found.interval)]
    case .pack:
      guard let found = try smallestPack(for: options.intervals[0]) else { return nil }
      pack = found.pack
    }
    return try options.intervals.map { interval in try evaluate(interval) }
  }

  /// Of a search.
  private var nothingFound: String {
    let share = "\(options.sharePercent) % of the races"
    return options.search == .pack
      ? "with no pack of up to \(SimulatorBounds.cells) such cells or strings do \(share) "
        + "reach the finish; give a longer --interval, or another --pack"
      : "with no interval up to \(PlanText.time(PlanAdvice.ladder.last ?? 0)) do \(share) "
        + "reach the finish; give a larger --pack, or try --search pack"
  }
}

/// The figures of all races for one interval.
struct PlanRow: Sendable {
  var interval: Milliseconds
  /// Ascending. A race that was still going at `bound` has that.
  var lifetimes: [Milliseconds]
  /// Where races are broken off.
  var bound: Milliseconds
  /// Captures delivered by the finish, ascending.
  var captures: [Int]
  /// The number of races that reached the finish.
  var alive: Int
  /// The mean of the races, until the finish.
  var joules = World.Standing()

  var runs: Int { lifetimes.count }
  var finishes: Double { Double(alive) / Double(max(1, runs)) }

  init(_ interval: Milliseconds, _ races: [PlanRace], bound: Milliseconds) {
    self.interval = interval
    self.bound = bound
    lifetimes = races.map { $0.isDead ? min($0.lifetime, bound) : bound }
      .sorted { $0.count < $1.count }
    captures = races.map(\.delivered).sorted()
    alive = races.count(where: \.isAlive)
    func mean(_ part: KeyPath<PlanRace, Double>) -> Double {
      races.reduce(0) { $0 + $1[keyPath: part] } / Double(max(1, races.count))
    }
    joules.boardJoules = mean(\.boardJoules)
    joules.receiverJoules = mean(\.receiverJoules)
    joules.modemJoules = mean(\.modemJoules)
    joules.conversionJoules = mean(\.conversionJoules)
  }

  func holds(_ sharePercent: Int64) -> Bool { Int64(alive) * 100 >= sharePercent * Int64(runs) }

  /// By nearest rank.
  func lifetime(_ percent: Int) -> Milliseconds { Self.rank(lifetimes, percent) ?? 0 }
  func captures(_ percent: Int) -> Int { Self.rank(captures, percent) ?? 0 }

  private static func rank<Value>(_ sorted: [Value], _ percent: Int) -> Value? {
    sorted.isEmpty ? nil : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
  }
}

extension Plan {
  /// Whether the receiver could be asleep between captures.
  var canDutyCycle: Bool {
    switch settings.capture {
    case .standard, .adaptive: description.board.receiver.canSleep
    case .significant, .proximity, .route: false
    }
  }

  /// The shortest of these intervals, ascending, at which enough races reach the finish. A longer
  /// interval takes no more energy, so that halving finds it.
  ///
  /// - Returns: `nil` if none holds. The lifetimes are broken off at the finish.
  func shortestInterval(of intervals: [Milliseconds]) throws -> PlanRow? {
    try first(intervals.count) { index in try evaluate(intervals[index], isShort: true) }?.row
  }

  /// The smallest number of cells of the pack with which enough races reach the finish: of one
  /// string in series if it is one, otherwise in parallel. A linear regulator turns the voltage of
  /// more than a few more cells in series into heat, and then takes further strings in parallel.
  ///
  /// - Returns: `nil` if none of up to `SimulatorBounds.cells` cells or strings holds.
  func smallestPack(for interval: Milliseconds) throws -> (pack: Pack, row: PlanRow)? {
    let series = pack.battery.cellsInSeries
    let isString = series > 1 && pack.battery.cellsInParallel == 1
    let isLinear = pack.battery.regulator == .linear
    let most = SimulatorBounds.cells
    let inSeries = (1...(isLinear ? series * 3 / 2 : most)).compactMap {
      pack.with(series: $0, parallel: 1)
    }
    let inParallel = (1...most).compactMap { pack.with(series: series, parallel: $0) }
    let choices = !isString ? [inParallel] : isLinear ? [inSeries, inParallel] : [inSeries]
    for packs in choices {
      let found = try first(packs.count) { index in
        try evaluate(interval, pack: packs[index], isShort: true)
      }
      if let found { return (packs[found.index], found.row) }
    }
    return nil
  }

  /// The first of `count` rows that holds, if each that follows one that holds does too.
  private func first(
    _ count: Int, _ row: (Int) throws -> PlanRow
  ) throws -> (index: Int, row: PlanRow)? {
    var (low, high) = (0, count)
    var found: (index: Int, row: PlanRow)?
    while low < high {
      let middle = (low + high) / 2
      let row = try row(middle)
      if row.holds(options.sharePercent) {
        found = (middle, row)
        high = middle
      } else {
        low = middle + 1
      }
    }
    return found
  }
}

/// What a plan needs of one race.
struct PlanRace: Sendable, Codable {
  /// The time until the battery was empty, or until the race was broken off.
  let lifetime: Milliseconds
  let isDead: Bool
  /// At the finish.
  let isAlive: Bool
  /// Captures by the finish; the joules, too, are those until then.
  let delivered: Int
  @ExactNumber private(set) var boardJoules: Double
  @ExactNumber private(set) var receiverJoules: Double
  @ExactNumber private(set) var modemJoules: Double
  @ExactNumber private(set) var conversionJoules: Double

  init(_ race: PlannedRace, finish: Instant) {
    isAlive = race.isAlive(at: finish)
    (lifetime, isDead) = (race.lifetime, race.isDead)
    delivered = race.atFinish.delivered
    boardJoules = race.atFinish.boardJoules
    receiverJoules = race.atFinish.receiverJoules
    modemJoules = race.atFinish.modemJoules
    conversionJoules = race.atFinish.conversionJoules
  }

  private enum CodingKeys: String, CodingKey {
    case lifetime = "lifetime_ms"
    case isDead = "dead"
    case isAlive = "alive"
    case delivered
    case boardJoules = "board_j"
    case receiverJoules = "receiver_j"
    case modemJoules = "modem_j"
    case conversionJoules = "conversion_j"
  }
}

/// The same on its way from a part to the plan.
struct PlayedPlanRace: Codable {
  /// The terms of its row.
  let row: String
  /// From 0 on, among the races of a row.
  let number: Int
  let race: PlanRace
}
