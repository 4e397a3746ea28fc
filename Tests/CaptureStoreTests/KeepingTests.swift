import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// What makes room, what stays whatever happens, and what a store that is full says.
@Suite struct KeepingTests {
  private let note = again("KeepingTests")

  private func limited(_ rows: Int) throws -> CaptureStore {
    var limits = StoreLimits()
    limits.rows = rows
    return try CaptureStore.open(.memory, limits: limits, at: start)
  }

  @Test func `At the limit a twentieth of the rows makes room, the oldest first`() throws {
    let store = try limited(40)
    try store.fill(40)
    try store.acknowledge((2...12).map { CaptureKey($0) }, at: start)
    try store.fill(1)
    #expect(try store.numbers() == [1] + Array(4...41), note)
    #expect(store.tally.acknowledged == 9 && store.tally.rows == 39, note)
    try store.fill(1)
    #expect(try store.numbers() == [1] + Array(4...42), note)
    // A small store drops one at least.
    let small = try limited(2)
    try small.fill(2)
    try small.acknowledge([1], at: start)
    try small.fill(1)
    #expect(try small.numbers() == [2, 3], note)
  }

  @Test func `The newest of all stays, and the present device's newest`() throws {
    let scratch = try Scratch()
    let devices = [1, 2].map { UniqueID(high: 0x4000, low: 1 << 63 | $0) }
    func open(_ device: UniqueID) throws -> CaptureStore {
      try CaptureStore.open(.file(scratch.path), for: .device(device), at: start)
    }
    for device in devices { try open(device).fill(3) }
    let store = try open(devices[0])
    try store.acknowledge((1...6).map { CaptureKey($0) }, at: start)
    #expect(try store.makeRoom() == 4, note)
    #expect(try store.page(limit: 9).map(\.key) == [3, 6], note)
    _ = consume store
    let again = try open(devices[0])
    #expect(again.nextSequence == 4 && again.nextKey == 7, note)
  }

  @Test func `A full store says how many wait, those for a person among them`() throws {
    var limits = StoreLimits()
    limits.bytes = 128 << 10
    let store = try CaptureStore.open(.memory, limits: limits, at: start)
    #expect(throws: StoreError.self, note) { try store.fill(10_000) }
    let count = Int(store.nextSequence) - 1
    try store.setAside([1, 2, 3], code: 7, at: start)
    let error = #expect(throws: StoreError.self, note) { try store.fill(count) }
    #expect(error?.kind == .storeFull(waiting: store.tally.rows), "\(String(describing: error))")
  }

  @Test func `An opened store counts what an earlier one left`() throws {
    let scratch = try Scratch()
    do {
      let store = try scratch.open()
      try store.fill(10)
      try store.acknowledge([1, 2, 3], at: start)
      try store.setAside([4, 5], code: 7, at: start)
      _ = try store.select(.oldest(limit: 1), at: start)
    }
    let store = try scratch.open()
    #expect(store.tally.pending == 5 && store.tally.setAside == 2, note)
    #expect(store.tally.acknowledged == 3 && store.nextKey == 11, note)
  }

  @Test func `Nothing to move is nothing to do, also where nothing may be changed`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(1)
    let reader = try CaptureStore.openForReading(scratch.path)
    #expect(try reader.acknowledge([], at: start) == 0, note)
    #expect(try reader.setAside([], code: 1, at: start) == 0, note)
    #expect(try reader.release([], at: start) == 0, note)
    try reader.hold([])
    try reader.renew([], at: start)
  }

  // MARK: Errors

  @Test(
    arguments: [
      (3, .readOnly), (5, .busy), (5 | 2 << 8, .busy), (6, .busy), (8, .readOnly),
      (8 | 1 << 8, .readOnly), (10, .inputOutput), (10 | 3 << 8, .inputOutput), (11, .corrupt),
      (10 | 19 << 8, .full), (10 | 20 << 8, .inputOutput), (13, .full), (14, .cannotOpen),
      (15, .inputOutput), (19, .constraint), (19 | 6 << 8, .constraint), (21, .other),
      (23, .cannotOpen), (26, .notADatabase), (1, .other),
      (9, .interrupted),
    ] as [(Int32, SQLiteError.Kind)])
  func `SQLite's codes have their kinds, extended or not`(
    _ code: Int32, _ kind: SQLiteError.Kind
  ) {
    let error = SQLiteError(code: code, operation: "test", path: "p", message: "m")
    #expect(error.kind == kind, note)
    let stated: StoreError.Kind =
      switch kind {
      case .busy: .busy
      case .full: .diskFull
      case .readOnly: .readOnly
      case .inputOutput, .interrupted, .other: .inputOutput
      case .corrupt, .notADatabase, .constraint: .damaged
      case .cannotOpen: .cannotOpen
      }
    #expect(StoreError(error).kind == stated, note)
  }

  @Test func `Of a long path the end is shown`() {
    let path = String(repeating: "a", count: 100) + String(repeating: "b", count: 100)
    #expect("\(StoreError(.busy, path: path))".hasPrefix(path + ": "), note)
    #expect("\(StoreError(.busy, path: "c" + path))".hasPrefix("…" + path + ": "), note)
  }
}
