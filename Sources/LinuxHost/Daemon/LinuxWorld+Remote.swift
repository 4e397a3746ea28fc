import CaptureStore
import Courier
import FieldConsole
import History
import TrackerCore

// What the control room orders over the server.
extension LinuxWorld {
  /// Obeys or refuses the orders of which nothing has become yet.
  ///
  /// A command is only concluded when the tracker has taken it: a kill before that has it obeyed
  /// again, which is the same as once.
  mutating func obeyRoom() {
    guard let messages = try? queue.courier.store.messages() else { return }
    for order in messages where order.kind == .order && order.outcome == nil {
      // The courier does these.
      if HistoryRequest.isOne(order.text) { continue }
      guard !(roomCommands ?? []).contains(order), !callOrders.contains(order) else { continue }
      do throws(ConsoleError) {
        try obey(order)
      } catch {
        let why = error.texts[settings.inForce.reading.language ?? .english]
        log.write(.warning, "an order of the control room was refused", ["why": why])
        conclude(order, OrderOutcome.refused(why))
      }
    }
  }

  private mutating func obey(_ order: KeptMessage) throws(ConsoleError) {
    let who = "\(order.author) (room)"
    let wanted = try RemoteOrder(
      order.text, by: who, to: settingsRequest, settings.inForce, finish: finish)
    switch wanted {
    case .command(.captureNow) where !status.isSessionRunning:
      throw ConsoleError(ProblemPhrase.noSession.texts)
    case .command(let command):
      loop.events.append(.commandGiven(command, from: .room))
      if command == .askForCall { callOrders.append(order) } else { roomCommands?.append(order) }
      if command == .endCallRequest { concludeCalls(OrderOutcome.undone) }
      log.write(.notice, "the control room ordered", ["what": order.text, "who": who])
    case .change(let new, let key):
      do throws(StoreError) {
        try save(new)
      } catch {
        // It is tried again after the next start or contact.
        return log.write(.error, "orders could not be saved", ["why": "\(error)"])
      }
      settings.inForce = new
      announceSettings()
      log.write(
        .notice, new.order(key) == nil ? "an order was undone" : "a setting was ordered",
        ["key": "\(key)", "value": new.reading.text(of: key) ?? "none", "who": who])
      conclude(order, OrderOutcome.inForce)
    }
  }

  /// In force; `nil`: none, or nobody knows when the session began.
  private var finish: UTC? {
    switch settings.inForce.reading.core.configuration.finish {
    case .at(let utc): utc
    case .after(let length): status.memory.session?.begun.utc.map { $0 + length }
    case nil: nil
    }
  }

  /// What is granted now to whoever asks for a history.
  var historyTerms: HistoryTerms {
    var terms = HistoryTerms()
    terms.isAllowed = settings.inForce.reading.core.remote.contains(.history)
    terms.isInReserve = isInReserve
    terms.isUrgent = status.memory.emergency?.isStanding ?? false
    terms.milliwatts = parts.modemMilliwatts
    terms.date = status.date(at: now)
    terms.language = settings.inForce.reading.language ?? .english
    return terms
  }

  /// The tracker has handled all that was given to it.
  ///
  /// - Returns: whether it has been given something more: of an earlier run.
  mutating func concludeRoomCommands() -> Bool {
    guard let done = roomCommands else {
      roomCommands = []
      obeyRoom()
      return !loop.events.isEmpty
    }
    if !done.isEmpty { roomCommands = [] }
    for order in done { conclude(order, OrderOutcome.inForce) }
    if !status.isCallAsked { concludeCalls(OrderOutcome.seen) }
    return false
  }

  /// The team need not call any more. Until then the order is without an outcome, so that the next
  /// run asks for the call again.
  private mutating func concludeCalls(_ outcome: String) {
    for order in callOrders { conclude(order, outcome) }
    callOrders = []
  }

  private mutating func conclude(_ order: KeptMessage, _ outcome: String) {
    do throws(StoreError) {
      try queue.courier.store.conclude(order, outcome)
    } catch {
      log.write(.error, "what became of an order could not be saved", ["why": "\(error)"])
    }
  }
}
