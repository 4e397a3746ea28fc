import CaptureStore
import Courier
import FieldConsole
import History
import TrackerCore

// What the control room orders over the server.
extension LinuxWorld {
  /// Obeys or refuses the orders of which nothing has become yet.
  mutating func obeyRoom() {
    for order in roomOrders.open(in: queue.courier.store) {
      do throws(ConsoleError) {
        try obey(order)
      } catch {
        let why = error.texts[settings.inForce.reading.language ?? .english]
        log.write(.warning, "an order of the control room was refused", ["why": why])
        roomOrders.conclude(order, OrderOutcome.refused(why))
      }
    }
    saveOutcomes()
  }

  private mutating func obey(_ order: KeptMessage) throws(ConsoleError) {
    let who = "\(order.author) (room)"
    let wanted = try RemoteOrder(
      order.text, by: who, to: settingsRequest, settings.inForce, finish: finish)
    switch wanted {
    case .command(.captureNow) where !status.isSessionRunning:
      throw ConsoleError(ProblemPhrase.noSession.texts)
    case .command(let command):
      loop.append(.commandGiven(command, from: .room))
      roomOrders.give(order, command)
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
      roomOrders.conclude(order, OrderOutcome.inForce)
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
    guard roomOrders.hasBegun else {
      obeyRoom()
      return !loop.arrivals.isEmpty
    }
    if roomOrders.handled(isCallAsked: status.isCallAsked) { saveOutcomes() }
    return false
  }

  private mutating func saveOutcomes() {
    do throws(StoreError) {
      try roomOrders.save(in: queue.courier.store)
    } catch {
      log.write(.error, "what became of an order could not be saved", ["why": "\(error)"])
    }
  }
}
