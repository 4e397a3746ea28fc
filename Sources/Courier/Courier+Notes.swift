import CaptureStore
import Notes
import TrackerCore
import Uplink

/// What a courier knows of the server's table of notes.
struct NoteExchange {
  /// The server has none: it is not asked again until the tracker starts, or has another server.
  var isUnsupported = false
  /// The last row that was read; those that are no notes have none in the store.
  var last: Int64 = 0
  /// The row that shows whether the table is still the same.
  var known: ServedNote?
  /// Versions that the server does not take.
  var refused: Set<NoteVersion> = []
  var requestsLeft = 0
  var task: NoteTask?
}

// Notes go along when messages are fetched: first come those that others wrote, then go those that
// were written here. A version that the server has taken, but whose answer was lost, comes the next
// time, so that it is not sent twice.
extension Courier {
  /// Begins the exchange, after messages were fetched.
  ///
  /// - Returns: `nil`: there is nothing to exchange them with.
  mutating func beginNotes(
    _ id: RequestID, _ outcome: FetchOutcome, at now: HostTime
  ) throws(StoreError) -> UplinkStep? {
    guard !notes.isUnsupported else { return nil }
    work = .notes(id, outcome)
    notes.requestsLeft = CourierBounds.noteRequests
    notes.known = try store.lastServedNote().map { ServedNote(object: $1, version: $0) }
    notes.last = max(notes.last, notes.known?.object ?? 0)
    return exchange(
      .pull(device: store.device, above: notes.last, known: notes.known?.object), at: now)
  }

  /// A step's result of the exchange.
  ///
  /// - Returns: the next step; `nil`: it is over.
  mutating func take(_ outcome: NoteOutcome, at now: HostTime) throws(StoreError) -> UplinkStep? {
    switch (outcome, notes.task) {
    case (.pulled(let served, let last, let isAll), .pull?):
      if let known = notes.known, !served.contains(known) {
        // Its rows are others now: what is there is read from the first one on. What was sent
        // before counts as delivered, as captures do.
        try store.forgetServedRows()
        (notes.known, notes.last) = (nil, 0)
        return exchange(.pull(device: store.device, above: 0, known: nil), at: now)
      }
      notes.known = nil
      try keep(served)
      notes.last = last
      if isAll { return try push(at: now) }
      return exchange(.pull(device: store.device, above: last, known: nil), at: now)
    case (.pushed(let isTaken), .push(let versions, _)?) where isTaken.count == versions.count:
      let taken = zip(versions, isTaken).filter(\.1).map(\.0)
      try store.keep(taken) { _ in 0 }
      notes.refused.formUnion(Set(versions).subtracting(taken))
      return try push(at: now)
    case (.unsupported, _):
      notes.isUnsupported = true
      return nil
    case (.failed, _), (.pulled, _), (.pushed, _): return nil
    }
  }

  /// Others' versions only up to a bound, so that nobody fills the store.
  private mutating func keep(_ served: [ServedNote]) throws(StoreError) {
    let book = try store.notebook()
    var room = NoteBounds.versionsTaken - book.versions.count
    let taken = served.filter { one in
      if book.versions.contains(one.version) { return true }
      room -= 1
      return room >= 0
    }
    let rows = Dictionary(taken.map { ($0.version, $0.object) }, uniquingKeysWith: min)
    try store.keep(taken.map(\.version)) { rows[$0] }
  }

  private mutating func push(at now: HostTime) throws(StoreError) -> UplinkStep? {
    let unsent = try store.unsentNotes(atMost: UplinkBounds.noteRows + notes.refused.count)
      .filter { !notes.refused.contains($0) }.prefix(UplinkBounds.noteRows)
    if unsent.isEmpty { return nil }
    return exchange(.push(Array(unsent), device: store.device), at: now)
  }

  private mutating func exchange(_ task: NoteTask, at now: HostTime) -> UplinkStep? {
    guard notes.requestsLeft > 0 else { return nil }
    notes.requestsLeft -= 1
    notes.task = task
    return dialogue.exchange(task, at: now.utc)
  }
}
