import Glibc
import SystemCalls

/// The group that may read what the daemon leaves: that of the folder it stands in.
///
/// One group for all of it, whoever starts the daemon. Where the daemon is no member of that group
/// a file keeps the daemon's own.
enum FolderGroup {
  /// Gives an open file that is the daemon's alone so far.
  static func give(_ descriptor: Int32, _ path: String, mode: mode_t) {
    if let group = group(of: path) { fchown(descriptor, uid_t.max, group) }
    fchmod(descriptor, mode)
  }

  /// Gives what has a name and no bytes, as a socket.
  ///
  /// - Returns: whether it has the mode.
  static func give(_ path: String, mode: mode_t) -> Bool {
    if let group = group(of: path) { lchown(path, uid_t.max, group) }
    return chmod(path, mode) == 0
  }

  private static func group(of path: String) -> gid_t? {
    var status = stat()
    return stat(directory(of: path), &status) == 0 ? status.st_gid : nil
  }
}
