/// The commands that a receiver understands.
public enum ReceiverDialect: UInt8, Sendable, Equatable {
  /// None, or another program controls it (gpsd).
  case none
  /// u-blox up to M9.
  case ublox
  case ubloxM10
  /// MediaTek chips: L76, L80, MTK3339.
  case mediatek
  /// CASIC chips: AT6558, ATGM336H, L76K.
  case casic
  /// The receiver inside the modem, switched on and off over the modem's line.
  case modemGPS

  /// The strings of the dialect.
  public var words: ReceiverStrings {
    switch self {
    case .none, .modemGPS: .nothing
    case .ublox: .ublox
    case .ubloxM10: .ubloxM10
    case .mediatek: .mediatek
    case .casic: .casic
    }
  }
}

/// The bytes of each command. A new dialect is one more value of this type.
public struct ReceiverStrings: Sendable {
  public typealias Bytes = InlineText<128>

  enum Form: Sendable {
    /// NMEA sentences as they are.
    case text(StaticString)
    /// Two hexadecimal digits per byte, separated by spaces.
    case hexadecimal(StaticString)
    case nothing
  }

  var sleep: Form
  var wake: Form
  var rate: Form
  var sentences: Form

  /// The bytes to send; empty when the dialect has no such command.
  public func bytes(of command: ReceiverCommand) -> Bytes {
    switch form(of: command) {
    case .text(let text): Bytes(text)
    case .hexadecimal(let text): Self.bytes(hexadecimal: text)
    case .nothing: Bytes()
    }
  }

  func form(of command: ReceiverCommand) -> Form {
    switch command {
    case .sleep: sleep
    case .wake: wake
    case .setRate: rate
    case .setSentences: sentences
    }
  }

  private static func bytes(hexadecimal text: StaticString) -> Bytes {
    var bytes = Bytes()
    var high: UInt8?
    for index in 0..<text.utf8CodeUnitCount {
      let letter = text.utf8Start[index]
      guard letter != 0x20 else { continue }
      let value = letter.isDigit ? letter - 0x30 : letter - 0x41 + 10
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}

// One report a second, with the sentences that positions are made from: RMC (date, speed, course),
// GGA (altitude, satellites, HDOP) and GSA (2D or 3D). Less traffic wakes the processor less often.
extension ReceiverStrings {
  static let nothing = ReceiverStrings(
    sleep: .nothing, wake: .nothing, rate: .nothing, sentences: .nothing)

  /// u-blox 6 to M9 protocol specifications: UBX-RXM-PMREQ with duration 0 (until woken) and the
  /// flag `backup`; any byte wakes. UBX-CFG-RATE 1000 ms, one solution each, GPS time. PUBX,40
  /// switches a sentence off on all ports of the receiver.
  static let ublox = ReceiverStrings(
    sleep: .hexadecimal("B5 62 02 41 08 00 00 00 00 00 02 00 00 00 4D 3B"),
    wake: .hexadecimal("FF"),
    rate: .hexadecimal("B5 62 06 08 06 00 E8 03 01 00 01 00 01 39"),
    sentences: pubx)

  /// u-blox M10: PMREQ in its longer form, woken by the line itself. Whether M10 still accepts
  /// UBX-CFG-RATE and PUBX,40 depends on its firmware: unverified, and harmless where it does not.
  static let ubloxM10 = ReceiverStrings(
    sleep: .hexadecimal(
      "B5 62 02 41 10 00 00 00 00 00 00 00 00 00 06 00 00 00 08 00 00 00 61 6B"),
    wake: .hexadecimal("FF"),
    rate: .hexadecimal("B5 62 06 08 06 00 E8 03 01 00 01 00 01 39"),
    sentences: pubx)

  private static let pubx = Form.text(
    """
    $PUBX,40,GLL,0,0,0,0,0,0*5C\r\n\
    $PUBX,40,GSV,0,0,0,0,0,0*59\r\n\
    $PUBX,40,VTG,0,0,0,0,0,0*5E\r\n
    """)

  /// PMTK command packets: 161 standby, 225 normal, 220 rate, 314 sentences (GLL, RMC, VTG, GGA,
  /// GSA, GSV and others, in this order).
  static let mediatek = ReceiverStrings(
    sleep: .text("$PMTK161,0*28\r\n"), wake: .text("$PMTK225,0*2B\r\n"),
    rate: .text("$PMTK220,1000*1F\r\n"),
    sentences: .text("$PMTK314,0,1,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0*29\r\n"))

  /// CASIC multimode receiver protocol V4.2.0.3: PCAS02 rate, PCAS03 sentences (GGA, GLL, GSA, GSV,
  /// RMC, VTG, ZDA and others), PCAS12 standby for so many seconds. Not all chips support PCAS12;
  /// that 65 535 s is the maximum, and that any byte ends it, is unverified.
  static let casic = ReceiverStrings(
    sleep: .text("$PCAS12,65535*1E\r\n"), wake: .hexadecimal("FF"),
    rate: .text("$PCAS02,1000*2E\r\n"),
    sentences: .text("$PCAS03,1,0,1,0,1,0,0,0,0,0,,,0,0*03\r\n"))
}
