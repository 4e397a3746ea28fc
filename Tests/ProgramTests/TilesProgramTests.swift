import Foundation
import TestSupport
import Testing

/// `--tiles`, with files as GDAL makes them.
@Suite(.enabled(if: Tool.url("gdal_translate") != nil, "needs gdal_translate of gdal-bin"))
struct TilesProgramTests {
  private static let trace = ["--trace", "traces/tunnel.nmea"]
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A grid of 100 m over the ground around a place, as map tiles.
  private func tiles(
    _ format: String, as name: String, latitude: Double = 42.1, longitude: Double = 2.6
  ) throws -> String {
    let path = folder.path(name)
    let text = (0..<200).map { row in
      (0..<200).map { "\((row / 10 + $0 / 10) % 2 * 120 + 60)" }.joined(separator: " ")
    }.joined(separator: "\n")
    let head = """
      ncols 200
      nrows 200
      xllcorner \(longitude - 0.3)
      yllcorner \(latitude - 0.3)
      cellsize 0.003

      """
    try Data((head + text + "\n").utf8).write(to: URL(fileURLWithPath: folder.path("grid.asc")))
    let run = try ProgramResult(running: [
      "gdal_translate", "-q", "-ot", "Byte", "-a_srs", "EPSG:4326", "-of", "MBTiles", "-co",
      "TILE_FORMAT=\(format)", "-co", "NAME=Squares of nobody", folder.path("grid.asc"),
      path,
    ])
    try #require(run.code == 0, "\(run.errors)")
    return path
  }

  @Test(arguments: [("PNG", "image/png"), ("JPEG", "image/jpeg")])
  func `Tiles are part of the page, which still needs nothing else`(
    _ format: String, _ type: String
  ) throws {
    let file = try tiles(format, as: "map.mbtiles")
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let page = folder.path("page.html")
    let run = try ProgramRun(Self.trace + ["--report", page, "--tiles", file])
    #expect(run.code == 0 && !run.errors.contains("--tiles"), "\(run.command): \(run.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("<image x=") && html.contains("href=\"data:\(type);base64,"))
    #expect(html.contains("Map: Squares of nobody"), "\(run.command)")
    #expect(!html.contains("http:") && !html.contains("https:") && html.utf8.count < 3_000_000)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before, "read only")
  }

  @Test func `Two runs have the same tiles below both maps`() throws {
    let file = try tiles("PNG", as: "map.mbtiles")
    let figures = folder.path("a.json")
    let run = try ProgramRun(Self.trace + ["--json", "--series"])
    try Data(run.output.utf8).write(to: URL(fileURLWithPath: figures))
    let page = folder.path("page.html")
    let both = try ProgramRun(["compare", figures, figures, "--report", page, "--tiles", file])
    #expect(both.code == 0, "\(both.command): \(both.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.components(separatedBy: "<g class=\"tiles\">").count == 3, "\(both.command)")
    let walk = try ProgramRun(
      ["compare", "a", "b", "--course", "c", "--report", page, "--tiles", file])
    #expect(
      walk.isRefusal && walk.errors.contains("--tiles and --course exclude each other"),
      "\(walk.errors)")
  }

  @Test func `Tiles of another place are reported, and the page is made without them`() throws {
    let file = try tiles("PNG", as: "far.mbtiles", latitude: -30, longitude: 140)
    let page = folder.path("page.html")
    let run = try ProgramRun(Self.trace + ["--report", page, "--tiles", file])
    #expect(run.code == 0, "\(run.command): \(run.errors)")
    #expect(run.errors.contains("far.mbtiles: no tile for this map; the page has none"))
    #expect(run.errors.components(separatedBy: "--tiles").count == 2, "\(run.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("id=\"map\"") && !html.contains("<image"), "\(run.command)")
  }

  @Test func `A file of tiles is not written over`() throws {
    let file = try tiles("PNG", as: "map.mbtiles")
    let run = try ProgramRun(Self.trace + ["--report", file, "--tiles", file])
    #expect(run.isRefusal && run.errors.contains("is an input of the run"), "\(run.errors)")
  }
}
