import Synchronization
public import TrackerCore

/// The credentials for using the services.
public struct Credentials: Sendable, Equatable {
  var user: String
  var password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Whether name and password are these, in constant time.
  public func isMatched(by user: String, _ password: String) -> Bool {
    let isUser = Self.isEqual(user, self.user)
    return Self.isEqual(password, self.password) && isUser
  }

  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference: UInt8 = a.count == b.count ? 0 : 1
    for index in a.indices { difference |= a[index] ^ (index < b.count ? b[index] : 0) }
    return difference == 0
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
      if account.credentials.isMatched(by: user, password) { access = account.access }
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
}

/// The answers to requests for tokens.
struct TokenAnswers {
  /// `nil`: no tokens are needed.
  var tokens: Tokens?
  /// Whether tokens are only sent over TLS.
  var isSecure: Bool

  /// Counts a try of a password, from a client that has an address.
  ///
  /// - Parameter user: the parameter with the name.
  /// - Returns: the refusal, if there were too many; `nil`: the request may be answered.
  func begin(_ request: ServiceRequest, _ user: String, at time: HostTime) -> ServiceReply? {
    guard request.method == "POST", let client = request.client,
      let wait = tokens?.tries.begin(client, as: Self.name(request, user), at: time.uptime)
    else { return nil }
    let seconds = (wait.count + 999) / 1000
    let error = ArcGISError(
      code: 429, message: "Too many wrong passwords.", details: ["Try again in \(seconds) s."])
    return .answer(
      status: 429, type: "application/json; charset=utf-8", body: error.body.bytes,
      retryAfterSeconds: seconds)
  }

  /// A token, if name and password are right.
  private func make(
    _ request: ServiceRequest, _ user: String, _ password: String, life: Milliseconds?,
    at time: HostTime
  ) -> (token: String, life: Milliseconds)? {
    let made = tokens?.make(
      user: request.text(user) ?? "", password: request.text(password) ?? "", life: life,
      at: time.uptime)
    if made != nil, let client = request.client {
      tokens?.tries.succeed(client, as: Self.name(request, user), at: time.uptime)
    }
    return made
  }

  /// The part of a name that tries are counted by.
  private static func name(_ request: ServiceRequest, _ parameter: String) -> String {
    String((request.text(parameter) ?? "").prefix(100))
  }

  /// `generateToken` of ArcGIS Server; the expiry is in milliseconds since 1970.
  func token(_ request: ServiceRequest, at time: HostTime) throws(ArcGISError) -> JSON {
    guard tokens != nil else {
      throw ArcGISError(code: 400, message: "This server does not need tokens.")
    }
    guard request.method == "POST" else {
      throw ArcGISError(code: 405, message: "generateToken needs the method POST.")
    }
    var life: Milliseconds?
    if let text = request.text("expiration") {
      guard let minutes = Int64(text.trimmed), minutes > 0, minutes <= 1_000_000 else {
        throw .invalid("expiration", "It is not a whole number of minutes.")
      }
      life = .minutes(minutes)
    }
    guard let made = make(request, "username", "password", life: life, at: time) else {
      throw ArcGISError(
        code: 400, message: "Unable to generate token.", details: ["Invalid username or password."])
    }
    return [
      "token": .text(made.token), "expires": .integer((time.utc + made.life).milliseconds),
      "ssl": .boolean(isSecure),
    ]
  }

  /// An app's token (OAuth 2.0 client credentials); the lifetime is in seconds.
  func appToken(_ request: ServiceRequest, at time: HostTime) -> ServiceReply {
    let made =
      request.method == "POST" && request.text("grant_type") == "client_credentials"
      ? make(
        request, "client_id", "client_secret",
        life: request.text("expiration").flatMap { Int64($0.prefix(6)) }.map { .minutes($0) },
        at: time)
      : nil
    guard let made else {
      return .json([
        "error": [
          "code": 400, "error": "invalid_client_id", "error_description": "Invalid client_id",
          "message": "Invalid client_id", "details": [],
        ]
      ])
    }
    return .json([
      "access_token": .text(made.token), "expires_in": .integer(made.life.count / 1000),
    ])
  }
}

/// Counts wrong passwords, of each user at each client address, of each address and of all
/// together, and lets nobody guess.
///
/// Many people may have one address: those of a village hall, or all behind a proxy that is not
/// trusted. So a user's wrong ones lock out nobody else there, and users who have given the right
/// password from an address count there by themselves only: nobody who guesses locks them out.
public final class PasswordTries: Sendable {
  /// Wrong ones since a moment, by the user's name that they were given with.
  private struct Count {
    /// At most as many names as tries, which are few, and those of known users.
    var wrongOf: [String: Int] = [:]
    var since: Milliseconds

    var wrong: Int { wrongOf.values.reduce(0, +) }

    /// Forgets those of before the window.
    mutating func renew(_ uptime: Milliseconds) {
      if uptime - since >= Bounds.triesWindow { self = Count(since: uptime) }
    }
  }

  private struct Person: Hashable {
    var client: String
    var user: String
  }

  private struct State {
    var clients: [String: Count] = [:]
    var strangers = Count(since: 0)
    /// When each of them last gave the right password.
    var known: [Person: Milliseconds] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// How many entries the tables have.
  var entries: Int { state.withLock { $0.clients.count + $0.known.count } }

  /// Whether a client may try now. The try counts as wrong until `succeed`, so that many at once do
  /// not slip through.
  ///
  /// - Parameters:
  ///   - client: its address.
  ///   - user: the name that it gives.
  /// - Returns: how long it must wait; `nil`: it may try.
  public func begin(_ client: String, as user: String, at uptime: Milliseconds) -> Milliseconds? {
    state.withLock { state in
      let isKnown = state.known[Person(client: client, user: user)] != nil
      state.strangers.renew(uptime)
      if !isKnown, state.strangers.wrong >= Bounds.triesOfStrangers {
        return state.strangers.since + Bounds.triesWindow - uptime
      }
      Self.makeRoom(in: &state.clients) { $0.since }
      var count = state.clients[client] ?? Count(since: uptime)
      count.renew(uptime)
      defer { state.clients[client] = count }
      if count.wrongOf[user] ?? 0 >= Bounds.triesOfUser
        || !isKnown && count.wrong >= Bounds.triesOfClient
      {
        return count.since + Bounds.triesWindow - uptime
      }
      count.wrongOf[user, default: 0] += 1
      if !isKnown { state.strangers.wrongOf["", default: 0] += 1 }
      return nil
    }
  }

  /// The try that has begun was right. Wrong ones of other users stay: one known password must not
  /// give more tries at another.
  public func succeed(_ client: String, as user: String, at uptime: Milliseconds) {
    state.withLock { state in
      state.clients[client]?.wrongOf[user] = nil
      let person = Person(client: client, user: user)
      if state.known[person] == nil {
        state.strangers.wrongOf[""] = max(0, state.strangers.wrong - 1)
        Self.makeRoom(in: &state.known) { $0 }
      }
      state.known[person] = uptime
    }
  }

  /// Drops the oldest entry of a full table.
  private static func makeRoom<Key: Hashable, Entry>(
    in table: inout [Key: Entry], _ time: (Entry) -> Milliseconds
  ) {
    guard table.count >= Bounds.clientsRemembered else { return }
    if let oldest = table.min(by: { time($0.value) < time($1.value) })?.key { table[oldest] = nil }
  }
}
