internal import Glibc

// MARK: Names

/// The directory part of a path; "." for a bare name.
public func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The path without symbolic links and dots. The corresponding C function is `realpath`.
public func resolved(_ path: String) throws(SystemError) -> String {
  guard let found = realpath(path, nil) else { throw .last("realpath", path) }
  defer { free(found) }
  return String(cString: found)
}

/// Where a symbolic link leads, unchanged; `nil` if it is not a link.
public func destination(ofLink path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &bytes, bytes.count)
  if count < 0 { return nil }
  return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The names of a folder's entries in the kernel's order, without `.` and `..`; none if it cannot
/// be read.
public func names(inFolder path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // A record ends behind its name, and not behind the 256 bytes that the type has for it.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
    let bytes = UnsafeRawPointer(entry) + offset
    let name = String(cString: bytes.assumingMemoryBound(to: CChar.self))
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

// MARK: What is there

/// What the kernel knows of a file. The corresponding C structure is `stat`.
public struct FileStatus: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case file, folder, link, socket, pipe, characterDevice, blockDevice, other
  }

  public let kind: Kind
  /// Bytes.
  public let size: Int64
  /// The twelve lowest bits of the mode.
  public let permissions: UInt32
  public let owner: UInt32
  public let group: UInt32
  /// Together with `number`, what makes two paths one file.
  public let fileSystem: UInt64
  public let number: UInt64
  /// How many names it has.
  public let names: UInt64
  /// Of a device file: its own number.
  public let device: UInt64
  /// When the content was last changed: seconds since 1970, and nanoseconds.
  public let modified: (seconds: Int, nanoseconds: Int)

  /// Whether both are of one file, under whatever names.
  public func isSame(as other: FileStatus) -> Bool {
    fileSystem == other.fileSystem && number == other.number
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.kind == b.kind && a.size == b.size && a.permissions == b.permissions && a.owner == b.owner
      && a.group == b.group && a.fileSystem == b.fileSystem && a.number == b.number
      && a.names == b.names && a.device == b.device && a.modified == b.modified
  }

  /// Of what is at a path.
  ///
  /// - Parameter followsLinks: `false`: of the link itself.
  public init(_ path: String, followsLinks: Bool = true) throws(SystemError) {
    var status = stat()
    try systemCall(followsLinks ? "stat" : "lstat", path) {
      followsLinks ? stat(path, &status) : lstat(path, &status)
    }
    self.init(status)
  }

  /// Of an open file: the same file is looked at and used.
  init(_ descriptor: borrowing Descriptor) throws(SystemError) {
    try self.init(number: descriptor.number)
  }

  /// Of an open file that the caller does not own, such as a standard stream.
  public init(number: Int32) throws(SystemError) {
    var status = stat()
    try systemCall("fstat") { fstat(number, &status) }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFSOCK: .socket
      case S_IFIFO: .pipe
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: .other
      }
    size = Int64(status.st_size)
    permissions = status.st_mode & 0o7777
    (owner, group) = (status.st_uid, status.st_gid)
    fileSystem = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    names = UInt64(status.st_nlink)
    device = UInt64(status.st_rdev)
    modified = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

extension Descriptor {
  public func status() throws(SystemError) -> FileStatus { try FileStatus(self) }
}

/// What is at a path, through symbolic links.
public enum PathKind: Sendable {
  case folder, other
}

/// - Returns: `nil` if there is nothing, or it cannot be looked at.
public func kind(ofPath path: String) -> PathKind? {
  guard let status = try? FileStatus(path) else { return nil }
  return status.kind == .folder ? .folder : .other
}

/// Whether this process may do that with a path. The corresponding C function is `access`.
public enum PathUse: Sendable {
  case exist, read, write, run
}

public func may(_ use: PathUse, _ path: String) -> Bool {
  let mode =
    switch use {
    case .exist: F_OK
    case .read: R_OK
    case .write: W_OK
    case .run: X_OK
    }
  return access(path, mode) == 0
}

