import Courier
import FeatureService
import TrackerCore
import Uplink

/// One HTTP request to the server and its reply. An upload may take several.
struct Exchange {
  /// Distinguishes it from dropped ones.
  var number: UInt32
  /// The request as it arrives.
  var request: ServiceRequest
  var troubles = Troubles()
  /// The reply; `lost` until the server has answered.
  var reply = HTTPReply.lost
  /// A round trip.
  var latency = Milliseconds(0)
  var oneWay: Milliseconds { Milliseconds(latency.count / 2) }
  /// When the client stops waiting for an answer.
  var givesUpAt: Instant
  /// Whether the radio is busy with it.
  var isOnAir: Bool
}

// Performs the effects that need a server: the courier's requests take time on the network, and
// meet the scenario's faults.
extension World {
  /// A round trip, unless the scenario states it.
  static let usualLatency = Milliseconds(800)
  /// Time until a connection is refused or fails.
  static let connectDelay = Milliseconds.seconds(3)
  /// From the end of the coverage until the client notices it.
  static let breakDelay = Milliseconds.seconds(1)
  /// How long the server keeps an idle connection: web servers wait 5 to 75 s. An assumption,
  /// unverified.
  static let keepAlive = Milliseconds.seconds(30)

  mutating func beginUpload(_ request: UploadRequest) {
    modemOperations.beginTask(at: now)
    plan(courier.upload(request, at: moment))
  }

  mutating func beginReconcile(_ id: RequestID) {
    modemOperations.beginTask(at: now)
    plan(courier.reconcile(id, at: moment))
  }

  mutating func beginFetch(_ id: RequestID) {
    modemOperations.beginTask(at: now)
    plan(courier.fetch(id, at: moment))
  }

  mutating func plan(_ step: Courier<AnyDialogue>.Step) {
    if let event = proceed(step) { deliver(event, at: now) }
  }

  /// Sends the next request of a task, or returns the event of its result.
  private mutating func proceed(_ step: Courier<AnyDialogue>.Step) -> Event? {
    switch step {
    // A program that has ended within a write sends nothing.
    case .send where disk?.isCut ?? false: return nil
    case .send(let request):
      if bearer == .modem { sendByModem(request) } else { send(request) }
      return nil
    case .done(let end):
      serverNews.add(end, at: now)
      for key in end.acknowledged {
        guard let offeredAt = offeredAtOfWaiting.removeValue(forKey: key) else { continue }
        latencies.append((now - offeredAt).count)
        positionAge.delivered(takenAt: offeredAt, at: now)
        onDelivery?(key, now)
      }
      return end.event
    }
  }

  // MARK: One request

  mutating func send(_ request: HTTPRequest) {
    // A client that gives up a request closes the connection.
    if exchange != nil { connectedUntil = nil }
    modem.connection.endTransfer(at: now)
    exchangeCount += 1
    requestCount += 1
    var exchange = Exchange(
      number: exchangeCount, request: ServiceRequest(request),
      givesUpAt: now + min(SimulationBounds.answer, request.patience ?? SimulationBounds.answer),
      isOnAir: false)
    if isBearerUp { exchange.troubles = server.troubles(of: exchange.request, at: serverMoment) }
    guard isBearerUp, !exchange.troubles.refusesConnection else {
      exchange.reply = .unreachable
      self.exchange = exchange
      return planned.plan(.replyArrives(exchange.number), at: now + Self.connectDelay)
    }
    guard !exchange.troubles.isDead else {
      exchange.reply = .unreachable
      self.exchange = exchange
      return planned.plan(.replyArrives(exchange.number), at: exchange.givesUpAt)
    }
    if request.needsNewConnection { connectedUntil = nil }
    exchange.isOnAir = true
    modem.connection.beginTransfer(at: now)
    exchange.latency =
      scenario.network.latency ?? variation?.latency(Self.usualLatency) ?? Self.usualLatency
    self.exchange = exchange
    if let onSending {
      let captures = exchange.request.sentCaptures
      if !captures.isEmpty { onSending(captures, now) }
    }
    let size = WireCost.bytes(of: request)
    let arrival = connect(exchange.latency) + time(for: size) + exchange.oneWay
    bytesSent += size
    if arrival < exchange.givesUpAt {
      planned.plan(.serverReceives(exchange.number), at: arrival)
    } else {
      planned.plan(.replyArrives(exchange.number), at: exchange.givesUpAt)
    }
  }

