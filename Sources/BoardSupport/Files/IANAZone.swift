import Glibc
import Synchronization
import SystemCalls
public import TrackerCore

/// A time zone of the IANA database, as installed on this machine.
///
/// glibc silently takes an unknown zone for UTC, so the zone's file is checked first.
public struct IANAZone: Sendable, Equatable {
  public let name: String

  /// `nil` when the machine has no such zone.
  public init?(_ name: String) {
    guard Self.isName(name), Self.hasFile(name) else { return nil }
    self.name = name
  }

  /// Whether the machine has any zones at all.
  public static var areInstalled: Bool { hasFile("Europe/Madrid") || hasFile("UTC") }

  /// The instants at which local clocks show a time, sorted: usually one, none in the hour that is
  /// skipped in spring, two in the hour that is repeated in autumn.
  func moments(of time: CivilTime) -> [UTC] {
    let wall = time.utc.milliseconds / 1000
    var found: Set<Int64> = []
    Self.withZone(name) {
      // The offset is that of the day before or of the day after, even if it changes in between.
      for day in [-86_400, 0, 86_400] as [Int64] {
        let candidate = wall - Self.offset(at: wall + day)
        if Self.offset(at: candidate) == wall - candidate { found.insert(candidate) }
      }
    }
    return found.sorted().map { UTC(milliseconds: $0 * 1000) }
  }

  /// Seconds east of UTC.
  public func offsetSeconds(at utc: UTC) -> Int64 {
    var offset: Int64 = 0
    Self.withZone(name) { offset = Self.offset(at: utc.milliseconds / 1000) }
    return offset
  }

  /// Seconds east of UTC on this machine's clocks.
  public static func machineOffsetSeconds(at utc: UTC) -> Int64 {
    turn.withLock { _ in
      tzset()
      return offset(at: utc.milliseconds / 1000)
    }
  }

  /// Seconds east of UTC, in the zone that is set.
  private static func offset(at seconds: Int64) -> Int64 {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Int64(parts.tm_gmtoff)
  }

  // MARK: glibc

  private static let turn = Mutex(())

  /// Ensures that TZ is in the environment, with the value that its absence stands for. Call it
  /// before there are other threads, so that later changes do not move memory that they may be
  /// reading.
  public static func prepare() { setenv("TZ", ":/etc/localtime", 0) }

  /// A process has only one zone, so it is changed temporarily.
  private static func withZone(_ name: String, _ body: () -> Void) {
    turn.withLock { _ in
      prepare()
      let old = getenv("TZ").map { String(cString: $0) } ?? ""
      setenv("TZ", ":" + name, 1)
      tzset()
      body()
      setenv("TZ", old, 1)
      tzset()
    }
  }

  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    // Zones in right/ count leap seconds, which dates here do not.
    return name.utf8.count <= 60 && parts.first != "right"
      && parts.allSatisfy { part in
        part.utf8.first.map { $0 < 128 && ($0 | 0x20) >= 0x61 } ?? false
          && part.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
              || [0x2B, 0x2D, 0x5F].contains($0)
          }
      }
  }

  private static func hasFile(_ name: String) -> Bool {
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    let descriptor = retryingOnInterrupt { open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4)
    return read(descriptor, &bytes, 4) == 4 && bytes == Array("TZif".utf8)
  }
}
