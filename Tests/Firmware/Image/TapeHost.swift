import TrackerCore

/// A world that was recorded: it says what the tape says, and hashes what passes.
struct TapeHost: Host {
  private(set) var now = Instant.start
  /// As tracker-sim writes it, so that the digests can be compared.
  private(set) var log = FieldWriter()
  private var lastArrival = Instant.start
  private var tape: Tape

  init(_ tape: Tape) { self.tape = tape }

  /// A tape has none.
  var newSettings: NewSettings? { nil }

  mutating func wait(
    until deadline: Instant?, filling buffer: inout MutableSpan<UInt8>
  ) -> Arrival {
    let arrival = tape.arrival(at: &now, filling: &buffer)
    lastArrival = now
    log.begin(.arrival)
    switch arrival {
    case .bytes(let count, .receiver): log.arrival(ofReceiver: count, at: now)
    // The recording that the tape is made from has the secrets hidden.
    case .bytes(let count, .modem):
      log.arrival(ofModem: buffer.span.extracting(first: count), at: now)
    case .event(let event): log.arrival(event, at: now)
    case .end: log.end(at: now)
    // A tape has none.
    case .newSettings, .inspection, .restart: break
    }
    log.end()
    return arrival
  }

  mutating func push(_ effect: Effect) {
    log.begin(.effect)
    log.effect(effect, at: now, after: lastArrival)
    log.end()
  }

  mutating func remember(_ memory: Memory) {
    log.begin(.effect)
    log.effect(remembering: memory, at: now, after: lastArrival)
    log.end()
  }
}

extension FieldWriter {
  fileprivate mutating func begin(_ kind: RecordKind) {
    bytes.append(kind.rawValue)
    beginRecord()
  }

  fileprivate mutating func end() { bytes.append(.lineFeed) }
}

/// Tapes have no reloaded settings: those are named with texts of the host.
extension Configuration: FieldWritable {
  func write(to fields: inout FieldWriter) {}
}
