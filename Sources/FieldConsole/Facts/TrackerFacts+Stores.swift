public import CaptureStore
public import TrackerCore
import Wording

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
      store.second = more.path?.texts
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
