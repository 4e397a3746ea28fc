import TrackerCore

/// The records of a run: a tracker's inputs and effects, as in a recording, but with only the
/// number of the receiver's bytes.
///
///     $PTRKI,600000,due*28
///     $PTRKO,,upload,2,freshest,20,1776500399000*45
public struct EventLog: HostObserver {
  /// The run's digest, of the records' letters and fields.
  public private(set) var digest = Digest()

  private var writer = TraceWriter()
  private var mask = EchoMask()
  private var lastArrival = Instant.start
  private let write: (([UInt8]) -> Void)?

  /// How many bytes are gathered before they are handed to `write`.
  private static let chunk = 65_536

  /// - Parameter write: takes the lines in chunks; `nil` if only the digest is needed.
  public init(write: (([UInt8]) -> Void)? = nil) { self.write = write }

  public mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    lastArrival = now
    switch role {
    case .receiver: writer.fields.arrival(ofReceiver: bytes.count, at: now)
    case .modem: writer.fields.arrival(ofModem: mask.mask(bytes).span, at: now)
    }
    end(.arrival)
  }

  public mutating func received(_ settings: NewSettings, at now: Instant) {
    lastArrival = now
    writer.fields.arrival(settings, at: now)
    end(.arrival)
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    switch arrival {
    case .bytes, .newSettings, .inspection: return
    case .event(let event): writer.fields.arrival(event, at: now)
    case .restart: writer.fields.restart(at: now)
    case .end: writer.fields.end(at: now)
    }
    lastArrival = now
    end(.arrival)
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    writer.fields.effect(effect, at: now, after: lastArrival)
    end(.effect)
  }

  public mutating func remembered(_ memory: Memory, at now: Instant) {
    writer.fields.effect(remembering: memory, at: now, after: lastArrival)
    end(.effect)
  }

  private mutating func end(_ kind: RecordKind) {
    digest.add(kind.rawValue)
    for byte in writer.fields.bytes { digest.add(byte) }
    digest.add(.lineFeed)
    guard write != nil else { return writer.fields.clear() }
    writer.end(kind)
    if writer.bytes.count >= Self.chunk { flush() }
  }

  /// Hands over the gathered lines.
  public mutating func flush() {
    write?(writer.bytes)
    writer.bytes.removeAll(keepingCapacity: true)
  }
}
