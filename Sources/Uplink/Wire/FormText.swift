/// A form as browsers send it: `application/x-www-form-urlencoded` (WHATWG URL standard §5.2).
public struct FormText: Sendable, Equatable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func add(_ name: String, _ value: String) {
    add(name, bytes: Array(value.utf8))
  }

  public mutating func add(_ name: String, bytes value: [UInt8]) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    encode(name.utf8)
    bytes.append(UInt8(ascii: "="))
    bytes.reserveCapacity(bytes.count + value.count * 2)
    encode(value)
  }

  /// The form as the query of an address.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func encode(_ plain: some Sequence<UInt8>) {
    for byte in plain {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "*"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(Self.digit(byte >> 4))
        bytes.append(Self.digit(byte & 15))
      }
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 0x30 + nibble : 0x41 + nibble - 10
  }
}
