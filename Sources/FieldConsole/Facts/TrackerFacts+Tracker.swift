import BoardSupport
public import CaptureStore
import Courses
public import TrackerCore
import Wording

extension TrackerFacts {
  /// What a running tracker and its board know. The store, the ports and the machine are added by
  /// its host.
  public init(_ tracker: borrowing Tracker, _ board: StatusBoard, at now: Instant) {
    self.init()
    let outlook = tracker.outlook(at: now)
    identity.team = String(tracker.team)
    identity.runningFor = now - .start
    clock.utc = outlook.utc
    clock.isTrusted = outlook.isClockTrusted
    session = Session(tracker, outlook, at: now)
    receiver = Receiver(tracker, board, at: now)
    course = Course(tracker, board, outlook, at: now)
    captures = Captures(tracker, board, outlook, at: now)
    queue.pending = Int64(tracker.pending)
    sending = Sending(tracker, board, outlook, at: now)
    modem = Modem(tracker, board, at: now)
    battery = Battery(tracker, board, outlook, at: now, untilFinish: session.untilFinish)
  }
}

extension TrackerFacts.Session {
  fileprivate init(_ tracker: borrowing Tracker, _ outlook: Outlook, at now: Instant) {
    let date = outlook.isClockTrusted ? outlook.utc : nil
    let memory = tracker.memory
    state = tracker.isSessionRunning ? .running : .stopped
    if tracker.captureReason == .finished { state = .finished }
    number = memory.session.map { Int64($0.number) }
    age = memory.session?.begun.age(at: now, date: date)
    if state != .running, let ended = memory.session?.ended.age(at: now, date: date) { age = ended }
    order = memory.sessionOrder.map { TrackerFacts.Origin(of: $0, at: now, date) }
    teamOrder = memory.teamOrder.map { TrackerFacts.Origin(of: $0, at: now, date) }
    take(tracker.configuration)
    untilFinish = tracker.configuration.untilFinish(session: memory.session, date: date, now: now)
  }

  mutating func take(_ configuration: Configuration) {
    switch configuration.finish {
    case nil: break
    case .at(let utc): finishAt = utc
    case .after(let length): finishAfter = length
    }
    endAfterFinish = configuration.endAfterFinish
  }
}

extension TrackerFacts.Origin {
  init<Value>(of order: Order<Value>, at now: Instant, _ date: UTC?) {
    self.init(age: order.given.age(at: now, date: date), who: "\(order.origin)")
  }
}

extension TrackerFacts {
  /// The settings that people have changed.
  ///
  /// - Parameter age: how long ago a moment was; `nil`: unknown.
  public mutating func take(_ settings: SettingsInForce, age: (Moment) -> Milliseconds?) {
    identity.language = settings.reading.language
    take(settings.kept, age: age)
  }

  /// The same of a tracker that does not run.
  public mutating func take(_ orders: [SettingOrder], age: (Moment) -> Milliseconds?) {
    if let order = orders.last(where: { $0.path == SettingOrder.teamPath }),
      order.value == identity.team
    {
      session.teamOrder?.who = order.who
    }
    session.settingOrders = orders.compactMap { order in
      guard let key = SettingKey(path: order.path) else { return nil }
      if key == .language { identity.language = Language(code: order.value) }
      return SettingInForce(
        key: key, value: order.value, origin: Origin(age: age(order.given), who: order.who))
    }
  }
}

// MARK: Where it is

extension TrackerFacts.Receiver {
  fileprivate init(_ tracker: borrowing Tracker, _ board: StatusBoard, at now: Instant) {
    let meter = board.receiver
    let minute = meter.lastMinute(at: now)
    isAwake = tracker.isReceiverAwake
    isSilent = board.isReceiverSilent
    heard = meter.heardAt.map { now - $0 }
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
    fixAge = meter.fixedAt.map { now - $0 }
    let awake = now - board.receiverAwakeSince
    noFix = min(fixAge ?? awake, awake)
    awakeFor = awake
    latitude = meter.position.map { Int64($0.latitude) }
    longitude = meter.position.map { Int64($0.longitude) }
    coldStart = tracker.board.receiver.coldStart
  }
}

