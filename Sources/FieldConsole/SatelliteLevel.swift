import NMEA

/// A satellite system, by its letter in RINEX (version 4.01, section 3.5).
public enum SatelliteSystem: String, Sendable, CaseIterable, Codable {
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

/// A satellite, however a receiver numbers it: by the system's own numbers (`E05`).
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
public struct SatelliteLevel: Sendable, Equatable, Codable {
  public var system: SatelliteSystem
  /// Within its system.
  public var number: Int64
  /// dB-Hz, of its best signal; `nil`: in view, but not received.
  public var level: Int64?
  /// Whether it is part of the fix.
  public var isUsed: Bool

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
