import JSONReading
import Wording

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
