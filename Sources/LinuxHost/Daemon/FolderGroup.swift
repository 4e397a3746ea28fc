import Glibc
import SystemCalls

/// The group that may read the daemon's files: that of their directory.
///
/// This makes the group independent of who starts the daemon. If the daemon is not a member of that
/// group a file keeps the daemon's own.
enum FolderGroup {
  /// Sets group and mode of an open file that only the daemon can read so far.
  static func give(_ descriptor: Int32, _ path: String, mode: mode_t) {
    if let group = group(of: path) { fchown(descriptor, uid_t.max, group) }
    fchmod(descriptor, mode)
  }

  /// Sets group and mode of a path, such as a socket's.
  ///
  /// - Returns: whether the mode was set.
  static func give(_ path: String, mode: mode_t) -> Bool {
    if let group = group(of: path) { lchown(path, uid_t.max, group) }
    return chmod(path, mode) == 0
  }

  private static func group(of path: String) -> gid_t? {
    var status = stat()
    return stat(directory(of: path), &status) == 0 ? status.st_gid : nil
  }
}
