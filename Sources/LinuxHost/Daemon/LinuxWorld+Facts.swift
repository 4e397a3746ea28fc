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
      service.tell(status: Verdict(of: facts).text(of: facts, in: language))
    }
    guard !waiting.isEmpty else { return }
    let text = "ok\n" + facts.lines
    for question in waiting { parts.control?.answer(question, text) }
  }

  private mutating func facts(of tracker: borrowing Tracker) -> TrackerFacts {
    var facts = TrackerFacts(tracker, status, at: now)
    facts.version = parts.version
    facts.consoleAccess = consoleLock.access
    facts.timeZone = parts.timeZone
    facts.systemClock = clockKeeper.text(at: now)
    addStore(to: &facts)
    battery.add(to: &facts, at: now)
    addPorts(to: &facts)
    facts.pins = pins.problem
    facts.courseProblem = settings.courseProblem
    facts.recording = parts.recording?.path
    facts.recordingProblem = parts.recording?.problem?.texts
    facts.logDropped = Int64(log.dropped)
    facts.take(settings.inForce) { status.age(of: $0, at: now) }
    return facts
  }

  private mutating func addStore(to facts: inout TrackerFacts) {
    let store = queue.courier.store
    let counts = queue.courier.counts(at: clock.hostTime)
    facts.device = store.device.lowercaseText
    facts.number = parts.number ?? String(facts.device.prefix(CaptureName.shownDigits))
    facts.take(StoreFacts(store, date: clock.machineTime.date), oldest: queue.news.oldest)
    facts.earlierDevices = queue.news.earlierDevices
    facts.held = Int64(counts.held)
    facts.heldFor = counts.held > 0 ? counts.heldFor.count : nil
    facts.displaced = queue.displaced
    facts.pathLimit = queue.courier.path.knownLimit.map { Int64($0) }
    facts.storeProblem = queue.courier.standingProblem?.texts
    // From before the start, at the latest so long ago.
    if facts.lastDelivery == nil, facts.isClockTrusted, let utc = facts.utc,
      let before = queue.news.deliveredBefore, utc >= before.milliseconds
    {
      facts.lastDelivery = utc - before.milliseconds
    }
  }

  private func addPorts(to facts: inout TrackerFacts) {
    for line in lines {
      let isConnected = line.isConnected
      let state = isConnected ? TrackerFacts.connected : TrackerFacts.notConnected
      let problem = isConnected ? line.sharing : line.problem
      switch line.role {
      case .receiver:
        facts.receiverPort = state
        facts.receiverProblem = problem
      case .modem:
        facts.modemPort = state
        facts.modemProblem = problem
        facts.isModemPortTaken = isConnected ? line.sharing != nil : line.isTaken
      }
    }
  }
}

/// What only the store knows about the queue. It is looked up when the queue changes, so that a
/// status does not wait for that.
struct QueueNews {
  private(set) var oldest: StoredCapture?
  /// `6f1c… 12`: devices that the store had before, with how many of their captures wait.
  private(set) var earlierDevices: [String] = []
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
      .map { "\($0.device.lowercaseText) \($0.count)" }
  }
}
