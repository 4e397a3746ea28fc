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
  private var isOver = false
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

  public mutating func received(_ settings: NewSettings, at now: Instant) {
    arrived(settings, at: now)
  }

  public mutating func arrived(_ arrival: Arrival, at now: Instant) {
    switch arrival {
    case .bytes, .newSettings, .inspection: break
    case .event(let event): arrived(event, at: now)
    case .end: end(at: now)
    // The tracker that starts now is another recording's.
    case .restart:
      end(at: now)
      isOver = true
    }
  }

  private mutating func arrived(_ what: some FieldWritable, at now: Instant) {
    guard prepare(at: now) else { return }
    tape.endList(into: &writer)
    writer.fields.arrival(what, at: now)
    writer.end(.arrival)
  }

  private mutating func end(at now: Instant) {
    if isOver { return }
    if prepare(at: now) {
      tape.release(into: &writer)
      writer.fields.end(at: now)
      writer.end(.arrival)
    }
    breakOff(at: now)
  }

  /// Ends it as a loss of power would, with all that has come.
  public mutating func breakOff(at now: Instant) {
    handOver(at: now)
    sink.finish()
    isOver = true
  }

  public mutating func pushed(_ effect: Effect, at now: Instant) {
    guard !isStopped, !isOver else { return }
    tape.endList(into: &writer)
    writer.fields.effect(effect, at: now, after: lastArrival)
    writer.end(.effect)
    if case .note(.clockTrusted(let utc)) = effect, date.trust(utc, at: now) {
      date.write(to: &writer.fields, at: now)
      writer.end(.header)
    }
  }

  public mutating func remembered(_ memory: Memory, at now: Instant) {
    guard !isStopped, !isOver else { return }
    tape.endList(into: &writer)
    writer.fields.effect(remembering: memory, at: now, after: lastArrival)
    writer.end(.effect)
  }

  // MARK: To the sink

  /// Before each arrival: releases a stale line, begins a new part and hands over if due.
  ///
  /// - Returns: whether to write the arrival.
  private mutating func prepare(at now: Instant) -> Bool {
    if isOver { return false }
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

/// Hides the secrets in a modem's output: replaces by `#` what follows `=` in the echo of a
/// command, the digits of a report on PINs, and what follows the word token or password in a line,
/// as in a server's answer.
///
/// A tracker ignores such lines, and they keep their length, so a replay makes the same decisions.
/// It works byte by byte, so a line may be split anywhere.
struct EchoMask: Sendable, Equatable {
  /// Commands whose arguments are secret, even if noise precedes their echo: PIN and passwords
  /// (3GPP TS 27.007), and those of a bearer (SIMCom, Qualcomm).
  private static let secrets: [StaticString] = [
    "CPIN", "CPIN2", "CPWD", "CLCK", "CGAUTH", "CSTT", "QCPDPP", "CNETPWD", "CMQTTCONNECT",
  ]
  private static let words: [StaticString] = ["TOKEN", "PASSWORD"]

  /// The last bytes of this line so far, to be compared at a `=`.
  private var tail: [UInt8] = []
  private var isEcho = false
  private var position = 0
  private var isHiding = false
  /// In a report such as `+CPIN: 1234`. The digit of `SIM PIN2` follows a letter and stays.
  private var isHidingNumbers = false

  /// The bytes with their secrets hidden.
  mutating func mask(_ bytes: Span<UInt8>) -> [UInt8] {
    var masked: [UInt8] = []
    masked.reserveCapacity(bytes.count)
    for index in bytes.indices { masked.append(mask(bytes[index])) }
    return masked
  }

  private mutating func mask(_ byte: UInt8) -> UInt8 {
    if byte == .carriageReturn || byte == .lineFeed {
      self = Self()
      return byte
    }
    if isHiding || isHidingNumbers && isDigit(byte) && !isLetter(tail.last) { return .hash }
    if byte == UInt8(ascii: "=") {
      isHiding = isEcho || Self.secrets.contains { Self.ends(tail, with: $0) }
      return byte
    }
    if byte == UInt8(ascii: ":") {
      isHidingNumbers = Self.secrets.contains { Self.ends(tail, with: $0) }
    }
    let letter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
    if tail.count == TraceBounds.secretNameBytes { tail.removeFirst() }
    tail.append(letter)
    position = min(position + 1, TraceBounds.secretNameBytes)
    // Both words end with one of these letters, so most bytes need no comparison.
    if letter == UInt8(ascii: "N") || letter == UInt8(ascii: "D") {
      isHiding = Self.words.contains { Self.ends(tail, with: $0) }
    }
    if position == 2 { isEcho = Self.ends(tail, with: "AT") }
    return byte
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// For the bytes in `tail`, which are upper-case.
  private func isLetter(_ byte: UInt8?) -> Bool {
    byte.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") } ?? false
  }

  private static func ends(_ tail: [UInt8], with text: StaticString) -> Bool {
    tail.suffix(text.utf8CodeUnitCount).elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
