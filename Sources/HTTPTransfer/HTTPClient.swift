public import SystemCalls
public import TrackerCore
public import Uplink
import Wording

/// Sends requests over HTTP and HTTPS, and publications over MQTT. No call blocks unless
/// documented.
///
/// It is driven by the caller's poll loop: wait for `interests` for at most `timeoutMilliseconds`,
/// then call `step` with what was found. `step` returns one completion for each request.
/// Certificates are always verified; redirects are returned, not followed.
///
///     let id = client.start(request)
///     …  poll(…)  …
///     for completion in client.step(found) { … }
public struct HTTPClient: ~Copyable {
  let configuration: HTTPClientConfiguration
  private var multi: CurlMulti
  private var publishing: PublishingClient
  private var lastNumber: UInt64 = 0
  /// Completions without libcurl, for the next `step`.
  private var waiting: [HTTPCompletion] = []

  /// - Throws: if the configuration cannot be used, or libcurl cannot be set up.
  public init(_ configuration: HTTPClientConfiguration = .init()) throws(HTTPError) {
    try configuration.check()
    self.init(configuration, try Self.makeMulti())
  }

  // Apart as long as Swift 6.2 has to compile this: it destroys twice what has a value before an
  // error is thrown.
  private init(_ configuration: HTTPClientConfiguration, _ multi: consuming CurlMulti) {
    self.multi = multi
    self.configuration = configuration
    publishing = PublishingClient(configuration)
  }

  // MARK: Requests

  /// Begins a request. The body of a `get` is not sent.
  ///
  /// It does not fail: a request that cannot be sent completes as `unreachable` in the next `step`.
  public mutating func start(_ request: HTTPRequest) -> TransferID {
    lastNumber += 1
    let id = TransferID(number: lastNumber)
    if let publication = request.publication {
      publishing.start(publication, request, id)
      return id
    }
    do throws(HTTPError) {
      guard multi.count < TransferBounds.transfers else {
        throw Self.failure(.broken, HTTPPhrase.tooMany.texts("\(multi.count)"))
      }
      let transfer = try CurlTransfer.prepare(request, id: id, configuration)
      guard multi.add(transfer) else {
        throw Self.failure(.broken, HTTPPhrase.curlRefuses.texts)
      }
    } catch {
      waiting.append(
        HTTPCompletion(id: id, reply: .unreachable, failure: error, traffic: HTTPTraffic()))
    }
    return id
  }

  /// Cancels a request; the next `step` returns its completion. Does nothing if it has already
  /// ended.
  ///
  /// - Returns: how it has ended: `unreachable` if nothing was sent.
  @discardableResult public mutating func cancel(_ id: TransferID) -> HTTPReply? {
    guard let transfer = multi.remove(id) else { return publishing.cancel(id) }
    let completion = transfer.cancelled()
    waiting.append(completion)
    return completion.reply
  }

  /// Cancels all requests and closes all connections, including idle ones, after the link has gone
  /// down: the next request would be lost on a kept connection.
  ///
  /// - Throws: if libcurl cannot be set up again; the requests are cancelled nevertheless.
  public mutating func disconnect() throws(HTTPError) {
    for id in multi.ids { cancel(id) }
    publishing.disconnect()
    multi = try Self.makeMulti()
  }

  // MARK: The poll loop

  /// What to wait for, in ascending order of descriptors. Changes with each `step` and `start`.
  public var interests: [PollInterest] {
    if multi.sockets.isEmpty && publishing.interest == nil { return [] }
    let own = multi.sockets.map { PollInterest($0.key, $0.value) }
    return (own + (publishing.interest.map { [$0] } ?? []))
      .sorted { $0.descriptor < $1.descriptor }
  }

  /// The longest wait before the next `step`; `nil` while there are only `interests` to wait for.
  public var timeoutMilliseconds: Int32? {
    if !waiting.isEmpty || multi.hasFailed { return 0 }
    let dueAt = [multi.dueAt, publishing.dueAt].compactMap { $0 }.min()
    return dueAt.map { Int32(clamping: max(0, $0 - KernelTimer.monotonic.milliseconds)) }
  }

  /// Handles what was found at descriptors, and timeouts. Returns the requests that have ended.
  ///
  /// Descriptors that are not the client's are ignored, so a loop may pass everything it found.
  public mutating func step(_ found: [PollInterest] = []) -> [HTTPCompletion] {
    for interest in found where multi.sockets[interest.descriptor] != nil {
      multi.act(on: interest)
    }
    multi.actOnTime(now: KernelTimer.monotonic.milliseconds)
    defer { waiting.removeAll() }
    return waiting + multi.ended() + publishing.step()
  }

  /// Sends a request and blocks until it ends: for tools that do nothing else meanwhile.
  ///
  /// Other requests continue; the next `step` returns those that end during the wait.
  ///
  /// - Parameter goesOn: asked again and again; the request is cancelled when it does not.
  public mutating func perform(
    _ request: HTTPRequest, while goesOn: (() -> Bool)? = nil
  ) -> HTTPCompletion {
    let id = start(request)
    var others: [HTTPCompletion] = []
    while true {
      var set = PollSet()
      let interests = interests
      for interest in interests { set.add(interest) }
      var limit = timeoutMilliseconds.map { Int64($0) }
      if let goesOn {
        let isWanted = goesOn()
        limit = isWanted ? min(limit ?? .max, TransferBounds.lookMilliseconds) : 0
        if !isWanted { cancel(id) }
      }
      set.wait(atMost: limit)
      let ended = step(interests.compactMap { set.found($0) })
      others += ended.filter { $0.id != id }
      if let own = ended.first(where: { $0.id == id }) {
        waiting = others
        return own
      }
    }
  }

