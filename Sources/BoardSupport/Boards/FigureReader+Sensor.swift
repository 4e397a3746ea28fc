import JSONReading

/// What measures the battery.
public enum BatterySensor: Sendable, Equatable {
  /// An analogue-to-digital converter, by Linux's Industrial I/O: `in_voltageN_raw`.
  case iio(SensorDevice, channel: Int32, divider: Ratio)
  /// A monitor of voltage and current, by Linux's hwmon: `inN_input` and `currN_input`.
  case hwmon(SensorDevice, channel: Int32, divider: Ratio, discharge: CurrentSign?)
  /// A fuel gauge, by Linux's power supply class; with the name `nil` the only one that is a
  /// battery.
  case powerSupply(name: String?)
  /// The modem, which the battery supplies directly: `AT+CBC`.
  case modem
  /// A controller's own converter, which shows its largest value just below its reference.
  case adc(referenceMillivolts: Int32, divider: Ratio)
}

/// How a sensor is found among those of its kind: by what it is, because the numbers in sysfs
/// depend on the order in which drivers were loaded.
public struct SensorDevice: Sendable, Equatable {
  /// The driver's name for it: the content of the file `name`.
  public var name: String
  /// Where it is, if there are several of that name: `1-0042` (bus and address on I²C) or `spi0.0`.
  public var place: String?

  public init(name: String, place: String? = nil) {
    self.name = name
    self.place = place
  }
}

/// Which sign a sensor gives to the current that discharges the battery: it depends on which way
/// round the shunt is wired.
public enum CurrentSign: Sendable, Equatable {
  case positive
  case negative
}

/// An exact ratio, as of a voltage divider: 5.7 is 57 / 10.
public struct Ratio: Sendable, Equatable {
  public var numerator: Int32
  public var denominator: Int32

  /// - Parameter denominator: positive.
  public init(_ numerator: Int32, _ denominator: Int32 = 1) {
    precondition(denominator > 0, "readers refuse other denominators")
    self.numerator = numerator
    self.denominator = denominator
  }
}

// Reads `battery.sensor` of a board file.
extension FigureReader {
  private enum Kind {
    case iio, hwmon, powerSupply, modem, adc

    /// The keys that belong to it.
    var keys: [String] {
      switch self {
      case .iio: ["kind", "name", "place", "channel", "divider"]
      case .hwmon: ["kind", "name", "place", "channel", "divider", "discharge"]
      case .powerSupply: ["kind", "name"]
      case .modem: ["kind", "source"]
      case .adc: ["kind", "reference", "divider"]
      }
    }
  }

  private static let kinds: [(word: String, choice: Kind)] = [
    ("iio", .iio), ("hwmon", .hwmon), ("powerSupply", .powerSupply), ("modem", .modem),
    ("adc", .adc),
  ]

  mutating func sensor(_ node: FileNode) throws(FileError) -> BatterySensor {
    let word = try node.required("kind", like: "\"iio\"")
    let kind = try word.choice(Self.kinds)
    let all = Self.kinds.flatMap(\.choice.keys)
    // A key of another kind is reported as such, a misspelt one as unknown.
    for key in all where !kind.keys.contains(key) {
      guard let wrong = node.optional(key) else { continue }
      let name = Self.kinds.first { $0.choice == kind }?.word ?? ""
      throw wrong.error("does not belong to a sensor of the kind \(quoted(name)); remove it")
    }
    try node.checkKeys(kind.keys)
    switch kind {
    case .iio:
      return .iio(
        try device(node), channel: try integer(node, "channel", in: 0...63),
        divider: try divider(node))
    case .hwmon:
      let channel = node.optional("channel") == nil ? 1 : try integer(node, "channel", in: 0...63)
      return .hwmon(
        try device(node), channel: channel, divider: try divider(node),
        discharge: try discharge(node))
    case .powerSupply:
      return .powerSupply(
        name: node.optional("name") == nil ? nil : try name(node, "name", like: "battery"))
    case .modem:
      try statement(node, "kind", "modem")
      return .modem
    case .adc:
      return .adc(
        referenceMillivolts: try quantity(node, "reference", .voltage, in: 500...5000),
        divider: try divider(node))
    }
  }

  mutating func thermometer(
    _ node: FileNode, isBatteryMeasured: Bool
  ) throws(FileError) -> SensorDevice {
    guard isBatteryMeasured else {
      throw node.error(
        "is of no use, as the computer does not measure this battery's voltage; add a sensor, as "
          + "ads1115, or remove it")
    }
    try node.checkKeys(["name", "place"])
    return try device(node)
  }

  private mutating func device(_ node: FileNode) throws(FileError) -> SensorDevice {
    let name = try name(node, "name", like: "ads1015")
    let place = node.optional("place") == nil ? nil : try self.name(node, "place", like: "1-0048")
    return SensorDevice(name: name, place: place)
  }

  /// A name in sysfs.
  private mutating func name(
    _ node: FileNode, _ key: String, like example: String
  ) throws(FileError) -> String {
    let value = try figure(node, key, like: "\"\(example)\"")
    let text = try value.text(atMost: 60, like: example)
    let isName = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    guard isName, text != ".", text != ".." else {
      throw value.error(
        "\(quoted(text)) is not a name in /sys; write it as there, for example \"\(example)\"")
    }
    return text
  }

  /// 1 without a divider.
  private mutating func divider(_ node: FileNode) throws(FileError) -> Ratio {
    guard node.optional("divider") != nil else { return Ratio(1) }
    let value = try figure(node, "divider", like: "\"133/33\"")
    guard let ratio = Self.ratio(value.value), Self.isDivider(ratio) else {
      throw value.error(
        "is \(value.value.summary); write how often the battery's voltage is that at the sensor, "
          + "from 1 to 1000: a number like 5.7, or a fraction like \"133/33\"")
    }
    return ratio
  }

  private static func isDivider(_ ratio: Ratio) -> Bool {
    ratio.numerator >= ratio.denominator && ratio.numerator / ratio.denominator <= 1000
  }

  /// A number with up to three decimals, or a fraction of two whole numbers up to a million.
  private static func ratio(_ value: JSONValue) -> Ratio? {
    switch value {
    case .whole(let number):
      return Int32(exactly: number).map { Ratio($0) }
    case .real(let number):
      let thousandths = (number * 1000).rounded()
      // Three decimals are not exact in a binary number, but nearest to it.
      guard thousandths / 1000 == number, let exact = Int32(exactly: thousandths) else {
        return nil
      }
      return Ratio(exact, 1000)
    case .text(let text):
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ") }
      guard parts.count == 2, parts[0].count == 1, parts[1].count == 1,
        let above = Int32(parts[0][0]), let below = Int32(parts[1][0]),
        (1...1_000_000).contains(above), (1...1_000_000).contains(below)
      else { return nil }
      return Ratio(above, below)
    case .object, .list, .boolean, .null: return nil
    }
  }

  private mutating func discharge(_ node: FileNode) throws(FileError) -> CurrentSign? {
    guard node.optional("discharge") != nil else { return nil }
    return try figure(node, "discharge", like: "\"positive\"").choice([
      ("positive", .positive), ("negative", .negative),
    ])
  }
}
