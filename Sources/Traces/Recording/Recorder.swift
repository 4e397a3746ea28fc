import TrackerCore

/// The flight recorder: writes everything that passes between a tracker and its host, so that it
/// can be replayed.
///
/// It only observes. It writes a valid NMEA 0183 log, described in traces/README.md, in which
/// secrets are hidden (`EchoMask`).
public struct Recorder<Sink: TraceSink>: HostObserver {
  public private(set) var sink: Sink
  /// Arrivals that could not be recorded since the recording stopped; 0 while it is running.
  public private(set) var lost: UInt32 = 0

  private let beginning: RecordingHeader
  private let settings: [UInt8]
  private var label: RecordingLabel
  private var date: TraceDate
  private var writer = TraceWriter()
  private var tape = ReceiverTape()
  private var mask = EchoMask()
  /// The instant of the last arrival, which its effects do not repeat.
  private var lastArrival: Instant
  private var handedOverAt: Instant
  private var heldArrivals: UInt32 = 0
  private var isStopped = false
  /// The sink has not accepted the header of the current part yet.
  private var isHeaderDue = true

  public init(_ beginning: RecordingHeader, into sink: Sink) {
    self.beginning = beginning
    self.sink = sink
    settings = SettingsWriter.records(of: beginning)
    date = TraceDate(
      utc: beginning.utc, at: beginning.instant, notBefore: beginning.configuration.notBefore)
    lastArrival = beginning.instant
    handedOverAt = beginning.instant
    label = RecordingLabel(part: 1, recording: 0, program: beginning.program)
    var identifying = TraceWriter()
    date.write(to: &identifying.fields, at: beginning.instant)
    identifying.end(.header)
    for comment in beginning.comments { identifying.comment(comment) }
    var digest = Digest()
    for byte in settings + identifying.bytes { digest.add(byte) }
    label.recording = digest.value
    writeHeader(at: beginning.instant)
  }

  // MARK: What passes

  public mutating func received(_ bytes: Span<UInt8>, from role: SerialRole, at now: Instant) {
    guard prepare(at: now) else { return }
    switch role {
    case .receiver: tape.receive(bytes, at: now, date: date, into: &writer)
    case .modem:
      tape.endList(into: &writer)
      writer.fields.arrival(ofModem: mask.mask(bytes).span, at: now)
      writer.end(.arrival)
    }
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    switch arrival {
    case .bytes, .inspection: break
    case .event(let event):
      guard prepare(at: now) else { return }
      tape.endList(into: &writer)
      writer.fields.arrival(event, at: now)
      writer.end(.arrival)
    case .end:
      if prepare(at: now) {
        tape.release(into: &writer)
        writer.fields.end(at: now)
        writer.end(.arrival)
      }
      handOver(at: now)
      sink.finish()
    }
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    guard !isStopped else { return }
    tape.endList(into: &writer)
    writer.fields.effect(effect, at: now, after: lastArrival)
    writer.end(.effect)
    if case .note(.clockTrusted(let utc)) = effect, date.trust(utc, at: now) {
      date.write(to: &writer.fields, at: now)
      writer.end(.header)
    }
  }

  public mutating func remembered(_ memory: Memory, at now: Instant) {
    guard !isStopped else { return }
    tape.endList(into: &writer)
    writer.fields.effect(remembering: memory, at: now, after: lastArrival)
    writer.end(.effect)
  }

  /// Hands over everything held back; a daemon calls it before a long wait.
  public mutating func flush(at now: Instant) { handOver(at: now) }

  // MARK: To the sink

  /// Before each arrival: releases a stale line, begins a new part and hands over if due.
  ///
  /// - Returns: whether to write the arrival.
  private mutating func prepare(at now: Instant) -> Bool {
    lastArrival = now
    if !isStopped { tape.releaseIfStale(at: now, into: &writer) }
    if sink.isPartFull && !tape.isInLine && !isHeaderDue { beginPart(at: now) }
    if writer.bytes.count >= TraceBounds.handOverBytes
      || now - handedOverAt >= TraceBounds.handOverInterval
    {
      handOver(at: now)
    }
    if isStopped { lost &+= 1 } else { heldArrivals &+= 1 }
    return !isStopped
  }

  private mutating func handOver(at now: Instant) {
    handedOverAt = now
    if isStopped { tellGap(at: now) } else { tape.endList(into: &writer) }
    guard !writer.bytes.isEmpty else { return }
    if sink.write(writer.bytes, at: now) {
      isHeaderDue = false
      isStopped = false
      lost = 0
    } else {
      isStopped = true
      lost &+= heldArrivals
      // The rest of an unfinished line would have no beginning.
      tape = ReceiverTape()
      writer.fields.clear()
    }
    heldArrivals = 0
    writer.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func tellGap(at now: Instant) {
    if isHeaderDue { writeHeader(at: now) }
    writer.fields.add(now)
    writer.fields.word("gap")
    writer.fields.number(lost)
    writer.end(.arrival)
  }

  private mutating func beginPart(at now: Instant) {
    tape.endList(into: &writer)
    handOver(at: now)
    guard !isStopped else { return }
    sink.beginPart()
    label.part &+= 1
    isHeaderDue = true
    writeHeader(at: now)
  }

  private mutating func writeHeader(at now: Instant) {
    writer.comment("trailtracker recording, part \(label.part)")
    writer.comment("Program: \(beginning.program)")
    for comment in beginning.comments { writer.comment(comment) }
    label.write(to: &writer.fields)
    writer.end(.header)
    writer.bytes += settings
    date.write(to: &writer.fields, at: now)
    writer.end(.header)
    writer.fields.word("begin")
    writer.fields.add(now)
    writer.end(.header)
  }
}
