import Foundation
import TestSupport
import Testing

extension LaboratoryTests {
  @Suite(.serialized) struct PPPTests {
    struct Trouble: Sendable, CustomTestStringConvertible {
      var name: String
      var mode = "nodetach"
      /// What status calls the problem meanwhile.
      var words: String
      /// The tracker has no rights, and root's helper runs the commands.
      var isHelped = false
      var testDescription: String { "\(name), \(mode)\(isHelped ? ", helped" : "")" }
    }

    /// pppd says so even if nobody has answered it.
    static let hungUp = "network.up ended with code 16: the other end hung up or does not answer"

    static let troubles = [
      Trouble(name: "vanishes", words: hungUp),
      Trouble(
        name: "refuses",
        words: "network.up ended with code 19: the network refuses pppd's user or password"),
      Trouble(
        name: "no-carrier", words: "network.up ended with code 8: the modem could not dial"),
      Trouble(name: "no-names", words: "Could not resolve host: camp.example"),
      Trouble(name: "passes-nothing", words: "Failed to connect to camp.example"),
      Trouble(name: "up-fails", words: "network.up ended with code 3"),
      Trouble(name: "up-hangs", words: "network.up has not brought ppp0 up within 60 s"),
      Trouble(name: "hangs", words: hungUp),
      Trouble(name: "vanishes", mode: "updetach", words: "network.up ended with code"),
      Trouble(name: "vanishes", words: hungUp, isHelped: true),
      Trouble(
        name: "up-hangs", words: "network.up has not brought ppp0 up within 60 s", isHelped: true),
      Trouble(
        name: "vanishes", mode: "updetach", words: "network.up ended with code", isHelped: true),
    ]

    @Test(arguments: troubles)
    func `Over PPP each capture arrives once in spite of trouble, and status names its cause`(
      _ trouble: Trouble
    ) throws {
      let again = "repeat with: .ci/lab test PPPTests"
      let how = trouble.isHelped ? ["helped"] : []
      let guest = try Guest("ppp.sh", [trouble.name, trouble.mode] + how, limit: 400)
      try guest.useVirtualTime(from: "2026-05-01T06:00:00Z")
      let down = trouble.mode == "updetach" ? ", down: ['/run/down']" : ""
      let isScript = trouble.name.hasPrefix("up-")
      let up = isScript ? "['/run/up']" : "['pppd', 'file', '/run/options']"
      try guest.configure([
        "modemPort": "'/run/modem'", "bearer": "'interface'",
        "network": "{ interface: 'ppp0', up: \(up)\(down) }",
        "server": Guest.server(at: "camp.example"),
        "capture": "{ policy: 'standard', interval: '30 s' }",
        "transmit": "{ interval: '1 min' }", "reconnectFloor": "'0 s'",
      ])
      try guest.run()
      let status = guest.text("status.during")
      let log = guest.text("log")
      #expect(
        status.contains(trouble.words),
        "\(status)\n\(log); \(again)")
      #expect(guest.text("user") == (trouble.isHelped ? "nobody\n" : "root\n"), "\(again)")
      try guest.expectEachOnce(Guest.announced(in: log), again)
      let left = guest.text("processes").split(separator: "\n").filter {
        $0.contains("/run/up") || $0.contains("/run/options") || $0.contains("<defunct>")
      }
      #expect(left.isEmpty, "\(left); \(again)")
    }
  }
}
