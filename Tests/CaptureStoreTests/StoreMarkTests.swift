import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// The mark in the lock file: a store whose content is gone is not taken for one never begun.
@Suite struct StoreMarkTests {
  private let note = again("StoreMarkTests")
  private static let home = BoardSerials(deviceTree: "10000000a1b2c3d4")
  private static let chosen = UniqueID(high: 0x4000, low: 1 << 63)

  /// What may be left of a file whose log was removed by a clean close.
  private static let remains: [[UInt8]] = {
    let magic = Array("SQLite format 3\0".utf8)
    return [
      [], magic, Array(magic.prefix(7)), magic + [UInt8](repeating: 0, count: 11),
      [UInt8](repeating: 0, count: 1), [UInt8](repeating: 0, count: 27),
      [UInt8](repeating: 0, count: 512), [UInt8](repeating: 0, count: 4096),
      magic + [UInt8](repeating: 0, count: 4080),
    ]
  }()

  /// The lock file of a store into which `count` captures were stored, and its device.
  private func used(
    _ count: Int, for owner: StoreOwner = .whoever
  ) throws -> (lock: [UInt8], device: UniqueID) {
    let scratch = try Scratch()
    let store = try CaptureStore.open(.file(scratch.path), for: owner, at: start)
    try store.fill(count)
    return (scratch.bytes(".lock"), store.device)
  }

