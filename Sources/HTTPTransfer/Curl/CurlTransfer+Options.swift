import CCurl
import TrackerCore
import Uplink
import Wording

extension CurlTransfer {
  /// Prepares a transfer of `request`.
  ///
  /// - Throws: if the request is not valid, or libcurl has no memory for it.
  static func prepare(
    _ request: HTTPRequest, id: TransferID, _ configuration: HTTPClientConfiguration
  ) throws(HTTPError) -> CurlTransfer {
    let server = ServerName.shown(request.url)
    func unusable(_ phrase: HTTPPhrase) -> HTTPError {
      HTTPError(.unusable, server: server, message: phrase.texts, mayHaveArrived: false)
    }
    guard ServerName.isWeb(request.url) else {
      throw unusable(.notWeb)
    }
    guard !request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw unusable(.addressCharacter)
    }
    for header in request.headers where !header.isSendable {
      throw unusable(.badHeader)
    }
    guard let easy = curl_easy_init() else { throw noMemory(server) }
    let transfer = CurlTransfer(
      id, server: server, mayRepeat: request.method == .get,
      largestAnswerBytes: request.answerBytes, easy: easy)
    let codes = [
      transfer.connectCallbacks(), transfer.applyManners(), transfer.apply(configuration, request),
      try transfer.apply(request),
    ]
    if let code = codes.first(where: { $0 != CURLE_OK }) {
      throw HTTPError(
        .broken, server: server,
        message: CurlErrorText.text(code, .broken).semicolon(HTTPPhrase.checkConfiguration.texts),
        mayHaveArrived: false)
    }
    return transfer
  }

  private static func noMemory(_ server: String) -> HTTPError {
    HTTPError(
      .broken, server: server, message: HTTPPhrase.noMemory.texts, mayHaveArrived: false)
  }

  /// The fixed options of every request.
  private func applyManners() -> CURLcode {
    first([
      ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
      // Captive portals answer with redirects, which the dialogue has to see.
      ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1),
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2),
      ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      // HTTP/2 is not needed for one request at a time, and libcurl retries refused streams by
      // itself.
      ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip"),
      // libcurl must not install signal handlers; the daemon has its own.
      ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
      // Names are resolved by a separate thread in getaddrinfo, which cannot be interrupted.
      // Otherwise a transfer that ends meanwhile would wait for that thread, and block the loop:
      // for 5.5 s without a DNS server. A detached thread frees its own memory.
      ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1),
      ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1),
      // Otherwise environment variables would exempt hosts from the proxy.
      ccurl_set_text(easy, CURLOPT_NOPROXY, ""),
    ])
  }

  private func apply(
    _ configuration: HTTPClientConfiguration, _ request: HTTPRequest
  ) -> CURLcode {
    let silence = min(configuration.slowPeriod, request.patience ?? configuration.slowPeriod)
    let isSingle = request.needsNewConnection ? 1 : 0
    var codes = [
      ccurl_set_text(easy, CURLOPT_USERAGENT, configuration.userAgent),
      ccurl_set_long(
        easy, CURLOPT_CONNECTTIMEOUT_MS, positive(configuration.connectTimeout)),
      ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, positive(configuration.totalTimeout)),
      ccurl_set_long(
        easy, CURLOPT_LOW_SPEED_LIMIT, Int(max(1, configuration.slowestBytesPerSecond))),
      ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, positive(Milliseconds(silence.count / 1000))),
      ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, isSingle),
      ccurl_set_long(easy, CURLOPT_FORBID_REUSE, isSingle),
      ccurl_set_long(
        easy, CURLOPT_MAXAGE_CONN, Int(TransferBounds.connectionLife.count / 1000)),
      // An empty text means no proxy; without it the environment would decide.
      ccurl_set_text(easy, CURLOPT_PROXY, configuration.proxy ?? ""),
    ]
    if let file = configuration.authoritiesFile {
      codes.append(ccurl_set_text(easy, CURLOPT_CAINFO, file))
      // Otherwise the system's certificates would be trusted too.
      codes.append(ccurl_set_text(easy, CURLOPT_CAPATH, nil))
    }
    if let interface = configuration.interface {
      // Without "if!" a name that is not an interface is looked up as a host.
      codes.append(ccurl_set_text(easy, CURLOPT_INTERFACE, "if!\(interface)"))
    }
    return first(codes)
  }

  private func apply(_ request: HTTPRequest) throws(HTTPError) -> CURLcode {
    var codes = [ccurl_set_text(easy, CURLOPT_URL, request.url)]
    switch request.method {
    case .get: codes.append(ccurl_set_long(easy, CURLOPT_HTTPGET, 1))
    case .post:
      codes.append(ccurl_set_long(easy, CURLOPT_POST, 1))
      codes.append(
        ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
      // Append a byte: an empty body has no address, which libcurl takes for another kind of
      // upload.
      let code = (request.body + [0]).withUnsafeBytes { bytes in
        ccurl_set_text(
          easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
      codes.append(code)
    }
    // Waiting for "100 Continue" costs a second on servers that do not support it. libcurl must not
    // add a Content-Type either.
    var lines = ["Expect:"]
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    // libcurl omits a header without a value unless it ends in a semicolon.
    lines += request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    for line in lines where !appendHeaderLine(line) { throw Self.noMemory(server) }
    codes.append(applyHeaders())
    return first(codes)
  }

  private func first(_ codes: [CURLcode]) -> CURLcode {
    codes.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  /// A positive number within libcurl's range, because 0 means "no limit".
  private func positive(_ time: Milliseconds) -> Int {
    Int(min(max(time.count, 1), Int64(Int32.max)))
  }
}

extension HTTPHeader {
  /// Whether it is one line with a name.
  fileprivate var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

/// Translates libcurl's codes.
enum CurlErrorText {
  static func kind(_ code: CURLcode, wasSent: Bool) -> HTTPError.Kind {
    switch code {
    // libcurl takes an answer that does not begin like HTTP/1 for HTTP/0.9.
    case CURLE_UNSUPPORTED_PROTOCOL where wasSent: .answerUnreadable
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_SSL_CACERT_BADFILE: .unusable
    case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
    case CURLE_COULDNT_CONNECT: .notConnected
    case CURLE_INTERFACE_FAILED: .interfaceMissing
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyRefused
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .certificateRefused
    case CURLE_SSL_CONNECT_ERROR: .tlsFailed
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .answerUnreadable
    case CURLE_ABORTED_BY_CALLBACK, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR,
      CURLE_SEND_ERROR:
      .connectionLost
    default: .broken
    }
  }

  /// Whether libcurl's text contains only host, port, interface, certificate and times.
  static func textIsHarmless(_ code: CURLcode) -> Bool {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED,
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_OPERATION_TIMEDOUT:
      true
    default: false
    }
  }

  /// The general text for a code, without details of the request.
  static func text(_ code: CURLcode, _ kind: HTTPError.Kind) -> Texts {
    HTTPError.meaning(kind)
      ?? HTTPError.quoting(String(cString: curl_easy_strerror(code)), kind)
  }
}
