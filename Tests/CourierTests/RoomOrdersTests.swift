import CaptureStore
import Courier
import TestSupport
import Testing
import TrackerCore

/// What a host does with the control room's orders.
@Suite struct RoomOrdersTests {
  private static let again: Comment = "repeat with: swift test --filter RoomOrdersTests"

  private static func order(_ number: UInt32, _ text: String) -> KeptMessage {
    KeptMessage(
      number: number, kind: .order, text: text, author: "Marta",
      created: Walk.start + .seconds(Int64(number)))
  }

  private static func store(_ orders: KeptMessage...) throws -> CaptureStore {
    let store = try CaptureStore.open(
      .memory, for: .device(UniqueID(high: 0, low: 1)), at: Walk.start)
    try store.keep(orders)
    return store
  }

  private static func outcomes(_ store: CaptureStore) throws -> [String?] {
    try store.messages().map(\.outcome)
  }

  @Test func `A command is given once, and concluded when the tracker has handled it`() throws {
    let order = Self.order(1, "capture")
    let store = try Self.store(order)
    var orders = RoomOrders()
    var open = [orders.open(in: store)]
    orders.give(order, .captureNow)
    try orders.save(in: store)
    open.append(orders.open(in: store))
    let before = try Self.outcomes(store)
    let isNews = [orders.handled(isCallAsked: false), orders.handled(isCallAsked: false)]
    try orders.save(in: store)
    open.append(orders.open(in: store))
    #expect(open == [[order], [], []] && isNews == [true, false], Self.again)
    #expect(try before == [nil] && Self.outcomes(store) == ["in force"], Self.again)
  }

  @Test func `A program that was killed before that gives it again`() throws {
    let order = Self.order(1, "capture")
    let store = try Self.store(order)
    var killed = RoomOrders()
    killed.give(order, .captureNow)
    var next = RoomOrders()
    let hadBegun = next.hasBegun
    let open = next.open(in: store)
    #expect(!hadBegun && open == [order] && next.hasBegun, Self.again)
  }

  @Test func `An order whose outcome is not on disk yet is not given again`() throws {
    let order = Self.order(1, "capture")
    let store = try Self.store(order)
    var orders = RoomOrders()
    orders.give(order, .captureNow)
    let isNews = orders.handled(isCallAsked: false)
    let open = orders.open(in: store)
    #expect(isNews && open.isEmpty, Self.again)
    try orders.save(in: store)
    #expect(try Self.outcomes(store) == ["in force"], Self.again)
  }

  @Test(arguments: [nil, Command.endCallRequest])
  func `A request for a call is open until the team has seen it, or the room takes it back`(
    undo: Command?
  ) throws {
    let (call, back) = (Self.order(1, "call"), Self.order(2, "undo call"))
    let store = try Self.store(call, back)
    var orders = RoomOrders()
    orders.give(call, .askForCall)
    let isSeen = orders.handled(isCallAsked: true)
    if let undo { orders.give(back, undo) }
    let isOver = orders.handled(isCallAsked: false)
    #expect(!isSeen && isOver, Self.again)
    try orders.save(in: store)
    let outcome = undo == nil ? "seen by the team" : "undone"
    #expect(try Self.outcomes(store)[0] == outcome, Self.again)
  }
}
