public import CaptureStore
public import TrackerCore
import Wording

/// What a store says about its tracker, running or not.
public struct StoreFacts {
  var path: String?
  var pending: Int64
  var setAside: Int64
  var acknowledged: Int64
  var diskFree: Int64?
  var secondStore: Texts?
  var news: [Texts] = []
  var damagedRows: Int64
  /// The machine's date, by which the store's times are compared.
  var date: UTC

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
      secondStore = waiting.texts
      path = waiting.path
    }
    if let leftover = store.leftover { news.append(leftover.texts) }
    if let damage = store.secondDamage { news.append(damage.texts) }
  }
}

extension TrackerFacts {
  /// - Parameter oldest: the capture that has waited longest.
  public mutating func take(_ store: StoreFacts, oldest: StoredCapture?) {
    pending = store.pending
    setAside = store.setAside
    acknowledged = store.acknowledged
    diskFree = store.diskFree
    self.store = store.path
    secondStore = store.secondStore
    storeNews = store.news
    damagedRows = store.damagedRows
    pendingBytes = pending * QueueBytes.each
    guard let oldest, pending > 0 else { return }
    oldestPending = max(0, (store.date - oldest.takenAt).count)
  }
}

/// What a capture takes on the way, bytes: measured with tracker-sim on race.nmea, batches of 10
/// against batches of 57, to an ArcGIS layer; a request takes 720 more.
enum QueueBytes {
  static let each: Int64 = 460
}
