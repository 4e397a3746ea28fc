import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// Captures leave a store as files that programs which nobody here wrote can read.
@Suite struct ExportProgramTests {
  private static let ogrinfo = "/usr/bin/ogrinfo"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: ogrinfo),
      "ogrinfo of gdal-bin is not installed: nobody to read the files"),
    arguments: [("gpx", "track_points"), ("kml", ""), ("geojson", ""), ("csv", "")])
  func `GDAL reads every capture of an exported store`(_ format: String, _ layer: String) throws {
    let folder = try ScratchFolder()
    let path = try folder.store(40)
    let run = try controlRun(["export", "--store", path, "--format", format])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)\(run.command)")
    let file = try folder.write("race.\(format)", run.output)

    let words = [Self.ogrinfo, "-ro", "-al", "-so", file] + (layer.isEmpty ? [] : [layer])
    let told = try ProgramResult(running: words).output
    // KML holds one track for each team; the others a feature for each capture.
    let count = format == "kml" ? 1 : 40
    #expect(told.contains("Feature Count: \(count)"), "\(told)\(run.command)")
  }

  @Test func `A format that there is not is refused in one line, and so is none`() throws {
    let folder = try ScratchFolder()
    let path = try folder.store(1)
    for words in [["--format", "shp"], []] {
      let run = try controlRun(["export", "--store", path] + words)
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      #expect(run.errors.contains("gpx") && run.output.isEmpty, "\(run.errors)\(run.command)")
    }
  }
}
