public import TrackerCore

/// A short message as a modem has it stored.
public struct IncomingText: Sendable, Equatable {
  /// Its place in the modem's store.
  public var place: Int
  /// `nil`: the sender is not a number, and cannot be answered.
  public var sender: PhoneNumber?
  /// `nil`: it is not a text, or a part of a longer one.
  public var text: String?
  /// When it reached the service centre, by that one's clock; `nil`: it does not say.
  public var sent: UTC?
  /// `nil`: it is whole.
  public var part: TextPart?

  public init(
    place: Int, sender: PhoneNumber?, text: String?, sent: UTC? = nil, part: TextPart? = nil
  ) {
    (self.place, self.sender, self.text) = (place, sender, text)
    (self.sent, self.part) = (sent, part)
  }
}

/// A part of a message that is too long for one (3GPP TS 23.040, 9.2.3.24.1).
public struct TextPart: Sendable, Equatable {
  /// The same of all its parts, as is their count.
  var message: Int
  var count: Int
  /// From 1 on.
  var number: Int
  var text: String

  public init(of message: Int, number: Int, count: Int, text: String) {
    (self.message, self.number, self.count, self.text) = (message, number, count, text)
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
    let sent = Self.time(rest.dropFirst(2).prefix(7))
    let body = rest.dropFirst(10)
    let hasHeader = kind & 0x40 != 0
    self.init(
      place: place, sender: Self.number(address, digits: Int(count), type: type),
      text: hasHeader ? nil : Self.text(body, units: units, coding: coding), sent: sent)
    if hasHeader { part = Self.part(body, units: units, coding: coding) }
  }

  /// A part of a longer text. Of a message with another header there is no text for people.
  private static func part(_ bytes: ArraySlice<UInt8>, units: Int, coding: UInt8) -> TextPart? {
    guard let length = bytes.first.map({ Int($0) }), bytes.count > length else { return nil }
    var header = bytes.dropFirst().prefix(length)
    let isSeven = alphabet(coding) == .seven
    let skipped = isSeven ? ((length + 1) * 8 + 6) / 7 : length + 1
    guard units >= skipped,
      let text = isSeven
        ? GSMAlphabet.text(bytes, septets: units, after: skipped)
        : text(bytes.dropFirst(length + 1), units: units - skipped, coding: coding)
    else { return nil }
    while let kind = header.popFirst(), let size = header.popFirst().map({ Int($0) }),
      header.count >= size
    {
      let fields = header.prefix(size).map { Int($0) }
      header = header.dropFirst(size)
      guard kind == 0 && size == 3 || kind == 8 && size == 4 else { continue }
      let (count, number) = (fields[size - 2], fields[size - 1])
      guard number > 0, number <= count else { return nil }
      let message = fields.dropLast(2).reduce(0) { $0 << 8 | $1 }
      return TextPart(of: message, number: number, count: count, text: text)
    }
    return nil
  }

  /// Seven bytes with the lower digit first: year, month, day, hour, minute, second, and quarters
  /// of an hour from UTC, with a sign (TS 23.040, 9.2.3.11).
  private static func time(_ bytes: ArraySlice<UInt8>) -> UTC? {
    let fields = bytes.map { Int32($0 & 0x0F) * 10 + Int32($0 >> 4) }
    guard let last = bytes.last, fields.count == 7, bytes.dropLast().allSatisfy({ $0 & 0x0F < 10 }),
      bytes.allSatisfy({ $0 >> 4 < 10 }), fields[5] < 60,
      let civil = CivilTime(
        year: 2000 + fields[0], month: fields[1], day: fields[2], hour: fields[3],
        minute: fields[4])
    else { return nil }
    let quarters = Int64(last & 0x07) * 10 + Int64(last >> 4)
    let offset = Milliseconds.minutes(15 * (last & 0x08 == 0 ? quarters : -quarters))
    return civil.utc + .seconds(Int64(fields[5])) + (0 - offset)
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

  /// - Parameter skipped: septets that are not read.
  /// - Returns: `nil`: there are fewer bytes than the characters need.
  static func text(_ bytes: ArraySlice<UInt8>, septets: Int, after skipped: Int = 0) -> String? {
    guard bytes.count * 8 >= septets * 7 else { return nil }
    var text = ""
    var isEscaped = false
    for index in skipped..<septets {
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
