import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  /// The kernel's driver of an ADS1015, and its clock.
  @Suite(.serialized) struct SensorTests {
    private static let again =
      "repeat with: .ci/lab && swift test --filter LaboratoryTests.SensorTests"

    @Test func `A battery behind an ADS1015 is measured as it discharges, goes and comes back`()
      throws
    {
      let guest = try Guest("adc.sh", limit: 120)
      try guest.useVirtualTime(from: "2026-05-01T06:00:00Z")
      try guest.writeBoard(
        ["pi-zero-2w", "waveshare-sim7600", "neo-6m", "li-ion-3p", "ads1115"],
        "battery: { sensor: { place: { value: '0-0048', source: 'test' } } }")
      try guest.configure(["bearer": "'none'"])
      try guest.run()
      let curve = guest.text("curve").split(separator: "\n").map { $0.split(separator: " ")[1] }
      #expect(curve == ["4100", "3900", "3700", "3500", "3300", "3100"], "\(Self.again)")
      let (gone, back) = (guest.text("gone"), guest.text("back"))
      #expect(gone.contains("not measured: ads1015"), "\(gone); \(Self.again)")
      #expect(back.contains("3800 mV"), "\(back); \(Self.again)")
    }

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
