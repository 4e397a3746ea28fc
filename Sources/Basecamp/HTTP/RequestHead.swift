internal import CMicroHTTP

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
  /// The languages that a browser asks for.
  var languages: String?

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
    languages = header("Accept-Language")
    if let text = header("X-Esri-Authorization") ?? header("Authorization"),
      text.lowercased().hasPrefix("bearer ")
    {
      bearer = String(text.dropFirst("bearer ".count))
    }
  }
}
