import Glibc
public import Wording

/// Why a recording cannot be written: one line that says what, where and what to do.
public struct RecordingWriteError: Error, Sendable, Equatable, Worded {
  public var path: String
  /// What could not be done.
  public var operation: RecordingPhrase
  /// The value of `errno`.
  public var code: Int32

  public var texts: Texts { operation.texts(path, SystemReason.texts(of: code), cure.texts) }

  private var cure: RecordingPhrase {
    switch code {
    case ENOSPC, EDQUOT: .cureSpace
    case ENOENT: .cureDirectory
    case EEXIST: .cureExists
    case EACCES, EPERM: .curePermissions
    case EROFS: .cureMount
    case EISDIR, ENXIO, ENOTDIR: .cureFile
    default: .cureDisk
    }
  }
}
