import Synchronization

/// Decides for each request what goes wrong with it. The same faults, seed and order of requests
/// give the same troubles.
final class FaultPlan: Sendable {
  private struct State: Sendable {
    /// How many requests each fault has seen.
    var seen: [Int]
    var lot: Lot
  }

  private let faults: [Fault]
  private let state: Mutex<State>

  init(_ faults: [Fault], seed: UInt64) {
    self.faults = faults
    state = Mutex(State(seen: Array(repeating: 0, count: faults.count), lot: Lot(seed: seed)))
  }

  /// What goes wrong with the next request, in the order in which the faults were given.
  func draw(isEdit: Bool) -> [Fault.Kind] {
    if faults.isEmpty { return [] }
    return state.withLock { state in
      var kinds: [Fault.Kind] = []
      for (index, fault) in faults.enumerated()
      where fault.target == .both || (fault.target == .edits) == isEdit {
        state.seen[index] += 1
        let strikes =
          switch fault.occasion {
          case .every(let number): state.seen[index] % number == 0
          case .share(let share): state.lot.unit() < share
          }
        if strikes { kinds.append(fault.kind) }
      }
      return kinds
    }
  }

  /// One of `0..<count` by lot; `nil` if there is none.
  func choose(from count: Int) -> Int? {
    guard count > 0 else { return nil }
    return state.withLock { Int($0.lot.next() % UInt64(count)) }
  }
}

/// Numbers by lot: SplitMix64 by Sebastiano Vigna (prng.di.unimi.it). Not for secrets.
struct Lot: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0..<1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
