import TrackerCore

/// One request on its way to the server and back.
struct Exchange {
  enum Kind {
    case upload([UInt32])
    case reconcile
  }

  var number: UInt32
  var id: RequestID
  var kind: Kind
  var fault: ServerFault?
  /// What the server said when it got the request; `nil` before that.
  var accepted: [UInt32] = []
  var refused: [UInt32] = []
}

// Disk, modem, network and server.
extension World {
  /// Bytes of a request beside its captures, and of one capture: HTTP and TLS headers, and a JSON
  /// feature with its attributes. Assumptions until the encoders exist.
  static let requestBytes: Int64 = 700
  static let captureBytes: Int64 = 300
  /// A client waits this long for an answer.
  static let answerLimit = Milliseconds.seconds(30)
  /// A connection that is refused or cannot be made.
  static let connectDelay = Milliseconds.seconds(3)

  // MARK: Disk

  mutating func store(_ capture: Capture) {
    let event: Event
    let offeredAt = offer?.sequence == capture.sequence ? offer?.at ?? now : now
    if scenario.store.content(at: now) == .full {
      event = .storeFailed(sequence: capture.sequence)
      offer = (capture.sequence, offeredAt)
    } else {
      offer = nil
      queue.append(capture, at: offeredAt)
      event = .captureStored(sequence: capture.sequence, queue: queue.counts)
    }
    planned.plan(.deliver(event), at: now + Self.storeDelay)
  }

  mutating func setAside(_ what: SetAside) {
    switch what {
    case .refusedOfLastUpload: queue.putAside(queue.refused)
    case .capture(let sequence, _): queue.putAside([sequence])
    }
    planned.plan(.deliver(.queueChanged(queue.counts)), at: now + Self.storeDelay)
  }

  // MARK: Modem

  mutating func sendToModem(_ command: ModemCommand) {
    let answer = modem.answer(
      command, hole: scenario.coverage.content(at: now), fault: scenario.modem.content(at: now),
      at: now)
    if let answer { planned.plan(.modemSays(answer), at: now + SimulatedModem.answerDelay) }
    if !isBearerUp { breakExchange() }
    if answer != nil, command == .receiverOn || command == .receiverOff {
      controlReceiver(command == .receiverOn ? .wake : .sleep)
    }
    planModemChange()
  }

  mutating func setLink(isUp: Bool) {
    if !isUp {
      modem.setLink(isUp: false)
      breakExchange()
    } else if modem.isRegistered(at: now), scenario.coverage.content(at: now) == nil {
      modem.setLink(isUp: true)
      planned.plan(.deliver(.linkChanged(isUp: true)), at: now + SimulatedModem.linkDelay)
    }
  }

  // MARK: Requests

  mutating func beginUpload(_ request: UploadRequest) {
    let sequences = queue.select(request.selection)
    guard !sequences.isEmpty else {
      return finish(.uploadFinished(request.id, .empty, queue: queue.counts), after: 0)
    }
    let size = Self.requestBytes + Self.captureBytes * Int64(sequences.count)
    begin(request.id, .upload(sequences), size: size)
  }

  mutating func beginReconcile(_ id: RequestID) {
    begin(id, .reconcile, size: Self.requestBytes + 40 * Int64(queue.inFlight.count))
  }

  private mutating func begin(_ id: RequestID, _ kind: Exchange.Kind, size: Int64) {
    exchangeCount += 1
    var exchange = Exchange(number: exchangeCount, id: id, kind: kind)
    guard isBearerUp else {
      return finish(unreachable(exchange), after: Self.connectDelay)
    }
    exchange.fault = server.fault(at: now)
    if exchange.fault == .refuse {
      return finish(unreachable(exchange), after: Self.connectDelay)
    }
    bytesSent += size
    let sending = Milliseconds(size * 1000 / Int64(max(1, scenario.network.bytesPerSecond)))
    let arrival = now + scenario.network.latency + sending
    self.exchange = exchange
    planned.plan(.serverReceives(exchange.number), at: arrival)
    let isMute = exchange.fault == .timeout || exchange.fault == .loseAcknowledgement
    planned.plan(
      .serverAnswers(exchange.number),
      at: isMute ? now + Self.answerLimit : arrival + scenario.network.latency)
  }

