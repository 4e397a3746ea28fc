import JSONReading
import TrackerCore

/// Reads the numbers of a board file, each an object with a value and its source, and collects the
/// sources.
struct FigureReader {
  private(set) var figures: [Figure] = []

  /// The value of a figure. Errors show the figure's key, which is what people know, and the line
  /// of the value.
  ///
  /// - Parameter keys: further keys of the figure besides those of every figure.
  mutating func figure(
    _ parent: FileNode, _ key: String, like example: String, and keys: [String] = []
  ) throws(FileError) -> FileNode {
    let shape = "{ value: \(example), source: \"…\" }"
    let node = try parent.required(key, like: shape)
    guard case .object = node.value else {
      throw node.error("is \(node.value.summary); a number needs its source: \(shape)")
    }
    try node.checkKeys(["value", "source", "unverified", "basis", "within"] + keys)
    let source = try source(try node.required("source", like: "\"\(Self.exampleSource)\""))
    let basis = try basis(node)
    let within: Int32? = try node.optional("within")?.quantity(
      .percentage, in: 0...90, "of the figure, either way")
    var value = try node.required("value", like: example)
    value.keyPath = node.keyPath
    figures.append(
      Figure(
        keyPath: node.keyPath, text: Self.text(value.value), source: source, basis: basis,
        withinPercent: within))
    return value
  }

  /// A figure without a word about its source has it in a document.
  private func basis(_ node: FileNode) throws(FileError) -> Basis {
    let isUnverified = try node.optional("unverified")?.boolean() ?? false
    guard let word = node.optional("basis") else { return isUnverified ? .memory : .dataSheet }
    if isUnverified {
      throw word.error("does not go with unverified: true; remove one of the two")
    }
    return try word.choice(Basis.words)
  }

  /// Collects the source of a statement that is not a number, beside its value.
  mutating func statement(
    _ node: FileNode, _ key: String, _ text: String
  ) throws(FileError) {
    let source = try source(try node.required("source", like: "\"\(Self.exampleSource)\""))
    figures.append(
      Figure(keyPath: "\(node.keyPath).\(key)", text: text, source: source))
  }

  private static let exampleSource = "maker, manual, edition"

  /// One source, or a list of them.
  private func source(_ node: FileNode) throws(FileError) -> String {
    guard case .list = node.value else {
      return try node.text(atMost: 200, like: Self.exampleSource)
    }
    let sources = try node.elements(atMost: 10)
    guard !sources.isEmpty else { throw node.error("is empty; say where the number is from") }
    var texts: [String] = []
    for source in sources { texts.append(try source.text(atMost: 200, like: Self.exampleSource)) }
    return texts.joined(separator: "; ")
  }

  mutating func quantity(
    _ parent: FileNode, _ key: String, _ dimension: Dimension, in range: ClosedRange<Int32>,
    _ reason: String = ""
  ) throws(FileError) -> Int32 {
    let value = try figure(parent, key, like: "\"\(dimension.example)\"")
    return try value.quantity(dimension, in: range, reason)
  }

  mutating func duration(
    _ parent: FileNode, _ key: String, in range: ClosedRange<Milliseconds>, _ reason: String = ""
  ) throws(FileError) -> Milliseconds {
    try figure(parent, key, like: "\"12 s\"").duration(in: range, reason)
  }

  mutating func integer(
    _ parent: FileNode, _ key: String, in range: ClosedRange<Int32>, and keys: [String] = []
  ) throws(FileError) -> Int32 {
    try figure(parent, key, like: "1", and: keys).integer(in: range)
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .text(let text): singleLine(text)
    case .whole(let whole): "\(whole)"
    case .boolean(let boolean): "\(boolean)"
    case .list(let values): values.map(text).joined(separator: ", ")
    case .real, .object, .null: value.wholeNumber.map { "\($0)" } ?? value.summary
    }
  }
}

