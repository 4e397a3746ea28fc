import Synchronization
public import TrackerCore

/// Keys in the order in which they came.
public final class KeyLog: Sendable {
  private let list = Mutex<[CaptureKey]>([])

  public init() {}

  public func add(_ key: CaptureKey) { list.withLock { $0.append(key) } }
  public var keys: [CaptureKey] { list.withLock { $0 } }
}
