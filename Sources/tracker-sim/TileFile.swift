import CommandLineSupport
import Glibc
import MapTiles

/// The file of `--tiles`: what is below a page's maps.
struct TileFile {
  private let path: String
  private let tiles: MBTiles

  /// Refuses a file without tiles that a page can show.
  init(path: String) throws {
    self.path = path
    var status = stat()
    // A pipe would be waited for.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw UsageError("--tiles \(path): not a regular file; give an MBTiles file")
    }
    do throws(MBTilesProblem) { tiles = try MBTiles(path: path) } catch {
      throw UsageError("--tiles \(path): \(error)")
    }
  }

  /// Says on standard error what the page will lack.
  func mosaic(_ view: MapView) -> TileMosaic {
    let mosaic = tiles.mosaic(view)
    for doubt in mosaic.doubts { complain("--tiles \(path): \(doubt)") }
    return mosaic
  }
}
