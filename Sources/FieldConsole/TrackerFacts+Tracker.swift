public import TrackerCore

extension TrackerFacts {
  /// What a running tracker and its board know. The store, the ports and the machine are added by
  /// its host.
  public init(_ tracker: borrowing Tracker, _ board: StatusBoard, at now: Instant) {
    self.init()
    let outlook = tracker.outlook(at: now)
    team = String(tracker.team)
    runningFor = (now - .start).count
    utc = outlook.utc?.milliseconds
    isClockTrusted = outlook.isClockTrusted
    takeSession(tracker, outlook, at: now)
    takeReceiver(tracker, board, at: now)
    takeCourse(tracker, board, outlook, at: now)
    capturing = tracker.captureReason?.name
    nextCapture = outlook.nextCapture.map { ($0 - now).count }
    captureInterval = outlook.captureInterval?.count
    capturePolicy = tracker.configuration.capture.name
    lastCapture = board.lastCapture.map { Int64($0.capture.sequence) }
    lastCaptureAge = board.lastCapture.map { (now - $0.at).count }
    takeSending(tracker, board, outlook, at: now)
    takeBattery(tracker, board, outlook, at: now)
  }

  private mutating func takeSession(
    _ tracker: borrowing Tracker, _ outlook: Outlook, at now: Instant
  ) {
    let date = outlook.isClockTrusted ? outlook.utc : nil
    let memory = tracker.memory
    session = tracker.isSessionRunning ? .running : .stopped
    if tracker.captureReason == .finished { session = .finished }
    sessionNumber = memory.session.map { Int64($0.number) }
    sessionAge = memory.session?.begun.age(at: now, date: date)?.count
    if session != .running, let ended = memory.session?.ended.age(at: now, date: date) {
      sessionAge = ended.count
    }
    sessionOrder = memory.sessionOrder.map { Self.origin(of: $0, at: now, date) }
    teamOrder = memory.teamOrder.map { Self.origin(of: $0, at: now, date) }
    take(tracker.configuration)
    untilFinish =
      tracker.configuration.untilFinish(
        session: memory.session, date: date, now: now)?.count
  }

  mutating func take(_ configuration: Configuration) {
    switch configuration.finish {
    case nil: break
    case .at(let utc): finishAt = utc.milliseconds
    case .after(let length): finishAfter = length.count
    }
    endAfterFinish = configuration.endAfterFinish?.count
  }

  /// `7200000 socket`: how long ago, if that is known, and by whom.
  static func origin<Value>(
    of order: Order<Value>, at now: Instant, _ date: UTC?
  ) -> String {
    (order.given.age(at: now, date: date).map { "\($0.count) " } ?? "") + "\(order.origin)"
  }

  private mutating func takeReceiver(
    _ tracker: borrowing Tracker, _ board: StatusBoard, at now: Instant
  ) {
    let meter = board.receiver
    let minute = meter.lastMinute(at: now)
    isReceiverAwake = tracker.isReceiverAwake
    isReceiverSilent = board.isReceiverSilent
    receiverHeard = meter.heardAt.map { (now - $0).count }
    sentencesPerMinute = minute.sentences
    badChecksumsPerMinute = minute.badChecksums
    rejectedPerMinute = minute.rejected
    bytesPerMinute = minute.bytes
    satellitesSeen = meter.satellitesInView.map { Int64($0) }
    satellitesUsed = meter.satellitesUsed.map { Int64($0) }
    satellites = meter.satellites(at: now)
    // Of the same cycle, where the levels are known.
    bestSignal =
      satellites.compactMap(\.level).max() ?? meter.bestSignalDecibelHertz.map { Int64($0) }
    hdopHundredths = meter.hdopHundredths.map { Int64($0) }
    fixAge = meter.fixedAt.map { (now - $0).count }
    let awake = (now - board.receiverAwakeSince).count
    noFix = min(fixAge ?? awake, awake)
    receiverAwakeFor = awake
    latitude = meter.position.map { Int64($0.latitude) }
    longitude = meter.position.map { Int64($0.longitude) }
    coldStart = tracker.board.receiver.coldStart.count
  }

  private mutating func takeSending(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant
  ) {
    let configuration = tracker.configuration
    pending = Int64(tracker.pending)
    sending = tracker.sendReason?.name
    obstacle = board.obstacle?.name
    if case .backingOff = tracker.sendReason { isBackingOff = true }
    nextContact = outlook.nextContact.map { ($0 - now).count }
    contactInterval = max(configuration.contactInterval, outlook.contactInterval).count
    contactRule = ContactText.rule(of: configuration)
    if outlook.isClockTrusted, let utc = outlook.utc, let by = board.nextContactBy {
      promised = (by - utc).count
    }
    lastDelivery = board.lastDelivery.map { (now - $0.at).count }
    lastDelivered = board.lastDelivery.map { Int64($0.count) }
    lastContact = board.lastContact.map { (now - $0).count }
    contactsFailed = board.unanswered
    silentServer = board.silentServer
    lastProblem = board.problem?.text
    lastProblemAge = board.problem.map { (now - $0.at).count }
    failingFor = board.streak.since.map { (now - $0).count }
    failingInNetworkFor = board.streak.inNetworkSince.map { (now - $0).count }
    failing = board.streak.cause?.rawValue
    hasModem = configuration.bearer != .none
    modem = "\(board.modem)"
    isRadioStuck = board.isRadioStuck
    modemFor = (now - board.modemSince).count
    signal = board.signalDBm.map { Int64($0) }
    networkOperator = board.networkOperator
    simReady = board.simReady(at: now)?.count
    registered = board.registered(at: now)?.count
    bootLimit = tracker.board.modem.bootLimit.count
  }

  private mutating func takeBattery(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant
  ) {
    isCharging = tracker.isCharging
    isInReserve = outlook.isInReserve
    millivolts = board.reading.map { Int64($0.millivolts) }
    milliamps = board.reading?.currentMilliamps.map { Int64($0) }
    confidence = Int64(tracker.configuration.confidencePercent)
    guard let charge = tracker.charge else { return }
    take(charge)
    // On an external supply nothing is drawn from it.
    guard !isCharging else { return }
    let foreseen = BatteryOutlook(
      ChargeRecord(charge, at: Moment(at: now)), age: 0, board: tracker.board,
      configuration: tracker.configuration, untilFinish: untilFinish.map { Milliseconds($0) },
      confidence: tracker.configuration.confidencePercent)
    batteryLasts = foreseen?.lasts.count
    batteryReaches = foreseen?.reachesFinish
  }

  mutating func take(_ charge: ChargeEstimate) {
    isBatteryMeasured = true
    self.charge = (charge.charge + 5000) / 10_000
    chargeDeviation = (charge.deviation + 5000) / 10_000
    // Worn cells, or a part that takes more than it should.
    let isCertain = charge.drain - 2 * charge.drainDeviation > ChargeEstimate.full
    drainTenths = isCertain ? (charge.drain + 50_000) / 100_000 : nil
  }
}

extension Moment {
  /// - Parameter date: the date at `now`; `nil`: not trusted.
  func age(at now: Instant, date: UTC?) -> Milliseconds? {
    if let at { return now - at }
    guard let utc, let date else { return nil }
    return date - utc
  }
}

extension CapturePolicy {
  /// As in the settings.
  var name: String {
    switch self {
    case .standard: "standard"
    case .significant: "significant"
    case .proximity: "proximity"
    case .route: "route"
    case .adaptive: "adaptive"
    }
  }
}

extension String {
  public init<let capacity: Int>(_ text: InlineText<capacity>) {
    self.init(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
  }
}
