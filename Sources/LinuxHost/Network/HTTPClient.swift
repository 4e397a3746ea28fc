import Glibc
import SystemCalls
public import Uplink

/// Sends requests over HTTP and HTTPS without ever waiting, except where it says so.
///
/// It is driven by somebody's poll loop: wait for `interests` for at most `timeoutMilliseconds`,
/// then call `step` with what was found. Everything that happens to a request comes out of `step`
/// as one completion. Certificates are always checked; redirects are answers like others.
///
///     let id = client.start(request)
///     …  poll(…)  …
///     for completion in client.step(found) { … }
public struct HTTPClient: ~Copyable {
  public let configuration: HTTPClientConfiguration
  private var multi: CurlMulti
  private var lastNumber: UInt64 = 0
  /// Ended before libcurl saw them, for the next `step`.
  private var waiting: [HTTPCompletion] = []

  /// - Throws: that the configuration cannot be used, or that libcurl cannot be set up.
  public init(_ configuration: HTTPClientConfiguration = .init()) throws(HTTPFailure) {
    try configuration.check()
    multi = try Self.makeMulti()
    self.configuration = configuration
  }

  // MARK: Requests

  /// Begins a request. The body of a `get` is not sent.
  ///
  /// It does not fail: what cannot be sent completes as `unreachable` in the next `step`.
  public mutating func start(_ request: HTTPRequest) -> TransferID {
    lastNumber += 1
    let id = TransferID(number: lastNumber)
    do throws(HTTPFailure) {
      guard multi.count < NetworkBounds.transfers else {
        throw Self.failure(.broken, "\(multi.count) requests are under way; wait for some")
      }
      let transfer = try CurlTransfer.prepare(request, id: id, configuration)
      guard multi.add(transfer) else {
        throw Self.failure(.broken, "libcurl does not take the request; try again")
      }
    } catch {
      waiting.append(
        HTTPCompletion(id: id, reply: .unreachable, failure: error, traffic: HTTPTraffic()))
    }
    return id
  }

  /// Ends a request; its completion comes out of the next `step`. One that has ended stays so.
  public mutating func cancel(_ id: TransferID) {
    if let transfer = multi.remove(id) { waiting.append(transfer.cancelled()) }
  }

  /// Ends all requests and closes all connections, those kept for later as well: for when the link
  /// has gone. A kept connection of a link that is no more would swallow the next request.
  ///
  /// - Throws: that libcurl cannot be set up again; then the requests are ended all the same.
  public mutating func disconnect() throws(HTTPFailure) {
    for id in multi.ids { cancel(id) }
    multi = try Self.makeMulti()
  }

  // MARK: The poll loop

  /// What to wait for, by descriptor in rising order. Another after each `step` and `start`.
  public var interests: [PollInterest] {
    multi.sockets.map { PollInterest($0.key, $0.value) }.sorted { $0.descriptor < $1.descriptor }
  }

  /// The longest wait before the next `step`; `nil` while there are only `interests` to wait for.
  public var timeoutMilliseconds: Int32? {
    if !waiting.isEmpty { return 0 }
    return multi.dueAt.map { Int32(clamping: max(0, $0 - milliseconds(of: CLOCK_MONOTONIC))) }
  }

  /// Goes on with what was found at descriptors, and with the time. Returns what has ended.
  ///
  /// Descriptors that are not the client's are ignored, so a loop may hand over all it found.
  public mutating func step(_ found: [PollInterest] = []) -> [HTTPCompletion] {
    for interest in found where multi.sockets[interest.descriptor] != nil {
      multi.act(on: interest)
    }
    multi.actOnTime(now: milliseconds(of: CLOCK_MONOTONIC))
    defer { waiting.removeAll() }
    return waiting + multi.ended()
  }

  /// Sends a request and waits for its end: for tools that do nothing else meanwhile.
  ///
  /// Requests that were under way go on; those that end during the wait come out of the next
  /// `step`.
  public mutating func perform(_ request: HTTPRequest) -> HTTPCompletion {
    let id = start(request)
    var others: [HTTPCompletion] = []
    while true {
      let ended = step(waitFor(interests, milliseconds: timeoutMilliseconds))
      others += ended.filter { $0.id != id }
      if let own = ended.first(where: { $0.id == id }) {
        waiting = others
        return own
      }
    }
  }

  // MARK: Set-up

  private static func makeMulti() throws(HTTPFailure) -> CurlMulti {
    guard let multi = CurlMulti() else {
      throw failure(.broken, "libcurl cannot be set up; check the memory")
    }
    return multi
  }

  private static func failure(_ kind: HTTPFailure.Kind, _ message: String) -> HTTPFailure {
    HTTPFailure(kind, server: "", message: message, mayHaveArrived: false)
  }
}

extension HTTPClientConfiguration {
  /// - Throws: what would make every request fail.
  fileprivate func check() throws(HTTPFailure) {
    if let file = authoritiesFile, access(file, R_OK) != 0 {
      throw unusable("\(file): the authorities' certificates cannot be read; check path and rights")
    }
    if let proxy, !ServerName.isWeb(proxy) || proxy.contains("@") {
      throw unusable("the proxy is no address without a password; write http://host:port")
    }
    if let interface, interface.isEmpty || interface.utf8.count >= Int(IFNAMSIZ) {
      throw unusable("the interface has no name that Linux allows; write for example wwan0")
    }
    let texts = [authoritiesFile, proxy, interface, userAgent].compactMap { $0 }
    if texts.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw unusable("a text of the network settings has a control character; remove it")
    }
  }

  private func unusable(_ message: String) -> HTTPFailure {
    HTTPFailure(.unusable, server: "", message: message, mayHaveArrived: false)
  }
}
