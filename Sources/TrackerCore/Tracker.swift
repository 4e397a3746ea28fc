import NMEA

/// All decisions of a tracker, without any I/O.
///
/// Bytes and events come in with the time, effects go out, and `nextDeadline` is when it has to be
/// called if nothing happens before. The same calls give the same effects on every machine.
public struct Tracker: Sendable, Equatable {
  public let board: Board
  public internal(set) var configuration: Configuration
  var identity: Identity

  var decoder = Decoder()
  var modemLine = ModemLineBuffer()
  var clock: Clock
  var filter: FixFilter
  var odometer = Odometer()
  var course = CourseWatch()
  var watch: ReceiverWatch
  var gauge: BatteryGauge
  var loadMeter: LoadMeter
  var budget: EnergyBudget
  var link: Link
  var uploader: Uploader
  var session: Session
  var button = Button()
  var emergencyButton = Button()
  var emergency = EmergencyWatch()
  var outputs = Outputs()
  var halt: HaltWatch
  /// How long the machine was halted before this start, until the battery is measured.
  var slept: Milliseconds?
  /// From which record this tracker has gone on; `nil`: from none, or it is of no use any more.
  var waking: Waking?
  /// Whether the memory has changed and is to be saved.
  var isMemoryDue = false
  /// Whether the next capture is the last one before the battery ends.
  var isFinalContactDue = false

  /// When the open epoch is closed if no further sentence comes.
  var epochEndsAt: Instant?
  var tally = FixTally()
  var lastReported = LastReported()
  private var hasBegun = false
  /// When something else than the receiver's report is next due; `nil`: not known, or nothing is.
  private var otherDeadline: Instant?
  /// Until then nothing but the position changes by a report like the one before.
  private(set) var quietUntil = Instant.start
  /// Nor before this date, as the session's end moves with the receiver's clock.
  private(set) var quietUntilDate = UTC(milliseconds: .max)

  #if DEBUG
    var time = SteadyTime()
  #endif

  /// When to pass `deadlineReached`; `nil`: only input makes it act.
  public private(set) var nextDeadline: Instant?

  @inline(__always)
  public init(
    board: Board, configuration: Configuration, identity: Identity, at now: Instant
  ) {
    self.board = board
    self.configuration = configuration
    self.identity = identity
    clock = Clock(notBefore: configuration.notBefore)
    filter = FixFilter(configuration)
    watch = ReceiverWatch(board.receiver.dialect, at: now)
    gauge = BatteryGauge(board.battery, remembered: identity.memory.charge)
    loadMeter = LoadMeter(at: now)
    budget = EnergyBudget()
    link = Link(board.modem, configuration, identity, at: now)
    self.identity.hasLeftModem = false
    uploader = Uploader(pending: identity.pending, seed: identity.seed)
    session = Session(nextSequence: identity.nextSequence)
    halt = HaltWatch(at: now)
    uploader.due = now
    // Called at once, so that even the start of a session is an event with a time.
    nextDeadline = now
  }

  /// Makes a tracker where it is to stay. What is returned is on the stack before it is moved, and
  /// a tracker takes more of it than all that it does.
  @inline(never)
  public static func make(
    at place: UnsafeMutablePointer<Tracker>, board: Board, configuration: Configuration,
    identity: Identity, now: Instant
  ) {
    place.initialize(
      to: Tracker(board: board, configuration: configuration, identity: identity, at: now))
  }

  // MARK: What is known, for status and reports

