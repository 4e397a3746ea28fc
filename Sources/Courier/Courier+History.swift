import CaptureStore
public import History
public import TrackerCore
import Uplink
public import Wording

/// What a tracker grants to whoever asks for a history, and what it costs.
public struct HistoryTerms: Sendable, Equatable {
  public var isAllowed = false
  /// Nothing is left for histories then.
  public var isInReserve = false
  /// An emergency stands: nothing goes beside it.
  public var isUrgent = false
  /// What the modem takes while it sends; 0: not known.
  public var milliwatts = 0
  /// By the tracker's clock; `nil`: it is not trusted.
  public var date: UTC?
  /// Of what is said to the room.
  public var language = Language.english

  public init() {}
}

/// An order of the control room that asks for a history.
public struct OpenHistory: Sendable, Equatable {
  var order: KeptMessage
  public var request: HistoryRequest
}

/// What a courier knows of histories that it was asked for.
struct HistoryExchange {
  var terms = HistoryTerms()
  /// What goes to the server, once it has been picked, and for which order.
  var picked: (open: OpenHistory, answer: HistoryAnswer)?
  /// What the room is told of accepted orders, by their numbers.
  var progress: [UInt32: String] = [:]
  /// The orders as the server has them.
  var served: [UInt32: ServedMessage] = [:]
  /// The newest capture when the last upload began: all up to it go first.
  var lastCapture: CaptureKey?
  /// In a row, the server has said that it has no such table.
  var isUnsupported = false
  var task: HistoryTask?
  /// Parts that the server does not have.
  var unsent: [HistoryPart] = []
  var requestsLeft = 0

  mutating func useAnotherServer() {
    let (terms, picked) = (terms, picked)
    self = HistoryExchange()
    (self.terms, self.picked) = (terms, picked)
  }
}

// The order is kept before the server knows that it was fetched, and counts as done when the server
// has all parts. After a kill it is all done again: the same slots are in parts with the same keys,
// and the server is asked first which of them it has.
extension Courier {
  public var historyTerms: HistoryTerms {
    get { history.terms }
    set { history.terms = newValue }
  }

  /// Refuses what may not be, and says of the rest what it would cost.
  mutating func judgeHistories(_ messages: [ServedMessage]) throws(StoreError) {
    history.progress = [:]
    var count = 0
    for order in try openOrders() {
      do throws(HistoryError) {
        let request = try check(order, count)
        count += 1
        history.progress[order.number] = request.cost(milliwatts: history.terms.milliwatts)
      } catch {
        try store.conclude(order, OrderOutcome.refused(error.texts[history.terms.language]))
      }
    }
    // Those of which the server was told are not served again.
    for message in messages { history.served[message.number] = message }
    history.served = history.served.filter { history.progress[$0.key] != nil }
  }

  private func openOrders() throws(StoreError) -> [KeptMessage] {
    try store.messages().filter {
      $0.kind == .order && $0.outcome == nil && HistoryRequest.isOne($0.text)
    }
  }

  /// - Parameter count: how many others are open.
  private func check(
    _ order: KeptMessage, _ count: Int
  ) throws(HistoryError) -> HistoryRequest {
    let terms = history.terms
    guard terms.isAllowed else { throw HistoryError(.notAllowed) }
    let request = try HistoryRequest(order.text, at: terms.date)
    guard !history.isUnsupported else { throw HistoryError(.noTable) }
    guard !terms.isInReserve else { throw HistoryError(.reserve) }
    guard count < HistoryBounds.open else { throw HistoryError(.open, "\(count)") }
    return request
  }

  /// The oldest one that was accepted; `nil`: none.
  public var openHistory: OpenHistory? {
    guard history.terms.isAllowed, let orders = try? openOrders() else { return nil }
    for order in orders {
      if let request = try? check(order, 0) {
        return OpenHistory(order: order, request: request)
      }
    }
    return nil
  }

  /// Whether its positions have been picked.
  public func hasPicked(_ open: OpenHistory) -> Bool { history.picked?.open == open }

