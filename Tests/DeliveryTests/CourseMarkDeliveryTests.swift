import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// Where on the course captures were taken reaches a server over the air and by stick alike.
@Suite(.blocking) struct CourseMarkDeliveryTests {
  private let again = "repeat with: swift test --filter CourseMarkDeliveryTests"
  private static let fields =
    "fields: { done: 'Fets', toGo: 'PerFer', place: 'Lloc', trigger: 'Motiu' }"

  private func store(in folder: ScratchFolder) throws -> String {
    let path = folder.path("race.store")
    let store = try CaptureStore.open(.file(path), at: Walk.start)
    store.placeNames = ["Olot", "=Amer, 1"]
    for number in UInt32(1)...3 {
      var capture = Walk.capture(number)
      if number == 2 {
        capture.mark = CourseMark(doneMetres: 38_600, toGoMetres: 62_400, place: 1)
        capture.trigger = .entered
      }
      try store.append(capture, at: Walk.start)
    }
    return path
  }

  /// A layer's fields of the usual names need not be named.
  @Test(arguments: ["", fields])
  func `A capture comes with its place over the air and by stick`(_ fields: String) throws {
    let folder = try ScratchFolder()
    let store = try store(in: folder)
    var seen: [[String]] = []
    for format in ["csv", "geojson", nil] {
      let place = folder.path(format ?? "air")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let camp = try CampServer(folder, ["--database", place, "--course-fields"])
      let config = try folder.configuration(camp.layer, store: store, more: fields)
      var words = ["push", "--config", config]
      if let format {
        let file = folder.path("race.\(format)")
        let export = try controlRun(
          ["export", "--store", store, "--format", format, "--output", file])
        #expect(export.code == 0, "\(export.errors)\(export.command)")
        words = ["import", file, "--config", config]
      }
      let run = try controlRun(words)
      #expect(run.code == 0, "\(run.errors)\(run.command)")
      seen.append(try camp.features())
    }
    #expect(seen[0].count == 3 && seen[1] == seen[0] && seen[2] == seen[0], "\(seen); \(again)")
    let marked = seen[0].filter { $0.contains("Fets=38600") }
    #expect(
      marked.count == 1 && marked[0].contains("Lloc==Amer, 1") && marked[0].contains("PerFer=62400")
        && marked[0].contains("Motiu=entered"), "\(seen[0]); \(again)")
  }
}
