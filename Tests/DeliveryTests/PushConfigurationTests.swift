import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// `push` with a tracker's own configuration.
@Suite(.blocking) struct PushConfigurationTests {
  @Test func `The configuration names store, server and attributes`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let path = try folder.store(3)
    let config = try folder.configuration(
      camp.layer, store: path, more: "fields: { battery: false }, device: 'dorsal-7'")
    let run = try controlRun(["push", "--config", config])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)\(run.command)")
    #expect(run.output == "pushed 3, 0 left, 0 set aside\n", "\(run.command)")
    let features = try camp.features()
    #expect(features.count == 3, "\(camp.command)")
    #expect(features.allSatisfy { $0.contains("CodiEquip=dorsal-7") }, "\(features)")
    #expect(features.allSatisfy { $0.contains("Bateria=<null>") }, "\(features)")
  }

  @Test(arguments: [("osmand", 3), ("owntracks", 3), ("json", 1)])
  func `Other kinds of server are spoken to`(_ kind: String, _ requests: Int) throws {
    let folder = try ScratchFolder()
    let server = try ScriptedServer(
      answering: answer("200 OK", "[]", fields: "Content-Type: application/json\r\n"))
    let path = try folder.store(3)
    let config = try folder.configuration(
      "http://127.0.0.1:\(server.port)/", store: path, kind: kind, more: "user: 't7'")
    let run = try controlRun(["push", "--config", config])
    #expect(run.output == "pushed 3, 0 left, 0 set aside\n", "\(run.errors)\(run.command)")
    #expect(
      run.code == 0 && server.requests.count == requests, "\(server.requests); \(run.command)")
  }

  @Test func `What the configuration says is not said again`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(1)
    let config = try folder.configuration("http://127.0.0.1:1/x/FeatureServer/0", store: path)
    for words in [
      ["--server", "http://h/FeatureServer/0"], ["--user", "u"], ["--secrets", "s"],
      ["--ca", "c"], ["--client-id", "i"], ["--token-url", "t"],
    ] {
      let run = try controlRun(["push", "--config", config] + words)
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      #expect(run.errors.contains("--config and \(words[0]) exclude each other"), "\(run.errors)")
    }
    let wrong = try folder.write("wrong.json5", "{ server: { addres: 'x' } }")
    let run = try controlRun(["push", "--config", wrong])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
  }

  /// The server acts after the client has given up; the person is kept waiting, and no row is there
  /// twice. A real push waits minutes for an answer: the rest of this is in ExactlyOnceTests.
  @Test func `A push that is killed in the middle is waited out by the next one`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--no-global-ids", "--fault", "late 1500ms every 1st"])
    let path = try folder.store(40)
    let config = try folder.configuration(camp.layer, store: path, mayActFor: "4 s")
    let program = try RunningProgram(
      [Built.program("trackerctl").path, "push", "--config", config])
    try waitUntilUnderWay(path, program)
    // The request has left, and the server has not acted yet.
    usleep(300_000)
    program.end()
    let begun = Date()
    let run = try controlRun(["push", "--config", config])
    #expect(run.code == 0, "\(run.errors)\(run.command)")
    #expect(Date().timeIntervalSince(begun) >= 4, "\(run.command)")
    #expect(try camp.count() == 40, "\(camp.command)")
  }
}
