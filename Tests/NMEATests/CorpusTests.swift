import Foundation
import NMEA
import Testing

/// Real receivers' logs against what gpsd reads from them.
///
/// Compared per instant, modulo 1024 weeks, are time, latitude, longitude, mode, speed and track:
/// ours with the last that gpsd prints for the instant, where both have the member. They agree in
/// all ten logs. What only one side has, and why:
///
/// | log                     | who  | what                     | why                          |
/// |-------------------------|------|--------------------------|------------------------------|
/// | garmin25lp, haicom-305N | we   | instants without a fix   | gpsd takes no time from a    |
/// |                         |      |                          | void RMC                     |
/// | haicom-305N             | we   | 09:53:04.802, first fix  | gpsd prints the first fix    |
/// |                         |      |                          | without its time             |
/// | neo-m8n                 | we   | the last instant         | GLL, by which gpsd knows the |
/// | gp-320fw-2019-04-06...  | we   | 23:57:26.020             | end of a cycle, is missing   |
/// | telit-he910, neo-m8n    | both | reports without a time   | nothing to compare them by   |
/// | any                     | gpsd | speed without RMC or VTG | computed from positions      |
@Suite struct CorpusTests {
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let folder = package.appendingPathComponent("../shared/corpus").standardizedFileURL
  static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }
  static let why: Comment = "../shared/corpus is not beside the package: nothing to compare with"
  static let weeks: Int64 = 1024 * 7 * 86_400_000

  /// How many instants with a fix only we report; see the table.
  static let fixesOfOurOwn = [
    "haicom-305N.log": 1, "neo-m8n.log": 1, "gp-320fw-2019-04-06-overflow.log": 1,
  ]

  private static func logs() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "log" }.sorted { $0.path < $1.path }
  }

  @Test("The corpus has logs", .enabled(if: isThere, why))
  func isNotEmpty() throws {
    #expect(try !Self.logs().isEmpty, "no .log in \(Self.folder.path)")
  }

  @Test("We read what gpsd reads", .enabled(if: isThere, why))
  func agreesWithGPSD() throws {
    for log in try Self.logs() { try compare(log) }
  }

  private func compare(_ log: URL) throws {
    let name = log.lastPathComponent
    let ours = decode([UInt8](try Data(contentsOf: log))).epochs
    var byInstant: [Int64: Epoch] = [:]
    for epoch in ours {
      guard let time = epoch.utcMilliseconds else { continue }
      let instant = time % Self.weeks
      #expect(byInstant[instant] == nil, "\(name): two reports of \(time); \(reproduce(log))")
      byInstant[instant] = epoch
    }
    let theirs = try reports(of: log)
    let alone = byInstant.filter { theirs[$0.key] == nil && $0.value.mode != .noFix }
    #expect(
      alone.count == Self.fixesOfOurOwn[name, default: 0],
      "\(name): fixes that gpsd does not print; \(reproduce(log))")
    #expect(!theirs.isEmpty, "\(name): no TPV with a time in the .chk")
    var compared: [String: Int] = [:]
    for (instant, reports) in theirs.sorted(by: { $0.key < $1.key }) {
      let place = "\(name) at \(reports[0]["time"] ?? ""); \(reproduce(log))"
      guard let epoch = byInstant[instant] else {
        Issue.record("gpsd alone has \(place)")
        continue
      }
      func check(_ key: String, _ value: Double?, _ tolerance: Double, _ circle: Double = 1e9) {
        guard let value, let last = reports.compactMap({ $0[key] as? Double }).last else { return }
        compared[key, default: 0] += 1
        let apart = abs(last - value)
        let isNear = min(apart, abs(circle - apart)) <= tolerance
        #expect(isNear, "\(key): ours \(value), gpsd's \(last): \(place)")
      }
      check("mode", Double(epoch.mode.rawValue), 0)
      check("lat", epoch.latitude.map { Double($0) / 1e7 }, 0.6e-7)
      check("lon", epoch.longitude.map { Double($0) / 1e7 }, 0.6e-7)
      check("speed", epoch.speedMillimetresPerSecond.map { Double($0) / 1000 }, 0.0006)
      check("track", epoch.trackMillidegrees.map { Double($0) / 1000 }, 0.0006, 360)
    }
    // All of them, at each instant; only a receiver that never moved has no course.
    #expect(
      Set(compared.values) == [theirs.count] && compared.count >= 4, "\(name): \(compared)")
  }

  private func reproduce(_ log: URL) -> String { ".build/debug/tracker-sim decode \(log.path)" }

  /// gpsd's position reports by instant.
  private func reports(of log: URL) throws -> [Int64: [[String: Any]]] {
    let data = try Data(contentsOf: log.appendingPathExtension("chk"))
    let text = String(decoding: data, as: UTF8.self)
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var result: [Int64: [[String: Any]]] = [:]
    for line in text.split(whereSeparator: \.isNewline) where line.contains("\"class\":\"TPV\"") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      guard let report = object as? [String: Any], let time = report["time"] as? String,
        let date = format.date(from: time)
      else { continue }
      let instant = Int64((date.timeIntervalSince1970 * 1000).rounded()) % Self.weeks
      result[instant, default: []].append(report)
    }
    return result
  }
}
