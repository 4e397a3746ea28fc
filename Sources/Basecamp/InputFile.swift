import FeatureService
import SystemCalls

/// Reads a file of at most `limit` bytes.
func readFile(_ path: String, atMost limit: Int) throws(ServiceError) -> [UInt8] {
  do throws(ReadError) {
    return try readWhole(path, atMost: limit)
  } catch {
    switch error {
    case .system(let error): throw unreadable(error)
    case .tooLarge: throw tooLarge(path, limit)
    }
  }
}

/// Reads an organiser's table.
public func readInputFile(_ path: String) throws -> [UInt8] {
  try readFile(path, atMost: Bounds.teamsBytes)
}

/// Reads a file with a secret, which nobody else may read.
func readSecretFile(_ path: String, atMost limit: Int) throws(ServiceError) -> [UInt8] {
  do throws(SecretError) {
    return try readSecret(path, atMost: limit)
  } catch {
    switch error {
    case .system(let error): throw unreadable(error)
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

private func unreadable(_ error: SystemError) -> ServiceError {
  ServiceError("cannot read \(error.path): \(error.reason); check the path")
}

private func tooLarge(_ path: String, _ limit: Int) -> ServiceError {
  ServiceError("\(path): is larger than \(limit) bytes; use a smaller file")
}

/// Reads a password from the first line of a file that no other user can read.
public func password(inFile path: String) throws(ServiceError) -> String {
  let text = String(decoding: try readSecretFile(path, atMost: 4096), as: UTF8.self)
  guard let line = text.split(whereSeparator: \.isNewline).first, !line.isEmpty else {
    throw ServiceError("\(path): has no password in its first line; write one")
  }
  return String(line)
}

/// Makes the folder of the databases, if it does not exist.
func makeDataFolder(_ path: String) throws(ServiceError) {
  do throws(SystemError) { try makeFolder(path, mode: 0o777) } catch {
    guard error.code == Errno.exists else {
      throw ServiceError("cannot create the directory \(path): \(error.reason); check the path")
    }
  }
}