extension FigureReader {
  mutating func loads(_ node: FileNode) throws(FileError) -> Loads {
    try node.checkKeys([
      "board", "receiverStandby", "receiverAcquiring", "receiverTracking", "modemOff",
      "modemStarting", "modemSearching", "modemIdle", "modemTransmitting", "modemPromotion",
      "modemTail",
    ])
    return Loads(
      boardMicroamps: try load(node, "board"),
      receiverStandbyMicroamps: try load(node, "receiverStandby"),
      receiverAcquiringMicroamps: try load(node, "receiverAcquiring"),
      receiverTrackingMicroamps: try load(node, "receiverTracking"),
      modemOffMicroamps: try load(node, "modemOff"),
      modemStartingMicroamps: try load(node, "modemStarting"),
      modemSearchingMicroamps: try load(node, "modemSearching"),
      modemIdleMicroamps: try load(node, "modemIdle"),
      modemTransmittingMicroamps: try load(node, "modemTransmitting"))
  }

  private mutating func load(_ node: FileNode, _ key: String) throws(FileError) -> Int32 {
    // The largest board of this kind peaks below 3 A; ten parts with 20 A still fit in 32 bits.
    try quantity(node, key, .current, in: 0...20_000_000, "no part of such a board draws more")
  }

  mutating func battery(
    _ node: FileNode
  ) throws(FileError) -> (
    chemistry: String, board: Battery, sensor: BatterySensor?, thermometer: SensorDevice?
  ) {
    try node.checkKeys([
      "chemistry", "cellsInSeries", "cellsInParallel", "cellCapacity", "cellVoltages", "cutOff",
      "capacityAtFreezing", "regulator", "sensor", "cellType", "ratedCurrent", "cellResistance",
      "thermometer",
    ])
    let chemistry = try node.required("chemistry", like: "\"alkaline AA\"").text(
      atMost: 40, like: "alkaline AA")
    let series = try integer(node, "cellsInSeries", in: 1...100)
    let parallel = try integer(node, "cellsInParallel", in: 1...100)
    let capacity = try quantity(
      node, "cellCapacity", .charge, in: 1...1_000_000, "of one cell")
    let voltages = try cellVoltages(node)
    let full = series * voltages[Battery.curvePoints - 1]
    let cutOff = try quantity(
      node, "cutOff", .voltage, in: 1...max(1, full - 1), "below the full battery")
    let freezing = try quantity(
      node, "capacityAtFreezing", .percentage, in: 1...100, "of the capacity at 20 °C")
    let regulator = try regulator(node)
    var sensor: BatterySensor?
    if let node = node.optional("sensor") { sensor = try self.sensor(node) }
    let thermometer = try node.optional("thermometer").map { node throws(FileError) in
      try self.thermometer(node, isBatteryMeasured: sensor != nil && sensor != .modem)
    }
    var battery = Battery(
      cellsInSeries: series, cellsInParallel: parallel, cellCapacityMilliampHours: capacity,
      cellMillivolts: voltages, cutOffMillivolts: cutOff, capacityAtFreezingPercent: freezing,
      regulator: regulator, isMeasuredByModem: sensor == .modem)
    battery.chemistry = Chemistry(describedAs: chemistry)
    if let node = node.optional("cellType") { battery.chemistry = try node.choice(Chemistry.words) }
    if node.optional("ratedCurrent") != nil {
      battery.ratedMicroamps = try quantity(
        node, "ratedCurrent", .current, in: 1...1_000_000_000, "out of one cell")
    }
    if node.optional("cellResistance") != nil {
      battery.cellMilliohms = try quantity(
        node, "cellResistance", .resistance, in: 1...100_000, "of one full cell")
    }
    return (chemistry, battery, sensor, thermometer)
  }

  private mutating func cellVoltages(
    _ node: FileNode
  ) throws(FileError) -> InlineArray<11, Int32> {
    let value = try figure(node, "cellVoltages", like: "[ \"3.1 V\", … eleven in all ]")
    let points = try value.elements(atMost: 100)
    guard points.count == Battery.curvePoints else {
      throw value.error(
        "has \(points.count) voltages; write 11, of one cell at 0 %, 10 %, … 100 % of charge")
    }
    var result = InlineArray<11, Int32>(repeating: 0)
    for (index, point) in points.enumerated() {
      result[index] = try point.quantity(.voltage, in: 1...5000, "of one cell")
      if index > 0 && result[index] <= result[index - 1] {
        throw point.error("does not rise; write the voltages from 0 % up to 100 % of charge")
      }
    }
    return result
  }

