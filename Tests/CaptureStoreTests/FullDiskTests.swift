import CaptureStore
import Foundation
import Testing
import TrackerCore

/// Disks that are full or may not be written: small ones in memory, which only root may mount.
@Suite(.serialized) struct FullDiskTests {
  private let note = again("FullDiskTests")

  /// A disk of its own; `nil` where mounting is not allowed.
  private final class Disk {
    let scratch: Scratch
    init?(kilobytes: Int) throws {
      scratch = try Scratch()
      guard
        mount("tmpfs", scratch.folder, "tmpfs", 0, "size=\(kilobytes)k") == 0
      else { return nil }
    }
    func remount(readOnly: Bool) -> Bool {
      mount(
        "tmpfs", scratch.folder, "tmpfs", UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0), "")
        == 0
    }
    deinit { umount2(scratch.folder, Int32(MNT_DETACH)) }
  }

  private static var isRoot: Bool { geteuid() == 0 }

  @Test(.enabled(if: isRoot, "only root can mount a small disk"))
  func `A full disk is stated, loses nothing, and is well again when there is room`() throws {
    guard let disk = try Disk(kilobytes: 2048) else { return }
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

  @Test(.enabled(if: isRoot, "only root can mount a small disk"))
  func `No room for a new store is stated`() throws {
    guard let disk = try Disk(kilobytes: 16) else { return }
    try? Data(repeating: 1, count: 16 << 10).write(
      to: URL(fileURLWithPath: disk.scratch.folder + "/filler"))
    let error = refusal { () throws(StoreError) in try disk.scratch.open() }
    #expect(error?.isRetryable == true, "\(String(describing: error)); \(note)")
  }

  @Test(.enabled(if: isRoot, "only root can mount a small disk"))
  func `A disk that may not be written is stated, and is well again when it may`() throws {
    guard let disk = try Disk(kilobytes: 512) else { return }
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
