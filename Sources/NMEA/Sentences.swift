/// RMC, recommended minimum: time, date, position, speed and course.
///
///     $GPRMC,123519.00,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W,A,V*hh
///
/// Versions: without mode indicator (before 2.3), with it (2.3), with navigational status (4.1).
public struct RMC: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  /// Status `A` (or `D`, which some receivers write for a differential fix).
  public var isValid: Bool
  public var position: Position?
  public var speedMillimetresPerSecond: Int32?
  /// Thousandths of a degree, true.
  public var trackMillidegrees: Int32?
  /// Days since 1970-01-01; two-digit years 80...99 are 19xx, others 20xx.
  public var dayNumber: Int32?
  /// Mode indicator as sent (`A` `D` `E` `F` `M` `N` `P` `R` `S`), 0 when the field is missing.
  public var modeIndicator: UInt8

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    let status = fields.letter(in: bytes)
    isValid = status == 0x41 || status == 0x44
    position = try fields.coordinates(in: bytes)
    speedMillimetresPerSecond = try fields.knots(in: bytes)
    trackMillidegrees = try fields.track(in: bytes)
    dayNumber = try fields.shortDate(in: bytes)
    fields.skip(2, in: bytes)
    modeIndicator = fields.letter(in: bytes)
  }
}

extension FieldCursor {
  /// Reads `ddmmyy` as days since 1970-01-01; some receivers send `000000` when they have none.
  @inline(__always)
  mutating func shortDate(in bytes: Span<UInt8>) throws(SentenceError) -> Int32? {
    if passesEmptyField(in: bytes) { return nil }
    let date = try digits(in: bytes)
    try endField(in: bytes)
    if date.count != 6 { throw .malformed }
    if date.value == 0 { return nil }
    let year = Int32(truncatingIfNeeded: date.value % 100)
    let day = CalendarDate(
      year: year >= 80 ? 1900 &+ year : 2000 &+ year,
      month: Int32(truncatingIfNeeded: date.value / 100 % 100),
      day: Int32(truncatingIfNeeded: date.value / 10_000))
    guard let day else { throw .malformed }
    return day.dayNumber
  }
}

/// GGA, fix data: time, position, quality, satellites used, HDOP, altitude.
///
///     $GPGGA,123519.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,0000*hh
public struct GGA: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  var position: Position?
  /// 0 none, 1 GPS, 2 differential, 4 and 5 RTK, 6 dead reckoning, 7 manual, 8 simulator.
  public var quality: UInt8?
  public var satellitesUsed: UInt8?
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?
  /// Height above mean sea level.
  public var altitudeMillimetres: Int32?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    position = try fields.coordinates(in: bytes)
    quality = try fields.count(in: bytes, upTo: 9).map { UInt8(truncatingIfNeeded: $0) }
    satellitesUsed = try fields.count(in: bytes, upTo: 255).map { UInt8(truncatingIfNeeded: $0) }
    hdopHundredths = try fields.dilution(in: bytes)
    altitudeMillimetres = try fields.metres(in: bytes)
  }
}

/// GSA, the satellites used and the dilution of precision.
///
///     $GNGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1,1*hh
///
/// Twelve satellites, three dilutions, from 4.1 on a system number. Some receivers have more fields
/// for satellites (Navior CH-4701: 24); of these the first twelve are counted, and HDOP is unknown.
public struct GSA: Sendable, Equatable {
  /// `nil` when empty, or not 1...3 (the Antaris chips write `E` for dead reckoning).
  public var mode: FixMode?
  /// The number of satellites listed.
  public var satellitesUsed: UInt8
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    fields.skip(in: bytes)
    mode = FixMode(rawValue: fields.letter(in: bytes) &- .zero)
    satellitesUsed = fields.countNonZero(12, in: bytes)
    hdopHundredths = nil
    fields.skip(in: bytes)
    if fields.isPastEnd { return }
    let hdop = try fields.dilution(in: bytes)
    fields.skip(2, in: bytes)
    if fields.isPastEnd { hdopHundredths = hdop }
  }
}

