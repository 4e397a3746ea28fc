import SystemCalls
public import Traces
public import TrackerCore
public import Wording

/// Writes the files of a recording: FILE is the current one, FILE.1 the previous one, and so on.
///
/// A file contains only complete records; one that could not be written completely is removed. When
/// writing fails the recording stops, reports that, and resumes by itself later.
public final class TraceFileSink: TraceSink {
  public enum Event: Sendable, Equatable {
    case stopped(RecordingWriteError)
    case goesOn
  }

  let path: String
  private let bounds: RecordingBounds
  /// Called once when it stops and once when it resumes.
  private let tell: (Event) -> Void

  private var file: Descriptor?
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

  public var isPartFull: Bool { size >= bounds.partBytes }

  public func write(_ lines: [UInt8], at now: Instant) -> Bool {
    if let trouble, now < trouble.retryAt { return false }
    var before: Int64?
    do throws(RecordingWriteError) {
      if file == nil { try begin() }
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
    // If this fails the next write does too, and reports it.
    try? file?.synchroniseData()
    file = nil
  }

  public func finish() { beginPart() }

  // MARK: The file

  private func append(_ lines: [UInt8]) throws(RecordingWriteError) {
    do throws(SystemError) { try file?.writeAll(lines) } catch {
      throw RecordingWriteError(path: path, operation: .write, code: error.code)
    }
    size += Int64(lines.count)
    unsynced += Int64(lines.count)
  }

  private func syncIfDue(at now: Instant) throws(RecordingWriteError) {
    let since = syncedAt ?? now
    if syncedAt == nil { syncedAt = now }
    guard unsynced >= bounds.syncBytes || now - since >= bounds.syncInterval else { return }
    do throws(SystemError) { try file?.synchroniseData() } catch {
      throw RecordingWriteError(path: path, operation: .save, code: error.code)
    }
    unsynced = 0
    syncedAt = now
    try expectFree(bounds.freeBytes)
  }

  private func expectFree(_ bytes: Int64) throws(RecordingWriteError) {
    guard let free = file?.freeBytes, free < bytes else { return }
    throw RecordingWriteError(path: path, operation: .resume, code: Errno.noSpace)
  }

  /// Removes an incomplete record; if that fails too, a new file is begun.
  private func takeBack(to end: Int64) {
    size = end
    if (try? file?.truncate(to: end)) == nil { beginPart() }
  }

  // MARK: Rotation

  private func begin() throws(RecordingWriteError) {
    if let status = try? FileStatus(path) {
      guard status.kind == .file else {
        throw RecordingWriteError(
          path: path, operation: .begin,
          code: status.kind == .folder ? Errno.isFolder : Errno.noDeviceOrAddress)
      }
      try rotate()
    }
    // Positions may be read by the group only.
    do throws(SystemError) {
      let opened = try Descriptor(
        opening: path, [.write, .create, .exclusive, .noFollow], mode: 0o600)
      FolderGroup.give(opened, path, mode: 0o640)
      file = consume opened
    } catch {
      throw RecordingWriteError(path: path, operation: .begin, code: error.code)
    }
    size = 0
    unsynced = 0
    syncedAt = nil
  }

  /// FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on; the oldest is removed if there are too
  /// many.
  private func rotate() throws(RecordingWriteError) {
    try expectRecording(path)
    var count = 0
    while count < bounds.olderFiles, may(.exist, older(count + 1)) {
      count += 1
      try expectRecording(older(count))
    }
    if count == bounds.olderFiles, count > 0 {
      try? removeFile(older(count))
      count -= 1
    }
    while count >= 0 {
      let next = older(count + 1)
      do throws(SystemError) { try renameFile(older(count), to: next) } catch {
        throw RecordingWriteError(path: next, operation: .rotate, code: error.code)
      }
      count -= 1
    }
    prune()
  }

  /// Ensures that only recordings are moved or removed.
  private func expectRecording(_ path: String) throws(RecordingWriteError) {
    guard RecordingPart.isOne(path) else {
      throw RecordingWriteError(path: path, operation: .makeRoom, code: Errno.exists)
    }
  }

  /// Removes the oldest files until another part fits within the bound.
  private func prune() {
    var total = bounds.partBytes
    var number = 1
    while let status = try? FileStatus(older(number)), RecordingPart.isOne(older(number)) {
      total += status.size
      if total > bounds.totalBytes { try? removeFile(older(number)) }
      number += 1
    }
  }

  private func older(_ number: Int) -> String { RecordingPart.path(number, of: path) }
}

/// The files of a recording: FILE, and the older FILE.1, FILE.2, …
public enum RecordingPart {
  /// - Parameter number: 0 is the current file.
  public static func path(_ number: Int, of path: String) -> String {
    number == 0 ? path : "\(path).\(number)"
  }

  /// Whether a file is part of a recording, so that it may be moved or removed. This includes files
  /// that are empty or all zeros, as left by a power cut.
  public static func isOne(_ path: String) -> Bool {
    guard let file = try? Descriptor(opening: path, [.read, .nonBlocking]),
      let status = try? file.status(), status.kind == .file,
      let bytes = try? file.firstBytes(atMost: 200)
    else { return false }
    return bytes.allSatisfy { $0 == 0 }
      || String(decoding: bytes, as: UTF8.self).has("# trailtracker recording")
  }
}

/// Why a recording cannot be written: one line that says what, where and what to do.
public struct RecordingWriteError: Error, Sendable, Equatable, Worded {
  public var path: String
  /// What could not be done.
  var operation: RecordingPhrase
  /// The value of `errno`.
  public var code: Int32

  public var texts: Texts { operation.texts(path, SystemReason.texts(of: code), cure.texts) }

  private var cure: RecordingPhrase {
    switch code {
    case Errno.noSpace, Errno.overQuota: .cureSpace
    case Errno.noSuchFile: .cureDirectory
    case Errno.exists: .cureExists
    case Errno.accessDenied, Errno.notPermitted: .curePermissions
    case Errno.readOnlyFileSystem: .cureMount
    case Errno.isFolder, Errno.noDeviceOrAddress, Errno.notFolder: .cureFile
    default: .cureDisk
    }
  }
}
