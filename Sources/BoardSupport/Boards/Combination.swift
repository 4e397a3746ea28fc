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
    used = parts.filter { part in
      switch part.kind {
      case .battery: !isReplaced("battery", of: part)
      case .sensor: !isReplacedSensor(part)
      case .board, .base, .modem, .receiver, .thermometer, .console, .panel, .clock: true
      }
    }
    try checkComputers()
    // A saved combination's own values prevail, and a sensor needs the battery in place.
    for part in used where part.isCombination { try put(part) }
    for part in used where !part.isCombination && !part.kind.isOnBattery { try put(part) }
    for part in used where part.kind.isOnBattery { try put(part) }
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
    if let giver = givers[place] { return giver }
    let battery = "battery."
    guard place.hasPrefix(battery) else { return nil }
    return givers["battery"]?.optional(String(place.dropFirst(battery.count)))
  }

  /// Whether a saved combination has this place itself: its own values prevail.
  private func isSaved(_ node: FileNode) -> Bool {
    parts.contains { $0.isCombination && $0.root.file.path == node.file.path }
  }

  private func isReplaced(_ place: String, of part: BoardPart) -> Bool {
    let section = String(place.prefix { $0 != "." })
    guard !part.kind.isOnBattery, !part.replaces.contains(section) else { return false }
    // What a saved combination changes in its own parts stays.
    return parts.contains {
      $0.replaces.contains(section)
        && !(part.isCombination && $0.combination == part.identifier)
    }
  }

  /// A saved combination's sensor goes with its battery where the new battery has its own.
  private func isReplacedSensor(_ part: BoardPart) -> Bool {
    guard let combination = part.combination else { return false }
    return parts.contains {
      $0.combination != combination && $0.replaces.contains("battery")
        && $0.root.optional("battery")?.optional("sensor") != nil
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
    // In hundredths of the sum's unit.
    var doubt: Int64 = 0
    var reader = FigureReader()
    let extras = used.compactMap { $0.root.optional("loads") }.filter {
      $0.optional("part") != nil
    }
    guard !extras.isEmpty, let loads = root.optional("loads") else { return }
    for (loads, key) in [(loads, "board")] + extras.map({ ($0, "part") }) {
      let load = Int64(try reader.quantity(loads, key, .current, in: 0...20_000_000))
      let figure = reader.figures[reader.figures.count - 1]
      sum += load
      doubt += load * Int64(figure.withinPercent ?? Doubt.percent(load: figure.basis))
      // The parser takes 200 bytes.
      sources.append(.text(String("\(figure.text): \(figure.source)".prefix(120))))
      isUnverified = isUnverified || figure.isUnverified
    }
    let value: JSONValue = .object([
      "value": .text(Dimension.current.text(sum)), "source": .list(sources),
      "unverified": .boolean(isUnverified),
      "within": .text(Dimension.percentage.text((doubt + sum / 2) / max(1, sum))),
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

extension Combination {
  /// Reads the computer's interfaces, what the parts use of them, and the pins; checks that no line
  /// and no address is used twice.
  mutating func readInterfaces() throws(FileError) {
    var nodes: [String: FileNode] = [:]
    for part in parts {
      for (name, node) in part.root.optional("interfaces")?.children ?? [] {
        nodes[name] = node
        interfaces.append(try interface(name, in: part.root.required("interfaces", like: "{}")))
      }
    }
    for part in used { try readPins(part) }
    for part in used { try readUses(part) }
    for part in used {
      bootLines += try part.root.optional("boot")?.bootLineList() ?? []
    }
  }

  private mutating func interface(
    _ name: String, in parent: FileNode
  ) throws(FileError) -> Interface {
    var reader = FigureReader()
    let device = try reader.figure(parent, name, like: "\"/dev/serial0\"", and: ["pins", "boot"])
    figures += reader.figures
    let node = try parent.required(name, like: "{ … }")
    return Interface(
      name: name, device: try device.text(atMost: 100, like: "/dev/serial0"),
      lines: try node.required("pins", like: "[14, 15]").lineList(),
      bootLines: try node.optional("boot")?.bootLineList() ?? [])
  }

  private mutating func readPins(_ part: BoardPart) throws(FileError) {
    for (key, pin) in part.root.optional("pins")?.children ?? [] where key != "chip" {
      // A saved combination may have wired it differently.
      guard givers[pin.keyPath]?.origin == pin.origin,
        let line = Self.line(of: pin.optional("value")?.value)
      else { continue }
      try occupy(line, for: pin.keyPath, at: pin)
    }
  }

  /// `6` for the number 6 and for the name `GPIO6`; other names as they are.
  private static func line(of value: JSONValue?) -> String? {
    switch value {
    case .whole, .real: value?.wholeNumber.map { "\($0)" }
    case .text(let name):
      name.hasPrefix("GPIO") && Int(name.dropFirst(4)) != nil ? String(name.dropFirst(4)) : name
    default: nil
    }
  }

  private mutating func readUses(_ part: BoardPart) throws(FileError) {
    guard let uses = part.root.optional("uses") else { return }
    for (name, node) in uses.children {
      var reader = FigureReader()
      let list = try reader.figure(uses, name, like: name == "pins" ? "[16]" : "[\"0x42\"]")
      figures += reader.figures
      if name == "pins" {
        for line in try list.lineList() { try occupy("\(line)", for: part.identifier, at: node) }
        continue
      }
      let interface = try use(name, at: node)
      for element in try list.elements(atMost: 10) {
        let address = try element.text(atMost: 20, like: "0x42")
        let isAddress = address.hasPrefix("0x") && UInt8(address.dropFirst(2), radix: 16) != nil
        guard !interface.name.hasPrefix("i2c") || isAddress else {
          throw element.error(
            "\(quoted(address)) is not an I2C address; write for example \"0x42\"")
        }
        let place = "\(name) \(address.lowercased())"
        if let first = givers.updateValue(element, forKey: place) {
          throw element.error(
            "\(quoted(address)) on \(name) is the address of \(first.origin), too; set another "
              + "address on one of the two (and in its file), or leave it out")
        }
      }
    }
  }

  /// Takes an interface of the computer into use.
  ///
  /// - Throws: if the computer does not have it, or one of its lines is taken.
  mutating func use(_ name: String, at node: FileNode) throws(FileError) -> Interface {
    guard let interface = interfaces.first(where: { $0.name == name }) else {
      let names = interfaces.map(\.name)
      throw node.error(
        names.isEmpty
          ? "needs \(quoted(name)), and the computer's file has no interfaces; add them there"
          : "needs \(quoted(name)), which the computer does not have; it has \(listed(names))")
    }
    if !lines.contains(where: { $0.use == name }) {
      for line in interface.lines { try occupy("\(line)", for: name, at: node) }
      bootLines += interface.bootLines
    }
    return interface
  }

  private mutating func occupy(
    _ line: String, for use: String, at node: FileNode
  ) throws(FileError) {
    if let first = lines.first(where: { $0.line == line }) {
      throw node.error(
        "uses line \(line) for \(use), and \(first.node.origin) uses it for \(first.use); wire one "
          + "of the two to another line (and correct its file), or leave it out")
    }
    lines.append(UsedLine(line: line, use: use, node: node))
  }

  /// Checks the lines against the chip.
  mutating func checkChip() throws(FileError) {
    guard let node = root.optional("pins")?.optional("chip"),
      case .text(let label) = node.optional("value")?.value
    else { return }
    guard let chip = GPIOChip.known.first(where: { $0.label == label }) else {
      let known = listed(GPIOChip.known.map(\.label))
      warnings.append("\(node.origin): pins.chip: \(quoted(label)) is not \(known); not checked")
      return
    }
    for line in lines {
      guard let offset = line.offset else { continue }
      guard offset < chip.lines else {
        throw line.node.error(
          "line \(offset) for \(line.use) does not exist; \(label) has the lines 0 to "
            + "\(chip.lines - 1), correct it")
      }
      if !chip.header.contains(offset) {
        warnings.append("\(line.node.origin): \(line.use): line \(offset) is not on the header")
      }
    }
  }
}

extension Combination {
  /// Replaces the names of interfaces in `ports` by their device files, and checks that no device
  /// has two uses.
  mutating func placePorts() throws(FileError) {
    let ports = root.optional("ports")
    for key in ["receiver", "modem", "console"] {
      if let port = ports?.optional(key) { try place(port, at: key) }
    }
    guard let receiver = device("receiver"), let modem = device("modem") else { return }
    let isInModem = root.optional("receiver")?.optional("dialect")?.value == .text("modemGPS")
    if receiver.name == modem.name && !isInModem {
      throw modem.node.error(
        "\(quoted(modem.name)) is the receiver's port, too (\(receiver.node.origin)); wire one of "
          + "the two to another port")
    }
    guard let console = device("console") else { return }
    for (user, other) in [("receiver", receiver), ("modem", modem)]
    where other.name == console.name {
      throw console.node.error(
        "\(quoted(console.name)) is the \(user)'s port (\(other.node.origin)); give the console "
          + "another one")
    }
  }

  private mutating func place(_ port: FileNode, at key: String) throws(FileError) {
    guard let value = port.optional("value"), case .text(let name) = value.value,
      case .object(var members) = port.value
    else { return }
    if let known = interfaces.first(where: { $0.device == name }) {
      _ = try use(known.name, at: port)
      return
    }
    // Everything else is the name of a device, or of a port of a controller.
    guard name.hasPrefix("uart") else { return }
    members["value"] = .text(try use(name, at: port).device)
    file.put(port, at: key, in: "ports", as: .object(members))
  }

  private func device(_ key: String) -> (name: String, node: FileNode)? {
    guard let port = root.optional("ports")?.optional(key),
      case .text(let name) = port.optional("value")?.value
    else { return nil }
    return (name, port)
  }

  /// Gives the technician's cable the first serial line of the computer that nothing else uses, if
  /// no part has a place for it.
  mutating func placeConsole() throws(FileError) {
    guard device("console") == nil, !interfaces.isEmpty else {
      if device("console") == nil { warnAboutConsole() }
      return
    }
    let candidates = interfaces.filter(\.isSerial).sorted { $0.name < $1.name }
    let free = candidates.first { candidate in
      !lines.contains { $0.use == candidate.name }
        && candidate.lines.allSatisfy { line in !lines.contains { $0.offset == line } }
    }
    guard let free, let node = interfaceNode(free.name) else { return warnAboutConsole() }
    _ = try use(free.name, at: node)
    let source: JSONValue = .text("the first serial line of the computer that no part uses")
    file.put(
      node, at: "console", in: "ports",
      as: .object([
        "value": .text(free.device), "baud": .whole(115_200), "source": source,
      ]))
  }

  private func interfaceNode(_ name: String) -> FileNode? {
    for part in parts {
      if let node = part.root.optional("interfaces")?.optional(name) { return node }
    }
    return nil
  }

  private mutating func warnAboutConsole() {
    guard !parts.contains(where: { $0.energyModelOnly != nil }) else { return }
    var cures = ["add usb-console, a USB adapter"]
    let hasReceiver = parts.contains { $0.root.optional("builtInReceiver") != nil }
    if hasReceiver, let part = parts.first(where: { $0.kind == .receiver }) {
      cures.append(
        "leave out \(part.identifier), so that the modem's own receiver frees the serial line")
    }
    warnings.append(
      "there is no place for the technician's cable (ports.console): "
        + cures.joined(separator: ", or "))
  }
}
