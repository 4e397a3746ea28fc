import Glibc
import SystemCalls

public enum InputFile {
  /// Reads a small file.
  public static func bytes(of path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    do throws(ReadFailure) {
      return try readWhole(path, atMost: limit)
    } catch {
      switch error {
      case .system(let code): throw FileProblem("cannot read", path, code: code)
      case .tooLarge:
        throw FileProblem(
          "cannot read", path, reason: "larger than \(limit >> 20) MiB: use a smaller file")
      }
    }
  }

  /// Reads a file that a daemon reads while it works, too: it must neither wait for a pipe's writer
  /// nor read a device.
  public static func regularBytes(
    of path: String, atMost limit: Int
  ) throws(FileProblem) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileProblem("cannot read", path, code: errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else {
      throw FileProblem("cannot read", path, reason: "it is no regular file: use one")
    }
    return try bytes(of: path, atMost: limit)
  }
}
