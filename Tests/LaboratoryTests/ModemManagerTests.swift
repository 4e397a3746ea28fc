import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  /// ModemManager as Debian ships it, and the modem's port that is the tracker's.
  @Suite(.serialized) struct ModemManagerTests {
    private static let again = "repeat with: .ci/lab test ModemManagerTests"

    private func run(_ what: String, as user: String) throws -> Guest {
      let guest = try Guest("modem-manager.sh", [what, user], limit: 400)
      try guest.useVirtualTime(from: "2026-05-01T06:00:00Z")
      try guest.configure([
        "store": "'/run/state/captures.db'", "control": "'/run/state/control'",
        "modemPort": "'usb:1e0e:9001:2'", "bearer": "'modem'", "apn": "'internet'",
        "capture": "{ policy: 'standard', interval: '30 s' }",
        "transmit": "{ interval: '1 min' }", "reconnectFloor": "'0 s'",
      ])
      try guest.run()
      try guest.expectEachOnce(Guest.announced(in: guest.text("log")), Self.again)
      return guest
    }

    /// It asks for the modem's capabilities, which trackerd never does.
    private func wasProbed(_ guest: Guest) -> Bool { guest.text("modem").contains("AT+GCAP") }

    @Test func `It probes the port of a tracker that starts, and each capture arrives once`()
      throws
    {
      let guest = try run("probes", as: "nobody")
      #expect(wasProbed(guest), "\(guest.text("modem")); \(Self.again)")
      #expect(guest.text("modems").contains("/Modem/0"), "\(guest.text("modems")); \(Self.again)")
    }

    @Test func `By the package's rule it leaves the port alone`() throws {
      let guest = try run("ignores", as: "nobody")
      #expect(!wasProbed(guest), "\(guest.text("modem")); \(Self.again)")
      #expect(guest.text("modems").contains("No modems"), "\(guest.text("modems")); \(Self.again)")
    }

    @Test func `While it holds the port the tracker says NO-GO, and then it delivers`() throws {
      let status = try run("holds", as: "nobody").text("status.during")
      let why = "another program uses the modem's port: /dev/ttyACM1 is in use"
      #expect(status.contains("NO-GO") && status.contains(why), "\(status); \(Self.again)")
      #expect(status.contains("systemctl disable --now ModemManager"), "\(status); \(Self.again)")
    }

    @Test func `It opens the port in spite of all locks, and status names it`() throws {
      let guest = try run("shares", as: "root")
      let why = "/dev/ttyACM1 is also used by ModemManager (process "
      let status = guest.text("status.during")
      #expect(status.contains("NO-GO") && status.contains(why), "\(status); \(Self.again)")
      let log = guest.text("log")
      #expect(log.contains("ModemManager may use the modem's port"), "\(log); \(Self.again)")
    }
  }
}
