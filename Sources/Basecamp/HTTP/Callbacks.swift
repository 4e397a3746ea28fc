internal import CMicroHTTP
import FeatureService
import Glibc
import TrackerCore
import Wording

let goOn = cmicrohttp_result(1)
let hangUp = cmicrohttp_result(0)

/// The longest IPv4 address as text, with the zero byte at its end (INET_ADDRSTRLEN).
private let addressBytes = 16

/// Called with the address of a client that connects.
func accepts(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _: socklen_t
) -> MHD_Result {
  guard let context else { return hangUp }
  let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
  let client = text { cmicrohttp_address(address, $0, $1) }
  return box.connections.mayBegin(client) ? goOn : hangUp
}

/// An address that C writes.
private func text(_ write: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
  var bytes = [CChar](repeating: 0, count: addressBytes)
  bytes.withUnsafeMutableBufferPointer { buffer in
    if let base = buffer.baseAddress { write(base, buffer.count) }
  }
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

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
  let client = text { cmicrohttp_client(connection, $0, $1) }
  let begun = Connection(
    descriptor: cmicrohttp_descriptor(connection), client: client,
    isOfProxy: box.connections.proxies.contains(client))
  state.pointee = Unmanaged.passRetained(begun).toOpaque()
  box.connections.add(begun)
}

/// - Returns: what `noteConnection` has stored.
func known(_ connection: OpaquePointer) -> Connection? {
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
  guard let context, let known = state?.pointee else { return }
  let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  if let sender = exchange.forwarded { box.connections.endRequest(of: sender) }
  state?.pointee = nil
}

/// Called after the headers, for each piece of the body, when it is complete, and when its answer
/// is ready.
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
      begin(exchange, head, on: connection)
      if let refusal = exchange.refusal {
        known(connection)?.enter(.answer)
        return PreparedReply(answer(refusal, head, limit: exchange.limit), head, manners).send(
          on: connection, self)
      }
      known(connection)?.enter(.body)
      return goOn
    }
    if let reply = exchange.result {
      exchange.result = nil
      known(connection)?.enter(reply.phase)
      return reply.send(on: connection, self)
    }
    if !piece.isEmpty {
      exchange.take(piece)
      rest.pointee = 0
      return goOn
    }
    known(connection)?.enter(.work)
    MHD_suspend_connection(connection)
    carryOut(exchange, head, SuspendedConnection(connection))
    return goOn
  }

  private func begin(_ exchange: Exchange, _ head: RequestHead, on connection: OpaquePointer) {
    let sender = known(connection).flatMap { connections.sender(head, on: $0) }
    exchange.begin(head, forwardedOf: sender)
    if let sender, !connections.beginRequest(of: sender) { exchange.refuse(.crowded) }
  }
}

/// A stream of events and its connection.
final class StreamReader {
  fileprivate let stream: EventStream
  fileprivate let connection: StreamedConnection
  /// Whether the library's memory for it is as small as it gets.
  fileprivate var isSmall = false

  init(_ stream: EventStream, _ connection: OpaquePointer) {
    self.stream = stream
    self.connection = StreamedConnection(connection)
  }
}

/// Called when a connection can take more of its stream.
func readEvents(
  _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ room: Int
) -> Int {
  guard let context, let buffer else { return cmicrohttp_end }
  let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
  let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: room)
  if !reader.isSmall {
    cmicrohttp_give_back(buffer, room)
    reader.isSmall = true
  }
  return reader.stream.read(into: bytes, reader.connection) ?? cmicrohttp_end
}

/// Called when a stream's response is not needed any more.
func endEvents(_ context: UnsafeMutableRawPointer?) {
  if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
}
