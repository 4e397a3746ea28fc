import SQLite
import TestSupport

/// A small file of map tiles.
enum TileFixture {
  /// The begin of a PNG of 256 by 256 pixels; its size is all that is read.
  static let image: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
    + [0, 0, 1, 0, 0, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]

  /// With one tile, the north-east quarter of the world.
  static func write(_ folder: ScratchFolder, format: String = "png") throws -> String {
    let path = folder.path("map.mbtiles")
    let digits = image.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    let database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      INSERT INTO metadata VALUES ('format', '\(format)'), ('attribution', '<b>ICGC</b>');
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
        tile_data BLOB);
      INSERT INTO tiles VALUES (1, 1, 1, x'\(digits)');
      """)
    return path
  }
}
