/// Registration with a network, 3GPP TS 27.007 §7.2.
enum Registration: Sendable, Equatable {
  case idle
  case home
  case searching
  case denied
  case unknown
  case roaming
  /// Emergency calls, or what a local operator offers to everybody (RLOS).
  case emergencyOnly
  /// Short messages, but no calls or data.
  case textsOnly

  init?(_ status: Int32) {
    switch status {
    case 0: self = .idle
    // 9 and 10: home and roaming, with calls by way of an older network.
    case 1, 9: self = .home
    case 2: self = .searching
    case 3: self = .denied
    case 4: self = .unknown
    case 5, 10: self = .roaming
    case 6, 7: self = .textsOnly
    case 8, 11: self = .emergencyOnly
    default: return nil
    }
  }

  var isIn: Bool { self == .home || self == .roaming }
  var takesTexts: Bool { isIn || self == .textsOnly }
  var isRefused: Bool { self == .denied || self == .emergencyOnly }
}

/// What a registration is for: calls and short messages, or data.
enum NetworkDomain: Sendable, Equatable {
  case circuit
  case packet
}

/// What a SIM asks for.
enum SIMStatus: Sendable, Equatable {
  case ready
  case wantsPIN
  /// Only the PUK unlocks it.
  case blocked
  /// The modem only accepts the SIMs of one operator.
  case foreign
}

extension SIMStatus {
  /// The state that an error of the query indicates (3GPP TS 27.007 §9.2).
  init?(code: Int32) {
    switch code {
    case 11: self = .wantsPIN
    case 12: self = .blocked
    // Locked to a SIM, or to the SIMs of a network, a provider or a company.
    case 5, 6, 7, 40...47: self = .foreign
    default: return nil
    }
  }
}

/// One line from a modem, as far as a tracker needs it.
enum ModemLine: Sendable, Equatable {
  case ok
  case error
  /// `+CME ERROR: n` (3GPP TS 27.007 §9.2).
  case equipmentError(Int32)
  case sim(SIMStatus)
  /// The number of PIN tries left.
  case pinTries(Int32)
  case registration(NetworkDomain, Registration)
  /// dBm; `nil`: not known.
  case signal(dBm: Int32?)
  case supply(millivolts: Int32)
  /// Empty: none, or in an alphabet that is not supported.
  case networkOperator(OperatorName)
  /// An IMSI or an IMEI.
  case digits(InlineText<20>)
  /// The first line after power-on.
  case begins
  /// It has booted.
  case ready
  case simGone
  /// A short message is delivered; its body follows, and is skipped.
  case delivery
  /// OK or ERROR of a modem in which ATV0 is stored.
  case numeric
  /// The echo of a command.
  case echo
  case other

  /// Reads one line without its line end.
  init(_ line: ModemLineBuffer, _ words: ModemStrings = .generic) {
    if line.matches("OK") {
      self = .ok
    } else if line.matches("ERROR") || line.begins(with: "+CMS ERROR:") {
      self = .error
    } else if line.begins(with: "AT") {
      self = .echo
    } else if line.matches("0") || line.matches("4") {
      self = .numeric
    } else if let first = line.firstDigits {
      self = .digits(first)
    } else {
      self = Self.report(line) ?? Self.own(line, words)
    }
  }

  /// Lines that begin with `+` and a name.
  private static func report(_ line: ModemLineBuffer) -> ModemLine? {
    if line.begins(with: "+CME ERROR:") { return equipmentError(in: line) }
    if line.matches("+CPIN: READY") { return .sim(.ready) }
    if line.matches("+CPIN: SIM PIN") { return .sim(.wantsPIN) }
    if line.begins(with: "+CPIN: SIM P") { return .sim(.blocked) }
    if line.begins(with: "+CPIN: PH-") { return .sim(.foreign) }
    if let left = line.pinTries { return .pinTries(left) }
    if line.begins(with: "+CREG:") { return registration(in: line, .circuit, after: 6) }
    if line.begins(with: "+CGREG:") || line.begins(with: "+CEREG:") {
      return registration(in: line, .packet, after: 7)
    }
    if line.begins(with: "+CSQ:") {
      return line.integer(after: 5).map { .signal(dBm: dBm($0)) }
    }
    if line.begins(with: "+COPS:") { return .networkOperator(line.operatorName) }
    if line.isDelivery { return .delivery }
    if line.begins(with: "+CBC:") { return line.volts.map { .supply(millivolts: $0) } }
    return nil
  }