  /// Takes what was picked.
  public mutating func take(_ answer: HistoryAnswer, for open: OpenHistory) {
    history.picked = (open, answer)
  }

  /// The outcome of a fetch, after which something may be owed.
  func owing(_ outcome: FetchOutcome) -> FetchOutcome {
    guard case .answered(let answer) = outcome, openHistory != nil else {
      return outcome
    }
    return .owing(answer)
  }

  // MARK: Delivering

  /// Begins to tell what was picked, unless captures of this contact still wait.
  ///
  /// - Returns: `nil`: there is nothing to tell now.
  mutating func beginHistory(at now: HostTime) throws(StoreError) -> UplinkStep? {
    let (id, outcome): (RequestID, FetchOutcome)
    switch work {
    case .fetch(let last, let fetched), .notes(let last, let fetched):
      (id, outcome) = (last, fetched)
    case .upload, .reconcile, .history, nil: return nil
    }
    guard case .answered = outcome, !history.terms.isUrgent, let (open, _) = history.picked,
      openHistory == open
    else { return nil }
    if let oldest = try store.oldestWaiting(), let last = history.lastCapture,
      oldest.key.number <= last.number
    {
      return nil
    }
    work = .history(id, outcome)
    history.requestsLeft = CourierBounds.historyRequests
    return tell(.ask(device: store.device, request: open.order.number), at: now)
  }

  /// A step's result of telling it.
  ///
  /// - Returns: the next step; `nil`: it is over for this contact.
  mutating func take(_ outcome: HistoryOutcome, at now: HostTime) throws(StoreError) -> UplinkStep?
  {
    guard let (open, answer) = history.picked else { return nil }
    switch (outcome, history.task) {
    case (.known(let keys), .ask?):
      history.unsent = answer.parts.map {
        HistoryPart(
          of: store.device, request: open.order.number, asked: open.order.created,
          number: $0.number, $0.positions)
      }.filter { !keys.contains($0.key) }
      return try next(open, answer.result, at: now)
    case (.added(let isTaken), .add(let parts, _)?):
      guard isTaken.count == parts.count else { return nil }
      if isTaken.contains(false) { return try refuse(open, .notTaken, at: now) }
      history.unsent.removeFirst(min(parts.count, history.unsent.count))
      return try next(open, answer.result, at: now)
    case (.unsupported, _):
      history.isUnsupported = true
      return try refuse(open, .noTable, at: now)
    case (.failed, _), (.known, _), (.added, _): return nil
    }
  }

  private mutating func next(
    _ open: OpenHistory, _ result: String, at now: HostTime
  ) throws(StoreError) -> UplinkStep? {
    if history.unsent.isEmpty { return try conclude(open, result, at: now) }
    let parts = Array(history.unsent.prefix(UplinkBounds.historyParts))
    return tell(.add(parts, device: store.device), at: now)
  }

  private mutating func tell(_ task: HistoryTask, at now: HostTime) -> UplinkStep? {
    guard history.requestsLeft > 0, !history.terms.isUrgent else { return nil }
    history.requestsLeft -= 1
    history.task = task
    return dialogue.tell(task, at: now.utc)
  }

  private mutating func refuse(
    _ open: OpenHistory, _ why: HistoryPhrase, at now: HostTime
  ) throws(StoreError) -> UplinkStep? {
    let text = HistoryError(why).texts[history.terms.language]
    return try conclude(open, OrderOutcome.refused(text), at: now)
  }

  /// The order is done; the room is told at once.
  private mutating func conclude(
    _ open: OpenHistory, _ outcome: String, at now: HostTime
  ) throws(StoreError) -> UplinkStep? {
    try store.conclude(open.order, outcome)
    (history.picked, history.task) = (nil, nil)
    guard let served = history.served[open.order.number],
      let confirmation = MailConfirmation(served, outcome: outcome)
    else { return nil }
    return dialogue.confirm([confirmation], to: store.device, at: now.utc)
  }
}
