import CaptureStore
import TrackerCore

/// Captures in flight whose fate is unknown, and since when: a copy in memory of what the store
/// remembers of them, brought to the clock of this run of the machine.
struct HeldCaptures {
  private let boot: String
  private var since: [CaptureKey: Milliseconds] = [:]
  private var isAdopted = false

  init(boot: String) { self.boot = boot }

  var count: Int { since.count }

  func contains(_ key: CaptureKey) -> Bool { since[key] != nil }

  /// Takes over what earlier programs left. How long ago the machine last ran nobody knows, nor
  /// when a program that died gave up: for these the time begins now.
  mutating func adopt(from store: CaptureStore, at now: HostTime) throws(StoreError) {
    guard !isAdopted else { return }
    for hold in try store.holds() where hold.boot == boot && hold.since <= now.uptime {
      since[hold.key] = hold.since
    }
    isAdopted = true
    try holdRest(of: store, at: now)
  }

  /// What is in flight. A capture that turned out to be damaged no longer is, and nothing is held
  /// for it.
  mutating func inFlight(in store: CaptureStore) throws(StoreError) -> [StoredCapture] {
    let captures = try store.inFlight()
    let keys = Set(captures.map(\.key))
    since = since.filter { keys.contains($0.key) }
    return captures
  }

  // MARK: Time

  /// How long until the first of them may be asked about.
  func wait(_ mayActFor: Milliseconds, at now: HostTime) -> Milliseconds {
    guard let first = since.values.min() else { return 0 }
    return max(0, mayActFor - (now.uptime - first))
  }

  /// What may be asked about.
  func askable(_ mayActFor: Milliseconds, at now: HostTime) -> Set<CaptureKey> {
    Set(since.filter { now.uptime - $0.value >= mayActFor }.keys)
  }

  // MARK: Changes

  mutating func hold(
    _ keys: [CaptureKey], in store: CaptureStore, at now: HostTime
  ) throws(StoreError) {
    // What the disk does not take is held all the same, and for longer after a restart.
    for key in keys { since[key] = now.uptime }
    try store.hold(keys.map { Hold(key: $0, boot: boot, since: now.uptime) })
  }

  /// Holds what is in flight and not held yet.
  mutating func holdRest(of store: CaptureStore, at now: HostTime) throws(StoreError) {
    try hold(try rest(of: store), in: store, at: now)
  }

  /// These have left the queue, and the store's notes with them.
  mutating func forget(_ keys: [CaptureKey]) {
    for key in keys { since[key] = nil }
  }

  mutating func release(
    _ keys: [CaptureKey], in store: CaptureStore, at now: HostTime
  ) throws(StoreError) {
    try store.release(keys, at: now.utc)
    forget(keys)
  }

  /// Lets go of all that is in flight.
  mutating func release(in store: CaptureStore, at now: HostTime) throws(StoreError) {
    try store.release(at: now.utc)
    since = [:]
  }

  /// Lets go of what is in flight and not held.
  mutating func releaseRest(of store: CaptureStore, at now: HostTime) throws(StoreError) {
    try store.release(try rest(of: store), at: now.utc)
  }

  private mutating func rest(of store: CaptureStore) throws(StoreError) -> [CaptureKey] {
    try inFlight(in: store).map(\.key).filter { since[$0] == nil }
  }
}
