/// A tile of Web Mercator: at zoom z the world is 2^z by 2^z tiles.
public struct TileAddress: Sendable, Equatable {
  public var zoom: Int
  /// From the antimeridian to the east.
  public var column: Int
  /// From the north. MBTiles counts from the south.
  public var row: Int

  public init(zoom: Int, column: Int, row: Int) {
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
  public var top: Double
  public var right: Double
  public var bottom: Double
  /// The picture's units in a whole world; a unit is about a pixel.
  public var unitsPerWorld: Double
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
