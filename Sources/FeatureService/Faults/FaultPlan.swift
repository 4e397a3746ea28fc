import Synchronization
import TrackerCore

/// Decides what goes wrong with each request. The same faults, random numbers and order of requests
/// give the same troubles.
final class FaultPlan: Sendable {
  private let faults: [Fault]
  /// How many requests each fault has seen.
  private let seen: Mutex<[Int]>
  private let random: RandomSource

  init(_ faults: [Fault], _ random: RandomSource) {
    self.faults = faults
    self.random = random
    seen = Mutex(Array(repeating: 0, count: faults.count))
  }

  /// What goes wrong with the next request, in the order in which the faults were given.
  func draw(_ request: ServiceRequest, at uptime: Milliseconds) -> Troubles {
    if faults.isEmpty { return Troubles() }
    return seen.withLock { seen in
      var kinds: [Fault.Kind] = []
      for (index, fault) in faults.enumerated() where fault.concerns(request, at: uptime) {
        seen[index] += 1
        let strikes =
          switch fault.occasion {
          case .always: true
          case .every(let number): number > 0 && seen[index] % number == 0
          case .probability(let percent): random.unit() < percent / 100
          }
        if strikes { kinds.append(fault.kind) }
      }
      return Troubles(kinds)
    }
  }

  /// One of `0..<count` at random; `nil` if there is none.
  func choose(from count: Int) -> Int? {
    count > 0 ? Int(random.next() % UInt64(count)) : nil
  }
}
