import BoardSupport
import Courier
import Foundation
import TestSupport
import Testing

/// Settings that cannot be used: one line with file, key and cure, before anything is touched.
@Suite(.blocking) struct SettingsTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var key: String
    var value: String
    /// What the line must name.
    var says: [String]
    var testDescription: String { "\(key): \(value)" }
  }

  static let mistakes = [
    Mistake(key: "stroe", value: "'x'", says: ["stroe", "store"]),
    Mistake(key: "store", value: "7", says: ["store", "text"]),
    Mistake(
      key: "server", value: "{ address: 'host/FeatureServer/0' }", says: ["address", "https"]),
    Mistake(
      key: "server", value: "{ address: 'https://host/FeatureServer' }",
      says: ["address", "layer"]),
    Mistake(
      key: "server", value: "{ kind: 'arcgs', address: 'https://h/FeatureServer/0' }",
      says: ["server.kind", "arcgis"]),
    Mistake(key: "server", value: "{ }", says: ["server.address", "missing"]),
    Mistake(
      key: "server", value: "{ address: 'https://h/rest/services/W/FeatureServer/0', user: 'u' }",
      says: ["server.address", "password"]),
    Mistake(
      key: "server", value: "{ kind: 'owntracks', address: 'https://h/pub' }",
      says: ["server", "user"]),
    Mistake(
      key: "server", value: "{ kind: 'mqtt', address: 'https://h/pub' }",
      says: ["server.address", "mqtts://host:8883"]),
    Mistake(
      key: "server", value: "{ kind: 'mqtt', address: 'mqtts://h', device: 'a/b' }",
      says: ["server.address", "'a/b'", "topic"]),
    Mistake(
      key: "server",
      value: "{ address: 'https://h/rest/services/W/FeatureServer/0', acknowledgedBy: 'broker' }",
      says: ["server.address", "acknowledgedBy", "mqtt"]),
    Mistake(key: "secrets", value: "'/nowhere/secrets'", says: ["/nowhere/secrets", "path"]),
    Mistake(key: "language", value: "'de'", says: ["language", "\"ca\""]),
    Mistake(key: "receiverPort", value: "'COM3'", says: ["receiverPort", "COM3", "/dev/ttyAMA0"]),
    Mistake(key: "receiverPort", value: "'/dev/ttyS0@9601'", says: ["receiverPort", "9600"]),
    Mistake(
      key: "receiverPort", value: "'gpsd://gps.local'", says: ["receiverPort", "numbers", "gpsd"]),
    Mistake(key: "modemPort", value: "'gpsd://127.0.0.1'", says: ["modemPort", "modem"]),
    Mistake(key: "modemPort", value: "'/dev/ttyS0@auto'", says: ["modemPort", "auto"]),
    Mistake(key: "gathering", value: "'2 s'", says: ["gathering", "once a second"]),
    Mistake(key: "network", value: "{ interfase: 'wwan0' }", says: ["network", "interface"]),
  ]

  @Test func `The reference has the time that the courier gives a server`() throws {
    let setting = Settings.all.first { $0.path == "server.mayActFor" }
    let minutes = CourierBounds.mayActFor.count / 60_000
    #expect(
      setting?.standard == "\(minutes) min",
      "repeat with: swift test --filter DaemonTests.SettingsTests")
  }

  @Test(arguments: mistakes)
  func `A mistake is named before anything is touched`(_ mistake: Mistake) throws {
    let run = try DaemonRun()
    run.settings[mistake.key] = mistake.value
    try run.start()
    try run.waitUntilExit()
    let said = run.logText
    #expect(run.code == 2, "\(said); \(run.command)")
    #expect(said.filter { $0 == "\n" }.count == 1, "\(said); \(run.command)")
    for word in mistake.says { #expect(said.contains(word), "\(said); \(run.command)") }
    let left = try FileManager.default.contentsOfDirectory(atPath: run.folder.path).sorted()
    #expect(left == ["gps", "log", "settings.json5"], "\(left); \(run.command)")
  }

  @Test(arguments: [
    ("bearer", "'modem'", "a modem's own HTTP"),
    ("network", "{ proxy: 'http://10.0.0.1:3128' }", "network.proxy"),
  ])
  func `A way that leads to no broker is named`(
    _ key: String, _ value: String, _ says: String
  ) throws {
    let run = try DaemonRun()
    run.settings["server"] = "{ kind: 'mqtt', address: 'mqtt://h' }"
    run.settings[key] = value
    try run.start()
    try run.waitUntilExit()
    #expect(run.code == 2 && run.logText.contains(says), "\(run.logText); \(run.command)")
    #expect(run.logText.contains("server.address"), "\(run.logText); \(run.command)")
  }

  @Test(arguments: [
    "queue.db", "queue.db-wal", "queue.db.lock", "settings.json5", "notes", "notes.old",
  ])
  func `A recording takes the place of nothing else`(_ name: String) throws {
    let run = try DaemonRun()
    for name in ["notes", "notes.old.7"] {
      try Data("to be kept".utf8).write(to: URL(fileURLWithPath: run.path(name)))
    }
    run.arguments = ["--record", run.path(name)]
    try run.start()
    try run.waitUntilExit()
    let said = run.logText
    #expect(run.code == 2, "\(said); \(run.command)")
    #expect(
      said.contains("--record") && said.filter { $0 == "\n" }.count == 1,
      "\(said); \(run.command)")
    let left = try FileManager.default.contentsOfDirectory(atPath: run.folder.path).sorted()
    #expect(
      left == ["gps", "log", "notes", "notes.old.7", "settings.json5"], "\(left); \(run.command)")
  }

  /// Names of the store, and a recording that would move it away or take its place.
  @Test(arguments: [
    ("race.1", "race"), ("race.42", "race"), ("race.2-wal", "race"), ("race.1.lock", "race"),
    ("here/queue.db", "there/queue.db"), ("there/race.3", "here/race"),
    ("soft.db", "queue.db"), ("soft.db", "queue.db-wal"), ("queue.db", "hard"),
  ])
  func `A recording stays away from the store, by whatever name`(_ store: String, _ record: String)
    throws
  {
    let run = try DaemonRun()
    let files = FileManager.default
    try files.createDirectory(atPath: run.path("there"), withIntermediateDirectories: false)
    symlink("there", run.path("here"))
    try Data("SQLite format 3".utf8).write(to: URL(fileURLWithPath: run.path("queue.db")))
    symlink("queue.db", run.path("soft.db"))
    link(run.path("queue.db"), run.path("hard"))
    let stays = try files.subpathsOfDirectory(atPath: run.folder.path).sorted()
    // What matters for the sake of -wal and .lock is the store's own name.
    let name = store.replacing("-wal", with: "").replacing(".lock", with: "")
    run.settings["store"] = "'\(run.path(name))'"
    run.arguments = ["--record", run.path(store == name ? record : store)]
    try run.start()
    try run.waitUntilExit()
    let said = run.logText
    #expect(run.code == 2, "\(said); \(run.command)")
    #expect(
      said.contains("is used by the tracker; give another name")
        && said.filter { $0 == "\n" }.count == 1, "\(said); \(run.command)")
    let left = try files.subpathsOfDirectory(atPath: run.folder.path).sorted()
    #expect(left.filter { $0 != "log" && $0 != "settings.json5" } == stays, "\(run.command)")
  }

  @Test func `A file of secrets that others may read is refused`() throws {
    let run = try DaemonRun()
    let file = run.path("secrets")
    try Data("password = hunter2\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    run.settings["secrets"] = "'\(file)'"
    try run.start()
    try run.waitUntilExit()
    #expect(run.code == 2, "\(run.command)")
    #expect(
      run.logText.contains("chmod 600") && !run.logText.contains("hunter2"),
      "\(run.logText); \(run.command)")
  }

  @Test func `A secret is in no log, no argument, no environment and no core dump`() throws {
    let run = try DaemonRun(["--speed", "20"])
    let file = run.path("secrets")
    try Data("password = hunter2hunter2\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    run.settings["secrets"] = "'\(file)'"
    run.settings["server"] =
      "{ address: 'https://127.0.0.1:9/arcgis/rest/services/W/FeatureServer/0', user: 'u' }"
    run.line.walk(speed: 20)
    try run.startAndWait()
    try run.wait("captured sequence=3")
    let folder = "/proc/\(run.id)"
    for name in ["cmdline", "environ"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"), "\(run.command)")
    }
    #expect(try leavesNoCore(run.id), "\(run.command)")
    run.end(SIGTERM)
    #expect(!run.logText.contains("hunter2"), "\(run.command)")
  }
}
