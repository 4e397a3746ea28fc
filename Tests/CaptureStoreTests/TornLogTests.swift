import CaptureStore
import Foundation
import Testing
import TrackerCore

/// Power that goes at any byte of the write-ahead log.
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
