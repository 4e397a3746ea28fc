import Glibc
import Synchronization

/// Hands out tokens for a name and a password, and knows them until they expire.
final class Tokens: Sendable {
  private let credentials: Credentials
  private let longestSeconds: Int
  /// Token and end of its life in milliseconds of the monotonic clock, oldest first.
  private let live = Mutex<[(token: String, ends: Int64)]>([])

  init(_ credentials: Credentials, longestSeconds: Int) {
    self.credentials = credentials
    self.longestSeconds = longestSeconds
  }

  /// - Returns: a token and its life in seconds; `nil` for a wrong name or password.
  func make(user: String, password: String, seconds: Int?) -> (token: String, seconds: Int)? {
    // Both are compared whatever the first says, in a time that tells nothing.
    let isUser = Self.isEqual(user, credentials.user)
    guard Self.isEqual(password, credentials.password), isUser else { return nil }
    let seconds = min(max(seconds ?? longestSeconds, 1), longestSeconds)
    var generator = SystemRandomNumberGenerator()
    let token = (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    let now = monotonicMilliseconds()
    live.withLock { live in
      live.removeAll { $0.ends <= now }
      if live.count >= Bounds.tokens { live.removeFirst() }
      live.append((token, now + Int64(seconds) * 1000))
    }
    return (token, seconds)
  }

  func isLive(_ token: String) -> Bool {
    let now = monotonicMilliseconds()
    return live.withLock { live in live.contains { $0.token == token && $0.ends > now } }
  }

  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference: UInt8 = a.count == b.count ? 0 : 1
    for index in a.indices { difference |= a[index] ^ (index < b.count ? b[index] : 0) }
    return difference == 0
  }
}

/// Who may use the services.
public struct Credentials: Sendable, Equatable {
  var user: String
  var password: String

  /// Reads the password from the first line of a file that nobody else can read.
  ///
  /// - Throws: `CampError`.
  public init(user: String, passwordFile path: String) throws(CampError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw CampError("cannot read \(path): \(String(cString: strerror(errno))); check the path")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw CampError("\(path): others can read it; protect it: chmod 600 \(path)")
    }
    let text = String(decoding: try readFile(path, atMost: 4096), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.isEmpty else {
      throw CampError("\(path): has no password in its first line; write one")
    }
    self.user = user
    password = String(line)
  }
}

func monotonicMilliseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}

/// Milliseconds since 1970 by this machine's clock.
func wallMilliseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}
