import BoardSupport
import CommandLineSupport
import Simulation
import TrackerCore
import Wording

/// `tracker-sim explore --controller FINDING…`: plays races of a controller again that `--keep` has
/// written.
struct KeptRace {
  private let folder: String
  private let board: String
  private let seed: UInt64

  /// - Parameter others: options that choose races.
  /// - Returns: the exit code: 1 if an invariant does not hold.
  static func run(_ arguments: Arguments, refusing others: [Option]) throws -> Int32 {
    if let other = others.first(where: arguments.has) {
      throw UsageError("\(other.name): does not go with a finding; leave it out")
    }
    let races = try arguments.operands.map { try KeptRace($0, arguments) }
    var isAllWell = true
    for race in races {
      let broken = try race.play().broken
      let lines = broken.isEmpty ? ["all holds"] : broken.map(\.description)
      try printOut(lines.map { "\(race.folder): \($0)\n" }.joined())
      isAllWell = isAllWell && broken.isEmpty
    }
    return isAllWell ? 0 : 1
  }

  /// What is not given is what the finding's own command says.
  private init(_ folder: String, _ arguments: Arguments) throws {
    self.folder = folder
    let path = folder + "/WHY"
    let words = String(
      decoding: try InputFile.regularBytes(of: path, atMost: SimulatorBounds.hintBytes),
      as: UTF8.self
    ).split(whereSeparator: \.isWhitespace).map(String.init)
    func word(after option: String) -> String? {
      words.lastIndex(of: option).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }
    let seed =
      arguments.number(.seed).map { UInt64($0) } ?? word(after: "--seed").flatMap(UInt64.init)
    guard let seed, let board = arguments.text(.board) ?? word(after: "--board") else {
      throw UsageError("\(path): has no command with --board and --seed; give them")
    }
    let isGiven = arguments.has(.seed) && arguments.has(.board)
    guard isGiven || words.contains("--controller") else {
      throw UsageError("\(path): is not of a controller; type the command in its last line")
    }
    (self.seed, self.board) = (seed, board)
  }

  private func play() throws -> ExploredRace {
    let (trace, config) = (folder + "/trace.nmea", folder + "/config.json5")
    var race = ExploredCase(seed: seed)
    race.board = board
    race.trace = try InputFile.regularBytes(of: trace, atMost: SimulatorBounds.hintBytes * 64)
    // What is wrong with a file is to be said with its name.
    _ = try PreparedTrace(path: trace)
    race.scenario = try Scenario.load(path: folder + "/scenario.json5")
    _ = try ConfigurationFile.load(path: config)
    race.settings = try SettingsText.members(
      of: InputFile.regularBytes(of: config, atMost: SimulatorBounds.hintBytes))
    return try ControllerRace.run(race, on: BoardDescription.load(named: board), twice: true)
  }
}
