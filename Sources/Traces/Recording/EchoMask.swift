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
  private static let keptBytes = 12

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
    if tail.count == Self.keptBytes { tail.removeFirst() }
    tail.append(letter)
    position = min(position + 1, Self.keptBytes)
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
