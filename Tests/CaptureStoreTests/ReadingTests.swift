import Foundation
import SQLite
import Testing
import TrackerCore

@testable import CaptureStore

/// Reading beside a tracker, after it, and by somebody who may not write.
@Suite(.blocking) struct ReadingTests {
  private let note = again("ReadingTests")

  @Test func `A store is its owner's, and its group may read it`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(1)
    func expectModes() throws {
      for name in scratch.names {
        let path = scratch.folder + "/" + name
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o640, "\(name): \(String(describing: mode)); \(note)")
      }
    }
    #expect(scratch.names.count == 4, "\(scratch.names); \(note)")
    try expectModes()
    _ = consume store
    // As an earlier version left it.
    for name in scratch.names { chmod(scratch.folder + "/" + name, 0o644) }
    let again = try scratch.open()
    try again.fill(1)
    try expectModes()
  }

  @Test func `A salvaged store has the mode and the owner of the one before`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(3)
    chmod(scratch.path, 0o600)
    // Other owners can be given by root only, and not in a user namespace of one user.
    let isGiven = chown(scratch.path, 4711, 4712) == 0
    var bytes = scratch.bytes()
    bytes[3] ^= 0xFF
    let descriptor = Glibc.open(scratch.path, O_WRONLY)
    #expect(pwrite(descriptor, bytes, 16, 0) == 16)
    close(descriptor)
    let store = try scratch.open()
    guard case .salvaged = store.opening else {
      Issue.record("\(store.opening); \(note)")
      return
    }
    try store.fill(1)
    for tail in ["", "-wal", "-shm"] {
      var status = stat()
      #expect(stat(scratch.path + tail, &status) == 0, note)
      #expect(status.st_mode & 0o777 == 0o640, "\(tail) \(status.st_mode); \(note)")
      if isGiven {
        #expect(status.st_uid == 4711 && status.st_gid == 4712, "\(tail); \(note)")
      }
    }
  }

  @Test func `A reader leaves no file behind, also where he might write`() throws {
    let scratch = try Scratch()
    try scratch.open().fill(5)
    let before = scratch.files
    #expect(before.keys.sorted() == ["race.store", "race.store.lock"], note)
    let reader = try CaptureStore.openForReading(scratch.path)
    #expect(try reader.numbers() == [1, 2, 3, 4, 5], note)
    #expect(scratch.files == before, "\(scratch.names); \(note)")
    let store = try scratch.open()
    try store.fill(1)
    #expect(try reader.numbers() == [1, 2, 3, 4, 5], "what was there then; \(note)")
  }

  @Test func `A reader beside a tracker that writes all the time reads whole moments`() throws {
    let scratch = try Scratch()
    let store = try scratch.open()
    try store.fill(1)
    let path = scratch.path
    let isDone = Flag()
    let counts = Counts()
    let thread = Thread {
      while !isDone.isSet {
        do {
          let reader = try CaptureStore.openForReading(path)
          let numbers = try reader.numbers()
          counts.add(
            reader.damage.map { "damaged: \($0)" }
              ?? (numbers == Array(1...UInt32(numbers.count)) ? nil : "\(numbers)"))
        } catch { counts.add("\(error)") }
      }
      counts.end()
    }
    thread.start()
    // Beyond the size at which the log is played into the file, more than once.
    for round in 0..<1500 {
      try store.fill(1)
      if round % 100 == 50 {
        let sent = try store.select(.oldest(limit: 40), at: start).map(\.key)
        try store.acknowledge(sent, at: start)
      }
      if round % 300 == 0 {
        try SQLiteDatabase(path: path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
    isDone.set()
    counts.wait()
    #expect(counts.problems.isEmpty, "\(counts.problems.prefix(3)); \(note)")
    #expect(counts.reads > 0, note)
  }
}

private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}

private final class Counts: @unchecked Sendable {
  private let lock = NSLock()
  private let ended = DispatchSemaphore(value: 0)
  private(set) var reads = 0
  private(set) var problems: [String] = []
  func add(_ problem: String?) {
    lock.withLock {
      reads += 1
      if let problem { problems.append(problem) }
    }
  }
  func end() { ended.signal() }
  func wait() { ended.wait() }
}
