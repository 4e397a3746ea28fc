import FeatureService
import TrackerCore

/// What may stand between a call for help and a human.
public enum EmergencyTrouble: String, Sendable, CaseIterable, Codable {
  /// The receiver has never had a position.
  case noFixEver
  /// It has none when somebody calls, and for some time after.
  case noFixNow
  /// No network, for up to twelve hours or to the end.
  case noCoverage
  /// The network carries no data, but text messages.
  case deadData
  /// The program is killed, at any of its effects.
  case killed
  /// The tracker loses its power, at any of its effects.
  case powerCut
  /// The server, or its database, is down; it may just have been killed.
  case serverDown
  /// The server acts late.
  case lateServer
  /// Nobody looks at the control room.
  case nobodyThere
  /// The tracker's disk is full.
  case diskFull
  /// The battery is in its reserve.
  case drained
  /// Another device sends under the tracker's code, and may have called for help, too.
  case cloned
  /// The team withdraws its call, and calls again.
  case raisedAgain
}

/// What happens in one race with an emergency, drawn from its seed. All ranges are assumptions,
/// unverified.
///
/// Times count from when the tracker is switched on.
struct EmergencyPlan: Sendable {
  /// The program is ended once so many of its effects have passed since the team called.
  struct End: Sendable {
    var afterEffects: Int
    var outage: Outage
    var time: Milliseconds
  }

  struct Act: Sendable {
    var at: Milliseconds
    /// Whether the team calls, or withdraws its call.
    var calls: Bool
  }

  /// The longest that a race goes on after the call.
  private static let longest = Milliseconds.hours(14)
  /// A race goes on for so long after what was in the way is over.
  private static let afterTroubles = Milliseconds.minutes(45)

  let seed: UInt64
  let troubles: Set<EmergencyTrouble>
  private(set) var configuration = Configuration()
  private(set) var scenario = Scenario()
  /// In the order of their times; the last one calls.
  private(set) var acts: [Act] = []
  private(set) var ends: [End] = []
  private(set) var noFix: TimeSpan?
  /// Whether the team uses the button, or the console.
  private(set) var usesButton = false
  /// When somebody looks at the control room again.
  private(set) var peopleFrom = Milliseconds(0)
  /// From when the server has it to *read*.
  private(set) var answerAfter = Milliseconds(0)
  /// From *read* to *ended*.
  private(set) var endsAfter = Milliseconds(0)
  /// How long whoever has the telephone `textTo` takes to answer a call for help; `nil`: nobody
  /// answers, or there is no such number.
  private(set) var textAnswerAfter: Milliseconds?
  /// When the other device with this code has called for help; `nil`: it has not, or there is none.
  private(set) var otherCalls: Milliseconds?
  private(set) var hasOther = false
  /// When the race is broken off.
  private(set) var end = Milliseconds(0)
  /// Where on the way it begins, 0..<1 of the walk.
  let place: Double

