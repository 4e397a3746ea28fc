import Testing
import TrackerCore

@testable import Simulation

/// How old the last known position is, on average.
@Suite struct PositionAgeTests {
  private let again: Comment = "repeat with: swift test --filter PositionAgeTests"
  private let hour = Instant.start + .hours(1)

  @Test func `Without a delivery it grows from the start`() {
    #expect(PositionAge().mean(until: hour) == .minutes(30), again)
    #expect(PositionAge().mean(until: .start) == 0, again)
  }

  @Test func `A delivery brings it down to the age of what is delivered, then it grows again`() {
    var age = PositionAge()
    age.delivered(takenAt: .start + .minutes(30), at: .start + .minutes(30))
    #expect(age.mean(until: hour) == .minutes(15), again)
    var late = PositionAge()
    late.delivered(takenAt: .start + .minutes(20), at: .start + .minutes(30))
    // From 0 to 30 min, then from 10 to 40 min.
    #expect(late.mean(until: hour) == .minutes(20), again)
  }

  @Test func `What is older than the last known position changes nothing`() {
    var age = PositionAge()
    age.delivered(takenAt: .start + .minutes(30), at: .start + .minutes(30))
    age.delivered(takenAt: .start + .minutes(10), at: .start + .minutes(40))
    #expect(age.mean(until: hour) == .minutes(15), again)
  }
}
