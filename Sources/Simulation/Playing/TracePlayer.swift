import Courses
import NMEA
import Traces
import TrackerCore

/// Plays a trace: splits it into bursts, each of which arrives at one instant of the virtual clock.
///
/// A burst is a receiver's output about one instant, by the same rules as the decoder's epochs
/// (`CycleDetector`), or the lines with the same TAG block time. Bytes that are not sentences are
/// part of their burst, because the tracker has to see garbage too. Memory use does not depend on
/// the trace.
///
/// Of a recording it plays the receiver's output, in the recorded chunks and at the recorded
/// instants.
public struct TracePlayer: ~Copyable {
  private var file: TraceFile
  private let buffer: UnsafeMutableRawBufferPointer
  /// The end of the bytes in the buffer.
  private var filled = 0
  /// The part of the current burst that has not been read yet.
  private var burst = 0..<0
  /// Where the next burst begins.
  private var start = 0
  /// The lines before this have been scanned.
  private var scanned = 0
  private var lastSentenceEnd = 0
  private var isAtEnd = false
  /// The source when the file is a recording.
  private var recorded: RecordedBursts?
  /// The source when the trace was split into its bursts before.
  private var prepared: PreparedBursts?
  private var hasLookedAtBeginning = false
  /// The named places of a GPX file.
  private(set) var places: [(name: String?, point: Course.Point)] = []
  /// Of the trace, without comments; how many of these contain a sentence.
  private var lines = 0
  private var sentences = 0

  private var detector = CycleDetector()
  private var clock = TraceClock()
  private var cycle = Cycle()
  /// The start of the lines whose cycle is not decided yet.
  private var undecidedFrom: Int?

  /// The time of the burst that is being gathered.
  private struct Cycle {
    var timeOfDay: Int32?
    var day: Int32?
    var tag: Int64?
    /// Whether it contains a sentence; otherwise it takes no time.
    var hasSentence = false
    /// Whether the clock has already advanced to it.
    var hasArrived = false
  }

  /// Opens a trace; `-` is standard input.
  public init(path: String) throws(TraceError) {
    self.init(try TraceFile(path: path))
  }

  init(_ file: consuming TraceFile) {
    self.file = file
    buffer = .allocate(byteCount: SimulationBounds.traceBufferBytes, alignment: 16)
  }

  /// Plays a trace that was split into its bursts before.
  public init(_ trace: PreparedTrace) {
    file = TraceFile([])
    buffer = .allocate(byteCount: 0, alignment: 16)
    prepared = PreparedBursts(trace)
    hasLookedAtBeginning = true
  }

  deinit { buffer.deallocate() }

  /// The number of bytes read from the trace.
  public var bytesRead: Int64 { file.bytesRead }
  /// The size of the trace, `nil` for a pipe.
  public var totalBytes: Int64? { file.totalBytes }

  /// Reads the rest without playing it.
  ///
  /// - Returns: when its last burst would arrive.
  /// - Throws: as `nextBurst` does.
  mutating func skipToEnd() throws(TraceError) -> Instant? {
    var last: Instant?
    while let next = try nextBurst() { last = next }
    return last
  }

  /// Advances to the next burst and returns when it arrives; the first arrives at instant 0.
  ///
  /// - Returns: `nil` at the end of the trace.
  /// - Throws: `empty`, `noSentence` or `hardlyAnySentence` at the end of a file that is not a
  ///   trace.
  public mutating func nextBurst() throws(TraceError) -> Instant? {
    if prepared != nil { return prepared?.advance() }
    if !hasLookedAtBeginning { try lookAtBeginning() }
    if recorded != nil { return try recorded?.next(from: &file) }
    burst = start..<start
    while true {
      guard let line = nextLine() else {
        if !isAtEnd, filled - scanned <= SimulationBounds.garbageBytes {
          try fill()
        } else if filled > start {
          return deliver(to: filled)
        } else {
          try complainIfEmpty()
          return nil
        }
        continue
      }
      let lineStart = scanned
      scanned = line.end
      count(line, at: lineStart)
      if line.kind != nil || line.tagMilliseconds != nil {
        let last = cycle
        if let boundary = note(line, at: lineStart) {
          arrive(last, isWhole: true)
          if boundary > start { return deliver(to: boundary) }
        }
      }
      if line.isSentence { skipLineFeed() }
      let isGarbage = line.end - max(lastSentenceEnd, start) > SimulationBounds.garbageBytes
      if isGarbage || scanned - start > SimulationBounds.burstBytes {
        arriveEarly()
        return deliver(to: scanned)
      }
    }
  }

