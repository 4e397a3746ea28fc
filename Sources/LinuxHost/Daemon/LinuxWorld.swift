import CaptureStore
import Courier
public import Courses
import FieldConsole
import HTTPTransfer
public import MachineAccess
import ModemDialogues
public import NMEA
public import TrackerCore
import Uplink
import Wording

/// The host on Linux: serial lines, a disk, a network and the kernel's clock, served by one poll
/// loop over a list of sources (`PollSource`).
///
/// It sleeps until something arrives or is due. Effects are performed when they are pushed; `wait`
/// returns their completions afterwards, in order.
public struct LinuxWorld: Host, CourseHolder, ~Copyable {
  let parts: LinuxParts
  let clock: BootClock
  var loop: SourceLoop
  /// The receiver's, and the modem's if there is one.
  let lines: [LineSource]
  let modem: ModemTalk
  let network: NetworkSource
  let bearer: BearerControl
  let queue: CaptureQueue
  let histories: HistorySource
  /// The last contact came late to spare the battery.
  var isInReserve = false
  let settings: SettingsKeeper
  /// The last that were announced to the core.
  public internal(set) var newSettings: NewSettings?
  let orders = OrderProcessor()
  let battery: BatteryWatch
  let pins: PinSource
  /// `nil`: what happens is not kept across a restart.
  let eventKeeper: EventKeeper?
  /// `nil`: nothing starts the machine once it is halted.
  let halting: HaltControl?
  var clockKeeper: ClockKeeper
  var status: StatusBoard
  var consoleLock: ConsoleLock
  /// Questions that need the tracker itself.
  var inspections: [ControlSocket.Question] = []
  var roomOrders = RoomOrders()
  public let courseTable: CourseTable?
  public let courseView: CourseView?
  /// Why `wait` returns `.end`; `nil` before that.
  public private(set) var ending: Ending?

  public var now: Instant { loop.pass.now }
  var log: Log { parts.log }

  /// - Throws: if the network client cannot be set up.
  public init(_ parts: LinuxParts, clock: BootClock) throws(HTTPError) {
    self.init(parts, clock: clock, network: NetworkSource(try HTTPClient(parts.network)))
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(_ parts: LinuxParts, clock: BootClock, network: NetworkSource) {
    // libcurl has initialised its libraries.
    MemoryTrim.run()
    self.parts = parts
    self.clock = clock
    self.network = network
    let receiver = LineSource(.receiver, parts.receiver)
    let modemLine = parts.modem.map { LineSource(.modem, $0) }
    lines = [receiver] + [modemLine].compactMap { $0 }
    modem = ModemTalk(modemLine, parts)
    bearer = BearerControl(
      watch: parts.link, commands: parts.linkCommands, runner: parts.linkRunner,
      isAlwaysWanted: parts.isLinkAlwaysWanted)
    queue = CaptureQueue(parts.courier, parts.storeWatch)
    histories = HistorySource(queue, recording: parts.recording?.path)
    settings = SettingsKeeper(parts)
    battery = parts.battery
    let keptSettings = settings
    halting = parts.halt.map { HaltControl($0, keptSettings, isRehearsal: clock.isRehearsal) }
    pins = PinSource(parts.pins, problem: parts.pinProblem, clock)
    let keeper = parts.eventFile.map {
      EventKeeper(path: $0, of: parts.courier.store.device, at: clock.now)
    }
    eventKeeper = keeper
    clockKeeper = parts.clockKeeper
    consoleLock = parts.consoleLock
    status = StatusBoard(
      memory: parts.memory,
      events: keeper?.load(at: clock.machineTime, parts.log) ?? EventMemory())
    courseTable = parts.course.map { CourseTable($0) }
    courseView = courseTable?.view
    status.course = parts.course
    queue.courier.store.placeNames = parts.course?.places.map(\.name) ?? []
    var sources: [any PollSource] = [parts.signals]
    sources += lines as [any PollSource]
    sources += [battery, pins, orders, settings, modem, queue, histories] as [any PollSource]
    sources += [keeper as (any PollSource)?].compactMap { $0 }
    sources += [bearer, network] as [any PollSource]
    sources += [halting as (any PollSource)?].compactMap { $0 }
    sources += [parts.control as (any PollSource)?, parts.service].compactMap { $0 }
    loop = SourceLoop(
      sources, receiver: sources.firstIndex { $0 === receiver }, at: clock.now, parts.log)
    if let damage = queue.courier.store.secondDamage {
      log.write(.error, "the second store was damaged", ["what": "\(damage)"])
    }
  }

  // MARK: Host

  public mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    while true {
      loop.pass.now = clock.now
      if let (question, text) = orders.takeAnswer() { parts.control?.answer(question, text) }
      if ending != nil {
        finishEvents()
        return .end
      }
      if !inspections.isEmpty || parts.service?.isStatusDue == true {
        loop.askAll()
        return .inspection
      }
      if !loop.arrivals.isEmpty { return arrive(loop.arrivals.removeFirst()) }
      if concludeRoomCommands() { continue }
      if let line = lines.last(where: { $0.isReadable }) {
        let count = read(line, into: &buffer)
        if count == 0 { continue }
        return .bytes(count: count, from: line.role)
      }
      let (isDue, isNext, isPollDue) = loop.isTurn(of: deadline)
      if isNext { return .event(.deadlineReached) }
      if isPollDue { hurryLines() }
      tend()
      // What has gathered is read without a poll, and a poll that ended with the deadline counts.
      if lines.contains(where: { $0.isReadable }) || isDue && !isPollDue { continue }
      // After the end nothing is read any more, so that the next run finds a signal that comes now.
      if loop.arrivals.isEmpty && ending == nil {
        let isAllPolled = !lines.contains { $0.line.isGathering }
        loop.sleep(until: deadline, isAllPolled: isAllPolled, clock)
        for index in loop.asked {
          loop.handle(index)
          act()
        }
      }
    }
  }

