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
    "builtInReceiver", "replaces",
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
        if isCombination || kind == .sensor {
          values += node.children.map { (key, $0.key, $0.node) }
        } else {
          values.append((nil, key, node))
        }
      case "supply": values.append((nil, key, node))
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
