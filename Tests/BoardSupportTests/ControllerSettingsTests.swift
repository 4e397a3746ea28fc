import Testing
import TrackerCore

@testable import BoardSupport

/// What a configuration may say to a controller.
@Suite struct ControllerSettingsTests {
  private func read(_ text: String, board: String = "lm3s6965evb") throws -> ControllerSettings {
    try ControllerSettings(
      Fixture.root(text), on: BoardDescription.load(named: "\(BoardTests.directory)/\(board)"))
  }

  private static func file(_ server: String, _ more: String = "") -> String {
    "{ bearer: 'modem', server: { kind: 'osmand', address: '\(server)' }, \(more) }"
  }

  @Test func `It has a server and what is captured`() throws {
    let settings = try read(
      Self.file(
        "https://t.example.org/?key=a",
        "team: 'Senglars', capture: { policy: 'route', every: '1 km' }, "
          + "network: { modemAuthority: 'ca.pem' }"))
    #expect(settings.address == "https://t.example.org/?key=a")
    #expect(settings.authority == "ca.pem")
    #expect(settings.core.team == InlineText("Senglars"))
    #expect(settings.core.configuration.capture == .route(everyMetres: 1000))
    #expect(settings.core.configuration.bearer == .modem)
  }

  @Test func `An address and a certificate may be as long as the firmware has room for`() throws {
    let address = "http://" + String(repeating: "a", count: 129)
    let authority = String(repeating: "c", count: 32)
    let settings = try read(Self.file(address, "network: { modemAuthority: '\(authority)' }"))
    #expect(settings.address == address && settings.authority == authority)
    #expect(throws: FileError.self) { try read(Self.file(address + "a")) }
    #expect(throws: FileError.self) {
      try read(Self.file(address, "network: { modemAuthority: '\(authority)c' }"))
    }
  }

  static let refused = [
    ("store: '/var/lib/t.db'", "store: a controller keeps its captures on its card; remove it"),
    ("control: '/run/t'", "control: a controller has a serial console, in English and without a "),
    ("console: 'pin'", "console: a controller has a serial console, in English and without a lock"),
    (
      "language: 'ca'", "language: a controller has a serial console, in English and without a lock"
    ),
    ("secrets: '/etc/s'", "secrets: a controller keeps no secrets; remove it"),
    ("course: 'a.gpx'", "course: a controller follows no course; remove it"),
    ("offCourse: '300 m'", "offCourse: a controller follows no course; remove it"),
    ("modemPort: '/dev/ttyS0'", "modemPort: a controller's ports are those of its board; "),
    ("clock: 'set'", "clock: a controller has no date but the receiver's; remove it"),
    ("remoteLimit: '1 h'", "remoteLimit: a controller takes no orders from a server; remove it"),
    ("textTo: '+34600000000'", "textTo: a controller sends no text messages; remove it"),
    (
      "device: '00112233-4455-6677-8899-aabbccddeeff'",
      "device: a controller's identifier belongs to its card; remove it"
    ),
    ("network: { proxy: 'http://a:1' }", "network.proxy: a controller has no network but its "),
    ("network: { modemAuthorty: 'a' }", "network.modemAuthorty: is not a known key; did you mean "),
    ("sleep: 'halt'", "sleep: "),
    ("temperature: 3", "temperature: is not a known key"),
  ]

  @Test(arguments: refused)
  func `What a controller cannot follow is refused by name`(_ key: String, _ error: String) throws {
    let problem = #expect(throws: FileError.self) {
      try read(Self.file("http://t.example.org/", key))
    }
    let text = problem.map { "\($0)" } ?? ""
    #expect(text.contains(error) && !text.contains("\n"), "\(text)")
  }

  @Test(arguments: [
    "", "t.example.org", "ftp://t.example.org/", "http://", "http://t.example.org/#here",
    "http://t.example.org/a b", "http://t.example.org/\\\"AT", "http://t.exàmple.org/",
  ])
  func `An address that a modem cannot take is refused`(_ address: String) throws {
    let problem = #expect(throws: FileError.self) { try read(Self.file(address)) }
    #expect("\(String(describing: problem))".contains("server.address"))
  }

  static let incomplete = [
    ("{ bearer: 'modem' }", "server: is missing"),
    ("{ server: { kind: 'osmand', address: 'http://a' } }", "bearer: a controller has only its "),
    (
      "{ bearer: 'interface', server: { kind: 'osmand', address: 'http://a' } }",
      "bearer: a controller has only its modem; write bearer: \"modem\""
    ),
    (
      "{ bearer: 'modem', server: { address: 'http://a' } }",
      "server: a controller sends OsmAnd requests only; write kind: \"osmand\""
    ),
    (
      "{ bearer: 'modem', server: { kind: 'mqtt', address: 'http://a' } }",
      "server.kind: a controller sends OsmAnd requests only; write kind: \"osmand\""
    ),
    (
      "{ bearer: 'modem', server: { kind: 'osmand', address: 'http://a', device: 'team-7' } }",
      "server.device: is not a known key"
    ),
    (
      "{ bearer: 'modem', server: { kind: 'osmand', address: 'https://a' } }",
      "server.address: needs a certificate to trust"
    ),
  ]

  @Test(arguments: incomplete)
  func `What is missing or of another kind is said`(_ text: String, _ error: String) throws {
    let problem = #expect(throws: FileError.self) { try read(text) }
    #expect("\(String(describing: problem))".contains(error), "\(text)")
  }

  @Test func `A modem without requests of its own is refused`() throws {
    let folder = "\(BoardTests.directory)/lm3s6965evb"
    var board = try BoardDescription.load(named: folder)
    board.board.modem.family = .generic
    let root = try Fixture.root(Self.file("http://t.example.org/"))
    let problem = #expect(throws: FileError.self) { try ControllerSettings(root, on: board) }
    #expect(problem.map { "\($0)".contains("cannot send requests by itself") } ?? false)
  }

  @Test(arguments: ["lm3s6965evb", "nucleo-l476rg"])
  func `Its board says where the settings lie and how the battery is measured`(
    _ name: String
  ) throws {
    let board = try BoardDescription.load(named: "\(BoardTests.directory)/\(name)")
    #expect(board.firmwareSettings.map { $0 % 4096 } == 0)
    #expect(board.assembly.energyModelOnly != nil, "trackerd does not run there")
    let full = board.board.battery.plausibleMillivolts.highest
    #expect(board.batteryRange >= full, "the divider is too small for \(full) mV")
    #expect(board.board.hasLight)
  }

  @Test func `A computer has no such place`() throws {
    let board = try BoardDescription.load(named: "\(BoardTests.directory)/pi-zero-2w-sim7600")
    #expect(board.firmwareSettings == nil && board.batteryRange == 0)
  }

  @Test(arguments: ["0x3F001", "-4096", "0x100000000", "'here'"])
  func `Settings lie at a block of 4 KB`(_ value: String) throws {
    var reader = FigureReader()
    let root = try Fixture.root("{ settings: { value: \(value), source: 'bench' } }")
    #expect(throws: FileError.self) { try reader.firmware(root) }
  }
}
