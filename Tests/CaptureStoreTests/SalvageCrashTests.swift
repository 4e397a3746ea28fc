import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// Power that goes at any step of a salvage, with whatever a file system may have written by then.
@Suite struct SalvageCrashTests {
  private let note = again("SalvageCrashTests")
  private static let count = 400

  /// A damaged store with a log that holds some of its captures.
  private struct Damaged {
    var files: PowerCut.Files
    var device: UniqueID
    /// What can be read of it.
    var numbers: [UInt32]
  }

  private func damaged() throws -> Damaged {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(Self.count - 60)
    try SQLiteDatabase(path: scratch.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try store.fill(60)
    var files = PowerCut.Files()
    for tail in ["", "-wal", ".lock"] { files["race.store" + tail] = scratch.bytes(tail) }
    // A page in the middle, which the log does not hold.
    var main = try #require(files["race.store"])
    let page = try #require(
      (main.count / 4096 / 2..<main.count / 4096).first { page in
        let rows = RawRecord.rows(of: Array(main[page * 4096..<(page + 1) * 4096]), from: 0)
        return rows.contains { CaptureRow.mayBe($0, isChecked: true) }
      })
    for index in page * 4096..<(page + 1) * 4096 { main[index] = 0xA5 }
    files["race.store"] = main
    let copy = try Scratch()
    try copy.put(files)
    let reader = try CaptureStore.openForReading(copy.path)
    let numbers = try reader.numbers()
    #expect(numbers.count > Self.count - 60 && numbers.count < Self.count, note)
    #expect(numbers.suffix(60) == Array(UInt32(Self.count - 59)...UInt32(Self.count)), note)
    return Damaged(files: files, device: store.device, numbers: numbers)
  }

  /// The steps of whatever an opening does to these files.
  private func steps(of files: PowerCut.Files) throws -> [PowerCut.Moment] {
    let scratch = try Scratch()
    try scratch.put(files)
    let record = PowerCut.Record()
    let disk = Disk { step in
      record.moments.append(PowerCut.Moment(files: scratch.files, step: step.in(scratch.folder)))
      return 0
    }
    let salvage = SalvageSteps(path: scratch.path, disk: disk)
    if try salvage.finishInterrupted(at: start) == nil {
      _ = try salvage.run(damage: "torn", at: start)
    }
    record.moments.append(PowerCut.Moment(files: scratch.files, step: nil))
    return record.moments
  }

  private func check(_ files: PowerCut.Files, _ damaged: Damaged, _ what: String) throws {
    let scratch = try Scratch()
    try scratch.put(files)
    let store = try scratch.open()
    #expect(try store.numbers() == damaged.numbers, "\(what); \(note)")
    #expect(store.device == damaged.device, "\(what); \(note)")
    #expect(store.nextSequence > UInt32(Self.count), "\(what); \(note)")
    let kept = scratch.files
    guard case .salvaged(let salvage) = store.opening else {
      // It was the very last step that was not reported.
      let isDone = files["race.store"] != damaged.files["race.store"] && files["race.store"] != nil
      #expect(isDone && store.opening == .opened, "\(store.opening): \(what); \(note)")
      #expect(kept.values.contains(damaged.files["race.store"] ?? []), "\(what); \(note)")
      return
    }
    #expect(salvage.recovered == damaged.numbers.count, "\(what): \(salvage); \(note)")
    let name = String(salvage.movedTo.dropFirst(scratch.folder.count + 1))
    #expect(kept[name] == damaged.files["race.store"], "the evidence: \(what); \(note)")
    #expect(kept[name + "-wal"] == damaged.files["race.store-wal"], "\(what); \(note)")
    #expect(!kept.keys.contains { $0.contains(".salvage") }, "\(kept.keys.sorted()); \(note)")
  }

  @Test func `A power cut at any step loses nothing that could be read, nor does a second one`()
    throws
  {
    let damaged = try damaged()
    let moments = try steps(of: damaged.files)
    #expect(moments.count > 6, note)
    let states = PowerCut.states(of: moments, from: damaged.files)
    var seen: Set<PowerCut.Files> = []
    for state in states where seen.insert(state.files).inserted {
      try check(state.files, damaged, state.description)
    }
    var second = 0
    for state in Array(seen) {
      // What would be done is known only where it is not done yet.
      guard state["race.store"] == nil || state["race.store"] == damaged.files["race.store"] else {
        continue
      }
      let moments = try #require(try? steps(of: state), "\(state.mapValues(\.count)); \(note)")
      let again = PowerCut.states(of: moments, from: state)
      for next in again where seen.insert(next.files).inserted {
        try check(next.files, damaged, "a second power cut: " + next.description)
        second += 1
      }
    }
    print(
      "salvage: \(states.count) crash states, \(seen.count - second) different, \(second) more "
        + "by a second power cut")
    #expect(states.count > 20, note)
  }

  @Test func `A step that fails leaves what the next start completes`() throws {
    let damaged = try damaged()
    let count = try steps(of: damaged.files).count - 1
    for (failing, code) in (0..<count).flatMap({ [($0, ENOSPC), ($0, EIO)] }) {
      let scratch = try Scratch()
      try scratch.put(damaged.files)
      let record = PowerCut.Record()
      let disk = Disk { _ in
        record.count += 1
        return record.count == failing + 1 ? code : 0
      }
      let salvage = SalvageSteps(path: scratch.path, disk: disk)
      let error = #expect(throws: StoreError.self, note) {
        try salvage.run(damage: "torn", at: start)
      }
      #expect(error?.kind == (code == EIO ? .inputOutput : .diskFull), "step \(failing); \(note)")
      try check(scratch.files, damaged, "step \(failing) failed with \(code)")
    }
  }

  @Test func `A second salvage within the same second takes nothing from the first`() throws {
    let damaged = try damaged()
    let scratch = try Scratch()
    try scratch.put(damaged.files)
    var kept: [String: [UInt8]] = [:]
    for round in 1...3 {
      do {
        let store = try scratch.open()
        guard case .salvaged = store.opening else {
          Issue.record("round \(round): \(store.opening); \(note)")
          return
        }
        #expect(try store.numbers().filter { $0 <= Self.count } == damaged.numbers, note)
        try store.fill(1)
      }
      for (name, bytes) in scratch.files where name.contains(".damaged-") {
        if let before = kept[name] { #expect(before == bytes, "\(name); \(note)") }
        kept[name] = bytes
      }
      // Only its mark is spoilt, so that all of it can be read.
      var bytes = scratch.bytes()
      bytes[3] ^= 0xFF
      try scratch.write(bytes)
    }
    #expect(kept.keys.filter { !$0.hasSuffix("-wal") }.count == 3, "\(kept.keys.sorted()); \(note)")
    #expect(kept.keys.contains("race.store.damaged-20121006T100000Z-3"), "\(kept.keys.sorted())")
  }

  @Test func `A log whose file somebody has removed is not taken for another's`() throws {
    let damaged = try damaged()
    let scratch = try Scratch()
    try scratch.put(damaged.files)
    // An evidence of that second, of which only the log was left.
    let name = "race.store.damaged-20121006T100000Z-wal"
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: scratch.folder + "/" + name))
    _ = try scratch.open()
    #expect(scratch.files[name] == [1, 2, 3], note)
  }
}
