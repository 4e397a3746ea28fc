import FieldConsole
import Glibc
import SystemCalls

/// Writes a report to a file that does not exist yet, so that nothing is overwritten.
enum NewFile {
  static func save(
    _ text: String, as path: String, _ console: Console<LinuxBackend>
  ) -> Answer {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard file >= 0 else {
      return console.notSaved(path, reason(of: errno), exists: errno == EEXIST)
    }
    defer { close(file) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = retryingOnInterrupt {
        bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      }
      guard count > 0 else { return failed(path, console) }
      bytes = bytes.dropFirst(count)
    }
    // A stick may be pulled out as soon as this says so.
    guard fsync(file) == 0 || errno == EINVAL else { return failed(path, console) }
    return console.saved(path, bytes: text.utf8.count)
  }

  /// Half a report would be taken for a whole one.
  private static func failed(_ path: String, _ console: Console<LinuxBackend>) -> Answer {
    let code = errno
    unlink(path)
    return console.notSaved(path, reason(of: code), exists: false)
  }
}