  /// The outcomes of all input from the receiver.
  public var sentences: SentenceCounts { decoder.counts }
  public var fixes: FixTally { tally }
  public var modemPhase: ModemPhase { link.phase }
  public var pending: UInt32 { uploader.pending }
  /// The charge left; `nil` while the battery is not being measured.
  public var charge: ChargeEstimate? { gauge.percent == nil ? nil : gauge.estimate }
  public var isSessionRunning: Bool { session.isRunning }
  public var memory: Memory { identity.memory }
  /// Since when the control room has been asking the team to call it; `nil`: it is not.
  public var callAskedAt: Instant? { outputs.callAskedAt }
  public var isCharging: Bool { gauge.isCharging }
  public var isReceiverAwake: Bool { if case .asleep = watch.state { false } else { true } }
  public var lastFix: Fix? { filter.last }
  /// Where the last fix was.
  public var lastPosition: Coordinate? { lastFix?.position }
  public var odometerMetres: Int32 { Int32(clamping: odometer.millimetres / 1000) }
  /// How far it is on the course; nothing is known without one.
  public var progress: CourseProgress { course.progress }
  /// When it will be where, as far as that is known.
  public var forecast: ArrivalForecast { course.forecast }
  /// Where along the course the network was reached.
  public var coverage: CourseCoverage { course.coverage }
  /// Why no capture is being taken; `nil` while one is.
  public var captureReason: Reason? { lastReported.capturing }
  /// Why nothing is being sent; `nil` while something is.
  public var sendReason: Reason? { lastReported.sending }

  // MARK: Input

  /// Handles bytes from a serial line.
  public mutating func receive(
    _ bytes: Span<UInt8>, from role: SerialRole, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    beginOnce(at: now, into: &sink)
    switch role {
    case .receiver:
      let isNews = receiveFromReceiver(bytes, at: now, into: &sink)
      if !isNews, isQuiet(at: now) { return }
    case .modem: receiveFromModem(bytes, at: now, into: &sink)
    }
    settle(at: now, into: &sink)
  }

  /// Handles an event.
  public mutating func handle(
    _ event: Event, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    beginOnce(at: now, into: &sink)
    switch event {
    case .deadlineReached:
      let isNews = endReport(at: now, into: &sink)
      if !isNews, isQuiet(at: now) { return }
      deadlineReached(at: now, into: &sink)
    case .batteryMeasured(let reading): measured(reading, at: now, into: &sink)
    case .batteryLost: loseBattery()
    case .captureStored(let sequence, let queue):
      captureStored(sequence, queue: queue, at: now, into: &sink)
    case .storeFailed(let sequence): session.storeFailed(sequence, at: now)
    case .uploadFinished(let id, let outcome, let queue):
      uploadFinished(id, outcome, queue: queue, at: now, into: &sink)
    case .reconcileFinished(let id, let outcome, let queue):
      reconcileFinished(id, outcome, queue: queue, at: now, into: &sink)
    case .fetchFinished(let id, let outcome):
      fetchFinished(id, outcome, at: now, into: &sink)
    case .queueChanged(let queue): uploader.take(queue, at: now)
    case .linkChanged(let isUp): link.changed(isUp: isUp, at: now, into: &sink)
    case .textFinished(let id, let wasSent):
      link.modem?.textFinished(id, wasSent: wasSent, at: now, into: &sink)
    case .textsRead(let id, let outcome): textsRead(id, outcome, at: now, into: &sink)
    case .lineChanged(let role, let isPresent):
      lineChanged(role, isPresent: isPresent, at: now, into: &sink)
    case .pinChanged(let pin, let isActive, let age):
      pinChanged(pin, isActive: isActive, for: age, at: now, into: &sink)
    case .commandGiven(let command, let origin):
      obey(command, from: origin, at: now, into: &sink)
    case .haltRefused: stayAwake(at: now, into: &sink)
    }
    settle(at: now, into: &sink)
  }

  /// Handles a report after which nothing has come.
  ///
  /// - Returns: whether there is anything to act on.
  private mutating func endReport(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) -> Bool {
    guard let epochEndsAt, now >= epochEndsAt else { return false }
    self.epochEndsAt = nil
    return decoder.flush().map { hear($0, at: now, into: &sink) } ?? false
  }

  private mutating func deadlineReached(
    at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    watch.deadlineReached(at: now, into: &sink)
    // The reason from the last report no longer applies.
    if watch.state == .silent { session.missingFixReason = .noFix }
    link.modem?.deadlineReached(at: now, into: &sink)
    if link.modem?.lastResort.callsForContact(at: now) ?? false { uploader.beginNow(at: now) }
    considerButton(at: now, into: &sink)
    if uploader.deadlineReached(at: now) { link.modem?.uploadFailed(at: now, into: &sink) }
    retryStore(at: now, into: &sink)
  }