  private mutating func regulator(_ node: FileNode) throws(FileError) -> Regulator {
    let node = try node.required("regulator", like: "{ kind: \"linear\" }")
    try node.checkKeys(["kind", "efficiency"])
    let isLinear = try node.required("kind", like: "\"linear\"").choice([
      ("linear", true), ("switching", false),
    ])
    if isLinear {
      if let efficiency = node.optional("efficiency") {
        throw efficiency.error("does not belong to a linear regulator; remove it")
      }
      return .linear
    }
    return .switching(
      efficiencyPercent: try quantity(node, "efficiency", .percentage, in: 1...100))
  }

  mutating func modem(_ node: FileNode) throws(FileError) -> ModemBoard {
    try node.checkKeys([
      "family", "rest", "powerOnPulse", "powerOffPulse", "bootLimit", "powerOffTime", "offOnGap",
      "promotion", "tail",
    ])
    let family = try node.required("family", like: "\"SIM7600\"").choice(
      ModemFamily.known.map { ($0.name, $0) })
    let rest: ModemRest =
      try node.optional("rest")?.choice([("off", .off), ("radioOff", .radioOff)]) ?? ModemRest.off
    let pulses: ClosedRange<Milliseconds> = 1...60_000
    return ModemBoard(
      family: family, rest: rest,
      powerOnPulse: try duration(node, "powerOnPulse", in: pulses),
      powerOffPulse: try duration(node, "powerOffPulse", in: pulses),
      bootLimit: try duration(node, "bootLimit", in: .seconds(1) ... .minutes(10)),
      powerOffTime: try duration(node, "powerOffTime", in: 0 ... .minutes(10)),
      offOnGap: try duration(node, "offOnGap", in: 0 ... .minutes(10)))
  }

  /// What the radio takes around a transfer; each time needs its load.
  mutating func radio(
    _ modem: FileNode, _ loads: FileNode
  ) throws(FileError) -> RadioFigures {
    var radio = RadioFigures()
    (radio.promotion, radio.promotionMicroamps) = try phase(
      modem, "promotion", loads, "modemPromotion")
    (radio.tail, radio.tailMicroamps) = try phase(modem, "tail", loads, "modemTail")
    return radio
  }

  private mutating func phase(
    _ modem: FileNode, _ time: String, _ loads: FileNode, _ current: String
  ) throws(FileError) -> (Milliseconds, Int32) {
    if modem.optional(time) == nil && loads.optional(current) == nil { return (0, 0) }
    return (
      try duration(modem, time, in: 0 ... .minutes(10)), try load(loads, current)
    )
  }

  /// Where a controller's flash has the settings of its firmware.
  mutating func firmware(_ node: FileNode) throws(FileError) -> UInt32 {
    try node.checkKeys(["settings"])
    let value = try figure(node, "settings", like: "0x3F000")
    let address: UInt32 = try value.integer(in: 0...0xFFFF_F000)
    guard address % 4096 == 0 else {
      throw value.error("is not the address of a block of 4 KB; write a multiple of 0x1000")
    }
    return address
  }