/// The space that an unprivileged process may still use on the file system of a path, bytes; `nil`
/// if that is not known.
public func freeBytes(at path: String) -> Int64? {
  var status = statvfs()
  return statvfs(path, &status) == 0 ? freeBytes(status) : nil
}

/// A file system of a user's can report anything.
private func freeBytes(_ status: statvfs) -> Int64 {
  let (bytes, isTooMany) = UInt64(status.f_bavail)
    .multipliedReportingOverflow(by: UInt64(status.f_frsize))
  return isTooMany ? .max : Int64(clamping: bytes)
}

/// Whether the file system of a path is mounted for writing; `nil`: there is none.
public func isWritable(fileSystemOf path: String) -> Bool? {
  var status = statvfs()
  guard statvfs(path, &status) == 0 else { return nil }
  return status.f_flag & UInt(ST_RDONLY) == 0
}

extension Descriptor {
  /// The same of the file system of an open file.
  public var freeBytes: Int64? {
    var status = statvfs()
    return fstatvfs(number, &status) == 0 ? SystemCalls.freeBytes(status) : nil
  }
}

// MARK: Whole files

/// Why a file could not be read completely.
public enum ReadError: Error, Equatable {
  /// The call that failed; `EISDIR` for a directory.
  case system(SystemError)
  /// It has more bytes than allowed.
  case tooLarge
}

/// Reads all of a small file, a pipe or a device. A pipe that nobody writes to is an error
/// (`ETIMEDOUT`): a named one would block for ever.
///
/// - Parameters:
///   - limit: the largest allowed number of bytes. The size from `fstat` is not used: a pipe has
///     none, and a device may be endless.
///   - patience: how long to wait for a pipe's bytes, ms.
public func readWhole(
  _ path: String, atMost limit: Int, patience: Int32 = 5000
) throws(ReadError) -> [UInt8] {
  let file: Descriptor
  do throws(SystemError) {
    file = try Descriptor(opening: path, [.read, .nonBlocking])
  } catch { throw .system(error) }
  let kind: FileStatus.Kind
  do throws(SystemError) { kind = try file.status().kind } catch { throw .system(error.at(path)) }
  let isPipe = kind == .pipe
  if !isPipe { _ = fcntl(file.number, F_SETFL, O_RDONLY) }
  do throws(ReadError) {
    return try file.readAll(atMost: limit, patience: isPipe ? patience : -1)
  } catch {
    if case .system(let error) = error { throw .system(error.at(path)) }
    throw error
  }
}

/// The first line of a small file, such as those in /proc and /sys; `nil` if it cannot be read.
public func firstLine(of path: String, atMost limit: Int = 64) -> String? {
  guard let file = try? Descriptor(opening: path, [.read, .nonBlocking]),
    let bytes = try? file.firstBytes(atMost: limit)
  else { return nil }
  return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}

/// Why a file that holds a secret is refused.
public enum SecretError: Error, Sendable, Equatable {
  /// The call that failed.
  case system(SystemError)
  case notRegular
  /// It does not belong to the user that this program runs as.
  case otherOwner
  /// Others than its owner may read or write it.
  case unprotected
  case tooLarge
}

/// Reads a file that belongs to the user that this program runs as, and that no other user may
/// read or write.
///
/// - Parameter limit: the largest allowed number of bytes.
public func readSecret(_ path: String, atMost limit: Int) throws(SecretError) -> [UInt8] {
  let file: Descriptor
  do throws(SystemError) {
    file = try Descriptor(opening: path, [.read, .nonBlocking])
  } catch { throw .system(error) }
  // Of the open file, not of the path, so that the same file is checked and read.
  let status: FileStatus
  do throws(SystemError) { status = try file.status() } catch { throw .system(error.at(path)) }
  guard status.kind == .file else { throw .notRegular }
  guard status.owner == geteuid() else { throw .otherOwner }
  guard status.permissions & 0o077 == 0 else { throw .unprotected }
  do throws(ReadError) { return try file.readAll(atMost: limit) } catch {
    switch error {
    case .system(let error): throw .system(error.at(path))
    case .tooLarge: throw .tooLarge
    }
  }
}

