import BoardSupport
import CommandLineSupport
import Reports
import Simulation
import SystemCalls
import TrackerCore
import Wording

/// The command line of `tracker-sim explore`.
struct ExploreOptions {
  private static let usualSeeds: ClosedRange<UInt64> = 1...1000

  /// With `time` only the first counts.
  var seeds: ClosedRange<UInt64>
  /// `nil`: until the last seed.
  var time: Milliseconds?
  var part: Part?
  /// The folder for findings; `nil`: they are only reported.
  var keep: String?
  var traces: [String]
  var scripts: [String]
  var needsProbes: Bool
  var threads: Int?
  var isOfController: Bool

  init(_ arguments: Arguments) throws {
    seeds = try arguments.value(.seeds, Self.seeds) ?? Self.usualSeeds
    time = try arguments.value(.exploringTime) { text in
      TimeText.length(text).flatMap { SimulatorBounds.exploring.contains($0) ? $0 : nil }
    }
    part = try arguments.part()
    keep = arguments.text(.keep)
    traces = arguments.texts(.recordedTraces)
    scripts = arguments.texts(.modemScripts)
    needsProbes = arguments.has(.probes)
    threads = arguments.number(.threads).map { Int($0) }
    isOfController = arguments.has(.controller)
    if isOfController, !scripts.isEmpty {
      throw UsageError("--modem-script: a controller has another modem; leave it out")
    }
  }

  /// `17`, or `1..2000`.
  private static func seeds(_ text: String) -> ClosedRange<UInt64>? {
    // What --seed takes, with room for all that time brings.
    func seed(_ text: Substring) -> UInt64? {
      UInt64(text).flatMap { $0 <= Int64.max / 2 ? $0 : nil }
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 1 { return seed(text[...]).map { $0...$0 } }
    guard parts.count == 3, parts[1].isEmpty, let first = seed(parts[0]),
      let last = seed(parts[2]), first <= last, last - first < 100_000_000
    else { return nil }
    return first...last
  }

  /// Whether this part plays a seed.
  func plays(_ seed: UInt64) -> Bool {
    part.map { seed % UInt64($0.count) == UInt64($0.number - 1) } ?? true
  }
}

/// `tracker-sim explore`: races with all that can go wrong, held against the design's invariants.
final class Explore {
  /// Races between two looks at the clock.
  private static let batch = 64
  /// What making a finding small may take when the time is over.
  private static let minimising = Milliseconds.seconds(20)
  /// One race in so many is played twice.
  private static let twice: UInt64 = 16

  private let options: ExploreOptions
  private let swarm: Swarm
  private let boards: [String: BoardDescription]
  private let began = KernelTimer.monotonic.milliseconds
  private var probes: [Probe: Int] = [:]
  private var transitions = TransitionCoverage()
  private var races = 0
  private var raced = Milliseconds(0)
  private var findings = 0

  private init(_ options: ExploreOptions) throws {
    self.options = options
    let traces = try options.traces.map { path throws in
      let bytes = try InputFile.regularBytes(of: path, atMost: SimulatorBounds.hintBytes * 64)
      // What is wrong with it is to be known with its name, and before the first race.
      _ = try PreparedTrace(path: path)
      return bytes
    }
    let scripts = try options.scripts.map { path throws in
      let bytes = try InputFile.regularBytes(of: path, atMost: SimulatorBounds.hintBytes)
      return try ModemScript(String(decoding: bytes, as: UTF8.self), name: path)
    }
    var boards: [String: BoardDescription] = [:]
    for name in Swarm.boards + [Swarm.controller] {
      boards[name] = try BoardDescription.load(named: name)
    }
    self.boards = boards
    swarm = Swarm(
      traces: traces, others: Swarm.boards.compactMap { boards[$0] }, scripts: scripts)
  }

  /// - Returns: the exit code: 1 if an invariant did not hold, or a wanted probe was not hit.
  static func run(_ arguments: Arguments) throws -> Int32 {
    if !arguments.operands.isEmpty {
      guard arguments.has(.controller) else { return try Minimise.run(arguments) }
      if arguments.operands.first == Minimise.word {
        throw UsageError("--controller: recordings are of trackerd; leave it out")
      }
      return try KeptRace.run(
        arguments,
        refusing: [
          .seeds, .exploringTime, .part, .keep, .recordedTraces, .modemScripts, .probes, .config,
          .expect,
        ])
    }
    let options = try ExploreOptions(arguments)
    let exploring = try Explore(options)
    let timing = Timing()
    try exploring.playAll()
    try printOut(exploring.summary)
    if arguments.has(.timing) {
      complain(timing.report(raced: TextReport.clock(exploring.raced.count)))
    }
    return exploring.findings > 0 || options.needsProbes && !exploring.unhit.isEmpty ? 1 : 0
  }

