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
  /// How long a client waits for an answer.
  static let answerLimit = Milliseconds.seconds(30)
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

  mutating func plan(_ step: Courier<ArcGISDialogue>.Step) {
    if let event = proceed(step) { deliver(event, at: now) }
  }

  /// Sends the next request of a task, or returns the event of its result.
  private mutating func proceed(_ step: Courier<ArcGISDialogue>.Step) -> Event? {
    switch step {
    case .send(let request):
      if bearer == .modem { sendByModem(request) } else { send(request) }
      return nil
    case .done(let end):
      serverNews.add(end, at: now)
      for key in end.acknowledged {
        guard let offeredAt = offeredAtOfWaiting.removeValue(forKey: key) else { continue }
        latencies.append((now - offeredAt).count)
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
      givesUpAt: now + min(Self.answerLimit, request.patience ?? Self.answerLimit),
      isOnAir: false)
    if isBearerUp { exchange.troubles = server.troubles(of: exchange.request, at: moment) }
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
    guard let exchange, exchange.number == number else { return }
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
    var time = moment
    time.utc = time.utc + (variation?.serverClockAhead ?? 0)
    let answer = server.answer(received.request, received.troubles, at: time)
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

  mutating func replyArrives(_ number: UInt32) -> Event? {
    guard let exchange, exchange.number == number else { return nil }
    let hasAnswer = if case .response = exchange.reply { true } else { false }
    connectedUntil = hasAnswer ? now + Self.keepAlive : nil
    self.exchange = nil
    modem.connection.endTransfer(at: now)
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
