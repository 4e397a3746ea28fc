import Foundation
import SQLite
import TestSupport
import Testing

@testable import MapTiles

/// Files of map tiles, good and bad.
@Suite struct MBTilesTests {
  typealias Fixture = MBTilesFixture
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("map.mbtiles")
  }

  /// 256 units for the whole world: a picture of one tile of zoom 0, or of what is given.
  private func view(
    _ left: Double = 0.1, _ top: Double = 0.1, _ right: Double = 0.9, _ bottom: Double = 0.9,
    units: Double = 256
  ) -> MapView {
    MapView(left: left, top: top, right: right, bottom: bottom, unitsPerWorld: units)
  }

  private func problem(_ path: String) -> String {
    do {
      _ = try MBTiles(path: path)
      return ""
    } catch { return "\(error)" }
  }

  @Test func `Rows are counted from the south in the file and from the north on a map`() throws {
    let (north, south) = (Fixture.png(256, 256), Fixture.png(128, 128))
    try Fixture.write(path, [(1, 0, 1, north), (1, 0, 0, south)])
    let tiles = try MBTiles(path: path)
    #expect(tiles.zooms == [1])
    let image = try #require(TileImage(north))
    #expect(try tiles.content(at: .init(zoom: 1, column: 0, row: 0)) == .image(image))
    let mosaic = tiles.mosaic(view(units: 512))
    #expect(mosaic.tiles.first { $0.top == 0 }?.image.bytes == north, repeatTileTests)
    #expect(mosaic.tiles.first { $0.top == 0.5 }?.image.bytes == south)
    for (zoom, column, row) in [(1, 2, 0), (1, 0, -1), (-1, 0, 0), (63, 0, 0), (0, .max, .min)] {
      #expect(try tiles.content(at: .init(zoom: zoom, column: column, row: row)) == .nothing)
    }
  }

  @Test func `An image is what its bytes are, whatever the file says`() throws {
    #expect(TileImage(Fixture.png(256, 512))?.kind == .png)
    #expect(TileImage(Fixture.jpeg(256, 256))?.kind == .jpeg, repeatTileTests)
    #expect(TileImage(Fixture.png(1025, 256)) == nil && TileImage(Fixture.png(0, 256)) == nil)
    #expect(TileImage(Fixture.png(1024, 1024)) != nil && TileImage(Fixture.jpeg(256, 1025)) == nil)
    for whole in [Fixture.png(256, 256), Fixture.jpeg(256, 256)] {
      for length in 0..<18 { #expect(TileImage(Array(whole.prefix(length))) == nil) }
    }
    for wrong in [[0x1F, 0x8B, 8], Array("<html>502 Bad Gateway".utf8), Array("RIFF".utf8)] {
      #expect(TileImage(wrong + [UInt8](repeating: 0xFF, count: 99)) == nil)
    }
  }

  @Test func `The zoom is that of the picture, or a lower one while there are too many bytes`()
    throws
  {
    let heavy = Fixture.png(256, 256, bytes: 200_000)
    try Fixture.write(
      path, Fixture.whole(0) + Fixture.whole(1) + Fixture.whole(2, heavy) + Fixture.whole(5))
    let tiles = try MBTiles(path: path)
    #expect(tiles.zooms == [0, 1, 2, 5])
    #expect(tiles.mosaic(view()).tiles.count == 1)
    // Sixteen tiles of 200 KB are more than 1.5 MB, four of them are not.
    #expect(tiles.mosaic(view(units: 1024)).tiles.map(\.width) == [0.5, 0.5, 0.5, 0.5])
    let detail = tiles.mosaic(view(0.3, 0.3, 0.4, 0.4, units: 1024))
    #expect(detail.tiles.map(\.width) == [0.25], repeatTileTests)
    var poor = view(0.3, 0.3, 0.4, 0.4, units: 1024)
    poor.bytes = 1000
    #expect(tiles.mosaic(poor).tiles.map(\.width) == [0.5])
    poor.bytes = 10
    #expect(tiles.mosaic(poor).doubts == ["no tile for this map; the page has none"])
  }

  @Test func `A file with higher zooms only is used where that needs few tiles`() throws {
    try Fixture.write(path, Fixture.whole(4))
    let tiles = try MBTiles(path: path)
    #expect(tiles.mosaic(view(0.5, 0.5, 0.9, 0.9, units: 1024)).tiles.count == 49)
    let whole = tiles.mosaic(view(units: 512))
    #expect(whole.tiles.isEmpty && whole.doubts.count == 1, "169 are more than 96")
  }

  @Test func `A picture over the antimeridian has the tiles of both sides`() throws {
    try Fixture.write(path, Fixture.whole(2))
    let mosaic = try MBTiles(path: path).mosaic(view(0.9, 0.4, 1.1, 0.45, units: 1024))
    #expect(mosaic.tiles.map(\.left) == [0.75, 1.0], repeatTileTests)
  }

  @Test func `Unusable tiles are left out and counted`() throws {
    let tiles: [Fixture.Tile] = [
      (1, 0, 0, Fixture.png(256, 256)), (1, 0, 1, Fixture.png(256, 256, bytes: 1 << 20 + 1)),
      (1, 1, 0, Array("<html>".utf8)), (1, 1, 1, Fixture.jpeg(256, 256)),
    ]
    try Fixture.write(path, tiles)
    let mosaic = try MBTiles(path: path).mosaic(view(units: 512))
    #expect(mosaic.tiles.count == 2, repeatTileTests)
    #expect(mosaic.doubts.count == 1 && mosaic.doubts[0].hasPrefix("2 of its tiles left out"))
  }

  @Test func `An attribution is a text, whatever mark-up it has`() throws {
    let html = "&copy; <a href=\"https://example.org\">Open&amp;StreetMap</a>\n contributors &lt;b>"
    try Fixture.write(
      path, Fixture.whole(0), [("name", "n"), ("format", "PNG"), ("attribution", html)])
    let tiles = try MBTiles(path: path)
    #expect(tiles.attribution == "© Open&StreetMap contributors <b>", repeatTileTests)
    #expect(Attribution.plain(String(repeating: "x", count: 5000)).count == 300)
    #expect(Attribution.plain("a <b") == "a")
  }

  @Test(arguments: [
    ("pbf", "vector tiles cannot be shown; give raster tiles, PNG or JPEG"),
    ("webp", "tiles of the format 'webp' cannot be shown; give raster tiles, PNG or JPEG"),
  ])
  func `Other kinds of tiles are refused in one line`(_ format: String, _ line: String) throws {
    try Fixture.write(path, Fixture.whole(0), [("format", format)])
    #expect(problem(path) == line, repeatTileTests)
  }

  @Test func `A file without tiles is refused in one line`() throws {
    try Fixture.write(path, [])
    #expect(problem(path) == "it has no tiles; make it once more", repeatTileTests)
    let other = folder.path("other.db")
    try SQLiteDatabase(path: other).execute("CREATE TABLE captures (id)")
    #expect(problem(other) == "no file of map tiles: it has no table 'tiles'; check the name")
    let columns = folder.path("columns.db")
    try SQLiteDatabase(path: columns).execute("CREATE TABLE tiles (id)")
    #expect(!problem(columns).isEmpty && !problem(columns).contains("\n"))
    let text = folder.path("text")
    try Data(String(repeating: "no database ", count: 200).utf8).write(
      to: URL(fileURLWithPath: text))
    #expect(problem(text).contains("not a SQLite database"), "\(problem(text))")
    let empty = folder.path("empty")
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(problem(empty).contains("no table 'tiles'"))
    #expect(problem(folder.path("nowhere")).contains("cannot be opened"))
    // Half of a file.
    try Fixture.write(folder.path("whole"), Fixture.whole(3))
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path("whole")))
    try whole.prefix(8192).write(to: URL(fileURLWithPath: folder.path("half")))
    #expect(problem(folder.path("half")).contains("damaged"), "\(problem(folder.path("half")))")
  }

  @Test func `A file that makes work without an end is ended`() throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE VIEW tiles AS WITH RECURSIVE n(zoom_level) AS
      (SELECT 30 UNION ALL SELECT zoom_level FROM n) SELECT zoom_level, 0 AS tile_column,
      0 AS tile_row, x'00' AS tile_data FROM n
      """)
    #expect(problem(path).contains("took too long"), "\(problem(path))")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func `A picture that is nowhere has no tiles`(_ number: Double) throws {
    try Fixture.write(path, Fixture.whole(1))
    let tiles = try MBTiles(path: path)
    for view in [
      view(number, 0, 1, 1), view(0, 0, number, 1), view(0, number, 1, 1), view(0, 0, 1, number),
      view(number, number, number, number, units: number),
    ] {
      #expect(tiles.mosaic(view).tiles.isEmpty, repeatTileTests)
    }
    _ = tiles.mosaic(view(units: number))
  }

  @Test(
    .enabled(if: Tool.url("gdal_translate") != nil, "needs gdal_translate of gdal-bin"),
    arguments: [("PNG", TileImage.Kind.png), ("JPEG", .jpeg)])
  func `What GDAL makes is read`(_ format: String, _ kind: TileImage.Kind) throws {
    let grid = folder.path("grid.asc")
    let row = (0..<300).map { "\($0 % 200)" }.joined(separator: " ") + "\n"
    let head = "ncols 300\nnrows 300\nxllcorner 270000\nyllcorner 5150000\ncellsize 30\n"
    try Data((head + String(repeating: row, count: 300)).utf8).write(
      to: URL(fileURLWithPath: grid))
    let run = try ProgramResult(running: [
      "gdal_translate", "-q", "-ot", "Byte", "-a_srs", "EPSG:3857", "-of", "MBTiles", "-co",
      "TILE_FORMAT=\(format)", grid, path,
    ])
    try #require(run.code == 0, "\(run.errors)")
    let tiles = try MBTiles(path: path)
    // The middle of the grid, in 274 500 and 5 154 500 metres.
    let world = 40_075_016.6856
    let (x, y) = (0.5 + 274_500 / world, 0.5 - 5_154_500 / world)
    let half = 3000 / world
    let mosaic = tiles.mosaic(view(x - half, y - half, x + half, y + half, units: world / 30))
    #expect(!mosaic.tiles.isEmpty && mosaic.tiles.allSatisfy { $0.image.kind == kind })
    let away = tiles.mosaic(view(0.1, 0.1, 0.1001, 0.1001, units: world / 30))
    #expect(away.doubts == ["no tile for this map; the page has none"], repeatTileTests)
  }
}
