import Foundation
import TestSupport
import Testing

/// `trackerctl setup` as a newcomer meets it, in a terminal.
@Suite(.blocking) struct SetupTerminalTests {
  private func begin(
    _ tree: SetupTree, _ words: [String] = [], _ environment: [String: String] = [:]
  ) throws -> Cable {
    let cable = try Cable(columns: 80)
    try cable.run(
      ["setup", "--root", tree.folder] + words, ["TERM": "vt100"].merging(environment) { $1 })
    return cable
  }

  /// Answers a question; Enter is added.
  private func answer(_ cable: Cable, _ question: String, _ text: String) throws {
    try cable.wait(question)
    try cable.wait(": ")
    cable.clear()
    try cable.type(text + "\r")
  }

  /// - Returns: the exit code.
  private func end(_ cable: Cable) throws -> Int32 {
    let limit = Date(timeIntervalSinceNow: 20)
    while cable.isRunning {
      cable.read(within: 0.05)
      guard Date() < limit else { throw Problem("still runs: \(cable.screen.debugDescription)") }
    }
    cable.read(within: 0.1)
    return cable.code
  }

  @Test func `A newcomer answers, corrects a slip, and has a tracker`() throws {
    let tree = try SetupTree()
    let cable = try begin(tree)
    try answer(cable, "Language of the tracker (ca, es, en, fr) [en]", "en")
    try cable.wait("This computer: Raspberry Pi Zero 2 W Rev 1.0")
    try answer(cable, "Board, or parts joined by + (? lists them) [pi-zero-2w-sim7600]", "?")
    try cable.wait("pi-4b+…")
    try answer(cable, "Board, or parts", "pi-zero")
    try cable.wait("type it again")
    try answer(cable, "Board, or parts", "")
    try answer(cable, "Port of the receiver", "")
    try answer(cable, "Name of the team", "")
    try cable.wait("an answer is needed")
    try answer(cable, "Name of the team", "  Els Senglars ")
    try answer(cable, "Number or short name", "17")
    try answer(cable, "Kind of server (arcgis, osmand, owntracks, json, mqtt) [arcgis]", "")
    try answer(cable, "Address of the server", "host")
    try cable.wait("type it again")
    try answer(cable, "Address of the server", SetupTree.server)
    try answer(cable, "User at the server", "t7")
    try answer(cable, "Password or token", "")
    try cable.wait("an answer is needed")
    try answer(cable, "Password or token", "hunter2")
    try cable.wait("Time zone")
    #expect(!cable.screen.contains("hunter2"))
    try answer(cable, "Time zone [Europe/Madrid]", "")
    try answer(cable, "End of the race", "2020-04-18T14:00")
    try cable.wait("type it again")
    try answer(cable, "End of the race", "2099-04-18T14:00")
    try answer(cable, "What carries the data", "")
    try answer(cable, "Network interface", "wwan0")
    try answer(cable, "Access point, APN", "internet")
    try cable.wait("Change this? (y/n) ")
    #expect(tree.text(SetupTree.configuration).isEmpty, "not before the last question")
    try cable.type("y\r")
    #expect(try end(cable) == 0)
    #expect(cable.screen.contains("Done."))
    #expect(tree.text(SetupTree.secrets) == "password = hunter2\n")
    let check = try tree.checked()
    // All is well but for the secrets, which are on the image and not here.
    #expect(check.errors.contains("/etc/trailtracker/secrets: cannot be read"), "\(check.errors)")
    for part in [#"team: "Els Senglars""#, #"device: "17""#, #"interface: "wwan0""#] {
      #expect(tree.text(SetupTree.configuration).contains(part))
    }
  }

  @Test func `The second time Enter keeps everything`() throws {
    let tree = try SetupTree()
    #expect(try tree.setup().code == 0)
    let before = try tree.snapshot()
    let cable = try begin(tree)
    for _ in 0..<14 where cable.isRunning {
      try? cable.wait(": ", seconds: 5)
      cable.clear()
      try cable.type("\r")
      cable.read(within: 0.1)
    }
    #expect(try end(cable) == 0)
    #expect(cable.screen.contains("no es canvia res"))
    #expect(try tree.snapshot() == before)
  }

  @Test(arguments: [0, 1, 4, 8])
  func `Ctrl-C or the end of the input at a question: nothing has changed, and it says so`(
    _ count: Int
  ) throws {
    let answers = ["en", "", "", "Els Senglars", "17", "", SetupTree.server, "", "", ""]
    for isSignal in [true, false] {
      let tree = try SetupTree()
      let before = try tree.snapshot()
      let cable = try begin(tree)
      for text in answers.prefix(count) {
        try cable.wait(": ")
        cable.clear()
        try cable.type(text + "\r")
      }
      // Each question ends so, and so does what an answer echoes.
      try cable.wait(": ")
      if isSignal { kill(cable.id, SIGINT) } else { try cable.send([4]) }
      #expect(try end(cable) == 1)
      #expect(cable.screen.contains("stopped; nothing has been changed"))
      #expect(try tree.snapshot() == before)
    }
  }

  @Test func `No at the last question changes nothing`() throws {
    let tree = try SetupTree()
    let before = try tree.snapshot()
    let cable = try begin(tree, SetupTree.options.dropLast() + ["en"])
    for question in ["Port of", "Number", "Kind", "User", "Password", "Time zone", "What carries"] {
      try answer(cable, question, "")
    }
    try answer(cable, "Network interface", "")
    try answer(cable, "Access point", "")
    try cable.wait("Change this?")
    try cable.type("\r")
    #expect(try end(cable) == 1)
    #expect(try tree.snapshot() == before)
  }

  @Test func `The rest is asked in the language that was answered first`() throws {
    let tree = try SetupTree()
    let cable = try begin(tree, [], ["LC_ALL": "ca_ES.UTF-8"])
    try answer(cable, "Llengua de l'equip (ca, es, en, fr) [ca]", "fr")
    try cable.wait("Carte, ou parties")
    try cable.send([4])
    #expect(try end(cable) == 1)
  }
}