  /// When the connection is established: at once if it is still open, else after one round trip for
  /// TCP and one for TLS 1.3. The host name is assumed to be known.
  private mutating func connect(_ latency: Milliseconds) -> Instant {
    if let connectedUntil, now < connectedUntil { return now }
    bytesSent += WireCost.handshakeSent
    bytesReceived += WireCost.handshakeReceived
    return now + Milliseconds(latency.count * 2)
      + time(for: WireCost.handshakeSent + WireCost.handshakeReceived)
  }

  mutating func serverReceives(_ number: UInt32) {
    guard let exchange, exchange.number == number else { return serverActs(number) }
    let delay = exchange.troubles.delay
    guard delay > 0 else { return serverActs(on: exchange) }
    // The client may give up before.
    planned.plan(.replyArrives(number), at: exchange.givesUpAt)
    lateExchanges[number] = exchange
    planned.plan(.serverActs(number), at: now + delay)
  }

  mutating func serverActs(_ number: UInt32) {
    if let late = lateExchanges.removeValue(forKey: number) { serverActs(on: late) }
  }

  /// Answers a request, whether the client is still waiting or not.
  private mutating func serverActs(on received: Exchange) {
    let answer = server.answer(received.request, received.troubles, at: serverMoment)
    let stored = server.takeStored()
    if !stored.isEmpty {
      room.calls.take(stored, of: store.device, at: now, utc: serverUTC(at: now))
      onStored?(stored, now)
    }
    guard var exchange, exchange.number == received.number else { return }
    let reply = HTTPReply(answer)
    let size = WireCost.bytes(of: reply)
    let arrival = now + exchange.oneWay + self.time(for: size)
    // A request whose answer comes too late has been applied nevertheless.
    guard answer != .silence, arrival < exchange.givesUpAt else {
      return planned.plan(.replyArrives(exchange.number), at: exchange.givesUpAt)
    }
    bytesReceived += size
    exchange.reply = reply
    self.exchange = exchange
    planned.plan(.replyArrives(exchange.number), at: arrival)
  }

  /// By the server's clocks.
  var serverMoment: HostTime {
    HostTime(utc: serverUTC(at: now), uptime: now - .start + serverAge)
  }

  func serverUTC(at instant: Instant) -> UTC {
    let begin = serverBegin ?? (hasServerClock ? UTC(milliseconds: 0) : nil)
    let utc = begin.map { $0 + (instant - .start) } ?? utc + (instant - now)
    return utc + (variation?.serverClockAhead ?? 0)
  }

  mutating func replyArrives(_ number: UInt32) -> Event? {
    guard let exchange, exchange.number == number else { return nil }
    let hasAnswer = if case .response = exchange.reply { true } else { false }
    connectedUntil = hasAnswer ? now + Self.keepAlive : nil
    self.exchange = nil
    modem.connection.endTransfer(at: now)
    onReply?(exchange.reply)
    if bearer == .modem {
      modem.answer(exchange.reply, at: now)
      modemChanged()
      return nil
    }
    serverNews.heard(exchange.reply)
    return proceed(courier.receive(exchange.reply, at: moment))
  }

  /// The connection breaks: the request in flight has no answer.
  mutating func breakExchange() {
    connectedUntil = nil
    guard var exchange, exchange.isOnAir else { return }
    exchangeCount += 1
    exchange.number = exchangeCount
    exchange.isOnAir = false
    modem.connection.endTransfer(at: now)
    exchange.reply = .lost
    self.exchange = exchange
    planned.plan(.replyArrives(exchange.number), at: now + Self.breakDelay)
  }

  // MARK: Network

  private func time(for bytes: Int64) -> Milliseconds {
    Milliseconds(bytes * 1000 / Int64(max(1, scenario.network.bytesPerSecond)))
  }
}

extension ServiceRequest {
  /// The request as it arrives: the address without scheme and server.
  init(_ request: HTTPRequest) {
    let slash = UInt8(ascii: "/")
    let parts = request.url.utf8.split(
      separator: slash, maxSplits: 3, omittingEmptySubsequences: false)
    self.init(
      method: request.method.rawValue, target: [slash] + (parts.count > 3 ? Array(parts[3]) : []),
      type: request.headers.first { $0.name == "Content-Type" }?.value, body: request.body,
      host: parts.count > 2 ? String(parts[2]) : nil)
  }
}

extension HTTPReply {
  /// The reply as a client sees it.
  init(_ reply: ServiceReply) {
    guard case .answer(let status, let type, let body, let retryAfter, _) = reply else {
      // To a client a truncated body is the same as no body.
      self = .lost
      return
    }
    var headers = [HTTPHeader("Content-Type", type)]
    if let retryAfter { headers.append(HTTPHeader("Retry-After", "\(retryAfter)")) }
    self = .response(status: status, headers: headers, body: body)
  }
}

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
