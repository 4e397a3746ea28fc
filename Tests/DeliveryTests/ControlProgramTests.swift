import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// trackerctl as a person has it.
@Suite(.blocking) struct ControlProgramTests {
  @Test func `A store is pushed once, and a second push has nothing to do`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let path = try folder.store(160)
    let words = ["push", "--store", path, "--server", camp.layer]
    let first = try controlRun(words)
    #expect(first.code == 0 && first.errors.isEmpty, "\(first.errors)\(first.command)")
    #expect(first.output == "pushed 160, 0 left, 0 set aside\n", "\(first.command)")
    let second = try controlRun(words)
    #expect(second.output == "pushed 0, 0 left, 0 set aside\n", "\(second.command)")
    #expect(second.code == 0 && second.errors.isEmpty, "\(second.command)")
    #expect(try camp.count() == 160, "\(camp.command)")
  }

  @Test(arguments: [
    ("ca", "enviades 3, en queden 0, apartades 0\n"),
    ("es", "enviadas 3, quedan 0, apartadas 0\n"),
    ("fr", "envoyées 3, restent 0, mises de côté 0\n"),
  ])
  func `What was pushed is told in the language of the environment`(
    _ language: String, _ says: String
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let words = ["push", "--store", try folder.store(3), "--server", camp.layer]
    let run = try ProgramResult("trackerctl", words, environment: ["LC_ALL": language])
    #expect(run.code == 0 && run.output == says, "\(run.errors)\(run.command)")
  }

  @Test func `A password comes from its file, and a wrong one is told in one line`() throws {
    let folder = try ScratchFolder()
    let password = try folder.write("password", "Senglars-2012\n")
    let camp = try CampServer(folder, ["--user", "team", "--password-file", password])
    let path = try folder.store(20)
    let words = ["push", "--store", path, "--server", camp.layer, "--user", "team", "--secrets"]
    let wrong = try controlRun(words + [try folder.write("wrong", "password = Porcs-2012\n")])
    #expect(wrong.code == 2 && wrong.isOneLineOfComplaint, "\(wrong.errors)\(wrong.command)")
    #expect(!wrong.errors.contains("Porcs"), "\(wrong.command)")
    let open = try folder.write("open", "password = Senglars-2012\n", mode: 0o644)
    let exposed = try controlRun(words + [open])
    #expect(exposed.code == 2 && exposed.errors.contains("chmod 600"), "\(exposed.errors)")
    let right = try controlRun(words + [try folder.write("right", "password = Senglars-2012")])
    #expect(right.output == "pushed 20, 0 left, 0 set aside\n", "\(right.errors)\(right.command)")
  }

  @Test func `A store that a tracker uses is refused to push and shown to people`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("race.store")
    let store = try CaptureStore.open(.file(path), at: Walk.start)
    try Walk.fill(store, 3)
    let server = "http://127.0.0.1:1/FeatureServer/0"
    let push = try controlRun(["push", "--store", path, "--server", server])
    #expect(push.code == 2 && push.isOneLineOfComplaint, "\(push.errors)\(push.command)")
    #expect(push.errors.contains("another tracker uses it"), "\(push.errors)\(push.command)")

    try store.setAside([2], code: -2_147_217_395, at: Walk.start)
    let list = try controlRun(["captures", "--store", path])
    let lines = list.output.split(separator: "\n")
    #expect(list.code == 0 && lines.count == 5, "\(list.errors)\(list.command)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(list.output)\(list.command)")
    #expect(lines[2].contains("      2 2012-10-06 10:00:20  98 % 41.80000 2.10000 "), "\(list)")
    #expect(lines[2].hasSuffix(" set aside -2147217395"), "\(list.output)\(list.command)")
    #expect(lines[4] == "3 captures: 2 waiting, 0 delivered, 1 set aside", "\(list.output)")
  }

  @Test func `A store that is none is refused, and none is made`() throws {
    let folder = try ScratchFolder()
    let text = try folder.write("notes.txt", String(repeating: "not a store\n", count: 100))
    for path in [text, folder.path("absent"), folder.url.path] {
      for words in [["push", "--server", "http://127.0.0.1:1/FeatureServer/0"], ["captures"]] {
        let run = try controlRun(words + ["--store", path])
        #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("absent")))
  }

  static let wrongWords: [(words: [String], complaint: String)] = [
    ([], "no command"),
    (["pul"], "is not a command"),
    (["push"], "no --store or --config; write: "),
    (["push", "--store", "a"], "no --server or --config"),
    (["captures", "--store", "a", "--server", "b"], "unknown option"),
    (["push", "--store", "a", "--server", "host/FeatureServer/0"], "has no scheme"),
    (["push", "--store", "a", "--server", "http://h/FeatureServer"], "has no layer number"),
    (["push", "--store", "a", "--server", "http://h/MapServer/0"], "takes no captures"),
    (["push", "--store", "a", "--server", "http://u:p@h/FeatureServer/0"], "password"),
    (["push", "--store", "a", "--server", "http://h/FeatureServer/0?f=json"], "has a query"),
    (["push", "--store", "a", "--server", "http://h/FeatureServer/0", "--user", "u"], "--secrets"),
    (["import", "a", "--server", "host/FeatureServer/0"], "has no scheme"),
    (["import", "a", "--server", "http://h/FeatureServer"], "has no layer number"),
    (["import", "--server", "a"], "no FILE"),
    (["import", "a", "b", "--config", "c"], "'b' is one word too many"),
    (["import", "a"], "no --server or --config"),
    (["import", "absent.csv", "--server", "http://h/FeatureServer/0"], "absent.csv"),
    (
      ["push", "--store", "a", "--server", "http://h/FeatureServer/0", "--ca", "absent.pem"],
      "absent.pem"
    ),
    (
      ["push", "--store", "a", "--server", "http://h/FeatureServer/0", "--secrets", "absent"],
      "absent: cannot be read"
    ),
  ]

  @Test(arguments: wrongWords.indices)
  func `A command line that cannot be followed is told in one line`(_ index: Int) throws {
    let (words, complaint) = Self.wrongWords[index]
    let run = try controlRun(words)
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    #expect(run.errors.contains(complaint), "\(run.errors)\(run.command)")
  }

  @Test func `A server that is not there or not a server leaves all in the store`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(5)
    let portal = try ScriptedServer(
      answering: answer(
        "200 OK", "<html><body>Welcome to Wi-Fi! Accept the terms.</body></html>",
        fields: "Content-Type: text/html\r\n"))
    let servers = [
      ("http://127.0.0.1:1/FeatureServer/0", "http://127.0.0.1:1:"),
      ("http://127.0.0.1:\(portal.port)/FeatureServer/0", "captive portal"),
    ]
    for (server, complaint) in servers {
      let run = try controlRun(["push", "--store", path, "--server", server])
      #expect(run.code == 1, "\(run.command)")
      #expect(run.output == "pushed 0, 5 left, 0 set aside\n", "\(run.command)")
      #expect(run.errors.contains(complaint), "\(run.errors)\(run.command)")
      #expect(run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)\(run.command)")
    }
  }

  @Test func `A layer that cannot take captures is named before anything is sent`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let path = try folder.store(5)
    for layer in ["TrailWalker/FeatureServer/7", "Nothing/FeatureServer/0"] {
      let words = ["push", "--store", path, "--server", "\(camp.services)/\(layer)"]
      let run = try controlRun(words)
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      #expect(run.errors.contains("layer: "), "\(run.errors)\(run.command)")
    }
  }
}
