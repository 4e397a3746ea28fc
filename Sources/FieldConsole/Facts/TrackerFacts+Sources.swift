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
    emergency = Emergency(
      tracker.memory, at: now, outlook.isClockTrusted ? outlook.utc : nil)
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

extension TrackerFacts.Emergency {
  fileprivate init(_ memory: Memory, at now: Instant, _ date: UTC?) {
    self.init()
    guard let record = memory.emergency else { return }
    stage = Stage(rawValue: "\(record.stage.name)")
    age = record.raised.age(at: now, date: date)
    person = record.person.isEmpty ? nil : String(record.person).plain
    answered = record.answered
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
    callAsked = tracker.callAskedAt.map { now - $0 }
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
    satellites = meter.satellites.levels(at: now)
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
    if !tracker.coverage.isEmpty { coverage = course.text(of: tracker.coverage) }
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
    celsius = board.reading?.celsius.map { Int64($0) }
    confidence = Int64(tracker.configuration.confidencePercent)
    guard let charge = tracker.charge else { return }
    take(charge, above: tracker.board.battery.deviationAbove(charge))
    // On an external supply nothing is drawn from it.
    guard !isCharging else { return }
    let record = ChargeRecord(charge, at: Moment(at: now))
    let (parts, settings) = (tracker.board, tracker.configuration)
    func foreseen(_ confidence: Int32) -> BatteryOutlook? {
      BatteryOutlook(
        record, age: 0, board: parts, configuration: settings, untilFinish: untilFinish,
        confidence: confidence)
    }
    let outlook = foreseen(settings.confidencePercent)
    lasts = outlook?.lasts
    reachesFinish = outlook?.reachesFinish
    // The plan changes with what is learned on the way: a doubt is no reason to end it.
    if case .adaptive = settings.capture, reachesFinish == false,
      settings.confidencePercent > FieldBounds.planConfidence,
      foreseen(FieldBounds.planConfidence)?.reachesFinish == true
    {
      reachesFinish = true
      reachesAt = Int64(FieldBounds.planConfidence)
    }
    if tracker.isSessionRunning, let plan = tracker.planOutlook(at: now) { take(plan) }
  }

  private mutating func take(_ plan: PlanOutlook) {
    planTime = plan.time
    planLeft = Int64(plan.left)
    planEmptyIn = plan.emptyIn
    planAge = plan.age
    planMoreFrom = plan.moreFrom.map { Int64($0) }
    planLessBelow = plan.lessBelow.map { Int64($0) }
  }

  /// - Parameter above: the standard deviation to the upper side.
  mutating func take(_ charge: ChargeEstimate, above: Int64) {
    isMeasured = true
    self.charge = (charge.charge + 5000) / 10_000
    chargeDeviation = (charge.deviation + 5000) / 10_000
    chargeDeviationAbove = (above + 5000) / 10_000
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

/// What a store says about its tracker, running or not.
public struct StoreFacts {
  fileprivate var path: String?
  fileprivate var pending: Int64
  fileprivate var setAside: Int64
  fileprivate var acknowledged: Int64
  private var diskFree: Int64?
  private var second: Texts?
  private var news: [Texts] = []
  fileprivate var damagedRows: Int64
  /// The machine's date, by which the store's times are compared.
  private var date: UTC

  public init(_ store: CaptureStore, date: UTC) {
    pending = Int64(store.tally.pending)
    setAside = Int64(store.tally.setAside)
    acknowledged = Int64(store.tally.acknowledged)
    diskFree = store.freeBytes
    damagedRows = Int64(store.damagedRows)
    self.date = date
    if case .file(let path) = store.place { self.path = path }
    switch store.opening {
    case .created, .opened, .migrated: break
    case .salvaged(let salvage): news.append(salvage.texts)
    case .beside(let waiting):
      second = waiting.texts
      path = waiting.path
    }
    if let leftover = store.leftover { news.append(leftover.texts) }
    if let damage = store.secondDamage { news.append(damage.texts) }
  }

  /// - Parameter oldest: the capture that has waited longest.
  fileprivate func add(to facts: inout TrackerFacts, oldest: StoredCapture?) {
    facts.queue.pending = pending
    facts.queue.setAside = setAside
    facts.queue.acknowledged = acknowledged
    facts.store.diskFree = diskFree
    facts.store.path = path
    facts.store.second = second
    facts.store.news = news
    facts.store.damagedRows = damagedRows
    facts.queue.bytes = pending * QueueBytes.each
    guard let oldest, pending > 0 else { return }
    facts.queue.oldest = max(0, date - oldest.takenAt)
  }
}

/// What a capture takes on the way, bytes: measured with tracker-sim on race.nmea, batches of 10
/// against batches of 57, to an ArcGIS layer; a request takes 720 more.
enum QueueBytes {
  static let each: Int64 = 460
}

extension TrackerFacts {
  public mutating func take(_ store: StoreFacts, oldest: StoredCapture?) {
    store.add(to: &self, oldest: oldest)
  }

  /// What the stores of a tracker that does not run say: the first and, if there is one, the second
  /// that stood in for it. Reads all rows.
  public init(of stores: [CaptureStore], at time: MachineTime) {
    self.init()
    identity.presence = .dead
    clock.utc = time.date
    guard let first = stores.first else { return }
    identity.device = first.device.lowercaseText
    identity.number = String(identity.device.prefix(CaptureName.shownDigits))
    let oldest = stores.compactMap { (try? $0.oldestWaiting()) ?? nil }
      .min { $0.takenAt < $1.takenAt }
    take(StoreFacts(first, date: time.date), oldest: nil)
    for second in stores.dropFirst() {
      let more = StoreFacts(second, date: time.date)
      (queue.pending, queue.setAside) =
        (queue.pending + more.pending, queue.setAside + more.setAside)
      queue.acknowledged += more.acknowledged
      store.damagedRows += more.damagedRows
      store.second = more.path.map { ProblemPhrase.secondStore.texts($0) }
    }
    queue.bytes = queue.pending * QueueBytes.each
    if let oldest { queue.oldest = max(0, time.date - oldest.takenAt) }
    for store in stores { take(store, time.date) }
    if let memory = try? (stores.last ?? first).memory(at: time) { take(memory, time) }
  }

  private mutating func take(_ store: CaptureStore, _ now: UTC) {
    if let damage = store.damage {
      self.store.news.append(ProblemPhrase.damagedStore.texts(damage))
    }
    // A date after `now` was written by a clock that was wrong then, or is now.
    if let delivered = (try? store.lastAcknowledgement()) ?? nil, delivered <= now {
      sending.lastDelivery = min(sending.lastDelivery ?? now - delivered, now - delivered)
    }
    guard let last = ((try? store.newest(1)) ?? []).last else { return }
    identity.team = String(last.capture.team)
    captures.last = Int64(last.capture.sequence)
    captures.lastAge = max(0, now - last.takenAt)
  }

  private mutating func take(_ memory: Memory, _ time: MachineTime) {
    if let order = memory.teamOrder {
      identity.team = String(order.value)
      session.teamOrder = Origin(of: order, at: time.now, time.date)
    }
    session.order = memory.sessionOrder.map { Origin(of: $0, at: time.now, time.date) }
    emergency = Emergency(memory, at: time.now, time.date)
    guard let last = memory.session else { return }
    session.number = Int64(last.number)
    switch last.ending {
    case nil: session.state = .running
    case .stopped: session.state = .stopped
    case .finished: session.state = .finished
    }
    let moment = last.ending == nil ? last.begun : last.ended
    session.age = moment.age(at: time.now, date: time.date)
  }
}
