import CCurl
import SystemCalls

/// A set of transfers that share connections, driven by the caller's poll loop.
///
/// A class, because libcurl's callbacks get its address; `HTTPClient` is its only owner.
final class CurlMulti {
  /// `curl_global_init` must run once, before anything else of libcurl.
  private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let multi: UnsafeMutableRawPointer
  private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
  /// What libcurl waits for, by descriptor.
  private(set) var sockets: [Int32: PollEvents] = [:]
  /// When libcurl has to be called, milliseconds on the monotonic clock.
  private(set) var dueAt: Int64?
  /// A failure of libcurl, after which its transfers would never end by themselves.
  private var problem: CURLMcode?
  /// Whether `ended` has failed transfers to report.
  var hasFailed: Bool { problem != nil }

  /// `nil` when there is no memory, or libcurl cannot be set up.
  init?() {
    guard Self.libraryIsReady, let multi = curl_multi_init() else { return nil }
    self.multi = multi
    let user = Unmanaged.passUnretained(self).toOpaque()
    let code = ccurl_multi_set_callbacks(
      multi,
      { _, socket, what, user, _ in
        CurlMulti.at(user)?.interest(socket, what)
        return 0
      },
      { _, milliseconds, user in
        CurlMulti.at(user)?.wishCall(in: milliseconds)
        return 0
      }, user)
    let bound = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, TransferBounds.keptConnections)
    guard code == CURLM_OK, bound == CURLM_OK else { return nil }
  }

  deinit {
    // The cleanup calls callbacks, too, which must not use this object any more. Its failures do
    // not matter.
    _ = ccurl_multi_set_callbacks(multi, nil, nil, nil)
    for easy in transfers.keys { _ = curl_multi_remove_handle(multi, easy) }
    transfers.removeAll()
    _ = curl_multi_cleanup(multi)
  }

  var count: Int { transfers.count }

  /// Returns whether libcurl accepted the transfer.
  func add(_ transfer: CurlTransfer) -> Bool {
    guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else { return false }
    transfers[transfer.easy] = transfer
    return true
  }

  func remove(_ id: TransferID) -> CurlTransfer? {
    guard let transfer = transfers.values.first(where: { $0.id == id }) else { return nil }
    check(curl_multi_remove_handle(multi, transfer.easy))
    return transfers.removeValue(forKey: transfer.easy)
  }

  /// All transfers in progress, oldest first.
  var ids: [TransferID] { transfers.values.map(\.id).sorted { $0.number < $1.number } }

  /// Lets libcurl handle what was found at a descriptor.
  func act(on found: PollInterest) {
    var flags: Int32 = 0
    if found.events.contains(.readable) { flags |= CURL_CSELECT_IN }
    if found.events.contains(.writable) { flags |= CURL_CSELECT_OUT }
    if found.events.contains(.failed) { flags |= CURL_CSELECT_ERR }
    var running: Int32 = 0
    check(curl_multi_socket_action(multi, found.descriptor, flags, &running))
  }

  /// Lets libcurl handle timeouts, if it asked for a call.
  func actOnTime(now: Int64) {
    guard let due = dueAt, due <= now else { return }
    // Cleared before the call, because libcurl may set a new time during it.
    dueAt = nil
    var running: Int32 = 0
    check(curl_multi_socket_action(multi, ccurl_no_socket, 0, &running))
  }

  /// Removes and returns the transfers that have ended.
  func ended() -> [HTTPCompletion] {
    var completions: [HTTPCompletion] = []
    var code = CURLE_OK
    while let easy = ccurl_multi_next_ended(multi, &code) {
      // The message becomes invalid with this call; the rest is read from the transfer.
      check(curl_multi_remove_handle(multi, easy))
      if let transfer = transfers.removeValue(forKey: easy) {
        completions.append(transfer.completion(code))
      }
    }
    guard let code = problem else { return completions }
    for id in ids {
      guard let transfer = remove(id) else { continue }
      completions.append(transfer.broken(String(cString: curl_multi_strerror(code))))
    }
    // Removing them may have failed, too.
    problem = nil
    return completions
  }

  /// Notes a failure of libcurl; the next `ended` then ends all transfers.
  func check(_ code: CURLMcode) {
    if code != CURLM_OK { problem = code }
  }

  // MARK: Callbacks

  private static func at(_ user: UnsafeMutableRawPointer?) -> CurlMulti? {
    user.map { Unmanaged<CurlMulti>.fromOpaque($0).takeUnretainedValue() }
  }

  private func interest(_ socket: Int32, _ what: Int32) {
    switch what {
    case CURL_POLL_IN: sockets[socket] = .readable
    case CURL_POLL_OUT: sockets[socket] = .writable
    case CURL_POLL_INOUT: sockets[socket] = [.readable, .writable]
    default: sockets[socket] = nil
    }
  }

  private func wishCall(in delay: Int) {
    dueAt = delay < 0 ? nil : KernelTimer.monotonic.milliseconds + Int64(delay)
  }
}
