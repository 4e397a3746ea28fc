public import BoardSupport
import FeatureService
import TrackerCore

/// A kind of trouble that may be in a race, or not.
public enum Family: String, Sendable, CaseIterable {
  case coverage, server, badCaptures, tokens, receiver, garbage, rollover, modem, disk, battery
  case orders, emergency, kills, powerCuts, clock, settings, lyingCard
  case edits, boards, cards, modemScript, people
  case sim, network, finish, room

  /// They came later, and leave the races of old seeds as they are, but for themselves.
  fileprivate static let late: Set<Family> = [.sim, .network, .finish, .room]
}

/// Draws races from seeds: each has a subset of all families, and each family in it a strength of
/// its own. All ranges are assumptions.
///
/// The troubles end before the trace does: what can be delivered is delivered in the two hours
/// after it.
public struct Swarm: Sendable {
  /// Boards whose modems, sensors and sleep differ.
  public static let boards = [
    "pi-zero-2w-sim7600", "arduino-uno-3g", "pi-zero-2w-sim7600+ads1115", sleeper,
  ]
  /// It is halted between captures.
  static let sleeper = "pi-zero-2w-sim7600+pi-batman"
  /// From the last trouble to the end of the trace.
  static let calm = Milliseconds.minutes(5)

  /// Recorded traces, of which one is played now and then.
  private let traces: [[UInt8]]
  /// What battery, card and SIM may be put on.
  private let others: [BoardDescription]
  /// Modems of which one is there now and then in place of one that is made up.
  private let scripts: [ModemScript]

  public init(
    traces: [[UInt8]] = [], others: [BoardDescription] = [], scripts: [ModemScript] = []
  ) {
    (self.traces, self.others, self.scripts) = (traces, others, scripts)
  }

  /// The race of a seed.
  public func race(seed: UInt64) throws -> ExploredCase {
    var random = SeededGenerator(seed: seed, stream: 800)
    let families = Self.families(seed, &random).subtracting(Self.leftOut(seed))
    var race = ExploredCase(seed: seed)
    race.board = random.pick(from: Self.boards)
    let length = try addTrace(to: &race, families, &random)
    let end = max(.minutes(2), length - Self.calm)
    race.settings = Self.settings(families, board: race.board, &random)
    for (number, family) in Family.allCases.enumerated() where families.contains(family) {
      var own = SeededGenerator(seed: seed, stream: 810 + UInt64(number))
      add(family, to: &race, until: end, &own)
    }
    // On a copied or a lying card two captures may have one name: such a server has the first.
    if families.isDisjoint(with: [.cards, .lyingCard]), random.once(in: 4) {
      race.scenario.service.kind = .osmAnd
    }
    race.scenario.people.sort { $0.at < $1.at }
    if !race.scenario.people.isEmpty { race.settings.append("server: {}") }
    Self.addRareTrouble(to: &race, until: end)
    Self.addReloads(to: &race, until: end)
    Self.tear(&race)
    race.scenario.restarts.sort { $0.at < $1.at }
    edit(&race, &random)
    // Whatever the orders, the session runs at the end, as on every real day.
    let isOrdered =
      !race.scenario.commands.isEmpty || race.scenario.people.contains { $0.kind == .order }
    if isOrdered || race.settings.contains("startsBySelf: false") {
      race.scenario.commands.sort { $0.at < $1.at }
      race.scenario.commands.append(TimedCommand(at: end, command: .start))
    }
    return race
  }

  /// Each with a probability that is itself drawn: races with nearly nothing and with nearly
  /// everything are as frequent as those between.
  private static func families(_ seed: UInt64, _ random: inout SeededGenerator) -> Set<Family> {
    let share = random.unit()
    var own = SeededGenerator(seed: seed, stream: 802)
    return Set(
      Family.allCases.filter { family in
        (Family.late.contains(family) ? own.unit() : random.unit()) < share
      })
  }

  /// In one race of three nothing makes contacts rare: few requests would meet what a server and a
  /// courier can do wrong.
  private static func leftOut(_ seed: UInt64) -> Set<Family> {
    var random = SeededGenerator(seed: seed, stream: 803)
    return random.once(in: 3) ? [.battery, .modem, .modemScript, .coverage, .sim] : []
  }

  // MARK: The trace

