import FieldConsole
import Foundation
import MachineAccess
import TestSupport
import Testing

/// `trackerctl WORD…` at a tracker that runs.
@Suite(.serialized, .blocking) struct ConsoleTests {
  private let command: Comment = "repeat with: swift test --filter DaemonTests.ConsoleTests"

  @Test func `A tracker that finds its position waits, and with a server it is fit to go`() throws {
    let new = try ConsoleRig()
    try new.run.startAndWait()
    let waiting = try new.tell("status")
    #expect(waiting.code == 3, command)
    let number = try new.run.device().prefix(4)
    #expect(waiting.firstLine.hasPrefix("Els Caminants  \(number)  WAIT "), command)

    let rig = try ConsoleRig.outdoors()
    let go = try rig.status(code: 0)
    #expect(go.firstLine.contains("  GO"), command)
    #expect(go.firstLine.hasSuffix("battery not measured"), command)
    #expect(go.value("capturing")?.hasPrefix("next capture in 0:0") == true, "\(go.output)")
    #expect(go.value("position")?.contains(" 2.48") == true, "\(go.output)")
    #expect(go.lines.count <= 24, "\(go.output)")
    #expect(!go.output.contains("\u{1B}"), command)
    let coloured = try rig.tell("status", "--color")
    #expect(coloured.firstLine.contains("\u{1B}[1;32mGO\u{1B}[0m"), "\(coloured.firstLine)")
  }

