import Synchronization

/// Numbers in the order in which they came.
final class Log: Sendable {
  private let list = Mutex<[UInt32]>([])

  func add(_ number: UInt32) { list.withLock { $0.append(number) } }
  var numbers: [UInt32] { list.withLock { $0 } }
}
