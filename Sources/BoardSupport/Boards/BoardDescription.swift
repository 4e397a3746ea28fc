import TrackerCore

/// How reliable a board's data are.
public enum SupportLevel: String, Sendable, Equatable, CaseIterable {
  /// The tracker has run on this hardware, and no figure is unverified.
  case tested
  /// Wiring and most figures come from manufacturers' documents; the file marks the others.
  case documented
  /// The wiring or other important data are unchecked assumptions.
  case unverified
}

/// A number of a board file and where it comes from.
public struct Figure: Sendable, Equatable {
  /// `loads.board`.
  public var keyPath: String
  /// As written in the file: `75 mA`.
  public var text: String
  public var source: String
  /// From memory or assumed, without a document.
  public var isUnverified: Bool
}

/// A serial line.
public struct Port: Sendable, Equatable {
  /// A device file on Linux; the name of the port in the firmware elsewhere.
  public var device: String
  /// Bits per second.
  public var baud: Int32
}

/// The content of a board file: the data for the core, the wiring, and the sources.
public struct BoardDescription: Sendable, Equatable {
  /// The name of the board's folder.
  public var identifier: String
  public var name: String
  public var description: String
  public var support: SupportLevel
  /// The data for the core.
  public var board: Board
  /// The battery's chemistry: `alkaline AA`.
  public var chemistry: String
  /// What measures the battery; `nil`: nothing.
  public var batterySensor: BatterySensor?
  /// The receiver's type designation.
  public var receiverPart: String
  public var pins: Pins
  public var receiverPort: Port
  public var modemPort: Port
  /// Every number of the file with its source, in reading order.
  public var figures: [Figure]
}

extension BoardDescription {
  /// Reads a board file, or the `board.json5` in a board's folder.
  ///
  /// - Throws: for the first thing that is missing, unknown or impossible.
  public static func load(path: String) throws(FileError) -> BoardDescription {
    let file = boardFile(at: path)
    return try parse(try FileNode.load(path: file), identifier: boardIdentifier(of: file))
  }

  /// Reads a board from the text of its file.
  public static func parse(
    _ root: FileNode, identifier: String
  ) throws(FileError) -> BoardDescription {
    try root.checkKeys([
      "name", "description", "support", "supply", "loads", "battery", "modem", "receiver", "pins",
      "ports",
    ])
    var reader = FigureReader()
    let supply: Int32 = try reader.quantity(root, "supply", .voltage, in: 1000...60_000)
    let loads = try reader.loads(try root.required("loads", like: "{ … }"))
    let battery = try reader.battery(try root.required("battery", like: "{ … }"))
    var modem = try reader.modem(try root.required("modem", like: "{ … }"))
    let receiver = try reader.receiver(try root.required("receiver", like: "{ … }"))
    let pins = try reader.pins(try root.required("pins", like: "{ … }"))
    modem.hasPowerKey = pins.modemPowerKey != nil
    modem.hasStatus = pins.modemStatus != nil
    modem.hasFlightMode = pins.flightMode != nil
    try checkRest(root, modem, receiver.board)
    let ports = try reader.ports(try root.required("ports", like: "{ … }"))
    return BoardDescription(
      identifier: identifier,
      name: try root.required("name", like: "\"Zero with HAT\"").text(
        atMost: 80, like: "Zero with HAT"),
      description: try root.required("description", like: "\"…\"").text(
        atMost: 400, like: "A computer, a modem and a battery"),
      support: try support(root, reader.figures),
      board: Board(
        supplyMillivolts: supply, loads: loads, battery: battery.board, modem: modem,
        receiver: receiver.board, hasLight: pins.statusLight != nil),
      chemistry: battery.chemistry, batterySensor: battery.sensor, receiverPart: receiver.part,
      pins: pins, receiverPort: ports.receiver, modemPort: ports.modem, figures: reader.figures)
  }

  /// A modem that is needed between contacts, or cannot be switched on again, must not be switched
  /// off.
  private static func checkRest(
    _ root: FileNode, _ modem: ModemBoard, _ receiver: ReceiverBoard
  ) throws(FileError) {
    guard let node = root.optional("modem") else { return }
    let place = node.optional("rest") ?? node
    if !modem.hasPowerKey && modem.rest == .off {
      throw place.error(
        "a modem without pins.modemPowerKey cannot be switched on again; write rest: \"radioOff\"")
    }
    guard receiver.dialect == .modemGPS else { return }
    if modem.rest == .off {
      throw place.error(
        "the receiver inside the modem needs it switched on; write rest: \"radioOff\"")
    }
    guard modem.family.words.receiverOn.utf8CodeUnitCount > 0 else {
      throw node.error(
        "the family \(quoted(modem.family.name)) has no receiver; correct receiver.dialect")
    }
  }

  private static func support(
    _ root: FileNode, _ figures: [Figure]
  ) throws(FileError) -> SupportLevel {
    let node = try root.required("support", like: "\"unverified\"")
    let level = try node.choice(SupportLevel.allCases.map { ($0.rawValue, $0) })
    if level == .tested, let doubtful = figures.first(where: \.isUnverified) {
      throw node.error(
        "\"tested\" is not possible while \(doubtful.keyPath) is unverified; "
          + "measure it, or write \"documented\"")
    }
    return level
  }
}
