import Glibc
import SystemCalls
public import Traces
public import TrackerCore

/// Writes the files of a recording: FILE is the current one, FILE.1 the previous one, and so on.
///
/// A file contains only complete records; one that could not be written completely is removed. When
/// writing fails the recording stops, reports that, and resumes by itself later.
public final class TraceFileSink: TraceSink {
  public enum Event: Sendable, Equatable {
    case stopped(RecordingWriteError)
    case goesOn
  }

  public let path: String
  private let bounds: RecordingBounds
  /// Called once when it stops and once when it resumes.
  private let tell: (Event) -> Void

  private var descriptor: Int32 = -1
  /// The size of the complete records in the file.
  private var size: Int64 = 0
  private var unsynced: Int64 = 0
  private var syncedAt: Instant?
  private var trouble: (what: RecordingWriteError, retryAt: Instant)?

  /// Why nothing is being recorded; `nil` while something is.
  public var problem: RecordingWriteError? { trouble?.what }

  /// Begins a file; an existing one becomes FILE.1. If that fails the recording starts as stopped,
  /// reports that, and retries.
  public init(
    path: String, bounds: RecordingBounds = RecordingBounds(),
    tell: @escaping (Event) -> Void = { _ in }
  ) {
    self.path = path
    self.bounds = bounds
    self.tell = tell
    do throws(RecordingWriteError) { try begin() } catch {
      trouble = (error, .start)
      tell(.stopped(error))
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  public var isPartFull: Bool { size >= bounds.partBytes }

  public func write(_ lines: [UInt8], at now: Instant) -> Bool {
    if let trouble, now < trouble.retryAt { return false }
    var before: Int64?
    do throws(RecordingWriteError) {
      if descriptor < 0 { try begin() }
      before = size
      // Requires some more space than the bound, so that it does not alternate between stopping and
      // resuming.
      if trouble != nil { try expectFree(bounds.freeBytes + bounds.freeBytes / 4) }
      try append(lines)
      try syncIfDue(at: now)
      if trouble != nil { tell(.goesOn) }
      trouble = nil
      return true
    } catch {
      if let before { takeBack(to: before) }
      if trouble == nil { tell(.stopped(error)) }
      trouble = (error, now + bounds.retryInterval)
      return false
    }
  }

  public func beginPart() {
    if descriptor >= 0 {
      // If this fails the next write does too, and reports it.
      fdatasync(descriptor)
      close(descriptor)
    }
    descriptor = -1
  }

  public func finish() { beginPart() }

  // MARK: The file

  private func append(_ lines: [UInt8]) throws(RecordingWriteError) {
    var written = 0
    while written < lines.count {
      let count = retryingOnInterrupt {
        lines[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      guard count >= 0 else {
        throw RecordingWriteError(path: path, operation: .write, code: errno)
      }
      written += count
    }
    size += Int64(lines.count)
    unsynced += Int64(lines.count)
  }

  private func syncIfDue(at now: Instant) throws(RecordingWriteError) {
    let since = syncedAt ?? now
    if syncedAt == nil { syncedAt = now }
    guard unsynced >= bounds.syncBytes || now - since >= bounds.syncInterval else { return }
    guard retryingOnInterrupt({ fdatasync(descriptor) }) == 0 else {
      throw RecordingWriteError(path: path, operation: .save, code: errno)
    }
    unsynced = 0
    syncedAt = now
    try expectFree(bounds.freeBytes)
  }

  private func expectFree(_ bytes: Int64) throws(RecordingWriteError) {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return }
    guard Int64(status.f_bavail) * Int64(status.f_frsize) >= bytes else {
      throw RecordingWriteError(path: path, operation: .resume, code: ENOSPC)
    }
  }

  /// Removes an incomplete record; if that fails too, a new file is begun.
  private func takeBack(to end: Int64) {
    size = end
    let isBack =
      ftruncate(descriptor, off_t(end)) == 0 && lseek(descriptor, off_t(end), SEEK_SET) >= 0
    if !isBack { beginPart() }
  }

  // MARK: Rotation

  private func begin() throws(RecordingWriteError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw RecordingWriteError(
          path: path, operation: .begin, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENXIO)
      }
      try rotate()
    }
    // Positions may be read by the group only.
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let opened = retryingOnInterrupt { open(path, flags, 0o600) }
    guard opened >= 0 else {
      throw RecordingWriteError(path: path, operation: .begin, code: errno)
    }
    FolderGroup.give(opened, path, mode: 0o640)
    descriptor = opened
    size = 0
    unsynced = 0
    syncedAt = nil
  }

  /// FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on; the oldest is removed if there are too
  /// many.
  private func rotate() throws(RecordingWriteError) {
    try expectRecording(path)
    var count = 0
    while count < bounds.olderFiles, access(older(count + 1), F_OK) == 0 {
      count += 1
      try expectRecording(older(count))
    }
    if count == bounds.olderFiles, count > 0 {
      unlink(older(count))
      count -= 1
    }
    while count >= 0 {
      let next = older(count + 1)
      guard rename(older(count), next) == 0 else {
        throw RecordingWriteError(path: next, operation: .rotate, code: errno)
      }
      count -= 1
    }
    prune()
  }

  /// Ensures that only recordings are moved or removed.
  private func expectRecording(_ path: String) throws(RecordingWriteError) {
    guard RecordingPart.isOne(path) else {
      throw RecordingWriteError(path: path, operation: .makeRoom, code: EEXIST)
    }
  }

  /// Removes the oldest files until another part fits within the bound.
  private func prune() {
    var total = bounds.partBytes
    var number = 1
    var status = stat()
    while stat(older(number), &status) == 0, RecordingPart.isOne(older(number)) {
      total += Int64(status.st_size)
      if total > bounds.totalBytes { unlink(older(number)) }
      number += 1
    }
  }

  private func older(_ number: Int) -> String { RecordingPart.path(number, of: path) }
}
