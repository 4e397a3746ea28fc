import BoardSupport
import CaptureStore
import Courier
import TrackerCore
import Uplink

extension World {
  /// What people change at a tracker while its program does not run.
  struct Changes {
    /// Whoever changes a board has its file.
    var description: BoardDescription?
    /// `nil`: that of the start.
    var board: Board?
    var configuration: Configuration?
    /// What the program has been told last.
    var inForce = Configuration()
    var copies: [CardCopy] = []
    var deviceCount: UInt64 = 1
    /// Called before the program learns of it. It must change nothing.
    var onChange: ((Changed, Instant) -> Void)?
  }

  /// What was on a card at a moment.
  struct Image {
    var at: Instant
    var bytes: [UInt8]
  }

  /// What is different for the program that begins now, or reads its configuration again.
  enum Changed {
    case configuration(Configuration)
    case reloaded(Configuration)
    case board
    case device(UniqueID)
  }

  /// A second tracker, with what was on this one's card.
  struct CardCopy {
    var image: Image
    /// Whether its computer cannot be told from this one's: then it is the same device.
    var isTwin: Bool
  }

  mutating func change(_ restart: Restart) throws {
    if let card = restart.card { try change(card) }
    if let board = restart.board { use(board) }
    if let settings = restart.settings { try use(settings) }
  }

  private mutating func change(_ card: Restart.Card) throws {
    switch card {
    case .moved:
      changes.deviceCount += 1
      let device = UniqueID(high: 0, low: changes.deviceCount)
      try use(openedStore(store.image(), for: .device(device)))
      room.calls = ShownCalls()
      changes.onChange?(.device(device), now)
    case .copied, .twin:
      let image = Image(at: now, bytes: try store.image())
      changes.copies.append(CardCopy(image: image, isTwin: card == .twin))
    }
  }

  mutating func use(_ other: CaptureStore) throws {
    other.placeNames = store.placeNames
    courier = Courier(
      other, try SimulatedServer.anyDialogue(scenario.service, code: given.code),
      mayActFor: given.mayActFor, boot: boot)
    identity?.device = other.device
  }

  private mutating func use(_ other: BoardDescription) {
    changes.description = other
    changes.board = other.board
    given = Given(
      board: other.board, sensor: other.batterySensor, scenario: scenario, code: given.code,
      mayActFor: given.mayActFor)
    hasThermometer = other.thermometer != nil
    use(other.radio)
    changes.onChange?(.board, now)
  }

  private mutating func use(_ settings: [String]) throws {
    let file = try ConfigurationFile(settings, on: changes.description, path: path(of: "restart"))
    changes.configuration = file.configuration
    identity?.team = file.team
    identity?.hasLeftModem = bearer != .none && file.configuration.bearer == .none
    use(file.configuration)
    changes.onChange?(.configuration(file.configuration), now)
  }

  /// What an error names, as the scenario has the settings: their line in it is not known here.
  private func path(of change: String) -> String {
    "settings of the \(change) at \(clockText(now - .start))"
  }

  /// Passes new settings to the program, if one runs.
  mutating func reload(_ settings: [String]) -> Arrival? {
    guard haltedMachine == nil else { return nil }
    do {
      let file = try ConfigurationFile(settings, on: changes.description, path: path(of: "reload"))
      let new = file.configuration.keepingFixed(of: changes.inForce)
      (changes.configuration, changes.inForce) = (new, new)
      identity?.team = file.team
      newSettings = NewSettings(new, team: file.team)
      changes.onChange?(.reloaded(new), now)
      return .newSettings
    } catch {
      problem = error
      return nil
    }
  }
}

extension ConfigurationFile {
  /// - Parameters:
  ///   - settings: its members, without commas.
  ///   - path: what an error names.
  init(
    _ settings: [String], on board: BoardDescription?, path: String = "config.json5"
  ) throws {
    try self.init(.parse(Array(Self.text(settings).utf8), path: path))
    guard let board else { return }
    adoptDefaults(of: board)
    try check(on: board, path: path)
  }

  static func text(_ settings: [String]) -> String {
    "{\n" + settings.map { "  \($0),\n" }.joined() + "}\n"
  }
}