extension TrackerFacts.Course {
  /// How far it is on the course, and when it will be where.
  fileprivate init(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant
  ) {
    let progress = tracker.progress
    guard let course = board.course else { return }
    if let since = progress.offCourseSince {
      offCourseFor = now - since
      offCourseMetres = progress.awayMetres.map { Int64($0) }
    }
    backwardsFor = progress.backwardsSince.map { now - $0 }
    guard let done = progress.doneMetres, let toGo = progress.toGoMetres(on: course) else {
      self.toGo = Int64(course.courseLengthMillimetres / 1000)
      return
    }
    (self.done, self.toGo) = (Int64(done), Int64(toGo))
    place = progress.inside.map { board.placeName($0) }
    guard !progress.isFinished else { return }
    let date = outlook.isClockTrusted ? outlook.utc : nil
    if let next = progress.nextPlace(on: course) {
      let place = course.coursePlace(Int32(next))
      let ahead = max(0, place.alongMillimetres / 1000 - done)
      nextPlace = board.placeName(next)
      nextPlaceMetres = Int64(ahead)
      if let date {
        opens = place.opens.map { $0 - date }
        closes = place.closes.map { $0 - date }
      }
      if let date, let position = tracker.lastPosition,
        let arrival = tracker.forecast.arrival(
          after: ahead, checkpoints: 0, at: date, near: position)
      {
        self.arrival = arrival.expected - date
        (earliest, latest) = (arrival.earliest - date, arrival.latest - date)
      }
    }
    let rests = course.courseCheckpoints(upTo: .max) - course.courseCheckpoints(upTo: done)
    if let date, let position = tracker.lastPosition,
      let arrival = tracker.forecast.arrival(
        after: toGo, checkpoints: max(0, rests), at: date, near: position)
    {
      finishArrival = arrival.expected - date
      (finishEarliest, finishLatest) = (arrival.earliest - date, arrival.latest - date)
    }
  }
}

// MARK: What it takes and sends

extension TrackerFacts.Captures {
  fileprivate init(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant
  ) {
    reason = tracker.captureReason
    next = outlook.nextCapture.map { $0 - now }
    interval = outlook.captureInterval
    policy = tracker.configuration.capture.name
    last = board.lastCapture.map { Int64($0.capture.sequence) }
    lastAge = board.lastCapture.map { now - $0.at }
  }
}

extension TrackerFacts.Sending {
  fileprivate init(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant
  ) {
    let configuration = tracker.configuration
    reason = tracker.sendReason
    obstacle = board.obstacle
    if case .backingOff = reason { isBackingOff = true }
    nextContact = outlook.nextContact.map { $0 - now }
    interval = max(configuration.contactInterval, outlook.contactInterval)
    rule = ContactText.rule(of: configuration)
    if outlook.isClockTrusted, let utc = outlook.utc, let by = board.nextContactBy {
      promised = by - utc
    }
    lastDelivery = board.lastDelivery.map { now - $0.at }
    lastDelivered = board.lastDelivery.map { Int64($0.count) }
    lastContact = board.lastContact.map { now - $0 }
    contactsFailed = board.unanswered
    silentServer = board.silentServer
    lastProblem = board.problem?.text
    lastProblemAge = board.problem.map { now - $0.at }
    failingFor = board.streak.since.map { now - $0 }
    failingInNetworkFor = board.streak.inNetworkSince.map { now - $0 }
    failing = board.streak.cause
  }
}

extension TrackerFacts.Modem {
  fileprivate init(_ tracker: borrowing Tracker, _ board: StatusBoard, at now: Instant) {
    isPresent = tracker.configuration.bearer != .none
    phase = ModemPhaseName(board.modem)
    isRadioStuck = board.isRadioStuck
    phaseFor = now - board.modemSince
    signal = board.signalDBm.map { Int64($0) }
    network = board.networkOperator
    simReady = board.simReady(at: now)
    registered = board.registered(at: now)
    bootLimit = tracker.board.modem.bootLimit
  }
}

// MARK: What it runs on

extension TrackerFacts.Battery {
  fileprivate init(
    _ tracker: borrowing Tracker, _ board: StatusBoard, _ outlook: Outlook, at now: Instant,
    untilFinish: Milliseconds?
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
      configuration: tracker.configuration, untilFinish: untilFinish,
      confidence: tracker.configuration.confidencePercent)
    lasts = foreseen?.lasts
    reachesFinish = foreseen?.reachesFinish
  }

  mutating func take(_ charge: ChargeEstimate) {
    isMeasured = true
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
  fileprivate var name: String {
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
