internal import SystemCalls
internal import Wording

/// The file operations of a salvage. Each is on the disk before the next begins. Tests observe them
/// and simulate a power cut in between.
struct Disk {
  enum Step: Sendable, Equatable {
    case rename(String, to: String)
    case remove(String)
    case empty(String)
    case flushFile(String)
    case flushDirectory(String)
  }

  /// Called before each step; the step fails with the returned `errno` unless it is 0.
  var willPerform: (Step) -> Int32 = { _ in 0 }

  /// Free bytes for ordinary users; `nil` if the file system does not report them.
  static func freeBytes(at path: String) -> Int64? {
    SystemCalls.freeBytes(at: path)
  }

  static func isThere(_ path: String) -> Bool { may(.exist, path) }

  static func size(of path: String) -> Int64 {
    (try? FileStatus(path))?.size ?? 0
  }

  /// The target of a symbolic link, or the path itself. A store's other files, including its lock,
  /// are beside the target.
  static func resolved(_ path: String) throws(StoreError) -> String {
    guard (try? FileStatus(path, followsLinks: false))?.kind == .link else { return path }
    do throws(SystemError) { return try SystemCalls.resolved(path) } catch {
      throw StoreError(.cannotOpen, path: path, detail: StorePhrase.dangling.texts)
    }
  }

  /// Paths of the files that begin with a prefix, sorted.
  static func files(beginning prefix: String) -> [String] {
    let folder = directory(of: prefix)
    let base = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    return names(inFolder: folder).map { base + $0 }.filter { $0.hasPrefix(prefix) }.sorted()
  }

  // MARK: Steps

  /// Renames a file durably.
  func move(_ old: String, to new: String) throws(StoreError) {
    try perform(.rename(old, to: new), old) { () throws(SystemError) in
      try renameFile(old, to: new)
    }
    try synchroniseDirectory(of: new)
  }

  /// Removes a file durably if it exists.
  func remove(_ path: String) throws(StoreError) {
    guard Self.isThere(path) else { return }
    try perform(.remove(path), path) { () throws(SystemError) in
      try removeFile(path)
    }
    try synchroniseDirectory(of: path)
  }

  /// Removes what a file contains, durably.
  func empty(_ path: String) throws(StoreError) {
    try perform(.empty(path), path) { () throws(SystemError) in
      try Descriptor(opening: path, .write).truncate(to: 0)
    }
    try synchronise(path)
  }

  /// Flushes a file to disk.
  func synchronise(_ path: String) throws(StoreError) {
    try perform(.flushFile(path), path) { () throws(SystemError) in
      try Descriptor(opening: path, .read).synchronise()
    }
  }

  /// A name is on disk only when its directory is.
  private func synchroniseDirectory(of path: String) throws(StoreError) {
    let folder = directory(of: path)
    try perform(.flushDirectory(folder), folder) { () throws(SystemError) in
      try SystemCalls.synchroniseDirectory(folder)
    }
  }

  private func perform(
    _ step: Step, _ path: String, _ body: () throws(SystemError) -> Void
  ) throws(StoreError) {
    let refusal = willPerform(step)
    guard refusal == 0 else { throw StoreError(path, code: refusal) }
    do throws(SystemError) { try body() } catch { throw StoreError(path, code: error.code) }
  }
}