  func addTrace(
    to race: inout ExploredCase, _ families: Set<Family>, _ random: inout SeededGenerator
  ) throws -> Milliseconds {
    if !traces.isEmpty, random.once(in: 4) {
      race.trace = random.pick(from: traces)
      let bursts = try PreparedTrace(race.trace).bursts
      return (bursts.last?.at ?? .start) - .start
    }
    var options = SynthOptions()
    options.seed = race.seed
    let length = Milliseconds.minutes(
      Int64(random.once(in: 6) ? random.whole(in: 90...180) : random.whole(in: 12...75)))
    options.duration = length
    options.interval = .seconds(Int64(random.pick(from: [1, 2, 5, 10])))
    options.fromKilometres = Double(random.whole(in: 0...80))
    options.coldStart = random.once(in: 3) ? .seconds(Int64(random.whole(in: 10...300))) : 0
    if random.once(in: 3) { options.rests = [Self.span(length, &random)] }
    if families.contains(.receiver) {
      if random.once(in: 2) { options.dropouts = [Self.span(length, &random)] }
      if random.once(in: 2) { options.tunnels = [Self.span(length, &random)] }
      if random.once(in: 2) { options.canyons = [Self.span(length, &random)] }
    }
    if families.contains(.garbage) {
      options.garbage = [Self.span(length, &random)]
      options.garbagePercent = random.whole(in: 1...60)
    }
    if families.contains(.rollover) {
      options.weekRollover = .seconds(Int64(random.whole(in: 0...Int(length.count) / 1000)))
    }
    var synthesizer = try Synthesizer(options: options, course: .olotToTheSea, command: "explore")
    while let chunk = synthesizer.nextChunk() { race.trace += chunk }
    return length
  }

  private static func span(
    _ length: Milliseconds, _ random: inout SeededGenerator
  ) -> TimeSpan {
    let from = random.whole(in: 0...Int(length.count) / 1500)
    let longest = Int(length.count) / 1000 - from
    return TimeSpan(
      from: .seconds(Int64(from)),
      to: .seconds(Int64(from + random.whole(in: 1...max(1, longest / 2)))))
  }

  // MARK: The scenario

  private func add(
    _ family: Family, to race: inout ExploredCase, until end: Milliseconds,
    _ random: inout SeededGenerator
  ) {
    switch family {
    case .edits, .boards, .cards: addChange(family, to: &race, until: end, &random)
    case .modemScript:
      // Those given are of newer modems than this board's, whose commands they do not know.
      let isOld = race.board.hasPrefix("arduino")
      if !isOld, !scripts.isEmpty, random.once(in: 3) {
        race.scenario.modemScript = random.pick(from: scripts)
      } else {
        race.scenario.modemScript = MadeUpModem.script(like: isOld ? "sim5320" : "sim7600", &random)
      }
    default: Self.add(family, to: &race.scenario, until: end, &random)
    }
  }

  /// People change something at a tracker while it is off.
  private func addChange(
    _ family: Family, to race: inout ExploredCase, until end: Milliseconds,
    _ random: inout SeededGenerator
  ) {
    let isEdit = family == .edits
    let outage = isEdit && random.once(in: 2) ? Outage.kill : .powerCut
    var restart = Restart(
      at: random.time(until: end), outage: outage, time: .seconds(Int64(random.whole(in: 5...600))))
    if family == .boards, !others.isEmpty { restart.board = random.pick(from: others) }
    if family != .cards || random.once(in: 3) { restart.settings = [] }
    if family == .cards { restart.card = random.pick(from: Restart.Card.allCases) }
    race.scenario.restarts.append(restart)
  }

