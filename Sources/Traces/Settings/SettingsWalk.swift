import TrackerCore

/// Visits every setting of a tracker with the name of its property, to write or to read it. One
/// list serves both, so that they cannot disagree.
///
/// A test compares the names with the properties, so that none is forgotten.
protocol SettingsWalk {
  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable)
}

extension SettingsWalk {
  mutating func walk(_ board: inout Board) {
    visit("board.supplyMillivolts", &board.supplyMillivolts)
    walk(&board.loads)
    walk(&board.battery)
    visit("board.modem.powerOnPulse", &board.modem.powerOnPulse)
    visit("board.modem.powerOffPulse", &board.modem.powerOffPulse)
    visit("board.modem.bootLimit", &board.modem.bootLimit)
    visit("board.modem.powerOffTime", &board.modem.powerOffTime)
    visit("board.modem.offOnGap", &board.modem.offOnGap)
    visit("board.modem.family", &board.modem.family)
    visit("board.modem.rest", &board.modem.rest)
    visit("board.modem.hasPowerKey", &board.modem.hasPowerKey)
    visit("board.modem.hasStatus", &board.modem.hasStatus)
    visit("board.modem.hasFlightMode", &board.modem.hasFlightMode)
    visit("board.receiver.dialect", &board.receiver.dialect)
    visit("board.receiver.canSleep", &board.receiver.canSleep)
    visit("board.receiver.coldStart", &board.receiver.coldStart)
    visit("board.receiver.hotStart", &board.receiver.hotStart)
    visit("board.hasLight", &board.hasLight)
  }

  private mutating func walk(_ loads: inout Loads) {
    visit("board.loads.boardMicroamps", &loads.boardMicroamps)
    visit("board.loads.receiverStandbyMicroamps", &loads.receiverStandbyMicroamps)
    visit("board.loads.receiverAcquiringMicroamps", &loads.receiverAcquiringMicroamps)
    visit("board.loads.receiverTrackingMicroamps", &loads.receiverTrackingMicroamps)
    visit("board.loads.modemOffMicroamps", &loads.modemOffMicroamps)
    visit("board.loads.modemStartingMicroamps", &loads.modemStartingMicroamps)
    visit("board.loads.modemSearchingMicroamps", &loads.modemSearchingMicroamps)
    visit("board.loads.modemIdleMicroamps", &loads.modemIdleMicroamps)
    visit("board.loads.modemTransmittingMicroamps", &loads.modemTransmittingMicroamps)
  }

  private mutating func walk(_ battery: inout Battery) {
    visit("board.battery.cellsInSeries", &battery.cellsInSeries)
    visit("board.battery.cellsInParallel", &battery.cellsInParallel)
    visit("board.battery.cellCapacityMilliampHours", &battery.cellCapacityMilliampHours)
    visit("board.battery.cellMillivolts", &battery.cellMillivolts)
    visit("board.battery.cutOffMillivolts", &battery.cutOffMillivolts)
    visit("board.battery.capacityAtFreezingPercent", &battery.capacityAtFreezingPercent)
    visit("board.battery.regulator", &battery.regulator)
    visit("board.battery.isMeasuredByModem", &battery.isMeasuredByModem)
    visit("board.battery.chemistry", &battery.chemistry)
    visit("board.battery.ratedMicroamps", &battery.ratedMicroamps)
    visit("board.battery.cellMilliohms", &battery.cellMilliohms)
  }

  mutating func walk(_ configuration: inout Configuration) {
    visit("configuration.capture", &configuration.capture)
    visit("configuration.accuracyMetres", &configuration.accuracyMetres)
    visit(
      "configuration.maximumSpeedMetresPerSecond", &configuration.maximumSpeedMetresPerSecond)
    visit("configuration.transmitInterval", &configuration.transmitInterval)
    visit("configuration.betweenUploads", &configuration.betweenUploads)
    visit("configuration.reconnectFloor", &configuration.reconnectFloor)
    visit("configuration.receiverUse", &configuration.receiverUse)
    visit("configuration.finish", &configuration.finish)
    visit("configuration.endAfterFinish", &configuration.endAfterFinish)
    visit("configuration.reservePercent", &configuration.reservePercent)
    visit("configuration.confidencePercent", &configuration.confidencePercent)
    visit("configuration.startsBySelf", &configuration.startsBySelf)
    visit("configuration.notBefore", &configuration.notBefore)
    visit("configuration.bearer", &configuration.bearer)
    visit("configuration.accessPoint", &configuration.accessPoint)
    visit("configuration.textAfter", &configuration.textAfter)
    visit("configuration.textTo", &configuration.textTo)
  }

  mutating func walk(_ identity: inout Identity) {
    visit("identity.device", &identity.device)
    visit("identity.team", &identity.team)
    visit("identity.nextSequence", &identity.nextSequence)
    visit("identity.pending", &identity.pending)
    visit("identity.seed", &identity.seed)
    visit("identity.simPIN", &identity.simPIN)
    visit("identity.memory", &identity.memory)
  }
}

/// 32 hexadecimal digits.
extension UniqueID: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.text(Self.digits(high) + Self.digits(low)) }

  private static func digits(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    guard word.utf8.count == 32, let high = UInt64(word.prefix(16), radix: 16),
      let low = UInt64(word.dropFirst(16), radix: 16)
    else { throw .field(.notANumber) }
    self.init(high: high, low: low)
  }
}

extension AccessPointName: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.add(text) }
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let bytes = try fields.text()
    guard let name = Self(bytes.span) else { throw .field(.unknownWord("access point")) }
    self = name
  }
}

extension PhoneNumber: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.add(text) }
  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let bytes = try fields.text()
    guard let number = Self(bytes.span) else { throw .field(.unknownWord("telephone number")) }
    self = number
  }
}

extension Regulator: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .linear: fields.word("linear")
    case .switching(let efficiencyPercent):
      fields.word("switching")
      fields.add(efficiencyPercent)
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "linear": self = .linear
    case "switching": self = .switching(efficiencyPercent: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension CapturePolicy: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .standard(let interval, let minimumDistanceMetres, let heartbeat):
      fields.word("standard")
      fields.add(interval)
      fields.add(minimumDistanceMetres)
      fields.add(heartbeat)
    case .significant: fields.word("significant")
    case .proximity: fields.word("proximity")
    case .route(let everyMetres):
      fields.word("route")
      fields.add(everyMetres)
    case .adaptive(let interval):
      fields.word("adaptive")
      fields.add(interval)
    }
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    let word = try fields.word()
    switch word {
    case "standard":
      self = .standard(
        interval: try fields.value(), minimumDistanceMetres: try fields.value(),
        heartbeat: try fields.value())
    case "significant": self = .significant
    case "proximity": self = .proximity
    case "route": self = .route(everyMetres: try fields.value())
    case "adaptive": self = .adaptive(interval: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}
