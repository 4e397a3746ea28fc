import CCrypto

/// SHA-256 of a text, in 64 hexadecimal digits.
public func sha256(_ text: String) -> String {
  let bytes = Array(text.utf8)
  var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
  SHA256(bytes, bytes.count, &digest)
  return hexadecimal(digest)
}

/// HMAC of a text with SHA-256 (RFC 2104), in 64 hexadecimal digits.
public func hmacSHA256(_ text: String, key: String) -> String {
  let (bytes, key) = (Array(text.utf8), Array(key.utf8))
  var code = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
  HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, nil)
  return hexadecimal(code)
}

/// Whether two texts are equal, in a time that depends on their lengths only.
public func isEqualInConstantTime(_ a: String, _ b: String) -> Bool {
  let (a, b) = (Array(a.utf8), Array(b.utf8))
  return a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}

/// A slow hash of a password (scrypt, RFC 7914, with r = 8 and p = 1).
///
/// - Parameters:
///   - cost: scrypt's N, a power of two; it takes 1024 times as many bytes of memory.
/// - Returns: 64 hexadecimal digits; `nil` if the machine has no memory for it.
public func scrypt(_ password: String, salt: String, cost: UInt64) -> String? {
  let letters = password.utf8.map { CChar(bitPattern: $0) }
  let salt = Array(salt.utf8)
  var key = [UInt8](repeating: 0, count: 32)
  // Beside the table it needs a few kilobytes.
  let memory = cost * 1024 + (1 << 20)
  let code = EVP_PBE_scrypt(
    letters, letters.count, salt, salt.count, cost, 8, 1, memory, &key, key.count)
  return code == 1 ? hexadecimal(key) : nil
}

/// A token that nobody guesses: 32 random bytes in hexadecimal digits.
public func newSecret() -> String {
  var generator = SystemRandomNumberGenerator()
  // Each number asks the kernel.
  return hexadecimal(
    (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64, Array.init) })
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
