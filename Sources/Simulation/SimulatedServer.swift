import TrackerCore

/// A server that keeps what it accepts, and misbehaves as the scenario says.
public struct SimulatedServer {
  /// The code that a refused capture gets: "value out of range" (Esri REST, item code 1016).
  static let refusalCode: Int32 = 1016

  private var applied: Set<UInt32> = []
  /// Captures that arrived although they were there already.
  public private(set) var duplicates: UInt32 = 0
  public var received: Int { applied.count }
  private let windows: [Window<ServerTrouble>]
  private let bad: Set<UInt32>
  /// Requests that reached each window so far.
  private var requests: [Int32]
  private var generator: SeededGenerator

  init(_ scenario: Scenario, seed: UInt64) {
    windows = scenario.server
    bad = Set(scenario.badCaptures)
    requests = Array(repeating: 0, count: scenario.server.count)
    generator = SeededGenerator(seed: seed, stream: 101)
  }

  /// The trouble that a request meets which is made now.
  mutating func fault(at now: Instant) -> ServerFault? {
    let elapsed = now - .start
    guard let index = windows.firstIndex(where: { $0.contains(elapsed) }) else { return nil }
    requests[index] += 1
    let trouble = windows[index].content
    switch trouble.occurrence {
    case .always: return trouble.fault
    case .every(let nth):
      return nth > 0 && requests[index] % nth == 0 ? trouble.fault : nil
    case .probability(let percent):
      return generator.whole(in: 0...99) < Int(percent) ? trouble.fault : nil
    }
  }

  /// Keeps the captures of a request; returns those that it accepts and those that it refuses.
  mutating func apply(_ sequences: [UInt32]) -> (accepted: [UInt32], refused: [UInt32]) {
    let accepted = sequences.filter { !bad.contains($0) }
    for sequence in accepted where !applied.insert(sequence).inserted { duplicates += 1 }
    return (accepted, sequences.filter { bad.contains($0) })
  }

  func has(_ sequence: UInt32) -> Bool { applied.contains(sequence) }
}
