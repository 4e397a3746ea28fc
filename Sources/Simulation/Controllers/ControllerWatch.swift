import CardStore
import FeatureService
import TrackerCore

/// Holds a controller's race against the invariants: what was announced against what its card and
/// the server have.
final class ControllerWatch {
  /// What was taken so long before the end can have been delivered by then.
  private static let deliveryTime = Milliseconds.minutes(45)

  let controller: SimulatedController
  private(set) var broken: [BrokenInvariant] = []
  private(set) var probes: Set<Probe> = []
  private(set) var effects: [InvariantWatch.Pushed] = []
  /// As the tracker had them stored, by their numbers.
  private var pushed: [UInt32: Capture] = [:]
  /// Those that the tracker was told to be stored, and when.
  private(set) var announced: [UInt32: (capture: Capture, at: Instant)] = [:]
  private let keepsEffects: Bool
  private let hasRefusals: Bool
  private let hasCardTroubles: Bool
  /// What a card has changed, or alone does not give, may be set aside.
  private let hasDamage: Bool
  private var call: UInt32?
  /// Whether a call for help stands, as the tracker remembered last.
  private var isCalling = false
  private var isMounted = true
  /// Since when somebody holds the button, as the tracker was told.
  private var heldSince: Instant?

  init(_ controller: SimulatedController, keepsEffects: Bool) {
    (self.controller, self.keepsEffects) = (controller, keepsEffects)
    hasRefusals = controller.scenario.server.contains { window in
      if case .rejectRequest = window.content.kind { true } else { false }
    }
    hasCardTroubles = !controller.cardTroubles.isEmpty
    hasDamage = controller.cardTroubles.contains { $0 != .isDead && $0 != .hidesWrites }
  }

  func add(_ invariant: Invariant, _ finding: String, at: Instant) {
    guard !broken.contains(where: { $0.invariant == invariant }) else { return }
    let troubles = controller.cardTroubles.map { "\($0)" }
    let card = troubles.isEmpty ? "" : ", with a card that \(troubles.joined(separator: ", "))"
    broken.append(BrokenInvariant(invariant: invariant, at: at, finding: finding + card))
  }

  private func add(_ invariant: Invariant, _ finding: String) {
    add(invariant, finding, at: controller.now)
  }

  // MARK: What passes

  func lifeBegins(_ finding: CardFinding) {
    isMounted = finding == .mounted
    heldSince = nil
    if !isMounted { probes.insert(.diskLoss) }
  }

  func pushed(_ effect: Effect) {
    controller.countTurn()
    if keepsEffects { effects.append(InvariantWatch.Pushed(at: controller.now, effect: effect)) }
    if case .store(let capture) = effect { pushed[capture.sequence] = capture }
    if case .upload(let request) = effect, case .freshest = request.selection {
      probes.insert(.freshestSent)
    }
  }

  func arrived(_ arrival: Arrival) {
    controller.countTurn()
    guard case .event(let event) = arrival else { return }
    switch event {
    case .captureStored(let sequence, _):
      probes.insert(.capture)
      guard let capture = pushed[sequence] else {
        return add(.nothingForeign, "capture \(sequence) is stored, and nobody took it")
      }
      if let before = announced[sequence], before.capture != capture {
        add(.nothingTwice, "number \(sequence) was given to two captures")
      }
      if capture.trigger == .emergency {
        probes.insert(.emergency)
        call = call ?? sequence
      }
      announced[sequence] = (capture, controller.now)
    case .storeFailed: probes.insert(.storeFailed)
    case .pinChanged(.button, let isActive, _): heldSince = isActive ? controller.now : nil
    case .uploadFinished(_, let outcome, _):
      if let probe = outcome.probe { probes.insert(probe) }
    default: break
    }
  }

  func remembered(_ memory: Memory) { isCalling = memory.emergency?.isStanding ?? false }

  func forgot() { isCalling = false }

  // MARK: What there is

  func lifeEnded(isByPower: Bool) {
    // What only the memory had is gone.
    if isByPower, !controller.wasCardWell || !isMounted { forgot() }
    // Held for longer than that it counts as stuck.
    if controller.isRestarting, !controller.isFormatting, let heldSince,
      controller.now - heldSince < .minutes(1)
    {
      add(.emergencyHeard, "the tracker began anew while its button was held")
    }
    holdAgainstCard(isEnd: false)
  }

