import TestSupport
import Testing
import TrackerCore
import Wording

@testable import CaptureStore

/// A store that stood in for another: what was captured into it comes home.
@Suite(.blocking) struct TakenInTests {
  private let note = again("TakenInTests")
  private let scratch: Scratch
  private var second: String { CaptureStore.second(of: scratch.path) }

  init() throws { scratch = try Scratch() }

  private func board(_ serial: String) -> StoreOwner { .board(BoardSerials(deviceTree: serial)) }

  /// Three captures in the first, and in the second two of one device and one of another.
  private func fill() throws -> (first: UniqueID, others: [UniqueID]) {
    let first = try scratch.open()
    try first.fill(3)
    var others: [UniqueID] = []
    for (serial, count) in [("a", 2), ("b", 1)] {
      let store = try CaptureStore.open(.file(second), for: board(serial), at: start)
      try store.fill(count)
      others.append(store.device)
    }
    return (first.device, others)
  }

  private func expectHome(_ store: CaptureStore, _ first: UniqueID, _ others: [UniqueID]) throws {
    let rows = try store.page(limit: 9)
    #expect(rows.map(\.key) == [1, 2, 3, 4, 5, 6], note)
    #expect(rows.map(\.capture.sequence) == [1, 2, 3, 1, 2, 1], note)
    #expect(
      rows.map(\.device) == [first, first, first, others[0], others[0], others[1]], note)
    #expect(store.device == first && store.nextSequence == 4, note)
    #expect(store.tally.pending == 6, note)
    let identities = try DeviceIdentity.all(store.database)
    #expect(identities.map(\.device) == others + [first], "the present one is the last; \(note)")
    #expect(identities.map(\.number) == [1, 2, 3], note)
    #expect(!scratch.names.contains { $0.contains("second") }, "\(scratch.names); \(note)")
  }

  @Test func `Its captures come home once, each with the device that took it`() throws {
    let (first, others) = try fill()
    do {
      let store = try scratch.open()
      #expect(store.takenIn == 3 && store.leftover == nil, note)
      try expectHome(store, first, others)
    }
    let store = try scratch.open()
    #expect(store.takenIn == nil, note)
    try expectHome(store, first, others)
    try store.fill(1)
    #expect(try store.page(after: 6, limit: 9).map(\.capture.sequence) == [4], note)
  }

  @Test func `Taken in and not yet removed when the power went, it is taken in no second time`()
    throws
  {
    let (first, others) = try fill()
    let files = scratch.files.filter { $0.key.contains("second") }
    _ = try scratch.open()
    try scratch.put(files)
    let store = try scratch.open()
    #expect(store.takenIn == 0, note)
    try expectHome(store, first, others)
  }

  @Test func `One that somebody has open waits for the next start`() throws {
    _ = try fill()
    let holder = try CaptureStore.open(.file(second), at: start)
    let store = try scratch.open()
    #expect(store.takenIn == nil && store.tally.pending == 3, note)
    let waiting = try #require(store.waiting)
    #expect(waiting.path == second && waiting.second == nil && waiting.cause == .inUse, note)
    #expect(waiting.reasonToStartAnew == nil, note)
    _ = consume holder
    // A program that another test is starting has all our descriptors, and so the lock, until its
    // exec.
    try eventually("it is given up; \(note)") { waiting.reasonToStartAnew != nil }
    #expect(waiting.reasonToStartAnew?.contains("no other process uses") == true, note)
    _ = consume store
    #expect(try scratch.open().takenIn == 3, note)
  }

  @Test func `One that the power left empty holds nothing, and goes`() throws {
    try scratch.open().fill(1)
    try scratch.write([], ".second")
    let store = try scratch.open()
    #expect(store.takenIn == 0 && store.tally.rows == 1, note)
    #expect(!scratch.names.contains { $0.contains("second") }, "\(scratch.names); \(note)")
  }

  @Test func `Keys begin at 1 in a store that has none yet`() throws {
    _ = try scratch.open()
    try CaptureStore.open(.file(second), at: start).fill(2)
    #expect(try scratch.open().page(limit: 9).map(\.key) == [1, 2], note)
  }

  @Test func `A reader gets both`() throws {
    let (first, others) = try fill()
    let stores = try CaptureStore.openAllForReading(scratch.path)
    #expect(stores.map(\.device) == [first, others[1]], note)
    #expect(try stores.map { try $0.numbers() } == [[1, 2, 3], [1, 2, 1]], note)
    let alone = try Scratch()
    try alone.open().fill(1)
    #expect(try CaptureStore.openAllForReading(alone.path).count == 1, note)
  }

  @Test func `A line says what waits, how much room it takes, and what frees it`() throws {
    var waiting = WaitingStore(
      path: scratch.path, second: second, cause: .room(neededBytes: 1025), problem: "torn".texts,
      waiting: 7)
    #expect("\(waiting)".contains("7 waiting captures cannot be used (torn) until 2 KB"), note)
    #expect("\(waiting)".contains("captures go to \(second)"), note)
    #expect("\(waiting)".hasSuffix("to make room, remove recordings or logs"), note)
    waiting.second = nil
    waiting.cause = .room(neededBytes: 1024)
    #expect("\(waiting)".contains("cannot be taken over (torn) until 1 KB"), note)
    try scratch.write([UInt8](repeating: 1, count: 1000), ".damaged-a")
    try scratch.write([UInt8](repeating: 1, count: 25), ".damaged-b")
    #expect("\(waiting)".contains(".damaged-* (2 KB), recordings"), "\(waiting); \(note)")
    try scratch.write([1])
    #expect(waiting.reasonToStartAnew == "there is room to take over the second store", note)
    waiting.cause = .room(neededBytes: .max / 2)
    #expect(waiting.reasonToStartAnew == nil, note)
    waiting.path = scratch.folder + "/gone/race.store"
    #expect(waiting.reasonToStartAnew != nil, "nobody knows; \(note)")
  }

  @Test func `A salvage takes as much room as the file and its log, and some for captures to come`()
    throws
  {
    try scratch.write([UInt8](repeating: 1, count: 1000))
    try scratch.write([UInt8](repeating: 1, count: 24), "-wal")
    #expect(
      SalvageSteps(path: scratch.path).neededBytes == 1024 + StoreBounds.salvageMargin, note)
  }
}
