import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// Power that goes at any byte of the write-ahead log, or of a new store's first write.
@Suite struct TornLogTests {
  private let note = again("TornLogTests")
  /// What had been done when the log had a length.
  private struct Commit {
    var logBytes: Int
    var rows: [Row]
  }
  private struct Row: Equatable {
    var sequence: UInt32
    var state: CaptureState
  }

  private func rows(_ store: CaptureStore) throws -> [Row] {
    try store.page(limit: .max).map { Row(sequence: $0.capture.sequence, state: $0.state) }
  }

  @Test func `Every prefix of the log opens and holds each whole commit, and none half`() throws {
    let scratch = try Scratch()
    var commits: [Commit] = []
    let store = try scratch.open()
    func record() throws {
      commits.append(Commit(logBytes: scratch.bytes("-wal").count, rows: try rows(store)))
    }
    for round in 0..<8 {
      for _ in 0..<5 {
        try store.fill(1)
        try record()
      }
      let sent = try store.select(.freshest(limit: 4), at: start).map(\.key)
      try record()
      try store.acknowledge(round % 3 == 0 ? sent : [sent[0]], at: start)
      try record()
      if round % 4 == 3 { try store.setAside([sent[1]], code: 7, at: start) }
      try record()
    }
    let (main, log) = (scratch.bytes(), scratch.bytes("-wal"))
    #expect(log.count == commits.last?.logBytes, "the log must not have begun anew; \(note)")

    // Each frame's end, one byte before and behind it, its header's middle, and bytes in between.
    let frame = 24 + 4096
    var cuts: Set<Int> = [0, 1, 16, 31, log.count]
    for end in stride(from: 32, through: log.count, by: frame) {
      for offset in [-1, 0, 1, 12, 24, 25, 1000, 4095] { cuts.insert(end + offset) }
    }
    var checked = 0
    for cut in cuts.sorted() where cut <= log.count {
      try check(main, Array(log.prefix(cut)), cut, commits)
      // Blocks of a file may come to the disk without the bytes in them: the rest are zeros.
      if cut % 5 == 0 {
        let rest = [UInt8](repeating: 0, count: log.count - cut)
        try check(main, Array(log.prefix(cut)) + rest, cut, commits)
      }
      checked += 1
    }
    #expect(checked > 400, note)
  }

  /// Of the first write nothing arrived, or its length only, or its first part.
  @Test func `A new store whose first write did not arrive starts over, and is not damaged`()
    throws
  {
    let page: [UInt8]
    do {
      let scratch = try Scratch()
      try SQLiteDatabase(path: scratch.path).execute("PRAGMA journal_mode = WAL")
      page = scratch.bytes()
      try #require(page.count == 4096, "\(page.count); \(note)")
    }
    let chosen = UniqueID(high: 0x4000, low: 1 << 63)
    for length in [0, 1, 15, 16, 17, 64, 99, 100, 512, 2048, 4095, 4096] {
      let zeros = [UInt8](repeating: 0, count: length)
      let rest = [UInt8](repeating: 0, count: 4096 - length)
      for first in [zeros, Array(page.prefix(length)), page.prefix(length) + rest] {
        let what: Comment = "\(length) of \(first.count) bytes, \(first.prefix(17)); \(note)"
        let scratch = try Scratch()
        try scratch.write(first)
        try scratch.write([], ".lock")
        let refusal = refusal { () throws(StoreError) in
          try CaptureStore.openForReading(scratch.path, wasOurs: true)
        }
        #expect(refusal?.kind == .notAStore, what)
        #expect(refusal?.detail == StorePhrase.empty.texts, what)
        let store = try CaptureStore.open(.file(scratch.path), for: .device(chosen), at: start)
        #expect(store.opening == .created && store.damage == nil, what)
        #expect(store.device == chosen && store.succession == nil, what)
        try store.fill(2)
        #expect(try store.devices().map(\.device) == [chosen], what)
        #expect(try store.numbers() == [1, 2], what)
        #expect(!scratch.names.contains { $0.contains("damaged") }, "\(scratch.names); \(what)")
      }
    }
  }

  @Test func `A store that lost all but its head, or whose log alone is left, does not begin anew`()
    throws
  {
    let (main, log, whole): ([UInt8], [UInt8], [UInt8])
    do {
      let scratch = try Scratch()
      let store = try scratch.open()
      try store.fill(20)
      (main, log) = (scratch.bytes(), scratch.bytes("-wal"))
      try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      whole = scratch.bytes()
      withExtendedLifetime(store) {}
    }
    try #require(main.count == 4096 && log.count > 4096 && whole.count > 8192, note)
    for length in [0, 16, 64, 108, 4096] {
      let scratch = try Scratch()
      try scratch.write(Array(main.prefix(length)))
      try scratch.write(log, "-wal")
      try scratch.write([], ".lock")
      let store = try scratch.open()
      #expect(try store.numbers() == Array(1...20), "\(length); \(note)")
    }
    let headless = [UInt8](repeating: 0, count: 4096) + whole.dropFirst(4096)
    for (spoilt, isThere) in [
      (Array(whole.prefix(32)), false), (Array(whole.prefix(108)), false), (headless, true),
    ] {
      let scratch = try Scratch()
      try scratch.write(spoilt)
      try scratch.write([], ".lock")
      let store = try scratch.open()
      guard case .salvaged = store.opening else {
        Issue.record("\(spoilt.count) bytes: \(store.opening); \(note)")
        continue
      }
      #expect(scratch.names.contains { $0.contains("damaged") }, "\(scratch.names); \(note)")
      #expect(try store.numbers().isEmpty != isThere, "\(spoilt.count) bytes; \(note)")
    }
  }

  @Test func `A page that is an older one is damage after which numbers are not used again`()
    throws
  {
    let scratch = try Scratch()
    let store = try scratch.open()
    func checkpointed() throws -> [UInt8] {
      try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      return scratch.bytes()
    }
    try store.fill(2)
    let older = try checkpointed()
    try store.fill(2)
    let newer = try checkpointed()
    try #require(older.count == newer.count, note)
    var salvages = 0
    for page in stride(from: 4096, to: newer.count, by: 4096) {
      var spoilt = newer
      spoilt.replaceSubrange(page..<page + 4096, with: older[page..<page + 4096])
      let other = try Scratch()
      try other.write(spoilt)
      try other.write([], ".lock")
      let store = try other.open()
      guard case .salvaged = store.opening else { continue }
      salvages += 1
      #expect(store.nextSequence > 4, "page at \(page); \(note)")
    }
    #expect(salvages > 0, note)
  }

  private func check(_ main: [UInt8], _ log: [UInt8], _ cut: Int, _ commits: [Commit]) throws {
    let scratch = try Scratch()
    try scratch.write(main)
    try scratch.write(log, "-wal")
    try scratch.write([], ".lock")
    let store = try scratch.open()
    if case .salvaged(let salvage) = store.opening {
      Issue.record("cut at \(cut): \(salvage); \(note)")
    }
    // What the last whole commit left, and what was in flight still is.
    let expected = commits.last { $0.logBytes <= cut }?.rows ?? []
    let found = try rows(store)
    try #require(found == expected, "cut at \(cut): \(found.count) rows; \(note)")
    #expect(store.nextSequence == UInt32(found.count) + 1, note)
  }
}
