import Foundation
import SQLite
import TestSupport
import Testing
import TrackerCore

@testable import CaptureStore

/// A second store on its way back into the first: whatever is wrong with it, the first one opens.
@Suite struct SecondStoreTests {
  private let note = again("SecondStoreTests")
  private let scratch: Scratch
  private let device: UniqueID
  private static let tail = ".second"

  /// A first store with three captures, and a second one with five hundred.
  init() throws {
    scratch = try Scratch()
    let first = try scratch.open()
    device = first.device
    try first.fill(3)
    try second.fill(500)
  }

  private var second: CaptureStore {
    get throws { try CaptureStore.open(.file(CaptureStore.second(of: scratch.path)), at: start) }
  }

  private func seconds(_ store: CaptureStore) throws -> [UInt32] {
    try store.page(limit: .max).filter { $0.device != device }.map(\.capture.sequence)
  }

  private var secondNames: [String] { scratch.names.filter { $0.contains("second") } }

  private func expectUsable(_ store: CaptureStore) throws {
    #expect(store.opening == .opened && store.device == device, "\(store.opening); \(note)")
    #expect(store.nextSequence == 4, note)
    try store.fill(1)
  }

  @Test func `A whole one leaves nothing behind but its captures`() throws {
    let store = try scratch.open()
    #expect(try seconds(store) == Array(1...500) && store.takenIn == 500, note)
    #expect(store.secondDamage == nil && store.leftover == nil, note)
    #expect(secondNames.isEmpty, "\(secondNames); \(note)")
    try expectUsable(store)
  }

  @Test func `A damaged one is read as far as possible, reported, and kept`() throws {
    var bytes = scratch.bytes(Self.tail)
    // A leaf with many rows: of captures.
    let pages = Array(stride(from: 0, to: bytes.count, by: 4096))
    let captures = try #require(pages.last { bytes[$0] == 0x0D && bytes[$0 + 4] > 9 })
    for index in captures..<captures + 4096 { bytes[index] = 0xA5 }
    try scratch.write(bytes, Self.tail)
    let store = try scratch.open()
    let numbers = try seconds(store)
    #expect(numbers.count > 440 && numbers.count < 500, "\(numbers.count); \(note)")
    let damage = try #require(store.secondDamage, note)
    #expect(damage.recovered == numbers.count && store.takenIn == numbers.count, note)
    #expect("\(damage)".contains(damage.movedTo) && !"\(damage)".contains("\n"), "\(damage)")
    #expect(damage.movedTo == scratch.path + ".second.damaged-20121006T100000Z", "\(damage)")
    #expect(Array(FileManager.default.contents(atPath: damage.movedTo) ?? Data()) == bytes, note)
    #expect(secondNames.count == 1, "\(secondNames); \(note)")
    try expectUsable(store)
    _ = consume store
    #expect(try scratch.open().secondDamage == nil, "told once; \(note)")
  }

  @Test func `Each damaged row of it is set aside in the first, and its file is kept`() throws {
    try SQLiteDatabase(path: scratch.path + Self.tail).execute(
      "UPDATE captures SET latitude = latitude + 1048576 WHERE key = 77")
    let store = try scratch.open()
    #expect(try seconds(store) == Array(1...76) + Array(78...500), note)
    #expect(store.damagedRows == 1 && store.secondDamage != nil, note)
    let row = try SQLiteDatabase(path: scratch.path).text("SELECT row FROM damaged")
    #expect(row?.hasPrefix("captures: 77, 'pending'") == true, "\(row ?? "none"); \(note)")
    #expect(secondNames == ["race.store.second.damaged-20121006T100000Z"], "\(secondNames)")
    try expectUsable(store)
  }

  @Test func `What it had set aside itself comes too, once`() throws {
    try SQLiteDatabase(path: scratch.path + Self.tail).execute(
      "UPDATE captures SET latitude = latitude + 1048576 WHERE key = 77")
    #expect(try second.damagedRows == 1, note)
    let files = scratch.files.filter { $0.key.contains("second") }
    for _ in 1...2 {
      let store = try scratch.open()
      #expect(store.damagedRows == 0 && store.secondDamage == nil, note)
      #expect(try seconds(store).count == 499 && secondNames.isEmpty, "\(secondNames); \(note)")
      let database = try SQLiteDatabase(path: scratch.path)
      #expect(try database.integer("SELECT count(*) FROM damaged") == 1, note)
      // The power went before its files were removed.
      try scratch.put(files)
    }
  }

  @Test(arguments: [0x00, 0xA5] as [UInt8])
  func `One whose first block is bad does not keep the first from being opened`(_ fill: UInt8)
    throws
  {
    var bytes = scratch.bytes(Self.tail)
    for index in 0..<4096 { bytes[index] = fill }
    try scratch.write(bytes, Self.tail)
    let readers = try CaptureStore.openAllForReading(scratch.path)
    #expect(readers.count == 2 && readers.last?.damage != nil, note)
    #expect(try readers.last?.numbers().count ?? 0 > 400, note)
    let store = try scratch.open()
    #expect(try seconds(store).count > 400 && store.secondDamage != nil, note)
    #expect(secondNames.count == 1, "\(secondNames); \(note)")
    try expectUsable(store)
  }

  @Test func `One of which nothing can be read is moved aside`() throws {
    try scratch.write([UInt8](repeating: 0xA5, count: 9000), Self.tail)
    let store = try scratch.open()
    #expect(store.takenIn == 0 && store.secondDamage?.recovered == 0, note)
    #expect(secondNames == ["race.store.second.damaged-20121006T100000Z"], "\(secondNames)")
    #expect(try store.devices().map(\.device) == [device], note)
    try expectUsable(store)
  }

