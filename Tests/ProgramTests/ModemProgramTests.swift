import Foundation
import Testing

/// Families, misbehaving modems, a SIM's PIN, the modem's own HTTP and short messages, by the
/// program.
@Suite struct ModemProgramTests {
  static let walk = Repository.path("traces/rest-40min.nmea")

  /// The digest and the number of captures that were acknowledged.
  private func figures(_ run: ProgramRun) throws -> (digest: String, acknowledged: Int) {
    #expect(run.code == 0, "\(run.errors); \(run.command)")
    let root = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let captures = root?["captures"] as? [String: Any]
    return (
      try #require(root?["digest"] as? String), try #require(captures?["acknowledged"] as? Int)
    )
  }

  private func events(
    _ arguments: [String], expecting claims: String...
  ) throws -> (lines: [Substring], command: String) {
    let folder = try ScratchFolder()
    let run = try ProgramRun(
      ["--trace", Self.walk, "--events", folder.path("events")] + arguments
        + claims.flatMap { ["--expect", $0] })
    #expect(run.code == 0, "\(run.errors); \(run.command)")
    let text = try String(contentsOfFile: folder.path("events"), encoding: .utf8)
    return (text.split(whereSeparator: \.isNewline), run.command)
  }

  @Test func `Boards that differ in the family of their modem alone run differently`() throws {
    let folder = try ScratchFolder()
    let modem = try String(
      contentsOfFile: Repository.path("boards/waveshare-sim7600/board.json5"), encoding: .utf8)
    var digests: Set<String> = []
    for family in ["SIM7600", "A7670", "SIM5320", "generic"] {
      let path = folder.path(family)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try modem.replacing("family: \"SIM7600\"", with: "family: \"\(family)\"").write(
        toFile: "\(path)/board.json5", atomically: true, encoding: .utf8)
      let board = "pi-zero-2w+\(path)+neo-6m+li-ion-3p"
      let run = try ProgramRun(["--trace", Self.walk, "--board", board, "--json"])
      let (digest, acknowledged) = try figures(run)
      #expect(acknowledged == 8, "\(family); \(run.command)")
      digests.insert(digest)
    }
    #expect(digests.count == 4, "\(digests)")
  }

  @Test func `A SIM's PIN is entered once in each contact, and stands in no event`() throws {
    let scenario = Repository.path("traces/scenarios/locked-sim.json5")
    let (lines, command) = try events(
      ["--scenario", scenario], expecting: "captures.pending == 0",
      "uploads.contacts == 8")
    #expect(lines.count { $0.contains(",modem,enterPIN*") } == 8, "\(command)")
    #expect(lines.count { $0.contains(",rememberPIN,0*") } == 8, "\(command)")
    let words = lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
    #expect(!words.contains("0742"), "\(command)")
  }

  @Test func `A wrong PIN is tried once, and the reason says what to correct`() throws {
    let folder = try ScratchFolder()
    try "{ sim: { pin: '0742', secret: '1111' } }".write(
      toFile: folder.path("s.json5"), atomically: true, encoding: .utf8)
    let (lines, command) = try events(
      ["--scenario", folder.path("s.json5")], expecting: "captures.acknowledged == 0",
      "captures.pending == 8")
    #expect(lines.count { $0.contains(",modem,enterPIN*") } == 1, "\(command)")
    #expect(lines.contains { $0.contains(",note,sending,simRefused*") }, "\(command)")
  }

  @Test func `A modem that falls mute after its start is power-cycled, and delivers`() throws {
    let (lines, command) = try events(
      ["--scenario", Repository.path("traces/scenarios/stubborn-modem.json5")],
      expecting: "captures.pending == 0", "server.duplicates == 0")
    #expect(lines.contains { $0.contains(",note,modemRecovery,powerCycle*") }, "\(command)")
  }

  @Test func `The modem's own HTTP brings the same requests to the server`() throws {
    let folder = try ScratchFolder()
    try "{ bearer: 'modem', apn: 'internet' }".write(
      toFile: folder.path("c.json5"), atomically: true, encoding: .utf8)
    let (lines, command) = try events(
      ["--config", folder.path("c.json5")], expecting: "captures.pending == 0",
      "uploads.requests == 9", "uploads.contacts == 8", "server.received == 8",
      "server.duplicates == 0")
    #expect(!lines.contains { $0.contains(",link,1*") }, "\(command)")
    // A modem that refuses the server's certificate sends nothing at all.
    try "{ modemScript: '\(Repository.path("traces/modems/tls-refused.script"))' }".write(
      toFile: folder.path("s.json5"), atomically: true, encoding: .utf8)
    _ = try events(
      ["--config", folder.path("c.json5"), "--scenario", folder.path("s.json5")],
      expecting: "uploads.requests == 0", "server.received == 0", "captures.pending == 8")
  }

  @Test func `Where nothing gets through, one short message goes out by the modem`() throws {
    let folder = try ScratchFolder()
    try "{ apn: 'internet', textAfter: '1 h', textTo: '+34600000000' }".write(
      toFile: folder.path("c.json5"), atomically: true, encoding: .utf8)
    try "{ server: [ { from: '0:00:00', fault: 'refuse' } ] }".write(
      toFile: folder.path("s.json5"), atomically: true, encoding: .utf8)
    let (lines, command) = try events(
      ["--config", folder.path("c.json5"), "--scenario", folder.path("s.json5")],
      expecting: "captures.acknowledged == 0")
    #expect(lines.contains { $0.contains(",note,textFinished,1*") }, "\(command)")
  }

  @Test func `A script that cannot be read is one line with its place`() throws {
    let folder = try ScratchFolder()
    try "> AT\n! dance\n".write(
      toFile: folder.path("m.script"), atomically: true, encoding: .utf8)
    try "{ modemScript: 'm.script' }".write(
      toFile: folder.path("s.json5"), atomically: true, encoding: .utf8)
    let run = try ProgramRun(["--trace", Self.walk, "--scenario", folder.path("s.json5")])
    #expect(run.isRefusal && run.errors.contains("m.script:2: is not an action"), "\(run.errors)")
  }
}
