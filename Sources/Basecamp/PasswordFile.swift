import FeatureService
import Glibc

extension Credentials {
  /// Reads the password from the first line of a file that no other user can read.
  ///
  /// - Throws: `ServiceError`.
  public init(user: String, passwordFile path: String) throws(ServiceError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ServiceError("cannot read \(path): \(String(cString: strerror(errno))); check the path")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ServiceError("\(path): others can read it; protect it: chmod 600 \(path)")
    }
    let text = String(decoding: try readFile(path, atMost: 4096), as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.isEmpty else {
      throw ServiceError("\(path): has no password in its first line; write one")
    }
    self.init(user: user, password: String(line))
  }
}
