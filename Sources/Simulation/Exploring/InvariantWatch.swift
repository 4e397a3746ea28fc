import CaptureStore
import FeatureService
import NMEA
public import TrackerCore

/// Watches a run, and says which invariants do not hold in it.
public final class InvariantWatch: HostObserver {
  struct Pushed: Equatable {
    var at: Instant
    var effect: Effect
  }

  /// Identifies a capture as long as no card loses what was on it.
  struct Name: Hashable {
    var device: UniqueID
    var sequence: UInt32
  }

  /// Why nothing is captured, or sent.
  struct Stated {
    /// `nil`: it is being done.
    var reason: Reason?
    /// Since when, or when something came of it last.
    var since = Instant.start
    var isKnown = false
  }

  /// In the order in which they were noticed; each invariant once.
  public private(set) var broken: [BrokenInvariant] = []
  public private(set) var probes: Set<Probe> = []
  private(set) var transitions = TransitionCoverage()
  /// What the server has stored, in its order, once the run has ended.
  public private(set) var deliveries: [Delivery] = []
  private var storedAt: [Instant] = []
  var keepsEffects = false
  private(set) var effects: [Pushed] = []

  let scenario: Scenario
  private(set) var configuration: Configuration
  /// What held until the settings were changed.
  private(set) var floorBefore: (floor: Milliseconds, until: Instant)?
  var capturing = Stated()
  var sending = Stated()
  /// When the program last heard of something.
  private var aliveAt = Instant.start
  /// The program was killed and has not begun again: what it does is not done.
  private var hasEnded = false
  /// When the program last began.
  var begun = Instant.start
  private(set) var starts = 1
  /// When each was announced that is to be in the store.
  var announced: [Name: Instant] = [:]
  /// Who captures now, and who did first.
  private var device = UniqueID(high: 0, low: 0)
  private(set) var firstDevice = UniqueID(high: 0, low: 0)
  /// Captures that the store has no more, and those in other trackers' stores.
  var elsewhere: [StoredCapture] = []
  /// Whether what is on the card was sent before, or is sent by another tracker, and the card does
  /// not know.
  private(set) var isUnaware = false
  private(set) var isTwin = false
  /// This run is of a tracker that began with another one's card.
  private(set) var isCopy = false
  /// Those that walk beside the first tracker with copies of its card.
  var copies: [CopiedTracker] = []
  var makeCopy: ((World.CardCopy, borrowing World) throws -> CopiedTracker)?
  var copyProblem: (any Error)?
  var isStoring = false
  var isSending = false
  /// What the server has stored, in its order.
  var taken: [TakenCapture] = []
  /// Deadlines reached in the present ten minutes, and when those began.
  var wakes = (count: 0, since: Instant.start)
  /// This start of the program is the first whose bearer is not the modem's any more.
  private(set) var hasLeftModem = false
  private var leavesModem = false
  /// The modem's, as the tracker sees it.
  var phase = ModemPhase.off
  var modem = ModemWatch(restsOn: false)
  /// Since when the radio has been on without a contact.
  var idleRadioSince: Instant?
  var contactSince: Instant?
  private(set) var deliveredAt = Instant.start
  /// When the world was last seen with nothing to deliver.
  var nothingWaitedAt = Instant.start
  /// A capture was set aside while the server began to refuse all.
  private(set) var hasTurned = false
  /// Of the last ten minutes.
  var failures: [Instant] = []
  /// The same, since the server has taken something or the program began.
  var failuresInRow: [Instant] = []
  /// When a call for help stood last, or its end was not delivered.
  var urgentAt = Instant.start - .hours(1)
  var requestsBefore: [(at: Instant, count: UInt32)] = []
  var orders = OrderTruth()
  var promises = PromiseWatch()
  var urgent = UrgentWatch()
  private(set) var fetch = FetchWatch()
  private(set) var answers = AnswerWatch()
  var outgoing = SendingWatch()
  /// What the server has stored since the last call for help.
  private(set) var callBegins = 0
  /// When the world was last looked at.
  var lookedAt = Instant.start

  public init(_ scenario: Scenario, _ configuration: Configuration) {
    self.scenario = scenario
    self.configuration = configuration
    orders.session = configuration.startsBySelf
  }

  /// Has itself shown the world during the run.
  public func look(at world: inout World) {
    modem.restsOn = world.board.modem.rest == .radioOff
    (device, firstDevice) = (world.store.device, world.store.device)
    world.changes.onChange = { [self] in changed($0, at: $1) }
    world.onStored = { [self] captures, now in
      taken += captures
      storedAt += captures.map { _ in now }
    }
    world.onSending = { [self] in sends($0, at: $1) }
    world.onReply = { [self] in replied($0) }
    world.room.onAnswer = { [self] in answers.add($0) }
    world.onProgramEnd = { [self] in hasEnded = true }
    world.onReopening = { [self] in reopened($0) }
    world.onDiskLoss = { [self] in diskLost($0, leaving: $1) }
    world.beginLooking { [self] tracker, world in looked(tracker, world) }
    guard makeCopy != nil else { return }
    world.sliceEnd = world.now
    world.onSlice = { [self] in advanceCopies(of: $0) }
  }

