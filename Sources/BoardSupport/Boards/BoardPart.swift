import TrackerCore

/// A board file, before it is combined with others.
struct BoardPart: Sendable {
  /// The name of its folder.
  let identifier: String
  let root: FileNode
  let kind: BoardKind
  let name: String
  let description: String
  let support: SupportLevel
  /// Why trackerd cannot run on this hardware: the file is a model of its energy only.
  let energyModelOnly: String?
  /// The parts that this file combines by name; its own keys prevail over theirs.
  let combines: [FileNode]
  /// The sections that this part takes the place of in other parts.
  let replaces: [String]
  /// The saved combination that named it.
  var combination: String?

  private static let keys = [
    "name", "description", "support", "kind", "combines", "energyModelOnly", "supply", "loads",
    "battery", "modem", "receiver", "pins", "ports", "interfaces", "uses", "boot",
    "builtInReceiver", "replaces", "halt", "firmware",
  ]

  /// - Throws: for a key that is unknown, missing or does not belong to the kind.
  init(_ root: FileNode, identifier: String) throws(FileError) {
    try root.checkKeys(Self.keys)
    self.root = root
    self.identifier = identifier
    name = try root.required("name", like: "\"Zero with HAT\"").text(
      atMost: 80, like: "Zero with HAT")
    description = try root.required("description", like: "\"…\"").text(
      atMost: 400, like: "A computer, a modem and a battery")
    support = try root.required("support", like: "\"unverified\"").choice(
      SupportLevel.allCases.map { ($0.rawValue, $0) })
    kind =
      try root.optional("kind")?.choice(BoardKind.allCases.map { ($0.rawValue, $0) }) ?? .board
    energyModelOnly = try root.optional("energyModelOnly")?.text(
      atMost: 200, like: "Swift has no compiler for its processor")
    combines = try root.optional("combines")?.elements(atMost: 10) ?? []
    replaces =
      try root.optional("replaces")?.elements(atMost: 2).map { (node) throws(FileError) in
        try node.choice([("battery", "battery"), ("supply", "supply")])
      } ?? []
    if let node = root.optional("combines") {
      guard kind == .board else { throw node.error("only a whole board combines; remove kind") }
      guard !combines.isEmpty else { throw node.error("is empty; name the parts") }
    }
    try checkReplacement()
    try checkOwnership()
    try checkTested()
  }

  /// Whether the file has nothing but what it changes in the parts that it combines.
  var isCombination: Bool { !combines.isEmpty }

  /// The values of the file, each at `section.key` or at a key of the root, in the file's order.
  var values: [(section: String?, key: String, node: FileNode)] {
    var values: [(section: String?, key: String, node: FileNode)] = []
    for (key, node) in root.children {
      switch key {
      case "loads", "pins", "ports":
        values += node.children.map { (key, $0.key, $0.node) }
      case "battery", "modem", "receiver":
        // A saved combination may change single values, and only a sensor can be another part's.
        if isCombination || kind.isOnBattery {
          values += node.children.map { (key, $0.key, $0.node) }
        } else {
          values.append((nil, key, node))
        }
      case "supply", "halt", "firmware": values.append((nil, key, node))
      default: break
      }
    }
    return values
  }

  private func checkReplacement() throws(FileError) {
    for section in replaces where root.optional(section) == nil {
      guard let node = root.optional("replaces") else { return }
      throw node.error("has \(quoted(section)), which this file does not give; remove it")
    }
  }

  private func checkTested() throws(FileError) {
    guard support == .tested, let doubtful = root.firstUnverified,
      let node = root.optional("support")
    else { return }
    throw node.error(
      "\"tested\" is not possible while \(doubtful.keyPath) is unverified; "
        + "measure it, or write \"documented\"")
  }

  private func checkOwnership() throws(FileError) {
    for (key, node) in root.children {
      let hasSections = ["loads", "pins", "ports", "battery"].contains(key)
      let places = hasSections ? node.children.map { ("\(key).\($0.key)", $0.node) } : [(key, node)]
      for (place, node) in places where !owns(place) {
        throw node.error(
          "does not belong to a part of the kind \(quoted(kind.rawValue)); "
            + "remove it, or correct kind")
      }
    }
    for place in kind.requiredKeys { try root.checkHas(place) }
  }

  private func owns(_ place: String) -> Bool {
    let common = [
      "name", "description", "support", "kind", "combines", "energyModelOnly", "uses", "boot",
    ]
    return (common + kind.ownedKeys).contains { key in
      key.hasSuffix("*") ? place.hasPrefix(key.dropLast()) : place == key
    }
  }
}

extension FileNode {
  /// Checks that a place such as `ports.modem` is there.
  func checkHas(_ place: String) throws(FileError) {
    var node = self
    for key in place.split(separator: ".") { node = try node.required(String(key), like: "{ … }") }
  }

  /// The first number that is marked as unverified.
  fileprivate var firstUnverified: FileNode? {
    if case .boolean(true) = optional("unverified")?.value { return self }
    for (_, node) in children {
      if let found = node.firstUnverified { return found }
    }
    return nil
  }
}

