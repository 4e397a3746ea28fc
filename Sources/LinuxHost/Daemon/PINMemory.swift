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
    origin =
      (try? FileStatus(secrets)).map {
        "\($0.number) \($0.size) \($0.modified.seconds).\($0.modified.nanoseconds)\n"
      } ?? "gone\n"
  }

  /// Whether this PIN was tried and no SIM has accepted one since. An unreadable mark counts as
  /// tried.
  public var isTried: Bool {
    let file: Descriptor
    do throws(SystemError) { file = try Descriptor(opening: path, .read) } catch {
      return error.code != Errno.noSuchFile
    }
    // An empty mark was left by a power cut while it was written.
    guard let bytes = try? file.firstBytes(atMost: 200), !bytes.isEmpty else { return true }
    return String(decoding: bytes, as: UTF8.self) == origin
  }

  /// - Returns: whether it is on disk now. If not, no PIN may be tried.
  public func remember(isTried: Bool) -> Bool {
    do throws(SystemError) {
      guard isTried else {
        try removeFile(path)
        return true
      }
      let file = try Descriptor(opening: path, [.write, .create, .truncate], mode: 0o600)
      try file.writeAll(Array(origin.utf8))
      try file.synchronise()
      try synchroniseDirectory(directory(of: path))
      return true
    } catch {
      return !isTried && error.code == Errno.noSuchFile
    }
  }
}
