import CaptureStore
import FieldConsole
import TrackerCore
import Wording

// The facts for consoles. Nothing here waits for the network or the modem. The disk is asked for
// its free space (statvfs), and the store, by SQL, when its queue has changed (`QueueNews`).
extension LinuxWorld {
  public mutating func inspect(_ tracker: borrowing Tracker) {
    let waiting = inspections
    inspections = []
    let service = parts.service.flatMap { $0.isStatusDue ? $0 : nil }
    guard !waiting.isEmpty || service != nil else { return }
    if !waiting.isEmpty {
      modem.followOthers(&loop.pass)
      act()
    }
    let facts = facts(of: tracker)
    if let service {
      let language = settings.inForce.reading.language ?? .english
      service.tell(status: FitnessVerdict(of: facts).text(of: facts, in: language))
    }
    guard !waiting.isEmpty else { return }
    let text = "ok\n" + facts.message
    for question in waiting { parts.control?.answer(question, text) }
  }

  private mutating func facts(of tracker: borrowing Tracker) -> TrackerFacts {
    var facts = TrackerFacts(tracker, status, at: now)
    facts.identity.version = parts.version
    facts.identity.consoleAccess = consoleLock.access
    facts.clock.timeZone = parts.timeZone
    facts.clock.systemClock = clockKeeper.text(at: now)
    addStore(to: &facts)
    battery.add(to: &facts, at: now)
    addPorts(to: &facts)
    facts.machine.pinsProblem = pins.problem
    facts.machine.sleep = halting?.note
    facts.machine.sleepProblem = halting?.problem
    facts.course.problem = settings.courseProblem
    facts.machine.recording = parts.recording?.path
    facts.machine.recordingProblem = parts.recording?.problem?.texts
    facts.machine.logDropped = Int64(log.dropped)
    facts.take(settings.inForce) { status.age(of: $0, at: now) }
    return facts
  }

  private mutating func addStore(to facts: inout TrackerFacts) {
    let store = queue.courier.store
    let counts = queue.courier.counts(at: clock.hostTime)
    facts.identity.device = store.device.lowercaseText
    facts.identity.number =
      parts.number ?? String(facts.identity.device.prefix(CaptureName.shownDigits))
    facts.take(StoreFacts(store, date: clock.machineTime.date), oldest: queue.news.oldest)
    facts.store.earlierDevices = queue.news.earlierDevices
    facts.queue.held = Int64(counts.held)
    facts.queue.heldFor = counts.held > 0 ? counts.heldFor : nil
    facts.store.displaced = queue.displaced
    facts.sending.pathLimit = queue.courier.path.knownLimit.map { Int64($0) }
    facts.sending.isByBroker = queue.courier.isByBroker ? true : nil
    facts.store.problem = queue.courier.standingProblem?.texts
    // From before the start, at the latest so long ago.
    if facts.sending.lastDelivery == nil, facts.clock.isTrusted, let utc = facts.clock.utc,
      let before = queue.news.deliveredBefore, utc >= before
    {
      facts.sending.lastDelivery = utc - before
    }
  }

  private func addPorts(to facts: inout TrackerFacts) {
    for line in lines {
      let isConnected = line.isConnected
      let state: TrackerFacts.Port = isConnected ? .connected : .notConnected
      let problem = isConnected ? line.sharing : line.problem
      switch line.role {
      case .receiver:
        facts.receiver.port = state
        facts.receiver.problem = problem
      case .modem:
        facts.modem.port = state
        facts.modem.problem = problem
        facts.modem.isPortTaken = isConnected ? line.sharing != nil : line.isTaken
      }
    }
  }
}

/// What only the store knows about the queue. It is looked up when the queue changes, so that a
/// status does not wait for that.
struct QueueNews {
  private(set) var oldest: StoredCapture?
  private(set) var earlierDevices: [TrackerFacts.EarlierDevice] = []
  private(set) var deliveredBefore: UTC?

  init(_ store: CaptureStore) {
    deliveredBefore = (try? store.newestDelivered()) ?? nil
    lookUp(store)
    countEarlierDevices(in: store)
  }

  /// After each capture. It is one of the present device.
  mutating func lookUp(_ store: CaptureStore) { oldest = (try? store.oldestWaiting()) ?? nil }

  /// After each contact. Then fewer wait; no capture of an earlier device comes.
  mutating func lookUpAll(_ store: CaptureStore) {
    lookUp(store)
    if !earlierDevices.isEmpty { countEarlierDevices(in: store) }
  }

  /// Takes longer the more captures wait, as it reads all of them.
  private mutating func countEarlierDevices(in store: CaptureStore) {
    earlierDevices = ((try? store.waitingOfEarlierDevices()) ?? [])
      .map { TrackerFacts.EarlierDevice($0.device, waiting: $0.count) }
  }
}
