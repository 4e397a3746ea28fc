import Foundation
import Testing

/// The figure by which a change of the tracker is judged: what a delivered capture costs.
///
/// The figures of `traces/*.expected` are compared with runs by GoldenRunTests. They follow every
/// change; these limits do not.
@Suite struct JoulesTests {
  /// Joules per delivered capture, as reached. Lower one when it was improved on; raise one only
  /// for a reason that the commit states, such as a better model of the hardware.
  private static let reached: [(trace: String, joules: Double)] = [
    ("cold-start", 359.65), ("garbage", 442.15), ("race", 435.80), ("rest-40min", 432.99),
    ("tunnel", 395.06), ("urban-canyon", 435.30), ("week-rollover", 334.69),
  ]

  @Test(arguments: reached)
  func `A delivered capture costs at most 1 % more than was reached`(
    _ trace: String, _ joules: Double
  ) throws {
    let path = Repository.path("traces/\(trace).expected")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let figures = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let energy = try #require(figures["energy"] as? [String: Any])
    let now = try #require(energy["joules_per_delivered_capture"] as? Double)
    #expect(
      now <= joules * 1.01,
      "\(now) J; look with: swift run tracker-sim --trace traces/\(trace).nmea")
  }

  @Test func `Each golden trace has its limit`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Repository.path("traces"))
      .filter { $0.hasSuffix(".expected") }.map { String($0.dropLast(9)) }
    #expect(
      names.sorted() == Self.reached.map(\.trace), "repeat with: swift test --filter JoulesTests")
  }
}