  /// What the halted computer takes, and how it is woken.
  mutating func halt(
    _ node: FileNode
  ) throws(FileError) -> (board: Halting, clock: String, wakesByButton: Bool) {
    try node.checkKeys([
      "current", "wake", "wakeCurrent", "stop", "clock", "keeps", "button",
    ])
    let clock = try figure(node, "clock", like: "\"rtc0\"").text(atMost: 20, like: "rtc0")
    guard clock.hasPrefix("rtc"), clock.dropFirst(3).allSatisfy(\.isNumber), clock.utf8.count > 3
    else {
      throw node.error(
        "\(quoted(clock)) is not a clock of the kernel; write its name below /sys/class/rtc, "
          + "for example \"rtc0\"")
    }
    let kept = try figure(node, "keeps", like: "[\"receiver\"]").elements(atMost: 2).map {
      (part) throws(FileError) in
      try part.choice([("receiver", "receiver"), ("modem", "modem")])
    }
    let times: ClosedRange<Milliseconds> = 0 ... .minutes(5)
    return (
      Halting(
        microamps: try load(node, "current"), wakeTime: try duration(node, "wake", in: times),
        wakeMicroamps: try load(node, "wakeCurrent"),
        stopTime: try duration(node, "stop", in: times),
        keepsReceiver: kept.contains("receiver"), keepsModem: kept.contains("modem")),
      clock,
      try node.optional("button").map { _ throws(FileError) in
        try figure(node, "button", like: "true").boolean()
      } ?? false
    )
  }

  mutating func receiver(
    _ node: FileNode
  ) throws(FileError) -> (part: String, board: ReceiverBoard, use: ReceiverUse) {
    try node.checkKeys(["part", "dialect", "canSleep", "coldStart", "hotStart", "use"])
    let part = try node.required("part", like: "\"NEO-6M\"").text(atMost: 40, like: "NEO-6M")
    let dialect = try node.optional("dialect")?.choice(ReceiverDialect.known) ?? .none
    let canSleep = try figure(node, "canSleep", like: "true").boolean()
    if canSleep && dialect == .none {
      throw node.error(
        "can sleep, but not without a dialect; add for example dialect: \"ublox\"")
    }
    var use = ReceiverUse.always
    if let node = node.optional("use") { use = try node.choice(ReceiverUse.words) }
    if use == .dutyCycle && !canSleep {
      throw node.error("cannot sleep, as use: \"dutyCycle\" requires; remove use")
    }
    let coldStart = try duration(node, "coldStart", in: 0 ... .hours(1))
    let hotStart = try duration(
      node, "hotStart", in: 0...coldStart, "the upper end is the cold start")
    return (
      part,
      ReceiverBoard(
        dialect: dialect, canSleep: canSleep, coldStart: coldStart, hotStart: hotStart),
      use
    )
  }
}

extension FigureReader {
  mutating func pins(_ node: FileNode) throws(FileError) -> Pins {
    try node.checkKeys([
      "chip", "modemPowerKey", "modemStatus", "powerGood", "button", "emergency", "statusLight",
      "flightMode",
    ])
    var pins = Pins()
    if node.optional("chip") != nil {
      let like = "\"pinctrl-bcm2835\""
      pins.chip = try figure(node, "chip", like: like).text(atMost: 31, like: "pinctrl-bcm2835")
    }
    pins.modemPowerKey = try pin(node, "modemPowerKey")
    pins.modemStatus = try pin(node, "modemStatus", isInput: true)
    pins.powerGood = try pin(node, "powerGood", isInput: true)
    pins.button = try pin(node, "button", isInput: true)
    pins.emergency = try pin(node, "emergency", isInput: true)
    pins.statusLight = try pin(node, "statusLight")
    pins.flightMode = try pin(node, "flightMode")
    let wired = pins.wired
    for (index, later) in wired.enumerated() {
      guard let earlier = wired[..<index].first(where: { $0.pin.line == later.pin.line }) else {
        continue
      }
      throw node.error("has pin \(later.pin.line) twice; correct \(earlier.key) or \(later.key)")
    }
    return pins
  }

  /// `nil`: not wired.
  private mutating func pin(
    _ node: FileNode, _ key: String, isInput: Bool = false
  ) throws(FileError) -> Pin? {
    guard let pin = node.optional(key) else { return nil }
    let value = try figure(node, key, like: "6", and: ["active"] + (isInput ? ["bias"] : []))
    let line: Pin.Line =
      if case .text = value.value {
        .name(try value.text(atMost: 31, like: "GPIO6"))
      } else {
        .offset(try value.integer(in: 0...127))
      }
    let isActiveHigh = try pin.required("active", like: "\"high\"")
      .choice([("high", true), ("low", false)])
    let bias = try pin.optional("bias")?.choice(Pin.Bias.allCases.map { ($0.rawValue, $0) })
    return Pin(line: line, isActiveHigh: isActiveHigh, bias: bias ?? .none)
  }

