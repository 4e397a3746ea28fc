import JSONReading
import Wording

/// Puts the parts of a board together: each value is one part's, and what two parts claim is an
/// error that names both.
struct Combination {
  let identifier: String
  /// All that were named.
  let parts: [BoardPart]
  /// Those of them that are used: without a battery that another part's replaces.
  private(set) var used: [BoardPart]
  var file = MergedFile()
  /// Where each value comes from, by `section.key`.
  var givers: [String: FileNode] = [:]
  /// The lines of the GPIO chip that are in use.
  var lines: [UsedLine] = []
  var interfaces: [Interface] = []
  /// Numbers that are not in the merged file.
  var figures: [Figure] = []
  var bootLines: [String] = []
  var warnings: [String] = []

  /// - Parameters:
  ///   - parts: in the order given; those of a saved combination before it.
  ///   - identifier: what the user called it.
  /// - Throws: for the first conflict between parts, and for what no part has.
  init(_ parts: [BoardPart], identifier: String) throws(FileError) {
    self.parts = parts
    self.identifier = identifier
    used = parts
    used = parts.filter { $0.kind != .battery || !isReplaced("battery", of: $0) }
    try checkComputers()
    // A saved combination's own values prevail, and a sensor needs the battery in place.
    for part in used where part.isCombination { try put(part) }
    for part in used where !part.isCombination && part.kind != .sensor { try put(part) }
    for part in used where part.kind == .sensor { try put(part) }
    try putBuiltInReceiver()
    if parts.count > 1 { try checkCompleteness() }
    try putSumOfLoads()
    try readInterfaces()
    try placePorts()
    try placeConsole()
    try checkChip()
  }

  /// The file for the parser.
  var root: FileNode { file.root(path: identifier) }

  // MARK: Values

  private mutating func put(_ part: BoardPart) throws(FileError) {
    // What the parts are comes first: two modems are more telling than two loads.
    let values = part.values.filter { $0.section == nil } + part.values.filter { $0.section != nil }
    for value in values where value.node.keyPath != "loads.part" {
      let place = value.node.keyPath
      if isReplaced(place, of: part) { continue }
      if let first = giver(of: place) {
        if isSaved(first) { continue }
        throw conflict(value.node, first)
      }
      givers[place] = value.node
      file.put(value.node, at: value.key, in: value.section)
    }
  }

  private func giver(of place: String) -> FileNode? {
    givers[place] ?? (place == "battery.sensor" ? givers["battery"]?.optional("sensor") : nil)
  }

  /// Whether a saved combination has this place itself: its own values prevail.
  private func isSaved(_ node: FileNode) -> Bool {
    parts.contains { $0.isCombination && $0.root.file.path == node.file.path }
  }

  private func isReplaced(_ place: String, of part: BoardPart) -> Bool {
    let section = String(place.prefix { $0 != "." })
    guard part.kind != .sensor, !part.replaces.contains(section) else { return false }
    // What a saved combination changes in its own parts stays.
    return parts.contains {
      $0.replaces.contains(section)
        && !(part.isCombination && $0.combination == part.identifier)
    }
  }

  private func conflict(_ node: FileNode, _ first: FileNode) -> FileError {
    let section = node.keyPath.prefix { $0 != "." }
    let cure =
      section == "pins" || section == "ports"
      ? "leave out one of the two parts, or remove the key from one of the files"
      : "leave out one of the two parts"
    return node.error("is given by \(first.origin), too; \(cure)")
  }

  /// Whether a part has a section; changing single values of it is not enough.
  private func has(_ section: String) -> Bool {
    let marks = [
      "modem": "modem.family", "receiver": "receiver.part", "battery": "battery.chemistry",
    ]
    return [section, marks[section]].contains { givers[$0 ?? ""] != nil }
  }

  /// A modem with a receiver of its own gives it where no other part has one.
  private mutating func putBuiltInReceiver() throws(FileError) {
    guard !has("receiver") else { return }
    for part in parts {
      guard let node = part.root.optional("builtInReceiver") else { continue }
      try node.checkKeys(["receiver", "loads", "modem", "ports"])
      let receiver = try node.required("receiver", like: "{ … }")
      givers["receiver"] = receiver
      file.put(receiver, at: "receiver")
      for place in BoardKind.receiver.requiredKeys { try node.checkHas(place) }
      for section in ["loads", "ports"] {
        let values = try node.required(section, like: "{ … }")
        for (key, value) in values.children {
          let place = "\(section).\(key)"
          guard place.hasPrefix("loads.receiver") || place == "ports.receiver" else {
            throw value.error("does not belong to a receiver; remove it")
          }
          if givers[place] != nil { continue }
          givers[place] = value
          file.put(value, at: key, in: section)
        }
      }
      for (key, value) in node.optional("modem")?.children ?? [] {
        file.put(value, at: key, in: "modem")
      }
      return
    }
  }

  /// Adds what the parts draw all the time to the computer's load.
  private mutating func putSumOfLoads() throws(FileError) {
    guard let base = givers["loads.board"] else { return }
    var sum: Int64 = 0
    var sources: [JSONValue] = []
    var isUnverified = false
    var reader = FigureReader()
    let extras = used.compactMap { $0.root.optional("loads") }.filter {
      $0.optional("part") != nil
    }
    guard !extras.isEmpty, let loads = root.optional("loads") else { return }
    for (loads, key) in [(loads, "board")] + extras.map({ ($0, "part") }) {
      sum += Int64(try reader.quantity(loads, key, .current, in: 0...20_000_000))
      let figure = reader.figures[reader.figures.count - 1]
      // The parser takes 200 bytes.
      sources.append(.text(String("\(figure.text): \(figure.source)".prefix(120))))
      isUnverified = isUnverified || figure.isUnverified
    }
    let value: JSONValue = .object([
      "value": .text(Dimension.current.text(sum)), "source": .list(sources),
      "unverified": .boolean(isUnverified),
    ])
    file.put(base, at: "board", in: "loads", as: value)
  }

  // MARK: Completeness

  private func checkComputers() throws(FileError) {
    let computers = parts.filter { $0.kind == .base || $0.kind == .board && !$0.isCombination }
    if computers.count > 1 {
      throw computers[1].root.error(
        "is a computer, and so is \(computers[0].root.file.path); leave out one of the two")
    }
    guard computers.isEmpty, let part = parts.last else { return }
    if parts.count == 1 {
      throw part.root.error(
        "is a part, not a whole board; combine it with others, as in --board "
          + "pi-4b+waveshare-sim7600+ina219")
    }
    throw FileError(
      path: identifier,
      message: "has no computer; begin with one, as in pi-4b+\(identifier.prefix(100))")
  }

  private func checkCompleteness() throws(FileError) {
    let wanted: [(key: String, kind: BoardKind)] = [
      ("modem", .modem), ("receiver", .receiver), ("battery", .battery),
    ]
    for (key, kind) in wanted where !has(key) {
      let names = BoardDescription.partNames(of: kind)
      let choice = names.isEmpty ? "a part of the kind \(kind.rawValue)" : listed(names, or: true)
      throw FileError(
        path: identifier, keyPath: key, message: "no part has a \(key); add \(choice)")
    }
  }
}
