import TrackerCore

/// Visits every setting of a tracker with the name of its property, to write or to read it. One
/// list serves both, so that they cannot disagree.
///
/// A test compares the names with the properties, so that none is forgotten.
protocol SettingsWalk {
  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable)
  /// The same for one that is only there if it is not what earlier programs did without it.
  mutating func visit<Value: FieldCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value)
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
    visit("board.halting", &board.halting, unless: nil)
    visit("board.hasEmergencyButton", &board.hasEmergencyButton, unless: false)
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
    visit("configuration.sleep", &configuration.sleep, unless: .never)
    visit("configuration.emergency", &configuration.emergency, unless: false)
    visit(
      "configuration.emergencyInterval", &configuration.emergencyInterval,
      unless: Configuration().emergencyInterval)
    visit("configuration.fetchesMessages", &configuration.fetchesMessages, unless: false)
    visit(
      "configuration.remoteLimit", &configuration.remoteLimit,
      unless: Configuration().remoteLimit)
  }

  mutating func walk(_ identity: inout Identity) {
    visit("identity.device", &identity.device)
    visit("identity.team", &identity.team)
    visit("identity.nextSequence", &identity.nextSequence)
    visit("identity.pending", &identity.pending)
    visit("identity.seed", &identity.seed)
    visit("identity.simPIN", &identity.simPIN)
    visit("identity.memory", &identity.memory)
    visit("identity.hasLeftModem", &identity.hasLeftModem, unless: false)
  }
}

/// 32 hexadecimal digits.
extension UniqueID: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.text(Self.digits(high) + Self.digits(low)) }

  private static func digits(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    guard word.utf8.count == 32, let high = UInt64(word.prefix(16), radix: 16),
      let low = UInt64(word.dropFirst(16), radix: 16)
    else { throw .field(.notANumber) }
    self.init(high: high, low: low)
  }
}

extension AccessPointName: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.add(text) }
  init(from fields: inout FieldReader) throws(RecordError) {
    let bytes = try fields.text()
    guard let name = Self(bytes.span) else { throw .field(.unknownWord("access point")) }
    self = name
  }
}

extension PhoneNumber: FieldCodable {
  func write(to fields: inout FieldWriter) { fields.add(text) }
  init(from fields: inout FieldReader) throws(RecordError) {
    let bytes = try fields.text()
    guard let number = Self(bytes.span) else { throw .field(.unknownWord("telephone number")) }
    self = number
  }
}

extension Regulator: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .linear: fields.word("linear")
    case .switching(let efficiencyPercent): fields.add("switching", efficiencyPercent)
    }
  }

  init(from fields: inout FieldReader) throws(RecordError) {
    let word = try fields.word()
    switch word {
    case "linear": self = .linear
    case "switching": self = .switching(efficiencyPercent: try fields.value())
    default: throw .field(.unknownWord(word))
    }
  }
}

extension Halting: FieldCodable {
  func write(to fields: inout FieldWriter) {
    fields.add(microamps, wakeTime, wakeMicroamps, stopTime)
    fields.add(keepsReceiver, keepsModem)
  }

  init(from fields: inout FieldReader) throws(RecordError) {
    self.init(
      microamps: try fields.value(), wakeTime: try fields.value(),
      wakeMicroamps: try fields.value(), stopTime: try fields.value(),
      keepsReceiver: try fields.value(), keepsModem: try fields.value())
  }
}

extension CapturePolicy: FieldCodable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .standard(let interval, let minimumDistanceMetres, let heartbeat):
      fields.add("standard", interval, minimumDistanceMetres, heartbeat)
    case .significant: fields.word("significant")
    case .proximity: fields.word("proximity")
    case .route(let everyMetres): fields.add("route", everyMetres)
    case .adaptive(let interval): fields.add("adaptive", interval)
    }
  }

  init(from fields: inout FieldReader) throws(RecordError) {
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

// Writes and reads the settings as records of a header.

struct SettingsWriter: SettingsWalk {
  var writer = TraceWriter()

  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable) {
    writer.fields.word(name)
    writer.fields.add(value)
    writer.end(.header)
  }

  mutating func visit<Value: FieldCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value
  ) {
    if value != usual { visit(name, &value) }
  }

  /// The records of everything that a tracker is created from.
  static func records(of beginning: RecordingHeader) -> [UInt8] {
    var walk = Self()
    var beginning = beginning
    walk.walk(&beginning.board)
    walk.walk(&beginning.configuration)
    walk.walk(&beginning.identity)
    if let course = beginning.course { CourseRecords.write(course, to: &walk.writer) }
    return walk.writer.bytes
  }
}