  private mutating func hurryLines() {
    for source in lines {
      if source.role == .modem && source.line.isGathering { loop.askAll() }
      source.line.hurry(at: now)
    }
  }

  private mutating func tend() {
    let asked = loop.asked
    for index in asked {
      loop.tend(index)
      act()
    }
    guard asked != loop.asked else { return }
    // The receiver's line had news.
    for index in loop.asked {
      loop.tend(index)
      act()
    }
  }

  private mutating func arrive(_ arrival: Arrival) -> Arrival {
    loop.askAll()
    status.arrived(arrival, at: now)
    orders.arrived(arrival)
    guard case .event(let event) = arrival else { return arrival }
    queue.arrived(event)
    if case .fetchFinished = event {
      obeyRoom()
      histories.look()
    }
    return arrival
  }

  /// Reads a readable line for the tracker.
  ///
  /// - Returns: how many bytes of the buffer are for the tracker.
  private mutating func read(_ line: LineSource, into buffer: inout MutableSpan<UInt8>) -> Int {
    switch line.role {
    case .receiver:
      let count = line.read(into: &buffer, at: now)
      line.takeEvents(&loop.pass)
      act()
      guard count > 0 else { return 0 }
      status.received(buffer.span.extracting(first: count), from: .receiver, at: now)
      return count
    case .modem:
      loop.askAll()
      let count = modem.read(line, into: &buffer, at: now)
      line.takeEvents(&loop.pass)
      act()
      guard count > 0 else { return 0 }
      let bytes = (0..<count).map { buffer[$0] }
      guard modem.isActive else {
        modem.considerOthers(bytes, &loop.pass)
        act()
        return count
      }
      let news = modem.receive(bytes, into: &buffer, &loop.pass)
      act()
      return news
    }
  }

  // MARK: What the tracker reads of the receiver

  public mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {
    status.heard(kind, talker, fields, at: now)
  }

  public mutating func heard(_ report: Epoch) {
    status.heard(report, at: now)
    clockKeeper.heard(report, at: now, log)
  }

  public mutating func heard(_ counts: SentenceCounts, isReportOpen: Bool) {
    status.heard(counts, at: now)
    clockKeeper.read(isReportOpen: isReportOpen, at: now)
  }

  // MARK: News

  /// Acts on what the sources have given.
  mutating func act() {
    while !loop.pass.news.isEmpty {
      loop.askAll()
      act(on: loop.pass.news.removeFirst())
    }
  }

  private mutating func act(on news: News) {
    switch news {
    case .event(let event):
      if case .linkChanged(isUp: true) = event { network.linkIsUp(at: now) }
      loop.append(event)
    case .signal(.end):
      log.write(.notice, "stopping on a signal", [:])
      parts.service?.stops()
      ending = .told
    case .signal(.reload): reload()
    case .line(let role, let isPresent):
      if role == .modem && !isPresent { modem.lineLost() }
      loop.append(.lineChanged(role, isPresent: isPresent))
    case .modem(let completed): ended(completed)
    case .reply(let reply): receive(reply)
    case .link(let report): tell(report)
    case .question(let question): answer(question)
    case .trouble(let problem):
      status.learned(StatusBoard.Trouble(text: problem, cause: nil, at: now))
    case .memoryUnsaved(let memory): keep(memory)
    case .settingsUnsaved: saveSettings()
    case .eventsDue: eventKeeper?.keep(status.events, at: now) { eventText(isOrderly: false) }
    case .storeCanBeMended(let finding): ending = .storeCanBeMended(finding)
    }
  }

  // MARK: Recent events

  /// The run ends.
  private mutating func finishEvents() {
    guard let eventKeeper, !eventKeeper.isFinished else { return }
    status.end(at: now)
    eventKeeper.finish(eventText(isOrderly: true))
  }

  private func eventText(isOrderly: Bool) -> String {
    status.events.kept(
      for: queue.courier.store.device, date: status.date(at: now), isOrderly: isOrderly,
      at: clock.machineTime)
  }
}
