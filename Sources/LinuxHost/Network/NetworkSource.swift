import HTTPTransfer
import ModemDialogues
import SystemCalls
import TrackerCore
import Uplink
import Wording

/// The network client in the loop: one request at a time.
final class NetworkSource: PollSource {
  private var client: HTTPClient
  private var transfer: TransferID?
  private var retry = NameRetry()
  /// Of the last request: scheme, host and port.
  private(set) var server = ""
  /// Why the last transfer had no answer.
  private var failure: HTTPError?
  /// The same, when somebody else knows: the modem, or the host itself.
  private var otherProblem: (text: Texts, cause: FailureCause?)?

  init(_ client: consuming HTTPClient) { self.client = client }

  /// Reaches servers otherwise from now on. The request with the old client must have ended.
  func use(_ client: consuming HTTPClient) { self.client = client }

  // MARK: The request

  /// Whether a request is under way, or waits to be sent again.
  var isBusy: Bool { transfer != nil || retry.dueAt != nil }

  func start(_ request: HTTPRequest, at now: Instant) {
    retry.began(request, at: now)
    transfer = client.start(request)
  }

  /// The next request goes to this server.
  func reach(_ url: String) { server = ServerName.shown(url) }

  /// Gives up the current request, which is no longer needed.
  func drop() {
    if let transfer { client.cancel(transfer) }
    transfer = nil
    retry.clear()
  }

  /// Ends the current request without an answer.
  ///
  /// - Parameter why: `nil`: its time was over.
  func breakOff(because why: Texts?) -> HTTPReply {
    let reply = transfer.map { client.cancel($0) ?? .lost } ?? .unreachable
    transfer = nil
    otherProblem = why.map { ($0, nil) }
    guard why == nil else { return reply }
    let isUnsent = reply == .unreachable
    failure = HTTPError(
      isUnsent ? .notConnected : .timedOut, server: server, message: HTTPPhrase.timedOut.texts,
      mayHaveArrived: !isUnsent)
    return reply
  }

  /// The modem has ended a request.
  func ended(_ result: ModemHTTPResult) {
    otherProblem = result.problem.map { ($0, result.cause) }
  }

  /// Why the last request had no answer, told once.
  func takeProblem() -> (text: Texts, cause: FailureCause?)? {
    defer { (failure, otherProblem) = (nil, nil) }
    return failure.map { ($0.texts, $0.cause) } ?? otherProblem
  }

  /// The next request would be lost on a kept connection of a link that is gone.
  func disconnect() throws(HTTPError) { try client.disconnect() }

  func linkIsUp(at now: Instant) { retry.linkIsUp(at: now) }

  // MARK: The loop

  func tend(_ pass: inout Pass) {
    if let request = retry.takeDue(at: pass.now) { transfer = client.start(request) }
  }

  func register(in wait: inout LoopWait, at now: Instant) {
    wait.wake(at: retry.dueAt)
    for interest in client.interests { wait.add(interest.descriptor, interest.events) }
    wait.wake(within: client.timeoutMilliseconds.map { Int64($0) })
  }

  func handle(_ wait: LoopWait, _ pass: inout Pass) {
    let answered = client.interests.compactMap { wait.found($0) }
    guard !answered.isEmpty || client.timeoutMilliseconds == 0 else { return }
    for completion in client.step(answered) where completion.id == transfer {
      transfer = nil
      if retry.ended(completion.failure, at: pass.now) { continue }
      failure = completion.failure
      pass.news.append(.reply(completion.reply))
    }
  }
}

/// Repeats a request for which the server's name was not found because the link has just come up:
/// the address is there before pppd's ip-up or a DHCP client has written the DNS servers to
/// /etc/resolv.conf.
///
/// Without it the tracker would back off, with the modem on.
struct NameRetry {
  /// When the link came up.
  private var upAt: Instant?
  /// The request in progress.
  private var request: HTTPRequest?
  /// When it was last sent: a look-up that fails may take longer than the link is fresh.
  private var sentAt: Instant?
  /// When it is sent again.
  private(set) var dueAt: Instant?

  mutating func linkIsUp(at now: Instant) { upAt = now }

  mutating func began(_ request: HTTPRequest, at now: Instant) {
    self.request = request
    sentAt = now
    dueAt = nil
  }

  mutating func clear() {
    request = nil
    dueAt = nil
  }

  /// The request has ended.
  ///
  /// - Returns: whether it is sent again.
  mutating func ended(_ failure: HTTPError?, at now: Instant) -> Bool {
    guard failure?.kind == .nameNotFound, request != nil, let upAt, let sentAt,
      sentAt - upAt < HostBounds.freshLink
    else {
      clear()
      return false
    }
    dueAt = now + HostBounds.nameRetry
    return true
  }

  /// The request to send again now, if any.
  mutating func takeDue(at now: Instant) -> HTTPRequest? {
    guard let dueAt, now >= dueAt else { return nil }
    self.dueAt = nil
    sentAt = now
    return request
  }
}
