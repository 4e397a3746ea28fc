import Digests
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

/// Issues tokens for a name and a password. A token says until when it is valid, and is signed:
/// all servers that know the secret accept it, as long as name and password are what they were.
final class Tokens: Sendable {
  private struct Account {
    var credentials: Credentials
    var access: Access
    /// Signs this account's tokens.
    var key: String
  }

  private let accounts: [Account]
  private let longest: Milliseconds
  private let isShared: Bool
  private let random: RandomSource
  let tries: PasswordTries

  /// - Parameter shared: the secret of several servers; `nil`: there is only this one, which issues
  ///   tokens until it ends.
  init(
    _ accounts: [(credentials: Credentials, access: Access)], longest: Milliseconds,
    shared: String?, _ tries: PasswordTries, _ random: RandomSource
  ) {
    let secret = shared ?? random.digits(4)
    isShared = shared != nil
    self.accounts = accounts.map { credentials, access in
      let parts = ["\(access)", credentials.user, credentials.password]
      return Account(
        credentials: credentials, access: access,
        key: parts.reduce(secret) { hmacSHA256($1, key: $0) })
    }
    self.longest = longest
    self.tries = tries
    self.random = random
  }

  /// One server's tokens live on through a step of the date; several have nothing else in common.
  private func moment(_ time: HostTime) -> Milliseconds {
    isShared ? Milliseconds(time.utc.milliseconds) : time.uptime
  }

  /// - Parameter life: as requested by the client; `nil`: the longest allowed.
  /// - Returns: a token and its lifetime; `nil` for a wrong name or password.
  func make(
    user: String, password: String, life: Milliseconds?, at time: HostTime
  ) -> (token: String, life: Milliseconds)? {
    // Always compare all, in constant time.
    var found: Account?
    for account in accounts {
      if account.credentials.isMatched(by: user, password) { found = account }
    }
    guard let found else { return nil }
    let life = min(max(life ?? longest, .seconds(1)), longest)
    // As long as ArcGIS Server's: some hundred characters.
    let end = String(UInt64(bitPattern: (moment(time) + life).count), radix: 16)
    let head = String(repeating: "0", count: 16 - end.count) + end + random.digits(1)
    return (head + hmacSHA256(head, key: found.key), life)
  }

  /// What the bearer of a token may do; `nil` if it is not valid.
  func access(_ token: String, at time: HostTime) -> Access? {
    guard let end = UInt64(token.prefix(16), radix: 16),
      moment(time).count < Int64(bitPattern: end)
    else { return nil }
    let (head, signature) = (String(token.prefix(32)), String(token.dropFirst(32)))
    return accounts.first { isEqualInConstantTime(hmacSHA256(head, key: $0.key), signature) }?
      .access
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
      at: time)
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
  /// What its words begin with.
  private let door: String
  /// Tells the other servers of the same data, which count what they `hear`.
  private let tell: (@Sendable (String) -> Void)?
  /// Differs from those of the others.
  private let own = newSecret()
  private let told = Atomic(0)

  /// - Parameters:
  ///   - door: where passwords are given, in one word; each has counts of its own.
  ///   - tell: `nil`: there is no other server.
  public init(of door: String = "", tell: (@Sendable (String) -> Void)? = nil) {
    (self.door, self.tell) = (door, tell)
  }

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
    let person = Person(client: client, user: user)
    let wait = state.withLock { state -> Milliseconds? in
      let isKnown = state.known[person] != nil
      state.strangers.renew(uptime)
      if !isKnown, state.strangers.wrong >= Bounds.triesOfStrangers {
        return state.strangers.since + Bounds.triesWindow - uptime
      }
      var count = state.clients[client] ?? Count(since: uptime)
      count.renew(uptime)
      if count.wrongOf[user] ?? 0 >= Bounds.triesOfUser
        || !isKnown && count.wrong >= Bounds.triesOfClient
      {
        return count.since + Bounds.triesWindow - uptime
      }
      Self.count(person, &state, uptime)
      return nil
    }
    if wait == nil { tell(Self.try, person) }
    return wait
  }

  /// The try that has begun was right. Wrong ones of other users stay: one known password must not
  /// give more tries at another.
  public func succeed(_ client: String, as user: String, at uptime: Milliseconds) {
    let person = Person(client: client, user: user)
    state.withLock { Self.forgive(person, &$0, uptime) }
    tell(Self.success, person)
  }

  private static func count(_ person: Person, _ state: inout State, _ uptime: Milliseconds) {
    state.strangers.renew(uptime)
    makeRoom(in: &state.clients) { $0.since }
    state.clients[person.client, default: Count(since: uptime)].renew(uptime)
    state.clients[person.client]?.wrongOf[person.user, default: 0] += 1
    if state.known[person] == nil { state.strangers.wrongOf["", default: 0] += 1 }
  }

  private static func forgive(_ person: Person, _ state: inout State, _ uptime: Milliseconds) {
    state.clients[person.client]?.wrongOf[person.user] = nil
    if state.known[person] == nil {
      state.strangers.wrongOf[""] = max(0, state.strangers.wrong - 1)
      makeRoom(in: &state.known) { $0 }
    }
    state.known[person] = uptime
  }

  // MARK: Other servers

  private static let `try` = "try"
  private static let success = "success"

  private func tell(_ what: String, _ person: Person) {
    guard let tell else { return }
    // No two words are the same: of these only one would be told.
    let number = told.add(1, ordering: .relaxed).newValue
    tell("\(what) \(door) \(own) \(number) \(person.client) \(person.user)")
  }

  /// Counts what another server has told.
  public func hear(_ word: String, at uptime: Milliseconds) {
    let parts = word.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, parts[1] == door, parts[2] != own else { return }
    let person = Person(client: String(parts[4]), user: String(parts[5]))
    state.withLock { state in
      switch parts[0] {
      case Self.try: Self.count(person, &state, uptime)
      case Self.success: Self.forgive(person, &state, uptime)
      default: break
      }
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
