import Glibc
import SystemCalls

/// The largest settings file that is read, bytes. The largest of ours has some 8 KiB; a file of
/// megabytes is a mistake, such as a trace given for a board.
public let largestFileBytes = 1 << 20

/// The whole content of a settings file.
///
/// - Throws: what the system said, or that it is a directory or too large.
func readFile(_ path: String) throws(FileError) -> [UInt8] {
  do throws(ReadFailure) {
    return try readWhole(path, atMost: largestFileBytes)
  } catch {
    switch error {
    case .system(let code): throw fileError(path, code: code)
    case .tooLarge:
      throw FileError(
        path: path, message: "is larger than 1 MiB; give a JSON5 file, which has a few kilobytes")
    }
  }
}

/// The error for a code of `errno`, with its cure.
func fileError(_ path: String, code: Int32) -> FileError {
  let message =
    switch code {
    case ENOENT: "is not there; check the name and the directory that you are in"
    case ENOTDIR: "is not there: a part of the path is no directory; check the path"
    case EISDIR: "is a directory; give the file inside it"
    case EACCES, EPERM: "may not be read; allow it with chmod a+r, or run as its owner"
    case ENAMETOOLONG, ELOOP: "is no usable path; check the name"
    default: "cannot be read: \(String(cString: strerror(code))); check the disk"
    }
  return FileError(path: path.isEmpty ? "(no path)" : path, message: message)
}
