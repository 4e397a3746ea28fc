import Foundation
import Notes
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// Orders and sessions while a second store stands in for the first, and afterwards.
@Suite(.serialized) struct SecondMemoryTests {
  private let note = again("SecondMemoryTests")

  private let time = MachineTime(
    boot: "b1", now: .start + .minutes(30), sinceBoot: .hours(1), date: start)

  /// A session that a person has stopped, of a team with another name than the configured one.
  private func memory(_ number: UInt32, team: String?) -> Memory {
    let moment = Moment(at: .start + .minutes(1), utc: start)
    var memory = Memory(
      session: SessionRecord(
        number: number, begun: moment, isOrdered: false, ending: .stopped, ended: moment),
      sessionOrder: Order(
        false, from: .socket, given: moment, session: number, configured: true))
    memory.teamOrder = team.map {
      Order(
        InlineText(Array($0.utf8).span), from: .button, given: moment, session: number,
        configured: InlineText())
    }
    return memory
  }

  /// A damaged store in a full disk, and its captures.
  private func damaged(_ disk: SmallDisk, _ memory: Memory) throws {
    let scratch = Scratch(disk.folder)
    do {
      let store = try scratch.open()
      try store.fill(300)
      try store.remember(memory, at: time)
    }
    try damage(scratch)
  }

  private func damage(_ scratch: Scratch) throws {
    var bytes = scratch.bytes()
    // Pages that hold captures.
    let middle = bytes.count / 4096 / 2 * 4096
    for index in middle..<middle + 4096 { bytes[index] = 0xA5 }
    try scratch.write(bytes)
  }

  private func stand(
    in disk: SmallDisk, _ body: (CaptureStore) throws -> Void
  ) throws {
    // Enough for a second store, too little to salvage the first.
    try disk.leave(340 << 10)
    let store = try Scratch(disk.folder).open()
    guard case .beside = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    try body(store)
  }

  private func expect(_ store: CaptureStore, _ device: UniqueID?, _ memory: Memory) throws {
    let read = try store.memory(at: time)
    #expect(read == memory && store.device == device ?? store.device, note)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `Orders and session go on in the second store, and come back with it`() throws {
    let disk = try SmallDisk(kilobytes: 8192)
    let old = memory(7, team: "Els Tardans")
    try damaged(disk, old)
    var device: UniqueID?
    try stand(in: disk) { store in
      device = store.device
      try expect(store, nil, old)
      try store.fill(2)
      try store.write(.add(text: "at CP4", category: "route"), by: "anna", at: start)
    }
    // A restart changes nothing, nor does what is ordered then get lost.
    let new = memory(8, team: "Els Nous")
    try stand(in: disk) { store in
      try expect(store, device, old)
      try store.remember(new, at: time)
    }
    try stand(in: disk) { store in
      try expect(store, device, new)
    }
    try disk.empty()
    let store = try Scratch(disk.folder).open()
    #expect(store.takenIn == 2, note)
    try expect(store, nil, new)
    #expect(store.device != device, note)
    let notes = try store.unsentNotes(atMost: 9)
    #expect(
      notes.map(\.text) == ["at CP4"] && notes.first?.id.writer == device?.lowercaseText, note)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `An order that is undone in the second store stays undone`() throws {
    let disk = try SmallDisk(kilobytes: 8192)
    try damaged(disk, memory(7, team: "Els Tardans"))
    try stand(in: disk) { store in try store.remember(Memory(), at: time) }
    try stand(in: disk) { store in try expect(store, nil, Memory()) }
    try disk.empty()
    #expect(try Scratch(disk.folder).open().memory(at: time) == Memory(), note)
  }

  @Test(.enabled(if: SmallDisk.canMount, "\(SmallDisk.reason)"))
  func `A second store that could not be taken in at once takes nothing back later`() throws {
    let disk = try SmallDisk(kilobytes: 8192)
    let scratch = Scratch(disk.folder)
    try damaged(disk, memory(7, team: "Els Tardans"))
    let ordered = memory(8, team: "Els Nous")
    var first: UniqueID?
    try stand(in: disk) { store in
      first = store.device
      try store.remember(ordered, at: time)
      try store.fill(2)
    }
    try disk.empty()
    let later = memory(9, team: "Els Darrers")
    do {
      // Somebody sends it by hand: its captures wait, what was ordered does not.
      let other = try CaptureStore.open(.file(CaptureStore.second(of: scratch.path)), at: start)
      let store = try scratch.open()
      #expect(store.leftover?.cause == .inUse && other.tally.rows == 2, note)
      #expect(try store.memory(at: time) == ordered, note)
      try store.remember(later, at: time)
    }
    // The first one is damaged once more: the second goes on from what the first knew last, and
    // with another device.
    try damage(scratch)
    let last = memory(10, team: nil)
    try stand(in: disk) { store in
      try expect(store, nil, later)
      #expect(store.device != first && store.nextSequence == 1, note)
      try store.remember(last, at: time)
      try store.fill(3)
    }
    try disk.empty()
    let store = try scratch.open()
    #expect(store.takenIn == 5, note)
    try expect(store, nil, last)
    #expect(try store.devices().count == 3, note)
    _ = consume store
    #expect(try scratch.open().memory(at: time) == last, note)
  }

  @Test func `What was taken over before does not come again`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(1)
    let (old, new) = (memory(7, team: "Els Tardans"), memory(8, team: nil))
    let other = try CaptureStore.open(.file(CaptureStore.second(of: scratch.path)), at: start)
    try other.fill(1)
    try other.remember(old, at: time)
    for _ in 1...2 {
      let store = try scratch.open()
      #expect(store.leftover != nil && store.takenIn == nil, note)
      if try store.memory(at: time) != new {
        #expect(try store.memory(at: time) == old, note)
        try store.remember(new, at: time)
      }
    }
    _ = consume other
    let store = try scratch.open()
    #expect(store.takenIn == 1, note)
    try expect(store, nil, new)
  }

  @Test func `A second store without a first begins no number twice`() throws {
    let scratch = try Scratch()
    let other = try CaptureStore.open(.file(CaptureStore.second(of: scratch.path)), at: start)
    try other.fill(3)
    let store = try scratch.open()
    #expect(store.device != other.device && store.nextSequence == 1, note)
    try store.fill(1)
    let device = other.device
    _ = consume other
    _ = consume store
    let again = try scratch.open()
    #expect(
      try again.takenIn == 3
        && again.page(limit: 9).map(\.device) == [again.device]
          + Array(repeating: device, count: 3),
      note)
  }
}