  private mutating func finish(_ event: Event, after delay: Milliseconds) {
    planned.plan(.deliver(event), at: now + delay)
  }

  /// The connection goes: whatever was under way has no answer.
  mutating func breakExchange() {
    guard let exchange else { return }
    self.exchange = nil
    finish(noAnswer(exchange), after: 1000)
  }

  // MARK: Server

  mutating func serverReceives(_ number: UInt32) {
    guard var exchange, exchange.number == number, case .upload(let sequences) = exchange.kind
    else { return }
    switch exchange.fault {
    case .loseAcknowledgement, nil:
      (exchange.accepted, exchange.refused) = server.apply(sequences)
      self.exchange = exchange
    case .http, .refuse, .timeout, .unauthorised, .rejectRequest: break
    }
  }

  mutating func serverAnswers(_ number: UInt32) -> Event? {
    guard let exchange, exchange.number == number else { return nil }
    self.exchange = nil
    switch exchange.kind {
    case .upload(let sequences): return answer(exchange, to: sequences)
    case .reconcile: return answerReconcile(exchange)
    }
  }

  private mutating func answer(_ exchange: Exchange, to sequences: [UInt32]) -> Event {
    let outcome: UploadOutcome
    switch exchange.fault {
    case .timeout, .loseAcknowledgement: return noAnswer(exchange)
    case .refuse: return unreachable(exchange)
    case .http(504, _): return noAnswer(exchange)
    case .http(let status, let retryAfter): outcome = .busy(status: status, retryAfter: retryAfter)
    case .unauthorised: outcome = .unauthorised
    case .rejectRequest(let code):
      outcome = .refused(
        code: code, first: sequences.min() ?? 0, count: UInt32(sequences.count))
    case nil:
      acknowledge(exchange.accepted)
      queue.refused = exchange.refused
      outcome = .answered(
        acknowledged: UInt32(exchange.accepted.count), refused: UInt32(exchange.refused.count),
        firstRefused: exchange.refused.min() ?? 0,
        code: exchange.refused.isEmpty ? 0 : SimulatedServer.refusalCode)
    }
    return .uploadFinished(exchange.id, outcome, queue: queue.counts)
  }

  private mutating func answerReconcile(_ exchange: Exchange) -> Event {
    let outcome: ReconcileOutcome
    switch exchange.fault {
    case .http(let status, _): outcome = .failed(status: status)
    case .unauthorised: outcome = .failed(status: 401)
    case .rejectRequest(let code): outcome = .failed(status: code)
    case .refuse, .timeout, .loseAcknowledgement: outcome = .failed(status: 0)
    case nil:
      let known = queue.inFlight.filter { server.has($0) }
      acknowledge(known)
      outcome = .settled(confirmed: UInt32(known.count))
    }
    return .reconcileFinished(exchange.id, outcome, queue: queue.counts)
  }

  private mutating func acknowledge(_ sequences: [UInt32]) {
    for takenAt in queue.acknowledge(sequences) { latencies.append((now - takenAt).count) }
  }

  private func noAnswer(_ exchange: Exchange) -> Event {
    switch exchange.kind {
    case .upload: .uploadFinished(exchange.id, .ambiguous, queue: queue.counts)
    case .reconcile:
      .reconcileFinished(exchange.id, .failed(status: 0), queue: queue.counts)
    }
  }

  private func unreachable(_ exchange: Exchange) -> Event {
    switch exchange.kind {
    case .upload: .uploadFinished(exchange.id, .unreachable, queue: queue.counts)
    case .reconcile:
      .reconcileFinished(exchange.id, .failed(status: 0), queue: queue.counts)
    }
  }
}
