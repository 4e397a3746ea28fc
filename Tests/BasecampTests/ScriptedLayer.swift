import Foundation
import Synchronization
import TestSupport
import TrackerCore

/// A layer with edit dates, as ArcGIS has them.
final class ScriptedLayer: Sendable {
  struct Row {
    var object: Int
    /// When it was added, or changed.
    var minute: Int
    var team = "Els Senglars"
    var device = "7"
    var trigger = "interval"
  }

  /// What it answers when it is asked for its object numbers.
  enum Numbers: Sendable {
    case all
    case only([Int])
    /// This body.
    case text(String)
  }

  let rows = Mutex<[Row]>([])
  let refusesDates = Mutex(false)
  let numbers = Mutex(Numbers.all)
  /// How often it was asked for them.
  let asked = Mutex(0)

  static func date(_ minute: Int) -> Int64 { 1_776_499_200_000 + Int64(minute) * 60_000 }

  func serve() throws -> ScriptedServer {
    try ScriptedServer { [self] connection in
      while let request = connection.readRequest() {
        let body = request.hasPrefix("GET") ? Self.description : answer(request)
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
  }

  private func answer(_ request: String) -> String {
    let form = request.components(separatedBy: "\r\n\r\n").last ?? ""
    let clause =
      form.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
    func bound(_ mark: String) -> Int? {
      clause.range(of: mark).flatMap { Int(clause[$0.upperBound...].prefix { $0.isNumber }) }
    }
    let hasDate = clause.contains("EditDate >= TIMESTAMP '2026-04-18 ")
    if hasDate, refusesDates.withLock({ $0 }) {
      return "{\"error\":{\"code\":400,\"message\":\"Unable to complete operation.\"}}"
    }
    let isOfNumbers = clause.contains("returnIdsOnly=true")
    if isOfNumbers { asked.withLock { $0 += 1 } }
    let found = rows.withLock { rows in
      rows.filter {
        $0.object >= bound("OBJECTID >= ") ?? 0 && $0.object < bound("OBJECTID < ") ?? .max
      }.sorted { $0.object < $1.object }
    }
    if isOfNumbers {
      let list =
        switch numbers.withLock({ $0 }) {
        case .text(let text): text
        case .only(let some): "\(found.map(\.object).filter(some.contains))"
        case .all: "\(found.map(\.object))"
        }
      return list.hasPrefix("[")
        ? "{\"objectIdFieldName\":\"OBJECTID\",\"objectIds\":\(list)}" : list
    }
    let features = found.map { row in
      let id = UniqueID(device: UniqueID(high: 1, low: 7), sequence: UInt32(row.object))
      return """
        {"attributes":{"OBJECTID":\(row.object),"Equip":"\(row.team)","CodiEquip":"\(row.device)",
        "Motiu":"\(row.trigger)",
        "UUID":"\(id.bracedText)","Entrada":\(Self.date(0)),"CreationDate":\(Self.date(row.minute)),
        "EditDate":\(Self.date(row.minute))},"geometry":{"x":2.5,"y":42.1}}
        """
    }
    return
      "{\"spatialReference\":{\"wkid\":4326},\"features\":[\(features.joined(separator: ","))]}"
  }

  private static let description = """
    {"type":"Feature Layer","geometryType":"esriGeometryPoint","capabilities":"Query",
    "objectIdField":"OBJECTID","maxRecordCount":1000,
    "editFieldsInfo":{"creationDateField":"CreationDate","editDateField":"EditDate"},
    "advancedQueryCapabilities":{"supportsPagination":true},"fields":[
    {"name":"OBJECTID","type":"esriFieldTypeOID"},
    {"name":"CodiEquip","type":"esriFieldTypeString"},
    {"name":"Motiu","type":"esriFieldTypeString"},
    {"name":"Equip","type":"esriFieldTypeString"},{"name":"UUID","type":"esriFieldTypeString"},
    {"name":"Entrada","type":"esriFieldTypeDate"},
    {"name":"CreationDate","type":"esriFieldTypeDate"},
    {"name":"EditDate","type":"esriFieldTypeDate"}]}
    """
}
