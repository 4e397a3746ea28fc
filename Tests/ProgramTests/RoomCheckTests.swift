import Testing
import TrackerCore

@testable import Simulation
@testable import tracker_sim

/// What `tracker-sim explore` asks of a control room.
@Suite struct RoomCheckTests {
  /// The server has no identifiers of its own, and the card has lost what was sent under some.
  private func deliveries() throws -> [Delivery] {
    let start = UTC(milliseconds: 1_776_500_000_000)
    return (0..<20).map { number in
      let minutes = Int64(number) * 10
      return Delivery(
        at: start + .minutes(minutes), tracker: "1", team: "Els Senglars",
        id: UniqueID(high: 7, low: UInt64(number % 15)), taken: start + .minutes(minutes - 1),
        position: Coordinate(latitude: 420_000_000 + Int32(number) * 9000, longitude: 25_000_000),
        batteryPercent: 80, trigger: .interval, promise: start + .minutes(minutes + 15),
        silence: nil, sequence: UInt32(number % 15) + 1)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `What comes again with other contents makes the same board in any order`(
    seed: UInt64
  ) throws {
    #expect(try RoomCheck.broken(by: deliveries(), seed: seed) == nil)
  }

  @Test func `What differs is told`() {
    let ordered = ["{", "\"undated_captures\": 0,", "}"]
    let mixed = ["{", "\"undated_captures\": 2,", "}"]
    let told = RoomCheck.difference(ordered, mixed)
    #expect(told == "\"undated_captures\": 0, becomes \"undated_captures\": 2,")
    #expect(RoomCheck.difference(ordered, ordered) == nil)
    #expect(RoomCheck.difference(ordered, ordered + ["{"]) == "3 lines becomes 4")
  }
}
