import CaptureStore
import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

/// What a stranger may give by mistake: one line that says what, where and what to do, exit code 2,
/// and nothing changed. Cut imports are with the imports, addresses with the command lines.
@Suite(.blocking) struct BadInputTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// What each command says of a store that it must not touch.
  private func expectRefusal(
    of path: String, saying words: String, commands: [[String]] = Self.commands,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let before = try contents()
    for command in commands {
      let run = try controlRun(command + ["--store", path])
      #expect(
        run.code == 2 && run.isOneLineOfComplaint, "\(run.output)\(run.errors)\(run.command)",
        sourceLocation: place)
      #expect(
        run.errors.contains(path) && run.errors.contains(words), "\(run.errors)\(run.command)",
        sourceLocation: place)
      #expect(try contents() == before, "\(run.command)", sourceLocation: place)
    }
  }

  static let push = ["push", "--server", "http://127.0.0.1:1/FeatureServer/0"]
  static let commands = [push, ["captures"], ["export", "--format", "csv"]]

  /// Every file of the folder, but SQLite's index of its log, which readers keep too.
  private func contents() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try folder.names() where !name.hasSuffix("-shm") {
      let data = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      if !(name.hasSuffix("-wal") && data.isEmpty) { files[name] = data }
    }
    return files
  }

  @Test(arguments: ["", "notes of the race\n", "SQLite format 3\0 and no more of it"])
  func `A file that is no store is left as it is`(_ text: String) throws {
    try expectRefusal(
      of: try folder.write("race.store", text), saying: "race.store: is",
      commands: text.hasPrefix("SQLite") ? Array(Self.commands.dropFirst()) : Self.commands)
  }

  @Test func `A database of another program is left as it is`() throws {
    let path = folder.path("race.store")
    try SQLiteDatabase(path: path).execute("CREATE TABLE sheep (name TEXT)")
    try expectRefusal(of: path, saying: "is not a capture store and was left as it is")
  }

  @Test func `A store of a newer program names both versions`() throws {
    let path = try folder.store(3)
    try SQLiteDatabase(path: path).execute(
      "CREATE TABLE later (a); PRAGMA user_version = 99")
    try expectRefusal(
      of: path, saying: "has format 99, this program knows up to 18; install the newer program")
  }

  @Test(.enabled(if: Tool.url("python3") != nil, "needs python3 to hold the store"))
  func `A store that another program holds is not pushed, and whole afterwards`() throws {
    let path = try folder.store(3)
    do {
      // Not in this process: reading a file here would give up the locks held on it (fcntl(2)).
      let holder = try StoreHolder(path)
      try expectRefusal(
        of: path, saying: "another program is using it; close that one", commands: [Self.push])
      holder.letGo()
    }
    let store = try CaptureStore.openForReading(path)
    #expect(store.tally.pending == 3, "repeat with: swift test --filter BadInputTests")
  }

  static let courses: [(text: String, complaint: String)] = [
    ("", "is not a GeoJSON FeatureCollection; export the course as GeoJSON"),
    ("name,lat,lon\nOlot,42,2\n", "is not a GeoJSON FeatureCollection; export the course"),
    (#"{"type":"Topology"}"#, "is not a GeoJSON FeatureCollection"),
    (
      "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Fea",
      "is truncated: it ends at line 2 (byte 53) with open brackets; copy the file again"
    ),
  ]

  @Test(arguments: courses.indices)
  func `A course that is no GeoJSON starts no basecamp and makes no database`(
    _ index: Int
  ) throws {
    let (text, complaint) = Self.courses[index]
    let course = try folder.write("course.geojson", text)
    let run = try ProgramResult(
      "basecamp",
      ["--listen", "127.0.0.1:0", "--database", folder.path("camp"), "--course", course])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    #expect(run.errors.contains("\(course): \(complaint)"), "\(run.errors)\(run.command)")
    #expect(try folder.names() == ["course.geojson"], "\(run.command)")
  }
}

/// Another program that has a store for itself, until it lets go.
private final class StoreHolder {
  private let program: RunningProgram

  init(_ path: String) throws {
    let script = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute("PRAGMA locking_mode = EXCLUSIVE")
      store.execute("BEGIN EXCLUSIVE")
      print("held", flush=True)
      sys.stdin.read()
      """
    program = try RunningProgram(
      ["python3", "-c", script, path], input: .pipe, output: .pipe, errors: .asOutput)
    let said = try program.line()
    guard said == "held\n" else { throw Problem("nobody holds the store: \(said)") }
  }

  func letGo() {
    // Another test's child may have the pipe too: closing ours would not end it.
    program.end()
  }
}