  /// A port was unplugged, or is back.
  private mutating func lineChanged(
    _ role: SerialRole, isPresent: Bool, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    switch role {
    case .receiver:
      watch.lineChanged(isPresent: isPresent, at: now, into: &sink)
      if !isPresent { session.missingFixReason = .noFix }
    case .modem:
      modemLine.restart()
      link.modem?.lineChanged(isPresent: isPresent, at: now, into: &sink)
    }
  }

  mutating func obey(
    _ command: Command, from origin: Origin, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    switch command {
    case .start: orderStart(from: origin, at: now, into: &sink)
    case .stop: orderStop(from: origin, at: now, into: &sink)
    case .captureNow: capture(.command, at: now, into: &sink)
    case .sendNow:
      uploader.sendNow(at: now)
      // A person's order overrides the battery reserve, but not the reconnect floor, which is the
      // carrier's.
      uploader.waiveReserve()
    case .tryPIN:
      link.modem?.tryPIN()
      uploader.sendNow(at: now)
    case .setTeam(let team): orderTeam(team, from: origin, at: now)
    case .unsetTeam: orderTeam(nil, from: origin, at: now)
    case .test(let overFloor): test(overFloor: overFloor, at: now, into: &sink)
    case .raiseEmergency: raiseEmergency(from: origin, at: now, into: &sink)
    case .withdrawEmergency: withdrawEmergency(at: now, into: &sink)
    case .askForCall: askForCall(at: now, into: &sink)
    case .endCallRequest: endCallRequest(into: &sink)
    }
  }

  /// Continues with new settings: session, queue, modem and all that is known stay.
  public mutating func adopt(
    _ settings: NewSettings, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    beginOnce(at: now, into: &sink)
    let didStartBySelf = configuration.startsBySelf
    let new = settings.configuration.keepingFixed(of: configuration)
    configuration = new
    identity.team = settings.team
    clock.notBefore = new.notBefore
    filter.adopt(new)
    // What is known of the battery stays; the next measurement makes a new plan.
    if case .adaptive = new.capture { budget.forgetAttached() } else { budget = EnergyBudget() }
    link.modem?.power.floor.interval = new.reconnectFloor
    session.follow(new.capture, budget: budget, at: now)
    if new.receiverUse == .always, session.isRunning { watch.wake(at: now, into: &sink) }
    let terms = contactTerms()
    uploader.bringForward(to: now + terms.interval)
    uploader.hasMessages = true
    followSettings(didStartBySelf: didStartBySelf, at: now, into: &sink)
    settle(at: now, into: &sink)
  }

  /// Before the first input: begins or resumes a session if configured to.
  private mutating func beginOnce(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    guard !hasBegun else { return }
    hasBegun = true
    watch.configure(into: &sink)
    beginCourse(at: now, into: &sink)
    resume(at: now, into: &sink)
    wakeUp(at: now, into: &sink)
    resumeEmergency(at: now, into: &sink)
  }

  /// After each input: acts on the new state, and plans the next call.
  mutating func settle(at now: Instant, into sink: inout some EffectSink & ~Copyable) {
    if gauge.isOutdated(at: now) { loseBattery() }
    considerSession(at: now, into: &sink)
    considerEmergency(at: now, into: &sink)
    considerCapture(at: now, into: &sink)
    let terms = contactTerms()
    considerSending(terms, at: now, into: &sink)
    if let isOn = watch.takeModemOrder() {
      link.modem?.setReceiver(isOn: isOn, at: now, into: &sink)
    }
    let outlook = link.outlook(at: now)
    report(terms, outlook, at: now, into: &sink)
    setOutputs(into: &sink)
    considerHalt(terms, outlook.phase, at: now, into: &sink)
    plan(terms, outlook, at: now)
  }

