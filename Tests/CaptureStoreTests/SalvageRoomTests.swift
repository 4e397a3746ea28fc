import CaptureStore
import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

/// Salvage on a nearly full disk.
///
/// `SALVAGE_ROOM=all` tries 10 797 captures in place of 300.
@Suite(.serialized) struct SalvageRoomTests {
  private let note = again("SalvageRoomTests")
  private static let isWhole = ProcessInfo.processInfo.environment["SALVAGE_ROOM"] == "all"
  private static let count = isWhole ? 10_797 : 300

  private enum Outcome: Int { case refused, beside, salvaged }

  private struct Damaged {
    var files: PowerCut.Files
    var device: UniqueID
    /// What can be read of it.
    var numbers: [UInt32]
    var bytes: Int { files.values.reduce(0) { $0 + ($1.count + 4095) / 4096 * 4096 } }
  }

  /// One byte of one page is wrong, and the last captures are in the log.
  private func damaged() throws -> Damaged {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(Self.count - 40)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try store.fill(40)
    var files = PowerCut.Files()
    for tail in ["", "-wal", ".lock"] { files["race.store" + tail] = scratch.bytes(tail) }
    let middle = (files["race.store"]?.count ?? 0) / 4096 / 2 * 4096
    // What says that the page is a leaf of a table.
    files["race.store"]?[middle] ^= 0xFF
    let copy = try Scratch()
    try copy.put(files)
    let reader = try CaptureStore.openForReading(copy.path)
    #expect(reader.damage != nil, note)
    return Damaged(files: files, device: store.device, numbers: try reader.numbers())
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `Whatever room there is, nothing that could be read is lost`() throws {
    let damaged = try damaged()
    #expect(damaged.numbers.count > Self.count - 60, note)
    let disk = try SmallDisk(kilobytes: 3 * damaged.bytes / 1024 + 2048)
    var first: [Outcome: Int] = [:]
    var counts: [Outcome: Int] = [:]
    var after = 0
    var free = 0
    while after < 5 {
      try disk.clear()
      try Scratch(disk.folder).put(damaged.files)
      try disk.leave(free)
      let (outcome, inSecond) = try open(disk, damaged, free)
      counts[outcome, default: 0] += 1
      if first[outcome] == nil { first[outcome] = free }
      if outcome == .salvaged { after += 1 }
      try beWellAgain(disk, damaged, inSecond, free)
      free += 4096
      try #require(free < 3 * damaged.bytes + (1 << 20), "it never fits; \(note)")
    }
    let (second, whole) = (first[.beside] ?? 0, first[.salvaged] ?? 0)
    print(
      "salvage room: \(Self.count) captures, \(damaged.bytes >> 10) KB; in steps of 4 KB: refused "
        + "\(counts[.refused] ?? 0), beside \(counts[.beside] ?? 0) from \(second >> 10) KB on, "
        + "salvaged from \(whole >> 10) KB on")
    #expect(first.count == 3, "\(first); \(note)")
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A tool that only delivers opens no second store, and says how much room is needed`()
    throws
  {
    let damaged = try damaged()
    let disk = try SmallDisk(kilobytes: 3 * damaged.bytes / 1024 + 2048)
    let scratch = Scratch(disk.folder)
    try scratch.put(damaged.files)
    // Enough for a second store; a salvage would leave too little.
    let free = 256 << 10
    try disk.leave(free)
    let error = refusal { () throws(StoreError) in
      try CaptureStore.open(.file(scratch.path), mayStandIn: false, at: start)
    }
    let needed =
      (damaged.files["race.store"]?.count ?? 0)
      + (damaged.files["race.store-wal"]?.count ?? 0) + (256 << 10)
    #expect(error?.kind == .diskFull, "\(String(describing: error)); \(note)")
    #expect(
      error?.detail.english.hasPrefix("\((needed + 1023) / 1024) KB are needed; ") == true,
      "\(String(describing: error)); \(note)")
    expectUntouched(scratch, damaged, free)
    #expect(!scratch.names.contains { $0.contains("second") }, "\(scratch.names); \(note)")
  }

  private func open(_ disk: SmallDisk, _ damaged: Damaged, _ free: Int) throws -> (Outcome, Int?) {
    let scratch = Scratch(disk.folder)
    do throws(StoreError) {
      let store = try scratch.open()
      switch store.opening {
      case .salvaged:
        try store.fill(1)
        #expect(try store.numbers().dropLast() == damaged.numbers[...], "\(free); \(note)")
        #expect(store.device == damaged.device, "\(free); \(note)")
        return (.salvaged, nil)
      case .beside(let waiting):
        let line = "\(waiting)"
        #expect(line.contains("race.store.second") && !line.contains("\n"), "\(line); \(note)")
        #expect(waiting.waiting == damaged.numbers.count, "\(line); \(note)")
        #expect(waiting.reasonToStartAnew == nil, "\(free): \(line); \(note)")
        #expect(store.device != damaged.device && store.nextSequence == 1, "\(free); \(note)")
        // Where there is no room for one it says so, as on any full disk.
        do throws(StoreError) { try store.fill(3) } catch {
          #expect(error.kind == .diskFull, "\(free): \(error); \(note)")
        }
        expectUntouched(scratch, damaged, free)
        return (.beside, store.tally.rows)
      default:
        Issue.record("\(free) bytes free: \(store.opening); \(note)")
        return (.refused, nil)
      }
    } catch {
      #expect(error.kind == .diskFull, "\(free): \(error); \(note)")
      #expect("\(error)".contains("to make room, remove"), "\(free): \(error); \(note)")
      expectUntouched(scratch, damaged, free)
      #expect(!scratch.names.contains { $0.contains("second") }, "\(scratch.names); \(note)")
      return (.refused, nil)
    }
  }

  private func expectUntouched(_ scratch: Scratch, _ damaged: Damaged, _ free: Int) {
    let files = scratch.files
    for (name, bytes) in damaged.files {
      #expect(files[name] == bytes, "\(free) bytes free: \(name) has changed; \(note)")
    }
    #expect(
      !files.keys.contains { $0.contains(".salvage") || $0.contains("damaged") },
      "\(free): \(files.keys.sorted()); \(note)")
  }

  /// There is room again, and all of it is there.
  private func beWellAgain(
    _ disk: SmallDisk, _ damaged: Damaged, _ inSecond: Int?, _ free: Int
  ) throws {
    try disk.empty()
    let store = try Scratch(disk.folder).open()
    let numbers = try store.page(limit: .max).filter {
      $0.device == damaged.device
    }.map(\.capture.sequence)
    let expected = damaged.numbers
    #expect(numbers.prefix(expected.count) == expected[...], "\(free): \(store.opening); \(note)")
    #expect(store.nextSequence > UInt32(Self.count), "\(free); \(note)")
    #expect(store.device == damaged.device, "\(free); \(note)")
    // Those of the second store too, each once, with the device that took them.
    let others = try store.page(limit: .max).filter { $0.device != damaged.device }
    let expectedOthers = Array(UInt32(1)..<UInt32(inSecond ?? 0) + 1)
    #expect(others.map(\.capture.sequence) == expectedOthers, "\(free); \(note)")
    #expect(store.takenIn == inSecond, "\(free); \(note)")
    #expect(!Scratch(disk.folder).names.contains { $0.contains("second") }, note)
  }
}