/// Writes a directory to the disk, so that files created, renamed or removed in it stay so after a
/// power failure.
///
/// EINVAL is ignored: the file system does not support this for directories, and there is nothing
/// else to be done. Any other error is thrown, because the caller relies on the name.
public func synchroniseDirectory(_ path: String) throws(SystemError) {
  let directory = try Descriptor(opening: path, [.read, .folder])
  do throws(SystemError) { try directory.synchronise() } catch {
    guard error.code == EINVAL else { throw error.at(path) }
  }
}

/// Writes a file that does not exist yet. It is on the disk when this returns; its name is so after
/// `synchroniseDirectory`.
///
/// - Parameter mode: its permissions, before the process's umask. FAT has none.
public func writeDurably(_ bytes: [UInt8], to path: String, mode: UInt32) throws(SystemError) {
  let file = try Descriptor(opening: path, [.write, .create, .exclusive], mode: mode)
  do throws(SystemError) {
    try file.writeAll(bytes)
    try file.synchronise()
    try file.closeChecked()
  } catch {
    // Half of it would be taken for the whole.
    unlink(path)
    throw error.at(path)
  }
}

// MARK: Changes

/// The corresponding C function is `rename`.
public func renameFile(_ path: String, to new: String) throws(SystemError) {
  try systemCall("rename", path) { rename(path, new) }
}

/// Gives a file a second name; fails if that is taken. The corresponding C function is `link`.
public func linkFile(_ path: String, as new: String) throws(SystemError) {
  try systemCall("link", new) { link(path, new) }
}

/// Removes a name of a file. The corresponding C function is `unlink`.
public func removeFile(_ path: String) throws(SystemError) {
  try systemCall("unlink", path) { unlink(path) }
}

/// The corresponding C function is `rmdir`.
public func removeFolder(_ path: String) throws(SystemError) {
  try systemCall("rmdir", path) { rmdir(path) }
}

/// - Parameter mode: its permissions, before the process's umask.
public func makeFolder(_ path: String, mode: UInt32) throws(SystemError) {
  try systemCall("mkdir", path) { mkdir(path, mode) }
}

public func makeLink(_ path: String, to target: String) throws(SystemError) {
  try systemCall("symlink", path) { symlink(target, path) }
}

public func setPermissions(_ mode: UInt32, of path: String) throws(SystemError) {
  try systemCall("chmod", path) { chmod(path, mode) }
}

/// - Parameters:
///   - owner: `nil`: unchanged.
///   - group: the same.
public func setOwner(
  _ owner: UInt32?, group: UInt32?, of path: String, followsLinks: Bool = true
) throws(SystemError) {
  let (owner, group) = (owner ?? uid_t.max, group ?? gid_t.max)
  try systemCall(followsLinks ? "chown" : "lchown", path) {
    followsLinks ? chown(path, owner, group) : lchown(path, owner, group)
  }
}

extension Descriptor {
  public func setPermissions(_ mode: UInt32) throws(SystemError) {
    try systemCall("fchmod") { fchmod(number, mode) }
  }

  public func setOwner(_ owner: UInt32?, group: UInt32?) throws(SystemError) {
    try systemCall("fchown") { fchown(number, owner ?? uid_t.max, group ?? gid_t.max) }
  }

  /// Locks it against all that lock it, too, until it is closed. The corresponding C function is
  /// `flock`.
  ///
  /// - Returns: `false`: another has it.
  public func lock() throws(SystemError) -> Bool { try Descriptor.lock(number) }

  static func lock(_ number: Int32) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try systemCall("flock") { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EAGAIN else { throw error }
      return false
    }
  }
}

/// Which permissions new files do not get; returns the former value.
@discardableResult
public func setFileModeMask(_ mask: UInt32) -> UInt32 { umask(mask) }
