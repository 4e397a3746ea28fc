import Synchronization

/// A random number generator that can be shared by threads.
final class RandomSource: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

  func next() -> UInt64 { generator.withLock { $0.next() } }

  /// A number in 0..<1.
  func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Sixteen hexadecimal digits for each of `count` numbers.
  func digits(_ count: Int) -> String {
    (0..<count).map { _ in
      let digits = String(next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// A GlobalID, `{0F8FAD5B-D9CB-469F-A165-70867728950E}`: a random UUID (RFC 9562 §5.4).
  func globalID() -> String {
    var digits = Array(digits(2).uppercased())
    digits[12] = "4"
    digits[16] = "A"
    for hyphen in [20, 16, 12, 8] { digits.insert("-", at: hyphen) }
    return "{\(String(digits))}"
  }
}
