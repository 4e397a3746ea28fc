import BoardSupport
import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import FirstSetup

@Suite struct ConfigurationTextTests {
  private static let path = "trackerd.json5"

  private func applied(
    _ old: String? = nil, _ change: (inout TrackerChoices) -> Void
  ) throws -> String {
    var choices = TrackerChoices()
    if old == nil { choices.serverAddress = .text("https://host/FeatureServer/0") }
    change(&choices)
    let bytes = try ConfigurationText.applying(
      choices, to: old.map { Array($0.utf8) }, path: Self.path)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func root(_ text: String) throws -> FileNode {
    try FileNode.parse(Array(text.utf8), path: Self.path)
  }

  @Test func `A new configuration has every choice where trackerd reads it`() throws {
    let text = try applied {
      $0.team = .text("Els Senglars")
      $0.number = .text("17")
      $0.serverKind = .text("owntracks")
      $0.serverAddress = .text("https://host/pub")
      $0.user = .text("t17")
      $0.secrets = .text("/etc/trailtracker/secrets")
      $0.finish = .text("2027-04-18T14:00")
      $0.timeZone = .text("Europe/Madrid")
      $0.language = .text("ca")
      $0.accessPoint = .text("internet")
      $0.receiverPort = .text("gpsd://127.0.0.1:2947")
      $0.bearer = .text("interface")
      $0.interface = .text("wwan0")
    }
    let core = try ConfigurationFile(try root(text))
    let daemon = try DaemonSettings(try root(text))
    #expect(core.team.text == "Els Senglars")
    #expect(core.timeZone == "Europe/Madrid")
    #expect(core.language == .catalan)
    #expect(core.configuration.accessPoint != nil)
    #expect(core.configuration.finish == .at(UTC(milliseconds: 1_808_049_600_000)))
    #expect(try daemon.server.address.path() == "https://host/pub")
    #expect(daemon.server.kind == .ownTracks)
    #expect(daemon.server.user == "t17")
    #expect(daemon.server.deviceCode == "17")
    #expect(try daemon.secrets?.path() == "/etc/trailtracker/secrets")
    #expect(try daemon.receiverPort?.path() == "gpsd://127.0.0.1:2947")
    #expect(daemon.network.interface == "wwan0")
  }

  @Test func `Comments, order and other keys of an old file stay`() throws {
    let old = """
      // Ours.
      {
        store: "/s.db", // on the card
        server: { kind: "json", address: "http://old/" },
        finishAfter: "32 h", // as last year
        capture: { policy: "route", every: "1000 m" }
      }
      """
    let new = try applied(old) {
      $0.team = .text("Àguiles")
      $0.serverAddress = .text("http://new/")
      $0.user = .text("t7")
      $0.finish = .text("2027-04-18T14:00Z")
    }
    #expect(
      new == """
        // Ours.
        {
          store: "/s.db", // on the card
          server: { kind: "json", address: "http://new/", user: "t7" },
          // as last year
          capture: { policy: "route", every: "1000 m" },
          team: "Àguiles",
          finish: "2027-04-18T14:00Z",
        }
        """)
    // Once more changes nothing.
    #expect(
      try applied(new) {
        $0.team = .text("Àguiles")
        $0.finish = .text("2027-04-18T14:00Z")
      } == new)
  }

  @Test(arguments: [
    #"{ store: "/s", server: { address: "http://h/" } }"#,
    #"{"store":"/s","server":{"address":"http://h/",},}"#,
    "{\r\n  store: '/s',\r\n  server: { address: 'http://h/' } // no comma\r\n}\r\n",
    "\u{FEFF}{\n  server: {\n    address: 'http://h/' /* , */\n  },\n  store: '/s', }\n",
    "{ store: '/s', team: \"old\", server: { address: 'http://h/', }, network: {} }",
  ])
  func `A file in any form of JSON5 takes new members`(_ old: String) throws {
    let text = try applied(old) {
      $0.team = .text("Els Senglars")
      $0.user = .text("t7")
      $0.interface = .text("ppp0")
    }
    let file = try root(text)
    #expect(try ConfigurationFile(file).team.text == "Els Senglars")
    let daemon = try DaemonSettings(file)
    #expect(daemon.server.user == "t7")
    #expect(try daemon.server.address.path() == "http://h/")
    #expect(daemon.network.interface == "ppp0")
    // What was added can be taken away again.
    let less = try applied(text) {
      $0.team = .none
      $0.user = .none
      $0.interface = .none
    }
    #expect(try ConfigurationFile(try root(less)).team.text.isEmpty)
    #expect(try DaemonSettings(try root(less)).server.user == nil)
  }

  @Test(arguments: [
    #"Els "Senglars""#, #"C:\team\"#, "l'Àliga 🦅", #"x", startsBySelf: false, y: ""#, "// no */",
    "\\u0041", "{1}",
  ])
  func `A team's name is text, whatever is in it`(_ name: String) throws {
    let text = try applied { $0.team = .text(name) }
    let core = try ConfigurationFile(try root(text))
    #expect(core.team.text == name)
    #expect(core.configuration.startsBySelf)
  }

  @Test(arguments: [
    "a\nb", "a\u{2028}b", "\u{1B}[2J", "a\u{0}b", "   ", String(repeating: "à", count: 33),
  ])
  func `A team's name of several lines, with control characters, blank or too long is refused`(
    _ name: String
  ) {
    #expect(throws: FileError.self) { try applied { $0.team = .text(name) } }
  }

  @Test func `An old file that is not JSON5 is refused with its line`() {
    let error = #expect(throws: FileError.self) {
      try applied("{\n  team: Els\n}") { $0.team = .text("a") }
    }
    #expect(error?.line == 2)
  }

  @Test func `A section that is not an object is refused`() {
    #expect(throws: FileError.self) {
      try applied("{ store: '/s', server: 'http://h/' }") { $0.user = .text("a") }
    }
  }
}
