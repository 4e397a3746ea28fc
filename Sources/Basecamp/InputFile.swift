import FeatureService
import Glibc

/// Reads a file of at most so many bytes.
func readFile(_ path: String, atMost limit: Int) throws(ServiceError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw unreadable(path, errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &piece, piece.count)
    if count < 0 {
      if errno == EINTR { continue }
      throw unreadable(path, errno)
    }
    if count == 0 { return bytes }
    bytes += piece[..<count]
    guard bytes.count <= limit else {
      throw ServiceError("\(path): is larger than \(limit) bytes; give a smaller file")
    }
  }
}

private func unreadable(_ path: String, _ code: Int32) -> ServiceError {
  ServiceError("cannot read \(path): \(String(cString: strerror(code))); check the path")
}
