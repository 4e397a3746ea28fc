import TrackerCore

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
  ) throws(FileError) -> (chemistry: String, board: Battery, sensor: BatterySensor?) {
    try node.checkKeys([
      "chemistry", "cellsInSeries", "cellsInParallel", "cellCapacity", "cellVoltages", "cutOff",
      "capacityAtFreezing", "regulator", "sensor", "cellType", "ratedCurrent", "cellResistance",
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
    return (chemistry, battery, sensor)
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
