import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// Two stores with one identity: a copied card, last year's backup.
@Suite(.blocking) struct ClonedCardTests {
  private let again: Comment = "repeat with: swift test --filter ClonedCardTests"

  /// Captures 6 to 9, elsewhere and later for each walker.
  private func walkOn(_ path: String, _ walker: Int32) throws {
    let store = try CaptureStore.open(.file(path), at: Walk.start)
    for sequence in UInt32(6)...9 {
      var capture = Walk.capture(sequence)
      capture.position?.longitude += walker * 5000
      capture.utc = capture.utc.map { $0 + .minutes(Int64(walker)) }
      try store.append(capture, at: Walk.start)
    }
  }

  @Test(arguments: [true, false])
  func `Captures of a copied card reach the server beside those of the other`(
    _ hasGlobalIDs: Bool
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, hasGlobalIDs ? [] : ["--no-global-ids"])
    let first = try folder.store(5)
    func push(_ path: String) throws -> String {
      let run = try controlRun(["push", "--store", path, "--server", camp.layer])
      #expect(run.code == 0, "\(run.errors); \(again)")
      return run.errors
    }
    // A layer that takes no GlobalIDs cannot refuse what the copy does not know to be delivered.
    if !hasGlobalIDs { _ = try push(first) }
    let second = folder.path("copy.store")
    try FileManager.default.copyItem(atPath: first, toPath: second)
    try walkOn(first, 1)
    try walkOn(second, 2)
    for path in [first, second] {
      let said = try push(path)
      // Only a layer with GlobalIDs refuses them, and it is said there.
      let isTold = said.contains("other captures with the identifiers of 4 captures: another")
      #expect(isTold == (hasGlobalIDs && path == second), "\(said); \(again)")
      #expect(try CaptureStore.openForReading(path).tally.acknowledged == 9, again)
    }
    #expect(try camp.count() == 13, "five before the copy, four and four after it; \(again)")
  }
}
