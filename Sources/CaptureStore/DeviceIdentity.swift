internal import Glibc
internal import TrackerCore

/// Who the device is, and which numbers it may have given. One row of the table `identity`.
struct DeviceIdentity: Sendable, Equatable {
  var device: UniqueID
  var madeAt: UTC
  /// No number below this is given again.
  var firstSequence: UInt32 = 1
  /// Every number that was ever given lies below this.
  var reservedBelow: UInt32 = 1

  static func read(_ database: borrowing SQLiteDatabase) throws(SQLiteError) -> DeviceIdentity? {
    let row = try database.prepare(
      "SELECT device, madeAt, firstSequence, reservedBelow FROM identity")
    guard try row.step(), let device = UniqueID(text: row.text(0)),
      let first = UInt32(exactly: row.integer(2)), let reserved = UInt32(exactly: row.integer(3)),
      first > 0
    else { return nil }
    return DeviceIdentity(
      device: device, madeAt: UTC(milliseconds: row.integer(1)), firstSequence: first,
      reservedBelow: reserved)
  }

  func write(to database: borrowing SQLiteDatabase) throws(SQLiteError) {
    let row = try database.prepare("INSERT INTO identity VALUES (?, ?, ?, ?)")
    try row.bind(device.text, at: 1)
    try row.bind(madeAt.milliseconds, at: 2)
    try row.bind(Int64(firstSequence), at: 3)
    try row.bind(Int64(reservedBelow), at: 4)
    try row.run()
  }
}

extension UniqueID {
  /// A random one (version 4); `nil` when the system gives no random bytes.
  static func random() -> UniqueID? {
    var bytes: (UInt64, UInt64) = (0, 0)
    let count = withUnsafeMutableBytes(of: &bytes) { buffer -> Int in
      let descriptor = Glibc.open("/dev/urandom", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return -1 }
      defer { close(descriptor) }
      // Reads of up to 256 bytes are never short or interrupted (random(4)).
      return Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }
    guard count == 16 else { return nil }
    return UniqueID(
      high: bytes.0 & ~0xF000 | 0x4000, low: bytes.1 & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63)
  }

  /// In the usual form, small letters: 8-4-4-4-12 hexadecimal digits.
  var text: String {
    var digits = ""
    for (index, word) in [high, low].enumerated() {
      for place in 0..<16 {
        if (index == 0 && (place == 8 || place == 12)) || (index == 1 && (place == 0 || place == 4))
        {
          digits += "-"
        }
        digits += String(word >> UInt64(60 - 4 * place) & 0xF, radix: 16)
      }
    }
    return digits
  }

  init?(text: String) {
    let digits = text.filter { $0 != "-" }
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}
