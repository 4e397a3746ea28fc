public import BoardSupport
import CardStore
import FirmwareHost
import TrackerCore

/// A race of a controller: the firmware's own host, its delivery and its card, with the troubles of
/// an explored race around them.
public enum ControllerRace {
  /// Of the firmware; any number.
  private static let coreVersion: UInt32 = 1
  private static let device = UniqueID(high: 0, low: 1)

  /// Plays a race and holds it against the invariants.
  ///
  /// - Parameter twice: whether it is played again, to see whether it is the same.
  /// - Throws: if it cannot be played.
  public static func run(
    _ explored: ExploredCase, on board: BoardDescription, twice: Bool = false
  ) throws -> ExploredRace {
    try run(explored, on: board, twice: twice, cardTroubles: nil)
  }

  /// - Parameter troubles: of the scenario's windows of a full disk; `nil`: as the seed has it.
  static func run(
    _ explored: ExploredCase, on board: BoardDescription, twice: Bool = false,
    cardTroubles troubles: [SimulatedCard.Trouble]?
  ) throws -> ExploredRace {
    let trace = try PreparedTrace(explored.trace)
    let watch = try play(explored, trace, on: board, troubles, keepsEffects: twice)
    if twice {
      let again = try play(explored, trace, on: board, troubles, keepsEffects: true)
      if again.effects != watch.effects {
        watch.add(.sameAgain, "its effects differ", at: watch.controller.now)
      }
    }
    return ExploredRace(
      broken: watch.broken, probes: watch.probes, length: watch.controller.now - .start)
  }

  static func play(
    _ explored: ExploredCase, _ trace: PreparedTrace, on board: BoardDescription,
    _ troubles: [SimulatedCard.Trouble]?, keepsEffects: Bool
  ) throws -> ControllerWatch {
    let file = try explored.configuration(on: board)
    var settings = FirmwareSettings(
      board: board.board, configuration: file.configuration,
      identity: Identity(device: device, team: file.team, seed: explored.seed))
    settings.server.address = InlineText(Array(SimulatedServer.positionAddress.utf8).span)
    settings.server.authority = InlineText(Array("ca.pem".utf8).span)
    settings.batteryRange = board.batteryRange
    let controller = try SimulatedController(
      explored, trace, on: board.board, device: device, cardTroubles: troubles)
    let watch = ControllerWatch(controller, keepsEffects: keepsEffects)
    format(controller.card)
    withUnsafePointer(to: &settings) { settings in
      while !controller.isOver, watch.broken.isEmpty {
        live(controller, settings, watch)
        watch.lifeEnded(isByPower: !controller.isRestarting)
        if !controller.isOver { controller.powerUp() }
      }
    }
    watch.finish()
    return watch
  }

  /// As on a desk, before the race.
  private static func format(_ card: SimulatedCard) {
    let trouble = card.trouble
    card.trouble = nil
    defer { card.trouble = trouble }
    var store = CardStore(DeskSlot(card: card))
    precondition(store.format(log: 1, of: device), "a card without troubles")
  }

  /// From a start to its end.
  private static func live(
    _ controller: SimulatedController, _ settings: UnsafePointer<FirmwareSettings>,
    _ watch: ControllerWatch
  ) {
    let card = UnsafeMutablePointer<CardStore<CardSlot>>.allocate(capacity: 1)
    card.initialize(to: CardStore(CardSlot(controller: controller)))
    defer {
      card.deinitialize(count: 1)
      card.deallocate()
    }
    watch.lifeBegins(card.pointee.finding)
    var host = PoweredHost(
      FirmwareHost(
        ControllerMachine(controller: controller), card: card, settings,
        coreVersion: coreVersion), controller, watch)
    let identity = host.base.identity(settings)
    var tracker = Tracker(
      board: settings.pointee.core.board, configuration: settings.pointee.core.configuration,
      identity: identity, at: host.now)
    TrackerCore.run(&tracker, in: &host)
  }
}

/// The firmware's host as long as there is power.
private struct PoweredHost: Host, ~Copyable {
  var base: FirmwareHost<ControllerMachine, CardSlot>
  private let controller: SimulatedController
  private let watch: ControllerWatch

  init(
    _ base: consuming FirmwareHost<ControllerMachine, CardSlot>,
    _ controller: SimulatedController, _ watch: ControllerWatch
  ) {
    self.base = base
    (self.controller, self.watch) = (controller, watch)
  }

  private var isEnded: Bool { !controller.hasPower || controller.isOver }

  var now: Instant { base.now }
  var newSettings: NewSettings? { base.newSettings }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    if isEnded { return .end }
    let arrival = base.wait(until: deadline, filling: &buffer)
    if isEnded { return .end }
    watch.arrived(arrival)
    return arrival
  }

  mutating func push(_ effect: Effect) {
    // What is without power performs nothing.
    guard !isEnded else { return }
    watch.pushed(effect)
    base.push(effect)
  }

  mutating func remember(_ memory: Memory) {
    guard !isEnded else { return }
    base.remember(memory)
    // Of what was being written when the power failed nobody knows.
    let isKnown = controller.hasPower || controller.isRestarting
    if isKnown { watch.remembered(memory) } else { watch.forgot() }
  }

  mutating func inspect(_ tracker: borrowing Tracker) { base.inspect(tracker) }
}

/// A card on the desk, where it is written without troubles.
private struct DeskSlot: BlockDevice {
  let card: SimulatedCard

  var blockCount: UInt32 { card.blockCount }
  func read(_ number: UInt32, into block: inout Block) -> Bool { card.get(number, into: &block) }
  func write(_ block: inout Block, to number: UInt32) -> Bool { card.write(&block, to: number) }
}
