import JSONReading

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
