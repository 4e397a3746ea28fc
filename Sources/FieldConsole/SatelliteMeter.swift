import NMEA
import TrackerCore

/// The level of each satellite, by GSV and GSA. The core only needs the best one.
///
/// They are most of what a receiver says, all night, and hardly ever does somebody ask: the last
/// ones are kept, and read when somebody does.
struct SatelliteMeter: Sendable {
  /// Apart, so that neither takes the other's room: a receiver may say one much more often.
  private var inView = SentenceLog()
  private var used = SentenceLog()

  /// What it keeps.
  var bytes: Int { inView.bytes + used.bytes }

  mutating func heard(
    _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant
  ) {
    switch kind {
    case .gsv: inView.append(fields, of: talker, at: now)
    case .gsa: used.append(fields, of: talker, at: now)
    default: return
    }
  }

  /// Those of the last cycle, by system and strength; none if it is out of date.
  func levels(at now: Instant) -> [SatelliteLevel] {
    var sky = Sky()
    inView.read { fields, talker, at in sky.read(.gsv, talker, fields, at: at) }
    used.read { fields, talker, at in sky.read(.gsa, talker, fields, at: at) }
    return sky.levels(at: now)
  }
}

/// The last sentences of a kind.
private struct SentenceLog: Sendable {
  private struct Part: Sendable {
    typealias Sentence = (talker: Talker, at: Instant, end: Int)

    /// One after the other.
    var fields: [UInt8] = []
    var sentences: [Sentence] = []

    var bytes: Int { fields.count + sentences.count * Self.headerBytes }
    static let headerBytes = MemoryLayout<Sentence>.stride
  }

  /// As much as there is room for, once something came before.
  private var older = Part()
  private var newer = Part()

  var bytes: Int { older.bytes + newer.bytes }

  mutating func append(_ fields: Span<UInt8>, of talker: Talker, at now: Instant) {
    if newer.bytes + fields.count + Part.headerBytes > FieldBounds.satelliteLog {
      swap(&older, &newer)
      newer.fields.removeAll(keepingCapacity: true)
      newer.sentences.removeAll(keepingCapacity: true)
    }
    fields.withUnsafeBufferPointer { newer.fields.append(contentsOf: $0) }
    newer.sentences.append((talker, now, newer.fields.count))
  }

  /// From the oldest on.
  func read(_ body: (Span<UInt8>, Talker, Instant) -> Void) {
    for part in [older, newer] {
      var start = 0
      for (talker, at, end) in part.sentences {
        body(part.fields.span.extracting(start..<end), talker, at)
        start = end
      }
    }
  }
}

/// The satellites of some sentences, one after the other.
private struct Sky {
  private struct Signal: Sendable {
    var name: SatelliteName
    /// The number of the signal (`1` is L1), or 0.
    var signal: UInt8
    var level: UInt8?
    var at: Instant
  }

  private var signals: [Signal] = []
  /// A satellite's last report that it is part of the fix.
  private var used: [(name: SatelliteName, at: Instant)] = []
  private var seenAt = Instant.start
  private var usedAt = Instant.start

  mutating func read(
    _ kind: SentenceKind, _ talker: Talker, _ fields: Span<UInt8>, at now: Instant
  ) {
    guard let places = FieldPlaces(fields) else { return }
    if kind == .gsv { seen(fields, places, SatelliteSystem(talker), at: now) }
    if kind == .gsa { used(fields, places, SatelliteSystem(talker), at: now) }
  }

  /// `$GPGSV,3,1,11,03,03,111,21,04,…`, with a signal number at the end from 4.1 on.
  private mutating func seen(
    _ fields: Span<UInt8>, _ places: FieldPlaces, _ system: SatelliteSystem?, at now: Instant
  ) {
    seenAt = now
    let hasSignal = places.count > 3 && (places.count - 3) % 4 == 1
    let signal = hasSignal ? places.hexadecimal(places.count - 1, in: fields) : nil
    var place = 3
    while place + 4 <= places.count {
      if let number = places.number(place, in: fields),
        let name = SatelliteName(number, of: system)
      {
        let level = places.number(place + 3, in: fields).map { UInt8(clamping: min($0, 99)) }
        add(Signal(name: name, signal: signal ?? 0, level: level == 0 ? nil : level, at: now))
      }
      place += 4
    }
  }

