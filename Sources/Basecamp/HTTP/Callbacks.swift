internal import CMicroHTTP
import FeatureService
import Glibc
import TrackerCore
import Wording

/// Passes what the server needs through libmicrohttpd's callbacks.
final class HandlerBox: Sendable {
  let manners: HTTPServer.Manners
  let connections: Connections
  let handle: HTTPServer.Handler

  init(
    _ manners: HTTPServer.Manners, _ connections: Connections,
    _ handle: @escaping HTTPServer.Handler
  ) {
    self.manners = manners
    self.connections = connections
    self.handle = handle
  }
}

let goOn = cmicrohttp_result(1)
let hangUp = cmicrohttp_result(0)

/// The longest IPv4 address as text, with the zero byte at its end (INET_ADDRSTRLEN).
private let addressBytes = 16

/// Called when a connection has begun and before it is closed.
func noteConnection(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let context, let connection, let state else { return }
  let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
  if let known = state.pointee {
    let ended = Unmanaged<Connection>.fromOpaque(known).takeRetainedValue()
    state.pointee = nil
    return box.connections.remove(ended)
  }
  var client = [CChar](repeating: 0, count: addressBytes)
  cmicrohttp_client(connection, &client, client.count)
  let text = client.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  let begun = Connection(
    descriptor: cmicrohttp_descriptor(connection), client: String(decoding: text, as: UTF8.self))
  state.pointee = Unmanaged.passRetained(begun).toOpaque()
  box.connections.add(begun)
}

/// - Returns: what `noteConnection` has stored.
private func known(_ connection: OpaquePointer) -> Connection? {
  cmicrohttp_context(connection).map {
    Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
  }
}

/// Called with a request's first line. Its result is passed to every later callback for the
/// request.
func beginExchange(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?,
  _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context, let connection else { return nil }
  let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
  let bytes = target.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
  let exchange = Exchange(target: bytes, client: known(connection)?.client ?? "", box.manners.room)
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// Called when a request has ended in any way.
func endExchange(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  if let connection { known(connection)?.enter(.head) }
  guard let exchange = state?.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(exchange).release()
  state?.pointee = nil
}

/// Called after the headers, for each piece of the body, and when it is complete.
func proceed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
  _ pieceBytes: UnsafeMutablePointer<Int>?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let method, let pieceBytes, let exchange = state?.pointee
  else { return hangUp }
  let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
  return box.proceed(
    Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(), method,
    UnsafeRawBufferPointer(start: piece, count: pieceBytes.pointee), pieceBytes, connection)
}

extension HandlerBox {
  fileprivate func proceed(
    _ exchange: Exchange, _ method: UnsafePointer<CChar>, _ piece: UnsafeRawBufferPointer,
    _ rest: UnsafeMutablePointer<Int>, _ connection: OpaquePointer
  ) -> MHD_Result {
    guard let head = exchange.head else {
      let head = RequestHead(method: String(cString: method), of: connection)
      exchange.begin(head)
      if let refusal = exchange.refusal {
        known(connection)?.enter(.answer)
        return send(answer(refusal, head), head, on: connection)
      }
      known(connection)?.enter(.body)
      return goOn
    }
    if !piece.isEmpty {
      exchange.take(piece)
      rest.pointee = 0
      return goOn
    }
    known(connection)?.enter(.work)
    exchange.end()
    let reply = answer(exchange, head)
    known(connection)?.enter(.answer)
    return send(reply, head, on: connection)
  }
}

/// How a request is answered.
extension HandlerBox {
  private func language(_ head: RequestHead) -> Language? {
    manners.language.choice(head.languages)
  }

  /// The answer to a complete request.
  func answer(_ exchange: Exchange, _ head: RequestHead) -> ServiceReply {
    // Not before, because the library closes a connection that is answered before the body.
    if head.method == "OPTIONS" { return .answer(type: "text/plain", body: []) }
    if let refusal = exchange.refusal { return answer(refusal, head) }
    let language = language(head)
    let request = exchange.request(head, language: language)
    let isOwn = head.host.map { host in
      head.origin == "\(manners.scheme)://\(host)" && CrossOrigin.isThisMachine(host)
    }
    guard manners.pages.permits(request, from: head.origin, isOwn: isOwn == true) else {
      return .page(
        status: 403, title: "403", .foreignPage, head.origin ?? "", language: language)
    }
    let isLocal = head.host.map { CrossOrigin.isThisMachine($0) } ?? true
    guard !request.isRoom || isLocal || manners.pages.needsToken else {
      return .page(status: 403, title: "403", .foreignName, head.host ?? "", language: language)
    }
    return handle(request, exchange.isLarge)
  }

  /// The answer to a body that is not taken.
  func answer(_ refusal: Exchange.Refusal, _ head: RequestHead) -> ServiceReply {
    let language = language(head)
    switch refusal {
    case .tooLarge:
      let bytes = Quantity.integer(Bounds.bodyBytes, in: language ?? .english)
      return .page(status: 413, title: "413", .tooLarge, bytes, language: language)
    case .noRoom:
      return ServiceReply.page(status: 503, title: "503", .noRoom, language: language)
        .after(Bounds.roomRetrySeconds)
    case .coding: return .page(status: 415, title: "415", .coding, language: language)
    case .damaged: return .page(status: 400, title: "400", .damaged, language: language)
    }
  }

  func send(
    _ reply: ServiceReply, _ head: RequestHead, on connection: OpaquePointer
  ) -> MHD_Result {
    switch reply {
    case .hangUp, .silence: return hangUp
    case .reset:
      cmicrohttp_reset(connection)
      return hangUp
    case .answer(let status, let type, let body, let retryAfter):
      let isLong = body.count >= Bounds.compressedFromBytes
      let gzip = head.takesGzip && isLong ? Gzip.compressed(body) : nil
      let response = (gzip ?? body).withUnsafeBytes {
        cmicrohttp_response($0.baseAddress, $0.count)
      }
      guard let response else { return hangUp }
      defer { MHD_destroy_response(response) }
      var headers = [("Content-Type", type)] + headers(head)
      if gzip != nil { headers.append(("Content-Encoding", "gzip")) }
      if status == 405 { headers.append(("Allow", CrossOrigin.methods)) }
      if status == 415 { headers.append(("Accept-Encoding", "gzip, deflate")) }
      if let retryAfter { headers.append(("Retry-After", "\(retryAfter)")) }
      for (name, value) in headers { MHD_add_response_header(response, name, value) }
      return MHD_queue_response(connection, UInt32(status), response)
    }
  }

  /// The headers that do not depend on the answer.
  private func headers(_ head: RequestHead) -> [(String, String)] {
    let varies = ["Accept-Encoding", "Accept-Language"] + manners.pages.varies
    return manners.pages.headers(for: head.origin)
      + (head.method == "OPTIONS" ? CrossOrigin.preflight : [])
      + [("Vary", varies.joined(separator: ", "))]
  }
}
