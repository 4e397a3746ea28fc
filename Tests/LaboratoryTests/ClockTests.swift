import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  @Suite struct ClockTests {
    private static let again =
      "repeat with: .ci/lab test ClockTests"

    @Test func `A computer that starts in 1970 is set by the receiver, and delivers`() throws {
      let guest = try Guest("clock.sh", [trace.path], limit: 120)
      try guest.useVirtualTime(from: "1970-01-01T00:00:10Z")
      try guest.configure([
        "bearer": "'none'", "clock": "'set'",
        "capture": "{ policy: 'standard', interval: '30 s' }", "transmit": "{ interval: '30 s' }",
      ])
      try guest.run()
      #expect(guest.text("before") == "1970\n", "\(Self.again)")
      let (after, log) = (guest.text("after"), guest.text("log"))
      #expect(after.hasPrefix("2026-04-18T08:"), "\(after)\n\(log); \(Self.again)")
      #expect(guest.text("log").contains("the system clock was set"), "\(Self.again)")
    }

    private var trace: URL {
      Built.repository.appendingPathComponent("traces/rest-40min.nmea")
    }
  }
}

extension Guest {
  /// Writes a board of these parts, with more keys, as `board.json5`.
  func writeBoard(_ parts: [String], _ keys: String) throws {
    let boards = Built.repository.appendingPathComponent("boards").path
    let paths = parts.map { "'\(boards)/\($0)'" }.joined(separator: ", ")
    _ = try folder.write(
      "board.json5",
      """
      {
        name: "Board of the laboratory", description: "For a test", support: "unverified",
        combines: [\(paths)],
        \(keys),
      }
      """)
  }
}
