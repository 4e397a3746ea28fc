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

/// What a client may do.
enum Access: Sendable, Equatable {
  /// Add features and see them.
  case user
  /// Change and delete features too.
  case owner
}

/// Issues tokens for a name and a password, and remembers them until they expire.
final class Tokens: Sendable {
  private let accounts: [(credentials: Credentials, access: Access)]
  private let longest: Milliseconds
  private let random: RandomSource
  let tries = PasswordTries()
  /// Tokens and when they expire, oldest first.
  private let live = Mutex<[(token: String, access: Access, ends: Milliseconds)]>([])

  init(
    _ accounts: [(credentials: Credentials, access: Access)], longest: Milliseconds,
    _ random: RandomSource
  ) {
    self.accounts = accounts
    self.longest = longest
    self.random = random
  }

  /// - Parameter life: as requested by the client; `nil`: the longest allowed.
  /// - Returns: a token and its lifetime; `nil` for a wrong name or password.
  func make(
    user: String, password: String, life: Milliseconds?, at uptime: Milliseconds
  ) -> (token: String, life: Milliseconds)? {
    // Always compare all, in constant time.
    var access: Access?
    for account in accounts {
      let isUser = Self.isEqual(user, account.credentials.user)
      if Self.isEqual(password, account.credentials.password), isUser { access = account.access }
    }
    guard let access else { return nil }
    let life = min(max(life ?? longest, .seconds(1)), longest)
    // As long as ArcGIS Server's: some hundred characters.
    let token = random.digits(6)
    live.withLock { live in
      live.removeAll { $0.ends <= uptime }
      if live.count >= Bounds.tokens { live.removeFirst() }
      live.append((token, access, uptime + life))
    }
    return (token, life)
  }

  /// What the bearer of a token may do; `nil` if it is not valid.
  func access(_ token: String, at uptime: Milliseconds) -> Access? {
    live.withLock { live in live.first { $0.token == token && $0.ends > uptime }?.access }
  }

  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference: UInt8 = a.count == b.count ? 0 : 1
    for index in a.indices { difference |= a[index] ^ (index < b.count ? b[index] : 0) }
    return difference == 0
  }
}
