/// Hides the secrets that a modem repeats: what follows `=` in the echo of a command becomes `#`.
///
/// A tracker takes a line that begins with `AT` for an echo and makes nothing of it, and the line
/// keeps its length: so a replay decides alike. Works byte by byte, however the line is cut.
struct EchoMask: Sendable, Equatable {
  /// Commands whose arguments are secret, also where noise stands before their echo: PIN and
  /// passwords (3GPP TS 27.007), and those of a bearer (SIMCom, Qualcomm).
  private static let secrets: [StaticString] = [
    "CPIN", "CPIN2", "CPWD", "CLCK", "CGAUTH", "CSTT", "QCPDPP", "CNETPWD", "CMQTTCONNECT",
  ]
  private static let keptBytes = 12

  /// The end of what stands before a `=` in this line.
  private var tail: [UInt8] = []
  private var isEcho = false
  private var position = 0
  private var isHiding = false

  /// What may be written of the bytes that came.
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
    if isHiding { return .hash }
    if byte == UInt8(ascii: "=") {
      isHiding = isEcho || Self.secrets.contains { Self.ends(tail, with: $0) }
      return byte
    }
    let letter = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
    if tail.count == Self.keptBytes { tail.removeFirst() }
    tail.append(letter)
    position = min(position + 1, Self.keptBytes)
    if position == 2 { isEcho = Self.ends(tail, with: "AT") }
    return byte
  }

  private static func ends(_ tail: [UInt8], with text: StaticString) -> Bool {
    tail.suffix(text.utf8CodeUnitCount).elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
