internal import Glibc

/// Why a file that holds a secret is refused.
public enum SecretFailure: Error, Sendable, Equatable {
  /// A code of `errno`.
  case system(Int32)
  case notRegular
  /// It does not belong to the user that this program runs as.
  case otherOwner
  /// Others than its owner may read or write it.
  case unprotected
  case tooLarge
}

/// Reads a file that belongs to the user that this program runs as, and that no other user may
/// read or write.
///
/// - Parameter limit: the largest allowed number of bytes.
public func readSecret(_ path: String, atMost limit: Int) throws(SecretFailure) -> [UInt8] {
  // O_NONBLOCK, or opening a pipe without a writer would block.
  let file: Descriptor
  do throws(SystemError) {
    file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
  } catch {
    throw .system(error.code)
  }
  // Checks the open file, not the path, so that the same file is checked and read.
  let status: stat
  do throws(SystemError) { status = try file.status() } catch { throw .system(error.code) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
  guard status.st_uid == geteuid() else { throw .otherOwner }
  guard status.st_mode & 0o077 == 0 else { throw .unprotected }
  do throws(ReadFailure) { return try file.readAll(atMost: limit) } catch {
    switch error {
    case .system(let code): throw .system(code)
    case .tooLarge: throw .tooLarge
    }
  }
}
