import Foundation
import SQLite
import TestSupport
import Testing

@testable import MapTiles

let repeatTileTests: Comment = "repeat with: swift test --filter MapTilesTests"

/// Files of map tiles that nobody drew.
enum MBTilesFixture {
  /// The header of a PNG; no viewer would show it.
  static func png(_ width: UInt32, _ height: UInt32, bytes: Int = 60) -> [UInt8] {
    var image: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82,
    ]
    for side in [width, height] {
      for shift in [24, 16, 8, 0] { image.append(UInt8(truncatingIfNeeded: side >> shift)) }
    }
    return image + [UInt8](repeating: 0, count: max(9, bytes - image.count))
  }

  /// A table of Huffman codes comes before the frame.
  static func jpeg(_ width: UInt16, _ height: UInt16) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xC4, 0, 4, 1, 1, 0xFF, 0xFF, 0xC2, 0, 11, 8]
      + [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + [1, 1, 17, 0]
  }

  typealias Tile = (zoom: Int, column: Int, row: Int, bytes: [UInt8])

  /// - Parameter tiles: rows counted from the south, as the file has them.
  static func write(
    _ path: String, _ tiles: [Tile], _ metadata: [(String, String)] = [("format", "png")]
  ) throws {
    let database = try SQLiteDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer,
        tile_data blob);
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      """)
    for (name, value) in metadata {
      let row = try database.prepare("INSERT INTO metadata VALUES (?, ?)")
      try row.bind(name, at: 1)
      try row.bind(value, at: 2)
      try row.run()
    }
    for tile in tiles {
      let row = try database.prepare("INSERT INTO tiles VALUES (?, ?, ?, CAST(? AS blob))")
      for (index, value) in [tile.zoom, tile.column, tile.row].enumerated() {
        try row.bind(Int64(value), at: Int32(index) + 1)
      }
      try tile.bytes.withUnsafeBytes { try row.bind(text: $0, at: 4) }
      try row.run()
    }
  }

  /// Every tile of a zoom.
  static func whole(_ zoom: Int, _ bytes: [UInt8] = png(256, 256)) -> [Tile] {
    (0..<1 << zoom).flatMap { column in
      (0..<1 << zoom).map { (zoom, column, $0, bytes) }
    }
  }
}
