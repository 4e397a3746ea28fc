import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// A damaged store on a full disk: the tracker goes on beside it, and comes back to it.
@Suite(.serialized, .blocking) struct StoreSpaceTests {
  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `Without room to salvage it captures go to a second store until there is some`() throws {
    let disk = try SmallDisk(kilobytes: 10_240)
    let path = disk.folder + "/captures.db"
    let device = try damagedStore(path, 3000)
    try disk.leave(500 << 10)
    let before = FileManager.default.contents(atPath: path)

    let run = try DaemonRun(["--speed", "50"])
    run.settings["store"] = "'\(path)'"
    run.line.walk(speed: 50)
    try run.startAndWait()
    try run.wait("captures go to a second store")
    try run.wait("captured sequence=3")
    let status = try run.ask("status").output
    #expect(status.contains("store:") && status.contains("captures.db.second"), "\(status)")
    #expect(status.contains("to make room, remove"), "\(status)\(run.command)")
    // What is ordered meanwhile is for the tracker, whichever of its stores it has.
    #expect(try run.ask("set", "team", "Els Tardans").code == 0, "\(run.command)")
    let list = try ProgramResult("trackerctl", ["captures", "--store", path])
    #expect(list.code == 0 && list.output.contains("in the second store"), "\(list.output)")
    #expect(list.errors.contains("is damaged"), "\(list.errors)")
    #expect(FileManager.default.contents(atPath: path) == before, "\(run.command)")
    let push = try ProgramResult(
      "trackerctl", ["push", "--store", path, "--server", "http://127.0.0.1:9/x/FeatureServer/0"])
    #expect(push.code == 2 && push.errors.contains("another tracker uses it"), "\(push.errors)")

    try disk.empty()
    try run.wait("there is room to salvage the store")
    try run.wait("the store was damaged")
    try run.wait("the second store was merged")
    try run.wait("line opened", times: 2)
    let announced = run.announced.count
    try run.wait("captured sequence=", times: announced + 2)
    #expect(try run.ask("status").output.contains("Els Tardans"), "\(run.command)")
    run.end(SIGTERM)
    let store = try CaptureStore.openForReading(path)
    #expect(store.damage == nil && store.device == device, "\(run.command)")
    let numbers = try store.page(limit: .max).map(\.capture.sequence)
    #expect(numbers.filter { $0 <= 3000 }.count > 2900, "\(run.command)")
    let others = try store.page(limit: .max).filter { $0.device != device }
    #expect(others.map(\.capture.sequence).starts(with: [1, 2, 3]), "\(run.command)")
    #expect(!FileManager.default.fileExists(atPath: path + ".second"), "\(run.command)")
  }

  /// A store with a page that nobody can read.
  private func damagedStore(_ path: String, _ count: UInt32) throws -> UniqueID {
    let device: UniqueID
    do {
      let store = try CaptureStore.open(
        .file(path), at: UTC(milliseconds: 1_776_499_242_000))
      for sequence in 1...count {
        try store.append(
          Capture(
            sequence: sequence, utc: UTC(milliseconds: 1_776_499_242_000), isTimeTrusted: true,
            position: Coordinate(latitude: 418_000_000, longitude: 21_000_000),
            team: InlineText("Els Senglars"), trigger: .interval),
          at: UTC(milliseconds: 1_776_499_242_000))
      }
      device = store.device
    }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 20 * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    return device
  }
}
