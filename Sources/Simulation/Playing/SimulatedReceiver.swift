import TrackerCore

/// A world's receiver: what of a trace can be heard, and when.
///
/// What it says was determined when the trace was recorded; asleep, or on its way to its first fix,
/// it is not heard.
struct SimulatedReceiver: ~Copyable {
  private(set) var player: TracePlayer
  /// When the next burst comes; `nil`: the trace is over.
  private(set) var burstAt: Instant?
  /// Whether a part of a burst has not been read.
  private(set) var isBurstOpen = false
  /// Why the trace could not be read to its end.
  private(set) var error: TraceError?
  /// When the last byte of the trace came; for the world to set.
  var traceEndsAt: Instant?
  private(set) var isAsleep = false
  /// Its first fix.
  private(set) var readyAt: Instant
  /// It can be heard again after a wake-up: at its first fix. At the start the trace decides.
  private var heardFrom = Instant.start
  private var bursts = 0
  /// Called from time to time with the share of the trace that has been played, 0...1, if its size
  /// is known, and the time of the run.
  var progress: ((Double?, Instant) -> Void)?

  init(_ player: consuming TracePlayer, readyAt: Instant) {
    self.player = player
    self.readyAt = readyAt
  }

  mutating func sleep() { isAsleep = true }

  /// - Parameter readyAt: its first fix.
  mutating func start(readyAt: Instant) {
    isAsleep = false
    self.readyAt = readyAt
    heardFrom = readyAt
  }

  /// Finds the next burst.
  mutating func advance() {
    do {
      burstAt = try player.nextBurst()
    } catch {
      self.error = error
      burstAt = nil
    }
    isBurstOpen = false
  }

  mutating func openBurst() { isBurstOpen = true }

  /// Reads the next chunk of the open burst.
  ///
  /// - Parameter canBeHeard: whether nothing else is in the way.
  /// - Returns: 0: there is none.
  mutating func read(
    into buffer: inout MutableSpan<UInt8>, canBeHeard: Bool, at now: Instant
  ) -> Int {
    canBeHeard && !isAsleep && now >= heardFrom ? player.read(into: &buffer) : 0
  }

  /// Counts a burst that is over.
  mutating func tellProgress(at now: Instant) {
    bursts += 1
    guard bursts % 1024 == 0, let progress else { return }
    let total = player.totalBytes.flatMap { $0 > 0 ? Double($0) : nil }
    progress(total.map { Double(player.bytesRead) / $0 }, now)
  }

  /// When the last byte of the trace came, or would have come had the run gone on.
  mutating func findTraceEnd(now: Instant) throws(TraceError) -> Instant {
    if let traceEndsAt { return traceEndsAt }
    return try player.skipToEnd() ?? burstAt ?? now
  }
}
