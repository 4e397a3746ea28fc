import TrackerCore

/// The short messages that an emulated modem has stored, and their commands (3GPP TS 27.005).
struct TextStore: Sendable {
  private struct Message: Sendable {
    var bytes: [UInt8]
    var isRead = false
  }

  /// As many as many a SIM has room for.
  var capacity = 20
  /// By their places, from 0.
  private var messages: [Message?] = []

  init() {}

  var count: Int { messages.count { $0 != nil } }

  mutating func add(_ bytes: [UInt8]) -> Bool {
    guard count < capacity else { return false }
    let place = messages.firstIndex { $0 == nil } ?? messages.count
    if place == messages.count { messages.append(nil) }
    messages[place] = Message(bytes: bytes)
    return true
  }

  /// The answer to a command about them; `nil`: it is about something else.
  mutating func answer(_ command: String, hasSIM: Bool) -> [ModemScript.Step]? {
    switch command {
    case "AT+CMGF=0": return [Self.line("OK")]
    case "AT+CPMS?":
      let figures = "\"SM\",\(count),\(capacity)"
      return [Self.line("+CPMS: \(figures),\(figures),\(figures)"), Self.line("OK")]
    case "AT+CMGL=0" where hasSIM: return list { !$0.isRead }
    case "AT+CMGL=4" where hasSIM: return list { _ in true }
    case "AT+CMGL=0", "AT+CMGL=4": return [Self.line("+CMS ERROR: 310")]
    default:
      guard command.hasPrefix("AT+CMGD="), let place = Int(command.dropFirst("AT+CMGD=".count))
      else { return nil }
      guard messages.indices.contains(place), messages[place] != nil else {
        return [Self.line("+CMS ERROR: 321")]
      }
      messages[place] = nil
      return [Self.line("OK")]
    }
  }

  private mutating func list(_ isWanted: (Message) -> Bool) -> [ModemScript.Step] {
    var steps: [ModemScript.Step] = []
    for place in messages.indices {
      guard let message = messages[place], isWanted(message) else { continue }
      let hex = message.bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0\(digits)" : digits
      }
      let length = message.bytes.count - 1 - Int(message.bytes.first ?? 0)
      let head = "+CMGL: \(place),\(message.isRead ? 1 : 0),,\(max(0, length))"
      steps.append(.say(Array("\r\n\(head)\r\n\(hex.joined())\r\n".utf8)))
      messages[place]?.isRead = true
    }
    return steps + [Self.line("OK")]
  }

  private static func line(_ text: String) -> ModemScript.Step {
    .say(Array("\r\n\(text)\r\n".utf8))
  }

  // MARK: What a network delivers

  /// A message as 3GPP TS 23.040 has it, with an empty service centre's address. ASCII is sent in
  /// seven bits, as far as the alphabet of TS 23.038 has the same codes, all else as UCS-2.
  ///
  /// - Parameter sent: the service centre's stamp, in UTC; `nil`: none that can be read.
  static func message(_ text: String, from sender: String, sent: UTC? = nil) -> [UInt8] {
    let isPlain = text.utf8.allSatisfy {
      $0 == 0x0A || $0 == 0x0D
        || (0x20..<0x7B).contains($0) && !(0x5B...0x60).contains($0) && $0 != 0x24 && $0 != 0x40
    }
    let units = Array(text.utf16.prefix(isPlain ? 160 : 70))
    let body = isPlain ? packed(units.map { UInt8($0) }) : units.flatMap { bytes(of: $0) }
    var message: [UInt8] = [0, 0x04]
    message += address(sender)
    message += [0, isPlain ? 0 : 0x08] + stamp(sent)
    message.append(UInt8(isPlain ? units.count : body.count))
    return message + body
  }

  private static func stamp(_ utc: UTC?) -> [UInt8] {
    guard let utc, let time = CivilTime(utc) else { return [UInt8](repeating: 0, count: 7) }
    let seconds = Int32(utc.milliseconds / 1000 % 60)
    let fields = [time.year % 100, time.month, time.day, time.hour, time.minute, seconds, 0]
    return fields.map { UInt8(($0 % 10) << 4 | $0 / 10) }
  }

  private static func bytes(of unit: UInt16) -> [UInt8] { [UInt8(unit >> 8), UInt8(unit & 0xFF)] }

  private static func packed(_ septets: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var (held, bits): (UInt16, UInt16) = (0, 0)
    for septet in septets {
      held |= UInt16(septet & 0x7F) << bits
      bits += 7
      guard bits >= 8 else { continue }
      bytes.append(UInt8(held & 0xFF))
      held >>= 8
      bits -= 8
    }
    return bits > 0 ? bytes + [UInt8(held & 0xFF)] : bytes
  }

  private static func address(_ sender: String) -> [UInt8] {
    let digits: [UInt8] = sender.utf8.compactMap { (0x30...0x39).contains($0) ? $0 - 0x30 : nil }
    guard digits.count == sender.utf8.count - (sender.hasPrefix("+") ? 1 : 0) else {
      let word = packed(Array(sender.utf8.prefix(11)))
      return [UInt8(word.count * 2), 0xD0] + word
    }
    var address: [UInt8] = [UInt8(digits.count), sender.hasPrefix("+") ? 0x91 : 0x81]
    for index in stride(from: 0, to: digits.count, by: 2) {
      let second: UInt8 = index + 1 < digits.count ? digits[index + 1] : 0x0F
      address.append(second << 4 | digits[index])
    }
    return address
  }
}