  /// Copies up to `output.count` bytes of the current burst; 0 when it is used up.
  public mutating func read(into output: inout MutableSpan<UInt8>) -> Int {
    if prepared != nil { return prepared?.read(into: &output) ?? 0 }
    if recorded != nil { return recorded?.read(into: &output) ?? 0 }
    let count = min(output.count, burst.count)
    if count == 0 { return 0 }
    let source = UnsafeRawBufferPointer(buffer)[burst.lowerBound..<burst.lowerBound + count]
    output.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source)) }
    burst = burst.lowerBound + count..<burst.upperBound
    return count
  }

  // MARK: - Gathering

  /// Scans the next line; `nil` when its end has not been read yet, or there is none.
  private func nextLine() -> LinePeek? {
    let bytes = UnsafeRawBufferPointer(buffer)[..<filled].bindMemory(to: UInt8.self).span
    if let line = LinePeek(nextIn: bytes, from: scanned) { return line }
    return isAtEnd && scanned < filled ? LinePeek(lastIn: bytes, from: scanned) : nil
  }

  /// The LF of a CRLF is a line of its own, with nothing in it.
  private mutating func skipLineFeed() {
    guard scanned < filled, buffer[scanned] == 0x0A else { return }
    scanned += 1
    lines += 1
  }

  private mutating func count(_ line: LinePeek, at lineStart: Int) {
    if line.isSentence {
      sentences += 1
      lastSentenceEnd = line.end
    } else if buffer[lineStart] == UInt8(ascii: "#") {
      return
    }
    lines += 1
  }

  /// Assigns a line to a burst.
  ///
  /// - Returns: the start of the next burst, if the line shows that it has begun.
  private mutating func note(_ line: LinePeek, at lineStart: Int) -> Int? {
    if let tag = line.tagMilliseconds {
      if cycle.tag == tag { return nil }
      let isNext = cycle.hasSentence
      let boundary = undecidedFrom ?? lineStart
      cycle = Cycle(tag: tag, hasSentence: true)
      detector.close()
      undecidedFrom = nil
      return isNext ? boundary : nil
    }
    guard let kind = line.kind else { return nil }
    let membership = detector.note(kind, line.talker, at: line.timeOfDayMilliseconds)
    if membership == .undecided {
      if undecidedFrom == nil { undecidedFrom = lineStart }
      return nil
    }
    let boundary = membership == .next ? undecidedFrom ?? lineStart : nil
    undecidedFrom = nil
    if membership == .next { cycle = Cycle() }
    cycle.hasSentence = true
    cycle.timeOfDay = detector.timeOfDayMilliseconds
    // A ZDA that is sent ahead may have tomorrow's date.
    if line.timeOfDayMilliseconds == cycle.timeOfDay, let day = line.dayNumber { cycle.day = day }
    return boundary
  }

  /// Advances the clock to a cycle that has ended, or whose time is already known.
  private mutating func arrive(_ cycle: Cycle, isWhole: Bool) {
    guard cycle.hasSentence, !cycle.hasArrived else { return }
    if let tag = cycle.tag {
      clock.advance(toTag: tag)
    } else if isWhole || cycle.timeOfDay != nil {
      clock.advance(toTimeOfDay: cycle.timeOfDay, day: cycle.day)
    }
  }

  /// Advances the clock to the open cycle before it is complete.
  private mutating func arriveEarly() {
    arrive(cycle, isWhole: isAtEnd && scanned == filled)
    cycle.hasArrived = cycle.tag != nil || cycle.timeOfDay != nil
  }

  private mutating func deliver(to end: Int) -> Instant {
    if end == filled {
      arriveEarly()
      scanned = filled
    }
    burst = start..<end
    start = end
    return clock.now
  }

  private func complainIfEmpty() throws(TraceError) {
    if file.bytesRead == 0 { throw TraceError(path: file.path, reason: .empty) }
    if sentences == 0 { throw TraceError(path: file.path, reason: .noSentence) }
    if sentences * SimulationBounds.linesForSentence < lines {
      throw TraceError(
        path: file.path, reason: .hardlyAnySentence(sentences: sentences, lines: lines))
    }
  }

  // MARK: - The buffer

  private mutating func lookAtBeginning() throws(TraceError) {
    hasLookedAtBeginning = true
    while !isAtEnd && filled < RecordingReader.beginningBytes { try fill() }
    let bytes = Array(UnsafeRawBufferPointer(buffer)[..<filled])
    if RecordingReader.isRecording(bytes) {
      recorded = RecordedBursts(path: file.path, beginning: bytes)
    } else if GPXFile.isGPX(bytes) {
      try walk(bytes)
    }
  }

  /// Plays a GPX file: its sentences are made while it is played.
  private mutating func walk(_ beginning: [UInt8]) throws(TraceError) {
    var bytes = beginning
    while bytes.count <= SimulationBounds.gpxBytes {
      let more = try file.read(upTo: 1 << 20)
      if more.isEmpty { break }
      bytes += more
    }
    let problem: String
    do throws(SynthError) {
      guard bytes.count <= SimulationBounds.gpxBytes else {
        throw SynthError("is larger than 64 MiB: keep one walk in it")
      }
      let walk = try GPXWalk(bytes, path: file.path)
      places = walk.places
      var synthesizer = walk.synthesizer
      file = TraceFile(path: file.path) { synthesizer.nextChunk() }
      (filled, isAtEnd) = (0, false)
      return
    } catch {
      problem = error.description
    }
    throw TraceError(path: file.path, reason: .gpx(problem))
  }

  private mutating func fill() throws(TraceError) {
    makeRoom()
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
    let count = try file.read(into: room)
    filled += count
    if count == 0 { isAtEnd = true }
  }

  /// Moves what is not delivered yet to the front once half the buffer is used.
  ///
  /// It is shorter than the bounds of a burst and a line, so there is always room.
  private mutating func makeRoom() {
    guard start >= SimulationBounds.traceBufferBytes / 2 else { return }
    let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<filled])
    buffer.copyMemory(from: rest)
    filled -= start
    scanned -= start
    lastSentenceEnd = max(0, lastSentenceEnd - start)
    undecidedFrom = undecidedFrom.map { max(0, $0 - start) }
    start = 0
    burst = 0..<0
  }
}

