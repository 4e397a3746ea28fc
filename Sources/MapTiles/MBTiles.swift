import SQLite
import Wording

/// Why a file has no tiles to show: one line, without the file's name.
public struct MBTilesError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  init(_ error: any Error) {
    guard let error = error as? SQLiteError else {
      description = "\(error)"
      return
    }
    let text = error.description
    let path = error.path + ": "
    description = text.hasPrefix(path) ? String(text.dropFirst(path.count)) : text
  }
}

/// Raster tiles in a file of SQLite (MBTiles 1.3, github.com/mapbox/mbtiles-spec), read only. To be
/// used by one thread at a time.
public final class MBTiles {
  /// What a file has at an address.
  enum Content: Sendable, Equatable {
    case image(TileImage)
    case nothing
    /// Neither PNG nor JPEG, or too large.
    case unusable
  }

  private let database: SQLiteDatabase
  /// Who made the map, as a plain text; empty: the file does not say.
  public private(set) var attribution = ""
  /// The zoom levels with tiles, in their order; at least one.
  public private(set) var zooms: [Int] = []

  /// - Parameter path: of a regular file.
  public init(path: String) throws(MBTilesError) {
    do throws(SQLiteError) {
      database = try SQLiteDatabase(path: path, access: .readOnly)
    } catch {
      throw MBTilesError(error)
    }
    try bounded { try self.readFacts() }
  }

  /// - Parameters:
  ///   - column: from the antimeridian to the east.
  ///   - row: from the north.
  /// - Returns: `nil`: it has no tile there, or one that is neither PNG nor JPEG.
  public func image(zoom: Int, column: Int, row: Int) throws(MBTilesError) -> TileImage? {
    guard
      case .image(let image) = try content(at: TileAddress(zoom: zoom, column: column, row: row))
    else { return nil }
    return image
  }

  func content(at address: TileAddress) throws(MBTilesError) -> Content {
    guard let row = address.rowFromSouth else { return .nothing }
    return try bounded {
      // Without its bytes if they are too many: for the length of a blob SQLite does not read it.
      let statement = try self.database.prepare(
        """
        SELECT CASE WHEN typeof(tile_data) = 'blob' AND length(tile_data) <= \(TileBounds.mostBytes)
        THEN tile_data END FROM tiles
        WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1
        """, isKept: true)
      for (index, value) in [address.zoom, address.column, row].enumerated() {
        try statement.bind(Int64(value), at: Int32(index) + 1)
      }
      guard try statement.step() else { return .nothing }
      defer { statement.reset() }
      return TileImage(statement.bytes(0)).map(Content.image) ?? .unusable
    }
  }

  /// `tiles` may be a view, which may ask for any amount of work: it is ended then.
  private func bounded<Result>(_ body: () throws -> Result) throws(MBTilesError) -> Result {
    var looks = 0
    do {
      return try database.watched(
        every: TileBounds.stepsPerLook,
        while: {
          looks += 1
          return looks < TileBounds.mostLooks
        }, body)
    } catch {
      throw (error as? MBTilesError) ?? MBTilesError(error)
    }
  }

  private func readFacts() throws {
    func has(_ name: String) throws -> Bool {
      try database.integer(
        "SELECT 1 FROM sqlite_master WHERE name = '\(name)' AND type IN ('table', 'view')") != nil
    }
    guard try has("tiles") else {
      throw MBTilesError("no file of map tiles: it has no table 'tiles'; check the name")
    }
    let hasMetadata = try has("metadata")
    func value(_ name: String) throws -> String? {
      guard hasMetadata else { return nil }
      return try database.text(
        "SELECT substr(value, 1, 4000) FROM metadata WHERE name = '\(name)' LIMIT 1")
    }
    let format = try value("format")?.lowercased() ?? ""
    guard ["", "png", "jpg", "jpeg"].contains(format) else {
      let kind = format == "pbf" ? "vector tiles" : "tiles of the format '\(format.prefix(20))'"
      throw MBTilesError("\(kind) cannot be shown; give raster tiles, PNG or JPEG")
    }
    for zoom in TileBounds.zooms
    where try database.integer("SELECT 1 FROM tiles WHERE zoom_level = \(zoom) LIMIT 1") != nil {
      zooms.append(zoom)
    }
    guard !zooms.isEmpty else {
      throw MBTilesError("it has no tiles; make it once more")
    }
    attribution = Attribution.plain(try value("attribution") ?? value("name") ?? "")
  }
}

/// A file's attribution, which may be HTML.
enum Attribution {
  /// Its text without mark-up, as links lead out of a page that has to work without a network.
  static func plain(_ html: String) -> String {
    var text = ""
    var isTag = false
    for character in html {
      if character == "<" { isTag = true }
      if !isTag { text.append(character.isWhitespace ? " " : character) }
      if character == ">" { isTag = false }
    }
    for (entity, character) in [
      ("&copy;", "©"), ("&#169;", "©"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
      ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&"),
    ] {
      text = text.exchanging(entity, for: character)
    }
    let words = text.split(separator: " ").joined(separator: " ")
    return String(words.prefix(TileBounds.attributionLength))
  }
}
