import CaptureStore
import Courier
public import Courses
import FieldConsole
import Glibc
import ModemDialogues
public import TrackerCore
import Uplink
import Wording

/// The host on Linux: serial lines, a disk, a network and the kernel's clock, served by one poll
/// loop.
///
/// It sleeps until something arrives or is due. Effects are performed when they are pushed; `wait`
/// returns their completions afterwards, in order.
public struct LinuxWorld: Host, CourseHolder, ~Copyable {
  public private(set) var now: Instant = .start

  let log: Log
  var courier: Courier<AnyDialogue>
  var client: HTTPClient
  var status: StatusBoard
  var queueNews: QueueNews
  /// Captures whose identifiers belonged to others on the server.
  var displaced: Int64 = 0
  /// Questions that need the tracker itself.
  var inspections: [ControlSocket.Question] = []
  var bearer: BearerControl
  var battery: BatteryWatch
  var clockKeeper: ClockKeeper
  var modemOperations: ModemOperations
  var orders = OrderProcessor()
  var settings: SettingsInForce
  /// Whether the orders about settings have changed since they were saved.
  var areSettingsUnsaved = false
  var settingsRetryAt: Instant?
  /// As last passed to the core.
  var configuration: Configuration
  /// The configured name.
  var team: InlineText<64>
  /// Whether it is saved on disk that the PIN is being tried.
  var isPINRemembered = false
  var pinMask: PINMask?
  var transfer: TransferID?
  var nameRetry = NameRetry()
  var foreignTalk = ForeignTalk()
  /// When other programs on the modem's port were looked for.
  var lookedAt: Instant?
  /// Why the last transfer had no answer.
  var failure: HTTPFailure?
  /// What else than the network client knows of that.
  var modemProblem: (text: Texts, cause: FailureCause?)?
  /// Of the last request: scheme, host and port.
  var server = ""
  /// Events that `wait` returns next.
  var completions: [Event] = []
  /// As last logged.
  var pinProblem: Texts?
  var lines: [Line]
  let parts: LinuxParts
  var consoleLock: ConsoleLock
  /// `nil`: what happens is not kept across a restart.
  var eventKeeper: EventKeeper?
  let clock: BootClock
  public let courseTable: CourseTable?
  public let courseView: CourseView?
  /// Why the one in the settings is not followed.
  var courseProblem: Texts?
  private var poller = Poller()
  /// Lines on which the last poll found events.
  private var found: [(index: Int, revents: Int16)] = []
  /// Why `wait` has returned `.end`; `nil` before that.
  public private(set) var ending: Ending?
  /// How many damaged rows have been logged.
  private var damagedRows = 0
  /// Whether there was a poll since the deadline was due: input that is ready then comes first,
  /// once.
  private var hasPolledSinceDue = false

  /// - Throws: if the network client cannot be set up.
  public init(_ parts: LinuxParts, clock: BootClock) throws(HTTPFailure) {
    self.init(parts, clock: clock, client: try HTTPClient(parts.network))
  }

  // Apart, because Swift 6.2 destroys twice what has a value before an error is thrown.
  private init(_ parts: LinuxParts, clock: BootClock, client: consuming HTTPClient) {
    // libcurl has initialised its libraries.
    MemoryTrim.run()
    self.parts = parts
    self.clock = clock
    log = parts.log
    courier = parts.courier
    self.client = client
    settings = parts.settings
    configuration = parts.configuration
    team = parts.team
    now = clock.now
    let keeper = parts.eventFile.map {
      EventKeeper(path: $0, of: parts.courier.store.device, at: clock.now)
    }
    eventKeeper = keeper
    status = StatusBoard(
      memory: parts.memory,
      events: keeper?.load(at: clock.machineTime, parts.log) ?? EventMemory())
    courseTable = parts.course.map { CourseTable($0) }
    courseView = courseTable?.view
    status.course = parts.course
    courseProblem = parts.courseProblem
    courier.store.placeNames = parts.course?.places.map(\.name) ?? []
    queueNews = QueueNews(parts.courier.store)
    lines = [Line(role: .receiver, line: parts.receiver)]
    if let modem = parts.modem { lines.append(Line(role: .modem, line: modem)) }
    battery = parts.battery
    clockKeeper = parts.clockKeeper
    consoleLock = parts.consoleLock
    pinProblem = parts.pinProblem
    modemOperations = ModemOperations(
      family: parts.commandFormatter.family, http: parts.modemHTTP)
    pinMask = parts.pin.map { PINMask($0.revealed) }
    bearer = BearerControl(
      watch: parts.link, commands: parts.linkCommands, runner: parts.linkRunner,
      isAlwaysWanted: parts.isLinkAlwaysWanted)
    if let damage = courier.store.secondDamage {
      log.write(.error, "the second store was damaged", ["what": "\(damage)"])
    }
  }

