import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// What only the store remembers: a push that dies leaves captures that may have arrived.
@Suite(.blocking) struct KilledPushTests {
  @Test(arguments: [true, false])
  func `A push that is killed again and again delivers each capture once`(
    _ hasGlobalIDs: Bool
  ) throws {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder, hasGlobalIDs ? [] : ["--no-global-ids"])
    let path = try folder.store(4000)
    // Without GlobalIDs each push waits until a server that it left in the middle is done.
    let config = try folder.configuration(camp.layer, store: path, mayActFor: "2 s")
    let words = ["push", "--config", config]
    var underWay = 0
    for round in 0..<12 {
      let program = try RunningProgram([Built.program("trackerctl").path] + words)
      // Once it has begun, each time at another place between request and answer.
      try waitUntilUnderWay(path, program)
      usleep(UInt32(round * 1700))
      program.end()
      let store = try CaptureStore.openForReading(path)
      underWay += try store.page(limit: 1000, state: .inFlight).isEmpty ? 0 : 1
      // The server ends what it has begun; nobody repeats a command sooner.
      usleep(100_000)
    }
    let run = try controlRun(words)
    let again = Comment(rawValue: "\(run.errors)repeat with: swift test --filter KilledPushTests")
    #expect(run.code == 0, again)
    #expect(run.output.hasSuffix(", 0 left, 0 set aside\n"), again)
    // Enough died in the middle for the test to mean something.
    #expect(underWay > 2, again)
    let store = try CaptureStore.openForReading(path)
    let there = try camp.identifiers()
    let wanted = (1...UInt32(4000)).map { UniqueID(device: store.device, sequence: $0) }
    #expect(there.count == wanted.count && Set(there) == Set(wanted), again)
  }
}
