import CaptureStore
import Foundation
import Testing
import TrackerCore

/// Disks that are full or may not be written: small ones in memory, which only root may mount.
@Suite(.serialized) struct FullDiskTests {
  private let note = again("FullDiskTests")

  /// A disk of its own.
  private final class Disk {
    let scratch: Scratch
    init(kilobytes: Int) throws {
      scratch = try Scratch()
      try #require(
        mount("tmpfs", scratch.folder, "tmpfs", 0, "size=\(kilobytes)k") == 0,
        "mount: \(String(cString: strerror(errno)))")
    }
    func remount(readOnly: Bool) -> Bool {
      mount(
        "tmpfs", scratch.folder, "tmpfs", UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0), "")
        == 0
    }
    deinit { umount2(scratch.folder, Int32(MNT_DETACH)) }
  }

  /// Root in a container is root too, and may not mount: only a try can tell.
  private static let canMount = (try? Disk(kilobytes: 16)) != nil
  private static let why: Comment = "no disk can be mounted here; run as root, not in a container"

  @Test(.enabled(if: canMount, why))
  func `A full disk is stated, loses nothing, and is well again when there is room`() throws {
    let disk = try Disk(kilobytes: 2048)
    let store = try disk.scratch.open()
    let filler = disk.scratch.folder + "/filler"
    try store.fill(20)
    _ = FileManager.default.createFile(
      atPath: filler, contents: Data(repeating: 1, count: 1000 << 10))
    let error = #expect(throws: StoreError.self, note) { try store.fill(100_000) }
    #expect(error?.kind == .diskFull && error?.isRetryable == true, "\(String(describing: error))")
    let held = store.nextSequence - 1
    #expect(try store.numbers() == Array(1...held), note)
    for _ in 0..<5 { #expect(throws: StoreError.self, note) { try store.fill(100_000) } }
    // Emptied, not removed: another test's child may have inherited it, and would keep it alive.
    #expect(truncate(filler, 0) == 0, note)
    try store.fill(50)
    #expect(try store.numbers() == Array(1...store.nextSequence - 1), note)
    #expect(store.nextSequence >= held + 51, note)
  }

  @Test(.enabled(if: canMount, why))
  func `No room for a new store is stated`() throws {
    let disk = try Disk(kilobytes: 16)
    try? Data(repeating: 1, count: 16 << 10).write(
      to: URL(fileURLWithPath: disk.scratch.folder + "/filler"))
    let error = refusal { () throws(StoreError) in try disk.scratch.open() }
    #expect(error?.isRetryable == true, "\(String(describing: error)); \(note)")
  }

  @Test(.enabled(if: canMount, why))
  func `A disk that may not be written is stated, and is well again when it may`() throws {
    let disk = try Disk(kilobytes: 512)
    do {
      let store = try disk.scratch.open()
      try store.fill(3)
    }
    #expect(disk.remount(readOnly: true), note)
    let error = refusal { () throws(StoreError) in try disk.scratch.open() }
    #expect(error?.kind == .readOnly && error?.isRetryable == true, "\(String(describing: error))")
    #expect(disk.remount(readOnly: false), note)
    #expect(try disk.scratch.open().numbers() == [1, 2, 3], note)
  }
}