  mutating func ports(_ node: FileNode) throws(FileError) -> (
    receiver: Port, modem: Port, console: Port?
  ) {
    try node.checkKeys(["receiver", "modem", "console"])
    let console = node.optional("console") == nil ? nil : try port(node, "console")
    return (try port(node, "receiver"), try port(node, "modem"), console)
  }

  private mutating func port(_ node: FileNode, _ key: String) throws(FileError) -> Port {
    let example = "\"/dev/ttyUSB2\""
    let device = try figure(node, key, like: example, and: ["baud"]).text(
      atMost: 100, like: "/dev/ttyUSB2")
    let baud = try node.required(key, like: "{ … }").required("baud", like: "115200")
    let rates: [Int32] = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
    let rate: Int32 = try baud.integer(in: 4800...921_600)
    guard rates.contains(rate) else {
      let usual = rates.map { "\($0)" }.joined(separator: ", ")
      throw baud.error("\(rate) is not a valid speed; write one of \(usual)")
    }
    return Port(device: device, baud: rate)
  }
}

/// A digital line of the computer.
public struct Pin: Sendable, Equatable {
  public enum Line: Sendable, Equatable {
    /// On the board's GPIO chip, where it is the BCM number on a Raspberry Pi; digital pin on an
    /// Arduino.
    case offset(Int32)
    /// As the device tree names it: `GPIO6`.
    case name(String)
  }

  public enum Bias: String, Sendable, Equatable, CaseIterable {
    case none, pullUp, pullDown
  }

  public var line: Line
  /// Whether the line is high when it is active: pressed for a key, on for a status.
  public var isActiveHigh: Bool
  /// A resistor inside the chip, for an input that is open at rest.
  public var bias: Bias

  init(line: Line, isActiveHigh: Bool, bias: Bias = .none) {
    self.line = line
    self.isActiveHigh = isActiveHigh
    self.bias = bias
  }
}

/// The digital lines of a board; `nil`: not wired.
public struct Pins: Sendable, Equatable {
  /// The label of the GPIO chip that all of them are on; `nil`: Linux does not reach them.
  public var chip: String?
  /// Without it the modem cannot be switched on and off, and rests with its radio off.
  public var modemPowerKey: Pin?
  /// Shows whether the modem is on.
  public var modemStatus: Pin?
  /// Active with an external supply.
  public var powerGood: Pin?
  public var button: Pin?
  /// A guarded button of its own that calls for help.
  public var emergency: Pin?
  public var statusLight: Pin?
  public var flightMode: Pin?

  init(chip: String? = nil) { self.chip = chip }

  /// Those that are wired, by the names of their keys.
  public var wired: [(key: String, pin: Pin)] {
    [
      ("modemPowerKey", modemPowerKey), ("modemStatus", modemStatus), ("powerGood", powerGood),
      ("button", button), ("emergency", emergency), ("statusLight", statusLight),
      ("flightMode", flightMode),
    ].compactMap { key, pin in pin.map { (key, $0) } }
  }
}

extension Pin.Line: CustomStringConvertible {
  public var description: String {
    switch self {
    case .offset(let offset): "\(offset)"
    case .name(let name): name
    }
  }
}

/// A GPIO chip that a board file may name, with the lines that its header has.
struct GPIOChip {
  /// As the kernel shows it: `gpiodetect`.
  var label: String
  var lines: Int
  /// The lines on the 40-pin header; the others are used on the board.
  var header = 0...27

  static let known = [
    GPIOChip(label: "pinctrl-bcm2835", lines: 54),
    GPIOChip(label: "pinctrl-bcm2711", lines: 58),
    GPIOChip(label: "pinctrl-rp1", lines: 54),
  ]
}
