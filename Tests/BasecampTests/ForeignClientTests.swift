import Foundation
import TestSupport
import Testing

/// Clients that nobody here wrote.
@Suite(.blocking) struct ForeignClientTests {
  static let hasOGR = FileManager.default.isExecutableFile(atPath: "/usr/bin/ogr2ogr")
  static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

  static func run(_ words: [String]) throws -> (code: Int32, output: String) {
    let run = try ProgramResult(running: words, errors: .asOutput)
    return (run.code, run.output)
  }

  @Test(
    .enabled(if: hasOGR, "needs Debian's gdal-bin"),
    arguments: ["f=json", "f=json&outSR=4326", "f=geojson", "f=geojson&outSR=102100"])
  func `ogr2ogr reads every capture back, page by page`(_ form: String) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--max-records", "100"])
    let total = 433
    for start in stride(from: 0, to: total, by: 50) {
      let features = Captures.text(start..<min(start + 50, total))
      _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": features])
    }
    let address = "http://127.0.0.1:\(camp.port)\(OpenCamp.layer)/query?where=1%3D1&outFields=*&"
    // GeoJSON has no paging in GDAL: the answer must be whole.
    let whole = form.hasPrefix("f=geojson") ? "&resultRecordCount=100&resultOffset=" : ""
    var rows: [[String]] = []
    for offset in whole.isEmpty ? [0] : [0, 100, 200, 300, 400] {
      let words = [
        "ogr2ogr", "-f", "CSV", "/vsistdout/",
        address + form + (whole.isEmpty ? "" : "\(whole)\(offset)"),
        "-lco", "GEOMETRY=AS_XY",
      ]
      let result = try Self.run(words)
      #expect(result.code == 0, "\(result.output)\nrepeat with: \(words); \(camp.command)")
      rows += result.output.split(separator: "\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: ["\""])
        }
      }
    }
    try #require(rows.count == total, "\(rows.prefix(3)); \(camp.command)")
    let isDegrees = form == "f=geojson" || form.hasSuffix("4326")
    for (number, row) in rows.enumerated() {
      try #require(row.count >= 9)
      let (x, y) = (Double(row[0]) ?? 0, Double(row[1]) ?? 0)
      if isDegrees {
        #expect(abs(x - Captures.longitude(number)) < 1e-9)
        #expect(abs(y - Captures.latitude(number)) < 1e-9)
      } else {
        #expect(x == Captures.x(number) && y == Captures.y(number))
      }
      #expect(
        row[3...8] == [
          "d\(number % 3)", "Els Senglars \(number % 3)", "\(100 - number % 60)",
          "\(Captures.time(number))", "trailtracker", Captures.uuid(number),
        ], "\(row); \(camp.command)")
    }
  }

  @Test(.enabled(if: hasOGR, "needs Debian's gdal-bin"))
  func `ogrinfo counts them and knows where they are`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, ["--max-records", "10"])
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<25)])
    let address =
      "http://127.0.0.1:\(camp.port)\(OpenCamp.layer)/query?where=1%3D1&outFields=*&f=json"
      + "&outSR=102100"
    let words = ["ogrinfo", "-so", "-al", address]
    let output = try Self.run(words).output
    #expect(output.contains("Feature Count: 25"), "\(output)\nrepeat with: \(words)")
    #expect(output.contains("Extent: (277000.5"), "\(output)\nrepeat with: \(words)")
  }

  @Test(.enabled(if: hasOGR, "needs Debian's gdal-bin"), arguments: [(0, 18), (1, 17)])
  func `ogr2ogr reads the course`(_ layer: Int, _ count: Int) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let address = "\(camp.services)/rutes/MapServer/\(layer)/query?where=1%3D1&outFields=*&f=json"
    let words = ["ogr2ogr", "-f", "GeoJSON", "/vsistdout/", address, "-t_srs", "EPSG:4326"]
    let output = try Self.run(words).output
    #expect(output.components(separatedBy: "\"Feature\"").count - 1 == count, "\(output)")
    #expect(output.contains("Sant Feliu de Guíxols"), "\(output)")
  }

  @Test(.enabled(if: hasCurl, "needs curl"))
  func `curl posts and reads`() throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let root = "http://127.0.0.1:\(camp.port)\(OpenCamp.layer)"
    // Long enough for curl to ask first whether it may send (Expect: 100-continue).
    let file = try folder.write("features.json", Captures.text(0..<6000))
    let added = try Self.run([
      "curl", "-sS", "\(root)/addFeatures", "--data-urlencode", "features@\(file)", "-d", "f=json",
    ])
    #expect(
      added.output.components(separatedBy: "\"success\":true").count == 6001, "\(camp.command)")
    let read = try Self.run(["curl", "-sS", "\(root)/query?where=1=1&returnCountOnly=true&f=json"])
    #expect(read.output == "{\"count\":6000}", "\(camp.command)")
  }
}