/// How a board is put together: for people, not for the core.
public struct BoardAssembly: Sendable, Equatable {
  /// A board file.
  public struct Part: Sendable, Equatable {
    /// The name of its folder.
    public var identifier: String
    public var kind: BoardKind
    public var name: String
    public var description: String
    public var support: SupportLevel
    /// See `BoardAssembly.energyModelOnly`.
    public var energyModelOnly: String?
    /// Whether it is a controller, with firmware instead of trackerd.
    public var hasFirmware = false
    /// The part whose battery is used instead of this one's.
    public var replacedBy: String?
  }

  /// A line of the GPIO chip in use.
  public struct Line: Sendable, Equatable {
    /// The offset on the chip, or a name.
    public var line: String
    /// `pins.modemPowerKey`, or the name of an interface or a part.
    public var use: String
  }

  public var parts: [Part]
  /// Sorted by offset.
  public var lines: [Line]
  /// For `config.txt`, without duplicates.
  public var bootLines: [String]
  /// What is unusual but possible, each with what to do.
  public var warnings: [String]
  /// Why trackerd cannot run on this board: it is a model of energy for the simulator.
  public var energyModelOnly: String?

  init(_ combination: Combination) {
    let replacer = combination.parts.first { $0.replaces.contains("battery") }
    let used = Set(combination.used.map(\.identifier))
    parts = combination.parts.map { part in
      var shown = Part(part)
      shown.replacedBy = used.contains(part.identifier) ? nil : replacer?.identifier
      return shown
    }
    lines = combination.lines.map { Line(line: $0.line, use: $0.use) }
      .sorted { (Int($0.line) ?? .max, $0.line) < (Int($1.line) ?? .max, $1.line) }
    var seen: Set<String> = []
    bootLines = combination.bootLines.filter { seen.insert($0).inserted }
    warnings = combination.warnings
    // What a saved combination says itself, after its parts, prevails.
    energyModelOnly = combination.parts.compactMap(\.energyModelOnly).last
  }
}

extension BoardAssembly.Part {
  init(_ part: BoardPart) {
    self.init(
      identifier: part.identifier, kind: part.kind, name: part.name,
      description: part.description, support: part.support,
      energyModelOnly: part.energyModelOnly, hasFirmware: part.root.optional("firmware") != nil)
  }
}

extension Combination {
  /// The whole board among the parts: alone, or a saved combination.
  private var whole: BoardPart? {
    parts.count == 1 ? parts[0] : parts.last { $0.isCombination && $0.identifier == identifier }
  }

  var name: String { whole?.name ?? parts.map(\.name).joined(separator: ", ") }

  /// That of the least reliable part. Nobody has run a combination that is put together now.
  var support: SupportLevel {
    if let whole { return whole.support }
    let levels = SupportLevel.allCases
    let lowest = parts.compactMap { levels.firstIndex(of: $0.support) }.max() ?? 0
    return levels[max(lowest, 1)]
  }
}

/// A serial line or bus of the computer: its device file and the lines of the header it occupies.
struct Interface: Sendable, Equatable {
  /// `uart0`, `i2c1`, `spi0`.
  var name: String
  /// The device file.
  var device: String
  /// Offsets on the GPIO chip.
  var lines: [Int]
  /// The lines for `config.txt` that enable it.
  var bootLines: [String]

  /// Whether it is a serial line.
  var isSerial: Bool { name.hasPrefix("uart") }
}

/// A line of the GPIO chip that is in use.
struct UsedLine: Sendable {
  /// The offset; for a line known by another name, that name.
  var line: String
  /// `pins.modemPowerKey`, or the interface: `uart0`.
  var use: String
  /// The place that uses it.
  let node: FileNode

  /// The offset, if it is known.
  var offset: Int? { Int(line) }
}

extension FileNode {
  /// A list of offsets on the GPIO chip.
  func lineList() throws(FileError) -> [Int] {
    try elements(atMost: 40).map { (node) throws(FileError) in try node.integer(in: 0...127) }
  }

  /// A list of lines for `config.txt`.
  func bootLineList() throws(FileError) -> [String] {
    try elements(atMost: 10).map { (node) throws(FileError) in
      try node.text(atMost: 100, like: "dtparam=i2c_arm=on")
    }
  }
}

// The names in board files for the core's families and dialects.

extension ModemFamily {
  /// The values that a board file may name.
  static let known: [ModemFamily] = [.generic, .sim5320, .sim7600, .a7670]

  /// The name in board files.
  public var name: String { words.name.description }
}

extension ReceiverDialect {
  /// The values that a board file may name.
  static let known: [(word: String, choice: ReceiverDialect)] = [
    ("ublox", .ublox), ("ubloxM10", .ubloxM10), ("mediatek", .mediatek), ("casic", .casic),
    ("modemGPS", .modemGPS), ("none", .none),
  ]
}
