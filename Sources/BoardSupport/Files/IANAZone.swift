import Glibc
import Synchronization
import SystemCalls
import TrackerCore

/// A zone of the IANA database, as the machine has it: what clocks on the wall show there.
///
/// FoundationEssentials knows no zones, and glibc takes an unknown one silently for UTC; so the
/// zone's file is looked at first, and the calendar is glibc's.
public struct IANAZone: Sendable, Equatable {
  public let name: String

  /// `nil`: the machine has no such zone.
  public init?(_ name: String) {
    guard Self.isName(name), Self.hasFile(name) else { return nil }
    self.name = name
  }

  /// Whether the machine has any zones at all.
  public static var areInstalled: Bool { hasFile("Europe/Madrid") || hasFile("UTC") }

  /// The moments at which clocks there show a time: one as a rule, none in the hour that is left
  /// out in spring, two in the one that comes twice in autumn. Sorted.
  func moments(of time: CivilTime) -> [UTC] {
    let wall = time.utc.milliseconds / 1000
    var found: Set<Int64> = []
    Self.withZone(name) {
      // The zone's distance to UTC is that of the day before or of the day after, whatever changes
      // in between.
      for day in [-86_400, 0, 86_400] as [Int64] {
        let candidate = wall - Self.offset(at: wall + day)
        if Self.offset(at: candidate) == wall - candidate { found.insert(candidate) }
      }
    }
    return found.sorted().map { UTC(milliseconds: $0 * 1000) }
  }

  /// Seconds east of UTC.
  private static func offset(at seconds: Int64) -> Int64 {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return Int64(parts.tm_gmtoff)
  }

  // MARK: glibc

  private static let turn = Mutex(())

  /// Sees to it that there is a TZ in the environment, saying what its absence means. To be called
  /// before there are other threads: from then on a change of it moves nothing that they may read.
  public static func prepare() { setenv("TZ", ":/etc/localtime", 0) }

  /// The process has one zone: it is another one for a moment.
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
    // Those below right/ count leap seconds, which no date of ours does.
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
