import Foundation
import Testing

/// The package's own files, for runs that play them.
enum Repository {
  static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The traces by name, sorted.
  static func traces() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path("traces"))
      .filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()
  }
}

/// Every trace has an expectation: the figures of its run, the digest of all events and effects
/// included.
///
/// The same files serve debug and release builds and every machine, so they also hold the promise
/// that these agree. A changed expectation is explained in the commit that changes it. Made with
///
///     tracker-sim --trace traces/NAME.nmea --json > traces/NAME.expected
@Suite struct GoldenRunTests {
  @Test func `There are traces, each with an expectation and none without a trace`() throws {
    let traces = try Repository.traces()
    #expect(traces.count >= 7, "traces/ has lost some: \(traces)")
    let expectations = try FileManager.default.contentsOfDirectory(
      atPath: Repository.path("traces")
    ).filter { $0.hasSuffix(".expected") }.map { String($0.dropLast(9)) }.sorted()
    #expect(traces == expectations)
  }

  @Test(arguments: try Repository.traces())
  func `A trace plays as expected`(_ name: String) throws {
    let run = try ProgramRun(["--trace", Repository.path("traces/\(name).nmea"), "--json"])
    let expected = try String(
      contentsOfFile: Repository.path("traces/\(name).expected"), encoding: .utf8)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output == expected,
      """
      repeat with: swift run tracker-sim --trace traces/\(name).nmea --json \
      | diff traces/\(name).expected -
      """)
  }
}