  private mutating func add(_ signal: Signal) {
    if let known = signals.firstIndex(where: {
      $0.name == signal.name && $0.signal == signal.signal
    }) {
      signals[known] = signal
    } else if signals.count < FieldBounds.satelliteSignals {
      signals.append(signal)
    } else if let oldest = signals.indices.min(by: { signals[$0].at < signals[$1].at }) {
      signals[oldest] = signal
    }
  }

  /// `$GNGSA,A,3,04,05,…,2.5,1.3,2.1`: twelve satellites or 24, three dilutions, and from 4.1 on a
  /// system number.
  private mutating func used(
    _ fields: Span<UInt8>, _ places: FieldPlaces, _ talker: SatelliteSystem?, at now: Instant
  ) {
    guard places.count >= 17 else { return }
    let hasSystem = (places.count - 5) % 12 == 1
    let number = hasSystem ? places.hexadecimal(places.count - 1, in: fields) : nil
    let system = number.flatMap { SatelliteSystem(number: Int($0)) } ?? talker
    usedAt = now
    for place in 2..<(places.count - (hasSystem ? 4 : 3)) {
      guard let number = places.number(place, in: fields),
        let name = SatelliteName(number, of: system)
      else { continue }
      if let known = used.firstIndex(where: { $0.name == name }) {
        used[known].at = now
      } else {
        used.append((name, now))
      }
    }
    // Forget what is out of date.
    if used.count > FieldBounds.satelliteSignals {
      used.removeAll { now - $0.at > FieldBounds.satelliteUsedCycle }
    }
    if used.count > FieldBounds.satelliteSignals { used = [] }
  }

  /// Those of the last cycle, by system and strength; none if it is out of date.
  func levels(at now: Instant) -> [SatelliteLevel] {
    guard now - seenAt <= FieldBounds.satelliteStale else { return [] }
    var best: [SatelliteName: UInt8?] = [:]
    for signal in signals where seenAt - signal.at <= FieldBounds.satelliteCycle {
      let known = best[signal.name] ?? nil
      best[signal.name] = .some(signal.level.map { max($0, known ?? 0) } ?? known)
    }
    let isUsedKnown = now - usedAt <= FieldBounds.satelliteStale
    let systems = SatelliteSystem.allCases
    return best.map { name, level in
      let isUsed =
        isUsedKnown
        && used.contains { $0.name == name && usedAt - $0.at <= FieldBounds.satelliteUsedCycle }
      return SatelliteLevel(name, level: level, isUsed: isUsed)
    }.sorted {
      let (a, b) = (systems.firstIndex(of: $0.system) ?? 0, systems.firstIndex(of: $1.system) ?? 0)
      return (a, $1.level ?? -1, $0.number) < (b, $0.level ?? -1, $1.number)
    }
  }
}

/// Where the fields of a sentence are, found once.
private struct FieldPlaces {
  /// One past each field's last byte.
  private var ends = InlineArray<32, UInt16>(repeating: 0)
  private(set) var count = 1

  /// - Returns: `nil` for more fields than any such sentence has (GSA with 24 satellites: 30).
  init?(_ fields: Span<UInt8>) {
    guard fields.count <= UInt16.max else { return nil }
    for index in fields.indices where fields[index] == UInt8(ascii: ",") {
      if count == ends.count { return nil }
      ends[count - 1] = UInt16(index)
      count += 1
    }
    ends[count - 1] = UInt16(fields.count)
  }

  private func range(_ place: Int) -> Range<Int> {
    (place == 0 ? 0 : Int(ends[place - 1]) + 1)..<Int(ends[place])
  }

  /// One to three digits.
  func number(_ place: Int, in fields: Span<UInt8>) -> UInt16? {
    value(place, in: fields, digits: 1...3, radix: 10)
  }

  func hexadecimal(_ place: Int, in fields: Span<UInt8>) -> UInt8? {
    value(place, in: fields, digits: 1...2, radix: 16).map { UInt8($0) }
  }

