import ControlRoom
import Digests
import FeatureService
import Reports
import Synchronization
import TrackerCore
import Wording

/// The door of the control room: who logs in, what a request may do, and the links of followers.
struct RoomAccess: Sendable {
  let store: AccessStore
  /// Who has them is let in as `control` as long as there are no accounts; `nil`: everybody is.
  let ownCredentials: Credentials?
  /// How much later followers see things.
  let followersDelay: Milliseconds
  /// Whether browsers may send the session over TLS only.
  let isSecure: Bool
  let tries: PasswordTries

  init(
    _ store: AccessStore, ownCredentials: Credentials?, followersDelay: Milliseconds, isSecure: Bool
  ) {
    self.store = store
    self.ownCredentials = ownCredentials
    self.followersDelay = followersDelay
    self.isSecure = isSecure
    let tell: @Sendable (String) -> Void = { store.tell($0) }
    tries = PasswordTries(of: "room", tell: store.isOnServer ? tell : nil)
  }

  // MARK: Checks

  /// Without a password whoever reaches the server is trusted, as is every browser there. So it
  /// then answers only to its own page, under a name that only this machine can have.
  func checkSource(of request: ServiceRequest) throws(RoomRefusal) {
    if try needsLogin() { return }
    if request.source.isForeign {
      throw RoomRefusal(403, .foreignPage, request.source.origin ?? "")
    }
    if request.source.isNamedElsewhere { throw RoomRefusal(403, .foreignName, request.hostName) }
  }

  /// - Throws: error 401 for whoever has to log in first.
  func viewer(of request: ServiceRequest, at time: HostTime) throws(RoomRefusal) -> Viewer {
    if let key = request.session,
      let viewer = try kept({ try store.viewer(session: key, at: time.utc) })
    {
      return viewer
    }
    if try needsLogin() { throw RoomRefusal(401, .logIn) }
    return Viewer(role: .control)
  }

  /// Whether somebody may do that.
  func check(
    _ request: ServiceRequest, _ page: RoomRights.Page, _ viewer: Viewer
  ) throws(RoomRefusal) {
    guard RoomRights.roles(of: page).contains(viewer.role) else {
      throw RoomRefusal(403, .notYours)
    }
    guard request.method == "POST", let csrf = viewer.csrf else { return }
    guard isEqualInConstantTime(request.csrf ?? "", csrf) else { throw RoomRefusal(403, .noMark) }
  }

  func needsLogin() throws(RoomRefusal) -> Bool {
    if ownCredentials != nil { return true }
    return try kept { try store.hasAccounts }
  }

  /// - Throws: error 500 with the reason of the database's.
  private func kept<Result>(_ body: () throws -> Result) throws(RoomRefusal) -> Result {
    do { return try body() } catch { throw RoomRefusal(of: error) }
  }

  // MARK: In and out

  /// - Returns: the answer to somebody who comes in; `nil` if the request is about something else.
  func enter(
    _ request: ServiceRequest, _ page: String, in language: Language, at time: HostTime
  ) throws(RoomRefusal) -> ServiceReply? {
    guard page == "login" || page == "enter" else { return nil }
    guard request.method == "POST" else { throw RoomRefusal(405, .noPage) }
    // Another site's form could log somebody in as another.
    guard request.isOfSameHost else {
      throw RoomRefusal(403, .foreignPage, request.source.origin ?? "")
    }
    return page == "login" ? try logIn(request, at: time) : try follow(request, at: time)
  }

