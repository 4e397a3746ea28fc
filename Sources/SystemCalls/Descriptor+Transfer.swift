public import Glibc

extension Descriptor {
  /// Opens a file with O_CLOEXEC. The corresponding C function is `open`.
  ///
  /// - Parameter mode: the permissions of a file that is created, before the process's umask.
  public init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) {
    let opened = retryingOnInterrupt { open(path, flags | O_CLOEXEC, mode) }
    guard opened >= 0 else { throw .last }
    self.init(owning: opened)
  }

  /// The result of `fstat`.
  public func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status
  }

  /// Reads up to `bytes.count` bytes with one call; returns 0 at the end.
  public func read(into bytes: inout [UInt8]) throws(SystemError) -> Int {
    let count = retryingOnInterrupt { Glibc.read(number, &bytes, bytes.count) }
    guard count >= 0 else { throw .last }
    return count
  }

  /// The bytes that one read returns: enough for small files, such as those in /proc and /sys.
  public func firstBytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try read(into: &bytes)
    bytes.removeSubrange(count...)
    return bytes
  }

  /// Reads to the end.
  ///
  /// - Parameter limit: the largest allowed number of bytes. The size from `fstat` is not used: a
  ///   pipe has none, and a device may be endless.
  /// - Parameter patience: how long to wait for more, ms; then it throws `ETIMEDOUT`. Negative:
  ///   for ever.
  public func readAll(
    atMost limit: Int, patience: Int32 = -1
  ) throws(ReadFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      if patience >= 0 {
        var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let ready = retryingOnInterrupt { poll(&waiting, 1, patience) }
        guard ready != 0 else { throw .system(ETIMEDOUT) }
      }
      let count: Int
      do throws(SystemError) { count = try read(into: &piece) } catch { throw .system(error.code) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge }
      bytes += piece[..<count]
    }
  }

  /// Writes all of `bytes`, with as many calls as needed.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try SystemCalls.writeAll(bytes, to: number)
  }

  /// Writes cached data to the disk. The corresponding C function is `fsync`.
  public func synchronise() throws(SystemError) {
    guard retryingOnInterrupt({ fsync(number) }) == 0 else { throw .last }
  }

  /// Closes it and reports the error: some file systems report a full disk only here.
  public consuming func closeChecked() throws(SystemError) {
    let number = number
    discard self
    // Not retried after EINTR: Linux has closed it anyway (close(2)).
    guard close(number) == 0 || errno == EINTR else { throw .last }
  }
}

/// Writes all of `bytes`, with as many calls as needed, to a descriptor that the caller does not
/// own, such as standard output.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { rest in
      retryingOnInterrupt { write(descriptor, rest.baseAddress, rest.count) }
    }
    guard count >= 0 else { throw .last }
    written += count
  }
}

/// Writes a directory to the disk, so that files created, renamed or removed in it stay so after a
/// power failure.
///
/// EINVAL is ignored: the file system does not support this for directories, and there is nothing
/// else to be done. Any other error is thrown, because the caller relies on the name.
public func synchroniseDirectory(_ path: String) throws(SystemError) {
  let directory = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
  do throws(SystemError) { try directory.synchronise() } catch {
    guard error.code == EINVAL else { throw error }
  }
}

/// Writes a file that does not exist yet. It is on the disk when this returns; its name is so after
/// `synchroniseDirectory`.
///
/// - Parameter mode: its permissions, before the process's umask. FAT has none.
public func writeDurably(_ bytes: [UInt8], to path: String, mode: mode_t) throws(SystemError) {
  let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
  do throws(SystemError) {
    try file.writeAll(bytes)
    try file.synchronise()
    try file.closeChecked()
  } catch {
    // Half of it would be taken for the whole.
    unlink(path)
    throw error
  }
}
