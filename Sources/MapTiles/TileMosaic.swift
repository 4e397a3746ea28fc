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
      do throws(MBTilesProblem) {
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
  ) throws(MBTilesProblem) -> (mosaic: TileMosaic, bytes: Int, unusable: Int) {
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
