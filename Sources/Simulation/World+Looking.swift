import CaptureStore
import Courier
public import TrackerCore
import Uplink
public import Wording

// What somebody who looks at a run from outside sees, and does.
extension World {
  /// What the requests have shown besides their outcomes.
  public struct ServerNews: Sendable {
    /// Captures whose identifiers belong to other captures on the server.
    public internal(set) var displaced = 0
    /// Why the last request that failed did, in one line.
    public internal(set) var problem: Texts?
    public internal(set) var problemAt: Instant?
    /// The cause of it.
    public internal(set) var cause: FailureCause?
    /// What the transport knows of the last request.
    var transport: (problem: Texts?, cause: FailureCause?) = (nil, nil)

    mutating func add(_ end: Courier<AnyDialogue>.Completion, at now: Instant) {
      displaced += end.displaced.count
      defer { transport = (nil, nil) }
      guard let problem = end.problem else { return }
      self.problem = transport.problem ?? problem
      cause = transport.cause ?? end.cause
      problemAt = now
    }

    /// A request over an interface has ended.
    mutating func heard(_ reply: HTTPReply) {
      switch reply {
      case .unreachable: transport.cause = .connection
      case .lost: transport.cause = .silence
      case .response, .tooLarge, .stalled: transport.cause = nil
      }
    }
  }

  /// The others that share its server follow, some seconds at a time: requests take no less.
  mutating func takeSlice() {
    onSlice?(self)
    sliceEnd = sliceEnd + .seconds(5)
  }

  /// Calls `onLook` from now on.
  public mutating func beginLooking(
    _ onLook: @escaping (borrowing Tracker, borrowing World) -> Void
  ) {
    // Whoever looks already goes on.
    guard let earlier = self.onLook else {
      self.onLook = onLook
      pausesAt = now
      return
    }
    self.onLook = { tracker, world in
      earlier(tracker, world)
      onLook(tracker, world)
    }
  }

  /// The named places of a trace that is a GPX file.
  public var places: [(name: String?, point: Course.Point)] { receiver.player.places }

  public mutating func inspect(_ tracker: borrowing Tracker) {
    onLook?(tracker, self)
    pausesAt = pausesAt + .minutes(1)
  }

  /// The board's date: of 1970 until the receiver's date is trusted.
  public var boardDate: UTC { utc }

  /// The queue as the tracker is told about it. Looking it up changes nothing.
  public var queue: QueueCounts {
    var copy = courier
    return copy.counts(at: moment)
  }

  /// What limits the size of requests on the path, as far as the tracker has seen.
  public var pathLimit: Int32? { courier.path.knownLimit }

  /// Whether the tracker was given a PIN for its SIM.
  public var hasPIN: Bool { scenario.sim.secret != nil }

  /// Gives the tracker an event that nothing in the scenario causes.
  ///
  /// - Parameter instant: not before the world's clock.
  public mutating func give(_ event: Event, at instant: Instant) {
    deliver(event, at: max(instant, now))
  }

  /// The same for settings.
  public mutating func give(_ settings: NewSettings, at instant: Instant) {
    newSettings = settings
    planned.plan(.announceSettings, at: max(instant, now))
  }
}

/// How old the last position that the server has is, on average over a run.
public struct PositionAge: Sendable {
  /// When the newest capture that is delivered was taken; before the first, the start.
  private var newest = Instant.start
  private var countedUntil = Instant.start
  /// Until `countedUntil`, milliseconds squared.
  private var sum = 0.0

  /// The server has acknowledged a capture.
  mutating func delivered(takenAt taken: Instant, at now: Instant) {
    guard taken > newest else { return }
    sum = self.sum(until: now)
    countedUntil = now
    newest = taken
  }

  /// The average from the start; after the last delivery the age goes on growing.
  public func mean(until end: Instant) -> Milliseconds {
    let time = Double((end - .start).count)
    return time > 0 ? Milliseconds(Int64(sum(until: end) / time)) : 0
  }

  private func sum(until end: Instant) -> Double {
    let first = Double((countedUntil - newest).count)
    let last = Double((end - newest).count)
    return sum + (last * last - first * first) / 2
  }
}

