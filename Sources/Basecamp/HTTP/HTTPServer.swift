internal import CMicroHTTP
import FeatureService
import Glibc
import TrackerCore
import Wording

/// Listens, reads requests, and sends a handler's answers, using libmicrohttpd with a thread for
/// each connection.
struct HTTPServer: ~Copyable {
  typealias Handler = @Sendable (ServiceRequest) -> ServiceReply

  private let daemon: OpaquePointer
  private let handler: Unmanaged<HandlerBox>
  /// The port that it listens on, chosen by the system if none was given.
  let port: UInt16

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - certificate: for TLS; `nil`: plain HTTP.
  ///   - language: of the pages for people.
  /// - Throws: `ServiceError` if the address is in use or not available.
  init(
    at address: ListenAddress, _ certificate: ServerCertificate?, _ language: PageLanguage,
    _ handle: @escaping Handler
  ) throws(ServiceError) {
    let listener = try Listener(at: address)
    let box = Unmanaged.passRetained(HandlerBox(language, handle))
    let started = cmicrohttp_start(
      listener.descriptor, certificate?.chain, certificate?.key, Bounds.connections,
      Bounds.idleSeconds, Bounds.headerBytes, beginExchange, proceed, endExchange, box.toOpaque())
    guard let started else {
      box.release()
      throw ServiceError("cannot listen on \(address): libmicrohttpd fails; report this as a bug")
    }
    daemon = started
    port = listener.port
    handler = box
  }

  // Waits for answers in progress.
  deinit {
    MHD_stop_daemon(daemon)
    handler.release()
  }
}

/// Passes the handler through libmicrohttpd's callbacks.
private final class HandlerBox {
  let language: PageLanguage
  let handle: HTTPServer.Handler

  init(_ language: PageLanguage, _ handle: @escaping HTTPServer.Handler) {
    self.language = language
    self.handle = handle
  }
}

private let goOn = cmicrohttp_result(1)
private let hangUp = cmicrohttp_result(0)

/// Called with a request's first line. Its result is passed to every later callback for the
/// request.
private func beginExchange(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  let bytes = target.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
  return Unmanaged.passRetained(Exchange(target: bytes)).toOpaque()
}

/// Called when a request has ended in any way.
private func endExchange(
  _ context: UnsafeMutableRawPointer?, _: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let exchange = state?.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(exchange).release()
  state?.pointee = nil
}

/// Called after the headers, for each piece of the body, and when it is complete.
private func proceed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
  _ pieceBytes: UnsafeMutablePointer<Int>?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let method, let pieceBytes, let known = state?.pointee else {
    return hangUp
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
  func language() -> Language? { box.language.choice(header("Accept-Language", of: connection)) }
  if !exchange.hasBegun {
    exchange.begin(announcedBytes: header("Content-Length", of: connection).flatMap { Int($0) })
    return exchange.isTooLarge ? send(.tooLarge(language()), on: connection) : goOn
  }
  if pieceBytes.pointee > 0 {
    exchange.take(UnsafeRawBufferPointer(start: piece, count: pieceBytes.pointee))
    pieceBytes.pointee = 0
    return goOn
  }
  if exchange.isTooLarge { return send(.tooLarge(language()), on: connection) }
  let request = exchange.request(
    method: String(cString: method), type: header("Content-Type", of: connection),
    bearer: bearer(of: connection), host: header("Host", of: connection), language: language())
  return send(box.handle(request), on: connection)
}

extension ServiceReply {
  fileprivate static func tooLarge(_ language: Language?) -> ServiceReply {
    let bytes = Quantity.integer(Bounds.bodyBytes, in: language ?? .english)
    return .page(status: 413, title: "413", .tooLarge, bytes, language: language)
  }
}

private func header(_ name: String, of connection: OpaquePointer) -> String? {
  cmicrohttp_header(connection, name).map { String(cString: $0) }
}

private func bearer(of connection: OpaquePointer) -> String? {
  guard
    let text = header("X-Esri-Authorization", of: connection)
      ?? header("Authorization", of: connection),
    text.lowercased().hasPrefix("bearer ")
  else { return nil }
  return String(text.dropFirst("bearer ".count))
}

private func send(_ reply: ServiceReply, on connection: OpaquePointer) -> MHD_Result {
  switch reply {
  case .hangUp, .silence: return hangUp
  case .reset:
    cmicrohttp_reset(connection)
    return hangUp
  case .answer(let status, let type, let body, let retryAfter):
    let response = body.withUnsafeBytes { cmicrohttp_response($0.baseAddress, $0.count) }
    guard let response else { return hangUp }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", type)
    if let retryAfter { MHD_add_response_header(response, "Retry-After", "\(retryAfter)") }
    return MHD_queue_response(connection, UInt32(status), response)
  }
}