  var call: Milliseconds { acts.last?.at ?? 0 }

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed, stream: 700)
    place = random.unit()
    troubles = Self.troubles(&random)
    let lead: Milliseconds =
      random.once(in: 10)
      ? random.time(.seconds(20), .minutes(3))
      : random.time(.minutes(12), .minutes(32))
    acts = [Act(at: lead, calls: true)]
    usesButton = random.once(in: 2)
    answerAfter = random.time(.seconds(5), .seconds(20))
    endsAfter =
      random.once(in: 4)
      ? random.time(.minutes(30), .minutes(60)) : random.time(.minutes(3), .minutes(10))
    end = lead + Self.afterTroubles
    configure(&random)
    if configuration.textTo != nil {
      var own = SeededGenerator(seed: seed, stream: 702)
      if own.unit() < 0.6 { textAnswerAfter = own.time(.seconds(5), .seconds(20)) }
    }
    // In a fixed order, whatever that of a set is.
    for trouble in EmergencyTrouble.allCases where troubles.contains(trouble) {
      var own = SeededGenerator(seed: seed, stream: 710 + UInt64(trouble.number))
      add(trouble, &own)
    }
    scenario.coverage.sort { $0.from < $1.from }
    end = min(end, lead + Self.longest)
  }

  /// None in one of fifteen races, one in most, several in three of ten.
  private static func troubles(_ random: inout SeededGenerator) -> Set<EmergencyTrouble> {
    let all = EmergencyTrouble.allCases
    let share = random.unit()
    let count = share < 0.07 ? 0 : share < 0.7 ? 1 : share < 0.9 ? 2 : 3
    var chosen: Set<EmergencyTrouble> = []
    while chosen.count < count { chosen.insert(all[random.whole(in: 0...all.count - 1)]) }
    return chosen
  }

  private mutating func configure(_ random: inout SeededGenerator) {
    switch random.whole(in: 0...2) {
    case 0: configuration.capture = .adaptive(interval: .minutes(10))
    case 1:
      configuration.capture = .standard(
        interval: .minutes(5), minimumDistanceMetres: 0, heartbeat: .minutes(30))
    default: break
    }
    configuration.transmitInterval = .minutes([10, 20, 30][random.whole(in: 0...2)])
    if random.once(in: 5) { configuration.reconnectFloor = .minutes(30) }
    if random.once(in: 5) { configuration.betweenUploads = .attached }
    if random.unit() < 0.4 { configuration.receiverUse = .dutyCycle }
    if random.unit() < 0.4 { configuration.bearer = .modem }
    configuration.startsBySelf = !random.once(in: 10)
    // A network that carries text messages only is no trouble for who has nobody to text to.
    let texts = random.unit() < 0.6 || troubles.contains(.deadData)
    if texts { configuration.textTo = PhoneNumber(Array("+34600000000".utf8).span) }
    scenario.service.takesGlobalIDs = random.once(in: 2)
    if random.once(in: 4) { scenario.service.tokenLife = .minutes(30) }
  }

  // MARK: Troubles

  private mutating func add(_ trouble: EmergencyTrouble, _ random: inout SeededGenerator) {
    switch trouble {
    case .noFixEver: loseFix(from: 0, to: nil, &random)
    case .noFixNow:
      let from = max(0, call - random.time(.seconds(0), .minutes(20)))
      let to = call + random.logTime(.minutes(1), .hours(2))
      loseFix(from: from, to: random.once(in: 4) ? nil : to, &random)
      if noFix?.to == to { extend(beyond: to) }
    case .noCoverage:
      let hole: CoverageHole = random.once(in: 5) ? .denied : .noService
      addHole(hole, longest: .hours(12), &random)
    case .deadData:
      if random.once(in: 3) {
        addFault(Fault(.dead), longest: .hours(4), &random)
      } else {
        addHole(.noBearer, longest: .hours(4), &random)
      }
    case .killed: addEnds(.kill, .seconds(2), .seconds(8), &random)
    case .powerCut: addEnds(.powerCut, .seconds(30), .minutes(10), &random)
    case .serverDown:
      let kinds: [Fault.Kind] = [
        .refuse, .http(status: 500), .http(status: 503, retryAfter: .minutes(5)), .timeout, .reset,
        .rejectRequest(code: 500),
      ]
      addFault(Fault(kinds[random.whole(in: 0...kinds.count - 1)]), longest: .hours(3), &random)
    case .lateServer:
      let fault =
        random.once(in: 2)
        ? Fault(.late(random.time(.seconds(1), .seconds(20))))
        : Fault(.late(random.time(.seconds(20), .seconds(90))), .probability(percent: 50))
      scenario.server.append(Window(from: 0, to: nil, content: fault))
    case .nobodyThere:
      peopleFrom = call + random.logTime(.minutes(2), .hours(2))
      extend(beyond: peopleFrom)
    case .diskFull:
      let from = max(0, call - random.time(-60_000, .minutes(20)))
      let to = call + random.logTime(.minutes(2), .hours(2))
      let isForGood = random.once(in: 3)
      scenario.store = [Window(from: from, to: isForGood ? nil : to, content: .full)]
      if !isForGood { extend(beyond: to) }
    case .drained: scenario.batteryStartPercent = Int32(random.whole(in: 5...13))
    case .cloned:
      hasOther = true
      if random.once(in: 2) { otherCalls = max(0, call - random.time(.minutes(1), .minutes(30))) }
    case .raisedAgain:
      // The button is held for six seconds.
      let withdrawn = call + random.logTime(.seconds(8), .minutes(10))
      let again = withdrawn + random.logTime(.seconds(8), .minutes(5))
      acts += [Act(at: withdrawn, calls: false), Act(at: again, calls: true)]
      extend(beyond: again)
    }
  }

  private mutating func extend(beyond time: Milliseconds) {
    end = max(end, time + Self.afterTroubles)
  }

  private mutating func loseFix(
    from: Milliseconds, to: Milliseconds?, _ random: inout SeededGenerator
  ) {
    let both = max(to ?? Milliseconds(.max), noFix?.to ?? 0)
    noFix = TimeSpan(from: min(from, noFix?.from ?? from), to: both)
    // Without an antenna it knows neither place nor time.
    if random.once(in: 3), scenario.receiver.isEmpty {
      scenario.receiver = [Window(from: from, to: to, content: .silent)]
    }
  }

  /// From before the call or soon after it.
  private func begin(_ random: inout SeededGenerator) -> Milliseconds {
    max(0, call - random.time(-90_000, .minutes(30)))
  }

  private mutating func addHole(
    _ hole: CoverageHole, longest: Milliseconds, _ random: inout SeededGenerator
  ) {
    let from = begin(&random)
    let to = call + random.logTime(.minutes(2), longest)
    let isForGood = random.once(in: 12)
    scenario.coverage.append(Window(from: from, to: isForGood ? nil : to, content: hole))
    extend(beyond: isForGood ? call + .minutes(30) : to)
  }

  private mutating func addFault(
    _ fault: Fault, longest: Milliseconds, _ random: inout SeededGenerator
  ) {
    let from = begin(&random)
    let to = max(call + .seconds(1), from) + random.logTime(.seconds(5), longest)
    scenario.server.append(Window(from: from, to: to, content: fault))
    extend(beyond: to)
  }

  private mutating func addEnds(
    _ outage: Outage, _ shortest: Milliseconds, _ longest: Milliseconds,
    _ random: inout SeededGenerator
  ) {
    var after = 0
    for _ in 0..<random.whole(in: 1...3) {
      after += Int(random.logTime(1, 600).count)
      ends.append(
        End(afterEffects: after, outage: outage, time: random.time(shortest, longest)))
    }
    ends.sort { $0.afterEffects < $1.afterEffects }
    extend(beyond: call + .minutes(30))
  }
}

extension EmergencyTrouble {
  fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension SeededGenerator {
  fileprivate mutating func time(_ from: Milliseconds, _ to: Milliseconds) -> Milliseconds {
    Milliseconds(Int64(whole(in: Int(from.count)...Int(to.count))))
  }

  /// As often between one and two of something as between two and four.
  fileprivate mutating func logTime(_ from: Milliseconds, _ to: Milliseconds) -> Milliseconds {
    // Halvings of the range's quotient, without a logarithm: that differs between libraries.
    var (low, high) = (Double(max(1, from.count)), Double(to.count))
    for _ in 0..<12 {
      let middle = (low * high).squareRoot()
      if once(in: 2) { high = middle } else { low = middle }
    }
    return Milliseconds(Int64(low))
  }
}