extension World {
  /// How things stand at one moment.
  public struct Standing: Sendable {
    public var delivered = 0
    public var positionAge = PositionAge()
    public var boardJoules = 0.0
    public var receiverJoules = 0.0
    public var modemJoules = 0.0
    public var conversionJoules = 0.0

    public init() {}
  }

  var standing: Standing {
    var standing = Standing()
    standing.delivered = tally.acknowledged
    standing.positionAge = positionAge
    standing.boardJoules = meter.boardMillijoules / 1000
    standing.receiverJoules = meter.receiverMillijoules / 1000
    standing.modemJoules = meter.modemMillijoules / 1000
    standing.conversionJoules = meter.conversionMillijoules / 1000
    return standing
  }
}

// The disk.
extension World {
  mutating func store(_ capture: Capture) {
    let event: Event
    let delay = max(Self.storeDelay, diskDelay)
    let offeredAt = offer?.sequence == capture.sequence ? offer?.at ?? now : now
    if isDiskFull(for: capture.trigger == .emergency || capture.trigger == .emergencyOver) {
      event = .storeFailed(sequence: capture.sequence)
      offer = (capture.sequence, offeredAt)
    } else {
      offeredAtOfWaiting[courier.store.nextKey] = offeredAt
      event = courier.keep(capture, at: moment)
      lastCapture = capture
      offer = nil
    }
    deliver(event, at: now + delay)
  }

  /// An event with the counts of its moment: a program waits for its disk, so that nothing happens
  /// to the queue between a write and its end.
  func counted(_ event: Event) -> Event {
    func current(_ queue: QueueCounts) -> QueueCounts {
      var queue = queue
      (queue.pending, queue.setAside) = (store.counts.pending, store.counts.setAside)
      return queue
    }
    if case .captureStored(let sequence, let queue) = event {
      return .captureStored(sequence: sequence, queue: current(queue))
    }
    if case .queueChanged(let queue) = event { return .queueChanged(current(queue)) }
    return event
  }

  /// How long a slow disk takes for a write.
  private var diskDelay: Milliseconds {
    if case .slow(let delay) = scenario.store.content(at: now) { delay } else { 0 }
  }

  /// A call for help takes what trackerd spares for it.
  mutating func isDiskFull(for isCall: Bool) -> Bool {
    guard scenario.store.content(at: now) == .full else { return false }
    guard isCall, spareWrites > 0 else { return true }
    spareWrites -= 1
    return false
  }

  mutating func setAside(_ what: SetAside) {
    let delay = max(Self.storeDelay, diskDelay)
    deliver(courier.setAside(what, at: moment), at: now + delay)
  }

  /// What a full disk refuses is tried again, as trackerd does. Other failures are ignored: a run's
  /// store is never used again.
  public mutating func remember(_ memory: Memory) {
    guard isAlive() else { return }
    emergency = memory.emergency
    save(memory)
    _ = isAliveAfterWrites()
  }

  private mutating func save(_ memory: Memory) {
    if isDiskFull(for: memory.emergency?.isStanding ?? false) {
      if unsaved == nil { planned.plan(.remembersAgain, at: now + Bounds.storeRetry) }
      unsaved = memory
    } else {
      unsaved = nil
      try? courier.store.remember(memory, at: machineTime)
    }
  }

  mutating func rememberAgain() {
    guard let memory = unsaved else { return }
    unsaved = nil
    save(memory)
  }
}

/// Planned events, by instant; events at the same instant keep the order in which they were
/// planned.
struct EventQueue<Element> {
  private struct Entry {
    var at: Instant
    var order: UInt64
    var element: Element
    func isBefore(_ other: Entry) -> Bool { (at, order) < (other.at, other.order) }
  }

  /// Rarely more than ten entries: a sorted array, earliest last, is faster than a heap.
  private var entries: [Entry] = []
  private var order: UInt64 = 0

  var next: Instant? { entries.last?.at }
  var count: Int { entries.count }

  mutating func plan(_ element: Element, at instant: Instant) {
    order += 1
    let entry = Entry(at: instant, order: order, element: element)
    let place = entries.firstIndex { !entry.isBefore($0) } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  mutating func take() -> Element? { entries.popLast()?.element }

  mutating func keep(_ isKept: (Element) -> Bool) {
    entries = entries.filter { isKept($0.element) }
  }
}
