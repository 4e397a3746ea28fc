import Glibc
import SystemCalls

/// A file that only root can change: what is read from it, root may run.
public enum RootsFile {
  /// Checks a file and the folders on its way.
  ///
  /// - Returns: its path without symbolic links, along which nobody else can put another file.
  public static func check(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else {
      throw HostProblem("\(path): cannot be read: \(reason(of: errno)); give an existing file")
    }
    defer { free(resolved) }
    let real = String(cString: resolved)
    var place = real
    while true {
      var status = stat()
      guard lstat(place, &status) == 0 else {
        throw HostProblem("\(place): cannot be read: \(reason(of: errno)); give another file")
      }
      // In a folder like /tmp others can add files, but not replace root's (chmod(2), S_ISVTX).
      let isShared = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
      let isOthers = status.st_mode & (S_IWGRP | S_IWOTH) != 0 && !isShared
      guard status.st_uid == 0, !isOthers else {
        throw HostProblem(
          "\(path): root runs no commands from it, because others can change \(place); "
            + "chown root:root and chmod go-w that")
      }
      if place == "/" { return real }
      place = directory(of: place)
    }
  }
}
