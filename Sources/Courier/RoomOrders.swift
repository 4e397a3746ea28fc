public import CaptureStore
import History
public import TrackerCore

/// What a host has to do about the control room's orders: give each to the tracker, and write down
/// what became of it.
///
/// A command is only concluded when the tracker has handled it: a kill before that has it obeyed
/// again, which is the same as once. What a full disk does not take is written later, and the order
/// is not given again meanwhile.
public struct RoomOrders: Sendable {
  /// Given to the tracker, which has not handled them yet; `nil`: those of an earlier run have not
  /// been looked at.
  private var given: [KeptMessage]?
  /// Requests for a call, for as long as the team has not seen them. They have no outcome, so that
  /// the next run asks for the call again.
  private var calls: [KeptMessage] = []
  /// Not on disk.
  private var outcomes: [(order: KeptMessage, text: String)] = []

  public init() {}

  /// Whether those of an earlier run have been looked at.
  public var hasBegun: Bool { given != nil }

  /// The orders of which nothing has become yet, and of which the tracker does not know.
  public mutating func open(in store: CaptureStore) -> [KeptMessage] {
    given = given ?? []
    guard let messages = try? store.messages() else { return [] }
    return messages.filter { order in
      // The courier does what histories need.
      order.kind == .order && order.outcome == nil && !HistoryRequest.isOne(order.text)
        && !isKnown(order)
    }
  }

  private func isKnown(_ order: KeptMessage) -> Bool {
    (given ?? []).contains(order) || calls.contains(order)
      || outcomes.contains { $0.order == order }
  }

  /// The tracker is given the command of an order.
  public mutating func give(_ order: KeptMessage, _ command: Command) {
    if command == .askForCall { calls.append(order) } else { given = (given ?? []) + [order] }
    if command == .endCallRequest { concludeCalls(OrderOutcome.undone) }
  }

  /// It is known what became of an order.
  public mutating func conclude(_ order: KeptMessage, _ outcome: String) {
    outcomes.append((order, outcome))
  }

  /// The tracker has handled all that was given to it.
  ///
  /// - Parameter isCallAsked: whether the tracker asks the team for a call.
  /// - Returns: whether there is something to write down.
  public mutating func handled(isCallAsked: Bool) -> Bool {
    let done = given ?? []
    guard !done.isEmpty || !isCallAsked && !calls.isEmpty else { return false }
    if !done.isEmpty { given = [] }
    for order in done { conclude(order, OrderOutcome.inForce) }
    if !isCallAsked { concludeCalls(OrderOutcome.seen) }
    return true
  }

  private mutating func concludeCalls(_ outcome: String) {
    for order in calls { conclude(order, outcome) }
    calls = []
  }

  /// Writes down what has become of orders.
  ///
  /// - Throws: what was not written is the next time.
  public mutating func save(in store: CaptureStore) throws(StoreError) {
    while let next = outcomes.first {
      try store.conclude(next.order, next.text)
      outcomes.removeFirst()
    }
  }
}
