import Synchronization
import TrackerCore

/// Keys in the order in which they came.
final class Log: Sendable {
  private let list = Mutex<[CaptureKey]>([])

  func add(_ key: CaptureKey) { list.withLock { $0.append(key) } }
  var keys: [CaptureKey] { list.withLock { $0 } }
}
