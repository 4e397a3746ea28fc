import CaptureStore
import Foundation
import TestSupport
import Testing
import TrackerCore

/// Disks that are full or may not be written: small ones in memory, which only root may mount.
@Suite(.serialized) struct FullDiskTests {
  private let note = again("FullDiskTests")

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A full disk is stated, loses nothing, and is well again when there is room`() throws {
    let disk = try SmallDisk(kilobytes: 2048)
    let store = try Scratch(disk.folder).open()
    let filler = disk.folder + "/filler"
    try store.fill(20)
    _ = FileManager.default.createFile(
      atPath: filler, contents: Data(repeating: 1, count: 1000 << 10))
    let error = #expect(throws: StoreError.self, note) { try store.fill(100_000) }
    #expect(error?.kind == .diskFull, "\(String(describing: error))")
    let held = store.nextSequence - 1
    #expect(try store.numbers() == Array(1...held), note)
    for _ in 0..<5 { #expect(throws: StoreError.self, note) { try store.fill(100_000) } }
    // Emptied, not removed: another test's child may have inherited it, and would keep it alive.
    #expect(truncate(filler, 0) == 0, note)
    try store.fill(50)
    #expect(try store.numbers() == Array(1...store.nextSequence - 1), note)
    #expect(store.nextSequence >= held + 51, note)
  }

  /// Whoever fills the disk leaves nothing: another program, as here.
  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `On a disk without a free page a call for help is stored, and outlives a restart`() throws {
    let disk = try SmallDisk(kilobytes: 16 << 10)
    let time = MachineTime(now: .start, date: start)
    do {
      let store = try Scratch(disk.folder).open()
      store.spareRoom()
      try store.fill(20)
      try disk.leave(0)
      let error = #expect(throws: StoreError.self, note) { try store.fill(2000) }
      #expect(error?.kind == .diskFull, note)
      let last = store.nextSequence
      var memory = Memory()
      memory.emergency = EmergencyRecord(
        raised: Moment(at: .start), origin: .button, firstSequence: last)
      try store.remember(memory, at: time)
      for _ in 0..<120 {
        var call = capture(store.nextSequence)
        call.trigger = .emergency
        try store.append(call, at: start)
      }
    }
    let store = try Scratch(disk.folder).open()
    #expect(try store.memory(at: time).emergency?.stage == .raised, note)
    #expect(try store.page(after: 0, limit: 9999).count { $0.capture.trigger == .emergency } == 120)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `No room for a new store is stated`() throws {
    let disk = try SmallDisk(kilobytes: 16)
    try? Data(repeating: 1, count: 16 << 10).write(
      to: URL(fileURLWithPath: disk.folder + "/filler"))
    let error = refusal { () throws(StoreError) in try Scratch(disk.folder).open() }
    #expect(error?.kind == .diskFull, "\(String(describing: error)); \(note)")
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A disk that may not be written is stated, and is well again when it may`() throws {
    let disk = try SmallDisk(kilobytes: 512)
    do {
      let store = try Scratch(disk.folder).open()
      try store.fill(3)
    }
    #expect(disk.remount(readOnly: true), note)
    let error = refusal { () throws(StoreError) in try Scratch(disk.folder).open() }
    #expect(error?.kind == .readOnly, "\(String(describing: error))")
    #expect(disk.remount(readOnly: false), note)
    #expect(try Scratch(disk.folder).open().numbers() == [1, 2, 3], note)
  }

  /// The log is on the disk before the file is: it may not take the last of the room.
  @Test(
    .enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"), arguments: [700, 1500, 3000, 6000])
  func `A small disk fills with captures, and takes others once these are delivered`(
    _ kilobytes: Int
  ) throws {
    let disk = try SmallDisk(kilobytes: kilobytes)
    let scratch = Scratch(disk.folder)
    var total: UInt32 = 0
    for round in 1...4 {
      // A restart in between changes nothing.
      let store = try scratch.open()
      for isAnew in [true, false] {
        let error = #expect(throws: StoreError.self, note) { try store.fill(100_000) }
        #expect(error?.kind == .diskFull, "\(String(describing: error)); \(note)")
        let held = store.nextSequence - 1
        let what = "round \(round), \(isAnew), of \(kilobytes) KB: \(total) to \(held); \(note)"
        #expect(held > total, "\(what)")
        // A row takes some 250 bytes with its part of the index; half a megabyte is kept.
        if total == 0 { #expect(held > UInt32(kilobytes - 500) * 2, "\(what)") }
        total = held
        while true {
          let sent = try store.select(.oldest(limit: 100), at: start)
          if sent.isEmpty { break }
          #expect(try store.acknowledge(sent.map(\.key), at: start) == sent.count, "\(what)")
        }
        #expect(store.tally.pending == 0, "\(what)")
      }
    }
  }
}