  private func lost(_ lock: [UInt8], _ rest: [UInt8] = []) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(rest)
    try scratch.write(lock, ".lock")
    return scratch
  }

  @Test func `A store whose content is gone is damaged, keeps its device and repeats no number`()
    throws
  {
    let (lock, device) = try used(2)
    for rest in Self.remains {
      let what: Comment = "\(rest.count) bytes, \(rest.prefix(17)); \(note)"
      let scratch = try lost(lock, rest)
      let before = scratch.files
      let reader = try CaptureStore.openForReading(scratch.path)
      #expect(reader.damage == StoreFile.lost && reader.tally.rows == 0, what)
      #expect(reader.device == device && reader.remarks.count == 1, what)
      #expect(scratch.files == before, what)

      let store = try scratch.open()
      guard case .salvaged(let salvage) = store.opening else {
        Issue.record("\(store.opening); \(what)")
        continue
      }
      #expect(salvage.damage == StoreFile.lost && salvage.recovered == 0, what)
      #expect(salvage.isIdentityKept && salvage.continuesAt == 4097, what)
      #expect(FileManager.default.contents(atPath: salvage.movedTo) == Data(rest), what)
      #expect(store.device == device && store.nextSequence == 4097, what)
      try store.fill(1)
    }
  }

  @Test func `What was salvaged goes on as any other store`() throws {
    let scratch = try lost(used(2).lock)
    try scratch.open().fill(2)
    let store = try scratch.open()
    #expect(store.opening == .opened && store.damage == nil, note)
    #expect(try store.numbers() == [4097, 4098], note)
    #expect(try CaptureStore.openForReading(scratch.path).numbers() == [4097, 4098], note)
  }

  @Test func `A number is marked before it is given`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    func marked() -> UInt32? {
      StoreLock.mark(ofStore: scratch.path).devices.last?.reservedBelow
    }
    #expect(marked() == 1, note)
    try store.fill(1)
    #expect(marked() == 4097, note)
    try store.fill(4095)
    #expect(marked() == 4097, note)
    try store.fill(1)
    #expect(marked() == 8193, note)
  }

  @Test func `A store of an earlier program is marked when it is opened`() throws {
    let scratch = try Scratch()
    let device: UniqueID
    do {
      let store = try scratch.open()
      device = store.device
      try store.fill(2)
    }
    try scratch.write([], ".lock")
    #expect(try scratch.open().opening == .opened, note)
    try scratch.write([])
    let store = try scratch.open()
    #expect(store.device == device && store.nextSequence == 4097, note)
  }

  @Test func `Without its lock file it begins anew with another device`() throws {
    let scratch = try Scratch()
    let first: UniqueID
    do {
      let store = try scratch.open()
      first = store.device
      try store.fill(1)
      try FileManager.default.removeItem(atPath: scratch.path + ".lock")
      try store.fill(1)
    }
    try scratch.write([])
    let store = try scratch.open()
    #expect(store.opening == .created && store.device != first, note)
    #expect(StoreLock.mark(ofStore: scratch.path).devices.map(\.device) == [store.device], note)
  }

  @Test func `Any byte of the mark may be wrong or missing: no number is given again`() throws {
    // Two blocks of numbers, so that an older line is believed where the last one is not whole.
    let (lock, device) = try used(4100)
    let last = try #require(lock.dropLast().lastIndex(of: UInt8(ascii: "\n")))
    // Any third byte: a wrong one is found by the line's checksum, wherever it is.
    for place in stride(from: 0, to: lock.count, by: 3) {
      for spoilt in [
        // The last line was not written to its end, so its numbers were not given.
        place > last ? Array(lock.prefix(place)) : [],
        lock.prefix(place) + [lock[place] ^ 0x20] + lock.dropFirst(place + 1),
        lock.prefix(place) + [UInt8](repeating: 0, count: lock.count - place),
      ] where !spoilt.isEmpty {
        let scratch = try lost(spoilt)
        let store = try scratch.open()
        let what: Comment = "\(place) of \(lock.count), \(spoilt.count) bytes; \(note)"
        guard case .salvaged = store.opening else {
          Issue.record("\(store.opening); \(what)")
          continue
        }
        guard store.device == device else { continue }
        #expect(store.nextSequence > (spoilt.count < lock.count ? 4096 : 4100), what)
        try store.fill(1)
        let marked = try #require(StoreLock.mark(ofStore: scratch.path).devices.last, what)
        #expect(marked.device == device && marked.reservedBelow > store.nextSequence, what)
      }
    }
  }

  @Test func `What is not a mark at all gives another device, and is told`() throws {
    let scratch = try lost([0])
    let store = try scratch.open()
    guard case .salvaged(let salvage) = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    #expect(!salvage.isIdentityKept && store.nextSequence == 1, note)
    #expect(StoreLock.mark(ofStore: scratch.path).devices.map(\.device) == [store.device], note)
  }

  @Test func `A copied card that lost its store has another device on another board`() throws {
    let (lock, device) = try used(1, for: .board(Self.home))
    for (serials, isSame) in [
      (Self.home, true), (BoardSerials(deviceTree: "2"), false), (BoardSerials(), true),
    ] {
      let scratch = try lost(lock)
      let store = try CaptureStore.open(.file(scratch.path), for: .board(serials), at: start)
      #expect((store.device == device) == isSame, "\(serials); \(note)")
      #expect((store.succession == nil) == isSame, "\(serials); \(note)")
      #expect(store.nextSequence == (isSame ? 4097 : 1), "\(serials); \(note)")
    }
  }

  @Test func `A chosen device goes on above its numbers where the store was removed`() throws {
    let (lock, _) = try used(3, for: .device(Self.chosen))
    let scratch = try Scratch()
    try scratch.write(lock, ".lock")
    do {
      let store = try scratch.open()
      #expect(store.opening == .created && store.device != Self.chosen, note)
    }
    let store = try CaptureStore.open(.file(scratch.path), for: .device(Self.chosen), at: start)
    #expect(store.device == Self.chosen && store.nextSequence == 4097, note)
  }

  @Test func `Of several devices the last one goes on, and none repeats a number`() throws {
    let scratch = try Scratch()
    let first = try CaptureStore.open(.file(scratch.path), at: start).device
    for device in [first, Self.chosen, first] {
      try CaptureStore.open(.file(scratch.path), for: .device(device), at: start).fill(1)
    }
    try scratch.write([])
    do {
      let store = try scratch.open()
      #expect(store.device == first && store.nextSequence == 4097, note)
    }
    let store = try CaptureStore.open(.file(scratch.path), for: .device(Self.chosen), at: start)
    #expect(store.nextSequence == 4097, note)
  }

  @Test func `The mark does not grow without end`() throws {
    let scratch = try Scratch()
    var most = 0
    for number in 0..<200 as Range<UInt64> {
      let device = UniqueID(high: 0x4000, low: 1 << 63 | number % 3)
      _ = try CaptureStore.open(.file(scratch.path), for: .device(device), at: start)
      most = max(most, scratch.bytes(".lock").count)
    }
    #expect(most < StoreBounds.markBytes / 4, "\(most); \(note)")
    #expect(StoreLock.mark(ofStore: scratch.path).devices.count == 3, note)
  }

  /// There is no room for a line, or the card refuses it: captures go on.
  @Test func `A mark that cannot be written says at least that there was a store`() throws {
    var mark = StoreMark(try used(1).lock)
    var device = try #require(mark.devices.first)
    device.reservedBelow += 4096
    let change = try #require(mark.change(adding: [device]))
    #expect(!change.replacesAll, note)
    mark.apply(change, isWritten: false)
    #expect(mark.isThere, note)
    #expect(try #require(mark.change(adding: [device])).replacesAll, note)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `On a full disk the lock file still says that there was a store`() throws {
    let disk = try SmallDisk(kilobytes: 64)
    let path = disk.scratch.path("race.store")
    var lock = try StoreLock(store: path)
    try disk.leave(0)
    #expect(!StoreLock.mark(ofStore: path).isThere, note)
    lock.remember([DeviceIdentity(device: Self.chosen, madeAt: start)])
    #expect(StoreLock.mark(ofStore: path).isThere, note)
    // With room it is written again, and then says it all.
    try disk.empty()
    lock.remember([DeviceIdentity(device: Self.chosen, madeAt: start)])
    #expect(StoreLock.mark(ofStore: path).devices.map(\.device) == [Self.chosen], note)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may make a device file"))
  func `A mark that does not reach the disk is not taken for written`() throws {
    let scratch = try Scratch()
    // That of /dev/null takes all that is written, and cannot bring it to a disk.
    try #require(mknod(scratch.path + ".lock", S_IFCHR | 0o600, 1 << 8 | 3) == 0)
    var lock = try StoreLock(store: scratch.path)
    let device = DeviceIdentity(device: Self.chosen, madeAt: start)
    lock.remember([device])
    #expect(lock.mark.change(adding: [device])?.replacesAll == true, note)
  }

  @Test func `After what cannot be read no number is given that it may have been about`() throws {
    let lock = try used(1).lock
    func bound(_ more: Int) -> UInt32? {
      StoreMark(lock + [UInt8](repeating: 0x78, count: more)).devices.last?.reservedBelow
    }
    // No line is shorter than 60 bytes: so many may have been lost, each for a block of numbers.
    for (more, wanted) in [(0, 4097), (1, 8193), (60, 8193), (61, 12_289)] as [(Int, UInt32)] {
      #expect(bound(more) == wanted, "\(more); \(note)")
    }
  }

  @Test func `A later line does not take numbers back`() throws {
    var bytes: [UInt8] = []
    for bound in [4097, 8193, 4097] as [UInt32] {
      let device = DeviceIdentity(device: Self.chosen, madeAt: start, reservedBelow: bound)
      bytes += Array(try #require(StoreMark([]).change(adding: [device])).text.utf8)
    }
    #expect(StoreMark(bytes).devices.map(\.reservedBelow) == [8193], note)
  }

  @Test func `A second store whose content is gone is told of`() throws {
    let lock = try used(2).lock
    let scratch = try Scratch()
    _ = try scratch.open()
    try scratch.write([], ".second")
    try scratch.write(lock, ".second.lock")
    let readers = try CaptureStore.openAllForReading(scratch.path)
    #expect(readers.map(\.damage) == [nil, StoreFile.lost], note)
    let store = try scratch.open()
    let damage = try #require(store.secondDamage, note)
    #expect(damage.recovered == 0 && damage.problem.english == StoreFile.lost, note)
    #expect(!scratch.names.contains("race.store.second"), "\(scratch.names); \(note)")
  }

  @Test func `A power cut at any step of the salvage keeps the device and its numbers`() throws {
    let (lock, device) = try used(2)
    var step = 0
    var isDone = false
    while !isDone {
      let scratch = try lost(lock, [UInt8](repeating: 0, count: 4096))
      var left = step
      let disk = Disk { _ in
        left -= 1
        return left == -1 ? EIO : 0
      }
      let steps = SalvageSteps(
        path: scratch.path, disk: disk, mark: StoreLock.mark(ofStore: scratch.path))
      do throws(StoreError) {
        _ = try steps.run(damage: StoreFile.lost, at: start)
        isDone = true
      } catch {}
      let store = try scratch.open()
      #expect(store.device == device && store.nextSequence == 4097, "step \(step); \(note)")
      if !isDone {
        guard case .salvaged(let salvage) = store.opening else {
          // The last step was the flush of what is complete.
          #expect(store.opening == .opened, "step \(step): \(store.opening); \(note)")
          step += 1
          continue
        }
        #expect(salvage.isIdentityKept, "step \(step): \(salvage); \(note)")
      }
      step += 1
    }
    #expect(step > 4, note)
  }
}
