import Glibc
import SystemCalls
import Wording

/// The files of a recording: FILE, and the older FILE.1, FILE.2, …
public enum RecordingPart {
  /// - Parameter number: 0 is the current file.
  public static func path(_ number: Int, of path: String) -> String {
    number == 0 ? path : "\(path).\(number)"
  }

  /// Whether a file is part of a recording, so that it may be moved or removed. This includes files
  /// that are empty or all zeros, as left by a power cut.
  public static func isOne(_ path: String) -> Bool {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? file.firstBytes(atMost: 200)
    else { return false }
    return bytes.allSatisfy { $0 == 0 }
      || String(decoding: bytes, as: UTF8.self).has("# trailtracker recording")
  }
}
