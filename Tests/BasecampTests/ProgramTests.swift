import Foundation
import TestSupport
import Testing

@testable import Basecamp

/// The program's own manners: help, wrong use, unreadable input.
@Suite(.blocking) struct ProgramTests {
  static func run(_ arguments: [String]) throws -> ProgramResult {
    try ProgramResult("basecamp", arguments)
  }

  @Test(arguments: [
    [], ["--database"], ["--database", ""], ["--nonsense"],
    ["--listen", "8080", "--database", "x"],
    ["--listen", "127.0.0.1:99999", "--database", "x"], ["--listen", "example.org:1"],
    ["--database", "x", "--user", "a"], ["--database", "x", "--max-records", "0"],
    ["--database", "x", "--no-global-ids=1"], ["--database", "/nonexistent/deep/folder"],
    ["--database", "/dev/null"], ["--database", "x", "--course", "/nonexistent.geojson"],
    ["--database", "x", "--user", "a", "--password-file", "/etc/hostname"],
  ])
  func `Wrong use is one line and code 2`(_ arguments: [String]) throws {
    try expectRefusal(arguments)
  }

  @Test(arguments: [
    "", "503", "503 every", "503 every 0th", "503 every fifth", "200 every 5th", "late 10%",
    "late 2h 10%", "refuse 5%", "http 5%", "reject-request 5%", "portal 0%", "portal 101%",
    "portal 5% on mondays", "partial 5% on queries",
    "earthquake 5%", "503 every 5th on edits twice", "503-before 5%",
  ])
  func `A fault that cannot be read is one line and code 2`(_ fault: String) throws {
    try expectRefusal(["--database", "x", "--fault", fault])
  }

  @Test(arguments: [
    "", "no JSON", "[]", "{}", #"{"type":"Topology","features":[]}"#,
    #"{"type":"FeatureCollection","features":[]}"#,
    #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[1]}}]}"#,
    #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":"a"}}]}"#,
    #"{"type":"FeatureCollection","features":[{"geometry":{"type":"Polygon","coordinates":[]}}]}"#,
  ])
  func `A file that is not a course is one line and code 2`(_ text: String) throws {
    let folder = try ScratchFolder()
    let file = try folder.write("course.geojson", text)
    try expectRefusal(["--database", folder.path("camp"), "--course", file], naming: file)
    #expect(!FileManager.default.fileExists(atPath: folder.path("camp")))
  }

  @Test func `README tells the bounds as they are`() throws {
    let readme = try String(
      contentsOf: Built.repository.appendingPathComponent("Sources/basecamp/README.md"),
      encoding: .utf8)
    let words = readme.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for bound in [
      "\(Bounds.connectionsOfClient) connections of one address", "\(Bounds.headSeconds) s",
      "\(Bounds.bodySeconds) s", "\(Bounds.bodyBytes >> 20) MB", "\(Bounds.bodiesBytes >> 20) MB",
      "\(Bounds.querySeconds) s of computing", "10 wrong passwords a minute",
      "more than \(Bounds.logLinesPerSecond) a second",
    ] {
      #expect(words.contains(bound), "\(bound)")
    }
  }

  @Test func `A database of others is left alone`() throws {
    let folder = try ScratchFolder()
    let directory = folder.url.appendingPathComponent("camp")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = try folder.write("camp/basecamp.db", "This is a diary, and long enough to be read.")
    try expectRefusal(["--listen", "127.0.0.1:0", "--database", directory.path], naming: file)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("This is a diary"))
  }

  @Test func `A password that others can read is refused`() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("password", "secret\n", mode: 0o644)
    let words = ["--database", folder.path("camp"), "--user", "a", "--password-file", file]
    try expectRefusal(words, naming: "chmod 600")
  }

  @Test
  func `A password in a pipe that nobody writes to is refused, not waited for`() throws {
    let folder = try ScratchFolder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let words = ["--database", folder.path("camp"), "--user", "a"]
    try expectRefusal(
      words + ["--password-file", folder.path("pipe")], naming: "is not a regular file")
  }

  @Test func `A port that is taken is said so`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let words = ["--listen", "127.0.0.1:\(camp.port)", "--database", folder.path("other")]
    try expectRefusal(words, naming: "another program listens there")
  }

  @Test func `An address of another machine is said so`() throws {
    let folder = try ScratchFolder()
    let words = ["--listen", "192.0.2.1:0", "--database", folder.path("camp")]
    try expectRefusal(words, naming: "this machine has no such address")
  }

  /// libmicrohttpd 1.0.1 loses `errno`; here is one that says nothing at all.
  @Test(.enabled(if: Tool.url("cc") != nil, "needs a C compiler"))
  func `Why a port cannot be had is said whatever libmicrohttpd says`() throws {
    let folder = try ScratchFolder()
    let source = try folder.write(
      "mute.c",
      "#include <errno.h>\nvoid *MHD_start_daemon(void) { errno = 0; return 0; }\n")
    let library = folder.path("mute.so")
    let compiler = try ProgramResult(running: ["cc", "-shared", "-fPIC", "-o", library, source])
    try #require(compiler.code == 0, "\(compiler.errors)")
    let camp = try CampServer(folder)
    let run = try ProgramResult(
      "basecamp",
      ["--listen", "127.0.0.1:\(camp.port)", "--database", folder.path("other")],
      environment: ["LD_PRELOAD": library])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run)")
    #expect(run.errors.contains("another program listens there"), "\(run.errors)")
  }

  @Test(.enabled(if: Tool.url("cc") != nil, "needs a C compiler"))
  func `A socket that cannot be made says why`() throws {
    let folder = try ScratchFolder()
    let source = try folder.write(
      "none.c",
      """
      #include <errno.h>
      int socket(int family, int type, int protocol) { errno = EMFILE; return -1; }

      """)
    let library = folder.path("none.so")
    let compiler = try ProgramResult(running: ["cc", "-shared", "-fPIC", "-o", library, source])
    try #require(compiler.code == 0, "\(compiler.errors)")
    let run = try ProgramResult(
      "basecamp", ["--listen", "127.0.0.1:0", "--database", folder.path("camp")],
      environment: ["LD_PRELOAD": library])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run)")
    #expect(run.errors.contains("no descriptor is left"), "\(run.errors)")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `A signal ends it cleanly`(_ signal: Int32) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    _ = try camp.count()
    #expect(camp.end(signal) == 0 && camp.hasExited)
  }

  @Test func `No core dump holds its passwords`() throws {
    let camp = try CampServer(try ScratchFolder())
    #expect(try leavesNoCore(camp.id), "\(camp.command)")
  }
}

/// Expects one line of error and code 2.
func expectRefusal(_ arguments: [String], naming part: String = "basecamp: ") throws {
  let run = try ProgramTests.run(arguments)
  let command = "repeat with: swift run basecamp \(arguments)"
  #expect(run.code == 2 && run.output.isEmpty, "\(run); \(command)")
  #expect(run.errors.filter { $0 == "\n" }.count == 1 && run.errors.hasSuffix("\n"), "\(run)")
  #expect(run.errors.contains(part), "\(run.errors); \(command)")
}