/// Converts the times in a trace into instants of the virtual clock, which never steps.
///
/// | from one burst to the next                 | the clock advances by                 |
/// |--------------------------------------------|---------------------------------------|
/// | forward by at most 24 h                    | that much                             |
/// | backward, or further forward: a clock step | 1 s                                   |
/// | without a time | 1 s |
/// | the first date: by at most 1 min forward   | that much; else it is a clock step    |
/// | no date on either side                     | the difference of the times of day,   |
/// | | past midnight if that fell by > 12 h |
struct TraceClock {
  private(set) var now = Instant.start
  private var hasBegun = false
  /// Milliseconds of the last burst: since 1970 if `day` is known, else since midnight.
  private var timeOfDay: Int64?
  private var day: Int64?
  private var tag: Int64?

  private static let dayLength: Int64 = 86_400_000
  private static let second = Milliseconds(1000)

  /// Advances to a burst with the time of its TAG block.
  mutating func advance(toTag milliseconds: Int64) {
    defer { tag = milliseconds }
    guard hasBegun else {
      hasBegun = true
      return
    }
    now = now + step(tag.map { milliseconds.subtractingReportingOverflow($0).partialValue })
  }

  /// Advances to a burst with the time of day and date from its sentences.
  mutating func advance(toTimeOfDay time: Int32?, day own: Int32?) {
    let wasBegun = hasBegun
    hasBegun = true
    guard let time else {
      if wasBegun {
        now = now + Self.second
        // So that a time that comes back later is not counted twice.
        if let timeOfDay { (timeOfDay: self.timeOfDay, day: day) = carry(timeOfDay + 1000) }
      }
      return
    }
    let next = Int64(time)
    var nextDay = own.map(Int64.init)
    if nextDay == nil, let day {
      let apart = next - (timeOfDay ?? next)
      nextDay = apart < -Self.dayLength / 2 ? day + 1 : apart > Self.dayLength / 2 ? day - 1 : day
    }
    // A receiver gets its first date and its time together: before, it may have shown any time.
    let isFirstDate = day == nil && own != nil && timeOfDay != nil
    var distance: Int64?
    if let timeOfDay {
      var apart = next - timeOfDay
      if let day, let nextDay {
        apart += (nextDay - day) * Self.dayLength
      } else if apart < -Self.dayLength / 2 {
        apart += Self.dayLength
      }
      distance = apart
    }
    if isFirstDate, let apart = distance, apart > 60_000 { distance = nil }
    if wasBegun { now = now + step(distance) }
    timeOfDay = next
    if let nextDay { day = nextDay }
  }

  private func carry(_ time: Int64) -> (timeOfDay: Int64?, day: Int64?) {
    time < Self.dayLength ? (time, day) : (time - Self.dayLength, day.map { $0 + 1 })
  }

  private func step(_ distance: Int64?) -> Milliseconds {
    guard let distance, distance >= 0, distance <= Self.dayLength else { return Self.second }
    return Milliseconds(distance)
  }
}
