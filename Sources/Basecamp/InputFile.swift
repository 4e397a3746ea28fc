import FeatureService
import SystemCalls

/// Reads a file of at most `limit` bytes.
func readFile(_ path: String, atMost limit: Int) throws(ServiceError) -> [UInt8] {
  do throws(ReadFailure) {
    return try readWhole(path, atMost: limit)
  } catch {
    switch error {
    case .system(let code): throw unreadable(path, code)
    case .tooLarge: throw tooLarge(path, limit)
    }
  }
}

/// Reads a file with a secret, which nobody else may read.
func readSecretFile(_ path: String, atMost limit: Int) throws(ServiceError) -> [UInt8] {
  do throws(SecretFailure) {
    return try readSecret(path, atMost: limit)
  } catch {
    switch error {
    case .system(let code): throw unreadable(path, code)
    case .tooLarge: throw tooLarge(path, limit)
    case .notRegular: throw ServiceError("\(path): is not a regular file; use one")
    case .otherOwner:
      throw ServiceError(
        "\(path): belongs to another user; change that with chown, or run as its owner")
    case .unprotected:
      throw ServiceError("\(path): others can read it; protect it: chmod 600 \(path)")
    }
  }
}

private func unreadable(_ path: String, _ code: Int32) -> ServiceError {
  ServiceError("cannot read \(path): \(reason(of: code)); check the path")
}

private func tooLarge(_ path: String, _ limit: Int) -> ServiceError {
  ServiceError("\(path): is larger than \(limit) bytes; use a smaller file")
}
