import TrackerCore

/// How long a queue takes to be sent.
enum DrainEstimate {
  /// From switching the modem on to the first request: contacts in the race took 20 to 40 s.
  private static let connection = Milliseconds.seconds(40)
  /// A request with a full batch and its answer over 3G.
  private static let request = Milliseconds.seconds(5)
  /// Captures in a full batch (`Bounds.batchLimit`).
  private static let batch: Int64 = 100

  /// The length of the contact.
  static func time(_ facts: TrackerFacts) -> Milliseconds {
    let requests = (max(0, facts.queue.pending) + batch - 1) / batch
    return (facts.modem.isPresent ? connection : 0) + Milliseconds(requests * request.count)
  }
}
