import Testing

@testable import TrackerCore

@Suite struct ReasonTests {
  @Test func `Every reason has its own key, and only two have a number`() {
    let keys = ReasonRoster.all.map { $0.key.description }
    #expect(Set(keys).count == 26, again(Self.self))
    #expect(ReasonRoster.all.compactMap(\.detail) == [503, 1016], again(Self.self))
  }
}