  // MARK: Set-up

  private static func makeMulti() throws(HTTPError) -> CurlMulti {
    guard let multi = CurlMulti() else {
      throw failure(.broken, HTTPPhrase.curlSetUp.texts)
    }
    return multi
  }

  private static func failure(_ kind: HTTPError.Kind, _ message: Texts) -> HTTPError {
    HTTPError(kind, server: "", message: message, mayHaveArrived: false)
  }
}

extension HTTPClientConfiguration {
  /// - Throws: if every request would fail.
  fileprivate func check() throws(HTTPError) {
    if let file = authoritiesFile, !may(.read, file) {
      throw unusable(HTTPPhrase.authorities.texts(file))
    }
    if let proxy, !ServerName.isWeb(proxy) || proxy.contains("@") {
      throw unusable(HTTPPhrase.badProxy.texts)
    }
    if let interface, interface.isEmpty || interface.utf8.count >= interfaceNameBytes {
      throw unusable(HTTPPhrase.badInterface.texts)
    }
    let texts = [authoritiesFile, proxy, interface, userAgent].compactMap { $0 }
    if texts.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw unusable(HTTPPhrase.controlCharacter.texts)
    }
  }

  /// With the zero byte at the end (linux/if.h, IFNAMSIZ).
  private var interfaceNameBytes: Int { 16 }

  private func unusable(_ message: Texts) -> HTTPError {
    HTTPError(.unusable, server: "", message: message, mayHaveArrived: false)
  }
}

/// How a client reaches servers. Verifying certificates is not configurable: they always are
/// verified.
public struct HTTPClientConfiguration: Sendable, Equatable {
  /// A file of CA certificates (PEM) to trust instead of the system's.
  public var authoritiesFile: String?
  /// The network interface to use, for example `wwan0`; `nil`: according to the routes. Names are
  /// still resolved by the system's resolver, whatever interface that uses.
  public var interface: String?
  /// A proxy as `http://host:port`, without user name and password. `nil`: none; environment
  /// variables are not read.
  public var proxy: String?
  var userAgent = "trailtracker"
  /// For name lookup, connection and TLS. A 3G link that has just come up takes 2 to 10 s.
  public var connectTimeout: Milliseconds = .seconds(30)
  /// For a whole request with its answer.
  public var totalTimeout: Milliseconds = .minutes(3)
  /// A transfer that is slower than this for `slowPeriod` is given up, bytes per second.
  public var slowestBytesPerSecond: Int32 = 10
  /// In whole seconds. Also limits how long a server may take before it answers.
  public var slowPeriod: Milliseconds = .seconds(60)

  public init() {}
}

/// Identifies one request from its start to its completion; never reused.
public struct TransferID: Sendable, Hashable {
  var number: UInt64
}

/// A request has ended.
public struct HTTPCompletion: Sendable, Equatable {
  public var id: TransferID
  /// `unreachable` only if certainly nothing of the request was sent to the server.
  public var reply: HTTPReply
  /// Why there is no answer; `nil` when there is one.
  public var failure: HTTPError?
  public var traffic: HTTPTraffic
}

/// The traffic of a request, without the overhead of TCP and TLS.
public struct HTTPTraffic: Sendable, Equatable {
  /// Request line, headers and body, bytes.
  public var sentBytes: Int64 = 0
  /// Status line, headers and body before decompression, bytes.
  public var receivedBytes: Int64 = 0
  /// Connections opened for it: 0 when one was reused.
  public var newConnections = 0
}

/// A client that sends one request after the other and waits for each, for a `Delivery` in a tool
/// that does nothing else.
public final class RequestSender {
  private var client: HTTPClient
  /// The traffic of all requests together.
  public private(set) var traffic = HTTPTraffic()

  /// - Throws: if the configuration cannot be used.
  public init(_ configuration: HTTPClientConfiguration) throws(HTTPError) {
    client = try HTTPClient(configuration)
  }

  public func perform(_ request: HTTPRequest) -> (reply: HTTPReply, failure: HTTPError?) {
    let completion = client.perform(request)
    traffic.sentBytes += completion.traffic.sentBytes
    traffic.receivedBytes += completion.traffic.receivedBytes
    traffic.newConnections += completion.traffic.newConnections
    return (completion.reply, completion.failure)
  }
}

/// The part of an address that may be shown.
public enum ServerName {
  public static func isWeb(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }

  /// A web server's address, or a broker's.
  private static func hasAuthority(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return isWeb(url) || start.hasPrefix("mqtts://") || start.hasPrefix("mqtt://")
  }

  /// Scheme, host and port: `https://example.org:8443`. User name, password, path and query may be
  /// secrets. An address in any other form is not shown at all.
  public static func shown(_ url: String) -> String {
    guard hasAuthority(url), let colon = url.firstIndex(of: ":") else {
      return "the server's address"
    }
    return "\(url[..<colon].lowercased())://\(authority(url).prefix(100))"
  }

  /// Name or number of the host, without the port; an IPv6 address without its brackets.
  public static func host(_ url: String) -> String {
    let authority = authority(url)
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }

  /// Host and port.
  private static func authority(_ url: String) -> Substring {
    guard hasAuthority(url), let colon = url.firstIndex(of: ":") else { return "" }
    let authority = url[colon...].dropFirst(3).prefix { !"/?#\\".contains($0) }
    return authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
  }
}
