import FeatureService
import MapTiles
import Synchronization
import SystemCalls
import Wording

/// The tiles below the control room's map, from a file on this machine.
public final class MapBackground: Sendable {
  private struct Engine: ~Copyable { let tiles: MBTiles }
  private let engine: Mutex<Engine>
  private let zooms: [Int]
  private let attribution: String

  /// - Throws: `ServiceError` with the file's path.
  public init(path: String) throws(ServiceError) {
    // A pipe would be waited for.
    if let status = try? FileStatus(path), status.kind != .file {
      throw ServiceError("\(path): not a regular file; give an MBTiles file")
    }
    let tiles: MBTiles
    do throws(MBTilesError) { tiles = try MBTiles(path: path) } catch {
      throw ServiceError("\(path): \(error)")
    }
    (zooms, attribution) = (tiles.zooms, tiles.attribution)
    engine = Mutex(Engine(tiles: tiles))
  }

  /// What a page has to know to show them.
  var figure: Figure {
    .object([
      .init("least_zoom", .integer(zooms.first ?? 0)),
      .init("greatest_zoom", .integer(zooms.last ?? 0)), .init("attribution", .text(attribution)),
    ])
  }

  /// - Parameter place: zoom, column and row, `12/2073/1520`.
  func answer(_ place: [String]) throws(RoomRefusal) -> ServiceReply {
    let numbers = place.compactMap { Int($0) }
    guard numbers.count == 3, place.count == 3 else { throw RoomRefusal(404, .noPage) }
    let image: TileImage?
    do {
      image = try engine.withLock { engine in
        try engine.tiles.image(zoom: numbers[0], column: numbers[1], row: numbers[2])
      }
    } catch {
      throw RoomRefusal(of: error)
    }
    guard let image else { throw RoomRefusal(404, .noPage) }
    return .answer(type: image.kind.mediaType, body: image.bytes)
  }
}
