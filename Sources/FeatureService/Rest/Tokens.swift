import Synchronization
import TrackerCore

/// The credentials for using the services.
public struct Credentials: Sendable, Equatable {
  var user: String
  var password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// Issues tokens for a name and a password, and remembers them until they expire.
final class Tokens: Sendable {
  private let credentials: Credentials
  private let longest: Milliseconds
  private let random: RandomSource
  /// Tokens and when they expire, oldest first.
  private let live = Mutex<[(token: String, ends: Milliseconds)]>([])

  init(_ credentials: Credentials, longest: Milliseconds, _ random: RandomSource) {
    self.credentials = credentials
    self.longest = longest
    self.random = random
  }

  /// - Parameter life: as requested by the client; `nil`: the longest allowed.
  /// - Returns: a token and its lifetime; `nil` for a wrong name or password.
  func make(
    user: String, password: String, life: Milliseconds?, at uptime: Milliseconds
  ) -> (token: String, life: Milliseconds)? {
    // Always compare both, in constant time.
    let isUser = Self.isEqual(user, credentials.user)
    guard Self.isEqual(password, credentials.password), isUser else { return nil }
    let life = min(max(life ?? longest, .seconds(1)), longest)
    // As long as ArcGIS Server's: some hundred characters.
    let token = random.digits(6)
    live.withLock { live in
      live.removeAll { $0.ends <= uptime }
      if live.count >= Bounds.tokens { live.removeFirst() }
      live.append((token, uptime + life))
    }
    return (token, life)
  }

  func isLive(_ token: String, at uptime: Milliseconds) -> Bool {
    live.withLock { live in live.contains { $0.token == token && $0.ends > uptime } }
  }

  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference: UInt8 = a.count == b.count ? 0 : 1
    for index in a.indices { difference |= a[index] ^ (index < b.count ? b[index] : 0) }
    return difference == 0
  }
}
