internal import CMicroHTTP
import FeatureService
import TrackerCore
import Wording

/// What a handler makes of a request.
enum Outcome: Sendable {
  case reply(ServiceReply)
  /// It is carried out so much later.
  case later(Milliseconds, @Sendable () -> ServiceReply)
  case stream(EventStream)
}

/// Has requests carried out, and their answers sent. It passes through libmicrohttpd's callbacks.
final class HandlerBox: Sendable {
  let manners: HTTPServer.Manners
  let connections: Connections
  let workers: Workers
  private let handler: HTTPServer.Handler

  init(
    _ manners: HTTPServer.Manners, _ connections: Connections, _ workers: Workers,
    _ handler: HTTPServer.Handler
  ) {
    self.manners = manners
    self.connections = connections
    self.workers = workers
    self.handler = handler
  }

  /// Has a complete request carried out, and its connection resumed then.
  func carryOut(_ exchange: Exchange, _ head: RequestHead, _ connection: SuspendedConnection) {
    guard exchange.needsInflating else { return queue(exchange, head, connection) }
    let isTaken = workers.submit(.other, of: exchange.client) { [self] in
      exchange.inflate()
      queue(exchange, head, connection)
    }
    if !isTaken { finish(.hangUp, exchange, head, connection) }
  }

  private func queue(_ exchange: Exchange, _ head: RequestHead, _ connection: SuspendedConnection) {
    let lane = lane(of: exchange)
    if workers.isBehind(lane) {
      return finish(answer(.behind, head), exchange, head, connection)
    }
    let isTaken = workers.submit(lane, of: exchange.client) { [self] in
      work(exchange, head, connection)
    }
    if !isTaken { finish(.hangUp, exchange, head, connection) }
  }

  private func lane(of exchange: Exchange) -> Workers.Lane {
    handler.lane(exchange.question, exchange.weight)
  }

  private func work(_ exchange: Exchange, _ head: RequestHead, _ connection: SuspendedConnection) {
    settle(answer(exchange, head), exchange, head, connection)
  }

  private func settle(
    _ outcome: Outcome, _ exchange: Exchange, _ head: RequestHead,
    _ connection: SuspendedConnection
  ) {
    switch outcome {
    case .reply(.silence):
      // Longer than any reasonable client waits.
      let time = Milliseconds.seconds(Int64(Bounds.idleSeconds))
      workers.submit(.other, of: exchange.client, after: time) { [self] in
        finish(.hangUp, exchange, head, connection)
      }
    case .reply(let reply): finish(reply, exchange, head, connection)
    case .stream(let stream):
      guard connections.beginStream(on: connection.known) else {
        return finish(answer(.crowded, head), exchange, head, connection)
      }
      exchange.result = PreparedReply(stream, head, manners)
      connection.resume()
    case .later(let time, let work):
      workers.submit(lane(of: exchange), of: exchange.client, after: time) { [self] in
        settle(.reply(work()), exchange, head, connection)
      }
    }
  }

  private func finish(
    _ reply: ServiceReply, _ exchange: Exchange, _ head: RequestHead,
    _ connection: SuspendedConnection
  ) {
    exchange.result = PreparedReply(reply, head, manners)
    connection.resume()
  }
}

/// A connection of which nothing is read or written until it is resumed.
///
/// `@unchecked`, because a pointer is not known to be valid; the library keeps what is suspended.
struct SuspendedConnection: @unchecked Sendable {
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer) { self.connection = connection }

  /// What it is for the bounds.
  fileprivate var known: Connection? { Basecamp.known(connection) }

  func resume() { MHD_resume_connection(connection) }
}

/// A connection whose stream has nothing to send now and then.
struct StreamedConnection: @unchecked Sendable {
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer) { self.connection = connection }

  /// On the event loop only, while the connection is not suspended.
  func suspend() -> SuspendedConnection {
    MHD_suspend_connection(connection)
    return SuspendedConnection(connection)
  }
}

/// How a request is answered.
extension HandlerBox {
  private func language(_ head: RequestHead) -> Language? {
    manners.language.choice(head.languages)
  }

  /// The answer to a complete request.
  private func answer(_ exchange: Exchange, _ head: RequestHead) -> Outcome {
    // Not before, because the library closes a connection that is answered before the body.
    if head.method == "OPTIONS" { return .reply(.answer(type: "text/plain", body: [])) }
    if let refusal = exchange.refusal {
      return .reply(answer(refusal, head, limit: exchange.limit))
    }
    let language = language(head)
    var request = exchange.request(head, language: language)
    request.source = manners.source(of: head)
    guard !request.isEdit || manners.pages.needsToken || !request.source.isForeign else {
      return .reply(
        .page(status: 403, title: "403", .foreignPage, head.origin ?? "", language: language))
    }
    return handler.answer(request, head)
  }

