import Glibc
import SystemCalls

/// The largest settings file that is read, bytes. The largest of ours has some 8 KiB; a file of
/// megabytes is a mistake, such as a trace instead of a board.
public let largestFileBytes = 1 << 20

/// Reads a settings file.
///
/// - Throws: for errors of the system, and if it is a directory or too large.
func readFile(_ path: String) throws(FileError) -> [UInt8] {
  do throws(ReadFailure) {
    return try readWhole(path, atMost: largestFileBytes)
  } catch {
    switch error {
    case .system(let code): throw fileError(path, code: code)
    case .tooLarge:
      throw FileError(
        path: path, message: "is larger than 1 MiB; use a JSON5 file, which has a few kilobytes")
    }
  }
}

/// The error for an `errno`, with what to do.
func fileError(_ path: String, code: Int32) -> FileError {
  let message =
    switch code {
    case ENOENT: "does not exist; check the name and the current directory"
    case ENOTDIR: "does not exist: part of the path is not a directory; check the path"
    case EISDIR: "is a directory; use the file inside it"
    case EACCES, EPERM: "is not readable; allow it with chmod a+r, or run as its owner"
    case ETIMEDOUT: "is a pipe that nobody writes to; give a file"
    case ENAMETOOLONG, ELOOP: "is not a usable path; check the name"
    default: "cannot be read: \(reason(of: code)); check the disk"
    }
  return FileError(path: path.isEmpty ? "(no path)" : path, message: message)
}
