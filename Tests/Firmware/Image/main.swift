import TrackerCore

// The smallest firmware: the whole core and its loop, fed from a tape.

@main struct Firmware {
  static func main() {
    let tape = Tape()
    follow(tape, with: begin(tape))
  }

  /// Apart from `begin`, so that neither takes its stack on top of the other's.
  @inline(never)
  private static func follow(_ tape: Tape, with tracker: UnsafeMutablePointer<Tracker>) {
    var host = TapeHost(tape)
    run(&tracker.pointee, in: &host)
    print_digest(host.log.bytes.digest)
  }

  /// Makes the tracker in static storage, where firmware keeps it. What that takes is gone from the
  /// stack when the loop begins.
  @inline(never)
  private static func begin(_ tape: Tape) -> UnsafeMutablePointer<Tracker> {
    let beginning = settings_storage(Int32(MemoryLayout<TapeBeginning>.size))!
      .assumingMemoryBound(to: TapeBeginning.self)
    tape.readSized(beginning)
    let tracker = tracker_storage(Int32(MemoryLayout<Tracker>.size))!
      .assumingMemoryBound(to: Tracker.self)
    Tracker.make(
      at: tracker, board: beginning.pointee.board,
      configuration: beginning.pointee.configuration, identity: beginning.pointee.identity,
      now: .start)
    return tracker
  }
}