/// GSV, satellites in view: up to four of them per sentence.
///
///     $GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00,1*hh
///
/// From 4.1 on a signal number follows. Only the counts and the strongest signal are read.
public struct GSV: Sendable, Equatable {
  /// Satellites in view of the talker's system.
  public var satellitesInView: UInt8?
  /// The strongest signal among the satellites of this sentence, in dB-Hz.
  public var bestSignalDecibelHertz: UInt8?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    // Fast path for the usual widths, `3,1,12,`.
    let start = fields.position
    if FieldCursor.readsWords, start &+ 8 <= fields.end {
      let word = bytes.bytes.littleEndianWord(at: start)
      let digits = word ^ 0x002C_3030_2C30_2C30
      if digits & 0xFF_F0F0_FFF0_FFF0 == 0, (digits &+ 0x0606_0006_0006) & 0xF0F0_00F0_00F0 == 0 {
        satellitesInView = UInt8(
          truncatingIfNeeded: (digits &>> 32 & 15) &* 10 &+ (digits &>> 40 & 15))
        fields.position = start &+ 7
        bestSignalDecibelHertz = fields.bestSignal(in: bytes)
        return
      }
    }
    fields.skip(in: bytes)
    _ = try fields.count(in: bytes, upTo: 99)
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
    // Fast path for the usual widths (two, two, three, and two or no digits). No branch depends on
    // whether there is a signal, which is as good as random.
    while Self.readsWords, at &+ 10 <= end, at &+ 13 <= bytes.count {
      // Commas in their places, and none between them: in digits that bit is 1.
      let head = raw.littleEndianWord(at: at) & 0x10_10FF_1010
      let tail = raw.littleEndianWord(at: at &+ 5)
      if head != 0x10_102C_1010 || tail & 0xFF_1010_10FF != 0x2C_1010_102C { break }
      let digits = UInt32(truncatingIfNeeded: tail &>> 40 & 0xFFFF) ^ 0x3030
      // All ones where these two bytes are a signal, and 0 where they are not.
      let signals: UInt32 = 0 &- (((digits | digits &+ 0x0606) & 0xF0F0) &- 1) &>> 31
      let next = at &+ 10 &+ Int(truncatingIfNeeded: signals & 2)
      if next > end || next < end && bytes[unchecked: next] != .comma { break }
      let signal = (digits & 15) &* 10 &+ digits &>> 8
      best = max(best, UInt8(truncatingIfNeeded: signal & signals))
      at = next &+ 1
    }
    if at > end {
      position = at
      return best == 0 ? nil : best
    }
    var commasToSignal = 3
    while Self.readsWords, at &+ 8 <= end {
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

/// VTG, course and speed over ground.
///
///     $GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A*hh
///     $GPVTG,054.7,034.4,005.5,010.2*hh          (old, without unit letters)
public struct VTG: Sendable, Equatable {
  public var speedMillimetresPerSecond: Int32?
  /// Thousandths of a degree, true.
  public var trackMillidegrees: Int32?
  /// Mode indicator `N`: the values are not valid and are left out.
  public var isInvalid: Bool

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    var track = try fields.track(in: bytes)
    var probe = fields
    let second = probe.letter(in: bytes)
    probe.skip(in: bytes)
    let fourth = probe.letter(in: bytes)
    let hasUnits = second == 0x54 || fourth == 0x4D || second == 0 && fourth == 0
    if hasUnits { fields = probe } else { fields.skip(in: bytes) }
    var speed = try fields.knots(in: bytes)
    if hasUnits { fields.skip(in: bytes) }
    let metric = try fields.kilometresPerHour(in: bytes)
    if speed == nil { speed = metric }
    if hasUnits { fields.skip(in: bytes) }
    isInvalid = fields.letter(in: bytes) == 0x4E
    if isInvalid {
      speed = nil
      track = nil
    }
    speedMillimetresPerSecond = speed
    trackMillidegrees = track
  }
}

/// GLL, position: many receivers send it in addition to RMC, a few old ones instead of it.
///
///     $GPGLL,4916.45,N,12311.12,W,225444.00,A,A*hh
///
/// The oldest form ends after the position.
public struct GLL: Sendable, Equatable {
  public var position: Position?
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  /// Status `A`; `nil` in the form that has no status.
  public var isValid: Bool?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    position = try fields.coordinates(in: bytes)
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    if fields.isPastEnd {
      isValid = nil
      return
    }
    let status = fields.letter(in: bytes)
    isValid = status == 0x41 || status == 0x44
  }
}

/// GNS, fix data of several satellite systems.
///
///     $GNGNS,224749.00,3333.4268304,N,11153.3538273,W,DAN,19,0.6,406.110,-26.294,6.0,0138,S*hh
public struct GNS: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  public var timeOfDayMilliseconds: Int32?
  var position: Position?
  /// Whether any system's mode indicator is other than `N`; `nil` when the field is empty.
  public var hasFix: Bool?
  public var satellitesUsed: UInt8?
  /// Horizontal dilution of precision in hundredths.
  public var hdopHundredths: UInt16?
  /// Height above mean sea level.
  public var altitudeMillimetres: Int32?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    position = try fields.coordinates(in: bytes)
    hasFix = fields.modeIndicators(in: bytes)
    satellitesUsed = try fields.count(in: bytes, upTo: 255).map { UInt8(truncatingIfNeeded: $0) }
    hdopHundredths = try fields.dilution(in: bytes)
    altitudeMillimetres = try fields.metres(in: bytes)
  }
}

extension FieldCursor {
  /// Reads one mode indicator for each system; returns whether any of them is not `N`.
  mutating func modeIndicators(in bytes: Span<UInt8>) -> Bool? {
    if passesEmptyField(in: bytes) { return nil }
    var hasFix = false
    while position < end, bytes[unchecked: position] != .comma {
      if bytes[unchecked: position] != 0x4E { hasFix = true }
      advance()
    }
    advance()
    return hasFix
  }
}

/// ZDA, time and date with a year of four digits.
///
///     $GPZDA,160012.71,11,03,2004,-1,00*hh
public struct ZDA: Sendable, Equatable {
  /// Milliseconds since midnight UTC.
  var timeOfDayMilliseconds: Int32?
  /// Days since 1970-01-01.
  public var dayNumber: Int32?

  init(_ bytes: Span<UInt8>, _ fields: inout FieldCursor) throws(SentenceError) {
    timeOfDayMilliseconds = try fields.timeOfDay(in: bytes)
    let day = try fields.count(in: bytes, upTo: 31)
    let month = try fields.count(in: bytes, upTo: 12)
    let year = try fields.count(in: bytes, upTo: 9999)
    guard let day, let month, let year, day | month | year != 0 else {
      dayNumber = nil
      return
    }
    let date = CalendarDate(
      year: Int32(truncatingIfNeeded: year), month: Int32(truncatingIfNeeded: month),
      day: Int32(truncatingIfNeeded: day))
    // Other years are noise.
    guard let date, (1900...2999).contains(date.year) else { throw .malformed }
    dayNumber = date.dayNumber
  }
}
