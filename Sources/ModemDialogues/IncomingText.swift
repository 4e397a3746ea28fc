public import TrackerCore

/// A short message as a modem has it stored.
public struct IncomingText: Sendable, Equatable {
  /// Its place in the modem's store.
  public var place: Int
  /// `nil`: the sender is not a number, and cannot be answered.
  public var sender: PhoneNumber?
  /// `nil`: it is not a text, or a part of a longer one.
  public var text: String?

  public init(place: Int, sender: PhoneNumber?, text: String?) {
    self.place = place
    self.sender = sender
    self.text = text
  }
}

extension IncomingText {
  /// Reads a message in the form of `AT+CMGL` with `AT+CMGF=0` (3GPP TS 27.005, 4.1): the service
  /// centre's address, then an SMS-DELIVER (TS 23.040, 9.2.2.1).
  ///
  /// Unlike the text mode's, this form cannot be forged by what stands in a text: there a line
  /// break and the head of another message, in whose place a modem's own would be.
  ///
  /// - Parameters:
  ///   - digits: two hexadecimal digits for each byte.
  ///   - length: how many bytes it has after the service centre's address.
  /// - Returns: `nil`: it is damaged, or not a message that has come in.
  init?(place: Int, hex digits: some StringProtocol, length: Int) {
    guard let bytes = Self.bytes(digits), let centre = bytes.first.map({ Int($0) }),
      bytes.count == 1 + centre + length
    else { return nil }
    var rest = bytes.dropFirst(1 + centre)
    guard let kind = rest.popFirst(), kind & 0x03 == 0, let count = rest.popFirst(),
      let type = rest.popFirst(), rest.count >= (Int(count) + 1) / 2
    else { return nil }
    let address = rest.prefix((Int(count) + 1) / 2)
    rest = rest.dropFirst(address.count)
    // Protocol, coding, the service centre's time, length.
    guard rest.count >= 10 else { return nil }
    let coding = rest[rest.startIndex + 1]
    let units = Int(rest[rest.startIndex + 9])
    let isPart = kind & 0x40 != 0
    self.init(
      place: place, sender: Self.number(address, digits: Int(count), type: type),
      text: isPart ? nil : Self.text(rest.dropFirst(10), units: units, coding: coding))
  }

  private static func bytes(_ digits: some StringProtocol) -> [UInt8]? {
    let digits = Array(digits.utf8)
    guard !digits.isEmpty, digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The lower half of a byte comes first. Type 1 is international, 5 a word instead of a number.
  private static func number(_ bytes: ArraySlice<UInt8>, digits: Int, type: UInt8) -> PhoneNumber? {
    let kind = type >> 4 & 0x07
    if kind == 5 { return nil }
    var text: [UInt8] = kind == 1 ? [UInt8(ascii: "+")] : []
    for half in bytes.flatMap({ [$0 & 0x0F, $0 >> 4] }).prefix(digits) {
      guard half < 10 else { return nil }
      text.append(UInt8(ascii: "0") + half)
    }
    return PhoneNumber(text.span)
  }

  private static func text(_ bytes: ArraySlice<UInt8>, units: Int, coding: UInt8) -> String? {
    switch alphabet(coding) {
    case .seven: return GSMAlphabet.text(bytes, septets: units)
    case .sixteen:
      guard units % 2 == 0, bytes.count >= units else { return nil }
      let start = bytes.startIndex
      let codes = stride(from: start, to: start + units, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return String(decoding: codes, as: UTF16.self)
    case nil: return nil
    }
  }

  /// Bits of a character.
  private enum Alphabet {
    case seven
    case sixteen
  }

  /// - Parameter coding: as TS 23.038, 4, has it.
  /// - Returns: `nil`: it is compressed, or no text.
  private static func alphabet(_ coding: UInt8) -> Alphabet? {
    switch coding >> 4 {
    case 0x0...0x3:
      if coding & 0x2C == 0 { return .seven }
      return coding & 0x2C == 0x08 ? .sixteen : nil
    case 0xC, 0xD: return .seven
    case 0xE: return .sixteen
    case 0xF: return coding & 0x04 == 0 ? .seven : nil
    default: return nil
    }
  }
}

/// The alphabet of short messages (3GPP TS 23.038, 6.2.1), seven bits a character.
enum GSMAlphabet {
  private static let escape: UInt8 = 0x1B
  private static let characters = Array(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
      + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà")
  /// After an escape.
  private static let others: [UInt8: Character] = [
    0x14: "^", 0x28: "{", 0x29: "}", 0x2F: "\\", 0x3C: "[", 0x3D: "~", 0x3E: "]", 0x40: "|",
    0x65: "€",
  ]

  /// - Returns: `nil`: there are fewer bytes than the characters need.
  static func text(_ bytes: ArraySlice<UInt8>, septets: Int) -> String? {
    guard bytes.count * 8 >= septets * 7 else { return nil }
    var text = ""
    var isEscaped = false
    for index in 0..<septets {
      let (byte, shift) = (bytes.startIndex + index * 7 / 8, index * 7 % 8)
      var code = UInt16(bytes[byte]) >> shift
      if shift > 1 { code |= UInt16(bytes[byte + 1]) << (8 - shift) }
      let septet = UInt8(code & 0x7F)
      if septet == escape && !isEscaped {
        isEscaped = true
      } else {
        text.append(isEscaped ? others[septet] ?? " " : characters[Int(septet)])
        isEscaped = false
      }
    }
    return text
  }
}

extension PhoneNumber {
  public var string: String { String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self) }

  /// Whether both are the same telephone. A number without its country is compared by its last nine
  /// digits, as many as a subscriber's number has in the countries around.
  public func isSame(as other: PhoneNumber) -> Bool {
    let (mine, others) = (international, other.international)
    if mine.isComplete && others.isComplete { return mine.digits == others.digits }
    let count = min(9, max(mine.digits.count, others.digits.count))
    return mine.digits.suffix(count) == others.digits.suffix(count)
  }

  private var international: (digits: Substring, isComplete: Bool) {
    if string.hasPrefix("+") { return (string.dropFirst(), true) }
    if string.hasPrefix("00") { return (string.dropFirst(2), true) }
    return (string[...], false)
  }
}