  /// The answer to a body that is not taken.
  ///
  /// - Parameter limit: the bytes that one may have.
  func answer(
    _ refusal: Exchange.Refusal, _ head: RequestHead, limit: Int = Bounds.bodyBytes
  ) -> ServiceReply {
    let language = language(head)
    switch refusal {
    case .tooLarge:
      let bytes = Quantity.integer(limit, in: language ?? .english)
      return .page(status: 413, title: "413", .tooLarge, bytes, language: language)
    case .noRoom, .crowded:
      return ServiceReply.page(status: 503, title: "503", .noRoom, language: language)
        .after(Bounds.roomRetrySeconds)
    case .behind:
      // A thousand trackers that come again do so one after the other.
      return ServiceReply.page(status: 503, title: "503", .noRoom, language: language)
        .after(Int64.random(in: Bounds.behindSeconds))
    case .coding: return .page(status: 415, title: "415", .coding, language: language)
    case .damaged: return .page(status: 400, title: "400", .damaged, language: language)
    }
  }
}

/// An answer as the library sends it. It is made on the thread that has carried out its request.
///
/// `@unchecked`, because a pointer is not known to be ours alone; this one is.
final class PreparedReply: @unchecked Sendable {
  private enum Way {
    case hangUp
    case reset
    case answer(OpaquePointer, status: UInt32)
    case stream(EventStream, [(String, String)])
  }

  private let way: Way

  init(_ reply: ServiceReply, _ head: RequestHead, _ manners: HTTPServer.Manners) {
    guard case .answer(let status, let type, let body, let retryAfter, let cookie) = reply else {
      way = reply == .reset ? .reset : .hangUp
      return
    }
    let isLong = body.count >= Bounds.compressedFromBytes
    let gzip = head.takesGzip && isLong ? Gzip.compressed(body) : nil
    let response = (gzip ?? body).withUnsafeBytes {
      cmicrohttp_response($0.baseAddress, $0.count)
    }
    guard let response else {
      way = .hangUp
      return
    }
    var headers = [("Content-Type", type)] + Self.headers(head, manners)
    // Nobody else who uses that browser, or a proxy, is to see who asked for help.
    let isData = ["application/json", "text/csv", "text/plain"].contains { type.hasPrefix($0) }
    if isData { headers.append(("Cache-Control", "no-store")) }
    if gzip != nil { headers.append(("Content-Encoding", "gzip")) }
    if status == 405 { headers.append(("Allow", CrossOrigin.methods)) }
    if status == 415 { headers.append(("Accept-Encoding", "gzip, deflate")) }
    if let retryAfter { headers.append(("Retry-After", "\(retryAfter)")) }
    if let cookie { headers.append(("Set-Cookie", cookie)) }
    for (name, value) in headers { MHD_add_response_header(response, name, value) }
    way = .answer(response, status: UInt32(status))
  }

  init(_ stream: EventStream, _ head: RequestHead, _ manners: HTTPServer.Manners) {
    let headers = [
      ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
      // nginx would keep it back.
      ("X-Accel-Buffering", "no"),
    ]
    way = .stream(stream, headers + Self.headers(head, manners))
  }

  /// What its connection does while it is sent.
  var phase: Connection.Phase {
    if case .stream(let stream, _) = way { .stream(stream) } else { .answer }
  }

  deinit {
    if case .answer(let response, _) = way { MHD_destroy_response(response) }
  }

  /// The headers that do not depend on the answer.
  private static func headers(
    _ head: RequestHead, _ manners: HTTPServer.Manners
  ) -> [(String, String)] {
    let varies = ["Accept-Encoding", "Accept-Language"] + manners.pages.varies
    return manners.pages.headers(for: head.origin)
      + (head.method == "OPTIONS" ? CrossOrigin.preflight : [])
      + [
        ("Vary", varies.joined(separator: ", ")), ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "SAMEORIGIN"),
      ]
  }

  /// On the event loop, when the request has been read.
  func send(on connection: OpaquePointer, _ box: HandlerBox) -> MHD_Result {
    switch way {
    case .hangUp: return hangUp
    case .reset:
      cmicrohttp_reset(connection)
      return hangUp
    case .answer(let response, let status):
      return MHD_queue_response(connection, status, response)
    case .stream(let stream, let headers):
      let reader = Unmanaged.passRetained(StreamReader(stream, connection))
      let response = cmicrohttp_stream(
        Bounds.streamPieceBytes, readEvents, reader.toOpaque(), endEvents)
      guard let response else {
        reader.release()
        return hangUp
      }
      defer { MHD_destroy_response(response) }
      for (name, value) in headers { MHD_add_response_header(response, name, value) }
      cmicrohttp_bound_stream(
        connection, Int32(Bounds.streamKernelBytes), UInt32(Bounds.stalledSeconds) * 1000)
      if let known = known(connection) {
        stream.begin { [connections = box.connections] in connections.end(known) }
      }
      return MHD_queue_response(connection, 200, response)
    }
  }
}