  static func add(
    _ family: Family, to scenario: inout Scenario, until end: Milliseconds,
    _ random: inout SeededGenerator
  ) {
    switch family {
    case .coverage:
      scenario.coverage = windows(end, &random) { $0.pick(from: [.noService, .noBearer, .denied]) }
    case .server:
      scenario.server =
        random.once(in: end > .minutes(80) ? 2 : 4) && end > .minutes(50)
        ? [outage(end, &random)] : windows(end, &random, Self.fault)
      scenario.service.takesGlobalIDs = random.once(in: 2)
      scenario.service.keepsPartOfRequest = random.once(in: 2)
    case .badCaptures:
      let bad = (0..<random.whole(in: 1...4)).map { _ in UInt32(random.whole(in: 1...60)) }
      scenario.badCaptures = Set(bad).sorted()
    case .tokens: scenario.service.tokenLife = .minutes(Int64(random.whole(in: 1...30)))
    case .receiver: scenario.receiver = windows(end, &random) { _ in .silent }
    case .modem:
      scenario.modem = windows(end, &random) { $0.pick(from: [.mute, .noSIM, .simLocked]) }
    case .disk:
      scenario.store = windows(end, &random) {
        $0.once(in: 2) ? .full : .slow(Milliseconds(Int64($0.whole(in: 100...20_000))))
      }
    case .battery:
      scenario.batteryStartPercent = Int32(random.whole(in: 4...30))
      scenario.batteryCelsius = [
        Window(from: 0, to: nil, content: Int32(random.whole(in: -15...35)))
      ]
      if random.once(in: 3) { scenario.weakCellPercent = Int32(random.whole(in: 30...100)) }
    case .orders:
      scenario.commands += (0..<random.whole(in: 1...6)).map { _ in
        TimedCommand(
          at: random.time(until: end),
          command: random.pick(from: random.once(in: 4) ? rareOrders : usualOrders))
      }
    case .emergency: addEmergency(to: &scenario, until: end, &random)
    case .kills: scenario.restarts += restarts(.kill, end, &random)
    case .powerCuts: scenario.restarts += restarts(.powerCut, end, &random)
    case .lyingCard:
      scenario.restarts += restarts(.powerCut, end, &random).map { restart in
        var restart = restart
        restart.loses = .seconds(Int64(random.whole(in: 1...600)))
        return restart
      }
    case .clock:
      scenario.clock = (0..<random.whole(in: 1...3)).map { _ in
        let hours = Int64(random.pick(from: [1, 2, 24, 8766, 100_000]))
        let by = Milliseconds.minutes(hours * Int64(random.whole(in: 1...60)))
        return ClockJump(at: random.time(until: end), by: random.once(in: 2) ? by : 0 - by)
      }
      scenario.clock.sort { $0.at < $1.at }
    case .sim:
      scenario.sim = sim(&random)
      // The end of such a fault would open a SIM that has a PIN of its own.
      if scenario.sim.pin != nil { scenario.modem.removeAll { $0.content == .simLocked } }
    case .network: scenario.network = network(&random)
    case .people:
      let times = (0..<random.whole(in: 1...6)).map { _ in random.time(until: end) }
      scenario.people += times.sorted().enumerated().map { number, time in
        Writing(at: time, kind: random.once(in: 2) ? .note : .message, text: "word \(number)")
      }
      // They are exchanged in few contacts only, which rarely meet the trouble of one request.
      if scenario.server.isEmpty, random.once(in: 2) {
        let fault = Fault(
          random.pick(from: [.reset, .timeout, .loseAcknowledgement, .cutAnswer]),
          .probability(percent: 50), on: .edits)
        scenario.server = [Window(from: 0, to: end, content: fault)]
      }
    case .room:
      scenario.people += (0..<random.whole(in: 1...5)).map { _ in
        let words = random.pick(from: ["capture", "capture", "call", "undo call", "start", "stop"])
        return Writing(at: random.time(until: end), kind: .order, text: words)
      }
    case .garbage, .rollover, .settings, .edits, .boards, .cards, .modemScript, .finish: break
    }
  }

  private static let usualOrders: [Command] = [.stop, .start, .captureNow, .sendNow]
  private static let rareOrders: [Command] = [
    .setTeam(InlineText("Els Tercers")), .unsetTeam, .askForCall, .endCallRequest,
  ]

  /// Half of all trackers have the right PIN; not every SIM wants one.
  private static func sim(_ random: inout SeededGenerator) -> SIMCard {
    var sim = SIMCard()
    let right = "0742"
    if !random.once(in: 5) { sim.pin = right }
    sim.secret = random.once(in: 2) ? right : random.pick(from: [nil, "1111", "1111"])
    return sim
  }

  private static func network(_ random: inout SeededGenerator) -> NetworkModel {
    var network = NetworkModel()
    if random.once(in: 2) { network.latency = Milliseconds(Int64(random.whole(in: 500...8000))) }
    if random.once(in: 2) { network.bytesPerSecond = Int32(random.whole(in: 4000...20_000)) }
    if random.once(in: 2) { network.registration = .seconds(Int64(random.whole(in: 1...120))) }
    return network
  }

  private static func addEmergency(
    to scenario: inout Scenario, until end: Milliseconds, _ random: inout SeededGenerator
  ) {
    let call = random.time(until: end)
    scenario.commands.append(TimedCommand(at: call, command: .raiseEmergency))
    if random.once(in: 2) {
      let read = min(end, call + random.time(until: .minutes(20)))
      scenario.people.append(Writing(at: read, kind: .read, text: ""))
      if random.once(in: 3) {
        let over = min(end, read + random.time(until: .minutes(20)))
        scenario.people.append(Writing(at: over, kind: .ended, text: ""))
      }
    }
    guard random.once(in: 3) else { return }
    let over = min(end, call + random.time(until: .minutes(20)))
    scenario.commands.append(TimedCommand(at: over, command: .withdrawEmergency))
  }

