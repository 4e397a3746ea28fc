import Foundation
import TestSupport
import Testing
import Wording

@testable import trackerctl

/// `trackerctl fleet` as an organiser uses it.
@Suite struct FleetProgramTests {
  private static let base = """
    {
      store: "/var/lib/trailtracker/captures.db",
      server: { address: "https://example.org/arcgis/rest/services/W/FeatureServer/0", user: "w" },
    }
    """
  private static let table = "team,number,secret\nEls Senglars,7,one two\nLes Àligues,8,=2\n"

  private let scratch: ScratchFolder
  private var output: String { scratch.path("cards") }

  init() throws {
    scratch = try ScratchFolder()
    _ = try scratch.write("base.json5", Self.base)
  }

  private func fleet(
    _ table: String = Self.table, to output: String? = nil, _ more: String...
  ) throws -> ProgramResult {
    let path = try scratch.write("teams.csv", table)
    return try ProgramResult(
      "trackerctl",
      ["fleet", path, "--output", output ?? self.output, "--config", scratch.path("base.json5")]
        + ["--board", "pi-zero-2w-sim7600"] + more)
  }

  private func files(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return attributes[.posixPermissions] as? Int ?? 0
  }

  @Test func `Each team has a folder that only the organiser can read`() throws {
    let run = try fleet()
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    #expect(run.output == "2 cards prepared in \(output); \(output)/README.txt says how to go on\n")
    let found = try files(below: output)
    var expected = ["README.txt"]
    for team in ["7-els-senglars", "8-les-aligues"] {
      expected += [team, "\(team)/trailtracker"]
      expected += ["board", "secrets", "trackerd.json5"].map { "\(team)/trailtracker/\($0)" }
    }
    #expect(found == expected.sorted())
    for name in found + [""] { #expect(try mode("\(output)/\(name)") & 0o077 == 0, "\(name)") }
    let secrets = try String(
      contentsOfFile: output + "/8-les-aligues/trailtracker/secrets", encoding: .utf8)
    #expect(secrets == "password = =2\n")
    #expect(try scratch.names() == ["base.json5", "cards", "teams.csv"])
  }

  @Test func `trackerd itself takes the configuration`() throws {
    #expect(try fleet("team,number,secret\n\"A \"\"\\ B\",7,s\n").code == 0)
    let card = output + "/7-a-b/trailtracker"
    // Its path of secrets is that of the tracker.
    let text = try String(contentsOfFile: card + "/trackerd.json5", encoding: .utf8)
    let here = try scratch.write(
      "here.json5",
      text.replacingOccurrences(of: "/etc/trailtracker/secrets", with: card + "/secrets"))
    let run = try ProgramResult(
      "trackerd", ["--board", "pi-zero-2w-sim7600", "--config", here, "--check"])
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `One bad row and nothing is written`() throws {
    let run = try fleet("team,number,secret,board\na,1,s,\nb,2,t,pi-nothing\n")
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)")
    #expect(run.errors.contains("teams.csv:3: board: "), "\(run.errors)")
    #expect(try scratch.names() == ["base.json5", "teams.csv"])
  }

  @Test(arguments: [
    ("team,number,secret,pin\na,1,s,12\n", "teams.csv:2: pin: the SIM's PIN is not a PIN"),
    ("team,number,secret\na,1,\"s, pin = 1234\"\n", "teams.csv:2: secret: cannot stand in a file"),
    ("team,number,secret,server\na,1,s,nonsense\n", "teams.csv:2: server: "),
    ("team,number,secret,board\na,1,s,x y\n", "teams.csv:2: board: "),
    ("team,number,secret,board\na,1,s,../boards/pi-4b\n", "teams.csv:2: board: "),
  ])
  func `What trackerd would refuse is refused at the desk`(
    _ table: String, _ complaint: String
  ) throws {
    let run = try fleet(table)
    #expect(run.code == 2 && run.errors.contains(complaint), "\(run.errors)")
    #expect(!run.errors.contains("1234"), "a secret is shown")
  }

  @Test func `A finish in the past is last year's file`() throws {
    _ = try scratch.write(
      "base.json5",
      Self.base.replacingOccurrences(of: "{\n", with: "{\nfinish: \"2026-02-01T10:00Z\",\n"))
    let run = try fleet()
    #expect(run.code == 2 && run.errors.contains("base.json5"), "\(run.errors)")
    #expect(run.errors.contains("finish"), "\(run.errors)")
  }

  @Test func `A folder is replaced on demand only, and only if it is a fleet's`() throws {
    #expect(try fleet().code == 0)
    let again = try fleet()
    #expect(again.code == 2 && again.errors.contains("--replace"), "\(again.errors)")
    let replaced = try fleet("team,number,secret\na,1,s\n", to: output + "/", "--replace")
    #expect(replaced.code == 0, "\(replaced.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == ["1-a", "README.txt"])
    _ = try scratch.write("cards/1-a/holiday.jpg", "")
    let refused = try fleet(Self.table, to: output, "--replace")
    #expect(refused.code == 2 && refused.errors.contains("was not written by"), "\(refused.errors)")
    #expect(try files(below: output).contains("1-a/holiday.jpg"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link"), withDestinationPath: output)
    #expect(try fleet(Self.table, to: scratch.path("link"), "--replace").code == 2)
  }

  @Test func `Somebody's folder of other folders and a README is not a fleet`() throws {
    try FileManager.default.createDirectory(
      atPath: output + "/photos", withIntermediateDirectories: true)
    _ = try scratch.write("cards/README.txt", "mine")
    let run = try fleet(Self.table, to: output, "--replace")
    #expect(run.code == 2 && run.errors.contains("was not written by"), "\(run.errors)")
    #expect(try files(below: output).contains("README.txt"))
  }

  @Test func `A killed run's leftovers are not a fleet, and are removed`() throws {
    try FileManager.default.createDirectory(
      atPath: output + ".part/1-a/trailtracker", withIntermediateDirectories: true)
    _ = try scratch.write("cards.part/1-a/trailtracker/secrets", "password = old")
    #expect(try fleet().code == 0)
    #expect(try scratch.names() == ["base.json5", "cards", "teams.csv"])
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A full disk leaves the former fleet and no half one`() throws {
    let disk = try SmallDisk(kilobytes: 256)
    let output = disk.folder + "/cards"
    #expect(try fleet(Self.table, to: output).code == 0)
    try disk.leave(8192)
    let rows = (1...9).map { "team \($0),\($0),s\n" }.joined()
    let run = try fleet("team,number,secret\n" + rows, to: output, "--replace")
    #expect(run.code == 2 && run.errors.contains("no space left"), "\(run.errors)")
    #expect(try disk.scratch.names() == ["cards", "filler"])
    #expect(try files(below: output).contains("7-els-senglars/trailtracker/secrets"))
  }

  @Test(.enabled(if: Tool.url("strace") != nil, "strace is missing, to interrupt it in the middle"))
  func `Ctrl-C in the middle leaves nothing`() throws {
    let path = try scratch.write("teams.csv", Self.table)
    let arguments = [
      "-qq", "-o", "/dev/null", "-e", "trace=?mkdir,?mkdirat",
      "-e", "inject=?mkdir,?mkdirat:signal=SIGINT:when=3", Built.program("trackerctl").path,
      "fleet", path, "--output", output, "--config", scratch.path("base.json5"),
    ]
    let run = try ProgramResult(executable: try #require(Tool.url("strace")), arguments)
    #expect(run.code != 0 && run.output.isEmpty, "\(run.output)")
    #expect(!run.errors.contains("strace:"), "\(run.errors)")
    #expect(try scratch.names() == ["base.json5", "teams.csv"])
  }

  @Test func `No text lacks a translation or an argument`() {
    #expect(
      problems(of: FleetText.self) + problems(of: CardPhrase.self)
        + problems(of: FirstBootPhrase.self) == [])
  }
}