  @Test func `A stopped session is a NO-GO with its cure, until it is started`() throws {
    let rig = try ConsoleRig.outdoors()
    _ = try rig.status(code: 0)
    #expect(try rig.tell("stop", "--yes").code == 0, command)
    let stopped = try rig.tell("status")
    #expect(stopped.code == 1 && stopped.firstLine.contains("NO-GO: session stopped"), command)
    #expect(stopped.value("do") == "type: start", "\(stopped.output)")
    let capture = try rig.tell("capture", "now")
    #expect(capture.code == 2 && capture.isOneLineOfComplaint, "\(capture.errors)")
    #expect(try rig.tell("start").code == 0, command)
    _ = try rig.status(code: 0)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A disk that fills up is a NO-GO, also when the tracker is killed`() throws {
    let disk = try SmallDisk(kilobytes: 24_576)
    let rig = try ConsoleRig.outdoors(["store": "'\(disk.folder)/queue.db'"])
    _ = try rig.status(code: 0)
    try disk.leave(1 << 20)
    let full = try rig.tell("status")
    #expect(full.code == 1 && full.firstLine.contains("NO-GO: disk full: "), "\(full.output)")
    #expect(full.value("do")?.hasPrefix("remove files") == true, "\(full.output)")
    rig.run.end(SIGKILL)
    let dead = try rig.tell("status")
    #expect(dead.firstLine.contains("NO-GO: trackerd does not run"), "\(dead.output)")
    #expect(dead.value("store")?.contains(" safe on the disk; ") == true, "\(dead.output)")
  }

  @Test func `Mistakes are reported in one line, with the cure`() throws {
    let rig = try ConsoleRig()
    try rig.run.startAndWait()
    for (words, cure) in [
      (["status", "--frobnicate"], "see trackerctl status --help"), (["status", "now"], "status"),
      (["staus"], "status"), (["log", "many"], "many"), (["set", "interval", "soon"], "10 min"),
      (["set", "team"], "set"), (["show", "7777"], "7777"), (["status", "--language", "de"], "ca"),
      (["undo", "nothing"], "nothing"),
    ] {
      let result = try ProgramResult("trackerctl", words + rig.which)
      #expect(result.code == 2 && result.isOneLineOfComplaint, "\(words): \(result.errors)")
      #expect(result.errors.contains(cure), "\(words): \(result.errors)")
    }
    let missing = try ProgramResult("trackerctl", ["status", "--config", "/no/such.json5"])
    #expect(missing.code == 2 && missing.isOneLineOfComplaint, "\(missing.errors)")
  }

  @Test func `JSON says what the page says`() throws {
    let rig = try ConsoleRig.outdoors()
    _ = try rig.status(code: 0)
    for (words, verdict, code) in [([], "GO", 0), (["stop", "--yes"], "NO-GO", 1)] {
      if !words.isEmpty { _ = try ProgramResult("trackerctl", words + rig.which) }
      let json = try rig.tell("status", "--json", environment: ["LC_ALL": "ca_ES.UTF-8"])
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      #expect(object["verdict"] as? String == verdict && json.code == code, "\(json.output)")
      #expect(object["team"] as? String == "Els Caminants", command)
      #expect(object["store"] as? String == rig.run.path("queue.db"), "\(json.output)")
      // Nothing is held, so that there is nothing to wait for.
      let held = (object["held"] as? Int, object["heldForMs"] as? Int)
      #expect(held == (0, nil), "\(json.output)")
      // Not in the reader's language.
      let action = object["action"] as? String
      #expect(action == (code == 0 ? nil : "type: start"), "\(json.output)")
    }
  }

  @Test func `The tracker's language comes before the environment's, and an option first`() throws {
    let catalan = ["LC_ALL": "", "LANG": "ca_ES.UTF-8"]
    let rig = try ConsoleRig()
    try rig.run.startAndWait()
    #expect(try rig.tell("status", environment: catalan).value("sessió") != nil, command)
    #expect(try rig.tell("set", "language", "fr").code == 0, command)
    #expect(try rig.tell("status", environment: catalan).value("dern. capture ") != nil, command)
    let spanish = try rig.tell("status", "--language", "es", environment: catalan)
    #expect(spanish.value("sesión") != nil, "\(spanish.output)")
    rig.run.end(SIGKILL)
    let dead = try rig.tell("status", environment: catalan)
    #expect(dead.firstLine.contains("trackerd ne tourne pas"), "\(dead.output)")
  }

  @Test func `The second person sees what the first one changed`() throws {
    let rig = try ConsoleRig()
    try rig.run.startAndWait()
    let first = try ControlClient.ask(
      "as anna@ttyS0 set interval 5 min", at: rig.run.path("control"))
    #expect(first.hasPrefix("ok\n"), "\(first)")
    #expect(try rig.tell("get").output.contains("anna@ttyS0"), command)
    #expect(try rig.tell("status").output.contains("anna@ttyS0"), command)
    let second = try rig.tell("set", "interval", "2min")
    #expect(second.output.contains("5 min") && second.output.contains("anna@ttyS0"), "\(second)")
    #expect(try rig.tell("undo").code == 0, command)
  }

  @Test func `What the socket does not understand is refused in one line that says what to do`()
    throws
  {
    let rig = try ConsoleRig()
    try rig.run.startAndWait()
    func ask(_ line: String) throws -> String {
      try ControlClient.ask(line, at: rig.run.path("control"))
    }
    for line in ["events abc", "events 0", "events -1", "log abc", "log 0", "log 1.5"] {
      let words = line.split(separator: " ")
      let texts = ConsoleError(lines: try ask(line)).texts
      let what = "\(words[0]) '\(words[1])': is no number of lines; "
      #expect(texts.english == what + "give one from 1 up, or none for all", command)
      #expect(texts.catalan.contains("no és cap nombre de línies"), "\(texts); \(command)")
    }
    for line in ["events", "events 1", "log", "log 1"] {
      #expect(try ask(line).hasPrefix("ok\n"), "\(line); \(command)")
    }
    #expect(try ask("log 1").split(separator: "\n").count == 2, command)
    let verbs =
      "facts, events, why, log, start, stop, capture, send, try, set, get, undo, retry, pin, "
      + "unlock, emergency, note"
    for line in ["", "nothing", "why not", "set", "try later", "retry"] {
      #expect(try ask(line) == "error unknown command; there are \(verbs)\n", "\(line); \(command)")
    }
  }

  @Test func `Each question is answered`() throws {
    let rig = try ConsoleRig.outdoors()
    _ = try rig.status(code: 0)
    for (words, answer) in [
      (["log", "100"], "line opened"), (["events", "200"], "session started"),
      (["why"], "GO"), (["proof"], "none is missing"), (["get"], "interval:"),
      (["captures", "3"], " captures: "), (["show", "1"], "1"), (["help"], "status"),
      (["help", "verdict"], "NO-GO"), (["version"], "trackerd "),
    ] {
      let result = try ProgramResult("trackerctl", words + rig.which)
      #expect(result.code == 0 && result.output.contains(answer), "\(words): \(result.output)")
      let json = try ProgramResult("trackerctl", words + rig.which + ["--json"])
      let object = try? JSONSerialization.jsonObject(with: Data(json.output.utf8))
      #expect(object is [String: Any], "\(words): \(json.output)")
    }
    let test = try rig.tell("self-test")
    #expect(test.output.contains("receiver        ok"), "\(test.output)")
    #expect(test.output.contains("pins            FAILED"), "\(test.output)")
    #expect(test.code == 1, "\(test.output)")
  }

  @Test func `self-test asks the layer itself, over this computer's own network`() throws {
    let rig = try ConsoleRig.outdoors()
    let fit = try rig.tell("self-test")
    #expect(
      fit.lines.contains("layer           ok  takes the fields, asked just now"), "\(fit.output)")
    // The same tracker, whose settings name a field that the layer lacks, or a server that is off.
    let settings = try String(contentsOfFile: rig.run.path("settings.json5"), encoding: .utf8)
    func layer(_ old: String, _ new: String) throws -> String? {
      let other = rig.run.path("other.json5")
      try Data(settings.replacingOccurrences(of: old, with: new).utf8)
        .write(to: URL(fileURLWithPath: other))
      let test = try ProgramResult("trackerctl", ["self-test", "--config", other])
      return test.lines.first { $0.hasPrefix("layer ") }
    }
    let lacking = try layer("FeatureServer/0'", "FeatureServer/0', fields: { team: 'Colla' }")
    #expect(lacking?.contains("FAILED") == true, "\(lacking ?? "-")")
    #expect(lacking?.contains("has no field Colla") == true, "\(lacking ?? "-")")
    let mute = try layer("FeatureServer/0'", "FeatureServer/0', messages: 7")
    #expect(mute?.contains("has no table of messages beside the layer") == true, "\(mute ?? "-")")
    let none = try layer("FeatureServer/0'", "FeatureServer/0', messages: false")
    #expect(none == "layer           ok  takes the fields, asked just now", "\(none ?? "-")")
    let noteless = try layer("FeatureServer/0'", "FeatureServer/0', notes: 7")
    #expect(
      noteless?.contains("has no table of notes after that of messages") == true,
      "\(noteless ?? "-")")
    // One that takes captures, as layers do that were made before trackers promised anything.
    let fields = ["CodiEquip", "Equip", "Bateria", "Entrada", "Tipus", "UUID", "Motiu", "Silenci"]
      .map { #"{"name":"\#($0)","type":"esriFieldTypeString"}"# }
    let body = #"{"fields":[\#(fields.joined(separator: ","))]}"#
    let older = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let address = try #require(settings.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
    #expect(
      try layer(String(address), older.address)
        == "layer           ok  has no ProperContacte (esriFieldTypeDate), Ordre "
        + "(esriFieldTypeInteger): without it the control room cannot explain silences or missing "
        + "captures; add it, or name your own field in server.fields"
    )
    let off = try layer("http://127.0.0.1:", "http://127.0.0.1:1/")
    #expect(off?.contains("could not be asked now") == true, "\(off ?? "-")")
  }
}
