import Foundation
import TestSupport
import Testing

/// basecamp's coordinate systems, compared with GDAL's own.
@Suite(.blocking) struct CoordinateSystemTests {
  static let hasGDAL = FileManager.default.isExecutableFile(atPath: "/usr/bin/gdaltransform")

  let folder: ScratchFolder
  let camp: CampServer

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder)
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<3)])
  }

  /// The first capture, in a system.
  private func expected(_ system: String) throws -> (x: Double, y: Double) {
    let point = "\(Captures.longitude(0)) \(Captures.latitude(0))"
    let output = try ForeignClientTests.run([
      "sh", "-c", "echo \(point) | gdaltransform -s_srs EPSG:4326 -t_srs \(system)",
    ]).output
    let numbers = output.split(separator: " ").compactMap { Double($0) }
    try #require(numbers.count >= 2, "\(output)")
    return (numbers[0], numbers[1])
  }

  private func first(_ answer: [String: Any]) -> (x: Double, y: Double)? {
    let feature = (answer["features"] as? [[String: Any]])?.first
    guard let point = feature?["geometry"] as? [String: Double], let x = point["x"],
      let y = point["y"]
    else { return nil }
    return (x, y)
  }

  @Test(
    .enabled(if: hasGDAL, "needs Debian's gdal-bin"),
    arguments: ["EPSG:25831", "EPSG:2154", "EPSG:4258", "ESRI:102013"])
  func `Captures go out and come in where GDAL puts them`(_ system: String) throws {
    let wkid = String(system.split(separator: ":")[1])
    let (x, y) = try expected(system)
    let out = try #require(first(try camp.query(["objectIds": "1", "outSR": wkid])))
    let close = system == "EPSG:4258" ? 1e-8 : 0.001
    #expect(abs(out.x - x) < close && abs(out.y - y) < close, "\(out); \(camp.command)")
    let feature = "[{\"geometry\":{\"x\":\(x),\"y\":\(y),\"spatialReference\":{\"wkid\":\(wkid)}}}]"
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": feature])
    let back = try #require(first(try camp.query(["objectIds": "4"])))
    #expect(abs(back.x - Captures.x(0)) < 0.002 && abs(back.y - Captures.y(0)) < 0.002, "\(back)")
    // A rectangle of 4 mm around it; the next capture is 3 m away.
    let span = system == "EPSG:4258" ? 2e-8 : 0.002
    let found = try camp.query([
      "geometry": "\(x - span),\(y - span),\(x + span),\(y + span)", "inSR": wkid,
      "returnIdsOnly": "true",
    ])
    #expect(found["objectIds"] as? [Int] == [1, 4], "\(found); \(camp.command)")
  }

  @Test func `A definition does as well as a number`() throws {
    let wkt = """
      PROJCS["ETRS_1989_UTM_Zone_31N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",\
      SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],\
      UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],\
      PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],\
      PARAMETER["Central_Meridian",3.0],PARAMETER["Scale_Factor",0.9996],\
      PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]
      """
    let object = try JSONSerialization.data(withJSONObject: ["wkt": wkt])
    let named = try #require(first(try camp.query(["objectIds": "1", "outSR": "25831"])))
    for text in [wkt, String(decoding: object, as: UTF8.self)] {
      let answer = try camp.query(["objectIds": "1", "outSR": text])
      let found = try #require(first(answer), "\(answer); \(camp.command)")
      #expect(abs(found.x - named.x) < 0.001 && abs(found.y - named.y) < 0.001)
    }
  }

  /// A pipe that nobody writes to would keep who opens it for ever.
  @Test(arguments: [
    #",EXTENSION["PROJ4","+proj=merc +nadgrids=FILE +wktext"]]"#,
    #",EXTENSION["PROJ4","+proj=merc +grids=FILE +no_defs"]]"#,
  ])
  func `A definition opens no file that it names`(_ end: String) throws {
    let folder = try ScratchFolder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let wkt = """
      PROJCS["m",GEOGCS["g",DATUM["d",SPHEROID["s",6378137.0,298.25]],PRIMEM["Greenwich",0.0],\
      UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_1SP"],UNIT["Meter",1.0]
      """
    let text = wkt + end.replacing("FILE", with: pipe)
    let bound = """
      BOUNDCRS[SOURCECRS[GEOGCRS["g",DATUM["d",ELLIPSOID["s",6378137,298.25]],\
      CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],\
      ANGLEUNIT["degree",0.0174532925199433]]],TARGETCRS[GEOGCRS["WGS 84",\
      DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],\
      CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],\
      ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",4326]]],\
      ABRIDGEDTRANSFORMATION["t",METHOD["NTv2",ID["EPSG",9615]],\
      PARAMETERFILE["Latitude and longitude difference file","\(pipe)"]]]
      """
    for wkt in [text, bound] {
      let object = try JSONSerialization.data(withJSONObject: ["wkt": wkt])
      _ = try? camp.query(["objectIds": "1", "outSR": String(decoding: object, as: UTF8.self)])
      // Other systems are still to be had.
      #expect(
        first(try camp.query(["objectIds": "1", "outSR": "25831"])) != nil, "\(camp.command)")
    }
  }

  /// Heights, earth-centred coordinates, a file's name, a pipeline, and what is nothing at all.
  @Test(arguments: [
    "5773", "4978", "0", "-1", "99999999999", "25831x", "/etc/passwd[", "+proj=utm[+zone=31",
    "PROJCS[\"x\"]", "VERT_CS[\"a\"]",
  ])
  func `Anything but a system of positions on the map is error 400`(_ system: String) throws {
    let answer = try camp.query(["where": "1=1", "outSR": system])
    #expect(errorCode(answer) == 400, "\(system): \(answer); \(camp.command)")
  }

  @Test func `More systems than are kept at once all work, from several threads`() async throws {
    let port = camp.port
    let layer = OpenCamp.layer
    let answers = await withTaskGroup(of: Int.self) { group in
      for thread in 0..<4 {
        group.addTask {
          guard let client = try? WireClient(port: port) else { return 0 }
          return (32601...32660).filter { number in
            let code = number + thread % 2 * 100
            let answer = try? client.request(
              "GET", "\(layer)/query?f=json&objectIds=1&outSR=\(code)")
            return answer?.text.contains("\"features\":[{") == true
          }.count
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == [60, 60, 60, 60], "\(camp.command)")
  }

  @Test(arguments: ["trackerd", "trackerctl", "tracker-sim"])
  func `Only basecamp is linked with PROJ`(_ program: String) throws {
    func libraries(_ name: String) throws -> String {
      try ForeignClientTests.run(["ldd", Built.program(name).path]).output
    }
    #expect(try libraries("basecamp").contains("libproj"))
    #expect(try !libraries(program).contains("libproj"))
  }
}
