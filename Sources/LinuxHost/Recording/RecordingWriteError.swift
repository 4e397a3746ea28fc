import Glibc
import SystemCalls

/// Why a recording cannot be written: one line that says what, where and what to do.
public struct RecordingWriteError: Error, Sendable, Equatable, CustomStringConvertible {
  public var path: String
  /// What could not be done, for example "write".
  public var operation: String
  /// The value of `errno`.
  public var code: Int32

  public var description: String {
    "\(path): cannot \(operation) the recording: \(SystemCalls.reason(of: code)); \(cure)"
  }

  private var cure: String {
    switch code {
    case ENOSPC, EDQUOT: "free some space"
    case ENOENT: "create the directory, or choose another path"
    case EEXIST: "it is not a recording; choose another path"
    case EACCES, EPERM: "change the permissions, or choose another path"
    case EROFS: "mount the disk for writing, or choose another path"
    case EISDIR, ENXIO, ENOTDIR: "give the path of a file"
    default: "check the disk"
    }
  }
}
