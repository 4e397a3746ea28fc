internal import CMicroHTTP
import FeatureService
import SystemCalls
public import Wording

/// A request's method, and those of its headers that the server uses.
struct RequestHead {
  var method: String
  /// Of the body.
  var type: String?
  /// The Content-Encoding of the body, in lower case.
  var coding: String?
  /// Whether the client takes an answer in gzip.
  var takesGzip: Bool
  /// The Content-Length, if any.
  var announcedBytes: Int?
  /// The value of `X-Esri-Authorization` or `Authorization`, without `Bearer`.
  var bearer: String?
  /// The name and port by which the client knows this server.
  var host: String?
  /// Of the web page that a browser sends it for.
  var origin: String?
  /// The value of the cookie `room`.
  var session: String?
  /// The value of `X-CSRF-Token`.
  var csrf: String?
  /// The languages that a browser asks for.
  var languages: String?
  /// Of a stream that was lost: its last event's identifier.
  var lastEvent: String?
  /// Whom a proxy has it from: addresses, the last one added by the last proxy.
  var forwardedFor: String?

  init(method: String, of connection: OpaquePointer) {
    func header(_ name: String) -> String? {
      cmicrohttp_header(connection, name).map { String(cString: $0) }
    }
    self.method = method
    type = header("Content-Type")
    coding = header("Content-Encoding")?.lowercased()
    takesGzip = Gzip.isWelcome(header("Accept-Encoding"))
    announcedBytes = header("Content-Length").flatMap { Int($0) }
    host = header("Host")
    origin = header("Origin")
    session = header("Cookie").flatMap { Self.cookie("room", in: $0) }
    csrf = header("X-CSRF-Token")
    languages = header("Accept-Language")
    lastEvent = header("Last-Event-ID")
    // The last one: a proxy may leave a client's own where it is.
    forwardedFor = cmicrohttp_last_header(connection, "X-Forwarded-For").map { String(cString: $0) }
    if let text = header("X-Esri-Authorization") ?? header("Authorization"),
      text.lowercased().hasPrefix("bearer ")
    {
      bearer = String(text.dropFirst("bearer ".count))
    }
  }

  /// A cookie's value in a header (RFC 6265, 4.2).
  static func cookie(_ name: String, in header: String) -> String? {
    for part in header.split(separator: ";") {
      let pair = part.drop { $0 == " " }
      if pair.hasPrefix("\(name)=") { return String(pair.dropFirst(name.count + 1)) }
    }
    return nil
  }
}

/// Which web pages of other origins may use the server (WHATWG Fetch, "CORS protocol").
///
/// Only the control room has cookies, which a browser adds to nothing that another site's page
/// requests (SameSite), so that a page never gets a person's rights. But a server without a
/// password trusts whoever reaches it, as does every browser in its network: there any page may
/// read, and only pages of the listed origins may edit.
public struct CrossOrigin: Sendable {
  /// `https://map.example.org`, as browsers write them; `nil`: any page.
  public var origins: [String]?
  /// Whether a token is required, which no foreign page has.
  var needsToken = false

  init() {}

  /// - Returns: an origin as browsers send it, without path and standard port; `nil` if the text is
  ///   not one.
  public static func origin(_ text: String) -> String? {
    var text = text.lowercased()
    if text.hasSuffix("/") { text.removeLast() }
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where text.hasPrefix(scheme) {
      let host = text.dropFirst(scheme.count)
      let isHost = host.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (48...57).contains(byte) || "-.:[]".utf8.contains(byte)
      }
      guard !host.isEmpty, isHost else { return nil }
      return host.hasSuffix(port) ? String(text.dropLast(port.count)) : text
    }
    return nil
  }

  /// The headers that every answer to a page has.
  ///
  /// - Parameter origin: of the page, as the browser sends it; `nil`: no browser, or none of a page
  ///   of another origin.
  func headers(for origin: String?) -> [(String, String)] {
    let exposed = ("Access-Control-Expose-Headers", "Retry-After")
    guard let origins else { return [("Access-Control-Allow-Origin", "*"), exposed] }
    guard let origin, origins.contains(origin) else { return [] }
    return [("Access-Control-Allow-Origin", origin), exposed]
  }

  /// What an answer depends on besides its address.
  var varies: [String] { origins == nil ? [] : ["Origin"] }

  /// What a browser asks before a request that no form could make.
  static let preflight: [(String, String)] = [
    ("Allow", methods), ("Access-Control-Allow-Methods", methods),
    (
      "Access-Control-Allow-Headers",
      "Accept-Language, Authorization, Content-Encoding, Content-Type, X-Esri-Authorization, "
        + "X-Requested-With"
    ),
    ("Access-Control-Max-Age", String(Bounds.preflightSeconds)),
  ]

  static let methods = "GET, HEAD, POST, OPTIONS"

  /// Whether a name in the header Host is one that only this machine can have: an address,
  /// `localhost`, or its own name. Any other may be of somebody who points it here for a while (DNS
  /// rebinding), and whose page then looks like one of this server.
  static func isThisMachine(_ host: String) -> Bool {
    let host = host.lowercased()
    if host.hasPrefix("[") { return true }
    let name = host.prefix { $0 != ":" }
    if name == "localhost" || name.allSatisfy({ $0.isNumber || $0 == "." }) { return true }
    guard let own = hostName?.lowercased() else { return false }
    return name == own || name == own.prefix { $0 != "." } || name == own + ".local"
  }

  /// Whether a page of an origin is one of another server that is not listed. A browser sends a
  /// form of any page without asking first.
  ///
  /// - Parameter isOwn: whether the page is of this server.
  func isForeign(_ origin: String?, isOwn: Bool) -> Bool {
    guard let origin, !isOwn else { return false }
    return !(origins?.contains(origin) ?? false)
  }
}

/// How the language of a page is chosen.
public struct PageLanguage: Sendable, Equatable {
  /// For everybody, whatever a browser asks for.
  public var always: Language?
  /// Where a browser asks for none of ours; `nil`: English.
  public var otherwise: Language?

  init() {}

  /// - Parameter header: of the request, Accept-Language.
  func choice(_ header: String?) -> Language? {
    always ?? header.flatMap { Language(acceptLanguage: $0) } ?? otherwise
  }
}
