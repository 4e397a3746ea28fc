import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  @Suite struct HotUnplugTests {
    private static let again =
      "repeat with: .ci/lab test HotUnplugTests"

    @Test func `A modem unplugged during an upload returns by another name, and all arrives once`()
      throws
    {
      let guest = try Guest("acm.sh", limit: 120)
      guest.parameters = ["dummy_hcd.num=2"]
      try guest.useVirtualTime(from: "2026-05-01T06:00:00Z")
      try guest.configure([
        "modemPort": "'usb:1e0e:9001'", "bearer": "'modem'", "apn": "'internet'",
        "capture": "{ policy: 'standard', interval: '30 s' }",
        "transmit": "{ interval: '1 min' }", "reconnectFloor": "'0 s'",
      ])
      try guest.run()
      let console = guest.text("console")
      #expect(console.contains("modem is ttyACM1: 9001"), "\(console); \(Self.again)")
      let status = guest.text("status.unplugged")
      #expect(
        Guest.line("sending", of: status).hasSuffix("no: /dev/ttyACM0: hung up"),
        "\(status)\n\(guest.text("log")); \(Self.again)")
      #expect(status.contains("ago: the modem's line was lost"), "\(status); \(Self.again)")
      try guest.expectEachOnce(Guest.announced(in: guest.text("log")), Self.again)
    }
  }
}
