public import BoardSupport
import FeatureService
import TrackerCore

extension Scenario {
  /// Reads a scenario file (JSON5). A track that it omits has no faults.
  ///
  /// - Parameter read: reads a modem's script.
  /// - Throws: the first mistake: an unknown key, an impossible value or overlapping windows.
  public static func load(
    path: String, _ read: (String) throws -> [UInt8]
  ) throws(FileError) -> Scenario {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) }
    return try Scenario(try FileNode.load(path: path), folder: folder ?? "", read)
  }

  /// Reads a scenario from the parsed file.
  ///
  /// - Parameter folder: the folder that relative paths in the scenario start from, ending in a
  ///   slash.
  public init(
    _ root: FileNode, folder: String = "", _ read: (String) throws -> [UInt8]
  ) throws(FileError) {
    self.init()
    try root.checkKeys([
      "coverage", "server", "service", "badCaptures", "receiver", "modem", "modemScript", "sim",
      "battery", "store", "commands", "network", "restarts", "reloads", "clock", "people",
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
      modemScript = try ModemScript(node, folder: folder, read)
    }
    if let node = root.optional("sim") { sim = try SIMCard(node) }
    store = try root.track("store", keys: ["fault", "delay"], StoreFault.init(_:))
    if let node = root.optional("battery") { try readBattery(node) }
    if let node = root.optional("commands") { commands = try Self.commands(node) }
    if let node = root.optional("network") { network = try NetworkModel(node) }
    restarts = try root.inOrder("restarts", of: \.at, Restart.init(_:))
    reloads = try root.inOrder("reloads", of: \.at, Reload.init(_:))
    clock = try root.inOrder("clock", of: \.at, ClockJump.init(_:))
    people = try root.inOrder("people", of: \.at, Writing.init(_:))
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
    for element in try node.elements(atMost: SimulationBounds.windows) {
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
        ("unsetTeam", .unsetTeam), ("emergency", .raiseEmergency),
        ("emergencyOver", .withdrawEmergency), ("askForCall", .askForCall),
        ("endCallRequest", .endCallRequest), ("tryPIN", .tryPIN),
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
  fileprivate init(
    _ node: FileNode, folder: String, _ read: (String) throws -> [UInt8]
  ) throws(FileError) {
    let name = try node.text(atMost: 1000, like: "../modems/sim-removed.script")
    let path = name.hasPrefix("/") ? name : folder + name
    let bytes: [UInt8]
    do { bytes = try read(path) } catch { throw node.error("\(error)") }
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
    try node.checkKeys(["kind", "globalIDs", "partialEdits", "tokens"])
    if let given = node.optional("kind") {
      kind = try given.choice([("featureServer", .featureServer), ("osmAnd", .osmAnd)])
    }
    if let given = node.optional("globalIDs") { takesGlobalIDs = try given.boolean() }
    if let given = node.optional("partialEdits") { keepsPartOfRequest = try given.boolean() }
    if let given = node.optional("tokens") {
      tokenLife = try given.duration(in: .minutes(1) ... .hours(1000), "a token's lifetime")
    }
  }
}

extension StoreFault {
  fileprivate init(_ node: FileNode) throws(FileError) {
    let isSlow = try node.required("fault", like: "\"full\"").choice([
      ("full", false), ("slow", true),
    ])
    guard isSlow else {
      if let delay = node.optional("delay") {
        throw delay.error("does not belong to the fault \"full\"; remove it, or choose \"slow\"")
      }
      self = .full
      return
    }
    self = .slow(try node.required("delay", like: "\"8 s\"").duration(in: 0 ... .minutes(10)))
  }
}

extension Reload {
  fileprivate init(_ node: FileNode) throws(FileError) {
    try node.checkKeys(["at", "settings"])
    at = try node.required("at", like: "\"4:30:00\"").elapsed()
    settings = try node.required("settings", like: "['sleep: \"halt\"']").settings()
  }
}

extension FileNode {
  /// What is listed under a key, sorted by time.
  fileprivate func inOrder<Item>(
    _ key: String, of time: KeyPath<Item, Milliseconds>,
    _ read: (FileNode) throws(FileError) -> Item
  ) throws(FileError) -> [Item] {
    guard let node = optional(key) else { return [] }
    return try node.elements(atMost: SimulationBounds.windows).map {
      (node) throws(FileError) in try read(node)
    }.sorted { $0[keyPath: time] < $1[keyPath: time] }
  }

  /// The members of a configuration file.
  func settings() throws(FileError) -> [String] {
    try elements(atMost: 100).map { (node) throws(FileError) in
      try node.text(atMost: 1000, like: "sleep: \"halt\"")
    }
  }
}

extension ClockJump {
  fileprivate init(_ node: FileNode) throws(FileError) {
    try node.checkKeys(["at", "forward", "back"])
    at = try node.required("at", like: "\"4:30:00\"").elapsed()
    let range: ClosedRange<Milliseconds> = 0 ... .hours(24 * 365 * 60)
    if let back = node.optional("back") {
      if let forward = node.optional("forward") {
        throw forward.error("cannot be combined with \"back\"; remove one of the two")
      }
      by = 0 - (try back.duration(in: range))
    } else {
      by = try node.required("forward", like: "\"2 h\"").duration(in: range)
    }
  }
}

extension Writing {
  fileprivate init(_ node: FileNode) throws(FileError) {
    let words = [Kind.note, .message, .order, .read].map(\.word)
    try node.checkKeys(["at"] + words)
    at = try node.required("at", like: "\"4:30:00\"").elapsed()
    let given = words.compactMap { word in node.optional(word).map { (word, $0) } }
    if given.count > 1 {
      throw given[1].1.error("cannot be combined with \"\(given[0].0)\"; remove one of the two")
    }
    switch given.first {
    case (Kind.note.word, let note)?:
      (kind, text) = (.note, try note.text(atMost: 200, like: "a blister"))
    case (Kind.order.word, let order)?:
      (kind, text) = (.order, try order.text(atMost: 200, like: "capture"))
      guard RemoteVerb.command(text.split(separator: " ").map(String.init)) != nil else {
        throw order.error(
          "must be \"capture\", \"start\", \"stop\", \"call\" or \"undo call\": write one of them")
      }
    case (Kind.read.word, let answer)?:
      (kind, text) = (try answer.choice([("read", .read), ("ended", .ended)]), "")
    default:
      let message = try node.required("message", like: "\"wait at the church\"")
      (kind, text) = (.message, try message.text(atMost: 200, like: "wait at the church"))
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

extension FileNode {
  /// The windows of one track, sorted; empty if the file does not have the track.
  ///
  /// - Parameters:
  ///   - keys: the keys of a window besides `from` and `to`.
  ///   - content: reads those keys.
  /// - Throws: what `content` throws, or if a window ends before it begins or overlaps another.
  func track<Content>(
    _ key: String, keys: [String], _ content: (FileNode) throws(FileError) -> Content
  ) throws(FileError) -> [Window<Content>] {
    guard let node = optional(key) else { return [] }
    var windows: [(window: Window<Content>, node: FileNode)] = []
    for element in try node.elements(atMost: SimulationBounds.windows) {
      try element.checkKeys(["from", "to"] + keys)
      let from = try element.required("from", like: "\"4:30:00\"").elapsed()
      let end = element.optional("to")
      let to = try end?.elapsed()
      if let end, let to, to <= from {
        throw end.error("is not after \"from\"; swap the two, or leave \"to\" out for the end")
      }
      windows.append((Window(from: from, to: to, content: try content(element)), element))
    }
    windows.sort { $0.window.from < $1.window.from }
    for (earlier, later) in zip(windows, windows.dropFirst()) {
      guard earlier.window.contains(later.window.from) else { continue }
      throw later.node.error(
        "overlaps \(earlier.node.keyPath) on line \(earlier.node.line ?? 0); "
          + "end the one before the other begins")
    }
    return windows.map(\.window)
  }
}

extension Fault {
  static let keys = [
    "fault", "status", "retryAfter", "code", "delay", "every", "probability", "on",
    "above",
  ]

  /// Reads a window of the track `server`, without its times.
  init(window node: FileNode) throws(FileError) {
    let word = try node.required("fault", like: "\"timeout\"").choice(
      Word.allCases.map { ($0.rawValue, $0) })
    let owners: [(key: String, owners: [Word])] = [
      ("status", [.http, .httpAfter]), ("retryAfter", [.http]), ("code", [.rejectRequest]),
      ("delay", [.late]),
    ]
    for (key, owners) in owners where !owners.contains(word) {
      guard let foreign = node.optional(key) else { continue }
      throw foreign.error(
        "does not belong to the fault \"\(word.rawValue)\"; "
          + "remove it, or choose \"\(owners[0].rawValue)\"")
    }
    let target = try node.optional("on")?.choice(
      [Target.edits, .queries, .both, .all].map { ($0.rawValue, $0) })
    self.init(try Self.kind(word, node), try Self.occasion(node), on: target ?? .all)
    if let above = node.optional("above") {
      self.above = Int(try above.integer(in: 0...1_000_000) as Int32)
    }
  }

  private static func kind(_ word: Word, _ node: FileNode) throws(FileError) -> Kind {
    switch word {
    case .http:
      return .http(
        status: try status(node),
        retryAfter: try node.optional("retryAfter")?.duration(in: 0 ... .hours(24)))
    case .httpAfter: return .httpAfter(status: try status(node))
    case .late:
      return .late(try node.required("delay", like: "\"2 min\"").duration(in: 0 ... .hours(24)))
    case .rejectRequest:
      return .rejectRequest(
        code: try node.required("code", like: "400").integer(in: Int32.min...Int32.max))
    case .refuse: return .refuse
    case .dead: return .dead
    case .reset: return .reset
    case .timeout: return .timeout
    case .loseAcknowledgement: return .loseAcknowledgement
    case .cutAnswer: return .cutAnswer
    case .unauthorised: return .unauthorised
    case .portal: return .portal
    case .partial: return .partial
    }
  }

  private static func status(_ node: FileNode) throws(FileError) -> Int32 {
    try node.required("status", like: "503").integer(in: 300...599, "a lower status is not a fault")
  }

  private static func occasion(_ node: FileNode) throws(FileError) -> Occasion {
    let every = node.optional("every")
    let probability = node.optional("probability")
    if every != nil, let probability {
      throw probability.error("cannot be combined with \"every\"; remove one of the two")
    }
    if let every { return .every(try every.integer(in: 1...1_000_000)) }
    if let probability {
      let percent: Int32 = try probability.quantity(.percentage, in: 1...100)
      return .probability(percent: Double(percent))
    }
    return .always
  }
}
