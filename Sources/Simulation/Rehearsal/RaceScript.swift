import FeatureService
import TrackerCore

/// What happens in one race of many teams, drawn from its seed: who walks how, and what goes wrong
/// for whom. All ranges are assumptions, unverified.
///
/// Times count from `begin`, when the first trackers may be switched on.
struct RaceScript: Sendable {
  /// From `begin` to the start of the first wave.
  static let beforeStart = Milliseconds.minutes(30)
  /// From the first start to the closing of the finish, for which the trackers are configured.
  static let limit = Milliseconds.hours(32)
  /// From the first start to the last one.
  static let lastWave = Milliseconds.minutes(40)
  /// A valley is as long as this, metres.
  private static let valleyMetres = 2000.0...6000.0
  private static let serverOutage = Milliseconds.hours(1)

  let seed: UInt64
  let begin: UTC
  /// How far the server's clock is ahead.
  let serverClockAhead: Milliseconds
  /// The part of the course without a network, metres.
  let valley: ClosedRange<Double>
  let serverFault: Fault
  let teams: [TeamScript]

  /// - Parameter valley: the seed of another race whose valley this one has.
  init(
    seed: UInt64, start: UTC, teams count: Int, length: Double, valley other: UInt64? = nil
  ) {
    self.seed = seed
    let begin = start + Milliseconds(-Self.beforeStart.count)
    self.begin = begin
    var random = SeededGenerator(seed: seed, stream: 500)
    serverClockAhead = Variation(seed: seed).serverClockAhead
    let own = Self.valley(&random, length)
    var others = SeededGenerator(seed: other ?? seed, stream: 500)
    valley = other == nil ? own : Self.valley(&others, length)
    var fault = Fault([.refuse, .http(status: 503), .timeout][random.whole(in: 0...2)])
    fault.from = Self.beforeStart + .minutes(Int64(random.whole(in: 120...1200)))
    fault.until = fault.from + Self.serverOutage
    serverFault = fault
    var teams = (1...count).map { TeamScript(number: $0, seed: seed, begin: begin) }
    var order = Array(teams.indices)
    for index in order.indices.dropLast() {
      order.swapAt(index, random.whole(in: index...order.count - 1))
    }
    // Of few teams half fare well.
    let hit = order.prefix(count / 2)
    let mishaps = Self.mishaps(length: length, &random, clone: order[0])
    for (index, mishap) in zip(hit.dropFirst(), mishaps) { teams[index].mishap = mishap }
    for team in teams {
      guard case .clone(let original) = team.mishap else { continue }
      teams[team.number - 1].copyCard(of: teams[original])
      teams[original].isCopied = true
    }
    self.teams = teams
  }

  private static func valley(
    _ random: inout SeededGenerator, _ length: Double
  ) -> ClosedRange<Double> {
    let valleyLength = min(random.real(in: valleyMetres), length / 4)
    let from = random.real(in: 0.1...0.85) * (length - valleyLength)
    return from...from + valleyLength
  }

  /// One of each kind.
  private static func mishaps(
    length: Double, _ random: inout SeededGenerator, clone: Int
  ) -> [Mishap] {
    func somewhere(_ random: inout SeededGenerator) -> Double {
      random.real(in: 0.05...0.95) * length
    }
    let givesUp = Mishap.givesUp(metres: somewhere(&random))
    let lost = Mishap.getsLost(
      metres: somewhere(&random), away: random.real(in: 1000...3000),
      bearing: random.real(in: 0...2 * Double.pi))
    let smashed = Mishap.smashed(metres: somewhere(&random))
    let empty = Mishap.emptyBattery(startPercent: Int32(random.whole(in: 20...45)))
    let network = Mishap.losesNetwork(metres: somewhere(&random))
    let fix = Mishap.losesFix(metres: somewhere(&random))
    let dies = random.whole(in: 0...1) == 0 ? smashed : empty
    let antenna = random.whole(in: 0...1) == 0 ? network : fix
    return [givesUp, lost, dies, antenna, .clone(of: clone)]
  }
}

