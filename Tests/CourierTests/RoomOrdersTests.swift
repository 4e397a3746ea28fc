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
    #expect(orders.open(in: store) == [order], Self.again)
    orders.give(order, .captureNow)
    try orders.save(in: store)
    #expect(try orders.open(in: store) == [] && Self.outcomes(store) == [nil], Self.again)
    #expect(orders.handled(isCallAsked: false), Self.again)
    try orders.save(in: store)
    #expect(try Self.outcomes(store) == ["in force"], Self.again)
    #expect(!orders.handled(isCallAsked: false) && orders.open(in: store) == [], Self.again)
  }

  @Test func `A program that was killed before that gives it again`() throws {
    let order = Self.order(1, "capture")
    let store = try Self.store(order)
    var killed = RoomOrders()
    killed.give(order, .captureNow)
    var next = RoomOrders()
    #expect(!next.hasBegun && next.open(in: store) == [order] && next.hasBegun, Self.again)
  }

  @Test func `An order whose outcome is not on disk yet is not given again`() throws {
    let order = Self.order(1, "capture")
    let store = try Self.store(order)
    var orders = RoomOrders()
    orders.give(order, .captureNow)
    #expect(orders.handled(isCallAsked: false) && orders.open(in: store) == [], Self.again)
    try orders.save(in: store)
    #expect(try Self.outcomes(store) == ["in force"], Self.again)
  }

  @Test(arguments: [(Command.captureNow, "seen by the team"), (.endCallRequest, "undone")])
  func `A request for a call is open until the team has seen it, or the room takes it back`(
    ending: Command, outcome: String
  ) throws {
    let (call, undo) = (Self.order(1, "call"), Self.order(2, "undo call"))
    let store = try Self.store(call, undo)
    var orders = RoomOrders()
    orders.give(call, .askForCall)
    #expect(!orders.handled(isCallAsked: true), Self.again)
    if ending == .endCallRequest { orders.give(undo, ending) }
    #expect(orders.handled(isCallAsked: false), Self.again)
    try orders.save(in: store)
    #expect(try Self.outcomes(store)[0] == outcome, Self.again)
  }
}
