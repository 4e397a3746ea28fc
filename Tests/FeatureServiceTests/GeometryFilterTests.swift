import FeatureService
import Foundation
import TestSupport
import Testing

/// Which features lie in, on and near a geometry.
@Suite(.blocking, .onEachStorage) struct GeometryFilterTests {
  private let note: Comment = "repeat with: swift test --filter GeometryFilterTests"
  private let service: Service

  /// Five captures on a parallel near Olot, 0.01° (826 m) apart, and one without a position.
  init() throws {
    service = try Service()
    let features = (0..<5).map { number in
      """
      {"geometry":{"x":\(2.5 + Double(number) * 0.01),"y":42.18,"spatialReference":{"wkid":4326}}}
      """
    }
    let list = "[\(features.joined(separator: ",")),{}]"
    #expect(service.ask("addFeatures", ["features": list])["addResults"] != nil)
  }

  private func count(_ geometry: String, _ more: [String: String] = [:]) -> Int {
    service.count(["geometry": geometry, "inSR": "4326"].merging(more) { $1 })
  }

  @Test func `A polygon finds what is inside, and nothing in its holes`() {
    let outer = "[[2.495,42.1],[2.545,42.1],[2.545,42.2],[2.495,42.2],[2.495,42.1]]"
    let hole = "[[2.515,42.15],[2.525,42.15],[2.525,42.19],[2.515,42.19],[2.515,42.15]]"
    let type = ["geometryType": "esriGeometryPolygon"]
    #expect(count("{\"rings\":[\(outer)]}", type) == 5, note)
    #expect(count("{\"rings\":[\(outer),\(hole)]}", type) == 4, note)
    // A ring that was left open; and what the bounding box holds, but not the triangle.
    #expect(count("{\"rings\":[[[2.495,42.1],[2.545,42.1],[2.495,42.2]]]}") == 1, note)
    #expect(
      count(
        "{\"rings\":[[[2.495,42.1],[2.545,42.1],[2.495,42.2]]]}",
        ["spatialRel": "esriSpatialRelEnvelopeIntersects"]) == 5, note)
  }

  @Test func `A corner and a side belong to a polygon`() {
    #expect(count("{\"rings\":[[[2.5,42.18],[2.6,42.3],[2.5,42.3]]]}") == 1, note)
    #expect(count("{\"rings\":[[[2.5,42.1],[2.5,42.3],[2.4,42.3],[2.4,42.1]]]}") == 1, note)
  }

  @Test func `A point finds what is on it, to the millimetre`() {
    let type = ["geometryType": "esriGeometryPoint"]
    #expect(count("2.51,42.18", type) == 1, note)
    #expect(count("2.510000005,42.18", type) == 1, "0.4 mm; \(note)")
    #expect(count("2.5100001,42.18", type) == 0, "8 mm; \(note)")
    #expect(count("{\"points\":[[2.51,42.18],[2.53,42.18],[0,0]]}") == 2, note)
  }

  /// At 42.18° a degree of longitude is 82 618 m long on the ellipsoid, so neighbours are 826.2 m
  /// apart on the ground and 1 113 m on the map.
  @Test(arguments: [
    ("825", "esriSRUnit_Meter", 1), ("827", "esriSRUnit_Meter", 3),
    ("1.653", "esriSRUnit_Kilometer", 5), ("1.652", "esriSRUnit_Kilometer", 3),
    ("2713", "esriSRUnit_Foot", 3), ("2705", "esriSRUnit_Foot", 1),
    ("0.52", "esriSRUnit_StatuteMile", 3), ("0.51", "esriSRUnit_StatuteMile", 1),
    ("0.45", "esriSRUnit_NauticalMile", 3), ("0.44", "esriSRUnit_NauticalMile", 1),
  ])
  func `A distance is one on the ground`(_ distance: String, _ unit: String, _ expected: Int) {
    #expect(count("2.52,42.18", ["distance": distance, "units": unit]) == expected, note)
  }

  @Test func `A distance reaches from lines and areas too`() {
    let line = "{\"paths\":[[[2.495,42.17],[2.525,42.17]]]}"
    let near = ["units": "esriSRUnit_Meter"]
    #expect(count(line, near.merging(["distance": "1120"]) { $1 }) == 3, note)
    #expect(count(line, near.merging(["distance": "1300"]) { $1 }) == 4, note)
    #expect(count(line, near.merging(["distance": "1100"]) { $1 }) == 0, note)
    #expect(count(line) == 0, note)
    let area = "2.505,42.1,2.515,42.2"
    #expect(count(area, near.merging(["distance": "100"]) { $1 }) == 1, note)
    #expect(count(area, near.merging(["distance": "500"]) { $1 }) == 3, note)
  }

  @Test func `A geometry's own spatial reference counts, and before that of the request`() {
    let box = "\"xmin\":2.4,\"ymin\":42,\"xmax\":2.515,\"ymax\":43"
    for reference in [
      "{\"wkid\":4326}", "{\"latestWkid\":4326}", "{\"wkid\":4326,\"latestWkid\":4326}",
    ] {
      let geometry = "{\(box),\"spatialReference\":\(reference)}"
      #expect(service.count(["geometry": geometry]) == 2, "\(reference); \(note)")
      #expect(service.count(["geometry": geometry, "inSR": "102100"]) == 2, note)
    }
    #expect(count("{\(box),\"spatialReference\":{}}") == 2, note)
    #expect(
      service.count(["geometry": "{\(box)}", "defaultSR": "{\"latestWkid\":4326}"]) == 2, note)
    #expect(service.count(["geometry": "{\(box),\"spatialReference\":{\"wkid\":7}}"]) == -400, note)
  }

  @Test func `A viewer that shows more than the map gets all of it`() {
    #expect(count("-300,-90,300,90") == 5, note)
    #expect(service.count(["geometry": "-3e7,-9e9,3e7,9e9"]) == 5, note)
    #expect(count("190,-90,300,90") == 0, note)
  }

  @Test func `Lines are found where they are crossed, and whole ones where they are contained`() {
    let stages = "/arcgis/rest/services/rutes/MapServer/1"
    let features = """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},
      "geometry":{"type":"LineString","coordinates":[[2.5,42.1],[2.7,42.3]]}}]}
      """
    guard let course = try? Course(geoJSON: Array(features.utf8), path: "course"),
      let service = try? Service({ $0.course = course })
    else {
      Issue.record("no course; \(note)")
      return
    }
    func count(_ geometry: String, _ more: [String: String] = [:]) -> Int {
      service.count(
        ["geometry": geometry, "inSR": "4326"].merging(more) { $1 }, layer: stages)
    }
    let corner = "{\"rings\":[[[2.5,42.3],[2.61,42.3],[2.61,42.19],[2.5,42.19]]]}"
    #expect(count(corner) == 1, "it cuts the middle; \(note)")
    let beside = "{\"rings\":[[[2.5,42.3],[2.55,42.3],[2.55,42.2],[2.5,42.2]]]}"
    #expect(count(beside) == 0, "the same rectangle, but beside the line; \(note)")
    let contains = ["spatialRel": "esriSpatialRelContains"]
    #expect(count("2.4,42,2.8,42.4", contains) == 1, note)
    #expect(count("2.4,42,2.69,42.4", contains) == 0, note)
    let outer = "[[2.4,42],[2.8,42],[2.8,42.4],[2.4,42.4],[2.4,42]]"
    let hole = "[[2.54,42.14],[2.56,42.14],[2.56,42.16],[2.54,42.16],[2.54,42.14]]"
    #expect(count("{\"rings\":[\(outer)]}", contains) == 1, note)
    #expect(
      count("{\"rings\":[\(outer),\(hole)]}", contains) == 0, "at a quarter of its way; \(note)")
    #expect(count("2.5,42.11", ["distance": "2", "units": "esriSRUnit_Kilometer"]) == 1, note)
  }

  @Test(arguments: [
    ["geometry": "1,2,3"], ["geometry": "nan,1,2,3"], ["geometry": "{}"], ["geometry": "{"],
    ["geometry": "{\"x\":\"NaN\",\"y\":1}"], ["geometry": "{\"rings\":[]}"],
    ["geometry": "{\"rings\":[[[1]]]}"], ["geometry": "{\"x\":1e300,\"y\":0}"],
    ["geometry": "{\"curveRings\":[]}"], ["geometry": "3,1,2,2"],
    ["geometry": "1,2", "geometryType": "esriGeometryPolygon"],
    ["geometry": "0,0,1,1", "spatialRel": "esriSpatialRelCrosses"],
    ["geometry": "1,2", "distance": "-1"], ["geometry": "1,2", "distance": "far"],
    ["geometry": "1,2", "distance": "1e300"], ["geometry": "1,2", "distance": "nan"],
    ["geometry": "1,2", "distance": "1", "units": "esriSRUnit_Furlong"],
    ["geometry": "1,2", "distance": "1", "inSR": "4326"], ["geometry": "1,2", "inSR": "x"],
    ["geometry": "1,2", "inSR": "{\"wkid\":\"4326\"}"],
    ["where": "1=1", "outSR": "{\"wkt\":\"\"}"],
  ])
  func `A geometry that cannot be followed is error 400`(_ form: [String: String]) {
    #expect(service.count(form) == -400, "\(form); \(note)")
  }

  @Test func `A filter with more positions than the bound is refused`() {
    let ring = { (count: Int) in
      "{\"rings\":[[" + (0..<count).map { "[\($0 % 100),\($0 % 80)]" }.joined(separator: ",")
        + "]]}"
    }
    #expect(count(ring(20_000)) >= 0, note)
    #expect(count(ring(20_001)) == -400, note)
  }
}
