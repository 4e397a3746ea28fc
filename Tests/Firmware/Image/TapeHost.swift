import TrackerCore

/// A world that was recorded: it says what the tape says, and writes down what it hears.
struct TapeHost: Host {
  private(set) var now = Instant.start
  /// As tracker-sim writes it, so that the digests can be compared.
  private(set) var log = LineWriter()
  private var tape: Tape

  init(_ tape: Tape) { self.tape = tape }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    let arrival = tape.arrival(at: &now, filling: &buffer)
    log.line(arrival, at: now)
    return arrival
  }

  mutating func push(_ effect: Effect) { log.line(effect, at: now) }
}
