import NMEA
import TrackerCore

/// The level of each satellite, by GSV and GSA. The core only needs the best one.
struct SatelliteMeter: Sendable {
  /// Some 60 satellites of all systems are above the horizon at once, each with up to three
  /// signals; the one that has not been heard for longest makes room.
  static let mostSignals = 192
  /// The longest GSV has 4 satellites and 100 bytes.
  private static let lineBytes = 160
  /// GSV comes once a second to once in five.
  private static let cycle = Milliseconds.seconds(6)
  /// The same of GSA; several sentences make one list.
  private static let usedCycle = Milliseconds(1500)
  private static let stale = Milliseconds.seconds(15)

  private struct Signal: Sendable {
    var name: SatelliteName
    /// The number of the signal (`1` is L1), or 0.
    var signal: UInt8
    var level: UInt8?
    var at: Instant
  }

  private var line: [UInt8] = []
  private var isSkipping = true
  private var signals: [Signal] = []
  private var used: [SatelliteName: Instant] = [:]
  private var seenAt = Instant.start
  private var usedAt = Instant.start

  mutating func received(_ bytes: Span<UInt8>, at now: Instant) {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "$") {
        line.removeAll(keepingCapacity: true)
        isSkipping = false
      } else if isSkipping {
        continue
      } else if byte == 0x0D || byte == 0x0A {
        isSkipping = true
        take(at: now)
        continue
      } else if line.count >= Self.lineBytes {
        isSkipping = true
        continue
      }
      line.append(byte)
      // `$GPGSV`, `$GNGSA`: of all others no more is kept.
      if line.count == 6, !line.elementsEqual("GSV".utf8, from: 3),
        !line.elementsEqual("GSA".utf8, from: 3)
      {
        isSkipping = true
      }
    }
  }

  private mutating func take(at now: Instant) {
    let line = line
    guard line.count > 10, line[line.count - 3] == UInt8(ascii: "*") else { return }
    let peek = LinePeek(lastIn: line.span, from: 0)
    guard peek.isSentence, let kind = peek.kind else { return }
    let fields = line.dropLast(3).split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if kind == .gsv { seen(fields, SatelliteSystem(peek.talker), at: now) }
    if kind == .gsa { used(fields, SatelliteSystem(peek.talker), at: now) }
  }

  /// `$GPGSV,3,1,11,03,03,111,21,04,…`, with a signal number at the end from 4.1 on.
  private mutating func seen(
    _ fields: [ArraySlice<UInt8>], _ system: SatelliteSystem?, at now: Instant
  ) {
    let rest = fields.dropFirst(4)
    seenAt = now
    let signal = rest.count % 4 == 1 ? rest.last.flatMap { Self.hexadecimal($0) } : nil
    var place = rest.startIndex
    while place + 4 <= rest.endIndex {
      if let number = Self.number(rest[place]), let name = SatelliteName(number, of: system) {
        let level = Self.number(rest[place + 3]).map { UInt8(clamping: min($0, 99)) }
        add(Signal(name: name, signal: signal ?? 0, level: level == 0 ? nil : level, at: now))
      }
      place += 4
    }
  }

  private mutating func add(_ signal: Signal) {
    if let known = signals.firstIndex(where: {
      $0.name == signal.name && $0.signal == signal.signal
    }) {
      signals.remove(at: known)
    } else if signals.count == Self.mostSignals {
      signals.removeFirst()
    }
    signals.append(signal)
  }

  /// `$GNGSA,A,3,04,05,…,2.5,1.3,2.1`: twelve satellites or 24, three dilutions, and from 4.1 on a
  /// system number.
  private mutating func used(
    _ fields: [ArraySlice<UInt8>], _ talker: SatelliteSystem?, at now: Instant
  ) {
    guard fields.count >= 18 else { return }
    let hasSystem = (fields.count - 6) % 12 == 1
    let number = hasSystem ? fields.last.flatMap { Self.hexadecimal($0) } : nil
    let system = number.flatMap { SatelliteSystem(number: Int($0)) } ?? talker
    usedAt = now
    for field in fields[3..<(fields.count - (hasSystem ? 4 : 3))] {
      guard let number = Self.number(field), let name = SatelliteName(number, of: system) else {
        continue
      }
      used[name] = now
    }
    // Nothing that is out of date is kept.
    if used.count > Self.mostSignals { used = used.filter { now - $0.value <= Self.usedCycle } }
    if used.count > Self.mostSignals { used = [:] }
  }

  /// Those of the last cycle, by system and strength; none if it is out of date.
  func levels(at now: Instant) -> [SatelliteLevel] {
    guard now - seenAt <= Self.stale else { return [] }
    var best: [SatelliteName: UInt8?] = [:]
    for signal in signals where seenAt - signal.at <= Self.cycle {
      let known = best[signal.name] ?? nil
      best[signal.name] = .some(signal.level.map { max($0, known ?? 0) } ?? known)
    }
    let isUsedKnown = now - usedAt <= Self.stale
    let systems = SatelliteSystem.allCases
    return best.map { name, level in
      let isUsed = isUsedKnown && used[name].map { usedAt - $0 <= Self.usedCycle } == true
      return SatelliteLevel(name, level: level, isUsed: isUsed)
    }.sorted {
      let (a, b) = (systems.firstIndex(of: $0.system) ?? 0, systems.firstIndex(of: $1.system) ?? 0)
      return (a, $1.level ?? -1, $0.number) < (b, $0.level ?? -1, $1.number)
    }
  }

  /// One to three digits.
  private static func number(_ field: ArraySlice<UInt8>) -> UInt16? {
    guard (1...3).contains(field.count) else { return nil }
    var value: UInt16 = 0
    for byte in field {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + UInt16(byte - 0x30)
    }
    return value
  }

  private static func hexadecimal(_ field: ArraySlice<UInt8>) -> UInt8? {
    guard (1...2).contains(field.count) else { return nil }
    return UInt8(String(decoding: field, as: UTF8.self), radix: 16)
  }
}

extension [UInt8] {
  fileprivate func elementsEqual(_ other: String.UTF8View, from start: Int) -> Bool {
    self[start...].elementsEqual(other)
  }
}
