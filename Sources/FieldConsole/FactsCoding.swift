import TrackerCore
public import Wording

/// Passes over the members of `TrackerFacts` in one direction: the list of names below is the only
/// one, for the socket and for JSON.
protocol FactsCoder {
  mutating func code(_ name: String, _ value: inout String)
  mutating func code(_ name: String, _ value: inout String?)
  mutating func code(_ name: String, _ value: inout Int64)
  mutating func code(_ name: String, _ value: inout Int64?)
  mutating func code(_ name: String, _ value: inout Bool)
  mutating func code(_ name: String, _ value: inout Bool?)
  mutating func code(_ name: String, _ value: inout [String])
  mutating func code(_ name: String, _ value: inout Texts?)
  mutating func code(_ name: String, _ value: inout [Texts])
  mutating func code(_ name: String, _ value: inout [SatelliteLevel])
  mutating func code<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value)
}

extension TrackerFacts {
  /// Lines of `name value` for a socket. What is unknown has no line.
  public var lines: String {
    var writer = LineWriter()
    var copy = self
    copy.code(with: &writer)
    return writer.text
  }

  /// Unknown names are skipped and impossible values left out: the tracker may be of another
  /// version.
  public init(lines: String) {
    var reader = LineReader(lines)
    code(with: &reader)
  }

  /// For scripts.
  public var figures: [Figure.Member] {
    var writer = FigureWriter()
    var copy = self
    copy.code(with: &writer)
    return writer.members
  }

  private mutating func code(with coder: inout some FactsCoder) {
    codeIdentity(with: &coder)
    codeReceiver(with: &coder)
    codeQueue(with: &coder)
    codeSending(with: &coder)
    codeBattery(with: &coder)
  }

  private mutating func codeIdentity(with coder: inout some FactsCoder) {
    coder.code("presence", &presence)
    coder.code("team", &team)
    coder.code("number", &number)
    coder.code("device", &device)
    coder.code("version", &version)
    coder.code("language", &language)
    coder.code("consoleAccess", &consoleAccess)
    coder.code("runningForMs", &runningFor)
    coder.code("lastSignOfLifeMs", &lastSignOfLife)
    coder.code("lastWords", &lastWords)
    coder.code("systemd", &systemd)
    coder.code("utcMs", &utc)
    coder.code("isClockTrusted", &isClockTrusted)
    coder.code("timeZone", &timeZone)
    coder.code("systemClock", &systemClock)
    coder.code("session", &session)
    coder.code("sessionNumber", &sessionNumber)
    coder.code("sessionAgeMs", &sessionAge)
    coder.code("sessionOrder", &sessionOrder)
    coder.code("teamOrder", &teamOrder)
    coder.code("untilFinishMs", &untilFinish)
    coder.code("finishAtMs", &finishAt)
    coder.code("finishAfterMs", &finishAfter)
    coder.code("endAfterFinishMs", &endAfterFinish)
    coder.code("settingOrders", &settingOrders)
  }

  private mutating func codeReceiver(with coder: inout some FactsCoder) {
    coder.code("receiverPort", &receiverPort)
    coder.code("receiverProblem", &receiverProblem)
    coder.code("isReceiverAwake", &isReceiverAwake)
    coder.code("isReceiverSilent", &isReceiverSilent)
    coder.code("receiverHeardMs", &receiverHeard)
    coder.code("sentencesPerMinute", &sentencesPerMinute)
    coder.code("badChecksumsPerMinute", &badChecksumsPerMinute)
    coder.code("rejectedPerMinute", &rejectedPerMinute)
    coder.code("bytesPerMinute", &bytesPerMinute)
    coder.code("satellitesSeen", &satellitesSeen)
    coder.code("satellitesUsed", &satellitesUsed)
    coder.code("bestSignalDBHz", &bestSignal)
    coder.code("satellites", &satellites)
    coder.code("hdopHundredths", &hdopHundredths)
    coder.code("fixAgeMs", &fixAge)
    coder.code("noFixMs", &noFix)
    coder.code("receiverAwakeForMs", &receiverAwakeFor)
    coder.code("latitude", &latitude)
    coder.code("longitude", &longitude)
    coder.code("coldStartMs", &coldStart)
    coder.code("courseDoneMetres", &courseDoneMetres)
    coder.code("courseToGoMetres", &courseToGoMetres)
    coder.code("place", &place)
    coder.code("nextPlace", &nextPlace)
    coder.code("nextPlaceMetres", &nextPlaceMetres)
    coder.code("nextPlaceOpensMs", &nextPlaceOpens)
    coder.code("nextPlaceClosesMs", &nextPlaceCloses)
    coder.code("offCourseForMs", &offCourseFor)
    coder.code("offCourseMetres", &offCourseMetres)
    coder.code("backwardsForMs", &backwardsFor)
    coder.code("nextPlaceArrivalMs", &nextPlaceArrival)
    coder.code("nextPlaceEarliestMs", &nextPlaceEarliest)
    coder.code("nextPlaceLatestMs", &nextPlaceLatest)
    coder.code("finishArrivalMs", &finishArrival)
    coder.code("finishEarliestMs", &finishEarliest)
    coder.code("finishLatestMs", &finishLatest)
    coder.code("courseProblem", &courseProblem)
    coder.code("capturing", &capturing)
    coder.code("nextCaptureMs", &nextCapture)
    coder.code("captureIntervalMs", &captureInterval)
    coder.code("capturePolicy", &capturePolicy)
    coder.code("lastCapture", &lastCapture)
    coder.code("lastCaptureAgeMs", &lastCaptureAge)
  }

