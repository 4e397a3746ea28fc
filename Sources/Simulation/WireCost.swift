import Uplink

/// Bytes on the wire. Bodies and request headers have their real sizes; TCP and IP, some 3 %, are
/// not counted.
enum WireCost {
  /// A TLS 1.3 handshake: with OpenSSL 3 and a chain of two RSA-2048 certificates the client wrote
  /// 401 bytes and read 2482. Chains of public CAs are up to twice as long.
  static let handshakeSent: Int64 = 401
  static let handshakeReceived: Int64 = 2482
  /// The headers of an answer: web servers send 150 to 500 bytes. An assumption, unverified.
  static let answerHeaders: Int64 = 300

  /// A request with its request line, headers and body, in TLS records.
  static func bytes(of request: HTTPRequest) -> Int64 {
    inRecords(head(of: request) + Int64(request.body.count))
  }

  static func bytes(of reply: HTTPReply) -> Int64 {
    guard case .response(_, let headers, let body) = reply else { return 0 }
    let more = headers.filter { $0.name == "Retry-After" }.reduce(Int64(0)) {
      $0 + line($1.name, $1.value)
    }
    return inRecords(answerHeaders + more + Int64(body.count))
  }

  /// A TLS 1.3 record contains up to 16 KiB and adds 22 bytes: header 5, type 1, tag 16 (RFC 8446
  /// §5.2).
  private static func inRecords(_ bytes: Int64) -> Int64 {
    bytes + (bytes + 16_383) / 16_384 * 22
  }

  /// The request line and the headers, as libcurl writes them for HTTP/1.1 (RFC 9112 §3).
  static func head(of request: HTTPRequest) -> Int64 {
    let address = request.url.utf8
    let slashes = address.split(separator: UInt8(ascii: "/"), maxSplits: 2)
    let authority = slashes.count > 1 ? slashes[1].count : 0
    let path = slashes.count > 2 ? slashes[2].count + 1 : 1
    var bytes = Int64(request.method.rawValue.utf8.count + path + " ".utf8.count)
    bytes += line("", " HTTP/1.1") - 2
    bytes += line("Host", "") + Int64(authority)
    bytes += line("User-Agent", "trailtracker") + line("Accept-Encoding", "gzip")
    for header in request.headers { bytes += line(header.name, header.value) }
    if request.method == .post { bytes += line("Content-Length", String(request.body.count)) }
    return bytes + 2
  }

  /// `Name: value` and the line end.
  private static func line(_ name: String, _ value: String) -> Int64 {
    Int64(name.utf8.count + value.utf8.count + 4)
  }
}
