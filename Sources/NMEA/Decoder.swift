/// Turns a stream of bytes from a receiver into epochs.
///
/// Lines end with CR, LF or both, and are decoded in place. An unfinished line is kept for the next
/// call, so the result does not depend on how the stream is split. No input traps, and the decoder
/// has a fixed size.
///
/// - A wrong checksum rejects the sentence. A missing one is accepted until the stream has shown a
///   valid checksum on that kind of sentence; from then on the sentence is rejected
///   (`checksumMissing`).
/// - A `$` in mid-line starts a new sentence: the end of line before it was lost, or binary data
///   precede it.
/// - Lines of text that begin with `#` are comments; they and blank lines are not counted.
/// - A TAG block before a sentence is verified and skipped; a damaged one counts as
///   `checksumMismatch` and does not affect its sentence.
public struct Decoder: Sendable {
  private var reader = LineReader()
  private var carry = NMEABounds.LineBuffer(repeating: 0)
  private var carryCount = 0
  /// Whether the carried bytes are complete up to an end of line but not yet decoded.
  private var isCarryEnded = false

  public init() {}

  /// The outcome of every line so far.
  public var counts: SentenceCounts { reader.counts }

  /// Counts on from what another decoder has counted.
  public mutating func countOn(from counts: SentenceCounts) { reader.counts = counts }

  /// Whether there are sentences that `flush()` would turn into an epoch.
  public var hasOpenEpoch: Bool { reader.assembler.isOpen }

  /// Consumes bytes from `position` on until an epoch is complete or the bytes are used up.
  ///
  /// - Parameter position: an index in `bytes`, advanced past what was consumed.
  /// - Returns: the epoch; `nil` when the bytes are used up. Call again until then.
  public mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> Epoch? {
    var nobody = Nobody()
    return next(in: bytes, from: &position, telling: &nobody)
  }

  /// The same, telling `observer` of the satellites on the way.
  public mutating func next(
    in bytes: Span<UInt8>, from position: inout Int,
    telling observer: inout some SatelliteObserver & ~Copyable
  ) -> Epoch? {
    let count = bytes.count
    var at = position < 0 ? 0 : position
    while true {
      if isCarryEnded || reader.discarding != .nothing || carryCount > 0 {
        if !resume(bytes, &at, &observer) {
          position = at
          return nil
        }
      } else {
        guard at < count else {
          position = at
          return nil
        }
        takeLines(bytes, &at, &observer)
      }
      if reader.hasFinished {
        reader.hasFinished = false
        position = at
        return reader.assembler.finished
      }
    }
  }

  /// The fast path: takes lines that are complete in `bytes` until one closes an epoch.
  @inline(__always)
  private mutating func takeLines(
    _ bytes: Span<UInt8>, _ at: inout Int, _ observer: inout some SatelliteObserver & ~Copyable
  ) {
    let count = bytes.count
    let raw = bytes.bytes
    while at < count {
      // The LF of a CRLF, or a blank line.
      if bytes[unchecked: at].isLineEnd {
        at &+= 1
        continue
      }
      let room = count &- at
      let limit = room > NMEABounds.lineBytes ? at &+ NMEABounds.lineBytes &+ 1 : count
      let line = LineScan(raw, from: at, limit: limit)
      guard line.isEnded else {
        if room > NMEABounds.lineBytes {
          at = reader.takeOverlong(bytes, from: at, &observer)
        } else {
          keep(bytes, &at)
        }
        return
      }
      let rest = reader.take(bytes, from: at, to: line.end, xor: line.xor, &observer)
      at = rest == line.end ? rest &+ 1 : rest
      if reader.hasFinished { return }
    }
  }

  /// Keeps the beginning of a line whose end is still to come.
  private mutating func keep(_ bytes: Span<UInt8>, _ at: inout Int) {
    while at < bytes.count {
      carry[carryCount] = bytes[unchecked: at]
      carryCount &+= 1
      at &+= 1
    }
  }

  /// Continues with what an earlier call left; `false` when that needs more bytes.
  @inline(never)
  private mutating func resume(
    _ bytes: Span<UInt8>, _ at: inout Int, _ observer: inout some SatelliteObserver & ~Copyable
  ) -> Bool {
    if isCarryEnded {
      takeCarry(&observer)
      return true
    }
    let count = bytes.count
    while at < count {
      let byte = bytes[unchecked: at]
      if reader.discarding != .nothing {
        if byte == .dollar, reader.discarding == .untilDollar {
          reader.discarding = .nothing
          return true
        }
        at &+= 1
        if byte.isLineEnd {
          reader.discarding = .nothing
          return true
        }
      } else if byte.isLineEnd {
        at &+= 1
        isCarryEnded = true
        return true
      } else if carryCount == NMEABounds.lineBytes {
        let rest = reader.takeOverlong(carry.span, from: 0, &observer)
        removeFromCarry(rest)
        if reader.hasFinished || carryCount == 0 { return true }
      } else {
        carry[carryCount] = byte
        carryCount &+= 1
        at &+= 1
      }
    }
    return false
  }

  private mutating func takeCarry(_ observer: inout some SatelliteObserver & ~Copyable) {
    let line = LineScan(carry.span.bytes, from: 0, limit: carryCount)
    let rest = reader.take(carry.span, from: 0, to: carryCount, xor: line.xor, &observer)
    removeFromCarry(rest)
    isCarryEnded = carryCount > 0
  }

  /// Removes the first bytes from the carry.
  private mutating func removeFromCarry(_ count: Int) {
    var to = 0
    var from = count
    while from < carryCount {
      carry[to] = carry[from]
      to &+= 1
      from &+= 1
    }
    carryCount = to
  }

  /// Closes the open epoch: the line has been quiet, or the input ended.
  public mutating func flush() -> Epoch? {
    reader.assembler.close() ? reader.assembler.finished : nil
  }

  /// Ends the input: an unfinished line counts as truncated unless its checksum shows that it is
  /// complete.
  ///
  /// - Returns: an epoch that was closed. Call again until it returns `nil`.
  public mutating func finish() -> Epoch? {
    reader.discarding = .nothing
    var nobody = Nobody()
    while carryCount > 0 {
      let rest = reader.takePiece(
        carry.span, from: 0, to: carryCount, isEnded: isCarryEnded, &nobody)
      removeFromCarry(rest)
      if reader.hasFinished {
        reader.hasFinished = false
        return reader.assembler.finished
      }
    }
    isCarryEnded = false
    return flush()
  }
}

/// Hears of each satellite, which an epoch only counts.
public protocol SatelliteObserver: ~Copyable {
  /// A GSA or GSV with a checksum that agrees was read.
  ///
  /// - Parameter fields: those of the sentence, between its address and its checksum.
  mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>)
}

extension SatelliteObserver where Self: ~Copyable {
  public mutating func heard(_ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>) {}
}

private struct Nobody: SatelliteObserver {}

extension Decoder: Equatable {
  /// Equal when they would decode any further input alike; unused bytes of the buffer are ignored.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.reader == b.reader, a.carryCount == b.carryCount, a.isCarryEnded == b.isCarryEnded
    else { return false }
    var index = 0
    while index < a.carryCount {
      if a.carry[index] != b.carry[index] { return false }
      index &+= 1
    }
    return true
  }
}