/// What goes wrong for one team. Metres are along the course.
enum Mishap: Sendable, Equatable {
  /// Stops for good.
  case givesUp(metres: Double)
  /// Leaves the course in a direction (radians from north) for so many metres, and comes back.
  case getsLost(metres: Double, away: Double, bearing: Double)
  /// The tracker breaks.
  case smashed(metres: Double)
  /// The tracker was not charged.
  case emptyBattery(startPercent: Int32)
  /// The modem's antenna breaks off.
  case losesNetwork(metres: Double)
  /// The receiver's antenna breaks off.
  case losesFix(metres: Double)
  /// The tracker's card is a copy of another team's, by its index.
  case clone(of: Int)
}

/// One team of a race, before it walks.
struct TeamScript: Sendable {
  enum Model: Sendable {
    case walker(SynthOptions)
    case hike(Hike)
  }

  /// From 1 on.
  let number: Int
  let seed: UInt64
  let device: UniqueID
  /// The tracker's code on the server.
  private(set) var code: String
  private(set) var name: String
  let model: Model
  let start: Milliseconds
  let switchedOn: Milliseconds
  /// After the arrival, until somebody stops the tracker; `nil`: nobody does.
  let stoppedAfter: Milliseconds?
  let configuration: Configuration
  var mishap: Mishap?
  /// Whether another tracker has a copy of its card.
  var isCopied = false

  init(number: Int, seed race: UInt64, begin: UTC) {
    self.number = number
    var random = SeededGenerator(seed: race, stream: 600 + UInt64(number))
    seed = random.next() >> 1
    device = UniqueID(
      high: random.next() & ~0xF000 | 0x4000, low: random.next() & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
    code = Self.code(number)
    name = Self.name(number)
    start = RaceScript.beforeStart + .minutes(Int64(random.whole(in: 0...2)) * 20)
    switchedOn = start - .minutes(Int64(random.whole(in: 5...25)))
    let stays = Milliseconds.minutes(Int64(random.whole(in: 10...40)))
    stoppedAfter = random.unit() < 0.7 ? stays : nil
    model = Self.model(number, seed: seed, start: begin + start, &random)
    configuration = Self.configuration(begin, &random)
  }

  static func code(_ number: Int) -> String { number < 10 ? "TW0\(number)" : "TW\(number)" }
  static func name(_ number: Int) -> String { "Equip \(number)" }

  /// Half of the teams are of each model.
  private static func model(
    _ number: Int, seed: UInt64, start: UTC, _ random: inout SeededGenerator
  ) -> Model {
    guard number % 2 == 0 else {
      var options = SynthOptions()
      options.seed = seed
      options.start = start
      options.paceKilometresPerHour = random.real(in: 4.2...6.4)
      return .walker(options)
    }
    var hike = Hike()
    switch random.whole(in: 0...4) {
    case 0: (hike.pace, hike.rest) = (4...4.6, 20...30)
    case 1: (hike.pace, hike.rest, hike.fatigue) = (5.8...7.5, 5...15, 0...0.3)
    case 2: (hike.ground, hike.stopEvery, hike.stopMinutes) = (0.1...0.25, 8, 9)
    default: break
    }
    return .hike(hike)
  }

  private static func configuration(
    _ begin: UTC, _ random: inout SeededGenerator
  ) -> Configuration {
    var configuration = Configuration()
    configuration.finish = .at(begin + RaceScript.beforeStart + RaceScript.limit)
    switch random.whole(in: 0...3) {
    case 0: configuration.transmitInterval = .minutes(20)
    case 1: break
    default: configuration.capture = .adaptive(interval: .minutes(10))
    }
    if random.unit() < 0.5 { configuration.receiverUse = .dutyCycle }
    return configuration
  }

  /// The organiser's settings are on the card, too.
  mutating func copyCard(of other: TeamScript) { (code, name) = (other.code, other.name) }
}

extension SeededGenerator {
  mutating func real(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }
}
