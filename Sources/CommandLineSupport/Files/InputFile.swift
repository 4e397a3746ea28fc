import Glibc

public enum InputFile {
  /// The whole of a small file.
  public static func bytes(of path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileProblem("cannot open", path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileProblem("cannot read", path, code: errno)
      }
      bytes += buffer[..<count]
      if bytes.count > limit {
        throw FileProblem(
          "cannot read", path, reason: "larger than \(limit >> 20) MiB: give a smaller file")
      }
    }
  }
}
