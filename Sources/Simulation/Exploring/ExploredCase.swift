public import BoardSupport
import CaptureStore
import TrackerCore

/// All that one explored race is made of: what `tracker-sim --trace … --scenario … --config …
/// --board … --seed …` plays.
public struct ExploredCase: Sendable, Equatable {
  /// Of the world's luck.
  public var seed: UInt64
  public var board = "pi-zero-2w-sim7600"
  /// Of a configuration file: a setting or a section each, without its comma.
  public var settings: [String] = []
  public var scenario = Scenario()
  /// What the receiver sends.
  public var trace: [UInt8] = []

  public init(seed: UInt64) { self.seed = seed }

  /// A configuration file.
  public var settingsText: String { ConfigurationFile.text(settings) }

  func configuration(on board: BoardDescription) throws -> ConfigurationFile {
    try ConfigurationFile(settings, on: board)
  }
}

extension World {
  /// The world of a run that is described by files.
  ///
  /// - Parameter store: in memory, if a program of the scenario ends within a write.
  public init(
    _ trace: consuming TracePlayer, on board: BoardDescription, _ settings: ConfigurationFile,
    _ scenario: Scenario, store: CaptureStore, seed: UInt64, server: SimulatedServer? = nil
  ) throws {
    try self.init(
      trace: trace, board: board.board, sensor: board.batterySensor, scenario: scenario,
      store: store, seed: seed, variation: Variation(seed: seed), mayActFor: settings.mayActFor,
      server: server)
    changes.description = board
    hasThermometer = board.thermometer != nil
    use(settings.configuration)
    use(board.radio)
    if scenario.restarts.contains(where: { $0.afterWrites > 0 }) { useTornDisk(seed: seed) }
  }
}
