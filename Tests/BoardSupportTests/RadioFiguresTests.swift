import Testing
import TrackerCore

@testable import BoardSupport

@Suite struct RadioFiguresTests {
  private let again: Comment = "repeat with: swift test --filter RadioFiguresTests"

  private static let load = "modemIdle: { value: \"17.5 mA\", source: \"bench\" },"
  private static let time = "family: \"SIM5320\","

  @Test func `Without promotion and tail a radio takes nothing around a transfer`() throws {
    let bench = try BoardDescription.parse(try Fixture.root(Fixture.board), identifier: "bench")
    #expect(bench.radio == RadioFigures(), again)
  }

  @Test func `Promotion and tail are read, each a time and a load`() throws {
    let text = Fixture.board
      .replacing(
        Self.load,
        with: Self.load + " modemPromotion: { value: \"171 mA\", source: \"bench\" },"
          + " modemTail: { value: \"200 mA\", source: \"bench\" },"
      )
      .replacing(
        Self.time,
        with: Self.time + " promotion: { value: \"260 ms\", source: \"bench\" },"
          + " tail: { value: \"10 s\", source: \"bench\" },")
    let radio = try BoardDescription.parse(try Fixture.root(text), identifier: "bench").radio
    #expect(radio.promotion == 260 && radio.promotionMicroamps == 171_000, again)
    #expect(radio.tail == .seconds(10) && radio.tailMicroamps == 200_000, again)
  }

  @Test func `A tail without its load is a mistake, and the other way round`() {
    let time = Fixture.boardError(
      Self.time, Self.time + " tail: { value: \"10 s\", source: \"bench\" },")
    #expect(time?.contains("modemTail") == true, "\(time ?? "no error"); \(again)")
    let load = Fixture.boardError(
      Self.load, Self.load + " modemTail: { value: \"200 mA\", source: \"bench\" },")
    #expect(load?.contains("tail") == true, "\(load ?? "no error"); \(again)")
  }
}
