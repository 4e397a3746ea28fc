import Foundation
import TestSupport
import Testing
import TrackerCore
import Uplink

extension Guest {
  static let device = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"

  /// Writes the tracker's settings, with those that every script expects.
  func configure(_ settings: [String: String]) throws {
    var members = [
      "team": "'Els Caminants'", "device": "'\(Self.device)'",
      "store": "'/run/captures.db'", "control": "'/run/control'", "receiverPort": "'/run/gps'",
      "server": Self.server(at: "127.0.0.1"),
    ]
    members.merge(settings) { $1 }
    let text = members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    _ = try folder.write("settings.json5", "{ \(text.joined(separator: ",\n")) }")
  }

  static func server(at address: String) -> String {
    "{ address: 'http://\(address):8080/arcgis/rest/services/TrailWalker/FeatureServer/0' }"
  }

  /// The numbers that the log has announced, in order.
  static func announced(in log: String) -> [UInt32] {
    log.components(separatedBy: "captured sequence=").dropFirst().compactMap {
      UInt32($0.prefix { $0.isNumber })
    }
  }

  /// The captures in basecamp's answer to a query, as often as it has them.
  func arrived() throws -> [UniqueID] {
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("arrived"))
    guard let answer = try JSONSerialization.jsonObject(with: bytes) as? [String: Any],
      let features = answer["features"] as? [[String: Any]]
    else { throw Problem("basecamp answered \(text("arrived"))") }
    return features.compactMap {
      (($0["attributes"] as? [String: Any])?["UUID"] as? String).flatMap { UniqueID(text: $0) }
    }
  }

  /// Every capture that was announced has arrived, none twice, and there is no gap.
  func expectEachOnce(_ announced: [UInt32], _ again: String) throws {
    let device = try #require(UniqueID(text: Self.device))
    let arrived = try arrived()
    let known = Set(arrived)
    #expect(!announced.isEmpty, "\(again)")
    #expect(known.count == arrived.count, "twice; \(again)")
    let lost = announced.filter { !known.contains(UniqueID(device: device, sequence: $0)) }
    #expect(lost.isEmpty, "lost: \(lost); \(again)")
    let all = (1...UInt32(max(1, arrived.count))).map { UniqueID(device: device, sequence: $0) }
    #expect(known == Set(all), "a gap; \(again)")
  }

  /// A line of a status.
  static func line(_ name: String, of status: String) -> String {
    status.split(separator: "\n").first { $0.hasPrefix("\(name):") }.map(String.init) ?? ""
  }
}
