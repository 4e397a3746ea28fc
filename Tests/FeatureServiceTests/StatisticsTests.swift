import FeatureService
import Foundation
import TestSupport
import Testing

/// Rows that are not features, and the parameter `time`.
@Suite(.blocking, .onEachStorage) struct StatisticsTests {
  private let note: Comment = "repeat with: swift test --filter StatisticsTests"
  private let service: Service
  private static let levels = [90, 80, 70, 60, 51]

  /// Team a at 0, 1 and 2 s, team b at 3 and 4 s, and one feature without anything.
  init() throws {
    service = try Service()
    let features = Self.levels.enumerated().map { number, level in
      """
      {"attributes":{"Equip":"\(number < 3 ? "a" : "b")","Bateria":\(level),
      "Entrada":\(number * 1000)}}
      """
    }
    let list = "[\(features.joined(separator: ",")),{}]"
    #expect(service.ask("addFeatures", ["features": list])["addResults"] != nil)
  }

  private func rows(_ answer: [String: Any]) -> [[String: Any]] {
    (answer["features"] as? [[String: Any]] ?? []).compactMap {
      ($0["attributes"] ?? $0["properties"]) as? [String: Any]
    }
  }

  private func statistics(_ kinds: [String], of field: String = "Bateria") -> String {
    let list = kinds.map { kind in
      """
      {"statisticType":"\(kind)","onStatisticField":"\(field)","outStatisticFieldName":"\(kind)"}
      """
    }
    return "[\(list.joined(separator: ","))]"
  }

  @Test func `Statistics of everything are those of a pocket calculator`() {
    let answer = service.ask([
      "where": "1=1",
      "outStatistics": statistics(["count", "sum", "min", "max", "avg", "stddev", "var"]),
    ])
    let row = rows(answer).first ?? [:]
    let levels = Self.levels.map(Double.init)
    let mean = levels.reduce(0, +) / 5
    let variance = levels.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 4
    #expect(row["count"] as? Int == 5 && row["sum"] as? Double == 351, "\(row); \(note)")
    #expect(row["min"] as? Int == 51 && row["max"] as? Int == 90, "\(row); \(note)")
    #expect(row["avg"] as? Double == mean, "\(row); \(note)")
    #expect(abs((row["var"] as? Double ?? 0) - variance) < 1e-9, "\(row); \(note)")
    #expect(
      abs((row["stddev"] as? Double ?? 0) - variance.squareRoot()) < 1e-9, "\(row); \(note)")
    let types = (answer["fields"] as? [[String: Any]] ?? []).map { $0["type"] as? String ?? "" }
    #expect(
      types.first == "esriFieldTypeInteger" && types[1...].allSatisfy { $0.hasSuffix("Double") })
  }

  @Test func `Groups come in the order asked for, page by page`() {
    let form = [
      "where": "Equip IS NOT NULL", "outStatistics": statistics(["max"], of: "Entrada"),
      "groupByFieldsForStatistics": "equip", "orderByFields": "max DESC",
    ]
    let answer = service.ask(form)
    #expect(rows(answer).map { $0["Equip"] as? String } == ["b", "a"], "\(answer); \(note)")
    #expect(rows(answer).map { $0["max"] as? Int } == [4000, 2000], "\(answer); \(note)")
    let first = service.ask(form.merging(["resultRecordCount": "1"]) { $1 })
    #expect(rows(first).count == 1 && first["exceededTransferLimit"] as? Bool == true, note)
    let next = service.ask(
      form.merging(["resultRecordCount": "1", "resultOffset": "1"]) { $1 })
    #expect(rows(next).map { $0["Equip"] as? String } == ["a"], note)
    #expect(service.count(form) == 2, note)
    #expect(rows(service.ask(form.merging(["f": "geojson"]) { $1 })).count == 2, note)
  }

  @Test func `Of nothing there is a count of 0, and nothing else`() {
    let row = rows(
      service.ask(["where": "1=0", "outStatistics": statistics(["count", "sum", "stddev"])]))
    #expect(row.first?["count"] as? Int == 0, "\(row); \(note)")
    #expect(row.first?["sum"] is NSNull && row.first?["stddev"] is NSNull, "\(row); \(note)")
  }

  @Test func `Different values come once, and are counted`() {
    let form = ["where": "1=1", "outFields": "Equip", "returnDistinctValues": "true"]
    let answer = service.ask(form.merging(["orderByFields": "Equip DESC"]) { $1 })
    #expect(rows(answer).map { $0["Equip"] as? String } == ["b", "a", nil], "\(answer); \(note)")
    #expect(service.count(form) == 3, note)
    #expect(service.count(form.merging(["where": "Bateria > 75"]) { $1 }) == 1, note)
  }

  @Test(arguments: [
    ("1000", 1), ("1000,3000", 3), ("null,1000", 2), ("1000,null", 4), ("null,null", 6),
    ("1000.0,2999.6", 3), ("9000,9999", 0), ("3000,1000", 0),
  ])
  func `A time is an instant or an interval with its ends`(_ time: String, _ expected: Int) {
    #expect(service.count(["where": "1=1", "time": time]) == expected, note)
  }

  @Test func `A layer without times takes a time for no condition, and says so beforehand`() throws
  {
    let course = "/arcgis/rest/services/rutes/MapServer/0"
    let form = ["where": "1=1", "time": "1,2"]
    let walked = try Service { $0.course = .carrilet }
    let all = walked.count(["where": "1=1"], layer: course)
    #expect(all > 0 && walked.count(form, layer: course) == all, note)
    let layers = service.send(service.request("GET", "\(course)?f=json")).json
    #expect(layers?["timeInfo"] is NSNull, note)
    let captures = service.send(service.request("GET", "\(Service.layer)?f=json")).json
    let info = captures?["timeInfo"] as? [String: Any]
    #expect(info?["startTimeField"] as? String == "Entrada", note)
    #expect(info?["timeExtent"] as? [Int] == [0, 4000], note)
  }

  @Test(arguments: [
    ["outStatistics": "[]"], ["outStatistics": "{"], ["outStatistics": "[{}]"],
    ["outStatistics": "[{\"statisticType\":\"median\",\"onStatisticField\":\"Bateria\"}]"],
    ["outStatistics": "[{\"statisticType\":\"sum\",\"onStatisticField\":\"Equip\"}]"],
    ["outStatistics": "[{\"statisticType\":\"sum\",\"onStatisticField\":\"Nobody\"}]"],
    [
      "outStatistics": "[{\"statisticType\":\"count\",\"onStatisticField\":\"Bateria\","
        + "\"outStatisticFieldName\":\"\(String(repeating: "a", count: 129))\"}]"
    ],
    ["groupByFieldsForStatistics": "Equip"], ["time": "soon"], ["time": "1,2,3"], ["time": ","],
    ["time": "1,2", "timeRelation": "esriTimeRelationAfter"],
    ["returnDistinctValues": "true", "returnIdsOnly": "true"],
    ["returnDistinctValues": "true", "orderByFields": "Bateria"],
    [
      "returnDistinctValues": "true",
      "outStatistics": "[{\"statisticType\":\"count\",\"onStatisticField\":\"Bateria\"}]",
    ],
  ])
  func `What cannot be followed is error 400`(_ form: [String: String]) {
    let answer = service.ask(["where": "1=1", "outFields": "Equip"].merging(form) { $1 })
    #expect(Service.errorCode(answer) == 400, "\(form): \(answer); \(note)")
  }
}
