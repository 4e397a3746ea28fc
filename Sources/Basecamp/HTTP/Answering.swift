internal import CMicroHTTP
import FeatureService
import TrackerCore
import Wording

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