  private mutating func codeQueue(with coder: inout some FactsCoder) {
    coder.code("pending", &pending)
    coder.code("setAside", &setAside)
    coder.code("acknowledged", &acknowledged)
    coder.code("held", &held)
    coder.code("heldForMs", &heldFor)
    coder.code("oldestPendingMs", &oldestPending)
    coder.code("pendingBytes", &pendingBytes)
    coder.code("store", &store)
    coder.code("storeProblem", &storeProblem)
    coder.code("diskFreeBytes", &diskFree)
    coder.code("secondStore", &secondStore)
    coder.code("storeNews", &storeNews)
    coder.code("earlierDevices", &earlierDevices)
    coder.code("damagedRows", &damagedRows)
    coder.code("displaced", &displaced)
  }

  private mutating func codeSending(with coder: inout some FactsCoder) {
    coder.code("sending", &sending)
    coder.code("obstacle", &obstacle)
    coder.code("nextContactMs", &nextContact)
    coder.code("contactIntervalMs", &contactInterval)
    coder.code("contactRule", &contactRule)
    coder.code("promisedMs", &promised)
    coder.code("lastDeliveryMs", &lastDelivery)
    coder.code("lastDelivered", &lastDelivered)
    coder.code("lastContactMs", &lastContact)
    coder.code("contactsFailed", &contactsFailed)
    coder.code("silentServer", &silentServer)
    coder.code("pathLimitBytes", &pathLimit)
    coder.code("lastProblem", &lastProblem)
    coder.code("lastProblemMs", &lastProblemAge)
    coder.code("failingForMs", &failingFor)
    coder.code("failingInNetworkMs", &failingInNetworkFor)
    coder.code("failing", &failing)
    coder.code("isBackingOff", &isBackingOff)
    coder.code("hasModem", &hasModem)
    coder.code("modem", &modem)
    coder.code("isRadioStuck", &isRadioStuck)
    coder.code("modemPort", &modemPort)
    coder.code("modemProblem", &modemProblem)
    coder.code("isModemPortTaken", &isModemPortTaken)
    coder.code("signalDBm", &signal)
    coder.code("operator", &networkOperator)
    coder.code("simReadyMs", &simReady)
    coder.code("registeredMs", &registered)
    coder.code("modemLimitMs", &bootLimit)
    coder.code("modemForMs", &modemFor)
  }

  private mutating func codeBattery(with coder: inout some FactsCoder) {
    coder.code("batteryState", &batteryState)
    coder.code("batteryPercent", &batteryPercent)
    coder.code("isFuelGauge", &isFuelGauge)
    coder.code("batteryAgeMs", &batteryAge)
    coder.code("batteryImplausible", &batteryImplausible)
    coder.code("isBatteryMeasured", &isBatteryMeasured)
    coder.code("isCharging", &isCharging)
    coder.code("isInReserve", &isInReserve)
    coder.code("millivolts", &millivolts)
    coder.code("milliamps", &milliamps)
    coder.code("chargePercent", &charge)
    coder.code("chargeDeviationPercent", &chargeDeviation)
    coder.code("drainTenths", &drainTenths)
    coder.code("batteryLastsMs", &batteryLasts)
    coder.code("batteryReaches", &batteryReaches)
    coder.code("confidencePercent", &confidence)
    coder.code("batteryProblem", &batteryProblem)
    coder.code("pins", &pins)
    coder.code("recording", &recording)
    coder.code("recordingProblem", &recordingProblem)
    coder.code("logDropped", &logDropped)
  }
}

// MARK: - Lines

/// Writes each value on one line: line ends and other control characters become spaces.
private struct LineWriter: FactsCoder {
  var text = ""

  private mutating func line(_ name: String, _ value: String) {
    text += name + " " + value.plain + "\n"
  }

  mutating func code(_ name: String, _ value: inout String) { line(name, value) }
  mutating func code(_ name: String, _ value: inout String?) { if let value { line(name, value) } }
  mutating func code(_ name: String, _ value: inout Int64) { line(name, "\(value)") }
  mutating func code(_ name: String, _ value: inout Int64?) {
    if let value { line(name, "\(value)") }
  }
  mutating func code(_ name: String, _ value: inout Bool) { line(name, "\(value)") }
  mutating func code(_ name: String, _ value: inout Bool?) {
    if let value { line(name, "\(value)") }
  }
  mutating func code(_ name: String, _ value: inout [String]) {
    for value in value { line(name, value) }
  }
  /// In English under its name; in another language, where it differs, under `name.ca` as well.
  mutating func code(_ name: String, _ value: inout Texts?) {
    guard let value else { return }
    line(name, value.english)
    for (other, text) in value.translations(of: name) where text != value.english {
      line(other, text)
    }
  }
  /// The same number of lines for each language.
  mutating func code(_ name: String, _ value: inout [Texts]) {
    for value in value {
      line(name, value.english)
      for (other, text) in value.translations(of: name) { line(other, text) }
    }
  }
  mutating func code(_ name: String, _ value: inout [SatelliteLevel]) {
    for value in value { line(name, value.text) }
  }
  mutating func code<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) {
    line(name, value.rawValue)
  }
}

