import Foundation
import NMEA
import Statistics
import Testing
import TrackerCore

/// The receivers' logs of the corpus: most stand still, haicom-305N walks.
@Suite struct RealLogTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../shared/corpus").standardizedFileURL
  private static let isThere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("haicom-305N.log").path)
  private static let missing: Comment =
    "../shared/corpus is not beside the package: no real logs"
  private let again: Comment = "repeat with: swift test --filter RealLogTests"

  private func statistics(of name: String) throws -> SessionStatistics {
    let bytes = try [UInt8](Data(contentsOf: Self.folder.appendingPathComponent(name)))
    return SessionStatistics(Fixture.points(inNMEA: bytes))
  }

  /// By GeographicLib (WGS84.Inverse) over the positions of the log and the rule of 20 m and the
  /// accuracy it is 84.43 m: 43.5 while the fix settles, with an HDOP of 17 to 21, then 20.8 and
  /// 20.0. From report to report it is 153 m, of which the receiver's own speeds explain 69.
  @Test(.enabled(if: isThere, missing))
  func `A log that walks has its length`() throws {
    let found = try statistics(of: "haicom-305N.log").whole
    #expect(abs(found.metres - 84.43) < 0.1, "\(found); \(again)")
    #expect(found.moving > .seconds(60) && found.gain == 0, "\(found); \(again)")
  }

  @Test(
    .enabled(if: isThere, missing),
    arguments: ["bu353s4", "mt3339", "neo-m8n", "quectel-L70", "sirfstarv-nmea", "telit-he910"])
  func `A log at rest has no distance and no climb`(_ name: String) throws {
    let found = try statistics(of: name + ".log").whole
    #expect(found.metres == 0 && found.gain == 0 && found.moving == 0, "\(found); \(again)")
  }
}
