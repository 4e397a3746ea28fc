import Glibc
import SystemCalls

/// Remembers on disk that the SIM's PIN was tried and has not been accepted yet, so that a daemon
/// that restarts repeatedly does not use up the tries of a SIM whose modem does not report how many
/// are left.
///
/// It does not save the PIN but the version of the secrets file that it came from: when that file
/// changes, a new PIN may be tried.
public struct PINMemory {
  private let path: String
  private let origin: String

  /// - Parameters:
  ///   - path: a file beside the store.
  ///   - secrets: the secrets file with the PIN.
  public init(path: String, secrets: String) {
    self.path = path
    var status = stat()
    if stat(secrets, &status) == 0 {
      let time = status.st_mtim
      origin = "\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)\n"
    } else {
      origin = "gone\n"
    }
  }

  /// Whether this PIN was tried and no SIM has accepted one since. An unreadable mark counts as
  /// tried.
  public var isTried: Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno != ENOENT }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = read(file, &bytes, bytes.count)
    // An empty mark was left by a power cut while it was written.
    guard count > 0 else { return true }
    return String(decoding: bytes[..<count], as: UTF8.self) == origin
  }

  /// - Returns: whether it is on disk now. If not, no PIN may be tried.
  public func remember(isTried: Bool) -> Bool {
    guard isTried else { return unlink(path) == 0 || errno == ENOENT }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(origin.utf8)
    return write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0 && syncFolder()
  }

  /// The name of a new file is on disk only after its directory was flushed.
  private func syncFolder() -> Bool {
    let descriptor = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
