/// GSV, satellites in view: up to four of them per sentence.
///
///     $GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00,1*hh
///
/// From 4.1 on a signal number follows. Only the counts and the strongest signal are read.
public struct GSV: Sendable, Equatable {
  /// Which sentence of its group this is, from 1.
  public var number: UInt8?
  /// Satellites in view of the talker's system.
  public var satellitesInView: UInt8?
  /// The strongest signal among the satellites of this sentence, in dB-Hz.
  public var bestSignalDecibelHertz: UInt8?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    // Fast path for the usual widths, `3,1,12,`.
    let start = fields.position
    if start &+ 8 <= fields.end {
      let word = bytes.bytes.littleEndianWord(at: start)
      let digits = word ^ 0x002C_3030_2C30_2C30
      if digits & 0xFF_F0F0_FFF0_FFF0 == 0, (digits &+ 0x0606_0006_0006) & 0xF0F0_00F0_00F0 == 0 {
        number = UInt8(truncatingIfNeeded: digits &>> 16)
        satellitesInView = UInt8(
          truncatingIfNeeded: (digits &>> 32 & 15) &* 10 &+ (digits &>> 40 & 15))
        fields.position = start &+ 7
        bestSignalDecibelHertz = fields.bestSignal(in: bytes)
        return
      }
    }
    fields.skip(in: bytes)
    number = try fields.count(in: bytes, upTo: 99).map { UInt8(truncatingIfNeeded: $0) }
    satellitesInView = try fields.count(in: bytes, upTo: 255).map { UInt8(truncatingIfNeeded: $0) }
    bestSignalDecibelHertz = fields.bestSignal(in: bytes)
  }
}

extension FieldCursor {
  /// Reads every fourth field from the fourth on, the signals, and returns the strongest.
  ///
  /// A signal number at the end is in the place of the next satellite's number, so it is not read.
  @inline(__always)
  fileprivate mutating func bestSignal(in bytes: Span<UInt8>) -> UInt8? {
    let raw = bytes.bytes
    var best: UInt8 = 0
    var at = position
    // Fast path for the usual widths (two, two, three, and two or no digits): no search for commas.
    while at &+ 12 <= end, raw.littleEndianWord(at: at) & 0xFF_0000_FF00_00 == 0x2C_0000_2C00_00,
      bytes[unchecked: at &+ 9] == .comma
    {
      let tens = bytes[unchecked: at &+ 10] &- .zero
      let ones = bytes[unchecked: at &+ 11] &- .zero
      if tens <= 9, ones <= 9, at &+ 12 == end || bytes[unchecked: at &+ 12] == .comma {
        best = max(best, tens &* 10 &+ ones)
        at &+= 13
      } else if tens == .comma &- .zero {
        at &+= 11
      } else {
        break
      }
    }
    var commasToSignal = 3
    while at &+ 8 <= end {
      var commas = raw.littleEndianWord(at: at).commas
      while commas != 0 {
        commasToSignal &-= 1
        if commasToSignal == 0 {
          best = max(best, signal(in: bytes, at: at &+ (commas.trailingZeroBitCount &>> 3) &+ 1))
          commasToSignal = 4
        }
        commas &= commas &- 1
      }
      at &+= 8
    }
    while at < end {
      if bytes[unchecked: at] == .comma {
        commasToSignal &-= 1
        if commasToSignal == 0 {
          best = max(best, signal(in: bytes, at: at &+ 1))
          commasToSignal = 4
        }
      }
      at &+= 1
    }
    position = end &+ 1
    return best == 0 ? nil : best
  }

  /// Reads a signal of one or two digits; 0 when there is none.
  @inline(__always)
  private func signal(in bytes: Span<UInt8>, at index: Int) -> UInt8 {
    guard index < end else { return 0 }
    let first = bytes[unchecked: index] &- .zero
    if first > 9 { return 0 }
    guard index &+ 1 < end else { return first }
    let second = bytes[unchecked: index &+ 1] &- .zero
    return second > 9 ? first : first &* 10 &+ second
  }
}
