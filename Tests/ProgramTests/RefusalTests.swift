import Foundation
import Testing

/// Bad input: one line that says what, where and what to do; code 2; nothing half-written.
@Suite struct RefusalTests {
  static let tunnel = Repository.path("traces/tunnel.nmea")

  static let commandLines: [(words: [String], complaint: String)] = [
    ([], "no --trace; write: tracker-sim --trace FILE"),
    (["--trace"], "--trace needs a value"),
    (["--exp"], "did you mean --expect?"),
    (["race.nmea"], "or write --trace race.nmea"),
    (["--trace", tunnel, "--seed", "-1"], "--seed '-1': give a whole number"),
    (["--trace", tunnel, "--json=yes"], "--json takes no value"),
    (["--trace", tunnel, "--events", "-", "--json"], "both use standard output"),
    (["--trace", "/nowhere/race.nmea"], "no such file"),
    (["--trace", "/"], "is a directory"),
    (["--trace", "/dev/null"], "is empty"),
    (["--trace", "/bin/true"], "contains no NMEA sentence"),
    (["--trace", tunnel, "--board", "pi-zero"], "did you mean \"pi-zero-w\"?"),
    (["--trace", tunnel, "--board", "nano"], "trackerctl boards lists them"),
    (["board"], "write: tracker-sim board NAME"),
    (["board", "pi-4b+sim532"], "did you mean \"sim5320\"?"),
    (["board", "pi-4b+ina219+max17048"], "leave out one of the two parts"),
    (["--trace", tunnel, "--board", "/nowhere"], "/nowhere"),
    (["--trace", tunnel, "--config", "/nowhere.json5"], "/nowhere.json5"),
    (["--trace", tunnel, "--scenario", "/nowhere.json5"], "/nowhere.json5"),
    (["--trace", tunnel, "--events", "/nowhere/e.txt"], "cannot write /nowhere/e.txt"),
    (["--trace", tunnel, "--events", "/dev/full"], "no space left"),
    (["--trace", tunnel, "--store", tunnel], "tunnel.nmea exists already"),
    (["--trace", tunnel, "--store", "/nowhere/x.store"], "/nowhere/x.store"),
    (["--trace", tunnel, "--store", ":memory:"], "is not a file name"),
    (["--trace", tunnel, "--store", "x", "--events", "x"], "both name x"),
    (["decode"], "no FILE; write: tracker-sim decode FILE"),
    (["decode", "a", "b"], "'b' is one word too many"),
    (["decode", "/nowhere"], "no such file"),
    (["decode", "/bin/true"], "contains no NMEA sentence"),
    (["decode", "/dev/null"], "is empty"),
    (["paln"], "did you mean plan?"), (["--trace", tunnel, "--trace", tunnel], "given twice"),
    (["stats", "a", "--json", "--json"], "--json is given twice"),
  ]

  @Test(arguments: commandLines.indices)
  func `A command line that cannot be followed is refused in one line`(_ index: Int) throws {
    let (words, complaint) = Self.commandLines[index]
    let run = try ProgramRun(words)
    #expect(run.isRefusal, "\(run.command): \(run.code) \(run.errors)")
    #expect(run.errors.contains(complaint), "\(run.command): \(run.errors)")
  }

  static let files: [(option: String, text: String, complaint: String)] = [
    ("--config", "{ capture: { policy: \"standrad\" } }", ":1: capture.policy"),
    ("--config", "{\n  capture: { policy: \"standard\",\n interval: \"10 mA\" } }", ":3:"),
    ("--config", "{", "settings.json5:1"),
    (
      "--config", "{ capture: { policy: \"significant\" },\n receiver: \"dutyCycle\" }",
      ":2: receiver"
    ),
    ("--config", "", "is empty"),
    (
      "--scenario", "{ coverage: [ { from: \"1 h\", kind: \"noService\" } ], covrage: [] }",
      "coverage"
    ),
    (
      "--scenario",
      """
      { server: [ { from: "0 s", to: "10 min", fault: "timeout" },
        { from: "5 min", to: "20 min", fault: "refuse" } ] }
      """, ":2:"
    ),
    ("--board", "{ name: \"x\" }", "settings.json5"),
  ]

  @Test(arguments: files.indices)
  func `A file with a mistake is refused with its line and key`(_ index: Int) throws {
    let (option, text, complaint) = Self.files[index]
    let folder = try ScratchFolder()
    let path = folder.path("settings.json5")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let run = try ProgramRun([
      "--trace", Self.tunnel, option, path, "--events", folder.path("events.txt"),
    ])
    #expect(run.isRefusal, "\(run.command): \(run.code) \(run.errors)")
    #expect(run.errors.contains(complaint), "\(run.command): \(run.errors)")
    #expect(try folder.names() == ["settings.json5"], "an events file was left half-written")
  }
}