extension Texts {
  /// The names and texts of the lines beside the English one.
  fileprivate func translations(of name: String) -> [(name: String, text: String)] {
    Language.all.filter { $0 != .english }.map { (name + "." + $0.code, self[$0]) }
  }
}

private struct LineReader: FactsCoder {
  private var values: [String: [String]] = [:]

  init(_ lines: String) {
    for line in lines.split(separator: "\n", omittingEmptySubsequences: true) {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first else { continue }
      values[String(name), default: []].append(parts.count > 1 ? String(parts[1]).plain : "")
    }
  }

  private func last(_ name: String) -> String? { values[name]?.last }

  mutating func code(_ name: String, _ value: inout String) { value = last(name) ?? value }
  mutating func code(_ name: String, _ value: inout String?) { value = last(name) ?? value }
  mutating func code(_ name: String, _ value: inout Int64) {
    value = last(name).flatMap { number($0) } ?? value
  }
  mutating func code(_ name: String, _ value: inout Int64?) {
    value = last(name).flatMap { number($0) } ?? value
  }
  mutating func code(_ name: String, _ value: inout Bool) {
    value = last(name).flatMap { Bool($0) } ?? value
  }
  mutating func code(_ name: String, _ value: inout Bool?) {
    value = last(name).flatMap { Bool($0) } ?? value
  }
  mutating func code(_ name: String, _ value: inout [String]) { value = values[name] ?? value }
  mutating func code(_ name: String, _ value: inout Texts?) {
    guard let english = last(name) else { return }
    func text(_ language: Language) -> String { last(name + "." + language.code) ?? english }
    value = Texts(ca: text(.catalan), es: text(.spanish), en: english, fr: text(.french))
  }
  mutating func code(_ name: String, _ value: inout [Texts]) {
    guard let lines = values[name] else { return }
    value = lines.enumerated().map { index, english in
      func text(_ language: Language) -> String {
        let all = values[name + "." + language.code] ?? []
        return all.count == lines.count ? all[index] : english
      }
      return Texts(ca: text(.catalan), es: text(.spanish), en: english, fr: text(.french))
    }
  }
  mutating func code(_ name: String, _ value: inout [SatelliteLevel]) {
    value = (values[name] ?? []).compactMap { SatelliteLevel(text: $0) }
  }
  mutating func code<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) {
    value = last(name).flatMap { Value(rawValue: $0) } ?? value
  }

  /// Far from the ends of `Int64`, so that sums of a few of them do not overflow.
  private func number(_ text: String) -> Int64? {
    guard let number = Int64(text), number.magnitude < 1 << 56 else { return nil }
    return number
  }
}

// MARK: - JSON

private struct FigureWriter: FactsCoder {
  var members: [Figure.Member] = []

  private mutating func add(_ name: String, _ figure: Figure) {
    members.append(Figure.Member(name, figure))
  }

  mutating func code(_ name: String, _ value: inout String) { add(name, .text(value)) }
  mutating func code(_ name: String, _ value: inout String?) {
    add(name, value.map { .text($0) } ?? .none)
  }
  mutating func code(_ name: String, _ value: inout Int64) { add(name, .integer(value)) }
  mutating func code(_ name: String, _ value: inout Int64?) {
    add(name, value.map { .integer($0) } ?? .none)
  }
  mutating func code(_ name: String, _ value: inout Bool) { add(name, .boolean(value)) }
  mutating func code(_ name: String, _ value: inout Bool?) {
    add(name, value.map { .boolean($0) } ?? .none)
  }
  mutating func code(_ name: String, _ value: inout [String]) {
    add(name, .list(value.map { .text($0) }))
  }
  mutating func code(_ name: String, _ value: inout Texts?) {
    add(name, value.map { .text($0.english) } ?? .none)
  }
  mutating func code(_ name: String, _ value: inout [Texts]) {
    add(name, .list(value.map { .text($0.english) }))
  }
  mutating func code(_ name: String, _ value: inout [SatelliteLevel]) {
    let figures = value.map { satellite in
      Figure.object([
        Figure.Member("system", .text(satellite.system.rawValue)),
        Figure.Member("number", .integer(satellite.number)),
        Figure.Member("levelDBHz", satellite.level.map { .integer($0) } ?? .none),
        Figure.Member("isUsed", .boolean(satellite.isUsed)),
      ])
    }
    add(name, .list(figures))
  }
  mutating func code<Value: RawRepresentable<String>>(_ name: String, _ value: inout Value) {
    add(name, .text(value.rawValue))
  }
}
