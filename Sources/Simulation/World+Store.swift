import CaptureStore
import TrackerCore

// The disk.
extension World {
  mutating func store(_ capture: Capture) {
    let event: Event
    let offeredAt = offer?.sequence == capture.sequence ? offer?.at ?? now : now
    if scenario.store.content(at: now) == .full {
      event = .storeFailed(sequence: capture.sequence)
      offer = (capture.sequence, offeredAt)
    } else {
      offeredAtOfWaiting[courier.store.nextKey] = offeredAt
      event = courier.keep(capture, at: moment)
      lastCapture = capture
      offer = nil
    }
    deliver(event, at: now + Self.storeDelay)
  }

  mutating func setAside(_ what: SetAside) {
    deliver(courier.setAside(what, at: moment), at: now + Self.storeDelay)
  }

  /// Failures are ignored: a run's store is never used again.
  public mutating func remember(_ memory: Memory) {
    if scenario.store.content(at: now) == .full { return }
    try? courier.store.remember(memory, at: MachineTime(now: now, date: utc))
  }
}
