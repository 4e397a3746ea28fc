internal import Glibc
internal import SystemCalls

/// What a salvage does to names and files, one step after the other, each of them on the disk
/// before the next begins. Tests look on, and end the power in between.
struct Disk {
  enum Step: Sendable, Equatable {
    case rename(String, to: String)
    case remove(String)
    case flushFile(String)
    case flushDirectory(String)
  }

  /// Called before each step; any number but 0 is the `errno` with which it fails instead.
  var willPerform: (Step) -> Int32 = { _ in 0 }

  /// Free bytes for everybody, not only for root; `nil` where the file system does not tell.
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

  /// Where a link leads to; another path stays as it is. A store's other files stand beside the
  /// file itself, and so does its lock.
  static func resolved(_ path: String) throws(StoreError) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let real = realpath(path, nil) else {
      throw StoreError(.cannotOpen, path: path, detail: "it is a link to nothing")
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// Full paths of the files whose paths begin so, in order.
  static func files(beginning prefix: String) -> [String] {
    let folder = directory(of: prefix)
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    let base = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if (base + name).hasPrefix(prefix) { found.append(base + name) }
    }
    return found.sorted()
  }

  // MARK: Steps

  /// Gives a file another name, for good.
  func move(_ old: String, to new: String) throws(StoreError) {
    try perform(.rename(old, to: new), old) { Glibc.rename(old, new) }
    try synchroniseDirectory(of: new)
  }

  /// Removes a file if it is there, for good.
  func remove(_ path: String) throws(StoreError) {
    guard Self.isThere(path) else { return }
    try perform(.remove(path), path) { unlink(path) }
    try synchroniseDirectory(of: path)
  }

  /// What was written to a file is on disk when this returns.
  func synchronise(_ path: String) throws(StoreError) {
    try perform(.flushFile(path), path) { Self.synchronise(path, O_RDONLY) }
  }

  /// A name is on disk when its directory is.
  private func synchroniseDirectory(of path: String) throws(StoreError) {
    let folder = directory(of: path)
    try perform(.flushDirectory(folder), folder) {
      Self.synchronise(folder, O_RDONLY | O_DIRECTORY)
    }
  }

  private static func synchronise(_ path: String, _ flags: Int32) -> Int32 {
    let descriptor = retryingOnInterrupt { open(path, flags | O_CLOEXEC) }
    guard descriptor >= 0 else { return -1 }
    defer { close(descriptor) }
    let result = retryingOnInterrupt { fsync(descriptor) }
    // Some file systems have no such thing for directories.
    return result != 0 && errno == EINVAL && flags & O_DIRECTORY != 0 ? 0 : result
  }

  private func perform(
    _ step: Step, _ path: String, _ body: () -> Int32
  ) throws(StoreError) {
    let refusal = willPerform(step)
    guard refusal == 0 else { throw StoreError(path, code: refusal) }
    guard body() == 0 else { throw StoreError(path, code: errno) }
  }
}
