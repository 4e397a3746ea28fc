/// How long a queue takes to be sent.
enum DrainEstimate {
  /// From switching the modem on to the first request, milliseconds: contacts in the race took 20
  /// to 40 s.
  private static let connection: Int64 = 40_000
  /// A request with a full batch and its answer over 3G, milliseconds.
  private static let request: Int64 = 5000
  /// Captures in a full batch (`Bounds.batchLimit`).
  private static let batch: Int64 = 100

  /// Milliseconds of contact.
  static func time(_ facts: TrackerFacts) -> Int64 {
    let requests = (max(0, facts.pending) + batch - 1) / batch
    return (facts.hasModem ? connection : 0) + requests * request
  }
}
