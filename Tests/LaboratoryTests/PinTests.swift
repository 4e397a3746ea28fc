import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  /// trackerd, libgpiod and the kernel's simulated lines; the times are those of the guest's clock.
  @Suite(.serialized) struct PinTests {
    private static let again =
      "repeat with: .ci/lab test PinTests"

    @Test func `The power key's pulses keep their length while the disk is stalled`() throws {
      let guest = try guest("stall")
      try guest.run()
      let console = guest.text("console")
      #expect(console.contains("trackerd is stalled"), "\(console); \(Self.again)")
      let edges = try edges(guest)
      try #require(edges.map(\.level) == [0, 1, 0, 1, 0], "\(edges); \(Self.again)")
      // Waveshare's HAT: 2 s switch the modem on, 3 s off. By the manual of the SIM7600 a press of
      // 2.5 s and more switches it off.
      let on = edges[2].at - edges[1].at
      let off = edges[4].at - edges[3].at
      print("pulses of \(on) ms, with the disk stalled, and \(off) ms")
      #expect(abs(on - 2000) <= 50, "\(edges); \(Self.again)")
      #expect(abs(off - 3000) <= 50 && off >= 2500, "\(edges); \(Self.again)")
      // STATUS says that the modem is off: nothing is asked of it before its key is pressed.
      let first = try #require(heard(guest).first, "\(Self.again)")
      #expect(first > edges[2].at, "\(guest.text("modem"))\n\(edges); \(Self.again)")
    }

    @Test func `A short press of the button takes a capture, long ones stop and start`() throws {
      let guest = try guest("button")
      try guest.run()
      let log = guest.text("log")
      // The first of each session, the one that was asked for, and the last before the stop.
      #expect(Guest.announced(in: log) == [1, 2, 3, 4], "\(log); \(Self.again)")
      #expect(log.contains("session stopped"), "\(log); \(Self.again)")
    }

    @Test func `Held for six seconds the button calls for help, and the light says so`() throws {
      let guest = try guest("emergency")
      try guest.run()
      let log = guest.text("log")
      #expect(!log.contains("session stopped"), "\(log); \(Self.again)")
      let light = SeenLight(guest)
      #expect(
        light.code.contains("fff") && light.code.contains("sssLLLsssLLL"),
        "\(light.blinks); \(Self.again)")
      #expect(guest.text("status").contains("EMERGENCY"), "\(guest.text("status")); \(log)")
    }

    @Test func `A button of its own calls for help after two seconds, and takes that back`() throws
    {
      let guest = try guest("guarded")
      try guest.run()
      let log = guest.text("log")
      let stages = log.split(separator: "\n").compactMap { line in
        line.split(separator: "stage=").dropFirst().first.map(String.init)
      }
      #expect(stages == ["raised", "stored", "withdrawn"], "\(log); \(Self.again)")
    }

    @Test func `A button that another program holds is named, and the other lines work`() throws {
      let guest = try guest("busy")
      try guest.run()
      let status = guest.text("status")
      #expect(
        Guest.line("pins", of: status).contains("line 16 of pinctrl-bcm2835 is used by \"gpiomon"),
        "\(status); \(Self.again)")
      #expect(!SeenLight(guest).code.isEmpty, "\(guest.text("log")); \(Self.again)")
      // STATUS says that the modem is off: it is pressed before anything is asked of it.
      let edges = try edges(guest)
      let first = try #require(heard(guest).first, "\(guest.text("log")); \(Self.again)")
      try #require(edges.count >= 3 && first > edges[2].at, "\(edges) \(first); \(Self.again)")
    }

    @Test func `Killed in the middle of a pulse, it releases the key before it asks anything`()
      throws
    {
      let guest = try guest("killed")
      try guest.run()
      #expect(guest.text("level") == "1\n", "the key was not held; \(Self.again)")
      let edges = try edges(guest)
      let restart = Int((Double(guest.text("restart").dropLast()) ?? 0) * 1000)
      let released = try #require(
        edges.first { $0.at >= restart && $0.level == 0 }, "\(edges); \(Self.again)")
      #expect(released.at - restart < 5000, "\(edges), restart \(restart); \(Self.again)")
      let asked = heard(guest).filter { $0 >= restart }
      #expect(asked.allSatisfy { $0 > released.at }, "\(asked) \(edges); \(Self.again)")
      #expect(!asked.isEmpty, "\(guest.text("log")); \(Self.again)")
    }

    private func guest(_ task: String) throws -> Guest {
      let guest = try Guest("pins.sh", [task], limit: 120)
      try guest.useVirtualTime(from: "2026-05-01T06:00:00Z")
      try Laboratory.makeDisk(guest.folder.path("a"), megabytes: 64)
      guest.parameters.append("ubda=\(guest.folder.path("a"))")
      // While the disk is stalled, a capture is due every second.
      let interval = task == "stall" ? "1 s" : "10 min"
      let emergency =
        task == "guarded" ? "\nemergency: { value: 21, active: \"high\", source: \"test\" }," : ""
      try guest.writeBoard(
        ["pi-zero-2w", "waveshare-sim7600", "neo-6m", "li-ion-3p"],
        """
        pins: {
          modemStatus: { value: 5, active: "high", source: "test" },
          button: { value: 16, active: "high", source: "test" },
          statusLight: { value: 20, active: "high", source: "test" },\(emergency)
        }
        """)
      try guest.configure([
        "store": "'/run/a/captures.db'", "modemPort": "'/run/modem'", "bearer": "'modem'",
        "apn": "'internet'",
        "capture": "{ policy: 'standard', interval: '\(interval)' }",
        "transmit": "{ interval: '10 min' }",
      ])
      return guest
    }

    /// When the key had which level: milliseconds, and 1 for pressed.
    private func edges(_ guest: Guest) throws -> [(at: Int, level: Int)] {
      try guest.text("key").split(separator: "\n").map { line in
        let words = line.split(separator: " ").compactMap { Int($0) }
        guard words.count == 2 else { throw Problem("an edge: \(line)") }
        return (words[0], words[1])
      }
    }

    /// When a command was sent to the modem.
    private func heard(_ guest: Guest) -> [Int] {
      guest.text("modem").split(separator: "\n").dropFirst().compactMap {
        $0.split(separator: " ").first.flatMap { Int($0) }
      }
    }
  }
}
