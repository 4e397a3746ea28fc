import Testing

@testable import Simulation

@Test func theBuiltInCourseIs100KilometresLong() {
  #expect((Course.olotToTheSea.length - 100_000).magnitude < 0.01)
}
