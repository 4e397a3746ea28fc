/// The tiles below a picture.
public struct TileMosaic: Sendable, Equatable {
  public struct Tile: Sendable, Equatable {
    /// The upper left corner and the width, in a `MapView`'s measure.
    public var left: Double
    public var top: Double
    public var width: Double
    public var image: TileImage

    public init(left: Double, top: Double, width: Double, image: TileImage) {
      self.left = left
      self.top = top
      self.width = width
      self.image = image
    }
  }

  public var tiles: [Tile] = []
  public var attribution = ""
  /// What to say about it, each in one line without the file's name.
  public var doubts: [String] = []

  public init() {}
}

extension MBTiles {
  /// The tiles for a picture, of one zoom: the one that fits its scale, or if those have too many
  /// bytes or cover less than half of it, the next lower one; in a file that has only higher ones,
  /// the lowest. If nothing covers as much, the first that has any.
  public func mosaic(_ view: MapView) -> TileMosaic {
    let wanted = zooms.filter { $0 <= view.zoom }.reversed() + zooms.filter { $0 > view.zoom }
    var best = TileMosaic()
    var unusable = 0
    for zoom in wanted {
      guard let (columns, rows) = view.tiles(at: zoom) else { continue }
      let found: (mosaic: TileMosaic, bytes: Int, unusable: Int)
      do throws(MBTilesError) {
        found = try tiles(at: zoom, columns, rows, atMost: view.bytes)
      } catch {
        best.doubts.append("\(error)")
        return best
      }
      unusable += found.unusable
      guard !found.mosaic.tiles.isEmpty, found.bytes <= view.bytes else { continue }
      if best.tiles.isEmpty { best = found.mosaic }
      if found.mosaic.tiles.count * 2 >= columns.count * rows.count {
        best = found.mosaic
        break
      }
    }
    if unusable > 0 {
      best.doubts.append(
        "\(unusable) of its tiles left out: neither PNG nor JPEG, or larger than "
          + "\(TileBounds.mostBytes >> 20) MiB or \(TileBounds.longestSide) pixels")
    }
    if best.tiles.isEmpty { best.doubts.append("no tile for this map; the page has none") }
    best.attribution = attribution
    return best
  }

  private func tiles(
    at zoom: Int, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, atMost most: Int
  ) throws(MBTilesError) -> (mosaic: TileMosaic, bytes: Int, unusable: Int) {
    var mosaic = TileMosaic()
    var (bytes, unusable) = (0, 0)
    let count = 1 << zoom
    for row in rows {
      for column in columns where bytes <= most {
        let own = (column % count + count) % count
        switch try content(at: TileAddress(zoom: zoom, column: own, row: row)) {
        case .nothing: break
        case .unusable: unusable += 1
        case .image(let image):
          bytes += image.bytes.count
          mosaic.tiles.append(
            TileMosaic.Tile(
              left: Double(column) / Double(count), top: Double(row) / Double(count),
              width: 1 / Double(count), image: image))
        }
      }
    }
    return (mosaic, bytes, unusable)
  }
}

/// A tile of Web Mercator: at zoom z the world is 2^z by 2^z tiles.
struct TileAddress: Sendable, Equatable {
  var zoom: Int
  /// From the antimeridian to the east.
  var column: Int
  /// From the north. MBTiles counts from the south.
  var row: Int

  init(zoom: Int, column: Int, row: Int) {
    self.zoom = zoom
    self.column = column
    self.row = row
  }

  /// `nil`: there is no such tile.
  var rowFromSouth: Int? {
    guard TileBounds.zooms.contains(zoom), (0..<1 << zoom).contains(column),
      (0..<1 << zoom).contains(row)
    else { return nil }
    return (1 << zoom) - 1 - row
  }
}

/// What a picture shows of the world. Places count from 0 to 1, from the antimeridian to the east
/// and from the north to the south of Web Mercator's square.
public struct MapView: Sendable, Equatable {
  /// May be below 0, and `right` above 1: a picture may cross the antimeridian.
  public var left: Double
  var top: Double
  public var right: Double
  var bottom: Double
  /// The picture's units in a whole world; a unit is about a pixel.
  var unitsPerWorld: Double
  /// Of its tiles, at most.
  public var bytes = TileBounds.pictureBytes

  public init(left: Double, top: Double, right: Double, bottom: Double, unitsPerWorld: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
    self.unitsPerWorld = unitsPerWorld
  }

  /// The first level at which a tile of 256 pixels is not wider than 256 units.
  var zoom: Int {
    TileBounds.zooms.first { unitsPerWorld / Double(1 << $0) <= 256 }
      ?? TileBounds.zooms.upperBound
  }

  /// The tiles that it shows at a zoom; columns as if the world went on to the east and the west.
  /// `nil`: too many.
  func tiles(at zoom: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let count = Double(1 << zoom)
    let sides = [left, right, top, bottom].map { ($0 * count).rounded(.down) }
    // Also keeps NaN out of the conversions.
    guard sides.allSatisfy({ abs($0) <= 2 * count }), sides[0] <= sides[1], sides[2] <= sides[3],
      (sides[1] - sides[0] + 1) * (sides[3] - sides[2] + 1) <= Double(TileBounds.mostInPicture)
    else { return nil }
    let rows = max(0, Int(sides[2]))...max(0, min(Int(sides[3]), (1 << zoom) - 1))
    return (Int(sides[0])...Int(sides[1]), rows)
  }
}

/// A tile's image, as the file has it.
public struct TileImage: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case png, jpeg

    /// RFC 2046 and RFC 2083.
    public var mediaType: String {
      switch self {
      case .png: "image/png"
      case .jpeg: "image/jpeg"
      }
    }
  }

  public let kind: Kind
  public let bytes: [UInt8]

  /// `nil`: neither PNG nor JPEG, whatever the file's metadata says, cut off before its size, or
  /// larger than `TileBounds.longestSide`.
  public init?(_ bytes: [UInt8]) {
    guard let (kind, width, height) = Self.size(png: bytes) ?? Self.size(jpeg: bytes),
      (1...TileBounds.longestSide).contains(width), (1...TileBounds.longestSide).contains(height)
    else { return nil }
    (self.kind, self.bytes) = (kind, bytes)
  }

  /// The signature and the header chunk, which comes first (PNG 1.2 §3.1, §4.1.1).
  private static func size(png bytes: [UInt8]) -> (Kind, Int, Int)? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
    guard bytes.count >= 33, bytes.starts(with: start) else { return nil }
    func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (.png, word(16), word(20))
  }

  /// The frame header, which follows some other segments (ITU-T T.81 §B.1.1.3, §B.2.2).
  private static func size(jpeg bytes: [UInt8]) -> (Kind, Int, Int)? {
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    func pair(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    var at = 2
    while at + 9 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      // Any number of 0xFF may precede a marker.
      if marker == 0xFF {
        at += 1
        continue
      }
      // C4, C8 and CC are tables, not frames.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (.jpeg, pair(at + 7), pair(at + 5))
      }
      at += 2 + max(2, pair(at + 2))
    }
    return nil
  }
}
