import CaptureStore
import TrackerCore

/// Captures in flight whose outcome is unknown, and since when: a copy in memory of the store's
/// holds, on the clock of this boot.
struct HeldCaptures {
  private let boot: String
  private var since: [CaptureKey: Milliseconds] = [:]
  private var isAdopted = false
  /// The captures in flight, as far as this run has handed them out, and perhaps some that have
  /// left the queue; `nil`: there may be others.
  private var handedOut: Set<CaptureKey>?

  init(boot: String) { self.boot = boot }

  var count: Int { since.count }

  func contains(_ key: CaptureKey) -> Bool { since[key] != nil }

  /// Takes over the holds of earlier runs. For those from another boot, and for captures in flight
  /// without a hold, the time begins now, because the elapsed time is unknown.
  mutating func adopt(from store: CaptureStore, at now: HostTime) throws(StoreError) {
    guard !isAdopted else { return }
    for hold in try store.holds() where hold.boot == boot && hold.since <= now.uptime {
      since[hold.key] = hold.since
    }
    isAdopted = true
    try holdRest(of: store, at: now)
  }

  /// The captures in flight. Also drops the holds of captures that no longer are, for example
  /// because they were found damaged.
  mutating func inFlight(in store: CaptureStore) throws(StoreError) -> [StoredCapture] {
    let captures = try store.inFlight()
    let keys = Set(captures.map(\.key))
    since = since.filter { keys.contains($0.key) }
    return captures
  }

  // MARK: Time

  /// The time until the first of them may be asked about.
  func wait(_ mayActFor: Milliseconds, at now: HostTime) -> Milliseconds {
    guard let first = since.values.min() else { return 0 }
    return max(0, mayActFor - (now.uptime - first))
  }

  /// The captures that may be asked about.
  func askable(_ mayActFor: Milliseconds, at now: HostTime) -> Set<CaptureKey> {
    Set(since.filter { now.uptime - $0.value >= mayActFor }.keys)
  }

  // MARK: Changes

  /// Hands out captures to send.
  mutating func select(
    _ selection: Selection, from store: CaptureStore, at now: HostTime
  ) throws(StoreError) -> [StoredCapture] {
    let before = handedOut
    handedOut = nil
    let captures = try store.select(selection, at: now.utc)
    handedOut = before?.union(captures.map(\.key))
    return captures
  }

  mutating func hold(
    _ keys: [CaptureKey], in store: CaptureStore, at now: HostTime
  ) throws(StoreError) {
    // If the store fails they are held nevertheless, and for longer after a restart.
    for key in keys { since[key] = now.uptime }
    try store.hold(keys.map { Hold(key: $0, boot: boot, since: now.uptime) })
  }

  /// Holds the captures in flight that are not held yet.
  mutating func holdRest(of store: CaptureStore, at now: HostTime) throws(StoreError) {
    try hold(try rest(of: store), in: store, at: now)
  }

  /// These have left the queue, and the store has deleted their holds.
  mutating func forget(_ keys: [CaptureKey]) {
    for key in keys {
      since[key] = nil
      handedOut?.remove(key)
    }
  }

  mutating func release(
    _ keys: [CaptureKey], in store: CaptureStore, at now: HostTime
  ) throws(StoreError) {
    try store.release(keys, at: now.utc)
    forget(keys)
  }

  /// Releases all captures in flight.
  mutating func release(in store: CaptureStore, at now: HostTime) throws(StoreError) {
    // After most uploads there are none, and a transaction takes a while.
    guard handedOut?.isEmpty != true else { return }
    try store.release(at: now.utc)
    (since, handedOut) = ([:], [])
  }

  /// Releases the captures in flight that are not held.
  mutating func releaseRest(of store: CaptureStore, at now: HostTime) throws(StoreError) {
    try store.release(try rest(of: store), at: now.utc)
  }

  private mutating func rest(of store: CaptureStore) throws(StoreError) -> [CaptureKey] {
    try inFlight(in: store).map(\.key).filter { since[$0] == nil }
  }
}
