import FeatureService
import Glibc
import SystemCalls

/// Reads a file of at most `limit` bytes.
func readFile(_ path: String, atMost limit: Int) throws(ServiceError) -> [UInt8] {
  do throws(ReadFailure) {
    return try readWhole(path, atMost: limit)
  } catch {
    switch error {
    case .system(let code):
      throw ServiceError("cannot read \(path): \(String(cString: strerror(code))); check the path")
    case .tooLarge:
      throw ServiceError("\(path): is larger than \(limit) bytes; use a smaller file")
    }
  }
}
