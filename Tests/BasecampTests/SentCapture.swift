import Foundation
import TestSupport
import Testing
import TrackerCore

/// A capture of a team that was taken so many minutes ago.
struct Sent {
  var device = "7"
  var team = "Els Senglars"
  var number = 1
  var minutesAgo = 1.0
  /// Minutes from now.
  var promise: Double?
  var trigger = "interval"
  /// Its number for the layer; `nil`: not told.
  var order: Int?
  /// Metres; `nil`: not told.
  var accuracy: Int?
  var hasUUID = true
  /// In Web Mercator; `nil`: off every course, a little further with each number.
  var at: (x: Int, y: Int)?

  var feature: String {
    let now = Date().timeIntervalSince1970
    let time = Int((now - minutesAgo * 60) * 1000)
    let order = order.map { "\($0)" } ?? "null"
    let accuracy = accuracy.map { "\($0)" } ?? "null"
    let due = promise.map { "\(Int((now + $0 * 60) * 1000))" } ?? "null"
    let id = UniqueID(
      device: UniqueID(high: 1, low: UInt64(device) ?? 0), sequence: UInt32(number))
    let uuid = hasUUID ? "\"\(id.lowercaseText)\"" : "null"
    let (x, y) = at ?? (277_000, 5_180_000 + number * 300)
    return """
      {"geometry": {"x": \(x), "y": \(y),
      "spatialReference": {"wkid": 102100}}, "attributes": {"CodiEquip": "\(device)",
      "Equip": "\(team)", "Bateria": 80, "Entrada": \(time), "UUID": \(uuid),
      "Motiu": "\(trigger)", "ProperContacte": \(due), "Ordre": \(order),
      "Precisio": \(accuracy)}}
      """
  }

  static func send(_ captures: [Sent], to camp: CampServer) throws {
    let list = "[\(captures.map(\.feature).joined(separator: ","))]"
    let answer = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": list])
    try #require(areDone(addResults(answer), captures.count), "\(answer); \(camp.command)")
  }
}

/// The rows of the control room's board.
func teams(_ state: [String: Any]) -> [[String: Any]] {
  state["teams"] as? [[String: Any]] ?? []
}