/// Reads the settings from a header's records, by name.
struct SettingsReader: SettingsWalk {
  private var settings: [String: [UInt8]]
  private var problem: RecordError?

  /// Settings that recordings of earlier programs do not have. Those programs worked as with the
  /// default, or without what it is for.
  private static let added: Set<String> = [
    "board.battery.isMeasuredByModem", "board.modem.hasStatus", "board.modem.hasFlightMode",
    "board.hasLight", "board.battery.chemistry", "board.battery.ratedMicroamps",
    "board.battery.cellMilliohms", "configuration.confidencePercent",
  ]

  mutating func visit<Value: FieldCodable>(_ name: StaticString, _ value: inout Value) {
    guard problem == nil else { return }
    let name = "\(name)"
    guard let bytes = settings.removeValue(forKey: name) else {
      if !Self.added.contains(name) { problem = .settingMissing(name) }
      return
    }
    var fields = FieldReader(bytes)
    do {
      value = try Value(from: &fields)
      try fields.expectEnd()
    } catch {
      problem = .badSetting(name)
    }
  }

  mutating func visit<Value: FieldCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value
  ) {
    if settings["\(name)"] != nil { visit(name, &value) }
  }

  private init(_ settings: [String: [UInt8]]) { self.settings = settings }

  static func beginning(
    _ settings: [String: [UInt8]], at instant: Instant, utc: UTC?, program: String
  ) throws(RecordError) -> RecordingHeader {
    let course = try CourseRecords.read(settings)
    var walk = Self(settings.filter { !CourseRecords.isPart($0.key) })
    var board = Board.none
    var configuration = Configuration.recorded
    var identity = Identity(device: UniqueID(high: 0, low: 0), team: InlineText(), seed: 0)
    walk.walk(&board)
    walk.walk(&configuration)
    walk.walk(&identity)
    if let problem = walk.problem { throw problem }
    if let name = walk.settings.keys.min() { throw .unknownSetting(name) }
    var header = RecordingHeader(
      board: board, configuration: configuration, identity: identity, at: instant, utc: utc,
      program: program)
    header.course = course
    return header
  }
}

/// A configuration that was reloaded at run time: name and value of each setting, so that an error
/// can name an unknown or missing one.
extension Configuration: FieldCodable {
  /// What a recording of an earlier program does not say.
  fileprivate static var recorded: Configuration {
    var configuration = Configuration()
    // Its button was for the session only.
    configuration.emergency = false
    return configuration
  }

  func write(to fields: inout FieldWriter) {
    var walk = NamedValuesWriter(fields: fields)
    var copy = self
    walk.walk(&copy)
    fields = walk.fields
  }

  init(from fields: inout FieldReader) throws(RecordError) {
    self = .recorded
    var walk = NamedValuesReader(fields: fields)
    walk.walk(&self)
    fields = walk.fields
    if let problem = walk.problem { throw problem }
    if !fields.isAtEnd { throw .otherSettings(try fields.word()) }
  }

  /// Reads values without names, in the order of the walk.
  init(positional fields: inout FieldReader) throws(RecordError) {
    self = .recorded
    var walk = ValuesReader(fields: fields)
    walk.walk(&self)
    fields = walk.fields
    if let problem = walk.problem { throw problem }
  }
}

private struct NamedValuesWriter: SettingsWalk {
  var fields: FieldWriter

  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable) {
    fields.word(name)
    fields.add(value)
  }

  mutating func visit<Value: FieldCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value
  ) {
    if value != usual { visit(name, &value) }
  }
}

private struct NamedValuesReader: SettingsWalk {
  var fields: FieldReader
  var problem: RecordError?

  mutating func visit<Value: FieldCodable>(_ name: StaticString, _ value: inout Value) {
    guard problem == nil else { return }
    do throws(RecordError) {
      let found = fields.isAtEnd ? "" : try fields.word()
      guard found == "\(name)" else {
        problem = .otherSettings("\(name)")
        return
      }
      value = try fields.value()
    } catch { problem = error }
  }

  mutating func visit<Value: FieldCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value
  ) {
    var ahead = fields
    guard !fields.isAtEnd, let found = try? ahead.word(), found == "\(name)" else { return }
    visit(name, &value)
  }
}

private struct ValuesReader: SettingsWalk {
  var fields: FieldReader
  var problem: RecordError?

  mutating func visit<Value: FieldCodable>(_ name: StaticString, _ value: inout Value) {
    guard problem == nil else { return }
    do throws(RecordError) { value = try fields.value() } catch { problem = error }
  }

  /// Recordings of programs that wrote no names have none of these.
  mutating func visit<Value: FieldCodable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value
  ) {}
}