  /// From now on there is another tracker with what was on this card.
  func beginSharing(isTwin: Bool) {
    self.isTwin = self.isTwin || isTwin
    isUnaware = true
  }

  /// What both have done is to be judged.
  func know(_ first: InvariantWatch) {
    (taken, elsewhere, hasTurned) = (first.taken, first.elsewhere, hasTurned || first.hasTurned)
  }

  /// This run is of a tracker that began with what another one had, on the same server.
  func follow(_ first: InvariantWatch, isTwin: Bool) {
    (self.isTwin, isCopy) = (isTwin, true)
    isUnaware = true
    (taken, elsewhere, firstDevice) = (first.taken, first.elsewhere, first.firstDevice)
    callBegins = taken.count
    // It was set aside before.
    hasTurned = first.hasTurned || first.isDice
    orders.lost()
  }

  /// What was found in a run that followed this one.
  func learn(from other: InvariantWatch) {
    (taken, elsewhere) = (other.taken, other.elsewhere)
    probes.formUnion(other.probes)
    transitions.formUnion(other.transitions)
    deliveries += other.deliveries
    for found in other.broken { claim(found.invariant, false, at: found.at, found.finding) }
    effects += other.effects
  }

  private func changed(_ change: World.Changed, at now: Instant) {
    switch change {
    case .configuration(let edited):
      if edited.startsBySelf != configuration.startsBySelf { orders.session = nil }
      leavesModem = configuration.bearer != .none && edited.bearer == .none
      configuration = edited
      hit(.settingsEdited)
    case .reloaded(let new):
      if new.startsBySelf != configuration.startsBySelf { orders.session = nil }
      floorBefore = (configuration.reconnectFloor, now)
      configuration = new
      hit(.settingsReloaded)
    case .board: hit(.boardChanged)
    case .device(let other):
      device = other
      hit(.cardMoved)
    }
  }

  func hit(_ probe: Probe) { probes.insert(probe) }

  func claim(
    _ invariant: Invariant, _ holds: Bool, at now: Instant, _ finding: @autoclosure () -> String
  ) {
    guard !holds, !broken.contains(where: { $0.invariant == invariant }) else { return }
    broken.append(BrokenInvariant(invariant: invariant, at: now, finding: finding()))
  }

  /// Keeps what others judge of the run.
  func keep(_ tracker: borrowing Tracker, _ world: borrowing World) {
    transitions.take(tracker)
    for (capture, at) in zip(taken.suffix(storedAt.count), storedAt) {
      Delivery(capture, at: world.serverUTC(at: at)).map { deliveries.append($0) }
    }
  }

  // MARK: What passes between the tracker and its host

  public func arrived(_ arrival: Arrival, at now: Instant) {
    switch arrival {
    case .event(let event): happened(event, at: now)
    case .restart: return restarted(at: now)
    case .bytes, .newSettings, .inspection, .end: break
    }
    aliveAt = now
  }

  private func happened(_ event: Event, at now: Instant) {
    switch event {
    case .deadlineReached: woke(at: now)
    case .captureStored:
      capturing.since = now
      isStoring = false
    case .storeFailed:
      capturing.since = now
      isStoring = false
      urgent.refusedCapture(at: now)
      hit(.storeFailed)
    case .uploadFinished(_, let outcome, _):
      sending.since = now
      countFailure(outcome, at: now)
      urgent.finished(outcome, at: now)
      sent(outcome)
      isSending = false
      count(outcome, at: now)
      if case .answered(1..., _, _, _) = outcome {
        deliveredAt = now
        promises.heard(at: now)
      }
    case .reconcileFinished(_, let outcome, _):
      if case .settled = outcome {
        failuresInRow = []
        if scenario.service.takesGlobalIDs { outgoing.asked() }
      }
      sending.since = now
      isSending = false
      hit(.reconcile)
    case .linkChanged(let isUp):
      sending.since = now
      if isUp { hit(.link) } else { urgent.goesOn() }
    case .textFinished(_, let wasSent): if wasSent { hit(.textSent) }
    case .commandGiven(let command, let origin):
      if command == .raiseEmergency { callBegins = taken.count }
      if command == .askForCall { hit(.callAsked) }
      if command == .tryPIN, scenario.sim.pin != nil { hit(.pinOrdered) }
      promises.forget()
      orders.given(command, from: origin, at: now)
      modem.isOrdered()
    case .fetchFinished(_, let outcome):
      sending.since = now
      fetch.finished(outcome, messages: scenario.people.count, calmFrom: calmFrom)
    case .batteryMeasured, .batteryLost, .queueChanged, .textsRead, .haltRefused,
      .lineChanged, .pinChanged:
      break
    }
  }

