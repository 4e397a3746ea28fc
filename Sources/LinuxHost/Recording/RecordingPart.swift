import Glibc

/// The files of a recording: FILE, and the older FILE.1, FILE.2, …
public enum RecordingPart {
  /// - Parameter number: 0 is the current file.
  public static func path(_ number: Int, of path: String) -> String {
    number == 0 ? path : "\(path).\(number)"
  }

  /// Whether a file is part of a recording, so that it may be moved or removed. This includes files
  /// that are empty or all zeros, as left by a power cut.
  public static func isOne(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return false }
    return bytes[..<count].allSatisfy { $0 == 0 }
      || String(decoding: bytes[..<count], as: UTF8.self).contains("# trailtracker recording")
  }
}