  /// Unsolicited lines.
  private static func own(_ line: ModemLineBuffer, _ words: ModemStrings) -> ModemLine {
    if line.begins(withOneOf: words.simGone) { return .simGone }
    if line.begins(withOneOf: words.begins) { return .begins }
    return line.begins(withOneOf: words.ready) ? .ready : .other
  }

  /// SIMCom modems write errors as text (`+CME ERROR: SIM not inserted`) by default: AT+CMEE is 2
  /// from the factory.
  private static func equipmentError(in line: ModemLineBuffer) -> ModemLine {
    if let code = line.integer(after: 11) { return .equipmentError(code) }
    if line.begins(with: "+CME ERROR: SIM not inserted") { return .equipmentError(10) }
    if line.begins(with: "+CME ERROR: SIM PIN required") { return .equipmentError(11) }
    if line.begins(with: "+CME ERROR: SIM PUK required") { return .equipmentError(12) }
    if line.begins(with: "+CME ERROR: SIM busy") { return .equipmentError(14) }
    if line.begins(with: "+CME ERROR: incorrect password") { return .equipmentError(16) }
    if line.begins(with: "+CME ERROR: PH-") { return .equipmentError(5) }
    return .error
  }

  /// An answer contains mode and status (`+CREG: 0,1`), an unsolicited report only the status.
  private static func registration(
    in line: ModemLineBuffer, _ domain: NetworkDomain, after prefix: Int
  ) -> ModemLine? {
    guard let first = line.integer(after: prefix) else { return nil }
    let status = line.firstComma(after: prefix).flatMap { line.integer(after: $0 + 1) } ?? first
    return Registration(status).map { .registration(domain, $0) }
  }

  /// 3GPP TS 27.007 §8.5: 0 is −113 dBm or less, 31 is −51 dBm or more, 99 is not known.
  private static func dBm(_ rssi: Int32) -> Int32? {
    rssi <= 31 ? -113 + 2 * rssi : nil
  }
}

extension ModemLineBuffer {
  /// SIMCom's `+SPIC: 3,10,3,10` and `+SPIC: 3`, and 3GPP's `+CPINR: SIM PIN,3,3`, with or without
  /// quotation marks; `nil` for the lines of the other codes.
  fileprivate var pinTries: Int32? {
    if begins(with: "+SPIC:") { return integer(after: 6) }
    if begins(with: "+CPINR: SIM PIN,") { return integer(after: 16) }
    return begins(with: "+CPINR: \"SIM PIN\",") ? integer(after: 18) : nil
  }

  /// The whole line, if it is 14 to 17 digits: an IMSI has up to 15, an IMEI 15, or 16 with its
  /// version.
  fileprivate var firstDigits: InlineText<20>? {
    guard count >= 14 && count <= 17 else { return nil }
    var text = InlineText<20>()
    for index in 0..<count {
      guard self[index].isDigit else { return nil }
      text.append(self[index])
    }
    return text
  }

  /// The voltage of `+CBC: 0,75,3.810V` and `+CBC: 3.591V`, millivolts.
  fileprivate var volts: Int32? {
    guard let point = place(of: 0x2E, after: 6), self[point - 1].isDigit else { return nil }
    var millivolts = Int32(self[point - 1] - 0x30) * 1000
    var unit: Int32 = 100
    var index = point + 1
    while self[index].isDigit && unit > 0 {
      millivolts += Int32(self[index] - 0x30) * unit
      unit /= 10
      index += 1
    }
    return millivolts
  }
}

/// Collects a modem's bytes into lines. A line beyond the bound is cut; its tail is discarded.
///
/// Bytes that are not printable ASCII (3GPP TS 27.007 modems send nothing else) are line noise or
/// the NULs of a booting modem, and are dropped.
///
/// A report has one blank after its colon here, as 3GPP writes it, even where the modem leaves it
/// out. The body of a short message that the modem delivers is skipped: it may be anything.
public struct ModemLineBuffer: Sendable, Equatable {
  private var bytes = InlineArray<128, UInt8>(repeating: 0)
  public private(set) var count = 0
  private var skipping = Skipping.nothing

