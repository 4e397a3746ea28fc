import CommandLineWords
import Glibc

/// Where a recording may be written: nowhere that something else stands or will stand.
enum RecordingPath {
  /// - Throws: the recording would take the place of the store, of the settings, or of any other
  ///   file that is no recording.
  static func check(_ options: Options, store: String, secrets: String?) throws {
    guard let path = options.record else { return }
    let ours = ["", "-wal", "-shm", "-journal", ".lock", ".pin"].map { store + $0 }
    let taken = ours + [options.config, secrets ?? ""]
    if taken.contains(where: { plain($0) == plain(path) }) {
      throw UsageError("--record \(path): that file is the tracker's own; give another name")
    }
    if let start = start(of: path), !start.contains("# trailtracker recording") {
      throw UsageError("--record \(path): is there and is no recording; give another name")
    }
  }

  /// Without what makes two names of one.
  private static func plain(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + parts : parts
  }

  /// The first bytes of a plain file that is there and not empty.
  private static func start(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
