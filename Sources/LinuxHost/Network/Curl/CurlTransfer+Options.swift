import CCurl
import TrackerCore
import Uplink

extension CurlTransfer {
  /// Prepares a transfer of `request`.
  ///
  /// - Throws: that the request cannot be sent as it is, or that libcurl has no memory for it.
  static func prepare(
    _ request: HTTPRequest, id: TransferID, _ configuration: HTTPClientConfiguration
  ) throws(HTTPFailure) -> CurlTransfer {
    let server = ServerName.shown(request.url)
    func unusable(_ message: String) -> HTTPFailure {
      HTTPFailure(.unusable, server: server, message: message, mayHaveArrived: false)
    }
    guard ServerName.isWeb(request.url) else {
      throw unusable("is no web address; begin it with https:// or http://")
    }
    guard !request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw unusable("the address has a blank or a control character; encode it as %20")
    }
    for header in request.headers where !header.isSendable {
      throw unusable("a header has a line break or no name; it is not sent")
    }
    guard let easy = curl_easy_init() else { throw noMemory(server) }
    let transfer = CurlTransfer(
      id, server: server, mayRepeat: request.method == .get,
      largestAnswerBytes: request.answerBytes, easy: easy)
    let codes = [
      transfer.connectCallbacks(), transfer.applyManners(), transfer.apply(configuration),
      try transfer.apply(request),
    ]
    if let code = codes.first(where: { $0 != CURLE_OK }) {
      throw HTTPFailure(
        .broken, server: server,
        message: "\(CurlErrorText.text(code, .broken)); check the configuration",
        mayHaveArrived: false)
    }
    return transfer
  }

  private static func noMemory(_ server: String) -> HTTPFailure {
    HTTPFailure(
      .broken, server: server, message: "libcurl has no memory; try again", mayHaveArrived: false)
  }

  /// What holds for every request, and has no switch.
  private func applyManners() -> CURLcode {
    first([
      ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
      // A captive portal answers with a redirect; whoever judges the answer must see it.
      ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1),
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2),
      ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      // One request after another needs no HTTP/2, whose refused streams libcurl sends again
      // by itself.
      ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip"),
      // libcurl must not install signal handlers: they are the daemon's.
      ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
      // A name is resolved by a thread of its own, in getaddrinfo, which nothing can interrupt. A
      // transfer that ends meanwhile would otherwise wait for that thread, and the whole loop with
      // it: 5.5 s without a DNS server. Left to itself, the thread frees what it holds.
      ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1),
      ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1),
      // Otherwise variables of the environment decide which proxy is passed by.
      ccurl_set_text(easy, CURLOPT_NOPROXY, ""),
    ])
  }

  private func apply(_ configuration: HTTPClientConfiguration) -> CURLcode {
    let seconds = Milliseconds(configuration.slowPeriod.count / 1000)
    var codes = [
      ccurl_set_text(easy, CURLOPT_USERAGENT, configuration.userAgent),
      ccurl_set_long(
        easy, CURLOPT_CONNECTTIMEOUT_MS, positive(configuration.connectTimeout)),
      ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, positive(configuration.totalTimeout)),
      ccurl_set_long(
        easy, CURLOPT_LOW_SPEED_LIMIT, Int(max(1, configuration.slowestBytesPerSecond))),
      ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, positive(seconds)),
      // The empty text is no proxy, where no text would be that of the environment.
      ccurl_set_text(easy, CURLOPT_PROXY, configuration.proxy ?? ""),
    ]
    if let file = configuration.authoritiesFile {
      codes.append(ccurl_set_text(easy, CURLOPT_CAINFO, file))
      // Else the system's folder of certificates would be trusted beside the file.
      codes.append(ccurl_set_text(easy, CURLOPT_CAPATH, nil))
    }
    if let interface = configuration.interface {
      // Without "if!" a name that is no interface is looked up as a host.
      codes.append(ccurl_set_text(easy, CURLOPT_INTERFACE, "if!\(interface)"))
    }
    return first(codes)
  }

  private func apply(_ request: HTTPRequest) throws(HTTPFailure) -> CURLcode {
    var codes = [ccurl_set_text(easy, CURLOPT_URL, request.url)]
    switch request.method {
    case .get: codes.append(ccurl_set_long(easy, CURLOPT_HTTPGET, 1))
    case .post:
      codes.append(ccurl_set_long(easy, CURLOPT_POST, 1))
      codes.append(
        ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
      // No bytes at all have no address, which libcurl would take for another kind of upload.
      let code = (request.body + [0]).withUnsafeBytes { bytes in
        ccurl_set_text(
          easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
      codes.append(code)
    }
    // Waiting for "100 Continue" costs a second on servers that do not know it; a body that came
    // without a type gets none from libcurl either.
    var lines = ["Expect:"]
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    // libcurl leaves a header without a value away, unless it ends in a semicolon.
    lines += request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    for line in lines where !appendHeaderLine(line) { throw Self.noMemory(server) }
    codes.append(applyHeaders())
    return first(codes)
  }

  private func first(_ codes: [CURLcode]) -> CURLcode {
    codes.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  /// A count that libcurl does not take for "no limit" (0), within its range.
  private func positive(_ time: Milliseconds) -> Int {
    Int(min(max(time.count, 1), Int64(Int32.max)))
  }
}

extension HTTPHeader {
  /// Whether it stays one line with a name.
  fileprivate var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}