  private func playAll() throws {
    let bar = ProgressBar()
    func share(_ seed: UInt64) -> Double {
      guard let time = options.time else {
        return Double(seed - options.seeds.lowerBound) / Double(options.seeds.count)
      }
      return Double(KernelTimer.monotonic.milliseconds - began) / Double(time.count)
    }
    var seed = options.seeds.lowerBound
    while share(seed) < 1 {
      var batch: [UInt64] = []
      while batch.count < Self.batch, options.time != nil || seed <= options.seeds.upperBound {
        if options.plays(seed) { batch.append(seed) }
        seed += 1
      }
      bar.show(share(seed))
      let seeds = batch
      let found = try Workers.run(seeds.count, threads: options.threads) { number in
        try self.play(seeds[number])
      }
      bar.clear()
      for (seed, race) in zip(seeds, found) { try report(race, seed) }
    }
  }

  private func play(_ seed: UInt64) throws -> ExploredRace {
    do {
      let race = try drawn(seed)
      guard let board = boards[race.board] else { preconditionFailure("a board of the swarm") }
      return try judge(race, on: board, twice: seed % Self.twice == 0)
    } catch {
      throw UsageError("seed \(seed) cannot be played: \(error)")
    }
  }

  private func drawn(_ seed: UInt64) throws -> ExploredCase {
    try options.isOfController ? swarm.controllerRace(seed: seed) : swarm.race(seed: seed)
  }

  private func judge(
    _ race: ExploredCase, on board: BoardDescription, twice: Bool
  ) throws -> ExploredRace {
    options.isOfController
      ? try ControllerRace.run(race, on: board, twice: twice)
      : try ExploredRace.judge(race, on: board, twice: twice)
  }

  private func report(_ race: ExploredRace, _ seed: UInt64) throws {
    races += 1
    raced = raced + race.length
    transitions.formUnion(race.transitions)
    for probe in race.probes { probes[probe, default: 0] += 1 }
    guard let first = race.broken.first else { return }
    findings += 1
    try printOut(race.broken.map { "seed \(seed): \($0)\n" }.joined())
    guard let folder = options.keep else { return }
    try printOut("  \(try made(small: seed, first.invariant).write(in: folder))\n")
  }

  /// The race of a seed, made smaller as long as it breaks an invariant.
  private func made(small seed: UInt64, _ invariant: Invariant) throws -> Finding {
    let whole = try drawn(seed)
    let boards = boards
    func broken(_ race: ExploredCase) -> BrokenInvariant? {
      guard let board = boards[race.board] else { return nil }
      // What cannot be played, as without any report, breaks nothing.
      let played = try? judge(race, on: board, twice: invariant == .sameAgain)
      return played?.broken.first { $0.invariant == invariant }
    }
    let now = KernelTimer.monotonic.milliseconds
    let end = options.time.map { max(began + $0.count, now + Self.minimising.count) } ?? .max
    var minimiser = Minimiser(
      whole, until: { KernelTimer.monotonic.milliseconds >= end }, fails: { broken($0) != nil })
    minimiser.run()
    guard let last = broken(minimiser.smallest) else {
      preconditionFailure("the minimiser keeps only what breaks it")
    }
    var finding = Finding(race: minimiser.smallest, why: "\(last)")
    finding.isOfController = options.isOfController
    return finding
  }

  // MARK: What it came to

  private var wanted: [Probe] { options.isOfController ? Probe.ofControllers : Probe.allCases }
  private var unhit: [Probe] { wanted.filter { probes[$0] == nil } }

  private var summary: String {
    let hit = "\(wanted.count - unhit.count) of \(wanted.count) hit"
    var lines = [
      "races     \(races), \(raced.count / 3_600_000) h in all",
      "probes    \(hit)\(Self.list(unhit.map(\.rawValue)))",
    ]
    if transitions.count > 0 {
      let taken = "\(transitions.count - transitions.untaken.count) of \(transitions.count) taken"
      lines.append("tables    \(taken)\(Self.list(transitions.untaken))")
    }
    lines.append("findings  \(findings == 0 ? "none" : "\(findings)")")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func list(_ missing: [String]) -> String {
    missing.isEmpty ? "" : "; not: " + missing.joined(separator: ", ")
  }
}

// Its state is changed between batches only.
extension Explore: @unchecked Sendable {}

/// A race in which an invariant does not hold, as files.
struct Finding {
  let race: ExploredCase
  let why: String
  /// Of the command that repeats it: what is to hold.
  var options = " --invariants"
  /// What else than `tracker-sim --trace` plays it again.
  var isOfController = false

