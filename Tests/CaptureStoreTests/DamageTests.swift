import CaptureStore
import Foundation
import Testing
import TrackerCore

/// A file that a card has spoilt.
@Suite struct DamageTests {
  private let note = again("DamageTests")
  private static let count = 1200
  private let scratch: Scratch
  private let device: UniqueID
  private let page = 4096

  /// A store of many pages, its log played into it.
  init() throws {
    scratch = try Scratch()
    let store = try scratch.open()
    device = store.device
    try store.fill(Self.count)
    try store.acknowledge((1...500).map { CaptureKey($0) }, at: start)
    try store.setAside([600], code: 9, at: start)
  }

  private func salvage() throws -> (CaptureStore, Salvage) {
    let store = try scratch.open(at: start)
    guard case .salvaged(let salvage) = store.opening else {
      Issue.record("\(store.opening); \(note)")
      throw StoreError(.damaged, path: scratch.path)
    }
    #expect(!"\(salvage)".contains("\n"), note)
    #expect(FileManager.default.fileExists(atPath: salvage.movedTo), note)
    #expect(!scratch.names.contains { $0.contains(".salvage") }, note)
    return (store, salvage)
  }

  private func spoil(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
    var bytes = scratch.bytes()
    change(&bytes)
    try scratch.write(bytes)
    return bytes
  }

  @Test func `A torn page costs its rows only, and the count goes on above all others`() throws {
    let bytes = try spoil { bytes in
      let middle = bytes.count / page / 2
      for index in middle * page..<(middle + 1) * page { bytes[index] = 0xA5 }
    }
    let (store, salvage) = try salvage()
    #expect(salvage.isIdentityKept && store.device == device, note)
    #expect(salvage.missing > 0 && salvage.missing < 100, "\(salvage); \(note)")
    #expect(salvage.recovered + salvage.missing == Self.count, "\(salvage); \(note)")
    #expect(store.nextSequence == salvage.continuesAt, note)
    #expect(store.nextSequence > UInt32(Self.count), note)
    #expect(try store.page(limit: .max, state: .setAside).first?.code ?? 9 == 9, note)
    #expect(store.tally.rows == salvage.recovered, note)
    #expect(
      Array(FileManager.default.contents(atPath: salvage.movedTo) ?? Data()) == bytes,
      "the evidence is as it was found; \(note)")
    // It is a store like any other.
    try store.fill(10)
    _ = consume store
    #expect(try scratch.open().opening == .opened, note)
  }

  @Test func `Half a file gives half of its captures`() throws {
    _ = try spoil { $0.removeLast($0.count / 2) }
    let (store, salvage) = try salvage()
    #expect(store.device == device, note)
    #expect(salvage.recovered > Self.count / 5, "\(salvage); \(note)")
    #expect(store.nextSequence > UInt32(Self.count), note)
  }

  @Test func `Zeros at the end cost what was there`() throws {
    _ = try spoil { bytes in
      for index in bytes.count - 5 * page..<bytes.count { bytes[index] = 0 }
    }
    let (store, salvage) = try salvage()
    #expect(store.device == device, note)
    #expect(salvage.recovered > Self.count - 400, "\(salvage); \(note)")
  }

  @Test
  func `A store that is no longer a database is replaced, because its lock shows whose it was`()
    throws
  {
    for content in [Array("hello".utf8), [UInt8](repeating: 0, count: 9000)] {
      try scratch.write(content)
      let (store, salvage) = try salvage()
      #expect(!salvage.isIdentityKept && store.device != device, note)
      #expect(salvage.recovered == 0 && store.nextSequence == 1, note)
    }
    #expect(scratch.names.filter { $0.contains("damaged") }.count == 2, "\(scratch.names)")
  }

  @Test func `Damage of any page leaves a store that works and keeps what it can`() throws {
    let whole = scratch.bytes()
    var (salvages, identities) = (0, 0)
    for torn in 0..<whole.count / page {
      var bytes = whole
      for index in torn * page..<(torn + 1) * page { bytes[index] ^= 0x5A }
      try scratch.write(bytes)
      for tail in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: scratch.path + tail)
      }
      let store = try scratch.open()
      try store.fill(1)
      guard case .salvaged(let salvage) = store.opening else { continue }
      // Whichever page it is, the rest is there: at most a page's rows are missing.
      #expect(salvage.recovered > Self.count - 100, "page \(torn + 1): \(salvage); \(note)")
      if salvage.isIdentityKept { #expect(store.nextSequence > UInt32(Self.count), note) }
      identities += salvage.isIdentityKept ? 1 : 0
      salvages += 1
    }
    #expect(salvages > 30 && identities >= salvages - 1, "one page holds the identity; \(note)")
  }

  @Test func `Random bytes anywhere never end the program`() throws {
    let whole = scratch.bytes()
    var generator = Splitmix(state: 7)
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<1 + generator.next() % 12 {
        bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(
          truncatingIfNeeded: generator.next())
      }
      try scratch.write(bytes)
      for tail in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: scratch.path + tail)
      }
      do throws(StoreError) {
        let store = try scratch.open()
        try store.fill(1)
        _ = try store.select(.oldest(limit: 50), at: start)
        _ = try store.page(limit: 5000)
      } catch {
        // Damage may pass for another program's file, or a later version's: then nothing changes.
        #expect(!"\(error)".contains("\n"), note)
      }
    }
  }

  private struct Splitmix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }

  @Test func `A power cut between the moves of a salvage is made good`() throws {
    // The new store is whole, the damaged one has moved, its log has not.
    try FileManager.default.moveItem(atPath: scratch.path, toPath: scratch.path + ".salvage")
    try scratch.write([1, 2, 3], "-wal")
    let store = try scratch.open()
    #expect(store.opening == .opened && store.device == device, note)
    #expect(store.tally.rows == Self.count, note)
    #expect(scratch.names.contains { $0.hasSuffix("Z-wal") }, "\(scratch.names)")
  }
}