  private func count(_ outcome: UploadOutcome, at now: Instant) {
    switch outcome {
    case .answered(let acknowledged, let refused, _, _):
      if acknowledged > 0 { hit(.delivery) }
      if acknowledged > 0, has(scenario.server, .seconds(0), at: now, { $0.above != nil }) {
        hit(.smallRequestTaken)
      }
      if refused > 0 { hit(.refusedCapture) }
    case .refused: hit(.refused)
    case .unauthorised: hit(.unauthorised)
    case .busy: hit(.busy)
    case .unreachable: hit(.unreachable)
    case .ambiguous: hit(.ambiguous)
    case .stalled, .empty: break
    }
  }

  private func restarted(at now: Instant) {
    if isSending { hit(.killWhileSending) }
    if isStoring { hit(.killWhileStoring) }
    (isSending, isStoring) = (false, false)
    (capturing, sending) = (Stated(since: now), Stated(since: now))
    (begun, phase, hasEnded) = (now, .off, false)
    failuresInRow = []
    (hasLeftModem, leavesModem) = (leavesModem, false)
    // A program whose disk is full has given no answer.
    let isSaved = !has(scenario.store, .seconds(15), at: aliveAt) { $0 == .full }
    orders.restarted(isSaved: isSaved, endedAt: aliveAt)
    promises.forget()
    urgent = UrgentWatch()
    // When the program before joined the network is forgotten.
    modem = ModemWatch(restsOn: modem.restsOn)
    // It is asked about captures in flight where it might take them twice only.
    outgoing.restarted(forgets: scenario.service.takesGlobalIDs)
    starts += 1
  }

  /// Whatever a cut has torn, the next program goes on with it.
  private func reopened(_ result: Result<CaptureStore, any Error>) {
    switch result {
    case .success(let store):
      let isWhole = store.opening == .opened && store.damagedRows == 0
      claim(.storeSound, isWhole, at: aliveAt, "after a cut it was \(store.opening)")
    case .failure(let error):
      claim(.storeSound, false, at: aliveAt, "after a cut it cannot be opened: \(error)")
    }
  }

  /// Nobody can promise what a card has lost. But the numbers of what is lost may be in use on the
  /// server.
  private func diskLost(_ before: CaptureStore, leaving after: CaptureStore) {
    orders.lost()
    outgoing.lost()
    isUnaware = true
    guard let old = try? before.page(limit: .max), let left = try? after.page(limit: .max) else {
      return
    }
    // A name may be given again, and a new identifier be lost with the card.
    let (origins, ids) = (Set(left.map { CaptureOrigin($0) }), Set(left.map(\.id)))
    let gone = old.filter { !origins.contains(CaptureOrigin($0)) || !ids.contains($0.id) }
    if !gone.isEmpty { hit(.diskLoss) }
    elsewhere += gone
    let names = Set(left.map(\.name))
    for capture in gone where !names.contains(capture.name) { announced[capture.name] = nil }
  }

  public func pushed(_ effect: Effect, at now: Instant) {
    if keepsEffects { effects.append(Pushed(at: now, effect: effect)) }
    if hasEnded { return }
    switch effect {
    case .note(let note): noted(note, at: now)
    case .store(let capture):
      // After a restart a call's end is captured again, and urgent until it is delivered.
      if [.emergency, .emergencyOver].contains(capture.trigger) { urgentAt = now }
      isStoring = true
      urgent.storing()
    case .upload(let request):
      (isSending, sending.since) = (true, now)
      urgent.goesOn()
      promises.sent(request)
      outgoing.begins()
      checkSize(of: request, at: now)
    case .reconcile: (isSending, sending.since) = (true, now)
    case .fetch:
      sending.since = now
      fetch.begins(at: now)
    case .setAside(let what): setsAside(what, at: now)
    case .sendToReceiver(.sleep): hit(.receiverSleeps)
    case .sendToModem(let command):
      if command == .radioOn { modem.turnsRadioOn(at: now) }
      if command == .radioOff { modem.turnsRadioOff() }
      if command == .enterPIN { hit(.pinEntered) }
      if hasLeftModem { hit(.modemLeft) }
    case .halt: hit(.halt)
    case .pulse, .setPin, .setLight, .setModemBaud, .sendToReceiver,
      .setLink, .sendText, .readTexts, .rememberPIN:
      break
    }
  }

