/// Verifies lines and pieces of lines, decodes complete sentences, and counts the outcomes.
struct LineReader: Sendable, Equatable {
  var counts = SentenceCounts()
  var assembler = EpochAssembler()
  /// The kinds that this stream has sent with a valid checksum; they are rejected without one.
  private var checksummedKinds: UInt8 = 0
  /// How much of the rest of an overlong line to discard.
  enum Discarding { case nothing, untilDollar, untilLineEnd }
  var discarding = Discarding.nothing
  /// Whether the last line closed an epoch, now in `assembler.finished`.
  var hasFinished = false

  /// Takes the line in `start..<end`, whose bytes XOR to `xor`, or its first piece.
  ///
  /// - Returns: the index of the rest of the line; `end` when nothing is left.
  @inline(__always)
  mutating func take(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, xor: UInt8,
    _ observer: inout some SatelliteObserver & ~Copyable
  ) -> Int {
    if Self.isWhole(bytes, from: start, to: end, xor: xor) {
      if accept(bytes, from: start, to: end &- 3, isChecksummed: true, &observer) { return end }
    }
    return takePiece(bytes, from: start, to: end, isEnded: true, &observer)
  }

  /// Whether the line in `start..<end` is one sentence with a checksum that agrees.
  @inline(__always)
  static func isWhole(_ bytes: Span<UInt8>, from start: Int, to end: Int, xor: UInt8) -> Bool {
    guard end &- start >= 11, bytes[unchecked: start] == .dollar,
      bytes[unchecked: end &- 3] == .star
    else { return false }
    let digits = bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: end &- 2, as: UInt16.self)
    let written = UInt16(littleEndian: digits)
    let ownSum = UInt8(truncatingIfNeeded: written ^ written &>> 8)
    return written.isHexadecimal(xor ^ .dollar ^ .star ^ ownSum)
  }

  /// Decodes a complete sentence; returns `false`, with nothing counted, when a `$` within it shows
  /// that its checksum matched by chance.
  @inline(__always)
  private mutating func accept(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, isChecksummed: Bool,
    _ observer: inout some SatelliteObserver & ~Copyable
  ) -> Bool {
    let address: SentenceAddress
    do throws(SentenceError) {
      address = try SentenceAddress(in: bytes, from: start, to: end)
    } catch {
      if holdsDollar(bytes, from: start &+ 1, to: end) { return false }
      counts.ignored &+= 1
      return true
    }
    if isChecksummed {
      checksummedKinds |= address.kind.bit
    } else if checksummedKinds & address.kind.bit != 0 {
      counts.checksumMissing &+= 1
      return true
    }
    do throws(SentenceError) {
      hasFinished = try decode(bytes, address)
      counts.accepted &+= 1
      if isChecksummed, address.kind == .gsa || address.kind == .gsv {
        let fields = address.fields
        observer.heard(
          address.kind, address.talker, bytes.extracting(fields.position..<fields.end))
      }
    } catch {
      if holdsDollar(bytes, from: start &+ 1, to: end) { return false }
      counts.malformed &+= 1
    }
    return true
  }

  @inline(__always)
  private mutating func decode(
    _ bytes: Span<UInt8>, _ address: SentenceAddress
  ) throws(SentenceError) -> Bool {
    var fields = address.fields
    let talker = address.talker
    switch address.kind {
    case .rmc: return assembler.add(try RMC(bytes, &fields), talker)
    case .gga: return assembler.add(try GGA(bytes, &fields), talker)
    case .gns: return assembler.add(try GNS(bytes, &fields), talker)
    case .gll: return assembler.add(try GLL(bytes, &fields), talker)
    case .zda: return assembler.add(try ZDA(bytes, &fields), talker)
    case .gsa: return assembler.add(try GSA(bytes, &fields), talker)
    case .gsv: return assembler.add(try GSV(bytes, &fields), talker)
    case .vtg: return assembler.add(try VTG(bytes, &fields), talker)
    }
  }

  @inline(never)
  private func holdsDollar(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    firstDollar(bytes, from: start, to: end) < end
  }

  private func firstDollar(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, bytes[unchecked: position] != .dollar { position &+= 1 }
    return position
  }

  /// Takes the first piece of a line that is not exactly one complete sentence.
  ///
  /// - Parameter isEnded: whether an end of line follows; if not, a piece without a checksum counts
  ///   as truncated.
  /// - Returns: where the rest begins.
  @inline(never)
  mutating func takePiece(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, isEnded: Bool,
    _ observer: inout some SatelliteObserver & ~Copyable
  ) -> Int {
    if let tag = TagBlock(at: start, in: bytes, to: end) {
      if !tag.isIntact { counts.checksumMismatch &+= 1 }
      return tag.end
    }
    if isComment(bytes, from: start, to: end) { return end }
    let next = firstDollar(bytes, from: start &+ 1, to: end)
    let isCut = next < end || !isEnded
    let piece = Piece(of: bytes, from: start, to: next)
    if piece.end == start { return next }
    let first = bytes[unchecked: start]
    guard first == .dollar || first == .exclamation else {
      counts.garbage &+= 1
      return next
    }
    switch piece.checksum {
    case .agrees:
      _ = accept(bytes, from: start, to: piece.bodyEnd, isChecksummed: true, &observer)
      return skipBlanks(bytes, from: piece.end, to: next)
    case .differs: counts.checksumMismatch &+= 1
    case .cutOff: counts.truncated &+= 1
    case .absent:
      if !piece.looksLikeSentence(in: bytes) {
        counts.garbage &+= 1
      } else if isCut {
        counts.truncated &+= 1
      } else {
        _ = accept(bytes, from: start, to: piece.bodyEnd, isChecksummed: false, &observer)
      }
    }
    return next
  }

  private func skipBlanks(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, bytes[unchecked: position] <= 0x20 { position &+= 1 }
    return position
  }

  /// A line of text that begins with `#`, as recorders write at the top of a log. It is not
  /// counted.
  func isComment(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    guard start < end, bytes[unchecked: start] == .hash else { return false }
    var position = start
    while position < end {
      let byte = bytes[unchecked: position]
      if byte < 0x20 && byte != 0x09 { return false }
      position &+= 1
    }
    return true
  }

  /// Takes the first piece of a line that is longer than `lineBytes`; may begin to discard.
  ///
  /// - Returns: the index at which to continue.
  @inline(never)
  mutating func takeOverlong(
    _ bytes: Span<UInt8>, from start: Int, _ observer: inout some SatelliteObserver & ~Copyable
  ) -> Int {
    let end = start &+ NMEABounds.lineBytes
    if isComment(bytes, from: start, to: end) {
      discarding = .untilLineEnd
      return end
    }
    let dollar = firstDollar(bytes, from: start &+ 1, to: end)
    if dollar < end || bytes[unchecked: start] == .backslash {
      let rest = takePiece(bytes, from: start, to: dollar, isEnded: false, &observer)
      if rest < end { return rest }
    } else {
      countOverlong(bytes, from: start, to: end)
    }
    discarding = .untilDollar
    return end
  }

  private mutating func countOverlong(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    let isSentence = Piece(of: bytes, from: start, to: end).looksLikeSentence(in: bytes)
    if isSentence, bytes[unchecked: start] == .dollar || bytes[unchecked: start] == .exclamation {
      counts.tooLong &+= 1
    } else {
      counts.garbage &+= 1
    }
  }
}
