public import CaptureStore
import TrackerCore
import Wording

extension TrackerFacts {
  /// What the stores of a tracker that does not run say: the first and, if there is one, the second
  /// that stood in for it. Reads all rows.
  public init(of stores: [CaptureStore], at time: MachineTime) {
    self.init()
    presence = .dead
    utc = time.date.milliseconds
    guard let first = stores.first else { return }
    device = first.device.lowercaseText
    number = String(device.prefix(CaptureName.shownDigits))
    let oldest = stores.compactMap { (try? $0.oldestWaiting()) ?? nil }
      .min { $0.takenAt < $1.takenAt }
    take(StoreFacts(first, date: time.date), oldest: nil)
    for second in stores.dropFirst() {
      let more = StoreFacts(second, date: time.date)
      (pending, setAside) = (pending + more.pending, setAside + more.setAside)
      acknowledged += more.acknowledged
      damagedRows += more.damagedRows
      secondStore = more.path?.texts
    }
    pendingBytes = pending * QueueBytes.each
    if let oldest { oldestPending = max(0, (time.date - oldest.takenAt).count) }
    for store in stores {
      if let damage = store.damage { storeNews.append(ProblemPhrase.damagedStore.texts(damage)) }
      take((try? store.lastAcknowledgement()) ?? nil, time.date)
      guard let last = ((try? store.newest(1)) ?? []).last else { continue }
      team = String(last.capture.team)
      lastCapture = Int64(last.capture.sequence)
      lastCaptureAge = max(0, (time.date - last.takenAt).count)
    }
    if let memory = try? (stores.last ?? first).memory(at: time) { take(memory, time) }
  }

  /// A date after `now` was written by a clock that was wrong then, or is now.
  private mutating func take(_ acknowledged: UTC?, _ now: UTC) {
    guard let acknowledged, acknowledged <= now else { return }
    let age = (now - acknowledged).count
    lastDelivery = min(lastDelivery ?? age, age)
  }

  private mutating func take(_ memory: Memory, _ time: MachineTime) {
    if let order = memory.teamOrder {
      team = String(order.value)
      teamOrder = Self.origin(of: order, at: time.now, time.date)
    }
    sessionOrder = memory.sessionOrder.map { Self.origin(of: $0, at: time.now, time.date) }
    guard let last = memory.session else { return }
    sessionNumber = Int64(last.number)
    switch last.ending {
    case nil: session = .running
    case .stopped: session = .stopped
    case .finished: session = .finished
    }
    let moment = last.ending == nil ? last.begun : last.ended
    sessionAge = moment.age(at: time.now, date: time.date)?.count
  }
}