  @Test func `An empty one, as a power cut leaves it, goes`() throws {
    try scratch.write([], Self.tail)
    // Nothing had captured into it.
    try scratch.write([], Self.tail + ".lock")
    #expect(try CaptureStore.openAllForReading(scratch.path).map(\.tally.rows) == [3], note)
    let store = try scratch.open()
    #expect(store.takenIn == 0 && store.leftover == nil && secondNames.isEmpty, note)
    try expectUsable(store)
  }

  @Test func `A file of that name that was never a store stays, and is reported`() throws {
    try FileManager.default.removeItem(atPath: scratch.path + ".second.lock")
    try scratch.write(Array("my notes".utf8), Self.tail)
    let readers = try CaptureStore.openAllForReading(scratch.path)
    #expect(readers.map(\.tally.rows) == [3], note)
    #expect("\(readers[0].leftover.map { "\($0)" } ?? "")".contains("not a capture store"), note)
    for _ in 1...2 {
      let store = try scratch.open()
      let leftover = try #require(store.leftover, note)
      #expect("\(leftover)".contains("not a capture store"), "\(leftover); \(note)")
      #expect(leftover.cause == .other && leftover.reasonToStartAnew == nil, note)
      #expect(store.takenIn == nil && secondNames == ["race.store.second"], "\(secondNames)")
    }
    #expect(scratch.bytes(Self.tail) == Array("my notes".utf8), note)
    try expectUsable(scratch.open())
  }

  @Test func `One of a later version waits for the newer program`() throws {
    try SQLiteDatabase(path: scratch.path + Self.tail).execute(
      "CREATE TABLE later (a); PRAGMA user_version = 99")
    let readers = try CaptureStore.openAllForReading(scratch.path)
    #expect(readers.count == 1 && readers[0].leftover != nil, note)
    let store = try scratch.open()
    let line = store.leftover.map { "\($0)" } ?? ""
    #expect(line.contains("install the newer program") && !line.contains("\n"), "\(line); \(note)")
    try expectUsable(store)
    #expect(
      try SQLiteDatabase(path: scratch.path + Self.tail).integer("SELECT count(*) FROM captures")
        == 500)
  }

  @Test func `One whose own salvage was broken off between two renames is taken in`() throws {
    try FileManager.default.moveItem(
      atPath: scratch.path + Self.tail,
      toPath: scratch.path + ".second.salvaged-20121006T090000Z")
    let store = try scratch.open()
    #expect(try seconds(store) == Array(1...500), note)
    #expect(secondNames.isEmpty, "\(secondNames); \(note)")
    #expect(store.secondDamage?.recovered == 500, "the damage of then is told; \(note)")
  }

  @Test func `One that another process has open waits for that, and not for room`() throws {
    var other: CaptureStore? = try second
    let store = try scratch.open()
    let leftover = try #require(store.leftover, note)
    #expect(leftover.cause == .inUse && leftover.reasonToStartAnew == nil, note)
    #expect("\(leftover)".contains("another process has it open"), "\(leftover); \(note)")
    #expect(!"\(leftover)".contains("room") && !"\(leftover)".contains("KB"), "\(leftover)")
    try expectUsable(store)
    _ = consume store
    #expect(other?.tally.rows == 500, note)
    other = nil
    let reason = leftover.reasonToStartAnew ?? ""
    #expect(reason.contains("no other process uses"), "\(reason); \(note)")
    #expect(try scratch.open().takenIn == 500, note)
  }

  @Test(arguments: [false, true])
  func `A power cut at any step of the way loses nothing of it`(_ isDamaged: Bool) throws {
    if isDamaged {
      var bytes = scratch.bytes(Self.tail)
      let captures = bytes.count / 4 * 3
      for index in captures..<captures + 100 { bytes[index] ^= 0xFF }
      try scratch.write(bytes, Self.tail)
    }
    // Some of them in its log.
    let copy = try Scratch()
    do {
      let open = try isDamaged ? nil : second
      try open?.fill(20)
      try copy.put(scratch.files)
    }
    let beginning = copy.files
    let expected = try CaptureStore.openForReading(copy.path + Self.tail).numbers()
    #expect(expected.count > 400, note)
    let record = PowerCut.Record()
    let disk = Disk { step in
      record.moments.append(
        PowerCut.Moment(
          files: copy.files.filter { $0.key.contains("second") }, step: step.in(copy.folder)))
      return 0
    }
    let mover = SecondStore(path: CaptureStore.second(of: copy.path), disk: disk)
    do {
      let database = try StoreFile.connect(copy.path)
      let outcome = mover.move(into: database, at: start)
      #expect(outcome.takenIn == expected.count && outcome.leftover == nil, "\(outcome); \(note)")
      #expect((outcome.damage != nil) == isDamaged, note)
    }
    let first = copy.files.filter { !$0.key.contains("second") }
    record.moments.append(
      PowerCut.Moment(files: copy.files.filter { $0.key.contains("second") }, step: nil))
    let states = PowerCut.states(
      of: record.moments, from: beginning.filter { $0.key.contains("second") })
    #expect(states.count > 3, "\(states.count); \(note)")
    for state in states {
      let scratch = try Scratch()
      // What was copied is on the disk before the first step.
      try scratch.put(first.merging(state.files) { $1 })
      let store = try scratch.open()
      #expect(try seconds(store) == expected, "\(state.description); \(note)")
      #expect(store.leftover == nil && store.nextSequence == 4, "\(state.description); \(note)")
      let names = scratch.names.filter { $0.contains("second") && !$0.hasSuffix(".lock") }
      #expect(names.isEmpty || isDamaged, "\(names): \(state.description); \(note)")
      #expect(names.allSatisfy { $0.contains(".damaged-") }, "\(names): \(state.description)")
    }
  }
}