  func finish() {
    probes.formUnion(controller.outages)
    if controller.isStuck { add(.fewWakes, "it goes on and on without any sleep") }
    guard broken.isEmpty else { return }
    holdAgainstCard(isEnd: true)
  }

  private func holdAgainstCard(isEnd: Bool) {
    var store = CardStore(CardReader(card: controller.card))
    guard store.finding == .mounted else {
      return add(.storeSound, "the card is \(store.finding)")
    }
    var standings: [UInt32: CaptureStanding] = [:]
    var kept: [UInt32: Capture] = [:]
    var key = store.oldestKey
    while key.number <= store.lastKey.number {
      if let capture = store.capture(key) {
        let standing = store.standing(of: key)
        // One whose first write seemed to fail is there twice.
        let isFirst = standings[capture.sequence] == nil || standing == .pending
        if isFirst || standings[capture.sequence] == .delivered {
          (standings[capture.sequence], kept[capture.sequence]) = (standing, capture)
        }
      }
      key = CaptureKey(key.number + 1)
    }
    var served: [UniqueID: TakenCapture] = [:]
    for taken in controller.stored { if let id = taken.id { served[id] = taken } }
    // A server that refuses the oldest and the newest that wait seems to refuse all.
    let newest = standings.filter { $0.value == .pending }.keys.max()
    let isWitnessBad = newest.map(controller.scenario.badCaptures.contains) ?? false
    for (sequence, (capture, at)) in announced.sorted(by: { $0.key < $1.key }) {
      let id = UniqueID(device: store.tracker, sequence: sequence)
      if let taken = served[id] {
        if sequence == call { probes.insert(.emergencyDelivered) }
        if taken.trigger.map({ $0 != "\(capture.trigger.name)" }) ?? false
          || capture.position.map({ $0 != taken.position }) ?? false
          || taken.moment.map({ $0 / 1000 != (capture.utc?.milliseconds ?? 0) / 1000 }) ?? false
        {
          add(.nothingChanged, "the server has another capture \(sequence)")
        }
        continue
      }
      if let there = kept[sequence], there != capture {
        add(.nothingChanged, "the card has another capture \(sequence)")
      }
      switch standings[sequence] {
      case .pending:
        let isBad = controller.scenario.badCaptures.contains(sequence)
        if isEnd, !isBad, !isWitnessBad, controller.endsAt - at > Self.deliveryTime {
          add(.allDelivered, "capture \(sequence) is still pending")
        }
      case .setAside:
        let isBad = controller.scenario.badCaptures.contains(sequence)
        if !isBad && !hasRefusals && !hasDamage {
          add(.onlyBadSetAside, "capture \(sequence) is set aside")
        }
        probes.insert(.setAside)
      case .delivered:
        add(.onlyTrueAcknowledgements, "capture \(sequence) counts as delivered")
      case nil: add(.nothingLost, "capture \(sequence) is gone")
      }
    }
    for taken in controller.stored {
      guard let id = taken.id, let sequence = id.sequence(of: store.tracker),
        pushed[sequence] != nil
      else {
        add(.nothingForeign, "the server has capture \(taken.sequence ?? 0) of nobody")
        continue
      }
    }
    if isEnd, isCalling, !hasRefusals, controller.scenario.badCaptures.isEmpty,
      !controller.stored.contains(where: { $0.trigger == "\(Trigger.emergency.name)" })
    {
      add(.emergencyHeard, "a call for help stands, and none has arrived")
    }
    guard isEnd, !hasCardTroubles else { return }
    for sequence in 1...max(1, announced.keys.max() ?? 1)
    where announced[sequence] == nil && !announced.isEmpty
      && served[UniqueID(device: store.tracker, sequence: sequence)] == nil
      && standings[sequence] == nil
    {
      add(.noGap, "there is no capture \(sequence)")
    }
    if let call, !hasRefusals, !controller.scenario.badCaptures.contains(call),
      served[UniqueID(device: store.tracker, sequence: call)] == nil
    {
      add(.emergencyHeard, "the call for help \(call) did not arrive")
    }
  }
}

extension UploadOutcome {
  fileprivate var probe: Probe? {
    switch self {
    case .answered(_, let refused, _, _): refused > 0 ? .refusedCapture : .delivery
    case .refused: .refused
    case .unauthorised: .unauthorised
    case .busy: .busy
    case .unreachable: .unreachable
    case .ambiguous: .ambiguous
    case .stalled, .empty: nil
    }
  }
}