  private func logIn(_ request: ServiceRequest, at time: HostTime) throws(RoomRefusal)
    -> ServiceReply
  {
    let (user, password) = (request.text("user") ?? "", request.text("password") ?? "")
    let client = request.client ?? ""
    let counted = String(user.prefix(100))
    if let wait = tries.begin(client, as: counted, at: time.uptime) {
      throw RoomRefusal(429, .tooManyTries, "\((wait.count + 999) / 1000)")
    }
    var account: String?
    if try kept({ try store.hasAccounts }) {
      account = try kept { try store.account(named: user, password: password)?.name }
      guard account != nil else { throw RoomRefusal(403, .wrong) }
    } else {
      guard ownCredentials?.isMatched(by: user, password) ?? false else {
        throw RoomRefusal(403, .wrong)
      }
    }
    tries.succeed(client, as: counted, at: time.uptime)
    return try begin(account: account, link: nil, until: time.utc + Bounds.staffSession, at: time)
  }

  private func follow(_ request: ServiceRequest, at time: HostTime) throws(RoomRefusal)
    -> ServiceReply
  {
    let link = try kept { try store.link(request.text("key") ?? "", at: time.utc) }
    guard let link else { throw RoomRefusal(403, .noLink) }
    // Somebody of the staff who tries a link stays logged in, and who loads the page again does not
    // get another session.
    if let key = request.session,
      let known = try kept({ try store.viewer(session: key, at: time.utc) }),
      known.link == nil || known.link == link.number
    {
      return .figure(figure(of: known))
    }
    return try begin(account: nil, link: link.number, until: link.expires, at: time)
  }

  private func begin(
    account: String?, link: Int64?, until expires: UTC, at time: HostTime
  ) throws(RoomRefusal) -> ServiceReply {
    let now = time.utc
    let key = try kept { try store.begin(account: account, link: link, until: expires, at: now) }
    guard let viewer = try kept({ try store.viewer(session: key, at: now) }) else {
      throw RoomRefusal(401, .logIn)
    }
    return .answer(
      type: ServiceReply.jsonType, body: Array(figure(of: viewer).line.utf8),
      cookie: cookie(key, seconds: max(0, (expires - now).count / 1000)))
  }

  func leave(_ request: ServiceRequest) throws(RoomRefusal) -> ServiceReply {
    // The cookie goes even where a full disk keeps the session.
    if let key = request.session { try? store.end(session: key) }
    return .answer(
      type: ServiceReply.jsonType, body: Array("{}".utf8), cookie: cookie("", seconds: 0))
  }

  private func cookie(_ key: String, seconds: Int64) -> String {
    "room=\(key); Path=/room; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  func figure(of viewer: Viewer) -> Figure {
    func text(_ text: String?) -> Figure { text.map { .text($0) } ?? .none }
    return .object([
      .init("role", .text(viewer.role.rawValue)), .init("person", text(viewer.person)),
      .init("place", text(viewer.place)), .init("csrf", text(viewer.csrf)),
    ])
  }

  // MARK: Links of followers

  func links() throws(RoomRefusal) -> Figure {
    let links = try kept { try store.links() }
    return .object([
      .init(
        "links",
        .list(
          links.map {
            .object([
              .init("number", .integer($0.number)), .init("label", .text($0.label)),
              .init("made", PassageTable.date($0.made)),
              .init("expires", PassageTable.date($0.expires)),
              .init("revoked", .boolean($0.isRevoked)),
            ])
          }))
    ])
  }

  /// - Parameter finish: of the race; `nil`: not known.
  /// - Returns: the links, and the `key` of a new one.
  func changeLinks(
    _ request: ServiceRequest, finish: UTC?, at now: UTC
  ) throws(RoomRefusal) -> Figure {
    guard try needsLogin() else { throw RoomRefusal(409, .openRoom) }
    if let text = request.text("revoke") {
      guard let number = Int64(text) else { throw RoomRefusal(400, .noAct) }
      try kept { try store.revoke(number, at: now) }
      return try links()
    }
    // A rehearsal has the hours of a race that is over, or is to come.
    let end =
      finish.flatMap { now < $0 ? $0 + Bounds.linkAfterFinish : nil }
      ?? now + Bounds.linkWithoutFinish
    let key = try kept { try store.makeLink(request.text("label") ?? "", until: end, at: now) }
    return try links().adding("key", .text(key))
  }
}
