import BoardSupport
import CommandLineSupport
import FeatureService
import Simulation
import TrackerCore

extension Scenario {
  /// Reads a scenario file (JSON5). A track that it omits has no faults.
  ///
  /// - Throws: the first mistake: an unknown key, an impossible value or overlapping windows.
  static func load(path: String) throws(FileError) -> Scenario {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) }
    return try Scenario(try FileNode.load(path: path), folder: folder ?? "")
  }

  /// Reads a scenario from the parsed file.
  ///
  /// - Parameter folder: the folder that relative paths in the scenario start from, ending in a
  ///   slash.
  init(_ root: FileNode, folder: String = "") throws(FileError) {
    self.init()
    try root.checkKeys([
      "coverage", "server", "service", "badCaptures", "receiver", "modem", "modemScript", "sim",
      "battery", "store", "commands", "network",
    ])
    coverage = try root.track("coverage", keys: ["kind"]) { (node) throws(FileError) in
      try node.required("kind", like: "\"noService\"").choice([
        ("noService", .noService), ("noBearer", .noBearer), ("denied", .denied),
      ])
    }
    server = try root.track("server", keys: Fault.keys, Fault.init(window:))
    if let node = root.optional("service") { service = try ServiceModel(node) }
    badCaptures = try Self.badCaptures(root)
    receiver = try root.track("receiver", keys: ["fault"]) { (node) throws(FileError) in
      try node.required("fault", like: "\"silent\"").choice([("silent", .silent)])
    }
    modem = try root.track("modem", keys: ["fault"]) { (node) throws(FileError) in
      try node.required("fault", like: "\"mute\"").choice([
        ("mute", .mute), ("noSIM", .noSIM), ("simLocked", .simLocked),
      ])
    }
    if let node = root.optional("modemScript") {
      modemScript = try ModemScript(node, folder: folder)
    }
    if let node = root.optional("sim") { sim = try SIMCard(node) }
    store = try root.track("store", keys: ["fault"]) { (node) throws(FileError) in
      try node.required("fault", like: "\"full\"").choice([("full", .full)])
    }
    if let node = root.optional("battery") { try readBattery(node) }
    if let node = root.optional("commands") { commands = try Self.commands(node) }
    if let node = root.optional("network") { network = try NetworkModel(node) }
  }

  private static func badCaptures(_ root: FileNode) throws(FileError) -> [UInt32] {
    guard let node = root.optional("badCaptures") else { return [] }
    var sequences: Set<UInt32> = []
    for element in try node.elements(atMost: 10_000) {
      let sequence: UInt32 = try element.integer(in: 1...UInt32.max, "sequence numbers begin at 1")
      guard sequences.insert(sequence).inserted else {
        throw element.error("\(sequence) is listed twice; remove one")
      }
    }
    return sequences.sorted()
  }

  private mutating func readBattery(_ node: FileNode) throws(FileError) {
    try node.checkKeys(["start", "weakCell", "temperature"])
    if let start = node.optional("start") {
      batteryStartPercent = try start.quantity(.percentage, in: 0...100)
    }
    if let weak = node.optional("weakCell") {
      weakCellPercent = try weak.quantity(.percentage, in: 1...100, "of the others' capacity")
    }
    batteryCelsius = try node.track("temperature", keys: ["celsius"]) {
      (node) throws(FileError) in
      try node.required("celsius", like: "\"5 °C\"").quantity(
        .temperature, in: -40...85, "the range of the parts")
    }
  }

  private static func commands(_ node: FileNode) throws(FileError) -> [TimedCommand] {
    var commands: [TimedCommand] = []
    for element in try node.elements(atMost: FileNode.mostWindows) {
      try element.checkKeys(["at", "command"])
      commands.append(
        TimedCommand(
          at: try element.required("at", like: "\"4:30:00\"").elapsed(),
          command: try Command(try element.required("command", like: "\"sendNow\""))))
    }
    // Commands at the same time keep the file's order: Swift's sort is stable.
    return commands.sorted { $0.at < $1.at }
  }
}

extension Command {
  /// Reads a command's name, or an object for a command with an argument.
  init(_ node: FileNode) throws(FileError) {
    guard case .object = node.value else {
      self = try node.choice([
        ("start", .start), ("stop", .stop), ("captureNow", .captureNow), ("sendNow", .sendNow),
        ("unsetTeam", .unsetTeam),
      ])
      return
    }
    try node.checkKeys(["setTeam"])
    let example = "Els Caminants"
    let team = try node.required("setTeam", like: "\"\(example)\"").text(atMost: 64, like: example)
    self = .setTeam(InlineText(Array(team.utf8).span))
  }
}

extension ModemScript {
  /// Reads the script named by a scenario.
  fileprivate init(_ node: FileNode, folder: String) throws(FileError) {
    let name = try node.text(atMost: 1000, like: "../modems/sim-removed.script")
    let path = name.hasPrefix("/") ? name : folder + name
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try InputFile.bytes(of: path, atMost: 1 << 20)
    } catch {
      throw node.error("\(error)")
    }
    do throws(ModemScriptError) {
      self = try ModemScript(String(decoding: bytes, as: UTF8.self), name: path)
    } catch {
      throw node.error(error.description)
    }
  }
}

extension SIMCard {
  fileprivate init(_ node: FileNode) throws(FileError) {
    self.init()
    try node.checkKeys(["pin", "secret"])
    pin = try node.optional("pin").map { (node) throws(FileError) in try Self.digits(node) }
    secret = try node.optional("secret").map { (node) throws(FileError) in try Self.digits(node) }
  }

  private static func digits(_ node: FileNode) throws(FileError) -> String {
    let text = try node.text(atMost: 8, like: "0742")
    let isPIN = text.utf8.count >= 4 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    guard isPIN else {
      throw node.error("is not a PIN; write four to eight digits, for example \"0742\"")
    }
    return text
  }
}

extension ServiceModel {
  init(_ node: FileNode) throws(FileError) {
    self.init()
    try node.checkKeys(["globalIDs", "partialEdits", "tokens"])
    if let given = node.optional("globalIDs") { takesGlobalIDs = try given.boolean() }
    if let given = node.optional("partialEdits") { keepsPartOfRequest = try given.boolean() }
    if let given = node.optional("tokens") {
      tokenLife = try given.duration(in: .minutes(1) ... .hours(1000), "a token's lifetime")
    }
  }
}

extension NetworkModel {
  init(_ node: FileNode) throws(FileError) {
    self.init()
    try node.checkKeys(["latency", "bytesPerSecond", "registration"])
    if let given = node.optional("latency") {
      latency = try given.duration(in: 0 ... .minutes(10))
    }
    if let given = node.optional("bytesPerSecond") {
      bytesPerSecond = try given.integer(in: 1...1_000_000_000)
    }
    if let given = node.optional("registration") {
      registration = try given.duration(in: 0 ... .minutes(10))
    }
  }
}