  private static func restarts(
    _ outage: Outage, _ end: Milliseconds, _ random: inout SeededGenerator
  ) -> [Restart] {
    (0..<random.whole(in: 1...5)).map { _ in
      Restart(
        at: random.time(until: end),
        afterEffects: random.once(in: 2) ? 0 : Int32(random.whole(in: 1...40)), outage: outage,
        time: .seconds(Int64(random.pick(from: [1, 5, 60, 300]))))
    }
  }

  /// In a race of four, programs end within a write: there the store is a file, which takes longer.
  private static func tear(_ race: inout ExploredCase) {
    var random = SeededGenerator(seed: race.seed, stream: 801)
    guard random.once(in: 4) else { return }
    for index in race.scenario.restarts.indices where random.unit() < 0.8 {
      let restart = race.scenario.restarts[index]
      // What people change is changed in its order.
      guard restart.loses == 0, restart.card == nil, restart.board == nil, restart.settings == nil
      else { continue }
      race.scenario.restarts[index].afterEffects = 0
      race.scenario.restarts[index].afterWrites = Int32(random.whole(in: 1...40))
    }
  }

  /// Now and then a person has the SIM's PIN entered once more, and a fault concerns only requests
  /// that are large.
  private static func addRareTrouble(to race: inout ExploredCase, until end: Milliseconds) {
    var random = SeededGenerator(seed: race.seed, stream: 804)
    if random.once(in: 8) {
      race.scenario.commands.append(TimedCommand(at: random.time(until: end), command: .tryPIN))
    }
    for index in race.scenario.server.indices where random.once(in: 6) {
      race.scenario.server[index].content.above = random.whole(in: 500...20_000)
    }
  }

  private static func fault(_ random: inout SeededGenerator) -> Fault {
    let percent = Double(random.whole(in: 5...95))
    return Fault(
      random.pick(from: faults),
      random.pick(from: [.always, .every(random.whole(in: 2...4)), .probability(percent: percent)]),
      on: random.pick(from: [.all, .all, .both, .edits, .queries]))
  }

  /// One that is so long that waits become the longest.
  private static func outage(
    _ end: Milliseconds, _ random: inout SeededGenerator
  ) -> Window<Fault> {
    let kinds: [Fault.Kind] = [
      .timeout, .dead, .http(status: 503, retryAfter: nil), .refuse, .loseAcknowledgement,
    ]
    // Half of them begin early: the longest wait comes after forty minutes.
    let from = random.time(until: random.once(in: 2) ? .minutes(5) : end - .minutes(45))
    return Window(from: from, to: end, content: Fault(random.pick(from: kinds), .always, on: .all))
  }

  private static let faults: [Fault.Kind] = [
    .http(status: 503, retryAfter: .seconds(90)), .http(status: 500, retryAfter: nil),
    .http(status: 504, retryAfter: nil), .http(status: 429, retryAfter: .minutes(5)), .refuse,
    .dead, .reset, .timeout, .loseAcknowledgement, .cutAnswer, .unauthorised,
    .rejectRequest(code: 400), .portal, .late(.seconds(20)), .late(.seconds(90)),
    .late(.minutes(10)), .httpAfter(status: 502), .httpAfter(status: 504),
    // What makes copies, and what is blamed on captures, more often than the rest.
    .late(.seconds(45)), .late(.seconds(150)), .late(.minutes(5)), .loseAcknowledgement,
    .rejectRequest(code: 400), .partial,
  ]

  /// Up to a few windows, one after another.
  private static func windows<Content>(
    _ end: Milliseconds, _ random: inout SeededGenerator,
    _ content: (inout SeededGenerator) -> Content
  ) -> [Window<Content>] {
    var windows: [Window<Content>] = []
    let seconds = Int(end.count / 1000)
    var from = random.whole(in: 0...seconds / 3)
    for _ in 0..<random.whole(in: 1...4) {
      let to = from + random.whole(in: 10...max(11, seconds / 3))
      guard to < seconds else { break }
      windows.append(
        Window(
          from: .seconds(Int64(from)), to: .seconds(Int64(to)), content: content(&random)))
      from = to + random.whole(in: 0...max(1, seconds / 6))
    }
    return windows
  }
}

extension SeededGenerator {
  mutating func pick<Element>(from all: [Element]) -> Element {
    all[whole(in: 0...all.count - 1)]
  }

  mutating func time(until end: Milliseconds) -> Milliseconds {
    Milliseconds(Int64(whole(in: 0...Int(max(1, end.count)))))
  }
}
