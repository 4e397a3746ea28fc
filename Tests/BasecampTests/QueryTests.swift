import Foundation
import TestSupport
import Testing

/// The other parameters of a query.
@Suite(.blocking) struct QueryTests {
  let folder: ScratchFolder
  let camp: CampServer
  static let total = 25

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder, ["--max-records", "10"])
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<Self.total)])
  }

  @Test(arguments: ["json", "geojson"])
  func `Pages follow each other until the last, which says that it is`(_ form: String) throws {
    var numbers: [Int] = []
    while true {
      let answer = try camp.query([
        "where": "1=1", "outFields": "OBJECTID", "f": form, "resultOffset": "\(numbers.count)",
      ])
      numbers += attributes(answer).compactMap { $0["OBJECTID"] as? Int }
      try #require(numbers.count <= Self.total, "\(camp.command)")
      if answer["exceededTransferLimit"] as? Bool != true { break }
    }
    #expect(numbers == Array(1...Self.total))
  }

  @Test(arguments: [
    ("5", "0", 5, true), ("10", "15", 10, false), ("10", "14", 10, true), ("99", "0", 10, true),
    ("5", "20", 5, false), ("5", "25", 0, false), ("5", "1000000", 0, false), ("0", "0", 10, true),
  ])
  func `exceededTransferLimit is true exactly when more remain`(
    _ count: String, _ offset: String, _ expected: Int, _ hasMore: Bool
  ) throws {
    let answer = try camp.query([
      "where": "1=1", "resultRecordCount": count, "resultOffset": offset,
    ])
    #expect((answer["features"] as? [Any])?.count == expected)
    #expect((answer["exceededTransferLimit"] as? Bool ?? false) == hasMore)
  }

  @Test func `The objects' numbers come all at once, and objects by their numbers`() throws {
    let ids = try camp.query(["where": "1=1", "returnIdsOnly": "true"])
    #expect(ids["objectIdFieldName"] as? String == "OBJECTID")
    #expect(ids["objectIds"] as? [Int] == Array(1...Self.total))
    let some = try camp.query(["objectIds": "3, 5,99", "outFields": "*"])
    #expect(attributes(some).compactMap { $0["OBJECTID"] as? Int } == [3, 5])
    let both = try camp.query(["objectIds": "3,5", "where": "OBJECTID > 4", "outFields": "*"])
    #expect(attributes(both).count == 1)
  }

  @Test func `Fields, order and geometry are as asked for`() throws {
    let answer = try camp.query([
      "where": "1=1", "outFields": "equip, Entrada", "orderByFields": "Equip DESC, Entrada",
      "returnGeometry": "false", "resultRecordCount": "2",
    ])
    let rows = attributes(answer)
    #expect(rows.map { Set($0.keys) } == [["Equip", "Entrada"], ["Equip", "Entrada"]])
    #expect(rows.map { $0["Entrada"] as? Int } == [Captures.time(2), Captures.time(5)])
    #expect((answer["features"] as? [[String: Any]])?.first?["geometry"] == nil)
    #expect((answer["fields"] as? [Any])?.count == 2)
  }

  @Test(arguments: [
    "4326", "{\"wkid\":4326}", "102100", "3857", "{\"wkid\":102100,\"latestWkid\":3857}",
  ])
  func `Coordinates come in the system asked for`(_ system: String) throws {
    let answer = try camp.query(["objectIds": "8", "outSR": system])
    let feature = (answer["features"] as? [[String: Any]])?.first
    let point = feature?["geometry"] as? [String: Double] ?? [:]
    if system.contains("4326") {
      #expect(abs((point["x"] ?? 0) - Captures.longitude(7)) < 1e-12)
      #expect(abs((point["y"] ?? 0) - Captures.latitude(7)) < 1e-12)
    } else {
      #expect(point == ["x": Captures.x(7), "y": Captures.y(7)])
    }
    #expect(
      (answer["spatialReference"] as? [String: Any])?["wkid"] as? Int
        == (system.contains("4326") ? 4326 : 102100))
  }

  @Test func `The extent is around what was found`() throws {
    let answer = try camp.query([
      "where": "OBJECTID <= 3", "returnExtentOnly": "true", "returnCountOnly": "true",
    ])
    let extent = answer["extent"] as? [String: Any] ?? [:]
    #expect(
      extent["xmin"] as? Double == Captures.x(0) && extent["xmax"] as? Double == Captures.x(2))
    #expect(
      extent["ymin"] as? Double == Captures.y(2) && extent["ymax"] as? Double == Captures.y(0))
    #expect(answer["count"] as? Int == 3)
    let box = try camp.query(["where": "1=1", "returnExtentOnly": "true", "f": "geojson"])["bbox"]
    #expect((box as? [Double])?.count == 4)
  }

  @Test func `An envelope finds what lies in it`() throws {
    let answer = try camp.query([
      "geometry": "\(Captures.x(2)),\(Captures.y(4)),\(Captures.x(4)),\(Captures.y(2))",
      "geometryType": "esriGeometryEnvelope", "outFields": "*",
    ])
    #expect(attributes(answer).compactMap { $0["OBJECTID"] as? Int } == [3, 4, 5])
    let degrees = try camp.query([
      "geometry": #"{"xmin":-180,"ymin":-80,"xmax":180,"ymax":80}"#, "inSR": "4326",
      "returnCountOnly": "true",
    ])
    #expect(degrees["count"] as? Int == Self.total)
  }

  @Test func `GeoJSON is RFC 7946 in degrees`() throws {
    let answer = try camp.query(["objectIds": "1", "f": "geojson", "outFields": "*"])
    #expect(answer["type"] as? String == "FeatureCollection" && answer["crs"] == nil)
    let feature = (answer["features"] as? [[String: Any]])?.first ?? [:]
    #expect(feature["id"] as? Int == 1)
    let geometry = feature["geometry"] as? [String: Any]
    #expect(geometry?["type"] as? String == "Point")
    #expect((geometry?["coordinates"] as? [Double])?.first.map { abs($0 - 2.488) < 0.01 } == true)
  }

  @Test(arguments: [
    ["outFields": "Nobody"], ["orderByFields": "Nobody"], ["orderByFields": "Equip UP"],
    ["resultOffset": "-1"], ["resultRecordCount": "many"], ["objectIds": "a"], ["outSR": "99999"],
    ["outSR": "WGS84"],
    ["returnCountOnly": "maybe"], ["outStatistics": "[]"],
    ["geometry": "1,2,3"], ["geometry": "1,2", "geometryType": "esriGeometryEnvelope"],
  ])
  func `A parameter that cannot be followed is error 400`(_ parameters: [String: String]) throws {
    let answer = try camp.query(["where": "1=1"].merging(parameters) { $1 })
    #expect(errorCode(answer) == 400, "\(parameters): \(answer); \(camp.command)")
  }

  @Test func `A query must say what it is after, even if it is everything`() throws {
    #expect(errorCode(try camp.query([:])) == 400)
    #expect(errorCode(try camp.query(["where": ""])) == 400)
  }

  @Test func `Texts of every kind come back as they went in`() throws {
    let names = [
      "Ça va \"bé\"", "line\nbreak\ttab", "雪 👟", "back\\slash", "\u{1}", "</script>", "",
    ]
    for name in names {
      let text = try JSONSerialization.data(withJSONObject: [["attributes": ["Equip": name]]])
      _ = try camp.post(
        "\(OpenCamp.layer)/addFeatures", ["features": String(decoding: text, as: UTF8.self)])
    }
    for form in ["json", "geojson", "pjson"] {
      let answer = try camp.query([
        "where": "OBJECTID > \(Self.total)", "outFields": "Equip", "f": form,
      ])
      #expect(attributes(answer).compactMap { $0["Equip"] as? String } == names, "\(form)")
    }
  }
}