  public func remembered(_ memory: Memory, at now: Instant) {
    if !hasEnded { orders.remembered(memory, at: now) }
  }

  private func setsAside(_ what: SetAside, at now: Instant) {
    hit(.setAside)
    let turns = turns(before: now)
    hasTurned = hasTurned || turns
    // What was set aside wrongly once excuses nothing later.
    guard case .capture(_, let code) = what, scenario.badCaptures.isEmpty else { return }
    claim(
      .onlyBadSetAside, turns || isDice, at: now,
      "a capture is set aside with code \(code), and the server has taken nothing for "
        + clockText(now - deliveredAt))
  }

  /// Whether the server has begun to refuse all that comes since it has accepted something, or has
  /// only told that it has something, or accepts what is smaller: then what is refused alone looks
  /// like what a server refuses that accepts others.
  private func turns(before now: Instant) -> Bool {
    scenario.server.contains { window in
      guard case .rejectRequest = window.content.kind else { return false }
      let begin = Instant.start + window.from
      // What was refused last may have been sent as it ended.
      let isOpen = window.to.map { now < .start + $0 + .minutes(2) } ?? true
      let isForSome = isOpen && window.content.above.map { $0 < Self.loneRequestBytes } ?? false
      let isSince = deliveredAt <= begin || window.content.target != .all || isForSome
      return isSince && begin <= now && now - deliveredAt < .minutes(5)
    }
  }

  /// What a request with one capture takes at most.
  private static let loneRequestBytes = 2000

  private func noted(_ note: Note, at now: Instant) {
    switch note {
    case .captured(let sequence):
      hit(.capture)
      announced[Name(device: device, sequence: sequence)] = now
      outgoing.stored(sequence, of: device)
    case .capturing(let reason):
      judge(capturing, at: now)
      capturing = Stated(reason: reason, since: now, isKnown: true)
    case .sending(let reason):
      judge(sending, at: now)
      sending = Stated(reason: reason, since: now, isKnown: true)
      if let reason {
        modem.sendsNothing(reason)
        outgoing.rests(reason)
      }
    case .modem(let phase): modemDoes(phase, at: now)
    case .modemRecovery(let recovery): modemRecovers(by: recovery, at: now)
    case .fixRejected: hit(.fixRejected)
    case .clockTrusted(let date):
      hit(.clockTrusted)
      promises.dated(date, at: now)
    case .weekRolloverCorrected: hit(.rollover)
    case .receiverSilent: hit(.receiverSilent)
    case .receiverHeard: hit(.receiverHeard)
    case .sessionStarted: orders.isRunning = true
    case .sessionStopped:
      orders.isRunning = false
      hit(.sessionStopped)
    case .sessionFinished:
      orders.isRunning = false
      hit(.sessionFinished)
    case .emergency(let stage):
      if stage != .raised { urgent.staged() }
      urgentAt = now
      switch stage {
      case .raised:
        urgent.raised(at: now, isSending: isSending)
        let own = announced.keys.filter { $0.device == device }
        answers.raised(after: own.map(\.sequence).max() ?? 0)
        hit(.emergency)
      case .delivered: hit(.emergencyDelivered)
      case .withdrawn: hit(.emergencyWithdrawn)
      case .read: shows(.read, at: now)
      case .ended: shows(.ended, at: now)
      case .stored: break
      }
    default: break
    }
  }

  // MARK: The world, once a minute

  private func looked(_ tracker: borrowing Tracker, _ world: borrowing World) {
    let now = world.now
    defer { lookedAt = now }
    if tracker.isEmergency { urgentAt = now }
    guard world.haltedMachine == nil, world.effectsLeft == nil else {
      (idleRadioSince, contactSince) = (nil, nil)
      return
    }
    checkSilence(at: now)
    judge(capturing, at: now)
    judge(sending, at: now)
    checkStopped(
      isRunning: tracker.isSessionRunning, isUrgent: tracker.isEmergency, at: now)
    checkWait(at: now)
    checkRadio(world)
    checkContact(world)
    checkReturn(world)
    checkQueues(world)
    modem.restsOn = world.board.modem.rest == .radioOff
    checkFault(at: now)
    checkSIM(world)
    checkCall(at: now)
    checkUrgent(at: now)
    checkPromise(tracker.pending, at: now)
    if now - begun > .minutes(1), now > lookedAt {
      let (wanted, isRunning) = (orders.wantsSession(at: now), tracker.isSessionRunning)
      claim(
        .ordersObeyed,
        wanted.map { $0 == isRunning || $0 && mayBeFinished(at: now) } ?? true, at: now,
        "the session \(isRunning ? "runs" : "does not run") against the last order")
    }
  }
}