  /// Writes it into a folder of its own.
  ///
  /// - Returns: the command that repeats it.
  func write(in parent: String) throws -> String {
    let folder = "\(parent)/seed-\(race.seed)"
    for path in [parent, folder] where (try? FileStatus(path)) == nil {
      try makeFolder(path, mode: 0o755)
    }
    let again =
      isOfController
      ? "tracker-sim explore --controller \(folder) --board \(race.board) --seed \(race.seed)"
      : "tracker-sim\(options) --trace \(folder)/trace.nmea --scenario \(folder)/scenario.json5 "
        + "--config \(folder)/config.json5 --board \(race.board) --seed \(race.seed)"
    var files: [(name: String, bytes: [UInt8])] = [
      ("trace.nmea", race.trace), ("scenario.json5", Array(race.scenario.text.utf8)),
      ("config.json5", Array(race.settingsText.utf8)),
      ("WHY", Array("\(why)\n\n\(again)\n".utf8)),
    ]
    if let script = race.scenario.modemScript {
      files.append((Scenario.scriptName, Array(script.text.utf8)))
    }
    for (name, bytes) in files {
      let file = try OutputFile(path: "\(folder)/\(name)")
      try file.write(bytes)
      try file.finish()
    }
    return again
  }
}

extension Option {
  fileprivate static let seeds = Option("--seeds", .like("1..2000", "FROM..TO"), usual: "1..1000")
    .says(
      ca: "una marxa per cada llavor; amb --for, des de la primera",
      es: "una marcha por cada semilla; con --for, desde la primera",
      en: "a race for each seed; with --for, from the first one on",
      fr: "une marche par graine ; avec --for, à partir de la première")
  fileprivate static let exploringTime = Option("--for", .like("2min", ValueName.time.texts)).says(
    ca: "tant de temps, en lloc d'un nombre de llavors",
    es: "tanto tiempo, en vez de un número de semillas",
    en: "for so long, instead of a number of seeds",
    fr: "pendant ce temps, au lieu d'un nombre de graines")
  static let keep = Option("--keep", .file.named("DIR")).says(
    ca: "escriu-hi cada troballa, reduïda, com a traça, escenari i configuració",
    es: "escribe ahí cada hallazgo, reducido, como traza, escenario y configuración",
    en: "write each finding there, made small, as a trace, a scenario and a configuration",
    fr: "y écrit chaque trouvaille, réduite, comme trace, scénario et configuration")
  fileprivate static let recordedTraces = Option("--trace", .file, isRepeatable: true).says(
    ca: "una traça de les quals se'n juga una de tant en tant; es pot repetir",
    es: "una traza de las que se juega una de vez en cuando; se puede repetir",
    en: "a trace, of which one is played now and then; may be given several times",
    fr: "une trace, dont une est jouée de temps en temps ; peut être répétée")
  fileprivate static let modemScripts = Option(
    "--modem-script", .file, isRepeatable: true
  ).says(
    ca: "un mòdem dels quals n'hi ha un de tant en tant; es pot repetir",
    es: "un módem de los que hay uno de vez en cuando; se puede repetir",
    en: "a modem, of which one is there now and then; may be given several times",
    fr: "un modem, dont un est là de temps en temps ; peut être répété")
  fileprivate static let controller = Option("--controller").says(
    ca: "marxes d'un controlador: el seu microprogramari, la seva targeta i el mòdem que envia",
    es: "marchas de un controlador: su firmware, su tarjeta y el módem que envía",
    en: "races of a controller: its firmware, its card and the modem that sends",
    fr: "des marches d'un contrôleur : son micrologiciel, sa carte et le modem qui envoie")
  fileprivate static let probes = Option("--probes").says(
    ca: "falla també si no s'ha trobat algun estat o fallada dels que cal trobar",
    es: "falla también si no se ha hallado algún estado o fallo de los que hay que hallar",
    en: "fail, too, if a state or fault was not met that is to be met",
    fr: "échoue aussi si un état ou une panne à rencontrer ne l'a pas été")
}

extension Program {
  static let explore = CommandTable(
    "explore",
    ca: "marxes inventades amb tot el que pot fallar, cada llavor una altra; troba les que "
      + "trenquen una invariant del disseny",
    es: "marchas inventadas con todo lo que puede fallar, cada semilla otra; halla las que rompen "
      + "una invariante del diseño",
    en: "made-up races with all that can go wrong, another one for each seed; find those that "
      + "break an invariant of the design",
    fr: "des marches inventées avec tout ce qui peut échouer, une par graine ; trouve celles qui "
      + "violent une invariante de la conception",
    operands: .init(.file.named("[minimise RECORDING... | FINDING...]"), 0...Int.max),
    options: [
      .seeds, .exploringTime, .part, .keep, .recordedTraces, .modemScripts, .probes, .threads,
      .controller, .timing, .board.with(usual: SimulateOptions.usualBoard), .config, .seed, .expect,
    ],
    notes: [
      .lines([
        "tracker-sim explore --seeds 1..2000".texts,
        "tracker-sim explore --for 2min --keep findings".texts,
        "tracker-sim explore minimise race.nmea --expect 'captures.pending == 0'".texts,
        "tracker-sim explore --controller findings/seed-17".texts,
      ]),
      .exitCodes(
        ca: "1 una invariant no es compleix", es: "1 una invariante no se cumple",
        en: "1 an invariant does not hold", fr: "1 une invariante n'est pas tenue"),
    ])
}
