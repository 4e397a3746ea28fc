import TrackerCore

/// The records of a run: a tracker's inputs and effects, as in a recording, but with only the
/// number of the receiver's bytes.
///
///     $PTRKI,600000,due*28
///     $PTRKO,,upload,2,freshest,20,1776500399000*45
public struct EventLog: HostObserver {
  /// The run's digest, of the records' letters and fields.
  public var digest: Digest { writer.fields.bytes.digest ?? written }

  private var writer = TraceWriter()
  /// The digest where they are written.
  private var written = Digest()
  private var mask = EchoMask()
  private var lastArrival = Instant.start
  private let write: (([UInt8]) -> Void)?

  /// How many bytes are gathered before they are handed to `write`.
  private static let chunk = 65_536

  /// - Parameter write: takes the lines in chunks; `nil` if only the digest is needed.
  public init(write: (([UInt8]) -> Void)? = nil) {
    self.write = write
    if write == nil { writer.fields.bytes = FieldBytes(digest: Digest()) }
  }

  public mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    lastArrival = now
    switch role {
    case .receiver:
      let count = bytes.count
      record(.arrival) { $0.arrival(ofReceiver: count, at: now) }
    case .modem:
      let masked = mask.mask(bytes)
      record(.arrival) { $0.arrival(ofModem: masked.span, at: now) }
    }
  }

  public mutating func received(_ settings: NewSettings, at now: Instant) {
    lastArrival = now
    record(.arrival) { $0.arrival(settings, at: now) }
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    lastArrival = now
    switch arrival {
    case .bytes, .newSettings, .inspection: break
    case .event(let event): record(.arrival) { $0.arrival(event, at: now) }
    case .restart: record(.arrival) { $0.restart(at: now) }
    case .end: record(.arrival) { $0.end(at: now) }
    }
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    let arrival = lastArrival
    record(.effect) { $0.effect(effect, at: now, after: arrival) }
  }

  public mutating func remembered(_ memory: Memory, at now: Instant) {
    let arrival = lastArrival
    record(.effect) { $0.effect(remembering: memory, at: now, after: arrival) }
  }

  private mutating func record(_ kind: RecordKind, _ fields: (inout FieldWriter) -> Void) {
    guard write != nil else {
      writer.fields.beginRecord()
      writer.fields.bytes.append(kind.rawValue)
      fields(&writer.fields)
      return writer.fields.bytes.append(.lineFeed)
    }
    fields(&writer.fields)
    written.add(kind.rawValue)
    for byte in writer.fields.bytes.kept { written.add(byte) }
    written.add(.lineFeed)
    writer.end(kind)
    if writer.bytes.count >= Self.chunk { flush() }
  }

  /// Hands over the gathered lines.
  public mutating func flush() {
    write?(writer.bytes)
    writer.bytes.removeAll(keepingCapacity: true)
  }
}
