import CCurl
import Uplink
import Wording

/// One request in progress, and what has been received of its answer.
///
/// A class, not a `~Copyable` struct, because libcurl's callbacks get its address.
final class CurlTransfer {
  let id: TransferID
  let server: String
  /// libcurl resends a request by itself when a kept connection turns out to be closed. The server
  /// may have applied the first one before, so this is only allowed for requests without effects.
  private let mayRepeat: Bool
  private let largestAnswerBytes: Int
  let easy: UnsafeMutableRawPointer
  private let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var headerList: UnsafeMutablePointer<curl_slist>?

  private var headers: [HTTPHeader] = []
  private var headerBytes = 0
  /// Whether the blank line after the headers came; without it they may be incomplete.
  private var headersAreWhole = false
  private var body: [UInt8] = []
  /// How often libcurl was about to send the request. While 0, nothing has been sent to the server.
  private(set) var attempts = 0
  private(set) var isTooLarge = false
  private var sentBytes: Int64 = 0

  init(
    _ id: TransferID, server: String, mayRepeat: Bool, largestAnswerBytes: Int,
    easy: UnsafeMutableRawPointer
  ) {
    self.id = id
    self.server = server
    self.mayRepeat = mayRepeat
    self.largestAnswerBytes = largestAnswerBytes
    self.easy = easy
    problem.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    problem.deallocate()
  }

  /// Sets libcurl's callbacks. Call it once, before the transfer begins.
  func connectCallbacks() -> CURLcode {
    let user = Unmanaged.passUnretained(self).toOpaque()
    let codes = [
      ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, problem),
      ccurl_set_pointer(easy, CURLOPT_WRITEDATA, user),
      ccurl_set_receive(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
        CurlTransfer.at(user)?.takeBody(bytes, size &* count) ?? 0
      },
      ccurl_set_pointer(easy, CURLOPT_HEADERDATA, user),
      ccurl_set_receive(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
        CurlTransfer.at(user)?.takeHeader(bytes, size &* count) ?? 0
      },
      // The only exact count of bytes sent: CURLINFO_REQUEST_SIZE includes small bodies but not
      // large ones. The traced texts are dropped, because they contain secrets.
      ccurl_set_pointer(easy, CURLOPT_DEBUGDATA, user),
      ccurl_set_trace(easy) { _, kind, _, count, user in
        if kind == CURLINFO_HEADER_OUT || kind == CURLINFO_DATA_OUT {
          CurlTransfer.at(user)?.sentBytes += Int64(count)
        }
        return 0
      },
      ccurl_set_long(easy, CURLOPT_VERBOSE, 1),
      ccurl_set_pointer(easy, CURLOPT_PREREQDATA, user),
      ccurl_set_before_request(easy) { user, _, _, _, _ in
        CurlTransfer.at(user)?.mayBeginRequest() == true
          ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
    ]
    return codes.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  /// Adds a header line, which libcurl does not validate. Returns whether there was memory.
  func appendHeaderLine(_ line: String) -> Bool {
    guard let longer = curl_slist_append(headerList, line) else { return false }
    headerList = longer
    return true
  }

  func applyHeaders() -> CURLcode { ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList) }

  // MARK: Callbacks

  private static func at(_ user: UnsafeMutableRawPointer?) -> CurlTransfer? {
    user.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func mayBeginRequest() -> Bool {
    guard attempts == 0 || mayRepeat else { return false }
    attempts += 1
    return true
  }

  /// Counted after decompression: a small answer may decompress to gigabytes. If the returned
  /// number is not `count`, libcurl ends the transfer.
  private func takeBody(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= largestAnswerBytes else {
      isTooLarge = true
      return 0
    }
    append(bytes, count)
    return count
  }

  private func append(_ bytes: UnsafePointer<CChar>?, _ count: Int) {
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func takeHeader(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
    headerBytes += count
    guard headerBytes <= TransferBounds.headerBytes else {
      isTooLarge = true
      return 0
    }
    let line = UnsafeRawBufferPointer(start: bytes, count: count)
    if line.starts(with: "HTTP/".utf8) {
      // Another status line: the headers before were those of an interim response (100 Continue).
      headers.removeAll()
      headersAreWhole = false
      return count
    }
    if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { headersAreWhole = true }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return count }
    headers.append(HTTPHeader(Self.trimmed(line[..<colon]), Self.trimmed(line[(colon + 1)...])))
    return count
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[..<end].drop(while: isBlank), as: UTF8.self)
  }

  // MARK: The end

  /// The completion for libcurl's result code.
  func completion(_ code: CURLcode) -> HTTPCompletion {
    var traffic = HTTPTraffic()
    traffic.sentBytes = sentBytes
    traffic.receivedBytes =
      Int64(ccurl_get_long(easy, CURLINFO_HEADER_SIZE))
      + Int64(ccurl_get_size(easy, CURLINFO_SIZE_DOWNLOAD_T))
    traffic.newConnections = ccurl_get_long(easy, CURLINFO_NUM_CONNECTS)
    let status = ccurl_get_long(easy, CURLINFO_RESPONSE_CODE)
    // libcurl takes a connection that closes within the headers for an answer without a body.
    if code == CURLE_OK, status > 0, headersAreWhole {
      let reply = HTTPReply.response(
        status: Int32(truncatingIfNeeded: status), headers: headers, body: body)
      return HTTPCompletion(id: id, reply: reply, failure: nil, traffic: traffic)
    }
    let failure = failure(code == CURLE_OK ? CURLE_PARTIAL_FILE : code)
    return HTTPCompletion(
      id: id, reply: failure.mayHaveArrived ? .lost : .unreachable, failure: failure,
      traffic: traffic)
  }

  /// The completion of a cancelled transfer.
  func cancelled() -> HTTPCompletion {
    ended(.cancelled, HTTPPhrase.cancelled.texts)
  }

  /// The completion of a transfer after libcurl has failed.
  func broken(_ why: String) -> HTTPCompletion {
    ended(.broken, HTTPError.quoting(why, .broken).semicolon(HTTPError.cure(.broken)))
  }

  private func ended(_ kind: HTTPError.Kind, _ message: Texts) -> HTTPCompletion {
    let failure = HTTPError(
      kind, server: server, message: message, mayHaveArrived: attempts > 0)
    return HTTPCompletion(
      id: id, reply: attempts > 0 ? .lost : .unreachable, failure: failure,
      traffic: HTTPTraffic(sentBytes: sentBytes))
  }

  private func failure(_ code: CURLcode) -> HTTPError {
    var kind = isTooLarge ? .answerTooLarge : CurlErrorText.kind(code, wasSent: attempts > 0)
    var text = CurlErrorText.text(code, kind)
    let proxyStatus = ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
    if attempts == 0, proxyStatus != 0, proxyStatus / 100 != 2 {
      kind = .proxyRefused
      text = HTTPPhrase.proxyAnswered.texts("\(proxyStatus)")
    } else if attempts == 0, CurlErrorText.textIsHarmless(code), problem.pointee != 0 {
      // Only before sending: later libcurl's text may quote the address or a header.
      text = HTTPError.quoting(String(cString: problem), kind)
    }
    return HTTPError(
      kind, server: server, message: text.semicolon(HTTPError.cure(kind)),
      mayHaveArrived: attempts > 0)
  }
}
