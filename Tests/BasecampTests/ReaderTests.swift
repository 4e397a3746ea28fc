import Foundation
import TestSupport
import Testing

/// Programs for maps that nobody here wrote. Each reads a whole race, and each capture must be
/// where it was taken. `.ci/readers` installs the programs; what is not there is skipped.
@Suite(.blocking) struct ReaderTests {
  private static let cache =
    ProcessInfo.processInfo.environment["XDG_CACHE_HOME"]
    ?? NSHomeDirectory() + "/.cache"
  private static let python = "\(cache)/trailtracker/readers/bin/python"
  private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Readers").path
  static let hasQGIS = has("/usr/bin/qgis_process.bin")

  private static func has(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program)
      || FileManager.default.fileExists(atPath: program)
  }

  /// Whether Python has a module for one of its readers.
  static func hasModule(_ name: String) -> Bool {
    guard has(python) else { return false }
    let look = "import importlib.util as u, sys; sys.exit(u.find_spec('\(name)') is None)"
    return (try? ForeignClientTests.run([python, "-c", look]).code) == 0
  }

  /// The captures of traces/race.nmea, as a basecamp has them: each UUID's longitude and latitude.
  private struct Race {
    let folder: ScratchFolder
    let camp: CampServer
    let captures: [String: [Double]]

    init() throws {
      folder = try ScratchFolder()
      // Less than the race has, so that each reader must ask for more than one page.
      camp = try CampServer(folder, ["--max-records", "100"])
      captures = try ReaderTests.race.get()
      let features = captures.map { uuid, place in
        """
        {"attributes":{"UUID":"\(uuid)","Entrada":1776594840000},"geometry":{"x":\(place[0]),\
        "y":\(place[1]),"spatialReference":{"wkid":4326}}}
        """
      }
      let list = "[\(features.joined(separator: ","))]"
      let answer = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": list])
      try #require(areDone(addResults(answer), captures.count), "\(camp.command)")
    }

    /// - Parameter rows: what a reader found: UUID, longitude, latitude.
    func expectAll(_ rows: [[Any]], _ note: Comment) {
      #expect(rows.count == captures.count, note)
      var found: Set<String> = []
      for row in rows {
        guard row.count >= 3, let uuid = row[0] as? String, let x = row[1] as? Double,
          let y = row[2] as? Double, let place = captures[uuid]
        else {
          Issue.record("\(row) is no capture; \(note)")
          continue
        }
        found.insert(uuid)
        // A page asks for six digits.
        let isThere = abs(x - place[0]) < 1e-6 && abs(y - place[1]) < 1e-6
        #expect(isThere, "\(row) instead of \(place); \(note)")
      }
      #expect(found.count == captures.count, note)
    }
  }

  /// The simulated race, once for all readers.
  private static let race = Result { () throws -> [String: [Double]] in
    let folder = try ScratchFolder()
    let trace = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../traces/race.nmea").path
    let store = folder.path("race.store")
    let file = folder.path("race.geojson")
    for words in [
      [Built.program("tracker-sim").path, "--trace", trace, "--store", store],
      [
        Built.program("trackerctl").path, "export", "--store", store, "--format", "geojson",
        "--output", file,
      ],
    ] {
      let result = try ForeignClientTests.run(words)
      guard result.code == 0 else { throw Problem("\(words): \(result.output)") }
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    let features = (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["features"]
    var captures: [String: [Double]] = [:]
    for feature in features as? [[String: Any]] ?? [] {
      guard let uuid = (feature["properties"] as? [String: Any])?["uuid"] as? String,
        let place = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double]
      else { throw Problem("\(feature)") }
      captures[uuid] = place
    }
    guard captures.count >= 160 else { throw Problem("only \(captures.count) captures") }
    return captures
  }

  private static func rows(_ text: some StringProtocol) throws -> [[Any]] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[Any]], "\(text.prefix(300))")
  }

  // MARK: Python's readers

  /// - Parameter services: where the race is; `nil`: at its own address.
  private func read(_ reader: String, _ race: Race, services: String? = nil) throws {
    let words = [
      "timeout", "--kill-after=5", "120", Self.python, "-W", "ignore", "\(Self.scripts)/read.py",
      reader,
      services ?? race.camp.services,
    ]
    let result = try ForeignClientTests.run(words)
    let note: Comment = "\(result.output.suffix(1500))\nrepeat with: \(words); \(race.camp.command)"
    try #require(result.code == 0, note)
    let last = result.output.split(separator: "\n").last { $0.hasPrefix("[[") }
    race.expectAll(try Self.rows(try #require(last, note)), note)
  }

  @Test(.enabled(if: hasModule("esridump"), "needs esridump; .ci/readers installs it"))
  func `esridump finds every capture in its place`() throws {
    try read("esridump", Race())
  }

  @Test(.enabled(if: hasModule("geopandas"), "needs geopandas; .ci/readers installs it"))
  func `pyogrio, with GDAL 3.12, finds every capture in its place`() throws {
    try read("pyogrio", Race())
  }

  @Test(.enabled(if: hasModule("pygeoapi"), "needs pygeoapi; .ci/readers installs it"))
  func `pygeoapi finds every capture in its place`() throws {
    try read("pygeoapi", Race())
  }

  @Test(.enabled(if: hasModule("esri2gpd"), "needs esri2gpd; .ci/readers installs it"))
  func `esri2gpd finds every capture in its place`() throws {
    try read("esri2gpd", Race())
  }

  @Test(.enabled(if: hasModule("pygeoogc"), "needs pygeoogc; .ci/readers installs it"))
  func `pygeoogc finds every capture in its place`() throws {
    try read("pygeoogc", Race())
  }

  @Test(.enabled(if: hasModule("restapi"), "needs restapi; .ci/readers installs it"))
  func `bmi-arcgis-restapi finds every capture in its place`() throws {
    try read("bmi", Race())
  }

  @Test(.enabled(if: hasModule("arcgis"), "needs arcgis; .ci/readers installs it"))
  func `arcgis finds every capture in its place`() throws {
    let race = try Race()
    // It speaks to nobody without TLS, and asks for 250 captures at a time, however small the
    // layer's pages are.
    let authority = try TestAuthority()
    try authority.issue("camp", host: "IP:127.0.0.1")
    race.camp.end()
    let secure = try CampServer(
      race.folder,
      ["--certificate", authority.path("camp.crt"), "--key", authority.path("camp.key")])
    try read("arcgis", race, services: secure.services)
  }

  @Test(.enabled(if: hasModule("arcgis"), "needs arcgis; .ci/readers installs it"))
  func `arcgis adds, changes and deletes captures as the layer's owner`() throws {
    let folder = try ScratchFolder()
    let authority = try TestAuthority()
    try authority.issue("camp", host: "IP:127.0.0.1")
    let password = folder.path("password")
    try Data("petit secret\n".utf8).write(to: URL(fileURLWithPath: password))
    chmod(password, 0o600)
    let camp = try CampServer(
      folder,
      [
        "--certificate", authority.path("camp.crt"), "--key", authority.path("camp.key"),
        "--owner", "gis", "--owner-password-file", password,
      ])
    let words = [
      "timeout", "--kill-after=5", "120", Self.python, "-W", "ignore", "\(Self.scripts)/edit.py",
      camp.services, "gis", "petit secret",
    ]
    let result = try ForeignClientTests.run(words)
    let note: Comment = "\(result.output.suffix(1500))\nrepeat with: \(words); \(camp.command)"
    let line = try #require(result.output.split(separator: "\n").last { $0.hasPrefix("[[") }, note)
    let steps = try Self.rows(line).map { step in step.map { "\($0)" }.joined(separator: " ") }
    let wanted: [[[Any]]] = [
      [["Els Cabirols", 2.5, 42.1], ["Els Senglars", 2.6, 42.1]],
      [["Els Isards", 2.5, 42.1], ["Les Fagedes", 2.7, 42.1]],
      [["Les Fagedes", 2.7, 42.1]],
    ]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: wanted), as: UTF8.self)
    #expect(
      steps == (try Self.rows(text)).map { step in step.map { "\($0)" }.joined(separator: " ") },
      note)
  }

  @Test(.enabled(if: hasQGIS, "needs Debian's qgis; .ci/readers installs it"))
  func `QGIS finds every capture in its place, and reads dates as dates`() throws {
    let race = try Race()
    let output = race.folder.path("qgis.geojson")
    let layer =
      "arcgisfeatureserver://crs='EPSG:3857' "
      + "url='\(race.camp.services)/TrailWalker/FeatureServer/0'"
    // Debian's wrapper adds options that this program does not know.
    let words = [
      "timeout", "120", "env", "QT_QPA_PLATFORM=offscreen", "HOME=\(race.folder.path(""))",
      "qgis_process.bin", "run", "native:reprojectlayer", "--", "INPUT=\(layer)",
      "TARGET_CRS=EPSG:4326", "OUTPUT=\(output)",
    ]
    let result = try ForeignClientTests.run(words)
    let note: Comment = "\(result.output)\nrepeat with: \(words); \(race.camp.command)"
    let data = try #require(FileManager.default.contents(atPath: output), note)
    let features = (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["features"]
    let rows = (features as? [[String: Any]] ?? []).map { feature -> [Any] in
      let properties = feature["properties"] as? [String: Any] ?? [:]
      let date = properties["Entrada"] as? String
      #expect(date?.hasPrefix("2026-04-19T") == true, note)
      let place = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double] ?? []
      return [properties["UUID"] ?? ""] + place.map { $0 as Any }
    }
    race.expectAll(rows, note)
  }

  @Test(
    .enabled(
      if: DrivenBrowser.isPossible, "needs chromium and libjs-leaflet; .ci/readers installs them"))
  func `A page of another origin draws every capture, asking as esri-leaflet does`() throws {
    let race = try Race()
    // As root Chromium cannot have its sandbox.
    let words = [
      "timeout", "120", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
      "--user-data-dir=\(race.folder.path("chromium"))", "--virtual-time-budget=30000",
      "--dump-dom", "file://\(Self.scripts)/map.html#\(race.camp.services)",
    ]
    let result = try ForeignClientTests.run(words)
    let note: Comment = "\(result.output.suffix(800))\nrepeat with: \(words); \(race.camp.command)"
    let begin = try #require(result.output.range(of: "<pre id=\"result\">"), note)
    let text = result.output[begin.upperBound...].components(separatedBy: "</pre>")[0]
    race.expectAll(try Self.rows(text), note)
  }
}
