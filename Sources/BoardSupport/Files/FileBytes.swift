import Glibc

/// The largest settings file that is read, bytes. The largest of ours has some 8 KiB; a file of
/// megabytes is a mistake, such as a trace given for a board.
public let largestFileBytes = 1 << 20

/// The whole content of a settings file.
///
/// - Throws: what `open`, `fstat` or `read` said, or that it is a directory or too large.
func readFile(_ path: String) throws(FileError) -> [UInt8] {
  let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
  guard descriptor >= 0 else { throw fileError(path, code: errno) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw fileError(path, code: errno) }
  guard status.st_mode & S_IFMT != S_IFDIR else { throw fileError(path, code: EISDIR) }
  // One byte of room more than allowed tells a full file from one that is too large. The size
  // that fstat gives is not trusted: a pipe has none, a device never ends.
  var bytes = [UInt8](repeating: 0, count: 16_384)
  var count = 0
  while count <= largestFileBytes {
    if count == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
    let length = bytes.withUnsafeMutableBytes { buffer in
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      return retrying { read(descriptor, free.baseAddress, free.count) }
    }
    if length < 0 { throw fileError(path, code: errno) }
    if length == 0 { return Array(bytes[..<count]) }
    count += length
  }
  throw FileError(
    path: path, message: "is larger than 1 MiB; give a JSON5 file, which has a few kilobytes")
}

/// Repeats a system call that a signal has interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
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
