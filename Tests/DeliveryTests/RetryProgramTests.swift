import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// What a person does about captures that were set aside.
@Suite(.blocking) struct RetryProgramTests {
  /// A store with so many captures, of which these are set aside, closed again.
  private func store(_ folder: ScratchFolder, _ count: UInt32, setAside: [CaptureKey]) throws
    -> String
  {
    let path = try folder.store(count)
    let store = try CaptureStore.open(.file(path), at: Walk.start)
    try store.setAside(setAside, code: 1016, at: Walk.start)
    return path
  }

  @Test func `What a server refuses by name is told, put back by hand, and then delivered`() throws
  {
    let folder = try ScratchFolder()
    let path = try folder.store(20)
    let layer: String
    do {
      // One capture of each request is refused, by lot.
      let camp = try CampServer(folder, ["--fault", "partial every 1st", "--fault-seed", "1"])
      let push = try controlRun(["push", "--store", path, "--server", camp.layer])
      #expect(push.output == "pushed 19, 0 left, 1 set aside\n", "\(push.errors)\(push.command)")
      // Nothing is left, but somebody has to look.
      #expect(push.code == 1, "\(push.command)")
    }
    let retry = try controlRun(["retry", "all", "--store", path])
    #expect(retry.code == 0 && retry.output == "1 put back\n", "\(retry.errors)\(retry.command)")
    let camp = try CampServer(folder)
    layer = camp.layer
    let push = try controlRun(["push", "--store", path, "--server", layer])
    #expect(push.output == "pushed 1, 0 left, 0 set aside\n", "\(push.errors)\(push.command)")
    #expect(push.code == 0, "\(push.command)")
    #expect(try camp.count() == 20, "\(camp.command)")
  }

  @Test func `One is put back by its number, also with the device before it`() throws {
    let folder = try ScratchFolder()
    let path = try store(folder, 5, setAside: [2, 3, 4])
    let device = try CaptureStore.openForReading(path).device.lowercaseText.prefix(4)
    for word in ["2", "\(device):3", "\(device.uppercased()):4"] {
      let run = try controlRun(["retry", word, "--store", path])
      #expect(run.code == 0 && run.output == "1 put back\n", "\(run.errors)\(run.command)")
    }
    let none = try controlRun(["retry", "--store", path])
    #expect(none.code == 0 && none.output == "0 put back\n", "\(none.errors)\(none.command)")
  }

  @Test func `What is not set aside and what names nothing is told in one line`() throws {
    let folder = try ScratchFolder()
    let path = try store(folder, 5, setAside: [2])
    let device = try CaptureStore.openForReading(path).device
    let other = UInt16(truncatingIfNeeded: device.high >> 48) ^ 1
    let digits = String(other, radix: 16)
    let stranger = String(repeating: "0", count: 4 - digits.count) + digits + ":2"
    for (words, complaint) in [
      (["3", "--store", path], "is not set aside"),
      ([stranger, "--store", path], "is not set aside"),
      (["all", "--store", folder.path("absent")], "does not exist"),
      (["all", "--socket", folder.path("nobody")], "no trackerd answers"),
      (["all", "--store", path, "--socket", "x"], "exclude each other"),
      (["0", "--store", path], "write the number"), (["-1", "--store", path], "unknown option"),
      (["abc:1", "--store", path], "write the number"),
      (["123g5:1", "--store", path], "write the number"),
      (["4294967296", "--store", path], "write the number"),
      (["1:2:3", "--store", path], "write the number"), (["all", "2"], "one word too many"),
    ] {
      let run = try controlRun(["retry"] + words)
      #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
      #expect(run.errors.contains(complaint), "\(run.errors)\(run.command)")
    }
    #expect(try CaptureStore.openForReading(path).tally.setAside == 1)
  }

  @Test func `A store that a tracker uses is refused, with the way to ask the tracker`() throws {
    let folder = try ScratchFolder()
    let path = try store(folder, 5, setAside: [2])
    let tracker = try CaptureStore.open(.file(path), at: Walk.start)
    let run = try controlRun(["retry", "all", "--store", path])
    #expect(run.code == 2 && run.isOneLineOfComplaint, "\(run.errors)\(run.command)")
    #expect(run.errors.contains("another tracker uses it"), "\(run.errors)\(run.command)")
    #expect(run.errors.contains("without --store"), "\(run.errors)\(run.command)")
    #expect(tracker.tally.setAside == 1)
  }
}