  private func value(
    _ place: Int, in fields: Span<UInt8>, digits: ClosedRange<Int>, radix: UInt16
  ) -> UInt16? {
    let range = range(place)
    guard digits.contains(range.count) else { return nil }
    var value: UInt16 = 0
    for index in range {
      let letter = (fields[index] | 0x20) &- UInt8(ascii: "a")
      let digit = UInt16(letter < 6 ? letter + 10 : fields[index] &- UInt8(ascii: "0"))
      guard digit < radix else { return nil }
      value = value * radix + digit
    }
    return value
  }
}

/// A satellite system, by its letter in RINEX (version 4.01, section 3.5).
enum SatelliteSystem: String, Sendable, CaseIterable, Codable {
  case gps = "G"
  case glonass = "R"
  case galileo = "E"
  case beiDou = "C"
  case qzss = "J"
  case navIC = "I"
  /// EGNOS and its like.
  case sbas = "S"

  /// As people know it, in every language.
  var name: String {
    switch self {
    case .gps: "GPS"
    case .glonass: "GLO"
    case .galileo: "GAL"
    case .beiDou: "BDS"
    case .qzss: "QZSS"
    case .navIC: "NavIC"
    case .sbas: "SBAS"
    }
  }

  /// By the system number at the end of GSA (NMEA 0183 version 4.11, GSA field 18).
  init?(number: Int) {
    let systems: [SatelliteSystem] = [.gps, .glonass, .galileo, .beiDou, .qzss, .navIC]
    guard (1...systems.count).contains(number) else { return nil }
    self = systems[number - 1]
  }

  init?(_ talker: Talker) {
    switch talker {
    case .gps: self = .gps
    case .glonass: self = .glonass
    case .galileo: self = .galileo
    case .beiDou: self = .beiDou
    case .qzss: self = .qzss
    case .navIC: self = .navIC
    case .combined, .instrument: return nil
    }
  }
}

/// A satellite by its system's own number (`E05`), however the receiver numbers it.
struct SatelliteName: Sendable, Hashable {
  var system: SatelliteSystem
  var number: UInt16

  /// - Parameters:
  ///   - number: as in a sentence.
  ///   - system: of the sentence; `nil`: of several, as `GN` without a system number.
  init?(_ number: UInt16, of system: SatelliteSystem?) {
    switch system {
    case .glonass where (65...96).contains(number): self.init(.glonass, number - 64)
    case .galileo where (301...336).contains(number): self.init(.galileo, number - 300)
    case .beiDou where (401...463).contains(number): self.init(.beiDou, number - 400)
    case .beiDou where (201...263).contains(number): self.init(.beiDou, number - 200)
    case .qzss where (193...202).contains(number): self.init(.qzss, number - 192)
    case .glonass?, .galileo?, .beiDou?, .qzss?, .navIC?, .sbas?:
      guard let system, (1...99).contains(number) else { return nil }
      self.init(system, number)
    // GPS receivers of several systems number the others on; the ranges of 4.11, table 20, of
    // Quectel (301, 401) and of u-blox (193).
    case .gps?, nil:
      switch number {
      case 1...32: self.init(.gps, number)
      case 33...64: self.init(.sbas, number - 13)
      case 65...96: self.init(.glonass, number - 64)
      case 120...158: self.init(.sbas, number - 100)
      case 193...200: self.init(.qzss, number - 192)
      case 201...263: self.init(.beiDou, number - 200)
      case 301...336: self.init(.galileo, number - 300)
      case 401...463: self.init(.beiDou, number - 400)
      default: return nil
      }
    }
  }

  private init(_ system: SatelliteSystem, _ number: UInt16) {
    self.system = system
    self.number = number
  }
}

/// How strongly a satellite is received.
struct SatelliteLevel: Sendable, Equatable, Codable {
  var system: SatelliteSystem
  /// Within its system.
  var number: Int64
  /// dB-Hz, of its best signal; `nil`: in view, but not received.
  var level: Int64?
  /// Whether it is part of the fix.
  var isUsed: Bool

  private enum CodingKeys: String, CodingKey {
    case system, number
    case level = "levelDBHz"
    case isUsed
  }

  init(_ name: SatelliteName, level: UInt8?, isUsed: Bool) {
    system = name.system
    number = Int64(name.number)
    self.level = level.map { Int64($0) }
    self.isUsed = isUsed
  }
}
