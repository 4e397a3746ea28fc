import Glibc
import SystemCalls
public import Uplink
import Wording

/// Sends requests over HTTP and HTTPS. No call blocks unless documented.
///
/// It is driven by the caller's poll loop: wait for `interests` for at most `timeoutMilliseconds`,
/// then call `step` with what was found. `step` returns one completion for each request.
/// Certificates are always verified; redirects are returned, not followed.
///
///     let id = client.start(request)
///     …  poll(…)  …
///     for completion in client.step(found) { … }
public struct HTTPClient: ~Copyable {
  public let configuration: HTTPClientConfiguration
  private var multi: CurlMulti
  private var lastNumber: UInt64 = 0
  /// Completions without libcurl, for the next `step`.
  private var waiting: [HTTPCompletion] = []

  /// - Throws: if the configuration cannot be used, or libcurl cannot be set up.
  public init(_ configuration: HTTPClientConfiguration = .init()) throws(HTTPFailure) {
    try configuration.check()
    self.init(configuration, try Self.makeMulti())
  }

  // Apart, because Swift 6.2 destroys twice what has a value before an error is thrown.
  private init(_ configuration: HTTPClientConfiguration, _ multi: consuming CurlMulti) {
    self.multi = multi
    self.configuration = configuration
  }

  // MARK: Requests

  /// Begins a request. The body of a `get` is not sent.
  ///
  /// It does not fail: a request that cannot be sent completes as `unreachable` in the next `step`.
  public mutating func start(_ request: HTTPRequest) -> TransferID {
    lastNumber += 1
    let id = TransferID(number: lastNumber)
    do throws(HTTPFailure) {
      guard multi.count < NetworkBounds.transfers else {
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
    guard let transfer = multi.remove(id) else { return nil }
    let completion = transfer.cancelled()
    waiting.append(completion)
    return completion.reply
  }

  /// Cancels all requests and closes all connections, including idle ones, after the link has gone
  /// down: the next request would be lost on a kept connection.
  ///
  /// - Throws: if libcurl cannot be set up again; the requests are cancelled nevertheless.
  public mutating func disconnect() throws(HTTPFailure) {
    for id in multi.ids { cancel(id) }
    multi = try Self.makeMulti()
  }

  // MARK: The poll loop

  /// What to wait for, in ascending order of descriptors. Changes with each `step` and `start`.
  public var interests: [PollInterest] {
    multi.sockets.map { PollInterest($0.key, $0.value) }.sorted { $0.descriptor < $1.descriptor }
  }

  /// The longest wait before the next `step`; `nil` while there are only `interests` to wait for.
  public var timeoutMilliseconds: Int32? {
    if !waiting.isEmpty || multi.hasFailed { return 0 }
    return multi.dueAt.map { Int32(clamping: max(0, $0 - milliseconds(of: CLOCK_MONOTONIC))) }
  }

  /// Handles what was found at descriptors, and timeouts. Returns the requests that have ended.
  ///
  /// Descriptors that are not the client's are ignored, so a loop may pass everything it found.
  public mutating func step(_ found: [PollInterest] = []) -> [HTTPCompletion] {
    for interest in found where multi.sockets[interest.descriptor] != nil {
      multi.act(on: interest)
    }
    multi.actOnTime(now: milliseconds(of: CLOCK_MONOTONIC))
    defer { waiting.removeAll() }
    return waiting + multi.ended()
  }

  /// Sends a request and blocks until it ends: for tools that do nothing else meanwhile.
  ///
  /// Other requests continue; the next `step` returns those that end during the wait.
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
      throw failure(.broken, HTTPPhrase.curlSetUp.texts)
    }
    return multi
  }

  private static func failure(_ kind: HTTPFailure.Kind, _ message: Texts) -> HTTPFailure {
    HTTPFailure(kind, server: "", message: message, mayHaveArrived: false)
  }
}

extension HTTPClientConfiguration {
  /// - Throws: if every request would fail.
  fileprivate func check() throws(HTTPFailure) {
    if let file = authoritiesFile, access(file, R_OK) != 0 {
      throw unusable(HTTPPhrase.authorities.texts(file))
    }
    if let proxy, !ServerName.isWeb(proxy) || proxy.contains("@") {
      throw unusable(HTTPPhrase.badProxy.texts)
    }
    if let interface, interface.isEmpty || interface.utf8.count >= Int(IFNAMSIZ) {
      throw unusable(HTTPPhrase.badInterface.texts)
    }
    let texts = [authoritiesFile, proxy, interface, userAgent].compactMap { $0 }
    if texts.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
      throw unusable(HTTPPhrase.controlCharacter.texts)
    }
  }

  private func unusable(_ message: Texts) -> HTTPFailure {
    HTTPFailure(.unusable, server: "", message: message, mayHaveArrived: false)
  }
}
