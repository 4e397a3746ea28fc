import FeatureService
import Foundation
import TestSupport
import Testing

/// Coordinate systems that a host adds.
@Suite(.blocking, .onEachStorage) struct OtherSystemTests {
  private let note: Comment = "repeat with: swift test --filter OtherSystemTests"

  /// Number 9 and the text NINE[] are Web Mercator in kilometres; west of Greenwich they have no
  /// coordinates.
  private struct Systems: CoordinateSystems {
    struct Kilometres: CoordinateTransformation {
      var name: String?
      var metres: Double? { 1000 }
      func fromWebMercator(x: Double, y: Double) -> (x: Double, y: Double)? {
        x < 0 ? nil : (x / 1000, y / 1000)
      }
      func toWebMercator(x: Double, y: Double) -> (x: Double, y: Double)? {
        x < 0 ? nil : (x * 1000, y * 1000)
      }
    }

    func system(code: Int64) -> (any CoordinateTransformation)? {
      code == 9 ? Kilometres(name: "EPSG:9") : nil
    }
    func system(wkt: String) -> (any CoordinateTransformation)? {
      wkt == "NINE[]" ? Kilometres(name: nil) : nil
    }
  }

  private let service: Service

  init() throws {
    service = try Service { $0.systems = Systems() }
    let features = """
      [{"geometry":{"x":2,"y":5180,"spatialReference":{"wkid":9}}},
       {"geometry":{"x":-3000,"y":5180000}}]
      """
    #expect(service.ask("addFeatures", ["features": features])["addResults"] != nil, note)
  }

  private func points(_ answer: [String: Any]) -> [[String: Double]?] {
    (answer["features"] as? [[String: Any]] ?? []).map { $0["geometry"] as? [String: Double] }
  }

  @Test(arguments: [
    "9", "EPSG:9", #"{"wkid":9}"#, #"{"latestWkid":9}"#, #"{"wkid":8,"latestWkid":9}"#,
    #"{"wkt":"NINE[]"}"#, "NINE[]",
  ])
  func `They go in and out, and what they have no coordinates for has no geometry`(
    _ reference: String
  ) {
    #expect(points(service.ask(["where": "1=1"])).first == ["x": 2000, "y": 5_180_000], note)
    let answer = service.ask(["where": "1=1", "outSR": reference])
    #expect(points(answer) == [["x": 2, "y": 5180], nil], "\(answer); \(note)")
    let box = ["geometry": "1,5179,3,5181", "inSR": reference]
    #expect(service.count(box) == 1, note)
    let near = ["geometry": "2.1,5180", "inSR": reference]
    // The unit is the system's; 100 m on the map are 74 m on the ground at this latitude.
    #expect(service.count(near.merging(["distance": "0.08"]) { $1 }) == 1, note)
    #expect(service.count(near.merging(["distance": "0.07"]) { $1 }) == 0, note)
    let extent =
      service.ask([
        "objectIds": "1", "outSR": reference, "returnExtentOnly": "true",
      ])["extent"] as? [String: Any]
    #expect(extent?["xmin"] as? Double == 2 && extent?["ymax"] as? Double == 5180, note)
  }

  @Test func `An answer names the system as the client did`() {
    func reference(_ text: String) -> NSDictionary? {
      service.ask(["where": "1=1", "outSR": text])["spatialReference"] as? NSDictionary
    }
    #expect(reference("9") == ["wkid": 9, "latestWkid": 9], note)
    #expect(reference(#"{"wkid":8,"latestWkid":9}"#) == ["wkid": 8, "latestWkid": 9], note)
    #expect(reference(#"{"wkt":"NINE[]"}"#) == ["wkt": "NINE[]"], note)
    let crs = service.ask(["where": "1=1", "outSR": "9", "f": "geojson"])["crs"] as? NSDictionary
    #expect(crs == ["type": "name", "properties": ["name": "EPSG:9"]], note)
    let unnamed = service.ask(["where": "1=1", "outSR": "NINE[]", "f": "geojson"])
    #expect(Service.errorCode(unnamed) == 400, note)
  }

  @Test func `Without a host's systems only two are known`() throws {
    let plain = try Service()
    #expect(plain.count(["where": "1=1", "outSR": "3857"]) == 0, note)
    #expect(plain.count(["where": "1=1", "outSR": "9"]) == -400, note)
    #expect(plain.count(["where": "1=1", "outSR": "NINE[]"]) == -400, note)
  }
}
