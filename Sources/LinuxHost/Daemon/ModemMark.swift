import SystemCalls

/// Remembers on disk that the modem was used, so that the first start with a bearer that does
/// without it knows that it may have been left on.
public struct ModemMark {
  private let path: String

  /// - Parameter path: a file beside the store.
  public init(path: String) { self.path = path }

  /// Says whether it is used from now on. Without room on the disk that is not remembered.
  ///
  /// - Returns: whether it was before, and is not any more; told once.
  public func renew(isUsed: Bool) -> Bool {
    do throws(SystemError) {
      guard isUsed else {
        try removeFile(path)
        return true
      }
      let file = try Descriptor(opening: path, [.write, .create], mode: 0o600)
      try file.synchronise()
      try synchroniseDirectory(directory(of: path))
    } catch {}
    return false
  }
}