  public init() {}

  private enum Skipping: UInt8, Sendable {
    case nothing
    /// The line feed before a body.
    case lineFeed
    case body
  }

  /// Takes one byte; returns whether it ended a line that is not empty. Call `clear` after reading
  /// the line.
  public mutating func append(_ byte: UInt8) -> Bool {
    let isEnd = byte == 0x0D || byte == 0x0A
    guard skipping == .nothing else {
      // A body may be empty.
      let isOver = isEnd && (skipping == .body || byte == 0x0D)
      skipping = isOver ? .nothing : .body
      return false
    }
    if isEnd {
      if isDelivery { skipping = byte == 0x0D ? .lineFeed : .body }
      return count > 0
    }
    guard byte >= 0x20 && byte < 0x7F else { return false }
    if byte != 0x20 && isAtValue { put(0x20) }
    put(byte)
    return false
  }

  private mutating func put(_ byte: UInt8) {
    guard count < Bounds.modemLineBytes else { return }
    bytes[count] = byte
    count += 1
  }

  /// Whether what follows is the value of a report, as in `+CSQ:`.
  private var isAtValue: Bool {
    guard count > 1, bytes[count - 1] == 0x3A, bytes[0] == 0x2B || bytes[0] == 0x2A else {
      return false
    }
    return place(of: 0x3A, after: 0) == count - 1
  }

  /// A short message, or one from the cell: its body is in the next line (3GPP TS 27.005 §3.4.1).
  var isDelivery: Bool { begins(with: "+CMT:") || begins(with: "+CBM:") }

  public mutating func clear() { count = 0 }

  /// This is another line: a match that has begun does not go on.
  mutating func restart() {
    count = 0
    skipping = .nothing
  }

  public subscript(index: Int) -> UInt8 { index < count ? bytes[index] : 0 }

  public func matches(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  public func begins(with text: StaticString) -> Bool {
    begins(with: text, from: 0, to: text.utf8CodeUnitCount)
  }

  /// Whether the line begins with one of several texts separated by `|`.
  public func begins(withOneOf texts: StaticString) -> Bool {
    var start = 0
    for end in 0...texts.utf8CodeUnitCount
    where end == texts.utf8CodeUnitCount || texts.utf8Start[end] == 0x7C {
      if end > start && begins(with: texts, from: start, to: end) { return true }
      start = end + 1
    }
    return false
  }

  private func begins(with text: StaticString, from start: Int, to end: Int) -> Bool {
    guard count >= end - start else { return false }
    for index in start..<end where bytes[index - start] != text.utf8Start[index] { return false }
    return true
  }

  /// The decimal number at `start`, optionally after spaces; at most 9 digits.
  public func integer(after start: Int) -> Int32? {
    var index = start
    while index < count && bytes[index] == 0x20 { index += 1 }
    var value: Int32 = 0
    var digits = 0
    while index < count && bytes[index].isDigit && digits < 9 {
      value = value * 10 + Int32(bytes[index] - 0x30)
      digits += 1
      index += 1
    }
    return digits > 0 ? value : nil
  }

  public func firstComma(after start: Int) -> Int? { place(of: 0x2C, after: start) }

  func place(of byte: UInt8, after start: Int) -> Int? {
    var index = start
    while index < count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a.bytes[index] != b.bytes[index] { return false }
    return true
  }
}

// What the modem says, line by line; and the supply's voltage, which it measures.
extension Tracker {
  mutating func receiveFromModem(
    _ bytes: Span<UInt8>, at now: Instant, into sink: inout some EffectSink & ~Copyable
  ) {
    let words = board.modem.family.words
    for index in 0..<bytes.count where modemLine.append(bytes[index]) {
      link.modem?.hear(ModemLine(modemLine, words), at: now, into: &sink)
      modemLine.clear()
    }
    guard let millivolts = link.modem?.takeSupply(), board.battery.isMeasuredByModem,
      board.battery.isPlausible(millivolts: millivolts)
    else { return }
    measured(BatteryReading(millivolts: millivolts), at: now, into: &sink)
  }
}