  struct Line {
    var role: SerialRole
    var line: any ByteLine
    /// Whether it is present, as last reported to the core.
    var isPresent = true
    /// Why it is not connected.
    var problem: Texts?
    /// Whether that is another program.
    var isTaken = false
    /// Who else uses it, and what to do.
    var sharing: Texts?
  }

  // MARK: Host

  public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    while true {
      now = clock.now
      if let (question, text) = orders.takeAnswer() { parts.control?.answer(question, text) }
      if ending != nil {
        finishEvents()
        return .end
      }
      if !inspections.isEmpty || parts.service?.isStatusDue == true { return .inspection }
      if !completions.isEmpty { return arrive(completions.removeFirst()) }
      if let next = found.popLast() {
        let entry = lines[next.index]
        let count = hear(entry, next.revents, into: &buffer)
        logLineEvents(of: next.index)
        if count == 0 { continue }
        if entry.role == .receiver {
          status.received(buffer.span.extracting(first: count), from: .receiver, at: now)
          if clockKeeper.isActive {
            clockKeeper.receive((0..<count).map { buffer[$0] }, at: now, log)
          }
        }
        guard entry.role == .modem, modemOperations.isActive else {
          if entry.role == .modem, !modemOperations.isActive {
            considerOthers((0..<count).map { buffer[$0] })
          }
          return .bytes(count: count, from: entry.role)
        }
        let news = hearModem((0..<count).map { buffer[$0] }, into: &buffer)
        if news == 0 { continue }
        return .bytes(count: news, from: .modem)
      }
      let isDue = deadline.map { now >= $0 } ?? false
      if isDue && hasPolledSinceDue {
        hasPolledSinceDue = false
        return .event(.deadlineReached)
      }
      hasPolledSinceDue = isDue
      if isDue { for entry in lines { entry.line.hurry(at: now) } }
      tendLines()
      if let event = battery.measure(at: now, log) { completions.append(event) }
      readPins()
      if let unkept = orders.unkept, let at = orders.retryAt, now >= at { keep(unkept) }
      tendSettings()
      tendModem()
      lookAfterStore()
      tendEvents()
      for report in bearer.reports() { tell(report) }
      if let news = bearer.news() {
        if news == .linkChanged(isUp: true) { nameRetry.linkIsUp(at: now) }
        completions.append(news)
      }
      if let request = nameRetry.takeDue(at: now) { transfer = client.start(request) }
      // After the end nothing is read any more, so that the next run finds a signal that comes now.
      if completions.isEmpty && ending == nil { poll(until: deadline) }
    }
  }

  private mutating func arrive(_ event: Event) -> Arrival {
    status.arrived(.event(event), at: now)
    orders.arrived(event)
    switch event {
    case .captureStored: queueNews.lookUp(courier.store)
    case .uploadFinished, .reconcileFinished, .queueChanged:
      queueNews.lookUpAll(courier.store)
    case .deadlineReached, .batteryMeasured, .batteryLost, .storeFailed, .linkChanged,
      .textFinished, .lineChanged, .pinChanged, .commandGiven, .configurationChanged:
      break
    }
    return .event(event)
  }

  // MARK: Waiting

  private mutating func poll(until deadline: Instant?) {
    poller.clear()
    poller.add(parts.signals.descriptor)
    for descriptor in parts.control?.descriptors(at: now) ?? [] { poller.add(descriptor) }
    for descriptor in bearer.descriptors { poller.add(descriptor) }
    var wakeAt = deadline ?? .distantFuture
    for entry in lines {
      if let descriptor = entry.line.descriptor {
        poller.add(descriptor, wantsWrite: entry.line.wantsWrite)
      }
      if let due = entry.line.wakeAt { wakeAt = min(wakeAt, due) }
    }
    if let due = parts.control?.wakeAt { wakeAt = min(wakeAt, due) }
    if let due = orders.retryAt { wakeAt = min(wakeAt, due) }
    if let due = settingsRetryAt { wakeAt = min(wakeAt, due) }
    if let due = battery.dueAt { wakeAt = min(wakeAt, due) }
    if let lookAt = parts.storeWatch?.lookAt { wakeAt = min(wakeAt, lookAt) }
    if let due = modemOperations.nextDeadline { wakeAt = min(wakeAt, due) }
    if let due = nameRetry.dueAt { wakeAt = min(wakeAt, due) }
    for descriptor in parts.pins?.descriptors ?? [] { poller.add(descriptor) }
    for interest in client.interests { poller.add(interest) }
    var limit = clock.sleep(wakeAt - now)
    if let due = client.timeoutMilliseconds { limit = min(limit, Int64(due)) }
    if let due = bearer.timeoutMilliseconds { limit = min(limit, due) }
    if let due = parts.pins?.wakesIn { limit = min(limit, due) }
    // Everything that had come was handled: only such a pass is a sign of life.
    parts.service?.passed()
    if let due = parts.service?.timeoutMilliseconds { limit = min(limit, due) }
    poller.wait(atMost: limit)
    now = clock.now
    sort()
  }

  /// Handles what the poll has found.
  private mutating func sort() {
    if poller.revents(of: parts.signals.descriptor) != 0 { obeySignal() }
    for (index, entry) in lines.enumerated() {
      guard let descriptor = entry.line.descriptor else { continue }
      let revents = poller.revents(of: descriptor)
      if revents != 0 { found.append((index, revents)) }
    }
    if bearer.descriptors.contains(where: { poller.revents(of: $0) != 0 }) { bearer.look() }
    let interests = client.interests
    let answered = interests.compactMap { poller.found($0) }
    if !answered.isEmpty || client.timeoutMilliseconds == 0 {
      for completion in client.step(answered) { ended(completion) }
    }
    let asking = parts.control?.descriptors(at: now) ?? []
    for descriptor in asking where poller.revents(of: descriptor) != 0 {
      if let question = parts.control?.ready(descriptor, at: now) { answer(question) }
    }
  }

  private mutating func obeySignal() {
    switch parts.signals.take() {
    case .end:
      log.write(.notice, "stopping on a signal", [:])
      parts.service?.stops()
      ending = .told
    case .reload: reload()
    case nil: break
    }
  }

  private mutating func tendLines() {
    for index in lines.indices {
      if let due = lines[index].line.wakeAt, now >= due { lines[index].line.tend(at: now) }
      logLineEvents(of: index)
    }
  }

  private mutating func readPins() {
    for change in parts.pins?.takeChanges() ?? [] {
      let age = clock.time(ofReal: change.age)
      completions.append(.pinChanged(change.pin, isActive: change.isActive, since: age))
    }
    guard let problem = parts.pins?.problem, problem != pinProblem else { return }
    pinProblem = problem
    log.write(.error, "a pin does not work", ["why": problem.english])
  }

  /// Watches the store: logs damaged rows once, and ends the run if a restart would repair the
  /// file.
  private mutating func lookAfterStore() {
    if courier.store.damagedRows > damagedRows {
      damagedRows = courier.store.damagedRows
      log.write(
        .error, "damaged rows of the store were set aside",
        ["rows": "\(damagedRows)", "where": "the store's table damaged"])
    }
    guard let watch = parts.storeWatch else { return }
    guard ending == nil, let finding = watch.look(at: now, courier.storeProblem) else { return }
    ending = .storeCanBeMended(finding)
  }
}