  // Neither is inlined: their stack would otherwise be in use during the calls in `settle` too.

  @inline(never)
  private mutating func report(
    _ terms: ContactTerms, _ outlook: Link.Outlook, at now: Instant,
    into sink: inout some EffectSink & ~Copyable
  ) {
    var capturing = session.reason(
      isClockTrusted: clock.isTrusted, isReceiverPresent: watch.isLinePresent,
      odometer: odometer.millimetres, at: now)
    // An emergency's captures need no session.
    if isEmergency, capturing == .sessionStopped || capturing == .finished {
      capturing = filter.last == nil ? .noFix : .notDue
    }
    let sending = uploader.reason(terms, link: outlook.reason, at: now)
    lastReported.report(
      capturing: capturing, sending: sending, modem: outlook.phase, into: &sink)
  }

  @inline(never)
  private mutating func plan(_ terms: ContactTerms, _ outlook: Link.Outlook, at now: Instant) {
    let load = presentLoad(outlook.phase)
    loadMeter.follow(load, at: now)
    var earliest = Earliest()
    earliest.consider(button.deadline)
    earliest.consider(emergencyButton.deadline)
    earliest.consider(emergencyDeadline)
    earliest.consider(remoteStopDeadline(at: now))
    if wantsText(at: now) { earliest.consider(outlook.connectableAt) }
    if configuration.sleep == .halt { earliest.consider(haltDeadline(at: now)) }
    earliest.consider(outlook.deadline)
    earliest.consider(session.deadline(budget: budget, at: now))
    let sessionEnd =
      session.isRunning
      ? configuration.finishRule.end(of: identity.memory.session, by: clock, at: now).instant : nil
    earliest.consider(sessionEnd)
    earliest.consider(uploader.deadline(terms, connectableAt: outlook.connectableAt))
    otherDeadline = earliest.instant
    quietUntil = quietEnd(sessionEnd, at: now)
    #if DEBUG
      time.passes(to: now)
    #endif
    planForReceiver()
  }

  private mutating func planForReceiver() {
    var earliest = Earliest()
    earliest.consider(otherDeadline)
    earliest.consider(epochEndsAt)
    earliest.consider(watch.deadline)
    nextDeadline = earliest.instant
  }

  /// After bytes that ask for nothing: plans the next call unless it is time for something else.
  private mutating func isQuiet(at now: Instant) -> Bool {
    guard let otherDeadline, now < otherDeadline, now < watch.deadline ?? .distantFuture else {
      return false
    }
    planForReceiver()
    #if DEBUG
      time.passes(to: now)
      checkSettled(at: now)
    #endif
    return true
  }

  /// For how long a report like the one before changes nothing that `settle` looks at: until a slot
  /// waits for a fix, or something changes with the time that has no deadline.
  @inline(never)
  private mutating func quietEnd(_ sessionEnd: Instant?, at now: Instant) -> Instant {
    guard let slot = session.slot, now < slot, session.isStoringNothing,
      case nil = session.wanted, !isFinalContactDue, !uploader.isInContact,
      case nil = identity.memory.emergency, case nil = waking, configuration.sleep != .halt
    else { return .start }
    var end = Earliest()
    end.consider(otherDeadline)
    end.consider(slot)
    end.consider(gauge.outdatedAt)
    quietUntilDate = UTC(milliseconds: .max)
    if let sessionEnd {
      end.consider(sessionEnd - Bounds.nearEnd)
      if let date = clock.utc(at: sessionEnd - Bounds.nearEnd) { quietUntilDate = date }
    }
    if now < uploader.due { end.consider(uploader.due) }
    if let floorEnd = link.modem?.floorEnd, now < floorEnd { end.consider(floorEnd) }
    return end.instant ?? .start
  }
}

/// The earliest of several instants.
public struct Earliest {
  public private(set) var instant: Instant?

  public init() {}

  public mutating func consider(_ candidate: Instant?) {
    guard let candidate else { return }
    if let instant, instant <= candidate { return }
    instant = candidate
  }
}
