internal import Glibc
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
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int64(clamping: status.f_bavail) * Int64(clamping: status.f_frsize)
  }

  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// The target of a symbolic link, or the path itself. A store's other files, including its lock,
  /// are beside the target.
  static func resolved(_ path: String) throws(StoreError) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let real = realpath(path, nil) else {
      throw StoreError(.cannotOpen, path: path, detail: StorePhrase.dangling.texts)
    }
    defer { free(real) }
    return String(cString: real)
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
      guard Glibc.rename(old, new) == 0 else { throw .last }
    }
    try synchroniseDirectory(of: new)
  }

  /// Removes a file durably if it exists.
  func remove(_ path: String) throws(StoreError) {
    guard Self.isThere(path) else { return }
    try perform(.remove(path), path) { () throws(SystemError) in
      guard unlink(path) == 0 else { throw .last }
    }
    try synchroniseDirectory(of: path)
  }

  /// Removes what a file contains, durably.
  func empty(_ path: String) throws(StoreError) {
    try perform(.empty(path), path) { () throws(SystemError) in
      guard truncate(path, 0) == 0 else { throw .last }
    }
    try synchronise(path)
  }

  /// Flushes a file to disk.
  func synchronise(_ path: String) throws(StoreError) {
    try perform(.flushFile(path), path) { () throws(SystemError) in
      try Descriptor(opening: path, O_RDONLY).synchronise()
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
